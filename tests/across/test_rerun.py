"""Protects the numbers of the chapter "Run it yourself": costs and the model of how they scale."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltrlib.across.rerun.runs import COLUMNS, read_costs
from ltrlib.across.rerun.tables import (
    SweepModel,
    fit_model,
    jobs_of_the_book,
    makespan,
    overhead,
    rerun_table,
    runs_behind,
)

JOBS = st.lists(st.integers(1, 50), min_size=1, max_size=7)


@pytest.mark.parametrize("what", list(COLUMNS))
def test_what_was_measured_can_be_read(what: str) -> None:
    assert (read_costs(what).table["seconds"] > 0).all()


def test_the_overhead_of_a_point_is_below_half_a_second_beyond_noise() -> None:
    """Beyond the kernel's start and the chapter's own work; plain and as a point, in turns of one run."""
    found = overhead(read_costs("overhead").table)
    assert (found["mean"] + 2 * found["standard_error"] < 0.5).all()


@given(JOBS, st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_handing_out_the_longest_first_is_near_the_best_schedule(jobs: list[int], workers: int) -> None:
    """Never better than the best of all assignments, never more than a third above it (Graham 1969)."""
    loads = (
        np.bincount(places, weights=jobs, minlength=workers).max()
        for places in itertools.product(range(workers), repeat=len(jobs))
    )
    best = min(loads)
    assert best <= makespan(jobs, workers) <= best * (4 / 3 - 1 / (3 * workers)) + 1e-9


def test_more_workers_never_take_longer_and_the_longest_job_is_the_end_of_it() -> None:
    jobs = jobs_of_the_book()
    table = rerun_table(jobs)
    assert table["hours"].is_monotonic_decreasing
    assert table["hours"].iloc[0] == pytest.approx(jobs["seconds"].sum() / 3600)
    assert table["hours"].iloc[-1] >= jobs["seconds"].max() / 3600
    assert (table["hours if cut up"] <= table["hours"] + 1e-9).all()


def test_records_of_one_run_are_paid_for_once() -> None:
    """A run tells each of its records the time so far; the same command at another time is another run."""
    stories = [
        {"name": name, "command": command, "made": f"2026-01-01T{made}+00:00", "wall_time_s": seconds}
        for name, command, made, seconds in [
            ("first", "a", "10:01:00", 60.0),
            ("second", "a", "10:05:00", 300.0),
            ("same", "a", "10:05:01", 300.0),
            ("other command", "b", "10:05:00", 300.0),
            ("later", "a", "11:00:00", 60.0),
        ]
    ]
    assert runs_behind(stories) == {"second": 300.0, "other command": 300.0, "later": 60.0}


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
