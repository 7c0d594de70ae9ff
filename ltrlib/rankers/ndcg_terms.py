"""NDCG taken apart into the numbers that a compiled loop needs to compute it, or what a change of order is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.metrics.convention import discounts, gain_table
from ltrlib.metrics.engine import evaluate
from ltrlib.metrics.metric import DCG, NDCG

__all__ = ["NDCGTerms", "ndcg_terms"]


@dataclass(frozen=True, eq=False)
class NDCGTerms:
    """The NDCG of a query is the sum of gain × discount over its first k ranks, times ``per_ideal``.

    Parameters
    ----------
    gains
        Gain of each document.
    discounts
        Discount of each rank, down to the longest query.
    per_ideal
        One over the largest possible sum of each query; 0 where the metric gives the query a fixed value, because
        nothing is relevant or the list is too short.
    k
        Cut-off.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.eye(2, dtype=np.float32), np.array([0, 1], np.int32), np.array([0, 2]),
    ...                    np.array(["a"]), None, Source("example"))
    >>> ndcg_terms(NDCG(10), data).discounts.round(4), ndcg_terms(NDCG(10, short="zero"), data).per_ideal
    (array([1.    , 0.6309]), array([0.]))
    """

    gains: NDArray[np.float64]
    discounts: NDArray[np.float64]
    per_ideal: NDArray[np.float64]
    k: int


def ndcg_terms(metric: NDCG, data: RankingData) -> NDCGTerms:
    """Take the NDCG of these queries apart."""
    longest = int(data.query_sizes.max(initial=0))
    gains = gain_table(metric.gain, np.arange(int(data.labels.max(initial=0)) + 1))[data.labels]
    dcg = DCG(metric.k, gain=metric.gain, discount=metric.discount)
    ideal = evaluate(dcg, data.labels, gains, data.query_offsets)[dcg].per_query
    if metric.short == "zero" and metric.k is not None:
        ideal = np.where(data.query_sizes < metric.k, 0.0, ideal)
    per_ideal = np.divide(1.0, ideal, out=np.zeros_like(ideal), where=ideal > 0)
    return NDCGTerms(gains, discounts(metric.discount, longest), per_ideal, min(metric.k or longest, longest))
