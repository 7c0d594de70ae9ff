"""AdaRank on four made-up queries, one of them short: what a tool that scores it 0 does to coefficients and weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData, Source
from ltrlib.metrics import evaluate
from ltrlib.rankers.adarank import AdaRank

__all__ = ["WEIGHTINGS", "Influence", "influence"]

Weighting: TypeAlias = Literal["cumulative", "paper"]

WEIGHTINGS: Mapping[Weighting, str] = {"cumulative": "RankLib", "paper": "Xu and Li"}
"""How AdaRank weights queries, and who does so."""

_SIZES = (12, 12, 12, 5)
_ROUNDS = 50


@dataclass(frozen=True)
class Influence:
    """What the short query does to AdaRank.

    Parameters
    ----------
    first, without
        The first coefficient when it is among the queries, and when it is not.
    weight, rounds
        Its share of the weight after the last round, and how many rounds there were.
    """

    first: float
    without: float
    weight: float
    rounds: int


def influence(metric: str, weighting: Weighting) -> Influence:
    """Train AdaRank with the short query and without it.

    Examples
    --------
    >>> influence("ndcg@10:letor4", "cumulative").rounds
    50
    """
    rng, offsets = np.random.default_rng(0), np.cumsum([0, *_SIZES])
    features = rng.normal(size=(sum(_SIZES), 4)).astype(np.float32)
    labels = rng.integers(0, 3, sum(_SIZES)).astype(np.int32)

    def part(queries: int) -> RankingData:
        rows = slice(offsets[queries])
        names = np.array([str(query) for query in range(queries)])
        source = Source("four made-up queries")
        return RankingData(features[rows], labels[rows], offsets[: queries + 1], names, None, source)

    both, long = (
        AdaRank(metric=metric, rounds=_ROUNDS, tolerance=None, weighting=weighting).fit(part(queries))
        for queries in (4, 3)
    )
    weights = _last_weights(metric, part(4), both, weighting)
    return Influence(float(both.alpha_[0]), float(long.alpha_[0]), float(weights[-1]), len(both.alpha_))


def _last_weights(metric: str, data: RankingData, ranker: AdaRank, weighting: str) -> NDArray[np.float64]:
    """Weights of the queries after AdaRank's last round, by the rule that it states."""
    weights, scores = np.full(data.n_queries, 1 / data.n_queries), np.zeros(data.n_docs)
    for feature, alpha in zip(ranker.feature_, ranker.alpha_, strict=True):
        scores += alpha * data.features[:, feature]
        reached = np.nan_to_num(evaluate(metric, data.labels, scores, data.query_offsets)[metric].per_query)
        weights = np.exp(-reached) if weighting == "paper" else weights * np.exp(-alpha * reached)
        weights /= weights.sum()
    return weights
