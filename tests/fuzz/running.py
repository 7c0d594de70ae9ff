"""Run a case in this process, in a folder of its own, and judge what came of it."""

from __future__ import annotations

import functools
import io
import os
import resource
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

from tests.fuzz.answers import wrong_answer
from tests.fuzz.cases import Case

__all__ = ["Outcome", "judge", "run_case", "sandbox"]

PROCESSOR_SECONDS = 20
_MEGABYTES = 300  # that one small input may add to the memory of the process


class WouldWork(BaseException):
    """The input was accepted, and long work (a kernel, a training, a download) would begin now."""


class TimeUp(BaseException):
    """The case took too long."""


@dataclass
class Outcome:
    """What a call did."""

    code: int | None
    out: str
    err: str
    trace: str
    megabytes: int
    files: dict[str, bytes]


def _would_work(*_: object, **__: object) -> None:
    raise WouldWork


@contextmanager
def sandbox(folder: Path) -> Iterator[Path]:
    """Let long work end where it would begin, and let everything that is written go below a folder."""
    import ltrlib.across.continued.adding as adding
    import ltrlib.cli.claims as claims
    from ltrlib.cli import build_parser
    from ltrlib.project import project_data

    later = folder / "published" / "later"
    shutil.copytree(project_data("published", "later"), later)
    from ltrlib.published.tables import load_paper

    checked = functools.cache(claims._checked)
    raw = folder / "raw"
    with ExitStack() as stack:
        for name in ("ltrlib.sweeps.running.run_sweep", "ltrlib.book.rerun.rerun", "ltrlib.datasets.fetch.get"):
            stack.enter_context(patch(name, _would_work))
        for name in ("working.make", "checking.check"):
            stack.enter_context(patch(f"ltrlib.records.{name}", _would_work))
        for name in ("importing", "fetch", "locate"):
            stack.enter_context(patch(f"ltrlib.datasets.{name}.data_search_path", lambda: (raw,)))
        stack.enter_context(patch("ltrlib.cli.build_parser", functools.cache(build_parser)))
        stack.enter_context(patch("ltrlib.project.runs_dir", lambda: Path.cwd() / "runs"))
        stack.enter_context(patch.object(claims, "_checked", checked))
        stack.enter_context(
            patch.object(adding, "load_paper", lambda name, root=folder / "published": load_paper(name, root))
        )
        stack.enter_context(patch.dict(os.environ, {"LTRLIB_CACHE": str(folder / "cache"), "COLUMNS": "110"}))
        yield folder


