"""LambdaRank's idea for DirectRanker: a pair counts as much as its exchange would change NDCG."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError
from ltrlib.metrics.metric import NDCG
from ltrlib.rankers.ndcg_terms import ndcg_terms

__all__ = ["DeltaNDCG"]


class DeltaNDCG:
    """Importance of pairs of documents of one query under the present ranking.

    Ranks below the cut-off keep their discount, as in LambdaMART: no pair is worth nothing but where its query is.

    Parameters
    ----------
    metric
        The NDCG; gains, discounts and the rules for empty and short queries count.
    data
        Labels and queries.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.eye(3, dtype=np.float32), np.array([0, 1, 0], np.int32), np.array([0, 3]),
    ...                    np.array(["a"]), None, Source("example"))
    >>> delta = DeltaNDCG(NDCG(10), data)
    >>> delta(np.array([3.0, 2.0, 1.0]), np.array([[[1, 1], [0, 2]]])).round(4)  # 1 - 0.6309, 0.6309 - 0.5
    array([[0.3691, 0.1309]], dtype=float32)
    """

    def __init__(self, metric: NDCG, data: RankingData) -> None:
        terms = ndcg_terms(metric, data)
        if not terms.per_ideal.any():
            raise UsageError(f"{metric} gives every query a fixed value: no pair counts", where="DirectRanker.fit")
        self._query = np.repeat(np.arange(data.n_queries), data.query_sizes)
        self._start = np.repeat(data.query_offsets[:-1], data.query_sizes)
        self._gains = terms.gains * np.repeat(terms.per_ideal, data.query_sizes)
        self._discounts = terms.discounts

    def __call__(self, scores: NDArray[np.float64], rows: NDArray[np.int32]) -> NDArray[np.float32]:
        """Importance of each pair, given the scores of all documents and ``rows`` as ``(steps, 2, pairs)``."""
        order = np.lexsort((-scores, self._query))
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        discount = self._discounts[rank - self._start]
        (better, worse), gains = rows.swapaxes(0, 1), self._gains
        change = np.abs((gains[better] - gains[worse]) * (discount[better] - discount[worse]))
        importance: NDArray[np.float32] = change.astype(np.float32)
        return importance
