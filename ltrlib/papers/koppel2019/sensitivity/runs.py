"""Figure 2 of Köppel et al. (2019): what classes, features, label noise and training size do to DirectRanker.

``python -m ltrlib.papers.koppel2019.sensitivity.runs`` runs the trials that are not done yet, and writes the record of
an axis when all of its trials are done. Each trial is kept at once, so that a stopped run goes on where it was.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ltrlib.atomic import new_file
from ltrlib.errors import UsageError
from ltrlib.papers.koppel2019.sensitivity.trials import COLUMNS, MODULES, STEPS, Trial, Variant, run_trial
from ltrlib.progress import progress
from ltrlib.project import cache_dir
from ltrlib.records.definitions import find_code
from ltrlib.records.record import Record, read_record, write_record

__all__ = [
    "AXES",
    "COMMAND",
    "DATA_SETS",
    "grid",
    "live_trials",
    "main",
    "record",
    "recorded",
    "run",
    "summary",
    "trials",
]

COMMAND = "python -m ltrlib.papers.koppel2019.sensitivity.runs"
DATA_SETS = 5
"""Data sets of each point: the least that the paper's text asks for."""

LARGE_NET_STEPS = 300
"""Training steps of the network of 2022, each of which takes several times as long."""

AXES: Mapping[str, tuple[str, tuple[Any, ...]]] = {
    "classes": ("classes", tuple(range(2, 20))),
    "features": ("features", tuple(range(2, 98, 5))),
    "noise": ("sigma", tuple(sorted([*(tenth / 10 for tenth in range(11)), 0.25, 0.75]))),
    "size": ("documents", tuple(round(10 ** (half / 2)) for half in range(4, 14))),
}
"""What varies on each axis, and its points: those of the code of 2022, and the two noise levels of the text."""

_LINES: Mapping[str, tuple[Trial, ...]] = {
    "classes": (Trial(), Trial(features=40)),
    "features": (Trial(), Trial(classes=10)),
    "noise": (Trial(), Trial(limits="classes"), Trial("code2022", steps=LARGE_NET_STEPS)),
    "size": (Trial(), Trial(features=40)),
}
_HARD = Trial(classes=19, features=40)
_OPEN: tuple[dict[str, Any], ...] = (
    {},
    {"documents": 1_000_000},
    {"output": "identity"},
    {"initial": "glorot"},
    {"steps": 5 * STEPS},
)
"""What the text leaves open about the training, and more documents, changed one by one on the hardest data."""


def grid(axis: str) -> list[Trial]:
    """One trial per point of the recorded grid, without seeds; ``"open"`` is what the text leaves open about training.

    Examples
    --------
    >>> len(grid("classes")), {trial.features for trial in grid("classes")}
    (36, {40, 70})
    """
    if axis == "open":
        return [replace(_HARD, **change) for change in _OPEN]
    name, values = _axis(axis)
    return [replace(line, **{name: value}) for line in _LINES[axis] for value in values]


def _axis(axis: str) -> tuple[str, tuple[Any, ...]]:
    if axis not in AXES:
        raise UsageError(f"there is no axis {axis!r}", cure=f"choose one of {', '.join(AXES)}")
    return AXES[axis]


def trials(points: Sequence[Trial], *, data_sets: int = DATA_SETS, seed: int = 0) -> list[Trial]:
    """Every point on so many data sets; all points share the seeds.

    Examples
    --------
    >>> [trial.seed for trial in trials([Trial()], data_sets=2, seed=7)]
    [7, 8]
    """
    # Point after point: trials of one shape share a compilation.
    return [replace(point, seed=seed + number) for point in points for number in range(data_sets)]


def live_trials(axis: str, *, points: int, data_sets: int, seed: int = 0, variant: Variant = "text") -> list[Trial]:
    """Trials of a thin grid: so many points, spread over the axis with both ends, on its first line.

    Examples
    --------
    >>> live = live_trials("noise", points=2, data_sets=1)
    >>> [trial.sigma for trial in live]
    [0.0, 1.0]
    """
    name, values = _axis(axis)
    chosen = np.unique(np.linspace(0, len(values) - 1, points).round().astype(int))
    first = next((line for line in _LINES[axis] if line.variant == variant), Trial(variant, steps=LARGE_NET_STEPS))
    return trials([replace(first, **{name: values[i]}) for i in chosen], data_sets=data_sets, seed=seed)


