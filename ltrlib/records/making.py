"""How recorded results are made: independent pieces of work, and what joins them into tables.

A room that records something declares it in its ``runs.py``::

    GRID = Run(tables=(records.GRID,), pieces=grid_points, do=train)

``do`` takes one piece, a mapping of plain values, and returns its rows. Each piece is kept as soon as it is done, so a
run that was stopped goes on where it was. ``ltrlib record`` finds every :class:`Run` and does what is missing.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, TypeAlias

import pandas as pd

from ltrlib.errors import RecordError, UsageError
from ltrlib.records.record import Table
from ltrlib.records.source import Source

__all__ = ["Done", "Piece", "Result", "Run", "all_runs", "as_tables", "digest_of", "key_of", "select"]

Piece: TypeAlias = Mapping[str, Any]
"""One piece of work: plain values that JSON can hold."""

Result: TypeAlias = pd.DataFrame | Mapping[str, pd.DataFrame]
"""Rows of one piece: of the only table, or of several tables by their short names."""


@dataclass(frozen=True, eq=False)
class Done:
    """A finished piece.

    Parameters
    ----------
    piece
        What was asked.
    tables
        Its rows by the short name of the table.
    seconds
        Processor time that it took, child processes included: sharing a core does not lengthen it.
    sources
        What data it read.
    inputs
        Which other files and numbers it read, each with its state.
    """

    piece: Piece
    tables: Mapping[str, pd.DataFrame]
    seconds: float
    sources: tuple[Source, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)


def _one_piece() -> Sequence[Piece]:
    return [{}]


@dataclass(frozen=True, eq=False)
class Run:
    """How some tables are made.

    Parameters
    ----------
    tables
        What is recorded.
    do
        Does one piece; a function at the top of a module.
    pieces
        All pieces, in the order of the rows; one without values if not given.
    join
        Makes the tables, by short name, out of all finished pieces; rows are put one below the other if not given.
    after
        Tables that must be there before, because ``pieces``, ``do`` or ``join`` reads them.
    parameters, seeds
        What was chosen, for the reader of the provenance.
    measures
        Whether time or memory is the result: then nothing else runs meanwhile, and no two runs agree.
    needs
        Data sets without which it cannot be made.

    Examples
    --------
    >>> from ltrlib.records.working import make
    >>> import tempfile
    >>> from pathlib import Path
    >>> table = Table("example/squares", {"x": "int", "square": "int"}, maker="ltrlib.compiled:compiled")
    >>> def square(piece):
    ...     return pd.DataFrame([{"x": piece["x"], "square": piece["x"] ** 2}])
    >>> run = Run(tables=(table,), pieces=lambda: [{"x": 2}, {"x": 3}], do=square)
    >>> [run.name, len(run.pieces())]
    ['example/squares', 2]
    """

    tables: tuple[Table, ...]
    do: Callable[[Any], Result]
    pieces: Callable[[], Sequence[Piece]] = _one_piece
    join: Callable[[Sequence[Done]], Mapping[str, pd.DataFrame]] | None = None
    after: tuple[Table, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seeds: Sequence[int] = ()
    measures: bool = False
    needs: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of its first table, which stands for all of them."""
        return self.tables[0].name

    @property
    def command(self) -> str:
        """What to type to make it."""
        return f"ltrlib record {self.name}"

    def joined(self, done: Sequence[Done]) -> dict[str, pd.DataFrame]:
        """The tables of all finished pieces, by short name, with the declared columns."""
        if self.join is not None:
            found = self.join(done)
        else:
            found = {
                table.short: pd.concat([one.tables[table.short] for one in done], ignore_index=True)
                for table in self.tables
            }
        if missing := [table.short for table in self.tables if table.short not in found]:
            raise RecordError(f"{self.name}: no rows of {', '.join(missing)}")
        return {table.short: table.typed(found[table.short]) for table in self.tables}


def as_tables(run: Run, result: Result) -> dict[str, pd.DataFrame]:
    """Rows of a piece by the short name of their table; what ``join`` needs beside that is kept too.

    Examples
    --------
    >>> table = Table("example/squares", {"x": "int"}, maker="ltrlib.compiled:compiled")
    >>> run = Run(tables=(table,), do=lambda piece: pd.DataFrame())
    >>> list(as_tables(run, pd.DataFrame({"x": [1]})))
    ['squares']
    """
    if isinstance(result, pd.DataFrame):
        if len(run.tables) != 1 and run.join is None:
            raise RecordError(f"{run.name} has several tables, but a piece gave one", cure="return them by short name")
        return {run.tables[0].short: result}
    return dict(result)


