"""What it takes to run chapters and to make records, measured, with one worker and with two; and one sweep."""

from __future__ import annotations

import functools
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pandas as pd

from ltrlib.errors import RecordError
from ltrlib.project import ROOT
from ltrlib.records import observed
from ltrlib.records.making import Piece, Run, all_runs, select
from ltrlib.records.working import make
from ltrlib.sweeps import records
from ltrlib.sweeps.description import Chapter, Point, Sweep, chapter_state, read_sweep
from ltrlib.sweeps.execution import Job, Outcome, execute
from ltrlib.sweeps.running import run_sweep
from ltrlib.sweeps.store import Store
from ltrlib.sweeps.table import merge, sources_of

__all__ = ["CHAPTERS", "CONVENTIONS", "OVERHEAD", "RECORDED", "RECORDING", "WORKERS"]

_TURNS = 18  # of the overhead, which is small beside the noise of a run
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


@contextmanager
def _small_chapter() -> Iterator[Chapter]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "measured.md"
        path.write_text(_NOTEBOOK, encoding="utf-8")
        yield Chapter.read(path)


def _went_well(outcome: Outcome, what: str) -> Outcome:
    if outcome.error:
        raise RecordError(f"{what} failed: {outcome.error}")
    return outcome


# --- each chapter ---


def _chapters() -> Sequence[Piece]:
    # Pages without parameters compute nothing that takes time.
    paths = sorted((ROOT / "chapters").glob("*.md"))
    return [{"chapter": path.stem} for path in paths if ":tags: [parameters]" in path.read_text(encoding="utf-8")]


def _time_chapter(piece: Piece) -> pd.DataFrame:
    """Run a chapter with its default parameters, in a kernel of its own."""
    chapter = Chapter.read(ROOT / "chapters" / f"{piece['chapter']}.md")
    outcome = _went_well(execute(Job("", {}, chapter.notebook, chapter.folder)), piece["chapter"])
    return pd.DataFrame([{**piece, "seconds": outcome.facts["seconds"]}])


# --- what a sweep adds to a point ---


def _turns() -> Sequence[Piece]:
    return [{"turn": turn} for turn in range(_TURNS)]


def _time_both_ways(piece: Piece) -> pd.DataFrame:
    """Run one notebook plainly, as nbclient does, and as a point of a sweep, with its folder."""
    _warm_up()
    with _small_chapter() as chapter:
        rows = []
        for work in (plain, sweep):
            started = time.perf_counter()
            work(chapter)
            rows.append({"way": work.__name__, **piece, "seconds": time.perf_counter() - started})
    return pd.DataFrame(rows)


@functools.cache
def _warm_up() -> None:
    """Import and find out once what is not part of a point."""
    with _small_chapter() as chapter:
        plain(chapter)
        sweep(chapter)


def plain(chapter: Chapter) -> None:
    """Run a notebook as nbclient does."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.reads(chapter.notebook, as_version=4)
    resources = {"metadata": {"path": str(chapter.path.parent)}}
    NotebookClient(notebook, timeout=None, kernel_name="python3", resources=resources).execute()


def sweep(chapter: Chapter) -> None:
    """Run a notebook as a point of a sweep, and keep it in a folder."""
    outcome = _went_well(execute(Job("", {}, chapter.notebook, chapter.folder)), "the notebook")
    store = Store(chapter.path.parent, chapter)
    store.changes(outcome.facts["dependencies"])
    store.write(Point({}), outcome)


# --- one worker against two ---


def _worker_turns() -> Sequence[Piece]:
    return [{"turn": turn, "workers": workers} for turn in range(2) for workers in (1, 2)]


def _time_workers(piece: Piece) -> pd.DataFrame:
    """Run a sweep with one or two workers; the start of the cluster is not counted."""
    with _small_chapter() as chapter:
        points = tuple(Point({"number": number}) for number in range(_POINTS))
        store = Store(chapter.path.parent, chapter)
        summary = run_sweep(
            Sweep("measured", chapter.path, "", chapter, points), store, points, workers=piece["workers"]
        )
        if summary.failed:
            raise RecordError(f"a point failed: {next(iter(summary.failed.values()))}")
        busy = sum(float(store.read(point)["seconds"]) for point in points)
    return pd.DataFrame([{**piece, "points": _POINTS, "seconds": summary.seconds, "busy_seconds": busy}])


# --- records made with one worker and with two ---

RECORDED = ("koppel2019/sensitivity-open", "koppel2019/sensitivity-rare", "tax2015/sizes-tried")
"""Records that need no data set: networks, and whole numbers that fit."""


def _time_recording(piece: Piece) -> pd.DataFrame:
    """Make some records from nothing, as ``ltrlib record --workers N`` does; the start of the cluster counts."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        chosen = select(all_runs(), RECORDED)
        summary = make(chosen, workers=piece["workers"], folder=Path(folder) / "pieces", to=Path(folder))
        seconds = time.perf_counter() - started
    if summary.failed or summary.left:
        raise RecordError(f"not made: {', '.join([*summary.failed, *summary.left])}")
    done = sum(len(run.pieces()) for run in chosen)
    return pd.DataFrame([{**piece, "pieces": done, "seconds": seconds, "work_seconds": summary.seconds}])


# --- the sweep that the book shows ---


def _points() -> Sequence[Piece]:
    return [dict(point.parameters) for point in read_sweep(records.CONVENTIONS.short).points]


def _run_point(piece: Piece) -> pd.DataFrame:
    """Run one point of the sweep in a folder for the time being; note what its kernel has read."""
    whole, point = read_sweep(records.CONVENTIONS.short), Point(piece)
    outcome = _went_well(execute(Job(point.key, piece, whole.chapter.notebook, whole.chapter.folder)), str(point))
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder), whole.chapter)
        store.write(point, outcome)
        if (state := store.state(point)).kind != "done":
            raise RecordError(f"{point} is {state.kind} at once: {state.why}")
        table = merge(replace(whole, points=(point,)), store).drop(columns="notebook")
    used = outcome.facts["dependencies"]
    for source in sources_of(used, table):
        observed.note_source(source)
    for key, state in used.items():
        # The registry is read by every run, and says nothing that the digest of a data set does not.
        if key.startswith(("dataset:", "file:")) and key != "file:data/registry.yml":
            observed.note(key, state)
    chapter = whole.chapter.path.stem
    observed.note(f"chapter:{chapter}", chapter_state(chapter))
    return table


CONVENTIONS = Run(
    tables=(records.CONVENTIONS,),
    pieces=_points,
    do=_run_point,
    parameters={"chapter": "20-busafekete2012-metrics", "points": 10},
)
CHAPTERS = Run(tables=(records.CHAPTERS,), pieces=_chapters, do=_time_chapter, measures=True)
OVERHEAD = Run(tables=(records.OVERHEAD,), pieces=_turns, do=_time_both_ways, measures=True)
WORKERS = Run(tables=(records.WORKERS,), pieces=_worker_turns, do=_time_workers, measures=True)
RECORDING = Run(tables=(records.RECORDING,), pieces=_worker_turns, do=_time_recording, measures=True)