def run(wanted: Sequence[Trial], *, folder: Path | None = None, seconds: float = math.inf) -> tuple[pd.DataFrame, int]:
    """Run the trials that are not done yet, until the time is up.

    Parameters
    ----------
    wanted
        What to run.
    folder
        Where finished trials are kept; without one, nothing is kept.
    seconds
        No trial begins later than this.

    Returns
    -------
    DataFrame
        The trials that are done, with columns `COLUMNS`.
    int
        How many are not.

    Examples
    --------
    >>> table, left = run([Trial()], seconds=-1)
    >>> len(table), left
    (0, 1)
    """
    started, rows = time.monotonic(), []
    code = find_code(*MODULES).fingerprint
    for trial in progress(wanted, what="trials", unit="trial"):
        place = (
            None if folder is None else folder / f"{hashlib.sha256(f'{code} {trial}'.encode()).hexdigest()[:16]}.json"
        )
        if place is not None and place.exists():
            rows.append(json.loads(place.read_text()))
        elif time.monotonic() - started < seconds:
            row = run_trial(trial)
            rows.append(row)
            if place is not None:
                place.parent.mkdir(parents=True, exist_ok=True)
                with new_file(place) as file:
                    file.write(json.dumps(row).encode())
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    kinds = {"str": "str", "int": "int64", "float": "float64"}
    return table.astype({name: kinds[kind] for name, kind in COLUMNS.items()}), len(wanted) - len(rows)


def record(axis: str, *, seconds: float = math.inf, folder: Path | None = None) -> int:
    """Run one axis and write its record when nothing is left to do; returns how many trials are left.

    Examples
    --------
    >>> record("colour")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: there is no axis 'colour'
      to do: choose one of classes, features, noise, size
    """
    table, left = run(trials(grid(axis)), folder=cache_dir() / "directranker-sensitivity", seconds=seconds)
    if not left:
        write_record(
            f"koppel2019/sensitivity-{axis}",
            table,
            maker=MODULES,
            wall_time=float(table["seconds"].sum()),
            parameters={"data sets per point": DATA_SETS},
            seeds=sorted(set(table["seed"].tolist())),
            command=COMMAND,
            folder=folder,
        )
    return left


@cache
def recorded(axis: str) -> Record:
    """The record of one axis, or of ``"open"``.

    Examples
    --------
    >>> sorted(recorded("noise").table["limits"].unique())
    ['classes', 'open']
    """
    return read_record(f"koppel2019/sensitivity-{axis}", COLUMNS)


def summary(table: pd.DataFrame, by: Sequence[str], values: Sequence[str] = ("ndcg", "best", "chance")) -> pd.DataFrame:
    """Mean of some columns over the data sets, with the standard error of the first.

    Examples
    --------
    >>> table = pd.DataFrame({"sigma": [0.0, 0.0], "ndcg": [0.8, 0.6], "best": [1.0, 1.0], "chance": [0.3, 0.3]})
    >>> summary(table, ["sigma"]).round(3).values.tolist()
    [[0.0, 0.7, 1.0, 0.3, 0.1, 2.0]]
    """
    grouped = table.groupby(list(by), sort=False)
    found = grouped[list(values)].mean()
    found["error"] = grouped[values[0]].sem()
    found["data_sets"] = grouped.size()
    return found.reset_index()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all axes, the named ones first, and say what is left.

    Examples
    --------
    >>> main(["colour"])
    Traceback (most recent call last):
    ...
    SystemExit: 2
    """
    everything = [*AXES, "open"]
    parser = argparse.ArgumentParser(prog=COMMAND, description="run the trials of all axes, and record them")
    parser.add_argument("axis", nargs="*", choices=[*everything, []], help="axes to begin with; the others follow")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no trial after so many minutes")
    chosen, started = parser.parse_args(arguments), time.monotonic()
    for axis in dict.fromkeys([*chosen.axis, *everything]):
        left = record(axis, seconds=60 * chosen.minutes - (time.monotonic() - started))
        print(f"{axis}: " + (f"{left} trials left; run again to go on" if left else "recorded"), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
