"""Protects the making of records: nothing is done twice, nothing is lost, nothing is written by halves."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ltrlib.errors import RecordError
from ltrlib.project import ROOT
from ltrlib.records import checking, working
from ltrlib.records.checking import check
from ltrlib.records.making import Run, all_runs, select
from ltrlib.records.pieces import perform
from ltrlib.records.working import make
from tests.records import example_runs


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    monkeypatch.setenv("SQUARES_DONE", str(tmp_path / "done.txt"))
    monkeypatch.setenv("SQUARES_TO", str(tmp_path / "results"))
    return {"folder": tmp_path / "pieces", "to": tmp_path / "results"}


def worked(places: dict[str, Path]) -> list[int]:
    path = places["folder"].parent / "done.txt"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def test_a_record_holds_the_rows_of_all_pieces_in_their_order(places: dict[str, Path]) -> None:
    summary = make([example_runs.squares], **places)  # type: ignore[arg-type]
    record = example_runs.SQUARES.read(folder=places["to"])
    assert summary.made == ["example/squares"]
    assert record.table["x"].tolist() == list(range(6))
    assert record.provenance["seeds"] == [1]
    assert record.provenance["command"] == "ltrlib record example/squares"
    assert not record.is_stale


def test_a_second_call_does_no_piece_again_and_reports_no_difference(places: dict[str, Path]) -> None:
    make([example_runs.squares], **places)  # type: ignore[arg-type]
    summary = make([example_runs.squares], **places)  # type: ignore[arg-type]
    assert worked(places) == list(range(6))
    assert summary.made == ["example/squares"]
    assert not summary.changed


def test_what_a_killed_run_had_finished_is_not_done_again(places: dict[str, Path], tmp_path: Path) -> None:
    code = (
        "from pathlib import Path\n"
        "from ltrlib.records.working import make\n"
        "from tests.records import example_runs as e\n"
        f"make([e.squares], folder=Path({str(places['folder'])!r}), to=Path({str(places['to'])!r}))"
    )
    environment = {
        "SQUARES_DONE": str(tmp_path / "done.txt"),
        "SQUARES_DIE_AT": "4",
        "PATH": "/usr/bin",
        "HOME": "/tmp",
    }
    killed = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True)
    assert killed.returncode == 9
    assert not (places["to"] / "example").exists()
    make([example_runs.squares], **places)  # type: ignore[arg-type]
    assert worked(places) == [0, 1, 2, 3, 4, 4, 5]
    assert len(example_runs.SQUARES.read(folder=places["to"]).table) == 6


def test_a_run_waits_for_the_record_that_it_reads_and_joins_in_its_own_way(places: dict[str, Path]) -> None:
    make([example_runs.squares, example_runs.sums], **places)  # type: ignore[arg-type]
    assert example_runs.SUMS.read(folder=places["to"]).table["total"].tolist() == [pytest.approx(2 * 55 / 3)]


def test_two_workers_make_the_same_record_as_one(places: dict[str, Path], tmp_path: Path) -> None:
    runs = [example_runs.squares, example_runs.sums]
    make(runs, workers=2, **places)  # type: ignore[arg-type]
    two = example_runs.SQUARES.read(folder=places["to"])
    make(runs, folder=tmp_path / "other", to=places["to"])
    one = example_runs.SQUARES.read(folder=places["to"])
    pd.testing.assert_frame_equal(one.table[["x", "square"]], two.table[["x", "square"]])
    assert one.provenance["pieces"] == two.provenance["pieces"]


def test_no_piece_begins_after_the_time_is_up_and_no_half_record_is_written(places: dict[str, Path]) -> None:
    summary = make([example_runs.squares], minutes=1e-12, **places)  # type: ignore[arg-type]
    assert summary.left == {"example/squares": 6}
    assert not places["to"].exists()


def test_a_run_that_fails_does_not_stop_the_others(places: dict[str, Path]) -> None:
    summary = make([example_runs.broken, example_runs.squares], **places)  # type: ignore[arg-type]
    assert list(summary.failed) == ["example/broken"]
    assert "no such data" in summary.failed["example/broken"]
    assert summary.made == ["example/squares"]


def test_a_damaged_piece_is_done_again(places: dict[str, Path]) -> None:
    make([example_runs.squares], **places)  # type: ignore[arg-type]
    piece = next(places["folder"].rglob("*.json"))
    piece.write_text(piece.read_text()[:40])
    make([example_runs.squares], **places)  # type: ignore[arg-type]
    assert len(worked(places)) == 7


def test_a_piece_that_read_a_file_which_has_changed_since_is_done_again(places: dict[str, Path]) -> None:
    make([example_runs.squares], **places)  # type: ignore[arg-type]
    piece = next(places["folder"].rglob("*.json"))
    kept = json.loads(piece.read_text())
    piece.write_text(json.dumps(kept | {"inputs": {"file:data/registry.yml": "0000"}}))
    make([example_runs.squares], **places)  # type: ignore[arg-type]
    assert len(worked(places)) == 7


def test_a_check_finds_the_same_numbers_and_keeps_nothing(places: dict[str, Path]) -> None:
    make([example_runs.squares], **places)  # type: ignore[arg-type]
    kept = sorted(places["folder"].rglob("*"))
    found = check(example_runs.squares, folder=places["to"])
    assert (found.repeated, found.of, found.unlike) == (6, 6, [])
    assert sorted(places["folder"].rglob("*")) == kept


def test_a_check_of_a_part_finds_a_piece_that_is_not_what_was_recorded(
    places: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    make([example_runs.squares], **places)  # type: ignore[arg-type]
    assert check(example_runs.squares, minutes=1e-9, folder=places["to"]).unlike == []

    def other(do: Any, piece: Any) -> Any:
        result, *rest = perform(do, piece)
        return result.assign(square=result["square"] + 1e-15), *rest

    monkeypatch.setattr(checking, "perform", other)
    found = check(example_runs.squares, minutes=1e-9, folder=places["to"])
    assert (found.repeated, found.of, len(found.unlike)) == (1, 6, 1)


def other_code(record: Any) -> dict[str, Any]:
    """The provenance of a record that other code made."""
    return dict(record.provenance) | {"code": record.provenance["code"] | {"fingerprint": "0" * 16, "definitions": {}}}


def test_pieces_that_come_out_the_same_make_a_record_current_again_and_it_says_so(places: dict[str, Path]) -> None:
    make([example_runs.squares], **places)  # type: ignore[arg-type]
    path = places["to"] / "example" / "squares.provenance.json"
    path.write_text(json.dumps(other_code(example_runs.SQUARES.read(folder=places["to"]))))
    before = example_runs.SQUARES.read(folder=places["to"])
    assert before.is_stale
    found = check(example_runs.squares, folder=places["to"])
    assert checking.note_repetition(example_runs.squares, found, folder=places["to"]) == "noted in the record"
    after = example_runs.SQUARES.read(folder=places["to"])
    assert not after.is_stale
    assert after.repeated is not None
    assert after.repeated[:2] == (6, 6)
    assert "6 of 6 pieces are equal bit by bit" in after.describe()
    assert after.fingerprint == before.fingerprint, "who made it stays"
    later = dict(after.provenance) | {"repeated": after.provenance["repeated"] | {"code": before.provenance["code"]}}
    path.write_text(json.dumps(later))
    assert example_runs.SQUARES.read(folder=places["to"]).is_stale, "the proof is for the code of its day"


def test_too_few_pieces_or_a_different_one_prove_nothing(places: dict[str, Path]) -> None:
    make([example_runs.squares], **places)  # type: ignore[arg-type]
    path = places["to"] / "example" / "squares.provenance.json"
    path.write_text(json.dumps(other_code(example_runs.SQUARES.read(folder=places["to"]))))
    text = path.read_text()
    few, unlike = checking.Checked(4, 6, []), checking.Checked(6, 6, ["x"])
    assert "5 pieces" in checking.note_repetition(example_runs.squares, few, folder=places["to"])
    assert "differs" in checking.note_repetition(example_runs.squares, unlike, folder=places["to"])
    assert path.read_text() == text


def test_a_record_that_differs_in_its_last_bits_says_how_little_and_which_processor_made_it(
    places: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make([example_runs.squares], **places)  # type: ignore[arg-type]
    provenance = next(places["to"].rglob("squares.provenance.json"))
    made = json.loads(provenance.read_text())
    made["machine"]["cpu"] = "Another Processor"
    provenance.write_text(json.dumps(made))

    def other(do: Any, piece: Any) -> Any:
        result, *rest = perform(do, piece)
        return result.assign(square=result["square"] + 0.25), *rest

    for module in (checking, working):
        monkeypatch.setattr(module, "perform", other)
    assert "Another Processor made the record" in check(example_runs.squares, folder=places["to"]).unlike[-1]
    summary = make([example_runs.squares], folder=tmp_path / "other", to=places["to"])
    assert summary.changed["example/squares"].startswith(
        "6 of 6 rows differ in square, by 0.2 at most (Another Processor"
    )


def test_work_is_counted_in_processor_time_so_waiting_costs_nothing() -> None:
    _, seconds, _, _ = perform(example_runs.wait, {"seconds": 0.3})
    assert seconds < 0.2


def test_measured_columns_do_not_count_as_a_difference(places: dict[str, Path], tmp_path: Path) -> None:
    make([example_runs.squares], **places)  # type: ignore[arg-type]
    summary = make([example_runs.squares], folder=tmp_path / "other", to=places["to"])
    assert not summary.changed


def test_a_run_that_measures_time_cannot_be_checked(places: dict[str, Path]) -> None:
    timed = Run(tables=(example_runs.SQUARES,), do=example_runs.square, measures=True)
    with pytest.raises(RecordError, match="measures time"):
        check(timed, folder=places["to"])


def test_records_that_wait_for_each_other_are_refused() -> None:
    runs = [
        Run(tables=(example_runs.SQUARES,), do=example_runs.square, after=(example_runs.SUMS,)),
        Run(tables=(example_runs.SUMS,), do=example_runs.total, after=(example_runs.SQUARES,)),
    ]
    from ltrlib.records.making import _in_order

    with pytest.raises(RecordError, match="wait for each other"):
        _in_order(runs)


def test_every_table_of_a_run_names_a_maker_that_exists_and_every_record_has_a_run() -> None:
    from ltrlib.records.definitions import find_code

    made = {table.name: table for run in all_runs() for table in run.tables}
    for table in made.values():
        assert find_code(table.maker).count > 0, table.name
    on_disk = {
        str(path.relative_to(ROOT / "data" / "results")).removesuffix(".provenance.json")
        for path in (ROOT / "data" / "results").rglob("*.provenance.json")
    }
    assert on_disk <= set(made)


def test_a_folder_stands_for_all_of_its_records() -> None:
    runs = [example_runs.squares, example_runs.sums]
    assert select(runs, ["example"]) == runs
    assert select(runs, ["example/sums"]) == [example_runs.sums]
