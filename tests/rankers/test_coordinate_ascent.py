"""Coordinate ascent: its line objective against the engine, and maxima that are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ltrlib.metrics import evaluate_data, parse
from ltrlib.rankers import CoordinateAscent
from ltrlib.rankers.base import linear_scores
from ltrlib.rankers.line_search import LineObjective
from tests.helpers.rankers import learnable, make

METRICS = [
    "ndcg@10:ranklib", "ndcg@3:yahoo", "ndcg@5:letor4", "ndcg(gain=linear,discount=reciprocal)", "ndcg@10(empty=skip)",
    "ndcg@5(ties=average)", "ndcg@5(ties=last)", "ndcg@5(precision=float32)", "map", "err@5", "p@3", "tau",
]  # fmt: skip


@pytest.mark.parametrize("metric", METRICS)
@given(st.integers(0, 10_000))
@settings(max_examples=10, deadline=None)
def test_values_along_a_line_are_those_of_the_engine(metric: str, seed: int) -> None:
    """Many ties, empty and short queries, a feature that is constant in some queries, moves in between."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 9, 12)
    x = rng.integers(0, 3, (sizes.sum(), 3)).astype(np.float64)
    x[: sizes[:4].sum(), 1] = 1.0
    labels = rng.integers(0, 3, sizes.sum())
    labels[: sizes[:3].sum()] = 0
    labels[-1] = 1
    data = make(x, labels, sizes.tolist())

    def engine(weights: NDArray[np.float64]) -> float:
        mean = evaluate_data(metric, data, linear_scores(data.features, weights))[metric].mean
        return float(np.nan_to_num(mean))  # tau leaves a query out whose scores are all equal, perhaps every one

    # Halves and whole numbers: sums are exact, so ties are ties on both sides.
    weights = rng.integers(-2, 3, 3) / 2
    objective = LineObjective(parse(metric), data)
    value = objective.start(weights)
    for feature in (1, 0, 2, 1):
        assert value == pytest.approx(engine(weights))
        changes = rng.integers(-4, 5, 6) / 2
        values = objective.along(feature, changes)
        for change, found in zip(changes, values, strict=True):
            moved = weights + change * np.eye(3)[feature]
            assert found == pytest.approx(engine(moved))
        weights[feature] += changes[0]
        objective.move(feature, changes[0], 1.0)
        value = float(values[0])


def test_finds_weights_that_order_everything() -> None:
    """Labels by the sum of two features less a third: coordinate ascent from equal weights reaches NDCG 1."""
    rng = np.random.default_rng(0)
    x = rng.random((120, 4))
    signal = x[:, 0] + x[:, 1] - x[:, 2]
    labels = np.digitize(signal, [0.2, 0.6, 1.0])
    # Leave a gap between the classes, so that a whole region of weights is perfect.
    clear = np.min(np.abs(signal[:, None] - [0.2, 0.6, 1.0]), axis=1) > 0.05
    x, labels = x[clear][:80], labels[clear][:80]
    data = make(x, labels, [8] * 10)
    ranker = CoordinateAscent(metric="ndcg", restarts=3, tolerance=0.0).fit(data)
    assert ranker.train_score_.max() == pytest.approx(1.0)
    assert np.abs(ranker.weights_).sum() == pytest.approx(1.0)


def test_never_worse_than_its_start_and_best_restart_is_kept() -> None:
    train, vali = learnable(0, n_features=8), learnable(1, n_features=8)
    metric = "ndcg@10:ranklib"
    ranker = CoordinateAscent(restarts=4).fit(train, vali)
    start = evaluate_data(metric, train, linear_scores(train.features, np.full(8, 1 / 8)))[metric].mean
    assert ranker.train_score_[0] >= start
    assert ranker.best_restart_ == int(np.argmax(ranker.vali_score_))
    assert evaluate_data(metric, vali, ranker.predict(vali.features))[metric].mean == ranker.vali_score_.max()
    alone = CoordinateAscent(restarts=4).fit(train)
    assert alone.best_restart_ == int(np.argmax(alone.train_score_))


def test_more_restarts_keep_the_earlier_ones() -> None:
    train, vali = learnable(0), learnable(1)
    few, many = (CoordinateAscent(restarts=restarts, seed=3).fit(train, vali) for restarts in (2, 4))
    np.testing.assert_array_equal(many.train_score_[:2], few.train_score_)
    assert not np.array_equal(CoordinateAscent(restarts=2, seed=4).fit(train, vali).train_score_, few.train_score_)


def test_constants_added_to_a_querys_features_do_not_matter() -> None:
    data = learnable(2)
    x = np.round(data.features * 64) / np.float32(64)
    shift = np.repeat(np.random.default_rng(1).integers(-3, 3, data.n_queries), data.query_sizes)[:, None]
    values = [
        CoordinateAscent(restarts=1).fit(data.with_features(features)).train_score_[0]
        for features in (x, x + shift.astype(np.float32))
    ]
    assert values[0] == pytest.approx(values[1], abs=1e-3)
