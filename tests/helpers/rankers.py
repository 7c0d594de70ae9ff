"""Small ranking data for the tests of the rankers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ltrlib.datasets.container import RankingData, Source
from ltrlib.rankers import (
    GBDT,
    AdaRank,
    CoordinateAscent,
    DirectRanker,
    LambdaMART,
    LinearRegression,
    ListNet,
    RandomForest,
    RankBoost,
    Ranker,
    RankNet,
    RankSVM,
    Ridge,
    SingleFeature,
)


def make(features: ArrayLike, labels: ArrayLike, sizes: Sequence[int]) -> RankingData:
    """Ranking data from plain lists."""
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    ids = np.array([f"q{number}" for number in range(len(sizes))])
    x = np.ascontiguousarray(features, dtype=np.float32)
    return RankingData(x, np.asarray(labels, np.int32), offsets, ids, None, Source("test"))


def learnable(seed: int = 0, n_queries: int = 30, n_features: int = 5, top_label: int = 2) -> RankingData:
    """Queries of 2 to 12 documents whose labels follow a noisy sum of two features; the rest is noise."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 13, n_queries)
    x = rng.random((sizes.sum(), n_features))
    signal = x[:, 0] + 0.5 * x[:, 1] + 0.2 * rng.normal(size=len(x))
    labels = np.clip(np.floor(signal * (top_label + 1) / 1.3), 0, top_label)
    return make(x, labels, sizes.tolist())


def small_rankers() -> dict[str, Ranker]:
    """One ranker of each kind, with little work to do."""
    return {
        "AdaRank": AdaRank(rounds=20),
        "CoordinateAscent": CoordinateAscent(restarts=2, iterations=10, seed=1),
        "DirectRanker": DirectRanker(hidden=(4,), steps=200, queries=(10, 20), seed=1),
        "GBDT": GBDT(trees=20, patience=5, seed=1, sampling=0.8),
        "LambdaMART": LambdaMART(trees=20, patience=5, seed=1),
        "LinearRegression": LinearRegression(),
        "ListNet": ListNet(epochs=40, learning_rate=0.05, seed=1),
        "RandomForest": RandomForest(trees=5, seed=1),
        "RankBoost": RankBoost(rounds=20),
        "RankNet": RankNet(epochs=40, hidden=(4,), learning_rate=0.05, seed=1),
        "RankSVM": RankSVM(),
        "Ridge": Ridge(),
        "SingleFeature": SingleFeature(),
    }
