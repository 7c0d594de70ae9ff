"""Data sets that are split by query into several files: found by a pattern, scored side by side, put together again."""

from __future__ import annotations

import glob
import re
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ltrlib.datasets.letor.streams import STANDARD_INPUT
from ltrlib.datasets.trec import read_qrels_table
from ltrlib.datasets.trec_table import TrecTable
from ltrlib.errors import LtrlibError, MissingDataError, UsageError
from ltrlib.metrics.report import how_many
from ltrlib.metrics.scoring import DocumentFiles, Plan, Scored, Values, score_documents, score_run

__all__ = ["Workers", "find_parts", "natural_order", "score_split_documents", "score_split_runs"]

Job = TypeVar("Job")

_SPLIT = "split labels and rankings in the same way, each query in one file"


@dataclass(frozen=True)
class Workers:
    """Who does the work.

    Parameters
    ----------
    count
        Number of processes; 1 is this one.
    scheduler
        Address of a Dask scheduler, instead of processes on this machine.

    Examples
    --------
    >>> Workers().map(abs, [-1, 2])
    [1, 2]
    """

    count: int = 1
    scheduler: str | None = None

    def place(self, name: str) -> str:
        """Name a file so that the workers find it."""
        if self.scheduler is None:
            return name
        if name == STANDARD_INPUT:
            raise UsageError("workers elsewhere cannot read standard input", cure="name a file that they can read")
        return str(Path(name).absolute())

    def map(self, function: Callable[[Job], Scored], jobs: Sequence[Job]) -> list[Scored]:
        """Do all jobs; what they give comes in their order."""
        if self.scheduler is None and (self.count == 1 or len(jobs) == 1):
            return [function(job) for job in jobs]
        from distributed import KilledWorker

        from ltrlib.cluster import ClusterLostError, Patience, connect

        with connect(workers=min(self.count, len(jobs)), scheduler=self.scheduler) as client:
            futures: list[Any] = client.map(function, jobs, pure=False)
            patience, next_look = Patience.with_cluster(client), 0.0
            try:
                while any(future.status == "pending" for future in futures):
                    if (now := time.monotonic()) >= next_look:
                        patience.check(now)
                        next_look = now + 2
                    if any(future.status == "error" for future in futures):
                        break
                    time.sleep(0.02)
                done: list[Scored] = client.gather(futures)  # type: ignore[no-untyped-call]
            except LtrlibError:
                raise
            except (CancelledError, KilledWorker, OSError) as error:
                what = f"workers were lost while they scored ({type(error).__name__})"
                raise ClusterLostError(
                    what, cure="run the same command again, with fewer workers if memory ran out"
                ) from None
        return done


def natural_order(name: str) -> tuple[tuple[int, str], ...]:
    """Sort key that puts 10 behind 9.

    Examples
    --------
    >>> sorted(["part10", "part9"], key=natural_order)
    ['part9', 'part10']
    """
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name) if part)


def find_parts(name: str) -> list[str]:
    """Files that a name stands for: itself, or those that fit a pattern such as ``part-*.txt``, in natural order.

    Examples
    --------
    >>> find_parts("test.txt"), find_parts("-")
    (['test.txt'], ['-'])
    """
    if not glob.has_magic(name) or "\0" in name or Path(name).exists():
        return [name]
    found = sorted((file for file in glob.glob(name) if Path(file).is_file()), key=natural_order)  # noqa: PTH207
    if not found:
        raise MissingDataError("no file has such a name", where=name, cure="check the pattern")
    return found


def score_split_documents(files: DocumentFiles, plan: Plan, workers: Workers) -> Scored:
    """Score rankings of labelled documents; each file may be a pattern, and the n-th files of all belong together.

    Parameters
    ----------
    files
        Files with labels and with scores, or patterns of such.
    plan
        What to compute.
    workers
        Who does it.
    """
    labelled = find_parts(workers.place(files.data))
    ranked = {name: find_parts(workers.place(file)) for name, file in files.scores.items()}
    for name, parts in ranked.items():
        _check_count(name, parts, files.data, labelled)
    jobs = [
        replace(files, data=part, scores={name: parts[place] for name, parts in ranked.items()})
        for place, part in enumerate(labelled)
    ]
    found = workers.map(_Documents(plan), jobs)
    _refuse_repeated(found, labelled)
    # Without score files, a ranking is called as its file: all parts of it by one name.
    return _joined([one if ranked else _renamed(one, files.data) for one in found])


