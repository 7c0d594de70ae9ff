"""Protects the numbers of the chapter "Run it yourself": measured costs, and the model of how they scale."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltrlib.across.rerun import runs, tables
from ltrlib.across.rerun.tables import Job, SweepModel, fit_model, hours, makespan, overhead, piece_seconds, rerun_table
from ltrlib.records.making import Piece, Run, all_runs, select
from ltrlib.records.record import Table, read_any, write_record
from ltrlib.records.working import make
from ltrlib.sweeps import records
from ltrlib.sweeps.description import read_sweep
from tests.helpers.sweeps import CHAPTER

PACE = {1: 1.0, 2: 1.25}
MAKER = "ltrlib.compiled:compiled"  # any definition of ltrlib will do


@st.composite
def books(draw: st.DrawFn) -> list[Job]:
    """Jobs of which each may wait for earlier ones."""
    pieces = draw(st.lists(st.lists(st.integers(1, 50), min_size=1, max_size=5), min_size=1, max_size=5))
    after = [draw(st.sets(st.integers(0, number - 1))) if number else set() for number in range(len(pieces))]
    return [
        Job(str(number), tuple(map(float, one)), tuple(map(str, sorted(waits))))
        for number, (one, waits) in enumerate(zip(pieces, after, strict=True))
    ]


def longest_chain(jobs: list[Job]) -> float:
    """Seconds of the longest chain of pieces that wait for each other."""
    ends: dict[str, float] = {}
    for job in jobs:
        ends[job.name] = max((ends[name] for name in job.after), default=0.0) + max(job.pieces)
    return max(ends.values())


# --- what was measured ---


@pytest.mark.parametrize(
    "table", [records.CHAPTERS, records.OVERHEAD, records.RECORDING, records.WORKERS], ids=lambda table: table.short
)
def test_what_was_measured_can_be_read(table: Table) -> None:
    assert (table.read().table["seconds"] > 0).all()


def test_the_overhead_of_a_point_is_below_half_a_second_beyond_noise() -> None:
    """Beyond the kernel's start and the chapter's own work; plain and as a point, in turns of one run."""
    mean, error = overhead(records.OVERHEAD.read().table)
    assert mean + 2 * error < 0.5


def test_every_page_that_computes_something_is_timed() -> None:
    names = [piece["chapter"] for piece in runs.CHAPTERS.pieces()]
    assert {"01-scoreboard", "50-run-it-yourself", "data-cards"} <= set(names)
    assert not {"bibliography", "status"} & set(names)


def test_records_are_timed_that_need_no_data_set() -> None:
    """So that everybody can measure it, and some that last long enough to say something."""
    chosen = select(all_runs(), runs.RECORDED)
    assert len(chosen) == len(runs.RECORDED)
    for run in chosen:
        assert not run.measures
        assert not run.tables[0].read().provenance["data"]


def test_the_pace_of_two_workers_is_the_time_on_the_clock_by_their_fair_share() -> None:
    """Hand-worked: 120 s of work on two workers is 60 s each; it took 90 s."""
    measured = pd.DataFrame(
        {"workers": [1, 2, 2], "seconds": [100.0, 90.0, 90.0], "work_seconds": [100.0, 120.0, 120.0]}
    )
    assert tables.paces(measured) == {1: 1.0, 2: 1.5}
    one = [Job("a", (3600.0,) * 4)]
    assert rerun_table(one, {1: 1.0, 2: 1.5})["hours"].tolist() == [4.0, 3.0, 1.5, 1.5]


def test_the_run_names_the_chapter_and_the_points_of_its_sweep() -> None:
    sweep = read_sweep("conventions")
    assert runs.CONVENTIONS.parameters == {"chapter": sweep.chapter.path.stem, "points": len(sweep.points)}


def test_a_recorded_sweep_is_made_point_by_point_and_notes_what_its_kernel_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small chapter in the place of the book's: two points, one record."""
    chapter = CHAPTER.replace(
        "print(", "from ltrlib.project import project_data; project_data('sweeps', 'gbdt-size.yml').read_text()\nprint("
    )
    (tmp_path / "squares.md").write_text(chapter)
    (tmp_path / "squares.yml").write_text("chapter: squares.md\ngrid: {number: [2, 4]}\n")
    columns = {"point": "str", "param_number": "int", "metric": "str", "value": "float", "seconds": "measured"}
    table = Table("sweeps/squares", columns, maker=MAKER)
    monkeypatch.setattr(runs, "read_sweep", lambda name: read_sweep(tmp_path / f"{name}.yml"))
    monkeypatch.setattr(records, "CONVENTIONS", table)
    monkeypatch.setattr(runs, "chapter_state", lambda name: "0123")
    run = Run(tables=(table,), pieces=runs.CONVENTIONS.pieces, do=runs.CONVENTIONS.do)
    summary = make([run], folder=tmp_path / "pieces", to=tmp_path)
    assert summary.made == ["sweeps/squares"], summary.failed
    record = table.read(folder=tmp_path)
    assert record.table["value"].tolist() == [4.0, 16.0]
    assert record.provenance["inputs"]["chapter:squares"] == "0123"
    assert "file:data/sweeps/gbdt-size.yml" in record.provenance["inputs"]


