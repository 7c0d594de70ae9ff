"""Protects the bootstrap of the training queries: what is drawn, what is compared, and what its errors mean."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ltrlib.claims.registry import claims
from ltrlib.datasets.loading import load
from ltrlib.errors import RecordError
from ltrlib.metrics.engine import Evaluator
from ltrlib.papers.busafekete2012.study.learners import metric_of
from ltrlib.papers.busafekete2012.study.training import ranker_of
from ltrlib.papers.busafekete2012.teaching.changes import change_of, margin_of
from ltrlib.papers.busafekete2012.teaching.plans import BASELINE, LEARNERS, MEANINGFUL, PLANS, SAMPLES, lessons_for
from ltrlib.papers.busafekete2012.teaching.records import WEIGHTS, runs_of
from ltrlib.papers.busafekete2012.teaching.resampling import draw_counts, empty_queries, resample, without_empty
from ltrlib.papers.busafekete2012.teaching.runs import taught
from ltrlib.papers.busafekete2012.teaching.tables import all_found, changes_table, last_shares, summary
from ltrlib.papers.busafekete2012.teaching.weights import query_weights
from ltrlib.rankers.adarank import AdaRank
from ltrlib.rankers.cross_validation import Fold, load_fold

SMALL = load_fold("standin/mq2008", 1, scale=0.2)
SETS = [load("standin/mq2008", f"Fold{number}/test", scale=0.2) for number in range(1, 6)]


# --- what is drawn ---


def test_a_draw_keeps_the_size_of_each_set_and_every_fold_sees_the_same_draw() -> None:
    counts = draw_counts(SETS, 3)
    for part in SETS:
        assert sum(counts[query] for query in part.query_ids.tolist()) == part.n_queries
    train = resample(SMALL.train, counts)
    assert train.n_queries == sum(counts[query] for query in SMALL.train.query_ids.tolist())
    again = resample(load_fold("standin/mq2008", 2, scale=0.2).train, counts)
    shared = set(train.query_ids.tolist()) & set(SMALL.train.query_ids.tolist())
    others = set(load_fold("standin/mq2008", 2, scale=0.2).train.query_ids.tolist())
    assert shared & others <= set(again.query_ids.tolist())


def test_a_copy_of_a_query_has_the_documents_of_the_query() -> None:
    counts = dict.fromkeys(SMALL.train.query_ids.tolist(), 0) | {SMALL.train.query_ids[4]: 3}
    drawn, once = resample(SMALL.train, counts), SMALL.train.select_queries([4])
    assert drawn.n_queries == 3
    assert np.array_equal(drawn.features, np.tile(once.features, (3, 1)))
    assert np.array_equal(drawn.labels, np.tile(once.labels, 3))


def test_a_draw_leaves_out_a_good_third_of_the_queries() -> None:
    counts = draw_counts([load("standin/mq2008", "Fold1/test", scale=5.0)], 1)
    assert np.mean([count == 0 for count in counts.values()]) == pytest.approx(np.exp(-1), abs=0.05)


def test_without_empty_drops_those_and_only_those_whose_labels_are_all_0() -> None:
    kept = without_empty(SMALL.train)
    assert kept.n_queries == SMALL.train.n_queries - empty_queries(SMALL.train).sum()
    assert not empty_queries(kept).any()


# --- what is taught ---


@pytest.mark.slow
def test_coordinate_ascent_learns_the_same_with_and_without_the_empty_queries() -> None:
    """Under RANKLIB they add 0 to every sum; only its tolerance, which is absolute, could tell the two apart."""
    plan = PLANS["standin/mq2008"]
    found = taught("CoordinateAscent", ["ranklib", MEANINGFUL], SMALL, seed=1, plan=plan)
    test = SMALL.test.features
    assert np.allclose(found["ranklib"].predict(test), found[MEANINGFUL].predict(test))


def test_only_adarank_is_taught_by_yahoo() -> None:
    assert [one for one in LEARNERS if "yahoo" in lessons_for(one, ["ranklib", "yahoo"])] == ["AdaRank"]


@pytest.mark.parametrize("convention", ["ranklib", "yahoo"])
def test_the_followed_weights_are_those_from_which_adarank_took_its_alphas(convention: str) -> None:
    ranker = ranker_of("AdaRank", metric_of(convention), seed=0).fit(SMALL.train, SMALL.vali)
    assert isinstance(ranker, AdaRank)
    metric = metric_of(convention)
    evaluator = Evaluator(metric, SMALL.train.labels, SMALL.train.query_offsets)
    for weights, feature, alpha in zip(
        query_weights(ranker, SMALL.train), ranker.feature_, ranker.alpha_, strict=False
    ):
        value = evaluator(SMALL.train.features[:, feature].astype(float))[metric].per_query
        # ½ ln(Σ P(1 + E) / Σ P(1 − E))
        expected = 0.5 * np.log((weights @ (1 + value)) / (weights @ (1 - value)))
        assert alpha == pytest.approx(expected)


# --- what the errors mean ---


def simulated(
    training: float, testing: float, *, samples: int = 30, queries: int = 400
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Recorded tables in which a lesson changes each query by chance, and all queries of a sample together."""
    rng = np.random.default_rng(0)
    by_sample, by_query = rng.normal(0, training, samples), rng.normal(0, testing, queries)
    runs, rows = [], []
    for lesson, on in ((BASELINE, 0), ("letor4", 1)):
        runs += [("L", lesson, 1, s, queries, 0.5 + on * (d + by_query.mean())) for s, d in enumerate(by_sample)]
        rows += [("L", lesson, 1, str(q), 0.5 + on * (d + by_sample.mean())) for q, d in enumerate(by_query)]
    names = ["learner", "taught", "fold"]
    return (
        pd.DataFrame(runs, columns=[*names, "sample", "queries", "ranklib"]),
        pd.DataFrame(rows, columns=[*names, "query", "ranklib"]),
    )


