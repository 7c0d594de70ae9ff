"""Protects the notion of "up to date": what counts as a change of code, files, data sets, and what does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ltrlib.project import ROOT
from ltrlib.records import observed


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("x = 1\n", True),
        ("# why\n\nx  =  1  # one\n", True),
        ("x = 2\n", False),
        ('"""Text."""\nx = 1\n', True),
        ("x: int = 1\n", True),
        ("y = 1\n", False),
    ],
)
def test_python_files_are_hashed_by_meaning_not_by_layout(tmp_path: Path, text: str, same: bool) -> None:
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_text("x = 1\n")
    second.write_text(text)
    assert (observed.source_hash(first) == observed.source_hash(second)) is same


def test_other_files_are_hashed_by_their_bytes(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text("x\n1\n")
    before = observed.source_hash(table)
    table.write_text("x\n1 \n")
    assert observed.source_hash(table) != before


def test_a_missing_file_has_a_state_of_its_own(tmp_path: Path) -> None:
    assert observed.source_hash(tmp_path / "none.csv") == observed.ABSENT


def test_a_run_notes_the_files_of_the_project_that_it_reads_and_no_others() -> None:
    code = (
        "from ltrlib.records import observed; observed.watch_files()\n"
        "open('data/registry.yml').close(); open('README.md').close()\n"
        "try: open('data/raw/none.txt')\n"
        "except OSError: pass\n"
        "print([k for k in observed.dependencies() if k.startswith('file:')])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['file:data/registry.yml']"


def test_a_looked_for_data_set_is_a_dependency_even_when_it_was_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LTRLIB_DATA", "")
    import ltrlib.datasets.loading  # it tells the state of data sets

    assert not ltrlib.datasets.loading.is_here("yahoo-set1")
    noted = {k: v for k, v in observed.dependencies().items() if k.startswith("dataset:")}
    assert noted == {"dataset:yahoo-set1": "absent"}
    assert observed.changed_dependencies(noted) == []
    assert observed.changed_dependencies({"dataset:yahoo-set1": "0123456789abcdef"}) == ["dataset:yahoo-set1"]


def test_notes_inside_notes_are_told_apart_even_when_they_hold_the_same() -> None:
    with observed.noting() as outer:
        with observed.noting() as inner:
            observed.note("dataset:example", "0123")
        observed.note("dataset:other", "4567")
    assert list(inner.states) == ["dataset:example"]
    assert list(outer.states) == ["dataset:example", "dataset:other"]
