"""Make recorded results piece by piece, here or on a Dask cluster; each piece is kept as soon as it is done."""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import os
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from ltrlib.atomic import new_file
from ltrlib.cluster import ClusterLostError, connect
from ltrlib.errors import LtrlibError, RecordError
from ltrlib.progress import progress
from ltrlib.project import cache_dir
from ltrlib.records import observed
from ltrlib.records.definitions import find_code, meaning
from ltrlib.records.making import Done, Piece, Run, as_tables, digest_of, key_of
from ltrlib.records.record import Record, read_record, write_record
from ltrlib.records.source import Source

__all__ = ["Checked", "Kept", "Summary", "check", "code_of", "make", "perform"]

# Named by what is in them, not by path: data sets by digest, printed numbers one by one.
_NOTED_OTHERWISE = ("data/registry.yml", "data/published/")
_PROVENANCE = ".provenance.json"


def code_of(do: Callable[..., Any]) -> str:
    """Fingerprint of the code behind a function.

    Examples
    --------
    >>> from ltrlib.metrics.engine import evaluate, evaluate_data
    >>> code_of(evaluate) == code_of(evaluate_data)
    False
    """
    if do.__module__.split(".")[0] == "ltrlib":
        return find_code(f"{do.__module__}:{do.__qualname__}").fingerprint
    return meaning(textwrap.dedent(inspect.getsource(do)))


def perform(do: Callable[[Any], Any], piece: Piece) -> tuple[Any, float, observed.Notes, str]:
    """Do one piece, wherever this runs, and note what it used.

    Returns
    -------
    tuple
        The result, its seconds of processor time, what was noted, and the fingerprint of the code that ran.
    """
    observed.watch_files()
    started = _processor_seconds()
    with observed.noting() as notes:
        result = do(piece)
    return result, _processor_seconds() - started, notes, code_of(do)