def score_split_runs(qrels: str, runs: Sequence[str], plan: Plan, workers: Workers) -> dict[str, Scored]:
    """Score runs; each name may be a pattern. One qrels file serves all parts of a run, else the n-th belong together.

    Parameters
    ----------
    qrels, runs
        The files, or patterns.
    plan
        What to compute.
    workers
        Who does it.
    """
    judged = find_parts(workers.place(qrels))
    ranked = {run: find_parts(workers.place(run)) for run in runs}
    if len(judged) > 1:
        for run, parts in ranked.items():
            _check_count(run, parts, qrels, judged)
    jobs = [
        (judged[place if len(judged) > 1 else 0], part) for parts in ranked.values() for place, part in enumerate(parts)
    ]
    found = iter(workers.map(_Run(plan), jobs))
    scored = {}
    for run, parts in ranked.items():
        mine = [_renamed(next(found), run) for _ in parts]
        scored[run] = _overlaid(mine, run, parts) if len(judged) == 1 else _side_by_side(mine, judged, parts)
        if scored[run].missing == len(scored[run].query_ids):
            raise UsageError("no query of the run is judged", where=run, cure="give qrels and run of the same queries")
    return scored


@dataclass(frozen=True)
class _Documents:
    plan: Plan

    def __call__(self, files: DocumentFiles) -> Scored:
        return score_documents(files, self.plan)


class _Run:
    """Scores runs one after the other, and reads judgments once for all that share them."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._table: TrecTable | None = None
        self._file = ""

    def __call__(self, files: tuple[str, str]) -> Scored:
        if self._table is None or self._file != files[0]:
            self._table, self._file = read_qrels_table(files[0]), files[0]
        return score_run(self._table, files[1], self._plan)


def _check_count(name: str, parts: Sequence[str], data: str, labelled: Sequence[str]) -> None:
    if len(parts) != len(labelled):
        what = f"{how_many(len(parts), 'file')}, but {len(labelled)} for {data}"
        raise UsageError(what, where=name, cure=_SPLIT)


def _refuse_repeated(found: Sequence[Scored], files: Sequence[str]) -> None:
    homes: dict[str, str] = {}
    for one, file in zip(found, files, strict=True):
        for query in one.query_ids:
            if homes.setdefault(query, file) != file:
                raise UsageError(f"query {query} stands in {homes[query]} too", where=file, cure=_SPLIT)


def _renamed(one: Scored, name: str) -> Scored:
    (values,) = one.values.values()
    return replace(one, values={name: values})


def _joined(found: Sequence[Scored]) -> Scored:
    left_out = {tool: why for one in found for tool, why in one.left_out.items()}
    values: dict[str, Values] = {
        name: {
            tool: {metric: np.concatenate([one.values[name][tool][metric] for one in found]) for metric in metrics}
            for tool, metrics in tools.items()
            if tool not in left_out
        }
        for name, tools in found[0].values.items()
    }
    query_ids = [query for one in found for query in one.query_ids]
    return Scored(query_ids, values, left_out, unjudged=sum(one.unjudged for one in found))


def _side_by_side(found: Sequence[Scored], judged: Sequence[str], files: Sequence[str]) -> Scored:
    """Put together the parts of a run that have their own judgments each."""
    _refuse_repeated(found, judged)
    homes = {query: place for place, one in enumerate(found) for query in one.query_ids}
    ignored = [(query, place) for place, one in enumerate(found) for query in one.ignored]
    for query, place in ignored:
        if query in homes:
            what = f"query {query} is judged in {judged[homes[query]]}, not in {judged[place]}"
            raise UsageError(what, where=files[place], cure=_SPLIT)
    masks = [one.found for one in found if one.found is not None]
    return replace(_joined(found), found=np.concatenate(masks), ignored=[query for query, _ in ignored])


def _overlaid(found: Sequence[Scored], run: str, files: Sequence[str]) -> Scored:
    """Put together the parts of a run that share their judgments: each query counts where it was found."""
    left_out = {tool: why for one in found for tool, why in one.left_out.items()}
    seen = np.zeros(len(found[0].query_ids), dtype=np.bool_)
    values: Values = {
        tool: {metric: each.copy() for metric, each in metrics.items()}
        for tool, metrics in found[0].values[run].items()
        if tool not in left_out
    }
    for one, file in zip(found, files, strict=True):
        mine = one.found if one.found is not None else ~seen
        if (twice := np.flatnonzero(seen & mine)).size:
            what = f"query {one.query_ids[twice[0]]} stands in another file too"
            raise UsageError(what, where=file, cure=_SPLIT)
        seen |= mine
        for tool, metrics in values.items():
            for metric, each in metrics.items():
                each[mine] = one.values[run][tool][metric][mine]
    return Scored(
        found[0].query_ids,
        {run: values},
        left_out,
        seen,
        [query for one in found for query in one.ignored],
        sum(one.unjudged for one in found),
    )
