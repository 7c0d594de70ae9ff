"""What is recorded about sweeps: what they cost, and the one that the book shows."""

from __future__ import annotations

from ltrlib.records.record import Table

__all__ = ["CHAPTERS", "CONVENTIONS", "OVERHEAD", "RECORDING", "WORKERS"]

_RUNS = "ltrlib.across.rerun.runs"

CHAPTERS = Table("sweeps/chapters", {"chapter": "str", "seconds": "measured"}, maker=f"{_RUNS}:CHAPTERS")
"""How long each chapter takes with its default parameters."""

OVERHEAD = Table(
    "sweeps/overhead",
    {"way": "str", "turn": "int", "seconds": "measured"},
    maker=f"{_RUNS}:OVERHEAD",
)
"""The same notebook run plainly and as a point of a sweep, in turns."""

WORKERS = Table(
    "sweeps/workers",
    {"workers": "int", "turn": "int", "points": "int", "seconds": "measured", "busy_seconds": "measured"},
    maker=f"{_RUNS}:WORKERS",
)
"""The same sweep with one and with two workers, in turns; ``busy_seconds`` is the sum over its points."""

RECORDING = Table(
    "sweeps/recording",
    {"workers": "int", "turn": "int", "pieces": "int", "seconds": "measured", "work_seconds": "measured"},
    maker=f"{_RUNS}:RECORDING",
)
"""Some records made with one and with two workers, in turns; ``work_seconds`` is the processor time of their pieces."""

CONVENTIONS = Table(
    "sweeps/conventions",
    {"point": "str", "param_dataset": "str", "param_cutoff": "int", "metric": "str"}
    | {"value": "float", "seconds": "measured"},
    maker=f"{_RUNS}:CONVENTIONS",
)
"""The table of the sweep ``data/sweeps/conventions.yml``."""