def _processor_seconds() -> float:
    """Of this process and of its children that have ended; others on the same core do not count."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@dataclass(frozen=True, eq=False)
class Kept:
    """The finished pieces of a run, one file each.

    Parameters
    ----------
    run
        Whose pieces.
    folder
        Where they lie; in the user's cache if not given.
    """

    run: Run
    folder: Path | None = None

    @property
    def place(self) -> Path:
        """The folder of the pieces that the present code has done."""
        base = cache_dir() / "pieces" if self.folder is None else self.folder
        return base / self.run.name / code_of(self.run.do)[:16]

    def read(self, piece: Piece, *, place: Path | None = None) -> Done | None:
        """Return a piece that was kept, or None: not done, damaged, or done on other data."""
        path = (place or self.place) / f"{key_of(piece)}.json"
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            tables = {name: _frame(**one) for name, one in kept["tables"].items()}
            sources = tuple(Source(**source) for source in kept["sources"])
            done = Done(kept["piece"], tables, float(kept["seconds"]), sources, kept["inputs"])
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None
        return None if observed.changed_inputs(done.inputs) else done

    def write(self, done: Done, *, place: Path | None = None) -> None:
        """Keep a piece."""
        folder = place or self.place
        folder.mkdir(parents=True, exist_ok=True)
        kept = {
            "piece": done.piece,
            "seconds": done.seconds,
            "sources": [asdict(source) for source in done.sources],
            "inputs": done.inputs,
            "tables": {name: _plain(rows) for name, rows in done.tables.items()},
        }
        with new_file(folder / f"{key_of(done.piece)}.json") as file:
            file.write(json.dumps(kept).encode())


def _plain(rows: pd.DataFrame) -> dict[str, Any]:
    return {"kinds": {name: str(kind) for name, kind in rows.dtypes.items()}, "columns": rows.to_dict("list")}


def _frame(kinds: Mapping[str, str], columns: Mapping[str, Any]) -> pd.DataFrame:
    return pd.DataFrame(dict(columns), columns=list(kinds)).astype(dict(kinds))


def _settled(rows: pd.DataFrame) -> pd.DataFrame:
    """Four kinds of columns are enough, and are the same after writing and reading."""
    kinds = {"i": "int64", "u": "int64", "f": "float64", "b": "bool"}
    return rows.reset_index(drop=True).astype({name: kinds.get(kind.kind, "str") for name, kind in rows.dtypes.items()})


def _finished(run: Run, piece: Piece, result: Any, seconds: float, notes: observed.Notes) -> Done:
    tables = {name: _settled(rows) for name, rows in as_tables(run, result).items()}
    inputs = {
        key: state
        for key, state in (notes.states | observed.file_states(notes)).items()
        if notes.states.get(key) or not key.removeprefix("file:").startswith(_NOTED_OTHERWISE)
    }
    inputs = {key: state for key, state in sorted(inputs.items()) if not key.endswith(_PROVENANCE)}
    return Done(dict(piece), tables, seconds, tuple(notes.sources), inputs)


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
        done = _finished(self.run, piece, result, seconds, notes)
        self.kept.write(done, place=self.place)
        self.done[key_of(piece)] = done

    def finish(self, summary: Summary, to: Path | None) -> None:
        done = [self.done[key_of(piece)] for piece in self.pieces]
        started = _processor_seconds()
        with observed.noting() as notes:
            tables = self.run.joined(done)
        joining = _finished(self.run, {}, {}, _processor_seconds() - started, notes)
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
            elif how := _differences(before.table, tables[table.short], table.compared):
                summary.changed[table.name] = how + _elsewhere(before)
        summary.seconds += seconds


def _before(name: str, columns: Mapping[str, str], folder: Path | None) -> Record | None:
    try:
        return read_record(name, columns, folder=folder)
    except RecordError:
        return None


def _differences(before: pd.DataFrame, after: pd.DataFrame, columns: Sequence[str]) -> str:
    if len(before) != len(after):
        return f"{len(after)} rows instead of {len(before)}"
    unlike = [c for c in columns if not before[c].equals(after[c])]
    if not unlike:
        return ""
    same = pd.concat([(before[c] == after[c]) | (before[c].isna() & after[c].isna()) for c in unlike], axis=1)
    number = int((~same.all(axis=1)).sum())
    if not number:
        return ""
    # The last bits of a sum depend on the processor; whoever reads this wants to know if it is only that.
    steps = {c: (before[c] - after[c]).abs().max() for c in unlike if before[c].dtype == after[c].dtype == "float64"}
    by = f", by {max(steps.values()):.1g} at most" if len(steps) == len(unlike) else ""
    return f"{number} of {len(after)} rows differ in {', '.join(unlike)}{by}"


def _elsewhere(before: Record) -> str:
    """Name the processor that made a record, if it was another one than this."""
    there, here = before.provenance["machine"].get("cpu"), observed.environment()["machine"]["cpu"]
    return f" ({there} made the record, this is {here})" if there != here else ""


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
    folder, to
        Where pieces are kept, and where records go.
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


@dataclass
class Checked:
    """How a repeated run compares with what is recorded.

    Parameters
    ----------
    repeated, of
        How many pieces were done again, and how many there are.
    unlike
        What differs, one line each.
    """

    repeated: int
    of: int
    unlike: list[str]


def check(run: Run, *, minutes: float = math.inf, folder: Path | None = None) -> Checked:
    """Do pieces of a run again, keep nothing, and compare them with the record, bit by bit.

    Pieces are taken in an order that mixes them, so that a part of the time checks a part of everything.

    Parameters
    ----------
    run
        What to check; one that measures time cannot be.
    minutes
        No piece begins later than this.
    folder
        Where the records are.
    """
    if run.measures:
        raise RecordError(f"{run.name} measures time: two runs never agree", cure="make it again and compare by eye")
    until = time.monotonic() + 60 * minutes
    records = {table: table.read(folder=folder) for table in run.tables}
    noted = next(iter(records.values())).provenance.get("pieces", "")
    digests = dict(item.split(":") for item in noted.split(" ")) if noted else {}
    pieces = list(run.pieces())
    done: dict[str, Done] = {}
    unlike: list[str] = []
    mixed = sorted(pieces, key=lambda piece: hashlib.sha256(key_of(piece).encode()).digest())
    for piece in progress(mixed, what=f"checking {run.name}", unit="piece"):
        if done and time.monotonic() >= until:
            break
        result, seconds, notes, _ = perform(run.do, piece)
        key = key_of(piece)
        done[key] = _finished(run, piece, result, seconds, notes)
        if digests and digests.get(key) != digest_of(run, done[key]):
            unlike.append(f"{json.dumps(dict(piece), ensure_ascii=False)}: not what was recorded")
    if len(done) == len(pieces):
        tables = run.joined([done[key_of(piece)] for piece in pieces])
        for table, record in records.items():
            if how := _differences(record.table, tables[table.short], table.compared):
                unlike.append(f"{table.name}: {how}")
    elif not digests:
        unlike.append(f"only {len(done)} of {len(pieces)} pieces were done, and the record does not tell pieces apart")
    if unlike:
        unlike[-1] += _elsewhere(next(iter(records.values())))
    return Checked(len(done), len(pieces), unlike)
