"""``ltrlib record``: what it says, and how it ends."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from ltrlib.cli import main
from ltrlib.records import checking
from ltrlib.records.pieces import perform
from tests.records import example_runs


@pytest.fixture
def book(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A book with three records, one of which cannot be made."""
    runs = [example_runs.squares, example_runs.sums, example_runs.broken]
    monkeypatch.setattr("ltrlib.records.making.all_runs", lambda: runs)
    monkeypatch.setattr("ltrlib.records.record.project_data", lambda *parts: tmp_path / "results")
    monkeypatch.setenv("LTRLIB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SQUARES_DONE", str(tmp_path / "done.txt"))
    monkeypatch.setenv("SQUARES_TO", str(tmp_path / "results"))
    return tmp_path / "results"


def test_a_record_is_made_and_said_to_be_new_then_the_same(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "example/squares"]) == 0
    assert "example/squares: new" in capsys.readouterr().out
    assert (book / "example" / "squares.csv").exists()
    assert main(["record", "example/squares"]) == 0
    assert "example/squares: the same as recorded" in capsys.readouterr().out


def test_all_records_are_tried_and_a_failure_is_told_by_the_exit_code(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", "--all"]) == 1
    said = capsys.readouterr().out
    assert "example/broken: not made. no such data" in said
    assert "2 records made" in said


def test_a_record_whose_data_are_not_here_is_left_out_unless_it_is_named(
    book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    needy = dataclasses.replace(example_runs.broken, needs=("yahoo-set1",))
    monkeypatch.setattr("ltrlib.records.making.all_runs", lambda: [example_runs.squares, needy])
    monkeypatch.setattr("ltrlib.datasets.loading.is_here", lambda name: False)
    for arguments in (["--all"], ["example"]):
        assert main(["record", *arguments]) == 0
        assert "example/broken: left out, because it needs yahoo-set1" in capsys.readouterr().out
    assert main(["record", "example/broken"]) == 1


def test_the_list_tells_state_cost_and_what_a_record_rests_on(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["record", "example/squares"])
    capsys.readouterr()
    assert main(["record", "--list"]) == 0
    said = capsys.readouterr().out
    assert "example/squares" in said
    assert "current" in said
    assert "missing" in said
    assert "after example/squares" in said
    assert "definitions in" in said


def test_a_check_says_how_much_was_done_again(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["record", "example/squares"])
    capsys.readouterr()
    assert main(["record", "--check", "example/squares"]) == 0
    assert "6 of 6 pieces done again: the same as recorded" in capsys.readouterr().out


def test_a_check_names_the_first_pieces_that_differ_one_a_line(
    book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(do: Any, piece: Any) -> Any:
        result, *rest = perform(do, piece)
        return result.assign(square=result["square"] + 1e-15), *rest

    main(["record", "example/squares"])
    capsys.readouterr()
    monkeypatch.setattr(checking, "perform", other)
    assert main(["record", "--check", "example/squares"]) == 1
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.endswith("6 of 6 pieces done again: 7 differences")
    assert [line.endswith("not what was recorded") for line in lines] == [True] * 5 + [False]
    assert lines[-1].startswith("    and 2 more; the last: example/squares: 6 of 6 rows differ in square")


def test_only_what_is_missing_or_stale_is_made(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["record", "example/squares"])
    capsys.readouterr()
    main(["record", "--stale"])
    said = capsys.readouterr().out
    assert "example/sums: new" in said
    assert "example/squares:" not in said


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["record"], "say which record"),
        (["record", "example/cubes"], "there is no record 'example/cubes'"),
        (["record", "--all", "--workers", "0"], "0 workers cannot do anything"),
        (["record", "--all", "--minutes", "-1"], "no time to do anything"),
    ],
)
def test_a_call_that_cannot_be_done_says_why(
    book: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], what: str
) -> None:
    assert main(arguments) == 2
    assert what in capsys.readouterr().err
