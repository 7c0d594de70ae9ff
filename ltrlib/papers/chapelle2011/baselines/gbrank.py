"""Boosted trees on RankSVM's loss, to compare trees with a linear model under the same pairwise loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.rankers.base import need_preferences
from ltrlib.rankers.boosting import BoostedTrees, Objective
from ltrlib.rankers.kernels import FLOATS, INDEX, LABELS, OUT_FLOATS, compiled, signatures

__all__ = ["GBRank", "squared_hinge"]

Vector = NDArray[np.float64]


@dataclass(eq=False, kw_only=True)
class GBRank(BoostedTrees):
    """Gradient boosting of Σ max(0, 1 − (s_better − s_worse))² over the pairs of each query.

    This is GBRank as Chapelle and Chang (2011, section 2) describe it, and the loss of
    :class:`ltrlib.rankers.ranksvm.RankSVM`. The parameters are those of :class:`ltrlib.rankers.gbdt.GBDT`.

    Examples
    --------
    >>> GBRank(trees=100).leaves
    10
    """

    def _objective(self, train: RankingData) -> tuple[str | Objective, dict[str, Any]]:
        need_preferences(train, "GBRank")
        return lambda scores, _: squared_hinge(train.labels, scores, train.query_offsets), {}


def squared_hinge(labels: NDArray[np.int32], scores: Vector, query_offsets: NDArray[np.int64]) -> tuple[Vector, Vector]:
    """First and second derivative of the loss for each document's score.

    Examples
    --------
    >>> gradient, hessian = squared_hinge(np.array([1, 0], np.int32), np.array([0.0, 0.5]), np.array([0, 2]))
    >>> gradient, hessian  # one pair, 1.5 short of the margin
    (array([-3.,  3.]), array([2., 2.]))
    """
    gradient, hessian = np.zeros(len(scores)), np.zeros(len(scores))
    _add_pairs(labels, np.ascontiguousarray(scores, np.float64), query_offsets, gradient, hessian)
    return gradient, hessian


@compiled(signatures.void(LABELS, FLOATS, INDEX, OUT_FLOATS, OUT_FLOATS))
def _add_pairs(
    labels: NDArray[np.int32], scores: Vector, offsets: NDArray[np.int64], gradient: Vector, hessian: Vector
) -> None:
    for q in range(offsets.size - 1):
        for better in range(offsets[q], offsets[q + 1]):
            for worse in range(offsets[q], offsets[q + 1]):
                short = 1.0 - (scores[better] - scores[worse])
                if labels[better] > labels[worse] and short > 0.0:
                    gradient[better] -= 2.0 * short
                    gradient[worse] += 2.0 * short
                    hessian[better] += 2.0
                    hessian[worse] += 2.0
