"""AdaRank and RankBoost against rounds worked out by hand and against explicit pairs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics import evaluate_data
from ltrlib.rankers import AdaRank, RankBoost
from tests.helpers.rankers import learnable, make

# Three queries of three documents, one relevant each. Reciprocal ranks of the relevant document:
#              query a   query b   query c
#   feature 0     1        1/3        1
#   feature 1    1/2        1        1/2
ADARANK_TOY = make(
    [[3, 2], [2, 3], [1, 1], [1, 3], [3, 2], [2, 1], [3, 2], [2, 3], [1, 1]],
    [1, 0, 0, 1, 0, 0, 1, 0, 0],
    [3, 3, 3],
)


def test_adarank_first_two_rounds_by_hand() -> None:
    """Round 1, P = (1/3, 1/3, 1/3): feature 0 has 7/9, feature 1 has 2/3. So feature 0, α = ½ ln((16/9)/(2/9)).

    Weights become P·exp(−αE): 8^(−1/2) = 2^(−3/2) for a and c, 8^(−1/6) = 2^(−1/2) for b, so P = (1/4, 1/2, 1/4).
    Round 2: feature 0 has 1/4 + 1/6 + 1/4 = 2/3, feature 1 has 1/8 + 1/2 + 1/8 = 3/4. So feature 1, α = ½ ln 7.
    """
    ranker = AdaRank(metric="mrr", rounds=2, tolerance=None).fit(ADARANK_TOY)
    assert ranker.feature_.tolist() == [0, 1]
    np.testing.assert_allclose(ranker.alpha_, [0.5 * np.log(8), 0.5 * np.log(7)], rtol=1e-12)
    np.testing.assert_allclose(ranker.weights_, ranker.alpha_, rtol=1e-12)
    assert ranker.train_score_[0] == pytest.approx(7 / 9)


def test_adarank_as_the_paper_weights_queries_by_hand() -> None:
    """Xu and Li: P is exp(−E) over its sum, here (1, e^(2/3), 1)/(2 + e^(2/3)).

    Feature 1 then has (1 + e^(2/3))/(2 + e^(2/3)).
    """
    ranker = AdaRank(metric="mrr", rounds=2, tolerance=None, weighting="paper").fit(ADARANK_TOY)
    power = np.exp(2 / 3)
    mean = (1 + power) / (2 + power)
    assert ranker.feature_.tolist() == [0, 1]
    np.testing.assert_allclose(ranker.alpha_, [0.5 * np.log(8), 0.5 * np.log((1 + mean) / (1 - mean))], rtol=1e-12)


def test_adarank_stops_when_the_training_metric_falls() -> None:
    """Without a limit the toy's metric falls at some round; with it, that round is the first that is dropped."""
    longer = AdaRank(metric="mrr", rounds=50, tolerance=None, max_repeats=None).fit(ADARANK_TOY)
    assert len(longer.feature_) == 50
    falls = np.flatnonzero(np.diff(longer.train_score_) <= -0.002)
    stopped = AdaRank(metric="mrr", rounds=50, tolerance=0.002, max_repeats=None).fit(ADARANK_TOY)
    assert len(stopped.feature_) == falls[0] + 1


def test_adarank_sets_a_feature_aside_that_changes_nothing() -> None:
    """One feature that ranks as well as can be is chosen for ever, unless it is set aside after some repeats."""
    rng = np.random.default_rng(0)
    x = np.stack([[2.0, 1.0] * 10, rng.random(20)], axis=1)
    data = make(x, [1, 0] * 10, [2] * 10)
    assert set(AdaRank(metric="mrr", rounds=20, max_repeats=None, tolerance=None).fit(data).feature_) == {0}
    aside = AdaRank(metric="mrr", rounds=20, max_repeats=3, tolerance=None).fit(data)
    assert aside.feature_.tolist()[:5] == [0, 0, 0, 0, 1]
    assert np.isfinite(aside.alpha_).all()


@pytest.mark.parametrize(
    "metric", ["ndcg@10:yahoo", "ndcg@3:letor4", "map", "err", "p@1", "ndcg@10(empty=skip)", "tau"]
)
def test_adarank_takes_any_metric_up_to_one(metric: str) -> None:
    train = learnable(0)
    ranker = AdaRank(metric=metric, rounds=10).fit(train, learnable(1))
    first = evaluate_data(metric, train, train.features[:, ranker.feature_[0]])[metric].mean
    others = [evaluate_data(metric, train, column)[metric].mean for column in train.features.T]
    assert first == pytest.approx(max(others))


