"""A sweep whose table is among the recorded results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from ltrlib.project import project_data
from ltrlib.records.record import Record, read_record
from ltrlib.sweeps.table import PREFIX, one_row_per_point

__all__ = ["RecordedSweep", "read_recorded_sweep"]


@dataclass(frozen=True, eq=False)
class RecordedSweep:
    """A sweep's file and its recorded table.

    Examples
    --------
    >>> sweep = read_recorded_sweep("conventions")
    >>> sweep.parameters
    ['dataset', 'cutoff']
    >>> len(sweep.rows(["busafekete2012.lowest"])) > 1
    True
    """

    description: str
    record: Record

    @property
    def parameters(self) -> list[str]:
        """Names of the parameters that the sweep gives."""
        columns = [str(column) for column in self.record.table.columns]
        return [name.removeprefix(PREFIX) for name in columns if name.startswith(PREFIX)]

    def rows(self, metrics: Sequence[str]) -> pd.DataFrame:
        """Parameters and some numbers, one row per point."""
        return one_row_per_point(self.record.table, metrics)


def read_recorded_sweep(name: str) -> RecordedSweep:
    """Read what ``ltrlib sweep NAME --record`` has kept."""
    story = json.loads(project_data("results", "sweeps", f"{name}.provenance.json").read_text(encoding="utf-8"))
    record = read_record(f"sweeps/{name}", story["table"]["columns"])
    return RecordedSweep(project_data("sweeps", f"{name}.yml").read_text(encoding="utf-8"), record)