def run_case(case: Case, place: Path) -> Outcome:
    """Call the command line with standard input, output and error of its own."""
    from ltrlib.cli import main

    for name, text in case.files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(text)
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace")
    stdin = io.TextIOWrapper(io.BytesIO(case.stdin), encoding="utf-8")
    code: int | None = None
    trace = ""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    here = Path.cwd()
    os.chdir(place)
    try:
        with (
            patch.multiple(sys, stdin=stdin, stdout=out, stderr=err),
            _limited(),
            warnings.catch_warnings(record=True) as warned,
        ):
            warnings.simplefilter("always")
            try:
                code = main(case.command)
            except SystemExit as ended:
                code = ended.code if isinstance(ended.code, int) else 1
            except WouldWork:
                code = 0
            except (Exception, TimeUp):
                trace = traceback.format_exc()
        trace += "".join(f"{one.category.__name__}: {one.message} ({one.filename}:{one.lineno})\n" for one in warned)
    finally:
        os.chdir(here)
    out.flush()
    err.flush()
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    files = {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()}
    return Outcome(code, _text(out), _text(err), trace, used // 1024, files)


def _text(stream: io.TextIOWrapper) -> str:
    buffer: Any = stream.buffer
    return str(buffer.getvalue().decode("utf-8", "surrogateescape"))


@contextmanager
def _limited() -> Iterator[None]:
    def up(_: int, __: FrameType | None) -> None:
        raise TimeUp(f"more than {PROCESSOR_SECONDS} s of processor time")

    before = signal.signal(signal.SIGPROF, up)
    signal.setitimer(signal.ITIMER_PROF, PROCESSOR_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def judge(name: str, case: Case, seen: Outcome, folder: Path) -> list[str]:
    """Everything that is wrong with an outcome, in words; nothing if all is well."""
    found = []
    if seen.trace:
        found.append(f"traceback or warning: {seen.trace.strip().splitlines()[-1][:300]}")
    elif seen.code not in (0, 1, 2, 3):
        found.append(f"exit code {seen.code}")
    if seen.megabytes > _MEGABYTES:
        found.append(f"{seen.megabytes} MB for one small input")
    if seen.code == 2:
        found += _unclear(case, seen)
    if case.broken and not (seen.code == 2 and case.broken in seen.err) and not seen.trace:
        found.append(f"a broken line is not refused with its place {case.broken}")
    found += [f"the input {file} was changed" for file, text in case.files.items() if seen.files.get(file) != text]
    found += [f"{file} is left behind" for file in _left_behind(seen, folder)]
    if case.output and case.output not in case.files and case.output in seen.files:
        complete = seen.files[case.output].rstrip().endswith((b"</html>", b"\n")) or name in ("results", "model")
        if seen.code != 0 or not complete:
            found.append("the page was written though the command failed, or is not whole")
    if seen.code in (0, 1, 3) and not seen.trace and (problem := wrong_answer(case, seen.out)):
        found.append(problem)
    return found


def _unclear(case: Case, seen: Outcome) -> Iterator[str]:
    lines = [line for line in seen.err.splitlines() if line.strip()]
    message = next((line for line in reversed(lines) if line.startswith("ltrlib")), None)
    if message is None and not case.command:
        return  # it prints the help
    if message is None:
        yield "exit code 2 without a message of our own"
        return
    words = [word.encode(errors="backslashreplace").decode() for word in (*case.files, *case.command)]
    whole = "\n".join(lines)
    words += ["."] if "" in words else []  # which is how the system reads an empty name
    if not any(word and word in whole for word in (*words, "standard input", "to do:", "error:")):
        yield f"the message names neither a file nor an option: {message}"
    if "Traceback" in whole:
        yield "a traceback on standard error"


def _left_behind(seen: Outcome, folder: Path) -> list[str]:
    there = [*seen.files, *(str(path) for path in folder.rglob(".*"))]
    marks = (".unfinished-", ".replaced-", ".unpacked", ".get-")
    left = [file for file in there if any(mark in file for mark in marks)]
    return left + [file for file in seen.files if "evil" in Path(file).name and not file.endswith((".zip", ".tar"))]


def run_many(
    numbers: Iterator[int] | range, seed: int, report: Any = None
) -> tuple[dict[str, dict[int, int]], list[str]]:
    """Run the cases of some numbers; count the exit codes of each command, and collect what is wrong."""
    from tests.fuzz.cases import draw

    counts: dict[str, dict[int, int]] = {}
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="ltrlib-fuzz-") as base, sandbox(Path(base)) as folder:
        later = {path: path.read_bytes() for path in (folder / "published" / "later").iterdir()}
        for number in numbers:
            name, case = draw(seed, number)
            place = folder / f"case{number}"
            place.mkdir()
            seen = run_case(case, place)
            found = judge(name, case, seen, folder)
            changed = [path for path, text in later.items() if path.read_bytes() != text]
            if changed and (seen.code != 0 or len(changed) != 2):
                found.append("the later results were changed in part")
            for path in changed:
                path.write_bytes(later[path])
            found += _raw_problems(folder / "raw", seen)
            by_code = counts.setdefault(name, {})
            code = -1 if seen.code is None else seen.code
            by_code[code] = by_code.get(code, 0) + 1
            for problem in found:
                text = f"{seed} {number}: {problem}\n    {' '.join(map(ascii, case.command))[:400]}"
                problems.append(text)
                if report is not None:
                    report(text, seen)
            shutil.rmtree(place, ignore_errors=True)
    return counts, problems


def _raw_problems(raw: Path, seen: Outcome) -> list[str]:
    """What was imported is whole; begin anew now and then."""
    found = []
    if raw.exists():
        for place in raw.iterdir():
            if not place.name.startswith(".") and not any(place.rglob("*.txt")):
                found.append(f"{place.name} holds no data")
        if seen.code == 0 and len(seen.out) % 3:
            shutil.rmtree(raw)
    return found