def test_adarank_keeps_the_rounds_up_to_the_best_validation_metric() -> None:
    train, vali = learnable(0), learnable(1)
    ranker = AdaRank(rounds=60, tolerance=None).fit(train, vali)
    assert ranker.best_round_ == int(np.argmax(ranker.vali_score_)) + 1
    value = evaluate_data("ndcg@10:ranklib", vali, ranker.predict(vali.features))["ndcg@10:ranklib"].mean
    assert value == pytest.approx(ranker.vali_score_.max())


# Three queries of one pair each (better, worse); weights start at 1/3.
#   feature 0: right, right, wrong    feature 1: tied, tied, right
RANKBOOST_TOY = make([[1, 0], [0, 0], [1, 0], [0, 0], [0, 1], [1, 0]], [1, 0, 1, 0, 1, 0], [2, 2, 2])


def test_rankboost_first_two_rounds_by_hand() -> None:
    """Round 1: both stumps have r = 1/3; the first one is taken, α = ½ ln((4/3)/(2/3)) = ½ ln 2.

    Pairs that it gets right weigh 2^(−1/2) times, the wrong one 2^(1/2) times as much: (1/4, 1/4, 1/2).
    Round 2: feature 0 has r = 1/4 + 1/4 − 1/2 = 0, feature 1 has r = 1/2, α = ½ ln 3.
    Round 3, weights (1/4, 1/4, 1/2·3^(−1/2)) over their sum: feature 1 again, r = 1/(1 + √3), above (√3 − 1)/(√3 + 1).
    """
    ranker = RankBoost(rounds=3).fit(RANKBOOST_TOY)
    assert ranker.feature_.tolist() == [0, 1, 1]
    assert ranker.threshold_.tolist() == [0, 0, 0]
    third = 1 / (1 + np.sqrt(3))
    np.testing.assert_allclose(ranker.r_, [1 / 3, 1 / 2, third], rtol=1e-12)
    alphas = [0.5 * np.log(2), 0.5 * np.log(3), 0.5 * np.log((1 + third) / (1 - third))]
    np.testing.assert_allclose(ranker.alpha_, alphas, rtol=1e-12)
    scores = ranker.predict(RANKBOOST_TOY.features)
    np.testing.assert_allclose(scores, [alphas[0], 0, alphas[0], 0, alphas[1] + alphas[2], alphas[0]], rtol=1e-12)


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_rankboost_without_listing_pairs_equals_rankboost_with_pairs(seed: int) -> None:
    """Freund et al. keep a list of weighted pairs. Along the stumps taken, r and weights are those of the list.

    Graded labels, ties in the features, queries of different length. No stump of the list has a larger r.
    """
    rng = np.random.default_rng(seed)
    sizes = [2, *rng.integers(1, 8, 6).tolist()]
    labels = rng.integers(0, 4, sum(sizes))
    labels[:2] = [0, 1]
    data = make(rng.integers(0, 6, (sum(sizes), 3)), labels, sizes)
    ranker = RankBoost(rounds=6, thresholds=None).fit(data)
    pairs = [
        (i, j)
        for start, stop in itertools.pairwise(data.query_offsets)
        for i in range(start, stop)
        for j in range(start, stop)
        if data.labels[i] > data.labels[j]
    ]
    better, worse = np.array(pairs).T
    weights = np.full(len(pairs), 1 / len(pairs))

    def r_of(stump: NDArray[np.bool_]) -> float:
        return float(weights @ (stump[better].astype(float) - stump[worse]))

    for feature, threshold, alpha, r in zip(ranker.feature_, ranker.threshold_, ranker.alpha_, ranker.r_, strict=True):
        stump = data.features[:, feature] > threshold
        assert abs(r_of(stump)) == pytest.approx(r, rel=1e-9)
        largest = max(abs(r_of(column > value)) for column in data.features.T for value in np.unique(column))
        assert largest == pytest.approx(r, rel=1e-9)
        if r < 1 - 1e-5:
            assert alpha == pytest.approx(0.5 * np.log((1 + r_of(stump)) / (1 - r_of(stump))), rel=1e-9)
        weights *= np.exp(alpha * (stump[worse].astype(float) - stump[better]))
        weights /= weights.sum()


