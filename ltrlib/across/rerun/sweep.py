"""The recorded sweep over conventions, as the page on reruns shows it."""

from __future__ import annotations

import pandas as pd

from ltrlib.sweeps.table import RecordedSweep

__all__ = ["numbers_of_sweep", "sweep_table"]


_SWEPT = ("lowest", "highest", "distinct", "gap")


def sweep_table(recorded: RecordedSweep) -> pd.DataFrame:
    """One row per point of the recorded sweep over conventions: parameters, then the four numbers.

    Examples
    --------
    >>> from ltrlib.sweeps.records import CONVENTIONS
    >>> from ltrlib.sweeps.table import read_recorded_sweep
    >>> sweep_table(read_recorded_sweep(CONVENTIONS)).columns.tolist()[-4:]
    ['lowest', 'highest', 'distinct', 'gap']
    """
    rows = recorded.rows([f"busafekete2012.{name}" for name in _SWEPT]).drop(columns="seconds")
    return rows.rename(columns=lambda name: name.removeprefix("busafekete2012."))


def numbers_of_sweep(recorded: RecordedSweep) -> dict[str, str]:
    """How many points the recorded sweep has, and how many numbers."""
    return {"points": f"{len(sweep_table(recorded))}", "numbers": f"{len(recorded.record.table)}"}
