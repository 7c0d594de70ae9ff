"""The log of changes: it is up to date, it sees every change of a verdict or a number, and it loses nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ltrlib.claims import changes as module
from ltrlib.claims.changes import COMMAND, CellState, Change, LogFiles, find_changes, is_settled, render, states
from ltrlib.claims.claim import Outcome
from ltrlib.claims.registry import claim, claims
from ltrlib.cli import main
from ltrlib.errors import RecordError

SAMPLE = ("chapelle2011.prizes.sum", "tax2015.b6.iwn-even", "koppel2019.section5.sigma-others-map")


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return [one.check() for one in claims()]


@pytest.fixture
def sample() -> list[Outcome]:
    return [claim(name).check() for name in SAMPLE]


def test_the_log_of_changes_is_up_to_date(outcomes: Sequence[Outcome]) -> None:
    problems = LogFiles().problems(outcomes)
    assert not problems, "\n".join(
        [f"verdicts or numbers changed and CHANGES-IN-NUMBERS.md does not say so; run: {COMMAND}", *problems[:20]]
    )


def test_every_verdict_carries_what_a_reader_needs(outcomes: Sequence[Outcome]) -> None:
    for outcome in outcomes:
        shown = outcome.as_dict()
        for key in ("id", "place", "statement", "verdict", "reason", "data", "fingerprint", "command"):
            assert shown[key], (outcome.claim.id, key)
        for cell in shown["cells"]:
            assert {"published", "ours", "difference", "interval", "verdict", "reason"} <= cell.keys()
            assert cell["published"], outcome.claim.id
            assert cell["ours"], outcome.claim.id


def test_unlogged_claims_are_only_those_that_need_data_without_a_record() -> None:
    left = {one.id for one in claims() if not is_settled(one)}
    assert all(name.startswith("chapelle2011.") or "mq2007" in name or "mslr" in name for name in left), left


def test_first_run_logs_every_claim_as_new_and_the_second_run_nothing(tmp_path: Path, sample: list[Outcome]) -> None:
    files = LogFiles(tmp_path)
    assert [change.what for change in files.update(sample)] == ["new"] * 3
    assert files.problems(sample) == []
    before = {path: path.read_bytes() for path in (files.verdicts, files.changes, files.page)}
    assert files.update(sample) == []
    assert {path: path.read_bytes() for path in before} == before


def cell(
    ours: str = "0.5", verdict: str = "exact", published: str = "0.5", name: str = "a.b", place: int = 1
) -> CellState:
    return CellState(name, verdict, place, "", verdict, published, ours)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (cell(), cell(), []),
        (cell(), cell(ours="0.51"), [("ours", "0.5", "0.51")]),
        (cell(), cell(published="0.52"), [("published", "0.5", "0.52")]),
        (
            cell(),
            cell(ours="0.7", verdict="not reproduced"),
            [("verdict", "exact", "not reproduced"), ("ours", "0.5", "0.7")],
        ),
        (cell(), cell(name="a.c"), [("gone", "exact", ""), ("new", "", "exact")]),
    ],
)
def test_each_kind_of_change_is_seen(before: CellState, after: CellState, expected: list[tuple[str, str, str]]) -> None:
    found = find_changes([before], [after], date="2026-01-31")
    assert [(change.what, change.before, change.after) for change in found] == expected


def named(name: str, ours: str, place: int) -> CellState:
    return CellState("a.b", "exact", place, name, "exact", "0.5", ours)


def seen(before: list[CellState], after: list[CellState]) -> list[tuple[str, str, str, str]]:
    found = find_changes(before, after, date="2026-01-31")
    return [(change.cell, change.what, change.before, change.after) for change in found]


def test_a_further_cell_of_a_known_claim_is_a_new_value_and_changes_no_other() -> None:
    before = [named("RankBoost", "0.6%", 1), named("RankSVM", "39.6%", 2)]
    inserted = [named("AdaRank", "2.5%", 1), named("RankBoost", "0.6%", 2), named("RankSVM", "39.6%", 3)]
    assert seen(before, inserted) == [("AdaRank", "new value", "", "0.5 → 2.5%")]
    assert seen(inserted, before) == [("AdaRank", "value gone", "0.5 → 2.5%", "")]


def test_cells_in_another_order_or_under_another_name_have_not_changed() -> None:
    before = [named("RankBoost", "0.6%", 1), named("RankSVM", "39.6%", 2)]
    assert seen(before, [named("RankSVM", "39.6%", 1), named("RankBoost", "0.6%", 2)]) == []
    assert seen(before, [named("Rank Boost", "0.6%", 1), named("RankSVM", "39.6%", 2)]) == []


def test_cells_without_names_are_counted() -> None:
    found = seen([cell(), cell(ours="0.9", place=2)], [cell(), cell(ours="0.8", place=2)])
    assert found == [("(2)", "ours", "0.9", "0.8")]


def test_a_note_on_the_log_stands_under_its_day() -> None:
    page = render([Change("2026-01-01", "", "", "note", "", "", "Two entries were taken out.")])
    assert page.endswith("## 2026-01-01\n\nTwo entries were taken out.\n")


def test_a_lost_cell_makes_the_state_out_of_date(tmp_path: Path, sample: list[Outcome]) -> None:
    files = LogFiles(tmp_path)
    files.update(sample)
    with files.verdicts.open("a") as file:
        file.write(f"{SAMPLE[2]},inconsistent,2,,exact,1,1\n")
    assert files.problems(sample)
    files.update(sample)
    assert files.problems(sample) == []


def test_a_changed_page_or_state_is_out_of_date(tmp_path: Path, sample: list[Outcome]) -> None:
    files = LogFiles(tmp_path)
    files.update(sample)
    files.page.write_text(files.page.read_text() + "A note by hand.\n")
    assert files.problems(sample) == ["CHANGES-IN-NUMBERS.md is not what changes.csv says"]
    files.update(sample)
    files.verdicts.write_text(files.verdicts.read_text().replace("22,865", "22,864"))
    assert files.problems(sample) == ["tax2015.b6.iwn-even: ours 'the sum is 22,864' → 'the sum is 22,865'"]


def test_a_verdict_that_changes_is_logged_with_its_reason_or_the_note(tmp_path: Path, sample: list[Outcome]) -> None:
    files = LogFiles(tmp_path)
    files.update(sample)
    other = [replace(sample[0], standin=True), *sample[1:]]
    (logged,) = files.pending(other)
    assert (logged.claim, logged.what, logged.before, logged.after) == (SAMPLE[0], "verdict", "exact", "not comparable")
    assert logged.why.startswith("a stand-in was used")
    files.update(other, note="We lost the data.")
    assert f"| `{SAMPLE[0]}` | the verdict | ● exact | ◇ not comparable | We lost the data. |" in files.page.read_text()
    assert len(files.logged()) == 4, "earlier changes stay in the log"


def test_the_page_shows_the_newest_day_first_and_keeps_bars_inside_cells() -> None:
    old = Change("2026-01-01", "a.b", "", "ours", "|x|", "", "")
    page = render([old, replace(old, date="2026-02-01", claim="a.c")])
    assert page.index("2026-02-01") < page.index("2026-01-01")
    assert "\\|x\\|" in page


def test_a_crash_while_writing_loses_no_change(
    tmp_path: Path, sample: list[Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = LogFiles(tmp_path)
    original = module._write

    def crash(path: Path, text: str) -> None:
        if path == files.verdicts:
            raise OSError("disk full")
        original(path, text)

    monkeypatch.setattr(module, "_write", crash)
    with pytest.raises(OSError, match="disk full"):
        files.update(sample)
    monkeypatch.undo()
    assert len(files.pending(sample)) == 3


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    files = LogFiles(tmp_path)
    files.verdicts.parent.mkdir(parents=True)
    files.verdicts.write_text("claim,verdict\n")
    with pytest.raises(RecordError, match="the columns are wrong"):
        files.stored()


def test_the_command_checks_logs_and_tells(
    tmp_path: Path, sample: list[Outcome], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ltrlib.cli.claims._checked", lambda paper: sample)
    monkeypatch.setattr("ltrlib.claims.changes.LogFiles", lambda: LogFiles(tmp_path))
    assert main(["claims", "changes", "--check"]) == 1
    assert f"to do: {COMMAND}" in capsys.readouterr().out
    assert not (tmp_path / "CHANGES-IN-NUMBERS.md").exists()
    assert main(["claims", "changes"]) == 0
    assert "3 changes logged in CHANGES-IN-NUMBERS.md" in capsys.readouterr().out
    assert main(["claims", "changes", "--check"]) == 0


def test_states_are_one_line_each(outcomes: Sequence[Outcome]) -> None:
    assert all("\n" not in f"{state}" for state in states(outcomes))