def key_of(piece: Piece) -> str:
    """A short name for a piece, the same in every process.

    Examples
    --------
    >>> key_of({"a": 1, "b": [2, 3]}) == key_of({"b": (2, 3), "a": 1})
    True
    """
    return hashlib.sha256(json.dumps(piece, sort_keys=True).encode()).hexdigest()[:12]


def digest_of(run: Run, done: Done) -> str:
    """Hash the rows of a piece, bit by bit, without what is measured.

    Examples
    --------
    >>> table = Table("example/squares", {"x": "float", "s": "measured"}, maker="ltrlib.compiled:compiled")
    >>> run = Run(tables=(table,), do=lambda piece: pd.DataFrame())
    >>> one, two = (Done({}, {"squares": pd.DataFrame({"x": [0.5], "s": [s]})}, 0.0) for s in (1.0, 2.0))
    >>> digest_of(run, one) == digest_of(run, two)
    True
    """
    measured = {name for table in run.tables for name, kind in table.columns.items() if kind == "measured"}
    result = hashlib.sha256()
    for name, rows in sorted(done.tables.items()):
        kept = rows[[column for column in rows.columns if column not in measured]]
        result.update(f"{name} {list(kept.columns)}".encode())
        result.update(json.dumps(kept.to_dict("list"), default=_plain).encode())
    return result.hexdigest()[:12]


def _plain(value: Any) -> Any:
    return value.item()


def all_runs(package: str = "ltrlib") -> list[Run]:
    """Every run of the book, found in the modules named ``runs`` of all rooms; what others read comes first.

    Parameters
    ----------
    package
        Where to look.

    """
    found: dict[str, Run] = {}
    for module in _modules_named_runs(importlib.import_module(package)):
        for run in _declared(vars(importlib.import_module(module)).values()):
            for table in run.tables:
                if found.setdefault(table.name, run) is not run:
                    raise RecordError(f"{table.name} is made by two runs", where=module)
    return _in_order(list(dict.fromkeys(found.values())))


def _modules_named_runs(package: ModuleType) -> Iterator[str]:
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if info.name.rpartition(".")[2] == "runs" and not info.ispkg:
            yield info.name


def _declared(values: Iterable[Any]) -> Iterator[Run]:
    for value in values:
        if isinstance(value, Run):
            yield value
        elif isinstance(value, list | tuple) and value and all(isinstance(one, Run) for one in value):
            yield from value


def _in_order(runs: Sequence[Run]) -> list[Run]:
    makers = {table.name: run for run in runs for table in run.tables}
    ordered: dict[str, Run] = {}

    def place(run: Run, path: tuple[str, ...] = ()) -> None:
        if run.name in path:
            raise RecordError(f"records wait for each other: {' → '.join([*path, run.name])}")
        for table in run.after:
            if table.name in makers:
                place(makers[table.name], (*path, run.name))
        ordered.setdefault(run.name, run)

    for run in sorted(runs, key=lambda run: run.measures):
        place(run)
    return list(ordered.values())


def select(runs: Sequence[Run], names: Sequence[str]) -> list[Run]:
    """The runs that make some records; a folder stands for all records in it.

    Parameters
    ----------
    runs
        To choose from.
    names
        Such as ``koppel2019/grid`` or ``koppel2019``.

    Examples
    --------
    >>> table = Table("example/squares", {"x": "int"}, maker="ltrlib.compiled:compiled")
    >>> run = Run(tables=(table,), do=lambda piece: pd.DataFrame())
    >>> select([run], ["example"]) == select([run], ["example/squares"]) == [run]
    True
    >>> select([run], ["exmaple"])
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: there is no record 'exmaple'
      to do: ltrlib record --list shows all
    """
    chosen: dict[str, Run] = {}
    for name in names:
        fits = [
            run
            for run in runs
            if any(table.name == name or table.name.startswith(f"{name.rstrip('/')}/") for table in run.tables)
        ]
        if not fits:
            raise UsageError(f"there is no record {name!r}", cure="ltrlib record --list shows all")
        chosen |= {run.name: run for run in fits}
    return [run for run in runs if run.name in chosen]
