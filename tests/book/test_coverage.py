"""Protects the coverage on the status page: sums by package, kept in a file, shown with what they cannot see."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ltrlib.book import coverage, status
from ltrlib.errors import RecordError

REPORT = {
    "files": {
        "ltrlib/metrics/engine.py": {"summary": {"num_statements": 60, "covered_lines": 57}},
        "ltrlib/metrics/kernels.py": {"summary": {"num_statements": 40, "covered_lines": 10}},
        "ltrlib/papers/tax2015/b6.py": {"summary": {"num_statements": 100, "covered_lines": 100}},
        "ltrlib/errors.py": {"summary": {"num_statements": 0, "covered_lines": 0}},
    }
}


def test_what_was_measured_is_kept_and_read_again(tmp_path: Path) -> None:
    report, kept = tmp_path / "report.json", tmp_path / "coverage.json"
    report.write_text(json.dumps(REPORT))
    written = coverage.write(report, kept)
    assert coverage.read(kept) == written
    assert written.packages["metrics"] == coverage.Lines(100, 67)
    assert list(written.packages) == ["(modules)", "metrics", "papers"]
    assert json.loads(kept.read_text())["percent"] == 83.5


def test_the_page_shows_every_package_and_says_what_cannot_be_seen() -> None:
    words, table = status.render_coverage(coverage.summarise(REPORT, "2026-01-31"))
    assert "2026-01-31: the tests run 83.5% of the statements" in words.astext()
    assert "numba" in words.astext()
    assert "67.0%" in table.astext()


@pytest.mark.parametrize("text", ["", "[]", '{"date": "2026-01-31"}', '{"date": "x", "packages": {"metrics": 3}}'])
def test_a_damaged_file_is_refused_with_the_cure(tmp_path: Path, text: str) -> None:
    path = tmp_path / "coverage.json"
    path.write_text(text)
    with pytest.raises(RecordError, match="make coverage"):
        coverage.read(path)
