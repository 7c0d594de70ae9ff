"""The tidy table of a sweep: one row per point and number, with the parameters and a link to the executed notebook.

A table may be kept among the recorded results, from where pages show it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ltrlib.atomic import new_file
from ltrlib.project import project_data
from ltrlib.records import observed
from ltrlib.records.record import Record, Table, write_record
from ltrlib.records.source import Source
from ltrlib.sweeps.description import Sweep, chapter_state
from ltrlib.sweeps.execution import NOTEBOOK
from ltrlib.sweeps.store import Store

__all__ = [
    "PREFIX",
    "RecordedSweep",
    "merge",
    "one_row_per_point",
    "read_recorded_sweep",
    "record_table",
    "sources_of",
    "write_tables",
]

PREFIX = "param_"
"""In front of a parameter's name in the column names: none can be that of another column."""


def merge(sweep: Sweep, store: Store) -> pd.DataFrame:
    """Table of all points that are up to date.

    Returns
    -------
    DataFrame
        point, a column ``param_<name>`` for each given parameter, metric, value, seconds (of the point), notebook
        (path from the sweep's folder).
    """
    defaults = {name: parameter.default for name, parameter in sweep.chapter.parameters.items()}
    rows: list[dict[str, Any]] = []
    for point in sweep.points:
        if store.state(point).kind != "done":
            continue
        facts = store.read(point)
        given = {**defaults, **point.parameters}
        columns = {f"{PREFIX}{name}": _plain(given[name]) for name in sweep.varied}
        for metric, value in facts["metrics"].items():
            link = f"{point.key}/{NOTEBOOK}"
            rows.append(
                {"point": point.key, **columns, "metric": metric, "value": value}
                | {"seconds": float(facts["seconds"]), "notebook": link}
            )
    names = ["point", *(f"{PREFIX}{name}" for name in sweep.varied), "metric", "value", "seconds", "notebook"]
    return pd.DataFrame(rows, columns=names)


def _plain(value: Any) -> Any:
    """A list as text: a cell holds one value."""
    return value if isinstance(value, str | int | float) else json.dumps(value, ensure_ascii=False)


def write_tables(sweep: Sweep, store: Store) -> pd.DataFrame:
    """Write ``table.csv`` and ``table.parquet`` into the sweep's folder."""
    table = merge(sweep, store)
    with new_file(store.folder / "table.csv") as file:
        table.to_csv(file, index=False, lineterminator="\n")
    with new_file(store.folder / "table.parquet") as file:
        table.to_parquet(file, index=False, compression="zstd")
    return table


def record_table(sweep: Sweep, store: Store) -> Record:
    """Keep the table among the book's recorded results, as ``sweeps/<name>``."""
    table = merge(sweep, store).drop(columns="notebook")
    facts = [store.read(point) for point in sweep.points if store.state(point).kind == "done"]
    noted = {key: state for one in facts for key, state in one["dependencies"].items()}
    chapter = sweep.chapter.path.stem
    return write_record(
        f"sweeps/{sweep.name}",
        table,
        maker=sorted(key.removeprefix("module:") for key in noted if key.startswith("module:")),
        work=sum(one["seconds"] for one in facts),
        data=sources_of(noted, table),
        inputs={f"chapter:{chapter}": chapter_state(chapter)} if sweep.chapter.in_book else {},
        parameters={"chapter": chapter, "points": len(facts)},
        command=f"ltrlib sweep {sweep.name} --record",
    )


def sources_of(dependencies: Mapping[str, str], table: pd.DataFrame) -> list[Source]:
    """Data that points have read: real sets that were found, and stand-ins that their parameters name.

    Parameters
    ----------
    dependencies
        What the points depended on.
    table
        Their rows.

    Examples
    --------
    >>> table = pd.DataFrame({"param_dataset": ["standin/mq2008"]})
    >>> [str(one) for one in sources_of({"dataset:mq2008": "0123", "dataset:mq2007": "absent"}, table)]
    ['mq2008', 'standin/mq2008']
    """
    sets = {key.removeprefix("dataset:"): state for key, state in dependencies.items() if key.startswith("dataset:")}
    # A set that was looked for and not found is noted too.
    sources = [Source(name, sha256=state) for name, state in sorted(sets.items()) if state != observed.ABSENT]
    named = table.get(f"{PREFIX}dataset", pd.Series(dtype=str)).unique()
    return sources + [Source(name, standin=True) for name in sorted(named) if name.startswith("standin/")]


def one_row_per_point(table: pd.DataFrame, metrics: Sequence[str] = ()) -> pd.DataFrame:
    """Parameters and numbers side by side, for people.

    Examples
    --------
    >>> table = pd.DataFrame({"point": ["a", "a"], "param_k": [3, 3], "metric": ["x", "y"], "value": [0.5, 0.25],
    ...                       "seconds": [9.0, 9.0]})
    >>> one_row_per_point(table).to_dict("records")
    [{'k': 3, 'x': 0.5, 'y': 0.25, 'seconds': 9.0}]
    """
    parameters = [column for column in table.columns if column.startswith(PREFIX)]
    shown = list(metrics) or list(table["metric"].unique())
    rows = []
    for _, part in table.groupby("point", sort=False):
        values = dict(zip(part["metric"], part["value"], strict=True))
        first = part.iloc[0]
        rows.append(
            {name.removeprefix(PREFIX): first[name] for name in parameters}
            | {name: values.get(name, float("nan")) for name in shown}
            | {"seconds": first["seconds"]}
        )
    return pd.DataFrame(rows)


@dataclass(frozen=True, eq=False)
class RecordedSweep:
    """A sweep of the book: its file, and its recorded table.

    Examples
    --------
    >>> from ltrlib.sweeps.records import CONVENTIONS
    >>> read_recorded_sweep(CONVENTIONS).parameters
    ['dataset', 'cutoff']
    """

    description: str
    record: Record

    @property
    def parameters(self) -> list[str]:
        """Names of the parameters that the sweep gives."""
        columns = [str(column) for column in self.record.table.columns]
        return [name.removeprefix(PREFIX) for name in columns if name.startswith(PREFIX)]

    def as_markdown(self) -> str:
        """The file that describes the sweep, as a block of code."""
        return f"```yaml\n{self.description}```"

    def rows(self, metrics: Sequence[str]) -> pd.DataFrame:
        """Parameters and some numbers, one row per point."""
        return one_row_per_point(self.record.table, metrics)


def read_recorded_sweep(table: Table) -> RecordedSweep:
    """Read a recorded sweep of the book."""
    return RecordedSweep(project_data("sweeps", f"{table.short}.yml").read_text(encoding="utf-8"), table.read())
