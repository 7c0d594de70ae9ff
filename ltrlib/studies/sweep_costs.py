"""What sweeps cost, measured: each chapter, the overhead of a point, one worker against two.

``python -m ltrlib.studies.sweep_costs chapters|overhead|workers`` measures anew and records. Processor time counts what
all processes of a run used; it hardly depends on what else the machine does, unlike time on the clock.
"""

from __future__ import annotations

import argparse
import functools
import resource
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from ltrlib.errors import UsageError
from ltrlib.progress import progress
from ltrlib.project import ROOT
from ltrlib.records import Record, read_record, write_record
from ltrlib.sweeps.description import Chapter, Point, read_sweep
from ltrlib.sweeps.execution import Job, execute
from ltrlib.sweeps.running import run_sweep
from ltrlib.sweeps.store import Store

__all__ = ["COLUMNS", "main", "read_costs"]

COLUMNS = {
    "chapters": {"chapter": "str", "seconds": "float", "cpu_seconds": "float"},
    "overhead": {"way": "str", "turn": "int", "seconds": "float", "cpu_seconds": "float"},
    "workers": {"workers": "int", "turn": "int", "points": "int", "seconds": "float", "busy_seconds": "float"},
}
_MODULES = tuple(f"ltrlib.sweeps.{name}" for name in ("engine", "execution", "running", "schedule", "store"))
_CHAPTER = "40-koppel2019-paper"
_SWEEP = "conventions"
_POINTS = 4


def read_costs(what: str) -> Record:
    """Read the record of one kind of measurement.

    Examples
    --------
    >>> read_costs("overhead").table["way"].unique().tolist()
    ['plain', 'sweep']
    """
    return read_record(f"sweeps/{what}", COLUMNS[what])


def _timed(work: Callable[[], Any]) -> dict[str, float]:
    def used() -> float:
        whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, whose))

    cpu, clock = used(), time.perf_counter()
    work()
    return {"seconds": time.perf_counter() - clock, "cpu_seconds": used() - cpu}


def _run_once(chapter: Chapter) -> None:
    outcome = execute(Job("", {}, chapter.notebook, None))
    if outcome.error:
        raise UsageError(outcome.error, where=chapter.path)


def _measure_chapters(turns: int) -> pd.DataFrame:
    """Run every chapter once, with its defaults."""
    parts = yaml.safe_load((ROOT / "_toc.yml").read_text())["parts"]
    paths = [ROOT / f"{page['file']}.md" for part in parts for page in part["chapters"]]
    rows = []
    for path in progress([path for path in paths if "{code-cell}" in path.read_text()], what="chapters"):
        rows.append({"chapter": path.stem, **_timed(functools.partial(_run_once, Chapter.read(path)))})
    return pd.DataFrame(rows)


def _measure_overhead(turns: int) -> pd.DataFrame:
    """Run one short chapter in turn plainly, as nbclient does, and as a point of a sweep, with its folder."""
    import nbformat
    from nbclient import NotebookClient

    chapter = Chapter.read(ROOT / "chapters" / f"{_CHAPTER}.md")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder), chapter)

        def plain() -> None:
            notebook = nbformat.reads(chapter.notebook, as_version=4)
            resources = {"metadata": {"path": str(ROOT / "chapters")}}
            NotebookClient(notebook, timeout=None, kernel_name="python3", resources=resources).execute()

        def sweep() -> None:
            outcome = execute(Job("", {}, chapter.notebook, None))
            store.changes(outcome.facts["dependencies"])
            store.write(Point({}), outcome)

        for work in (plain, sweep):
            work()
        for turn in progress(range(turns), what="overhead"):
            for work in (plain, sweep):
                rows.append({"way": work.__name__, "turn": turn, **_timed(work)})
    return pd.DataFrame(rows)


def _measure_workers(turns: int) -> pd.DataFrame:
    """Run some points with one and with two workers in turn; the start of the cluster is not counted."""
    sweep = read_sweep(_SWEEP)
    sweep = replace(sweep, points=sweep.points[:_POINTS])
    rows = []
    for turn in progress(range(turns), what="workers"):
        for workers in (1, 2):
            with tempfile.TemporaryDirectory() as folder:
                store = Store(Path(folder), sweep.chapter)
                summary = run_sweep(sweep, store, sweep.points, workers=workers)
                if summary.failed:
                    raise UsageError("a point failed", where=sweep.path, cure=f"ltrlib sweep {_SWEEP}")
                busy = sum(float(store.read(point)["seconds"]) for point in sweep.points)
            rows.append({"workers": workers, "turn": turn, "points": len(sweep.points)})
            rows[-1] |= {"seconds": summary.seconds, "busy_seconds": busy}
    return pd.DataFrame(rows)


_MEASURES = {"chapters": _measure_chapters, "overhead": _measure_overhead, "workers": _measure_workers}


def main() -> None:
    """Measure and record."""
    parser = argparse.ArgumentParser(
        prog="python -m ltrlib.studies.sweep_costs", description="Measure what sweeps cost."
    )
    parser.add_argument("what", choices=list(_MEASURES))
    parser.add_argument("--turns", type=int, default=3, help="how often; each chapter runs once (default: %(default)s)")
    args = parser.parse_args()
    started = time.perf_counter()
    table = _MEASURES[args.what](args.turns)
    write_record(
        f"sweeps/{args.what}",
        table,
        modules=["ltrlib.studies.sweep_costs", *_MODULES],
        wall_time=time.perf_counter() - started,
        parameters={"turns": args.turns, "chapter": _CHAPTER, "sweep": _SWEEP},
        command=f"python -m ltrlib.studies.sweep_costs {args.what} --turns {args.turns}",
    )
    print(table.to_string(index=False))


if __name__ == "__main__":
    main()
