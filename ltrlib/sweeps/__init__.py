"""Sweeps: a chapter of the book, run by papermill at many settings of its parameters on a Dask cluster.

The parts, in the order in which a sweep meets them: what a chapter's parameters may be (``parameters``), the file that
says which settings to run (``description``), one setting run on a worker (``execution``), its folder (``store``), the
cluster (``schedule``), all together (``running``), and the table that comes out (``table``).

>>> from ltrlib.sweeps import read_sweep, shipped_sweeps
>>> read_sweep(shipped_sweeps()[0]).name
'conventions'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ltrlib.extras import lazy_names

if TYPE_CHECKING:
    from ltrlib.sweeps.description import Chapter, Point, Sweep, read_sweep, shipped_sweeps
    from ltrlib.sweeps.figures import sweep_figure
    from ltrlib.sweeps.parameters import Parameter, read_parameters
    from ltrlib.sweeps.reported import read_metrics, record_metric
    from ltrlib.sweeps.running import Summary, plan, run_sweep
    from ltrlib.sweeps.store import State, Store
    from ltrlib.sweeps.table import (
        RecordedSweep,
        one_row_per_point,
        read_recorded_sweep,
        record_table,
        write_tables,
    )

__all__ = [
    "Chapter",
    "Parameter",
    "Point",
    "RecordedSweep",
    "State",
    "Store",
    "Summary",
    "Sweep",
    "one_row_per_point",
    "plan",
    "read_metrics",
    "read_parameters",
    "read_recorded_sweep",
    "read_sweep",
    "record_metric",
    "record_table",
    "run_sweep",
    "shipped_sweeps",
    "sweep_figure",
    "write_tables",
]

_HOMES = {
    "description": (
        "Chapter",
        "Point",
        "Sweep",
        "read_sweep",
        "shipped_sweeps",
    ),
    "figures": ("sweep_figure",),
    "parameters": (
        "Parameter",
        "read_parameters",
    ),
    "reported": (
        "read_metrics",
        "record_metric",
    ),
    "running": (
        "Summary",
        "plan",
        "run_sweep",
    ),
    "store": (
        "State",
        "Store",
    ),
    "table": (
        "RecordedSweep",
        "one_row_per_point",
        "read_recorded_sweep",
        "record_table",
        "write_tables",
    ),
}

__getattr__ = lazy_names(__name__, _HOMES)