def test_both_kinds_of_luck_are_in_the_interval() -> None:
    found = change_of(*simulated(0.02, 0.2), "L", "letor4")
    assert found.training_error == pytest.approx(0.02, rel=0.25)
    assert found.query_error == pytest.approx(0.2 / np.sqrt(400), rel=0.1)
    assert found.measured.standard_error == pytest.approx(np.hypot(found.training_error, found.query_error))


def test_more_samples_do_not_average_the_luck_of_training_away() -> None:
    few, many = (change_of(*simulated(0.02, 0.0, samples=n), "L", "letor4").training_error for n in (30, 300))
    assert many == pytest.approx(few, rel=0.35)


def test_the_margin_is_one_error_bar_and_shrinks_with_the_root_of_the_queries() -> None:
    assert 0.01 < margin_of("mq2008") < 0.02
    assert margin_of("standin/mq2008") == pytest.approx(margin_of("mq2008") / np.sqrt(10))


# --- what was recorded ---


def test_empty_queries_gain_weight_in_each_fold_under_ranklib_and_lose_it_under_yahoo() -> None:
    weights = WEIGHTS.read().table
    for taught_by, sign in (("ranklib", 1), ("yahoo", -1)):
        first, last = last_shares(weights, taught_by)
        assert all(sign * (b - a) >= 0 for a, b in zip(first, last, strict=True))


def test_each_round_shares_out_the_whole_weight() -> None:
    weights = WEIGHTS.read().table
    assert np.allclose(weights[["empty", "short", "rest"]].sum(axis=1), 1)


def test_every_learner_was_taught_30_times_in_every_fold() -> None:
    for dataset, plan in PLANS.items():
        try:
            runs = runs_of(dataset).read().table
        except RecordError:
            continue
        counts = runs.groupby(["learner", "taught", "fold"]).size()
        assert set(counts) == {SAMPLES}
        assert len(counts) == len(plan.folds) * sum(len(lessons_for(one, plan.lessons)) for one in LEARNERS)


def test_the_page_says_what_its_table_says() -> None:
    found = all_found()
    assert len(summary(found, WEIGHTS.read().table)) == 3
    table = changes_table(found["mq2008"])
    assert len(table) == len(found["mq2008"].changes)


def test_every_claim_of_the_room_compares_something() -> None:
    for claim in claims("busafekete2012", "teaching"):
        outcome = claim.check()
        assert outcome.judgements, outcome.reason


def test_a_fold_of_a_draw_is_tested_on_the_queries_as_they_are() -> None:
    counts = draw_counts(SETS, 1)
    fold = Fold(1, resample(SMALL.train, counts), resample(SMALL.vali, counts), SMALL.test)
    assert fold.test is SMALL.test
