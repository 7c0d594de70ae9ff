"""Make recorded results piece by piece, here or on a Dask cluster; each piece is kept as soon as it is done."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ltrlib.cluster import ClusterLostError, connect
from ltrlib.errors import LtrlibError, RecordError
from ltrlib.progress import progress
from ltrlib.records import observed
from ltrlib.records.checking import differences, elsewhere
from ltrlib.records.making import Done, Piece, Run, digest_of, key_of
from ltrlib.records.pieces import Kept, code_of, finished, perform, processor_seconds
from ltrlib.records.record import Record, read_record, write_record

__all__ = ["Summary", "make"]


@dataclass
class Summary:
    """What a call of :func:`make` has done.

    Parameters
    ----------
    made
        Records that were written.
    changed
        Of those, the ones that were new or whose values differ from what was recorded before, and how.
    left
        Runs that are not finished, and how many pieces are missing.
    failed
        Runs that cannot be finished, and why.
    seconds
        Processor time that the pieces took, those that were kept from before included.
    """

    made: list[str] = field(default_factory=list)
    changed: dict[str, str] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0


@dataclass(eq=False)
class _Work:
    """A run on its way: the pieces that are there, and those that are not."""

    run: Run
    kept: Kept
    place: Path
    pieces: list[Piece]
    done: dict[str, Done]

    @classmethod
    def begin(cls, run: Run, folder: Path | None) -> _Work:
        kept = Kept(run, folder)
        place, pieces = kept.place, list(run.pieces())
        if len({key_of(piece) for piece in pieces}) != len(pieces):
            raise RecordError(f"{run.name}: two pieces are the same", cure="give each piece values of its own")
        found = {key_of(piece): kept.read(piece, place=place) for piece in pieces}
        return cls(run, kept, place, pieces, {key: done for key, done in found.items() if done is not None})

    @property
    def missing(self) -> list[Piece]:
        return [piece for piece in self.pieces if key_of(piece) not in self.done]

    def take(self, piece: Piece, result: Any, seconds: float, notes: observed.Notes, code: str) -> None:
        if code != code_of(self.run.do):
            raise RecordError(f"{self.run.name}: the worker has other code than this machine", cure="update the worker")
        done = finished(self.run, piece, result, seconds, notes)
        self.kept.write(done, place=self.place)
        self.done[key_of(piece)] = done

    def finish(self, summary: Summary, to: Path | None) -> None:
        done = [self.done[key_of(piece)] for piece in self.pieces]
        started = processor_seconds()
        with observed.noting() as notes:
            tables = self.run.joined(done)
        joining = finished(self.run, {}, {}, processor_seconds() - started, notes)
        seconds = sum(one.seconds for one in done) + joining.seconds
        sources = dict.fromkeys(source for one in [*done, joining] for source in one.sources)
        inputs = {key: state for one in [*done, joining] for key, state in one.inputs.items()}
        for table in self.run.tables:
            before = _before(table.name, table.columns, to)
            write_record(
                table.name,
                tables[table.short],
                maker=[table.maker],
                work=seconds,
                data=list(sources),
                inputs=dict(sorted(inputs.items())),
                parameters=self.run.parameters,
                seeds=self.run.seeds,
                command=self.run.command,
                pieces={key_of(one.piece): digest_of(self.run, one) for one in done} if len(done) > 1 else None,
                kinds=table.columns,
                form=table.form,
                folder=to,
            )
            summary.made.append(table.name)
            if before is None:
                summary.changed[table.name] = "new"
            elif how := differences(before.table, tables[table.short], table.compared):
                summary.changed[table.name] = how + elsewhere(before)
        summary.seconds += seconds


def _before(name: str, columns: Mapping[str, str], folder: Path | None) -> Record | None:
    try:
        return read_record(name, columns, folder=folder)
    except RecordError:
        return None


def make(
    runs: Sequence[Run],
    *,
    minutes: float = math.inf,
    workers: int = 1,
    scheduler: str | None = None,
    folder: Path | None = None,
    to: Path | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Summary:
    """Do what is missing of some runs, and write the records of those that are complete.

    Parameters
    ----------
    runs
        As :func:`ltrlib.records.making.all_runs` orders them.
    minutes
        No piece begins later than this.
    workers, scheduler
        As in :func:`ltrlib.cluster.connect`; one worker is this process.
    folder
        Where pieces are kept.
    to
        Where records go.
    say
        Called with a line of news.
    """
    summary, until = Summary(), time.monotonic() + 60 * minutes
    together = [run for run in runs if not run.measures]
    alone = [run for run in runs if run.measures]
    with ExitStack() as stack:
        client = None
        if together and (workers > 1 or scheduler is not None):
            client = stack.enter_context(connect(workers=workers, scheduler=scheduler))
        _make(together, summary, until, client, folder, to, say)
    _make(alone, summary, until, None, folder, to, say)
    return summary


def _make(
    runs: Sequence[Run],
    summary: Summary,
    until: float,
    client: Any,
    folder: Path | None,
    to: Path | None,
    say: Callable[[str], None],
) -> None:
    waiting = list(runs)
    open_work: dict[str, _Work] = {}
    failed: set[str] = set()

    def queue() -> Iterator[tuple[_Work, Piece]]:
        """Pieces in order; a run opens when all that it waits for is made."""
        nonlocal waiting
        progressed = True
        while progressed:
            progressed = False
            unmade = {
                table.name for run in (*waiting, *(work.run for work in open_work.values())) for table in run.tables
            }
            for run in list(waiting):
                if any(table.name in unmade and table not in run.tables for table in run.after):
                    continue
                waiting.remove(run)
                progressed = True
                try:
                    work = _Work.begin(run, folder)
                except LtrlibError as error:
                    summary.failed[run.name] = str(error)
                    continue
                open_work[run.name] = work
                bar.total += len(work.missing)
                bar.refresh()
                if work.missing:
                    yield from ((work, piece) for piece in work.missing)
                else:
                    close(work)

    def close(work: _Work) -> None:
        open_work.pop(work.run.name)
        try:
            work.finish(summary, to)
        except Exception as error:
            summary.failed[work.run.name] = f"{type(error).__name__}: {error}"
            say(f"{work.run.name}: {summary.failed[work.run.name]}")
            return
        for table in work.run.tables:
            say(f"{table.name}: {summary.changed.get(table.name, 'the same as recorded')}")

    def came(work: _Work, piece: Piece, answer: Any, error: BaseException | None) -> None:
        name = work.run.name
        bar.update()
        if error is None:
            try:
                work.take(piece, *answer)
            except LtrlibError as problem:
                error = problem
        if error is not None:
            failed.add(name)
            summary.failed[name] = str(error) if isinstance(error, LtrlibError) else f"{type(error).__name__}: {error}"
            say(f"{name}: {summary.failed[name]}")
        elif not work.missing:
            close(work)

    with progress(total=0, what="records", unit="piece") as bar:
        for work, piece, answer, error in _answers(queue, client, until, failed):
            came(work, piece, answer, error)
    for name, work in open_work.items():
        if name not in summary.failed:
            summary.left[name] = len(work.missing)
    for run in waiting:
        summary.left.setdefault(run.name, len(_Work.begin(run, folder).missing) if not run.after else 0)


def _answers(
    queue: Callable[[], Iterator[tuple[_Work, Piece]]], client: Any, until: float, failed: set[str]
) -> Iterator[tuple[_Work, Piece, Any, BaseException | None]]:
    """Do the pieces of the queue, here or on a cluster, until the time is up."""
    if client is None:
        while True:
            begun = False
            for work, piece in queue():
                begun = True
                if time.monotonic() >= until:
                    return
                if work.run.name in failed:
                    continue
                try:
                    answer = perform(work.run.do, piece)
                except Exception as error:
                    yield work, piece, None, error
                else:
                    yield work, piece, answer, None
            if not begun:
                return
    from distributed import as_completed

    pending: dict[Any, tuple[_Work, Piece]] = {}
    arriving: Any = as_completed(loop=client.loop)  # type: ignore[no-untyped-call]
    window = 2 * max(2, sum(client.nthreads().values()))
    pieces = queue()
    try:
        while True:
            while len(pending) < window and time.monotonic() < until:
                following = next(pieces, None)
                if following is None:
                    break
                work, piece = following
                if work.run.name in failed:
                    continue
                key = f"{work.run.name}-{key_of(piece)}-{os.getpid()}-{time.monotonic_ns()}"
                future = client.submit(perform, work.run.do, piece, key=key, pure=False)
                pending[future] = (work, piece)
                arriving.add(future)
            if not pending:
                return
            future = next(arriving)
            work, piece = pending.pop(future)
            if future.status == "finished":
                yield work, piece, future.result(), None
            elif future.status == "error":
                yield work, piece, None, future.exception()
            else:
                raise ClusterLostError(
                    "the scheduler went away", cure="start it again, then run the same command: it does what is missing"
                )
            future.release()
            if not pending:
                # What has just been made may open other runs.
                pieces = queue()
    finally:
        client.cancel(list(pending))