# Two queries of one pair each, one feature between 0 and 1; thresholds at 1/4, 2/4, 3/4, 1.
#   pair 1: 1 before 0    pair 2: 0 before 0.5
AT_LEAST_TOY = make([[1.0], [0.0], [0.0], [0.5]], [1, 0, 1, 0], [2, 2])


def test_rankboost_with_thresholds_up_to_the_largest_value_by_hand() -> None:
    """[x ≥ 1/4] and [x ≥ 2/4] order one pair rightly, one wrongly: r = 0. [x ≥ 3/4] and [x ≥ 1] have r = 1/2.

    Of the last two the higher threshold is taken; a new document at 0.8 is therefore not above it. With the other
    stumps, [x > 0.5] is the best and the same document is.
    """
    ranker = RankBoost(rounds=1, thresholds=4, stumps="at_least").fit(AT_LEAST_TOY)
    assert ranker.threshold_.tolist() == [1.0]
    assert ranker.r_.tolist() == [0.5]
    at = np.array([[1.0], [0.8]], np.float32)
    np.testing.assert_allclose(ranker.predict(at), [0.5 * np.log(3), 0.0], rtol=1e-12)
    usual = RankBoost(rounds=1, thresholds=4).fit(AT_LEAST_TOY)
    np.testing.assert_allclose(usual.predict(at), [0.5 * np.log(3)] * 2, rtol=1e-12)


def test_rankboost_ties_and_edges_cannot_matter_on_all_distinct_values_of_the_training_part() -> None:
    """With a threshold between any two values both kinds of stump can make every cut: the training scores agree."""
    data = learnable(2)
    above = RankBoost(rounds=12, thresholds=None).fit(data)
    at_least = RankBoost(rounds=12, thresholds=None, stumps="at_least").fit(data)
    np.testing.assert_allclose(at_least.r_, above.r_, rtol=1e-12)
    np.testing.assert_allclose(at_least.predict(data.features), above.predict(data.features), rtol=1e-12)


def test_rankboost_refuses_other_stumps() -> None:
    with pytest.raises(UsageError, match="choose above or at_least"):
        RankBoost(stumps="below").fit(learnable(0))  # type: ignore[arg-type]


def test_rankboost_stays_finite_when_every_pair_can_be_ordered() -> None:
    """A perfect stump would get an infinite weight, and a thousand rounds of it scores beyond any exponential."""
    data = make([[2], [1], [0]] * 5, [2, 1, 0] * 5, [3] * 5)
    ranker = RankBoost(rounds=2000).fit(data)
    assert np.isfinite(ranker.alpha_).all()
    scores = ranker.predict(np.array([[2], [1], [0]], np.float32))
    assert np.isfinite(scores).all()
    assert scores[0] > scores[1] > scores[2]


def test_rankboost_and_adarank_do_not_depend_on_the_order_of_queries() -> None:
    data = learnable(0)
    shuffled = data.select_queries(np.random.default_rng(0).permutation(data.n_queries))
    for ranker in (RankBoost(rounds=15), AdaRank(rounds=15)):
        expected = ranker.fit(data).predict(data.features)
        np.testing.assert_allclose(ranker.fit(shuffled).predict(data.features), expected, rtol=1e-9)


def test_adding_a_constant_to_the_features_of_all_documents_changes_no_order() -> None:
    """Thresholds and weak rankers see order only: shifted features give the same ensembles."""
    data = learnable(0)
    # Multiples of 1/64 stay exact when shifted by whole numbers.
    x = np.round(data.features * 64) / np.float32(64)
    data, shifted = data.with_features(x), data.with_features(x + np.float32(2))
    np.testing.assert_array_equal(RankBoost(rounds=15).fit(data).alpha_, RankBoost(rounds=15).fit(shifted).alpha_)
    np.testing.assert_array_equal(AdaRank(rounds=15).fit(data).feature_, AdaRank(rounds=15).fit(shifted).feature_)


def test_adarank_with_tau_takes_constant_features() -> None:
    """Kendall's tau is undefined where all scores are equal; such a feature is worth nothing, and no reason to fail."""
    data = learnable(0)
    x = data.features.copy()
    x[:, 0] = 1.0
    ranker = AdaRank(metric="tau", rounds=5).fit(data.with_features(x))
    assert 0 not in ranker.feature_
    assert np.isfinite(ranker.alpha_).all()
