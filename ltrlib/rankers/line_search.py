"""A metric along a line: the scores of a linear ranker while one of its weights changes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.metric import NDCG, Metric
from ltrlib.rankers.base import linear_scores
from ltrlib.rankers.kernels import FLOATS, INDEX, OUT_FLOATS, OUT_INDEX, compiled, signatures, sort_again
from ltrlib.rankers.ndcg_terms import ndcg_terms

__all__ = ["LineObjective"]

Vector = NDArray[np.float64]


class LineObjective:
    """Mean metric of a linear ranker at many values of one weight.

    NDCG with ties in file order has a loop of its own, about ten times faster than the engine that serves all other
    metrics. It looks only once at queries whose documents all have one label.

    Parameters
    ----------
    metric
        Any metric.
    data
        Documents to rank.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> from ltrlib.metrics import parse
    >>> data = RankingData(np.array([[3, 0], [2, 1], [1, 5]], np.float32), np.array([0, 1, 2], np.int32),
    ...                    np.array([0, 3]), np.array(["a"]), None, Source("example"))
    >>> objective = LineObjective(parse("mrr(relevant_from=2)"), data)
    >>> objective.start(np.array([1.0, 0.0])), objective.along(1, np.array([0.1, 0.3, 1.0]))
    (0.3333333333333333, array([0.33333333, 0.5       , 1.        ]))
    """

    def __init__(self, metric: Metric, data: RankingData) -> None:
        self._metric = metric
        self._evaluator: Evaluator | None = Evaluator(metric, data.labels, data.query_offsets)
        if isinstance(metric, NDCG) and metric.ties == "file" and metric.precision == "float64":
            values = self._evaluator(np.zeros(data.n_docs))[metric].per_query
            self._evaluator = None
            starts = data.query_offsets[:-1]
            varies = np.minimum.reduceat(data.labels, starts) < np.maximum.reduceat(data.labels, starts)
            varies &= ~np.isnan(values)
            self._fixed = float(np.nansum(values[~varies]))
            self._counted = max(int(np.count_nonzero(~np.isnan(values))), 1)
            data = data.select_queries(varies)
            self._terms = ndcg_terms(metric, data)
            longest = int(data.query_sizes.max(initial=0))
            self._scratch = np.empty(longest), np.empty(longest, np.int64)
        self._data = data
        self._columns = np.ascontiguousarray(data.features.T)

    def start(self, weights: Vector) -> float:
        """Go to these weights; return the mean metric there."""
        self._scores = linear_scores(self._data.features, weights)
        self._order = np.arange(self._data.n_docs)
        return float(self.along(0, np.zeros(1))[0])

    def move(self, feature: int, change: float, divisor: float) -> None:
        """Change one weight, then divide all of them."""
        self._scores = (self._scores + change * self._columns[feature]) / divisor

    def along(self, feature: int, changes: Vector) -> Vector:
        """Mean metric after each of these changes of one weight, made one at a time."""
        column = self._columns[feature].astype(np.float64)
        if self._evaluator is not None:
            means = [self._evaluator(self._scores + change * column)[self._metric].mean for change in changes]
            return np.nan_to_num(means)  # a metric may leave out every query
        totals, terms = np.zeros(len(changes)), self._terms
        _ndcg_along(
            self._scores, column, changes, self._data.query_offsets, terms.gains, terms.discounts, terms.per_ideal,
            terms.k, self._order, *self._scratch, totals,
        )  # fmt: skip
        return (totals + self._fixed) / self._counted


@compiled(
    signatures.void(
        FLOATS, FLOATS, FLOATS, INDEX, FLOATS, FLOATS, FLOATS, signatures.int64,
        OUT_INDEX, OUT_FLOATS, OUT_INDEX, OUT_FLOATS,
    )
)  # fmt: skip
def _ndcg_along(
    scores: Vector,
    column: Vector,
    changes: Vector,
    offsets: NDArray[np.int64],
    gains: Vector,
    discounts: Vector,
    per_ideal: Vector,
    k: int,
    order: NDArray[np.int64],
    values: Vector,
    documents: NDArray[np.int64],
    totals: Vector,
) -> None:
    """Add the NDCG of each query after each change to ``totals``.

    Each change is sorted from the order of the one before. ``order`` is where the first starts from, and becomes its
    order. ``values`` and ``documents`` are scratch for the longest query.
    """
    for q in range(offsets.size - 1):
        if per_ideal[q] == 0.0:
            continue
        start = offsets[q]
        n = offsets[q + 1] - start
        varies = False
        for i in range(n):
            varies = varies or column[start + i] != column[start]
            documents[i] = order[start + i]
        reached = 0.0
        for c in range(changes.size):
            # A feature that is the same for all documents changes no order, but for rounding.
            if c == 0 or varies:
                change = changes[c] if varies else 0.0
                for i in range(n):
                    values[i] = scores[documents[i]] + change * column[documents[i]]
                if sort_again(values, documents, n) or c == 0:
                    reached = 0.0
                    for rank in range(min(k, n)):
                        reached += gains[documents[rank]] * discounts[rank]
                    reached *= per_ideal[q]
            if c == 0:
                for i in range(n):
                    order[start + i] = documents[i]
            totals[c] += reached
