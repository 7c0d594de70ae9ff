"""A sweep from beginning to end: find out what is missing, run it, keep what comes back."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ltrlib.errors import UsageError
from ltrlib.progress import progress
from ltrlib.sweeps.description import Point, Sweep
from ltrlib.sweeps.execution import Job, Outcome
from ltrlib.sweeps.store import State, Store, other_versions

__all__ = ["Mode", "Summary", "plan", "run_sweep"]

Mode = Literal["reuse", "overwrite", "error"]


@dataclass
class Summary:
    """What a run of a sweep did."""

    reused: int = 0
    done: int = 0
    failed: dict[Point, str] = field(default_factory=dict)
    left: int = 0
    seconds: float = 0.0


def plan(sweep: Sweep, store: Store, mode: Mode) -> tuple[list[Point], dict[Point, State]]:
    """Points that have to be run, and the state of all."""
    states = {point: store.state(point) for point in sweep.points}
    done = [point for point, state in states.items() if state.kind == "done"]
    if mode == "error" and done:
        raise UsageError(
            f"{len(done)} of {len(states)} points have been run with the same code and data, such as {done[0]}",
            where=store.folder,
            cure="choose --mode reuse to keep them, --mode overwrite to run them again",
        )
    return [point for point in sweep.points if mode == "overwrite" or states[point].kind != "done"], states


def run_sweep(
    sweep: Sweep, store: Store, points: Sequence[Point], *, workers: int, scheduler: str | None = None
) -> Summary:
    """Run points of a sweep; each is on disk as soon as it has come back.

    Parameters
    ----------
    sweep
        What to run.
    store
        Where its points live.
    points
        What :func:`plan` said has to be run.
    workers, scheduler
        As in :func:`ltrlib.cluster.connect`.
    """
    from ltrlib.cluster import connect
    from ltrlib.sweeps.schedule import run_jobs

    summary = Summary(reused=len(sweep.points) - len(points), left=len(points))
    by_key = {point.key: point for point in points}
    notebook, folder = sweep.chapter.notebook, sweep.chapter.folder
    jobs = [Job(point.key, point.parameters, notebook, folder, sweep.inputs) for point in points]
    with (
        connect(workers=min(workers, len(jobs)), scheduler=scheduler) as client,
        progress(total=len(jobs), what=sweep.name, unit="point") as bar,
    ):
        started = time.perf_counter()
        for outcome in run_jobs(client, jobs):
            point, outcome = by_key[outcome.key], _refuse_other_code(outcome, store)
            store.write(point, outcome)
            summary.left -= 1
            if outcome.error:
                summary.failed[point] = outcome.error
            else:
                summary.done += 1
            bar.set_postfix_str(f"done {summary.done}, failed {len(summary.failed)}, left {summary.left}")
            bar.update()
        summary.seconds = time.perf_counter() - started
    return summary


def _refuse_other_code(outcome: Outcome, store: Store) -> Outcome:
    """Count a point as failed if its worker has other code or data than this machine: it would be stale at once."""
    if outcome.error:
        return outcome
    if changes := [*store.changes(outcome.facts["dependencies"]), *other_versions(outcome.facts)]:
        return replace(outcome, error=f"not the same here and where it ran: {', '.join(changes)}")
    return outcome
