"""Rankers that regress on the labels, against scikit-learn and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import linear_model
from sklearn.ensemble import RandomForestRegressor

from ltrlib.metrics import evaluate_data
from ltrlib.rankers import GBDT, LinearRegression, RandomForest, Ridge, SingleFeature
from tests.helpers.rankers import learnable, make


def test_linear_regression_and_ridge_equal_scikit_learns() -> None:
    data, new = learnable(0), learnable(1)
    for ours, theirs in (
        (LinearRegression(), linear_model.LinearRegression()),
        (Ridge(alpha=0.1), linear_model.Ridge(alpha=0.1)),
        (Ridge(alpha=100.0), linear_model.Ridge(alpha=100.0)),
    ):
        expected = theirs.fit(data.features.astype(np.float64), data.labels).predict(new.features.astype(np.float64))
        np.testing.assert_allclose(ours.fit(data).predict(new.features), expected, rtol=1e-8, atol=1e-8)


def test_linear_regression_takes_repeated_and_badly_scaled_features() -> None:
    data = learnable(0)
    x = data.features
    scaled = data.with_features(np.hstack([x * np.float32(1e6), x[:, :1], np.ones_like(x[:, :1])]))
    np.testing.assert_allclose(
        LinearRegression().fit(scaled).predict(scaled.features), LinearRegression().fit(data).predict(x), atol=1e-5
    )


def test_random_forest_predicts_what_scikit_learn_predicts() -> None:
    """The trees are kept as arrays and walked by our own loop."""
    data, new = learnable(0), learnable(1)
    forest = RandomForestRegressor(7, min_samples_leaf=3, max_features=0.5, random_state=5)
    forest.fit(data.features, data.labels.astype(np.float64))
    ours = RandomForest(trees=7, min_leaf=3, max_features=0.5, seed=5).fit(data)
    np.testing.assert_allclose(ours.predict(new.features), forest.predict(new.features), rtol=1e-12)


def test_single_feature_finds_the_best_column_and_its_direction() -> None:
    data = learnable(0)
    x = data.features.copy()
    x[:, 3] = -data.labels
    data = data.with_features(x)
    ranker = SingleFeature().fit(data)
    assert (ranker.feature_, ranker.sign_) == (3, -1)
    assert evaluate_data("ndcg@10", data, ranker.predict(x))["ndcg@10"].mean == pytest.approx(
        evaluate_data("ndcg@10", data, data.labels)["ndcg@10"].mean
    )
    given = SingleFeature(feature=3, descending=False).fit(data)
    np.testing.assert_array_equal(given.predict(x), ranker.predict(x))
    np.testing.assert_array_equal(SingleFeature(feature=1).fit(data).predict(x), x[:, 1].astype(np.float64))


def test_gbdt_learns_the_mapped_targets() -> None:
    """One feature that tells the label: predictions approach the label, or (2^label − 1)/16."""
    labels = np.tile(np.arange(5), 40)
    data = make(labels[:, None], labels, [5] * 40)
    x = np.arange(5, dtype=np.float32)[:, None]
    np.testing.assert_allclose(GBDT(trees=200).fit(data).predict(x), np.arange(5), atol=1e-6)
    satisfied = GBDT(trees=200, target="satisfaction").fit(data)
    np.testing.assert_allclose(satisfied.predict(x), [0, 1 / 16, 3 / 16, 7 / 16, 15 / 16], atol=1e-6)


def test_gbdt_sampling_depends_on_the_seed_alone() -> None:
    train = learnable(0)
    first, again, other = (GBDT(trees=10, sampling=0.5, seed=seed).fit(train) for seed in (1, 1, 2))
    assert first.booster_ == again.booster_
    assert not np.array_equal(first.predict(train.features), other.predict(train.features))
