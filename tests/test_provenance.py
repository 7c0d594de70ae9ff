"""Protects the notion of "up to date": what counts as a change of code, files, data sets, and what does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ltrlib import provenance
from ltrlib.project import ROOT


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("x = 1\n", True),
        ("# why\n\nx  =  1  # one\n", True),
        ("x = 2\n", False),
        ('"""Text."""\nx = 1\n', False),
    ],
)
def test_python_files_are_hashed_by_meaning_not_by_layout(tmp_path: Path, text: str, same: bool) -> None:
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_text("x = 1\n")
    second.write_text(text)
    assert (provenance.source_hash(first) == provenance.source_hash(second)) is same


def test_other_files_are_hashed_by_their_bytes(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text("x\n1\n")
    before = provenance.source_hash(table)
    table.write_text("x\n1 \n")
    assert provenance.source_hash(table) != before


def test_a_missing_file_has_a_state_of_its_own(tmp_path: Path) -> None:
    assert provenance.source_hash(tmp_path / "none.csv") == provenance.ABSENT


def test_a_run_notes_the_files_of_the_project_that_it_reads_and_no_others() -> None:
    code = (
        "from ltrlib import provenance; provenance.watch_files()\n"
        "open('data/registry.yml').close(); open('README.md').close()\n"
        "try: open('data/raw/none.txt')\n"
        "except OSError: pass\n"
        "print([k for k in provenance.dependencies() if k.startswith('file:')])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['file:data/registry.yml']"


def test_a_looked_for_data_set_is_a_dependency_even_when_it_was_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LTRLIB_DATA", "")
    monkeypatch.setattr("ltrlib.provenance._datasets", {"yahoo-set1": "absent"})
    noted = {k: v for k, v in provenance.dependencies().items() if k.startswith("dataset:")}
    assert noted == {"dataset:yahoo-set1": "absent"}
    assert provenance.changed_dependencies(noted) == []
    assert provenance.changed_dependencies({"dataset:yahoo-set1": "0123456789abcdef"}) == ["dataset:yahoo-set1"]


def test_fingerprint_depends_on_the_set_of_modules_not_on_their_order() -> None:
    assert provenance.fingerprint(["ltrlib.errors", "ltrlib.project"]) == provenance.fingerprint(
        ["ltrlib.project", "ltrlib.errors", "ltrlib.errors"]
    )
