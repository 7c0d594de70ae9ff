"""Protects ``make quick``: what is slow, needs data or needs a browser is marked, and the rest fits into the time."""

from __future__ import annotations

import pytest

from conftest import _BROWSER, _REAL_DATA, choose_slow, marked_slow, slow_tests
from ltrlib.project import ROOT


def test_every_slow_test_is_in_a_file_that_exists() -> None:
    files = {name.partition("::")[0] for name in slow_tests()}
    assert files
    assert [file for file in sorted(files) if not (ROOT / file).exists()] == [], "run make slow"


def test_long_tests_are_chosen_one_by_one_and_files_only_when_the_rest_is_too_much() -> None:
    costs = {"a.py::long": (9.0, 0.0), "a.py::short": (0.1, 0.0), "b.py::short": (0.2, 0.0)}
    assert choose_slow(costs) == ["a.py::long"]
    many = {f"b.py::{number}": (0.5, 0.0) for number in range(200)}
    assert choose_slow(costs | many) == ["a.py::long", "b.py"]


def test_a_costly_set_up_counts_for_its_file() -> None:
    assert choose_slow({"a.py::first": (0.1, 80.0), "a.py::second": (0.1, 0.0), "b.py::x": (0.9, 0.0)}) == ["a.py"]


def test_a_run_without_slow_tests_adds_to_the_list_and_a_whole_run_writes_it_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("conftest.slow_tests", lambda: frozenset({"a.py::known", "b.py"}))
    costs = {"a.py::new": (9.0, 0.0), "a.py::short": (0.1, 0.0)}
    assert marked_slow(costs, "not slow and not browser") == ["a.py::known", "a.py::new", "b.py"]
    assert marked_slow(costs, "") == ["a.py::new"]
    assert marked_slow({"a.py::first": (0.1, 80.0)}, "not slow") == ["a.py", "b.py"]


@pytest.mark.parametrize(
    ("reason", "browser", "data"),
    [
        ("chromium is not installed (Debian: apt-get install chromium)", True, False),
        ("the book is not built: run make book first", True, False),
        ("MQ2008 is not in LTRLIB_DATA or data/raw", False, True),
        ("MQ2008 is not here", False, True),
        ("no Python 3.13 on this machine", False, False),
    ],
)
def test_the_reason_for_skipping_tells_the_mark(reason: str, browser: bool, data: bool) -> None:
    assert bool(_BROWSER.search(reason)) == browser
    assert bool(_REAL_DATA.search(reason)) == data
