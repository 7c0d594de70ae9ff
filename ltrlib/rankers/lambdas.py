"""The gradients of LambdaRank under any NDCG convention."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.metrics.convention import discounts, gain_table
from ltrlib.metrics.documents import Documents, cut
from ltrlib.metrics.metric import NDCG

__all__ = ["NDCGLambdas"]

Vector = NDArray[np.float64]


class NDCGLambdas:
    """Gradient and second derivative of the pairwise logistic loss, each pair weighted by how much NDCG its exchange costs.

    Documents with equal scores are taken in file order, whatever the metric's rule for ties.

    Parameters
    ----------
    metric
        Gain, discount, cut-off and the rules for empty and short queries. A query whose value is fixed (nothing
        relevant, or too short where short lists score 0) has no gradient.
    data
        Labels and queries.
    sigmoid
        Steepness of the logistic function.
    normalise
        Whether to divide a pair's weight by 0.01 + score difference, and to scale each query's gradients so that their
        sum S becomes log2(1 + S), as LightGBM does.
    tail
        Whether ranks below the cut-off keep their discount: the exchange with a document outside the first k then
        costs less the nearer it is, as in LightGBM and RankLib. Without it they count nothing, as in NDCG itself.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.eye(2, dtype=np.float32), np.array([0, 1], np.int32), np.array([0, 2]),
    ...                    np.array(["a"]), None, Source("example"))
    >>> lambdas = NDCGLambdas(NDCG(10), data, sigmoid=1.0, normalise=False, tail=True)
    >>> gradient, hessian = lambdas(np.zeros(2))  # ΔNDCG = 1 - 0.6309, half of it, and a quarter
    >>> gradient.round(4), hessian.round(4)
    (array([ 0.1845, -0.1845]), array([0.0923, 0.0923]))
    """

    def __init__(self, metric: NDCG, data: RankingData, *, sigmoid: float, normalise: bool, tail: bool) -> None:
        documents = Documents(data.labels, data.query_offsets)
        longest = int(data.query_sizes.max())
        self._k = min(cut(metric.k), longest)
        self._gains = gain_table(metric.gain, documents.grades)[documents.codes]
        self._discounts = discounts(metric.discount, longest)
        if not tail:
            self._discounts[self._k :] = 0.0
        ideal = documents.ideal_sums(metric.gain, metric.discount, metric.ideal, np.array([self._k]))[:, 0]
        if metric.short == "zero" and metric.k is not None:
            ideal = np.where(data.query_sizes < metric.k, 0.0, ideal)
        self._per_gain = np.divide(1.0, ideal, out=np.zeros_like(ideal), where=ideal > 0)
        self._offsets = data.query_offsets
        self._sigmoid, self._normalise = float(sigmoid), normalise

    def __call__(self, scores: Vector) -> tuple[Vector, Vector]:
        """Gradient and second derivative for each document."""
        gradient, hessian = np.zeros(len(self._gains)), np.zeros(len(self._gains))
        _lambdas(
            self._gains, scores, self._offsets, self._per_gain, self._discounts, self._k, self._sigmoid,
            self._normalise, gradient, hessian,
        )  # fmt: skip
        return gradient, hessian


@njit(cache=True, nogil=True)
def _lambdas(
    gains: Vector,
    scores: Vector,
    offsets: NDArray[np.int64],
    per_gain: Vector,
    discounts: Vector,
    k: int,
    sigmoid: float,
    normalise: bool,
    gradient: Vector,
    hessian: Vector,
) -> None:
    for q in range(offsets.size - 1):
        if per_gain[q] == 0.0:
            continue
        start, stop = offsets[q], offsets[q + 1]
        order = np.argsort(-scores[start:stop], kind="mergesort") + start
        spread = scores[order[0]] != scores[order[-1]]
        total = 0.0
        # One of the two documents stands in the first k ranks, or their exchange changes nothing.
        for upper in range(min(k, order.size)):
            for lower in range(upper + 1, order.size):
                better, worse = order[upper], order[lower]
                gap = gains[better] - gains[worse]
                if gap == 0.0:
                    continue
                if gap < 0.0:
                    better, worse, gap = worse, better, -gap
                weight = gap * (discounts[upper] - discounts[lower]) * per_gain[q]
                difference = scores[better] - scores[worse]
                if normalise and spread:
                    weight /= 0.01 + abs(difference)
                chance = 1.0 / (1.0 + np.exp(sigmoid * difference))
                pull = sigmoid * weight * chance
                curve = sigmoid * sigmoid * weight * chance * (1.0 - chance)
                gradient[better] -= pull
                gradient[worse] += pull
                hessian[better] += curve
                hessian[worse] += curve
                total += 2.0 * pull
        if normalise and total > 0.0:
            factor = np.log2(1.0 + total) / total
            gradient[start:stop] *= factor
            hessian[start:stop] *= factor
