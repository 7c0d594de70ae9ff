"""A metric along a line: the scores of a linear ranker while one of its weights changes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.metrics.documents import Documents, cut, first_ranks
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.formulas import per_query
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.ranking import Ranking

__all__ = ["LineObjective"]

Vector = NDArray[np.float64]


class LineObjective:
    """Mean metric of a linear ranker at many values of one weight.

    Queries whose documents all have one label are left out: their metric does not depend on the order. So values
    differ from the whole mean by a factor and a constant that are accounted for.

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
        whole = Evaluator(metric, data.labels, data.query_offsets)(np.zeros(data.n_docs))[metric].per_query
        starts = data.query_offsets[:-1]
        mixed = np.minimum.reduceat(data.labels, starts) < np.maximum.reduceat(data.labels, starts)
        mixed &= ~np.isnan(whole)
        self._constant = float(np.nansum(whole[~mixed]))
        self._counted = max(int(np.count_nonzero(~np.isnan(whole))), 1)
        data = data.select_queries(mixed)
        self._features = data.features
        self._columns = np.ascontiguousarray(data.features.T)
        self._metric = metric
        self._evaluator: Evaluator | None = None
        # One order of the documents is enough for the metric, unless tied scores are averaged or compared roughly.
        if metric.family == "tau" or metric.ties in ("average", "random") or metric.precision != "float64":
            self._evaluator = Evaluator(metric, data.labels, data.query_offsets)
            return
        self._documents = Documents(data.labels, data.query_offsets)
        keys = self._documents.tie_keys(metric.ties)
        query = np.repeat(np.arange(data.n_queries), data.query_sizes)
        # Place of each document among equal scores, within its query.
        self._tie_places = np.argsort(np.lexsort((-keys, query)) if keys.size else np.arange(data.n_docs))
        self._rank_offsets = first_ranks(data.query_sizes, cut(metric.k))
        self._cutoffs = np.array([cut(metric.k)])
        self._template = replace(metric, k=None)

    def start(self, weights: Vector) -> float:
        """Go to these weights; return the mean metric there."""
        from ltrlib.rankers.base import linear_scores

        self._scores = linear_scores(self._features, weights)
        if self._evaluator is None:
            self._order = np.argsort(self._tie_places)
        return float(self.along(0, np.zeros(1))[0])

    def move(self, feature: int, change: float, divisor: float) -> None:
        """Change one weight, then divide all of them."""
        self._scores = (self._scores + change * self._columns[feature]) / divisor

    def along(self, feature: int, changes: Vector) -> Vector:
        """Mean metric after each of these changes of one weight, made one at a time."""
        column = self._columns[feature].astype(np.float64)
        if self._evaluator is not None:
            totals = [self._evaluator(self._scores + c * column)[self._metric].per_query.sum() for c in changes]
            return (np.array(totals) + self._constant) / self._counted
        documents = self._documents
        codes = np.empty((len(changes), self._rank_offsets[-1]), np.int32)
        new = np.zeros(len(changes), np.bool_)
        _rank_along(
            self._scores, column, changes, documents.offsets, self._tie_places, documents.codes, self._rank_offsets,
            self._order, codes, new,
        )  # fmt: skip
        values = np.empty(len(changes))
        for place in range(len(changes)):
            if new[place] or place == 0:
                ranking = Ranking(codes[place], self._rank_offsets, None)
                total = per_query(self._template, self._cutoffs, documents, ranking).sum()
            values[place] = (total + self._constant) / self._counted
        return values


@njit(cache=True, nogil=True)
def _rank_along(
    scores: Vector,
    column: Vector,
    changes: Vector,
    offsets: NDArray[np.int64],
    tie_places: NDArray[np.int64],
    codes: NDArray[np.int32],
    rank_offsets: NDArray[np.int64],
    order: NDArray[np.int64],
    out: NDArray[np.int32],
    new: NDArray[np.bool_],
) -> None:
    """Write the label codes of each query's first ranks after each change, and whether any differs from the change before.

    Each order is sorted by insertion from the one before: next to nothing to do where little changes. ``order`` is
    where the first one starts from, and becomes it.
    """
    longest = 0
    for q in range(offsets.size - 1):
        longest = max(longest, offsets[q + 1] - offsets[q])
    at = np.empty(longest, np.int64)
    value = np.empty(longest)
    for q in range(offsets.size - 1):
        start, n = offsets[q], offsets[q + 1] - offsets[q]
        first, depth = rank_offsets[q], rank_offsets[q + 1] - rank_offsets[q]
        varies = False
        for i in range(start + 1, start + n):
            varies = varies or column[i] != column[start]
        at[:n] = order[start : start + n]
        for c in range(changes.size):
            if c == 0 or varies:
                change = changes[c] if varies else 0.0
                for place in range(n):
                    i = at[place]
                    own = scores[i] + change * column[i]
                    j = place
                    while j > 0 and (
                        value[j - 1] < own or (value[j - 1] == own and tie_places[at[j - 1]] > tie_places[i])
                    ):
                        value[j] = value[j - 1]
                        at[j] = at[j - 1]
                        j -= 1
                    value[j] = own
                    at[j] = i
            if c == 0:
                order[start : start + n] = at[:n]
            for rank in range(depth):
                code = codes[at[rank]]
                out[c, first + rank] = code
                if c > 0 and out[c - 1, first + rank] != code:
                    new[c] = True
