"""What it costs to make the whole book again, and how that scales with the number of workers.

Seconds of work are those that the records tell. How fast one and two workers get through work is measured on a few
records; a model says what can be done at the same time.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ltrlib.errors import LtrlibError, RecordError
from ltrlib.sweeps.records import CHAPTERS

if TYPE_CHECKING:
    from ltrlib.records.making import Run

__all__ = [
    "PAGES",
    "WORKERS",
    "Job",
    "SweepModel",
    "fit_model",
    "hours",
    "jobs_of_the_book",
    "makespan",
    "numbers_of_points",
    "numbers_of_rerun",
    "overhead",
    "paces",
    "piece_seconds",
    "rerun_table",
    "shown_rerun",
    "summary",
]

WORKERS = (1, 2, 16, 128)
"""Numbers of workers for which a rerun is worked out."""

_UNBROKEN = "\N{NO-BREAK SPACE}"

PAGES = "make book"
"""What makes the pages out of the records."""


@dataclass(frozen=True)
class Job:
    """One run of ``ltrlib record --all``, or the pages.

    Parameters
    ----------
    name
        Of the run.
    pieces
        Seconds of each of its pieces, which may be done at the same time.
    after
        Names of the jobs that must be finished before.
    alone
        Whether nothing else may happen meanwhile.
    """

    name: str
    pieces: tuple[float, ...]
    after: tuple[str, ...] = ()
    alone: bool = False

    @property
    def seconds(self) -> float:
        """Work in it."""
        return sum(self.pieces)


def jobs_of_the_book() -> list[Job]:
    """Everything that makes the book from raw data: each run behind the records, then the pages, one by one.

    A run that was never made, because its data need a licence, has no known cost and is left out.
    """
    from ltrlib.records.making import all_runs

    runs = [run for run in all_runs() if _is_recorded(run)]
    makers = {table.name: run.name for run in runs for table in run.tables}
    jobs = []
    for run in runs:
        waits = {makers[table.name] for table in run.after if table.name in makers} - {run.name}
        jobs.append(Job(run.name, piece_seconds(run), tuple(sorted(waits)), run.measures))
    return [*jobs, Job(PAGES, tuple(CHAPTERS.read().table["seconds"]), alone=True)]


def _is_recorded(run: Run) -> bool:
    try:
        run.tables[0].read()
    except RecordError:
        return False
    return True


def piece_seconds(run: Run) -> tuple[float, ...]:
    """Seconds of each piece of a recorded run.

    The record notes the time of all pieces together. It is divided in proportion to the seconds in the recorded rows
    of each piece where there are any, and equally where there are none.
    """
    record = run.tables[0].read()
    total = record.work
    try:
        pieces = run.pieces()
    except LtrlibError:  # which pieces there are may depend on data that are not here
        pieces = [{}] * (record.provenance.get("pieces", "").count(" ") + 1)
    keys = list(pieces[0])
    for table in run.tables:
        if keys and table.columns.get("seconds") == "measured" and set(keys) <= set(table.columns):
            rows = table.read().table
            spent = rows["seconds"].groupby([rows[key] for key in keys]).sum()
            found = {place if isinstance(place, tuple) else (place,): float(value) for place, value in spent.items()}
            shares = [found.get(tuple(piece[key] for key in keys), 0.0) for piece in pieces]
            if sum(shares) > 0:
                return tuple(total * share / sum(shares) for share in shares)
    return (total / len(pieces),) * len(pieces)


def makespan(jobs: Sequence[Job], workers: int) -> float:
    """Time until the last piece is done, when every free worker takes the next piece of a job that may begin.

    This is never shorter than a fair share of the work, nor than the longest chain of pieces that wait for each other;
    it is at most as long as both together (Graham 1969).

    Examples
    --------
    >>> makespan([Job("a", (3, 3, 2)), Job("b", (2, 2))], 2), makespan([Job("a", (3, 3)), Job("b", (2,), ("a",))], 9)
    (7.0, 5.0)
    """
    waits = {job.name: set(job.after) & {other.name for other in jobs} for job in jobs}
    left = {job.name: len(job.pieces) for job in jobs}
    ready = deque((job.name, seconds) for job in jobs if not waits[job.name] for seconds in job.pieces)
    running: list[tuple[float, str]] = []
    now = 0.0
    while ready or running:
        while ready and len(running) < workers:
            name, seconds = ready.popleft()
            heapq.heappush(running, (now + seconds, name))
        now, name = heapq.heappop(running)
        left[name] -= 1
        if not left[name]:
            freed = [job for job in jobs if name in waits[job.name] and not waits[job.name] - {name}]
            for other in waits.values():
                other.discard(name)
            ready.extend((job.name, seconds) for job in freed for seconds in job.pieces)
    return float(now)


def hours(jobs: Sequence[Job], workers: int, pace: float = 1.0) -> float:
    """Hours until everything is done: what may run together on some workers, then what must run alone.

    Parameters
    ----------
    jobs
        What is to be done.
    workers
        How many share it.
    pace
        Seconds on the clock that a worker needs for a second of work, as :func:`paces` has it.

    Examples
    --------
    >>> hours([Job("a", (3600.0, 3600.0)), Job("b", (1800.0,), alone=True)], 2)
    1.5
    """
    together = [job for job in jobs if not job.alone]
    return (pace * makespan(together, workers) + sum(job.seconds for job in jobs if job.alone)) / 3600


def paces(recorded: pd.DataFrame) -> dict[int, float]:
    """Seconds on the clock for a second of processor time per worker, by number of workers.

    More than 1 is what goes into starting, into handing pieces out, and into waiting for the last one; two workers on
    one machine also slow each other down, but that makes the work itself longer.

    Parameters
    ----------
    recorded
        The record ``sweeps/recording``.

    Examples
    --------
    >>> paces(pd.DataFrame({"workers": [1, 2], "seconds": [110.0, 66.0], "work_seconds": [100.0, 120.0]}))
    {1: 1.1, 2: 1.1}
    """
    found = recorded.groupby("workers")[["seconds", "work_seconds"]].median()
    clock, work = found["seconds"], found["work_seconds"]
    return {int(workers): float(clock[workers] * workers / work[workers]) for workers in found.index}


def rerun_table(jobs: Sequence[Job], pace: Mapping[int, float] | None = None) -> pd.DataFrame:
    """Hours of a full rerun by number of workers: in pieces, and if each run were one piece.

    Parameters
    ----------
    jobs
        What is to be done.
    pace
        As measured, by number of workers. Beyond the largest of these numbers its pace is assumed.

    Examples
    --------
    >>> rerun_table([Job("a", (3600.0, 3600.0))])["hours"].tolist()
    [2.0, 1.0, 1.0, 1.0]
    >>> rerun_table([Job("a", (3600.0, 3600.0))], {1: 1.0, 2: 1.5})["pace"].tolist()
    ['measured', 'measured', 'modelled', 'modelled']
    """
    measured = dict(pace or {1: 1.0})
    whole = [replace(job, pieces=(job.seconds,)) for job in jobs]
    total = hours(jobs, 1, measured[1])
    rows = []
    for workers in WORKERS:
        here = measured[max(number for number in measured if number <= workers)]
        needed = hours(jobs, workers, here)
        busy = total / needed / workers
        how = "measured" if workers in measured else "modelled"
        rows.append((workers, how, needed, total / needed, busy, hours(whole, workers, here)))
    return pd.DataFrame(rows, columns=["workers", "pace", "hours", "speed-up", "busy", "hours, runs as a whole"])


def shown_rerun(jobs: Sequence[Job], pace: Mapping[int, float]) -> pd.DataFrame:
    """The table of :func:`rerun_table` as text."""
    table = rerun_table(jobs, pace)
    forms = {"hours": "{:.2f}", "speed-up": "{:.1f}", "busy": "{:.0%}", "hours, runs as a whole": "{:.2f}"}
    return table.assign(**{column: table[column].map(form.format) for column, form in forms.items()})


def numbers_of_rerun(jobs: Sequence[Job], pace: Mapping[int, float]) -> dict[str, str]:
    """Numbers of the prose on the whole book; the arguments are those of :func:`rerun_table`."""
    runs = [job for job in jobs if job.name != PAGES]
    (pages,) = (job for job in jobs if job.name == PAGES)
    longest = max((job for job in runs if not job.alone), key=lambda job: max(job.pieces))
    alone = [job for job in runs if job.alone]
    most, two = WORKERS[-1], WORKERS[1]
    return {
        "chapters": f"{len(pages.pieces)}",
        "chapter-minutes": f"{pages.seconds / 60:.1f}",
        "runs": f"{len(runs)}",
        "pieces": f"{sum(len(job.pieces) for job in runs):,}",
        "record-hours": f"{sum(job.seconds for job in runs) / 3600:.1f}",
        "one-worker-hours": f"{hours(jobs, 1, pace[1]):.1f}",
        "two-workers-hours": f"{hours(jobs, two, pace[two]):.1f}",
        "pace-one": f"{pace[1]:.2f}",
        "pace-two": f"{pace[two]:.2f}",
        "waiting": f"{sum(bool(job.after) for job in runs)}",
        "alone": f"{len(alone)}",
        "alone-minutes": f"{sum(job.seconds for job in alone) / 60:.0f}",
        "longest": longest.name,
        "longest-minutes": f"{max(longest.pieces) / 60:.0f}",
        "most-workers": f"{most}",
        "most-workers-minutes": f"{hours(jobs, most, pace[two]) * 60:.0f}",
    }


def summary(jobs: Sequence[Job], pace: Mapping[int, float]) -> list[str]:
    """The page in three sentences; the arguments are those of :func:`rerun_table`.

    Examples
    --------
    >>> summary([Job("a", (3600.0, 3600.0)), Job(PAGES, (60.0,), alone=True)], {1: 1.0, 2: 1.0})[1]
    'All recorded results together are 2 pieces of work, 2.0 hours on one core.'
    """
    said = numbers_of_rerun(jobs, pace)
    return [
        "One command runs a chapter with other parameters and shows its page: `ltrlib rerun`. Another makes the "
        "recorded results again: `ltrlib record`.",
        f"All recorded results together are {said['pieces']} pieces of work, {said['record-hours']} hours on one core.",
        f"With {said['most-workers']} workers, everything would take about {said['most-workers-minutes']} minutes. "
        "After any interruption, the same command does the rest.",
    ]


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
        Seconds per point that only the process that asked can spend: handing it out, writing its folder.
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


def overhead(turns: pd.DataFrame) -> tuple[float, float]:
    """Seconds on the clock by which a point of a sweep takes longer than a plain run of its notebook, turn by turn.

    Parameters
    ----------
    turns
        The record ``sweeps/overhead``.

    Returns
    -------
    tuple of float
        Mean and standard error; below 0, the point is faster.

    Examples
    --------
    >>> turns = pd.DataFrame({"way": ["plain", "sweep"] * 2, "turn": [0, 0, 1, 1], "seconds": [5.0, 5.5, 6.0, 6.1]})
    >>> [round(number, 2) for number in overhead(turns)]
    [0.3, 0.2]
    """
    ways = turns.pivot(index="turn", columns="way", values="seconds")
    more = (ways["sweep"] - ways["plain"]).to_numpy(np.float64)
    return float(more.mean()), float(more.std(ddof=1) / math.sqrt(more.size))


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


def numbers_of_points(turns: pd.DataFrame, measured: pd.DataFrame) -> dict[str, str]:
    """Numbers of the prose on the cost of points.

    Parameters
    ----------
    turns, measured
        The records ``sweeps/overhead`` and ``sweeps/workers``.
    """
    (mean, error), model = overhead(turns), fit_model(measured)
    times = measured.groupby("workers")["seconds"].median()
    return {
        "overhead": f"{abs(mean):.2f} ± {error:.2f} s".replace(" ", _UNBROKEN) + (" less" if mean < 0 else " more"),
        "turns": f"{turns['turn'].nunique()}",
        "plain": f"{turns.loc[turns['way'] == 'plain', 'seconds'].median():.1f}",
        "speedup": f"{times[1] / times[2]:.1f}",
        "measured-points": f"{measured['points'].iloc[0]}",
        "alone-seconds": f"{times[1]:.0f}",
        "together-seconds": f"{times[2]:.0f}",
        "seconds": f"{model.seconds:.1f}",
        "crowding": f"{model.crowding:.2f}",
        "serial": f"{model.serial:.2f}",
    }
