"""What it costs to compute the whole book again, and how that scales with the number of workers.

Nothing here is measured: it takes the recorded times of :mod:`ltrlib.across.rerun.runs` and of all recorded results,
and a model of who waits for whom.
"""

from __future__ import annotations

import heapq
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pandas as pd

from ltrlib.across.rerun.runs import read_costs
from ltrlib.project import project_data

__all__ = [
    "WORKERS",
    "SweepModel",
    "fit_model",
    "jobs_of_the_book",
    "makespan",
    "overhead",
    "rerun_table",
    "runs_behind",
]

WORKERS = (1, 2, 16, 128)
"""Numbers of workers for which a rerun is worked out."""

_SAME_START = 5.0  # seconds: records are dated to the second, and those of one run are written one after the other


def jobs_of_the_book() -> pd.DataFrame:
    """Everything that a full rerun would do: one row per chapter, and per run that wrote recorded results.

    Returns
    -------
    DataFrame
        kind (chapter or record), name, seconds: time on the clock, which is what it took of one core where nothing
        else ran, and more on a busy machine.

    Examples
    --------
    >>> sorted(jobs_of_the_book()["kind"].unique())
    ['chapter', 'record']
    """
    chapters = read_costs("chapters").table
    rows = [
        {"kind": "chapter", "name": name, "seconds": seconds}
        for name, seconds in zip(chapters["chapter"], chapters["seconds"], strict=True)
    ]
    paths = sorted(project_data("results").rglob("*.provenance.json"))
    runs = runs_behind(json.loads(path.read_text(encoding="utf-8")) for path in paths)
    return pd.DataFrame(rows + [{"kind": "record", "name": name, "seconds": seconds} for name, seconds in runs.items()])


def runs_behind(stories: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Seconds of each run behind some records, by the name of the record that it finished last.

    Records that one command began at the same moment are of one run, whose time each of them tells up to its own end.

    Parameters
    ----------
    stories
        Provenance of the records.

    Examples
    --------
    >>> made = "2026-01-01T10:00:00+00:00"
    >>> pair = [{"name": name, "command": "study", "made": made, "wall_time_s": 90.0} for name in ("runs", "queries")]
    >>> runs_behind([*pair, {"name": "other", "command": "study", "made": made, "wall_time_s": 20.0}])
    {'runs': 90.0, 'other': 20.0}
    """
    starts: dict[str, list[float]] = {}
    found: dict[str, float] = {}
    for story in sorted(stories, key=lambda story: -float(story["wall_time_s"])):
        seconds = float(story["wall_time_s"])
        start = datetime.fromisoformat(story["made"]).timestamp() - seconds
        known = starts.setdefault(story["command"], [])
        if all(abs(start - other) > _SAME_START for other in known):
            known.append(start)
            found[story["name"]] = seconds
    return found


def makespan(seconds: Iterable[float], workers: int) -> float:
    """Time until the last of some jobs is done, when free workers take the longest job that is left.

    No schedule is shorter than the longest job, nor than a fair share of the total; this one is at most a third
    longer than the best.

    Examples
    --------
    >>> makespan([3, 3, 2, 2, 2], 2), makespan([3, 3, 2, 2, 2], 1), makespan([3, 3, 2, 2, 2], 9)
    (7.0, 12.0, 3.0)
    """
    free = [0.0] * workers
    for job in sorted(seconds, reverse=True):
        heapq.heappush(free, heapq.heappop(free) + float(job))
    return max(free)


def rerun_table(jobs: pd.DataFrame) -> pd.DataFrame:
    """Hours of a full rerun by number of workers: each job as a whole, and cut into as many pieces as one likes.

    Examples
    --------
    >>> jobs = pd.DataFrame({"seconds": [3600.0, 1800.0, 1800.0]})
    >>> rerun_table(jobs)["hours"].tolist()
    [2.0, 1.0, 1.0, 1.0]
    """
    total = float(jobs["seconds"].sum())
    rows = []
    for workers in WORKERS:
        seconds = makespan(jobs["seconds"], workers)
        rows.append(
            {
                "workers": workers,
                "hours": seconds / 3600,
                "speed-up": total / seconds,
                "hours if cut up": total / workers / 3600,
                "busy": total / seconds / workers,
            }
        )
    return pd.DataFrame(rows)


@dataclass(frozen=True)
class SweepModel:
    """Time of a sweep: ``max(ceil(points / workers) * seconds * crowding, points * serial)``.

    Parameters
    ----------
    seconds
        Of one point when it runs alone.
    crowding
        How many times longer a point takes when two run on this machine at once; each further pair of workers is taken
        to be one more machine like this one.
    serial
        Seconds per point that only whoever asked can spend: handing it out, writing its folder.
    """

    seconds: float
    crowding: float
    serial: float

    def time(self, points: int, workers: int) -> float:
        """Seconds that a sweep takes.

        Examples
        --------
        >>> SweepModel(10.0, 1.5, 0.5).time(8, 1), SweepModel(10.0, 1.5, 0.5).time(8, 2)
        (84.0, 62.0)
        """
        crowding = self.crowding if workers > 1 else 1.0
        waves = math.ceil(points / workers)
        return max(waves * (self.seconds * crowding + self.serial), points * self.serial)

    def speedup(self, points: int, workers: int) -> float:
        """How many times faster than with one worker.

        Examples
        --------
        >>> SweepModel(10.0, 1.0, 0.0).speedup(8, 16)
        8.0
        """
        return self.time(points, 1) / self.time(points, workers)


def overhead(turns: pd.DataFrame) -> pd.DataFrame:
    """What a sweep adds to a plain run of the same notebook, turn by turn.

    Parameters
    ----------
    turns
        As ``read_costs("overhead")`` reads them.

    Returns
    -------
    DataFrame
        Rows seconds and cpu_seconds; columns mean and standard_error of the differences.

    Examples
    --------
    >>> turns = pd.DataFrame({"way": ["plain", "sweep"] * 2, "turn": [0, 0, 1, 1], "seconds": [5.0, 5.5, 6.0, 6.1],
    ...                       "cpu_seconds": [5.0, 5.2, 5.0, 5.2]})
    >>> overhead(turns).round(2).loc["seconds"].tolist()
    [0.3, 0.2]
    """
    ways = turns.set_index(["turn", "way"])[["seconds", "cpu_seconds"]]
    more = ways.xs("sweep", level="way") - ways.xs("plain", level="way")
    return pd.DataFrame({"mean": more.mean(), "standard_error": more.sem()})


def fit_model(measured: pd.DataFrame) -> SweepModel:
    """Take the model's three numbers from sweeps that ran with one and with two workers.

    Parameters
    ----------
    measured
        The record ``sweeps/workers``.

    Examples
    --------
    >>> fit_model(pd.DataFrame({"workers": [1, 2], "turn": [0, 0], "points": [10, 10], "seconds": [110.0, 60.0],
    ...                         "busy_seconds": [100.0, 110.0]}))
    SweepModel(seconds=10.0, crowding=1.1, serial=1.0)
    """
    medians = measured.groupby("workers")[["points", "seconds", "busy_seconds"]].median()
    alone, together = (medians.loc[[n]].astype(float).iloc[0].to_dict() for n in (1, 2))
    seconds = alone["busy_seconds"] / alone["points"]
    crowding = together["busy_seconds"] / together["points"] / seconds
    serial = (alone["seconds"] - alone["busy_seconds"]) / alone["points"]
    return SweepModel(round(seconds, 6), round(crowding, 6), round(serial, 6))
