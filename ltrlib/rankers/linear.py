"""The plainest rankers: one feature, and linear regression on the labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.metric import Metric
from ltrlib.rankers.base import Ranker, as_metric, linear_scores, positive

__all__ = ["LinearRegression", "Ridge", "SingleFeature"]

_BLOCK = 1 << 16


@dataclass(eq=False, kw_only=True)
class SingleFeature(Ranker):
    """Rank by one feature.

    Parameters
    ----------
    feature
        Its column, counted from 0; without it the feature and direction with the best metric on the training data.
    descending
        Whether large values rank first; only looked at when the feature is given.
    metric
        What to choose the feature by.

    Attributes
    ----------
    feature_, sign_
        The feature, and 1 or -1.

    Examples
    --------
    >>> SingleFeature(feature=24)
    SingleFeature(feature=24, descending=True, metric='ndcg@10:ranklib')
    """

    feature: int | None = None
    descending: bool = True
    metric: Metric | str = "ndcg@10:ranklib"

    def _fit(self, train: RankingData, vali: RankingData | None) -> None:
        if self.feature is not None:
            if not 0 <= self.feature < train.n_features:
                raise UsageError(f"there is no feature {self.feature}, only 0 to {train.n_features - 1}")
            self.feature_, self.sign_ = int(self.feature), 1 if self.descending else -1
            return
        metric = as_metric(self.metric)
        evaluator = Evaluator(metric, train.labels, train.query_offsets)
        best = -np.inf
        for feature in range(train.n_features):
            column = train.features[:, feature].astype(np.float64)
            for sign in (1, -1):
                value = evaluator(sign * column)[metric].mean
                if value > best:
                    best, self.feature_, self.sign_ = value, feature, sign
        if best == -np.inf:  # every query is left out of the metric
            self.feature_, self.sign_ = 0, 1

    def _predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        return self.sign_ * features[:, self.feature_].astype(np.float64)


@dataclass(eq=False, kw_only=True)
class LinearRegression(Ranker):
    """Least squares on the labels, queries ignored; of all solutions the shortest.

    Attributes
    ----------
    weights_, intercept_
        The fitted plane.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.array([[0], [1], [2]], np.float32), np.array([1, 3, 5], np.int32), np.array([0, 3]),
    ...                    np.array(["a"]), None, Source("example"))
    >>> ranker = LinearRegression().fit(data)
    >>> ranker.weights_.round(6), round(ranker.intercept_, 6)
    (array([2.]), 1.0)
    """

    def _fit(self, train: RankingData, vali: RankingData | None) -> None:
        self.weights_, self.intercept_ = _least_squares(train, 0.0)

    def _predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        return linear_scores(features, self.weights_) + self.intercept_


@dataclass(eq=False, kw_only=True)
class Ridge(Ranker):
    """Least squares on the labels with a penalty on the weights (not on the intercept).

    Parameters
    ----------
    alpha
        Strength of the penalty: alpha times the squared length of the weights.

    Attributes
    ----------
    weights_, intercept_
        The fitted plane.

    Examples
    --------
    >>> Ridge(alpha=10.0)
    Ridge(alpha=10.0)
    """

    alpha: float = 1.0

    def _fit(self, train: RankingData, vali: RankingData | None) -> None:
        positive(self, "alpha")
        self.weights_, self.intercept_ = _least_squares(train, self.alpha)

    def _predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        return linear_scores(features, self.weights_) + self.intercept_


def _least_squares(train: RankingData, alpha: float) -> tuple[NDArray[np.float64], float]:
    """Solve the normal equations of the centred features, gathered block by block."""
    centre = train.features.mean(axis=0, dtype=np.float64)
    mean = float(train.labels.mean())
    gram = np.zeros((train.n_features, train.n_features))
    cross = np.zeros(train.n_features)
    for start in range(0, train.n_docs, _BLOCK):
        block = train.features[start : start + _BLOCK] - centre
        gram += block.T @ block
        cross += block.T @ (train.labels[start : start + _BLOCK] - mean)
    gram[np.diag_indices_from(gram)] += alpha
    # Features on very different scales (MSLR: 1e-3 to 1e9) would make small ones vanish beside large ones.
    scale = np.sqrt(np.diag(gram))
    scale[scale == 0] = 1.0
    values, vectors = np.linalg.eigh(gram / np.outer(scale, scale))
    kept = values > values.max(initial=0.0) * 1e-10
    solved = vectors[:, kept] @ ((vectors[:, kept].T @ (cross / scale)) / values[kept])
    weights: NDArray[np.float64] = solved / scale
    return weights, mean - float(centre @ weights)