# --- what the whole book costs ---


@given(books(), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_no_schedule_is_shorter_than_its_chain_and_ours_wastes_no_more_than_it(jobs: list[Job], workers: int) -> None:
    """Graham (1969): at most a fair share of the work and, while a worker is idle, the longest chain."""
    work, chain = sum(job.seconds for job in jobs), longest_chain(jobs)
    found = makespan(jobs, workers)
    assert max(work / workers, chain) - 1e-9 <= found <= work / workers + (1 - 1 / workers) * chain + 1e-9


@given(books())
@settings(max_examples=30, deadline=None)
def test_with_a_worker_for_every_piece_only_the_longest_chain_counts(jobs: list[Job]) -> None:
    assert makespan(jobs, 100) == pytest.approx(longest_chain(jobs))
    assert makespan(jobs, 1) == pytest.approx(sum(job.seconds for job in jobs))


def test_what_measures_time_waits_for_everything_else_and_shares_with_nothing() -> None:
    jobs = [Job("measured", (3600.0, 3600.0), alone=True), Job("trained", (7200.0, 7200.0))]
    assert hours(jobs, 2) == 4.0
    assert hours(jobs, 128) == 4.0


@pytest.fixture(scope="module")
def book() -> list[Job]:
    return tables.jobs_of_the_book()


def test_every_record_is_paid_for_once_and_waits_only_for_what_is_there(book: list[Job]) -> None:
    names = [job.name for job in book]
    assert len(set(names)) == len(names)
    assert {"own/queries", "own/ceilings", "sweeps/conventions", tables.PAGES} <= set(names)
    assert "own/values" not in names, "it comes with own/queries"
    assert all(set(job.after) <= set(names) - {job.name} for job in book)
    for job in book:
        if job.name.startswith("own/"):
            assert job.seconds == pytest.approx(read_any(job.name).work)


def test_more_workers_never_take_longer_and_pieces_never_take_longer_than_whole_runs(book: list[Job]) -> None:
    table = rerun_table(book, PACE)
    assert table["hours"].is_monotonic_decreasing
    assert table["hours"].iloc[0] == pytest.approx(sum(job.seconds for job in book) / 3600)
    alone = sum(job.seconds for job in book if job.alone)
    longest = max(max(job.pieces) for job in book if not job.alone)
    assert table["hours"].iloc[-1] >= (alone + longest) / 3600
    assert (table["hours"] <= table["hours, runs as a whole"] + 1e-9).all()


def test_the_prose_on_the_whole_book_agrees_with_the_table(book: list[Job]) -> None:
    numbers, table = tables.numbers_of_rerun(book, PACE), rerun_table(book, PACE).set_index("workers")
    assert numbers["one-worker-hours"] == f"{table['hours'][1]:.1f}"
    assert numbers["two-workers-hours"] == f"{table['hours'][2]:.1f}"
    assert float(numbers["most-workers-minutes"]) == pytest.approx(60 * table["hours"][128], abs=0.5)
    assert int(numbers["runs"]) == len(book) - 1


TRAININGS = Table(
    "example/trainings", {"learner": "str", "fold": "int", "seed": "int", "seconds": "measured"}, maker=MAKER
)
SQUARES = Table("example/squares", {"x": "int"}, maker=MAKER)


def folds() -> list[Piece]:
    """Pieces with two rows each in the table of trainings."""
    return [{"learner": "a", "fold": 1}, {"learner": "a", "fold": 2}]


def nothing(piece: Piece) -> pd.DataFrame:
    """Stand in for the work."""
    raise AssertionError("no work is done to tell what it costs")


def test_the_time_of_a_run_is_divided_by_the_seconds_of_its_rows_or_equally(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = {"learner": "a", "fold": [1, 1, 2, 2], "seed": [0, 1, 0, 1], "seconds": [1.0, 2.0, 3.0, 3.0]}
    write_record(
        TRAININGS.name, pd.DataFrame(rows).astype({"learner": "str"}), maker=[MAKER], work=18.0, folder=tmp_path
    )
    write_record(SQUARES.name, pd.DataFrame({"x": [1, 4]}), maker=[MAKER], work=18.0, folder=tmp_path)
    monkeypatch.setattr("ltrlib.records.record.project_data", lambda *parts: tmp_path)
    assert piece_seconds(Run(tables=(TRAININGS,), pieces=folds, do=nothing)) == (6.0, 12.0)
    assert piece_seconds(Run(tables=(SQUARES,), pieces=folds, do=nothing)) == (9.0, 9.0)
    assert piece_seconds(Run(tables=(SQUARES,), do=nothing)) == (18.0,)


# --- sweeps ---


def test_the_model_gives_back_what_it_was_made_from() -> None:
    model = SweepModel(seconds=10.0, crowding=1.2, serial=0.5)
    rows = [
        {"workers": workers, "turn": 0, "points": 8, "seconds": model.time(8, workers), "busy_seconds": busy}
        for workers, busy in ((1, 80.0), (2, 96.0))
    ]
    fitted = fit_model(pd.DataFrame(rows))
    assert fitted == model
    assert fitted.speedup(8, 2) == pytest.approx(84.0 / 50.0)
    assert fitted.speedup(10_000, 128) <= model.seconds / model.serial + 1
