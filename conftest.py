"""Keeps tests apart, and marks those that are slow, need real data or need a browser.

What one test reads must not count as a dependency of the next. Marks that a test does not carry itself are found here:
from the reason for which it would be skipped, and from ``tests/slow.txt``, which ``make slow`` writes.
"""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import hypothesis
import pytest

from ltrlib.records.observed import Notes

# How long an example takes on the clock says more about what else is running than about the code.
hypothesis.settings.register_profile("any machine", deadline=None)
hypothesis.settings.load_profile("any machine")

SLOW = Path(__file__).parent / "tests" / "slow.txt"
_LONG_TEST, _ALL_TESTS = 1.0, 60.0
_BROWSER = re.compile(r"chromium|book is not built", re.IGNORECASE)
_REAL_DATA = re.compile(r"LTRLIB_DATA|data/raw|(mq2008|clueweb\S*|\S*sample) is not", re.IGNORECASE)
_CALL, _SETUP = "processor seconds", "processor seconds of its set-up"
_costs: dict[str, tuple[float, float]] = {}


@pytest.fixture(autouse=True)
def nothing_noted_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin every test and doctest with no data set and no file noted."""
    monkeypatch.setattr("ltrlib.records.observed._everything", Notes())


@pytest.fixture(autouse=True)
def no_shell() -> None:
    """Begin without IPython's shell, which shows things in another way once any library has started it."""
    if (module := sys.modules.get("IPython.core.interactiveshell")) is not None:
        module.InteractiveShell.clear_instance()


def slow_tests() -> frozenset[str]:
    """Files and tests of ``tests/slow.txt``."""
    lines = SLOW.read_text(encoding="utf-8").splitlines() if SLOW.exists() else []
    return frozenset(line for line in lines if line and not line.startswith("#"))


def choose_slow(costs: Mapping[str, tuple[float, float]]) -> list[str]:
    """Tests that take long by themselves; then whole files, the longest first, until the others fit into the time.

    The costs are processor seconds of each test and of its set-up, which the file pays whichever of its tests is run.
    """
    chosen = {test for test, (call, _) in costs.items() if call > _LONG_TEST}
    files: dict[str, float] = defaultdict(float)
    for test, (call, setup) in costs.items():
        files[test.partition("::")[0]] += setup + call * (test not in chosen)
    whole: set[str] = set()
    for file in sorted(files, key=lambda file: (-files[file], file)):
        if sum(files.values()) - sum(files[one] for one in whole) <= _ALL_TESTS:
            break
        whole.add(file)
    return sorted(whole | {test for test in chosen if test.partition("::")[0] not in whole})


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the option of ``make slow``."""
    parser.addoption("--note-slow", action="store_true", help="write tests/slow.txt from this run of the whole suite")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import a file that is slow as a whole, when slow tests are not wanted."""
    if "not slow" not in config.option.markexpr or not collection_path.is_relative_to(config.rootpath):
        return None
    return True if collection_path.relative_to(config.rootpath).as_posix() in slow_tests() else None


def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """Add the marks."""
    slow = slow_tests()
    for item in items:
        reasons = " ".join(str(mark.kwargs.get("reason", "")) for mark in item.iter_markers("skipif"))
        if _BROWSER.search(reasons):
            item.add_marker(pytest.mark.browser)
        if _REAL_DATA.search(reasons):
            item.add_marker(pytest.mark.realdata)
        if item.nodeid in slow or item.nodeid.partition("::")[0] in slow:
            item.add_marker(pytest.mark.slow)


def _processor_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Note the processor time of a set-up."""
    before = _processor_seconds()
    try:
        return (yield)
    finally:
        item.user_properties.append((_SETUP, _processor_seconds() - before))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Note the processor time of a test: unlike the time on the clock, it hardly depends on what else is running."""
    before = _processor_seconds()
    try:
        return (yield)
    finally:
        item.user_properties.append((_CALL, _processor_seconds() - before))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect the times, also those of other processes."""
    if report.when == "call":
        noted = {name: float(str(value)) for name, value in report.user_properties if name in (_CALL, _SETUP)}
        _costs[report.nodeid] = noted.get(_CALL, 0.0), noted.get(_SETUP, 0.0)


def marked_slow(costs: Mapping[str, tuple[float, float]], markexpr: str) -> list[str]:
    """What the list says after a run: of the whole suite, all of it; without slow tests, what is slow besides."""
    before = slow_tests() if "not slow" in markexpr else frozenset()
    chosen = before | set(choose_slow(costs))
    return sorted(one for one in chosen if "::" not in one or one.partition("::")[0] not in chosen)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write down which tests were slow, if asked to."""
    if session.config.option.note_slow and not hasattr(session.config, "workerinput"):
        head = "# Tests that make quick leaves out, and files that it does not even import. Written by make slow.\n"
        lines = marked_slow(_costs, session.config.option.markexpr)
        SLOW.write_text(head + "".join(f"{line}\n" for line in lines), encoding="utf-8")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say when the quick tests are no longer quick."""
    total = sum(call + setup for call, setup in _costs.values())
    if "not slow" in config.option.markexpr and total > _ALL_TESTS:
        terminalreporter.write_line(
            f"These tests took {total:.0f} s of processor time, more than {_ALL_TESTS:.0f}: add --note-slow once, "
            "which marks the longest in tests/slow.txt.",
            yellow=True,
        )
