"""The gradients of LambdaRank under any NDCG convention."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.metrics.metric import NDCG
from ltrlib.rankers.kernels import FLOATS, INDEX, OUT_FLOATS, OUT_INDEX, compiled, signatures, sort_again
from ltrlib.rankers.ndcg_terms import ndcg_terms

__all__ = ["NDCGLambdas"]

Vector = NDArray[np.float64]


class NDCGLambdas:
    """Derivatives of the pairwise logistic loss, each pair weighted by how much NDCG its exchange costs.

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
        self._terms = ndcg_terms(metric, data)
        self._discounts = self._terms.discounts.copy()
        if not tail:
            self._discounts[self._terms.k :] = 0.0
        self._offsets = data.query_offsets
        self._sigmoid, self._normalise = float(sigmoid), normalise
        # Scores change little from tree to tree: each order is found from the one before.
        self._order = np.arange(data.n_docs)
        longest = int(data.query_sizes.max())
        self._scratch = np.empty(longest), np.empty(longest, np.int64)

    def __call__(self, scores: Vector) -> tuple[Vector, Vector]:
        """Gradient and second derivative for each document."""
        gradient, hessian = np.zeros(len(scores)), np.zeros(len(scores))
        _lambdas(
            self._terms.gains, np.ascontiguousarray(scores, np.float64), self._offsets, self._terms.per_ideal,
            self._discounts, self._terms.k, self._sigmoid, self._normalise, self._order, *self._scratch,
            gradient, hessian,
        )  # fmt: skip
        return gradient, hessian


@compiled(
    signatures.void(
        FLOATS, FLOATS, INDEX, FLOATS, FLOATS, signatures.int64, signatures.float64, signatures.boolean,
        OUT_INDEX, OUT_FLOATS, OUT_INDEX, OUT_FLOATS, OUT_FLOATS,
    )
)  # fmt: skip
def _lambdas(
    gains: Vector,
    scores: Vector,
    offsets: NDArray[np.int64],
    per_ideal: Vector,
    discounts: Vector,
    k: int,
    sigmoid: float,
    normalise: bool,
    order: NDArray[np.int64],
    values: Vector,
    documents: NDArray[np.int64],
    gradient: Vector,
    hessian: Vector,
) -> None:
    for q in range(offsets.size - 1):
        if per_ideal[q] == 0.0:
            continue
        start = offsets[q]
        n = offsets[q + 1] - start
        for i in range(n):
            documents[i] = order[start + i]
            values[i] = scores[documents[i]]
        sort_again(values, documents, n)
        for i in range(n):
            order[start + i] = documents[i]
        total = 0.0
        # One of the two documents stands in the first k ranks, or their exchange changes nothing.
        for upper in range(min(k, n)):
            for lower in range(upper + 1, n):
                better = documents[upper]
                worse = documents[lower]
                gap = gains[better] - gains[worse]
                if gap == 0.0:
                    continue
                if gap < 0.0:
                    better, worse, gap = worse, better, -gap
                weight = gap * (discounts[upper] - discounts[lower]) * per_ideal[q]
                difference = scores[better] - scores[worse]
                if normalise and values[0] != values[n - 1]:
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
            for i in range(start, start + n):
                gradient[i] *= factor
                hessian[i] *= factor
