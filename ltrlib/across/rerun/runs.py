"""What sweeps cost, measured: each chapter, the overhead of a point, one worker against two.

``python -m ltrlib.across.rerun.runs chapters|overhead|workers`` measures anew and records. Processor time counts what
all processes of a run used; it hardly depends on what else the machine does, unlike time on the clock.
"""

from __future__ import annotations

import argparse
import json
import resource
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from ltrlib.errors import UsageError
from ltrlib.progress import progress
from ltrlib.project import ROOT
from ltrlib.records.record import Record, read_record, write_record
from ltrlib.sweeps.description import Chapter, Point, Sweep
from ltrlib.sweeps.estimate import CHAPTER_TIMES
from ltrlib.sweeps.execution import Job, execute
from ltrlib.sweeps.running import run_sweep
from ltrlib.sweeps.store import Store

__all__ = ["COLUMNS", "main", "read_costs"]

COLUMNS = {
    "chapters": CHAPTER_TIMES,
    "overhead": {"way": "str", "turn": "int", "seconds": "float", "cpu_seconds": "float"},
    "workers": {"workers": "int", "turn": "int", "points": "int", "seconds": "float", "busy_seconds": "float"},
}
_MODULES = tuple(f"ltrlib.sweeps.{name}" for name in ("engine", "execution", "running", "schedule", "store"))
_POINTS = 4

# Imports as much of the library as a chapter does, and computes for about a second.
_NOTEBOOK = """---
kernelspec: {name: python3, language: python, display_name: Python 3}
jupytext: {text_representation: {extension: .md, format_name: myst}}
---
# Measured

```{code-cell}
from ltrlib import book
import ltrlib.papers.busafekete2012.metrics.figures, ltrlib.papers.busafekete2012.metrics.tables
book.start("measured")
```

```{code-cell}
:tags: [parameters]
number: int = 0  # where to begin
```

```{code-cell}
print(sum(i * i for i in range(number, number + 8_000_000)))
```
"""


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


def _measure_chapters(turns: int) -> pd.DataFrame:
    """Look up how long each chapter took in the book's builds; of several executions, the quickest."""
    found: dict[str, float] = {}
    for database in sorted((ROOT / "_build" / ".executions" / "chapters").glob("*/*/global.db")):
        if not (ROOT / "chapters" / f"{database.parents[1].name}.md").exists():
            continue  # it has another name by now
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            for (data,) in connection.execute("SELECT data FROM nbcache"):
                seconds, name = float(json.loads(data)["execution_seconds"]), database.parents[1].name
                found[name] = min(seconds, found.get(name, seconds))
    if not found:
        raise UsageError("no chapter has been executed", where=ROOT / "_build", cure="make book")
    return pd.DataFrame({"chapter": list(found), "seconds": list(found.values())})


def _measure_overhead(turns: int) -> pd.DataFrame:
    """Run one notebook in turn plainly, as nbclient does, and as a point of a sweep, with its folder."""
    import nbformat
    from nbclient import NotebookClient

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        chapter = _small_chapter(Path(folder))
        store = Store(Path(folder), chapter)

        def plain() -> None:
            notebook = nbformat.reads(chapter.notebook, as_version=4)
            resources = {"metadata": {"path": folder}}
            NotebookClient(notebook, timeout=None, kernel_name="python3", resources=resources).execute()

        def sweep() -> None:
            outcome = execute(Job("", {}, chapter.notebook, folder))
            store.changes(outcome.facts["dependencies"])
            store.write(Point({}), outcome)

        for work in (plain, sweep):
            work()  # what is imported or found out once is not part of a point
        for turn in progress(range(turns), what="overhead"):
            for work in (plain, sweep):
                rows.append({"way": work.__name__, "turn": turn, **_timed(work)})
    return pd.DataFrame(rows)


def _measure_workers(turns: int) -> pd.DataFrame:
    """Run a sweep with one and with two workers in turn; the start of the cluster is not counted."""
    rows: list[dict[str, float]] = []
    for turn in progress(range(turns), what="workers"):
        for workers in (1, 2):
            with tempfile.TemporaryDirectory() as folder:
                chapter = _small_chapter(Path(folder))
                points = tuple(Point({"number": number}) for number in range(_POINTS))
                sweep = Sweep("measured", chapter.path, "", chapter, points)
                store = Store(Path(folder), chapter)
                summary = run_sweep(sweep, store, points, workers=workers)
                if summary.failed:
                    raise UsageError(f"a point failed: {next(iter(summary.failed.values()))}")
                busy = sum(float(store.read(point)["seconds"]) for point in points)
            rows.append({"workers": workers, "turn": turn, "points": _POINTS})
            rows[-1] |= {"seconds": summary.seconds, "busy_seconds": busy}
    return pd.DataFrame(rows)


def _small_chapter(folder: Path) -> Chapter:
    path = folder / "measured.md"
    path.write_text(_NOTEBOOK, encoding="utf-8")
    return Chapter.read(path)


_MEASURES = {"chapters": _measure_chapters, "overhead": _measure_overhead, "workers": _measure_workers}


def main() -> None:
    """Measure and record."""
    parser = argparse.ArgumentParser(prog="python -m ltrlib.across.rerun.runs", description="Measure what sweeps cost.")
    parser.add_argument("what", choices=list(_MEASURES))
    parser.add_argument("--turns", type=int, default=3, help="how often (default: %(default)s)")
    args = parser.parse_args()
    started = time.perf_counter()
    table = _MEASURES[args.what](args.turns)
    write_record(
        f"sweeps/{args.what}",
        table,
        maker=["ltrlib.across.rerun.runs", *_MODULES],
        wall_time=time.perf_counter() - started,
        command=f"python -m ltrlib.across.rerun.runs {args.what} --turns {args.turns}",
    )
    print(table.to_string(index=False))


if __name__ == "__main__":
    main()
