"""Protects the experiments on ERR and NDCG: simulated users against the closed form, and the population of rankers."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltrlib.errors import UsageError
from ltrlib.metrics import evaluate
from ltrlib.papers.chapelle2011.challenge import NAMES
from ltrlib.papers.chapelle2011.metrics import runs, tables
from ltrlib.papers.chapelle2011.metrics.cascade import (
    Ranked,
    cascade_against_formula,
    expected_reward,
    pfound,
    satisfaction,
    simulate_cascade,
)
from ltrlib.papers.chapelle2011.records import CORRELATION, correlation_table
from ltrlib.records import working
from tests.helpers.rankers import make

LABELS = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=12), min_size=1, max_size=6)

# --- the cascade user ---


@given(LABELS, st.integers(0, 2**31))
@settings(deadline=None, max_examples=40)
def test_users_stop_as_the_closed_form_says(lists: list[list[int]], seed: int) -> None:
    """Six standard errors: a wrong probability or rank shows, chance does not."""
    labels = np.array([y for one in lists for y in one], np.int32)
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in lists])])
    users = 4000
    stops = simulate_cascade(labels, offsets, users=users, seed=seed)
    exact = evaluate("err:yahoo", labels, -np.arange(len(labels), dtype=float), offsets)["err:yahoo"].per_query
    limit = 6 * np.sqrt(np.maximum(stops.var(axis=1), 1e-4) / users)
    assert (np.abs(stops.mean(axis=1) - exact) < limit).all()


def test_a_user_reads_no_deeper_than_told_and_stops_only_at_whole_ranks() -> None:
    labels, offsets = np.full(30, 1, np.int32), np.array([0, 20, 30])
    whole, page = (simulate_cascade(labels, offsets, users=3000, depth=depth) for depth in (None, 10))
    ranks = np.rint(1 / whole[whole > 0]).astype(int)
    assert set(ranks) == set(range(1, 21))
    assert (1 / page[page > 0]).max() == 10
    np.testing.assert_allclose((whole > 0).mean(axis=1), [1 - (15 / 16) ** 20, 1 - (15 / 16) ** 10], atol=0.04)


def test_the_probability_of_satisfaction_is_that_of_equation_2() -> None:
    np.testing.assert_array_equal(satisfaction(np.arange(5, dtype=np.int32)), [0, 1 / 16, 3 / 16, 7 / 16, 15 / 16])
    with pytest.raises(UsageError, match="0 users"):
        simulate_cascade(np.zeros(1, np.int32), np.array([0, 1]), users=0)


def test_the_simulation_ranks_as_the_metric_does_ties_included() -> None:
    data = make(np.zeros((4, 1)), [0, 4, 4, 0], [2, 2])
    ranked = Ranked(data, np.array([1.0, 1.0, 0.0, 2.0]))
    assert ranked.labels.tolist() == [0, 4, 0, 4]
    table = cascade_against_formula(data, ranked.scores, users=5000)
    np.testing.assert_allclose(table["formula"], 15 / 32)
    assert (table["deviation"].abs() < 6).all()


# --- many rankers ---


def test_a_population_is_drawn_the_same_each_time_and_spans_bad_and_good(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        place = tmp_path / name
        summary = working.make([runs.correlation_run("standin/mq2008", count=6)], folder=place, to=place)
        assert summary.made == ["chapelle2011/correlation-standin-mq2008"]
        found.append(correlation_table("standin/mq2008").read(folder=place).table)
    pd.testing.assert_frame_equal(found[0], found[1])
    assert found[0]["kind"].value_counts(sort=False).to_dict() == dict.fromkeys(runs.KINDS, 6)
    assert found[0]["ndcg"].max() - found[0]["ndcg"].min() > 0.05


def test_which_rankers_are_drawn_of_one_kind_does_not_depend_on_training_the_others() -> None:
    train, _ = runs.load_pair("standin/mq2008")
    whole = [one.details for one in runs.draw(train, count=3)]
    assert whole == [one.details for one in runs.draw(train, count=3)]
    assert len(whole) == 3 * len(runs.KINDS)


def test_the_parameters_of_a_record_tell_how_many_queries_were_scored() -> None:
    _, judged = runs.load_pair("standin/mq2008")
    assert runs.correlation_run("standin/mq2008").parameters["queries"] == judged.n_queries
    for run in runs.CORRELATION:
        assert run.tables[0].read().provenance["parameters"] == run.parameters


# --- the records that the chapter reads ---


def test_the_tool_of_the_challenge_gives_the_ndcg_of_the_challenge() -> None:
    """What every tool's NDCG is recorded for is the ranking that the chapter shows."""
    for table in CORRELATION.values():
        scores = table.read().table
        assert len(scores) >= 200
        np.testing.assert_allclose(scores["ndcg"], scores["ndcg:yahoo"])


def test_the_table_of_agreement_shows_the_printed_number_and_every_record() -> None:
    records = tables.correlations()
    shown = tables.agreement_table(records).set_index("data")
    assert list(shown.index) == ["track 1, as printed", *(NAMES[key] for key in records)]
    numbers = tables.agreement_numbers(records)
    assert shown.loc["OHSUMED", "tau, all rankers"] == numbers["tau-ohsumed"]
    assert shown["tau, all rankers"].iloc[0] == numbers["kendall"]


def test_the_summary_quotes_the_printed_tau_and_ours() -> None:
    from ltrlib.papers.chapelle2011.metrics import cascade, live, tables

    ranked, found = live.rank_by_text_match("standin/mq2008"), tables.correlations()
    comparison = cascade.cascade_against_formula(ranked.data, ranked.scores, users=20)
    stops = cascade.simulate_cascade(ranked.labels, ranked.data.query_offsets, users=20)
    users, tau, _ = tables.summary(comparison, stops, found)
    assert f"{ranked.data.n_queries * 20:,} simulated visits" in users
    assert f"0.89 in the paper, {tables.agreement_numbers(found)['tau-ohsumed']} over our rankers" in tau


def test_pfound_is_what_its_makers_program_prints() -> None:
    """CatBoost, like pFound, comes from Yandex; labels there are chances of satisfaction."""
    eval_metric = pytest.importorskip("catboost.utils").eval_metric
    rng = np.random.default_rng(0)
    for _ in range(20):
        chances = [Fraction(int(label), 16) for label in rng.integers(0, 16, 6)]
        scores = -np.arange(len(chances), dtype=float)
        stay = Fraction(17, 20)
        (theirs,) = eval_metric(
            [float(chance) for chance in chances], scores, f"PFound:decay={float(stay)}", group_id=[0] * len(chances)
        )
        assert theirs == pytest.approx(float(pfound(chances, stay)))


def test_the_users_of_algorithm_2_earn_err() -> None:
    labels = [2, 0, 4, 1]
    chances = [Fraction(2**label - 1, 16) for label in labels]
    earned = expected_reward(chances, Fraction(1), lambda rank: Fraction(1, rank))
    ours = evaluate("err:yahoo", labels, [4.0, 3.0, 2.0, 1.0], [0, 4])["err:yahoo"].mean
    assert float(earned) == pytest.approx(ours)
