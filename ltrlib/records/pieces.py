"""Pieces of work: one done and watched, and those that are done kept on disk."""

from __future__ import annotations

import inspect
import json
import os
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from ltrlib.atomic import new_file
from ltrlib.project import cache_dir
from ltrlib.records import observed
from ltrlib.records.definitions import find_code, meaning
from ltrlib.records.making import Done, Piece, Run, as_tables, key_of
from ltrlib.records.source import Source

__all__ = ["Kept", "code_of", "finished", "perform", "processor_seconds"]

# Named by what is in them, not by path: data sets by digest, printed numbers one by one.
_NOTED_OTHERWISE = ("data/registry.yml", "data/published/")
_PROVENANCE = ".provenance.json"


def code_of(do: Callable[..., Any]) -> str:
    """Fingerprint of the code behind a function.

    Examples
    --------
    >>> from ltrlib.metrics.engine import evaluate, evaluate_data
    >>> code_of(evaluate) == code_of(evaluate_data)
    False
    """
    if do.__module__.split(".")[0] == "ltrlib":
        return find_code(f"{do.__module__}:{do.__qualname__}").fingerprint
    return meaning(textwrap.dedent(inspect.getsource(do)))


def perform(do: Callable[[Any], Any], piece: Piece) -> tuple[Any, float, observed.Notes, str]:
    """Do one piece, wherever this runs, and note what it used.

    Returns
    -------
    tuple
        The result, its seconds of processor time, what was noted, and the fingerprint of the code that ran.
    """
    observed.watch_files()
    started = processor_seconds()
    with observed.noting() as notes:
        result = do(piece)
    return result, processor_seconds() - started, notes, code_of(do)


def processor_seconds() -> float:
    """Of this process and of its children that have ended; others on the same core do not count."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def finished(run: Run, piece: Piece, result: Any, seconds: float, notes: observed.Notes) -> Done:
    """A piece with what came of it, and with what it read."""
    tables = {name: _settled(rows) for name, rows in as_tables(run, result).items()}
    inputs = {
        key: state
        for key, state in (notes.states | observed.file_states(notes)).items()
        if notes.states.get(key) or not key.removeprefix("file:").startswith(_NOTED_OTHERWISE)
    }
    inputs = {key: state for key, state in sorted(inputs.items()) if not key.endswith(_PROVENANCE)}
    return Done(dict(piece), tables, seconds, tuple(notes.sources), inputs)


def _settled(rows: pd.DataFrame) -> pd.DataFrame:
    """Four kinds of columns are enough, and are the same after writing and reading."""
    kinds = {"i": "int64", "u": "int64", "f": "float64", "b": "bool"}
    return rows.reset_index(drop=True).astype({name: kinds.get(kind.kind, "str") for name, kind in rows.dtypes.items()})


@dataclass(frozen=True, eq=False)
class Kept:
    """The finished pieces of a run, one file each.

    Parameters
    ----------
    run
        Whose pieces.
    folder
        Where they lie; in the user's cache if not given.
    """

    run: Run
    folder: Path | None = None

    @property
    def place(self) -> Path:
        """The folder of the pieces that the present code has done."""
        base = cache_dir() / "pieces" if self.folder is None else self.folder
        return base / self.run.name / code_of(self.run.do)[:16]

    def read(self, piece: Piece, *, place: Path | None = None) -> Done | None:
        """Return a piece that was kept, or None: not done, damaged, or done on other data."""
        path = (place or self.place) / f"{key_of(piece)}.json"
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            tables = {name: _frame(**one) for name, one in kept["tables"].items()}
            sources = tuple(Source(**source) for source in kept["sources"])
            done = Done(kept["piece"], tables, float(kept["seconds"]), sources, kept["inputs"])
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None
        return None if observed.changed_inputs(done.inputs) else done

    def write(self, done: Done, *, place: Path | None = None) -> None:
        """Keep a piece."""
        folder = place or self.place
        folder.mkdir(parents=True, exist_ok=True)
        kept = {
            "piece": done.piece,
            "seconds": done.seconds,
            "sources": [asdict(source) for source in done.sources],
            "inputs": done.inputs,
            "tables": {name: _plain(rows) for name, rows in done.tables.items()},
        }
        with new_file(folder / f"{key_of(done.piece)}.json") as file:
            file.write(json.dumps(kept).encode())


def _plain(rows: pd.DataFrame) -> dict[str, Any]:
    return {"kinds": {name: str(kind) for name, kind in rows.dtypes.items()}, "columns": rows.to_dict("list")}


def _frame(kinds: Mapping[str, str], columns: Mapping[str, Any]) -> pd.DataFrame:
    return pd.DataFrame(dict(columns), columns=list(kinds)).astype(dict(kinds))
