"""The formula of each metric: label tables and ranks in, one value per query and cut-off out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics.convention import discounts, gain_table
from ltrlib.metrics.judgments import Documents
from ltrlib.metrics.kernels import discounted_sums
from ltrlib.metrics.metric import DCG, ERR, MAP, MRR, NDCG, MeanNDCG, Metric, P
from ltrlib.metrics.ranking import Ranking

__all__ = ["per_query"]

Matrix = NDArray[np.float64]
Cutoffs = NDArray[np.int64]


def per_query(metric: Metric, cutoffs: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    """Values per query and cut-off (ascending), with the metric's rules for empty, short and absent queries.

    Examples
    --------
    >>> from ltrlib.metrics.ranking import rank
    >>> documents = Documents([0, 1], [0, 2])
    >>> ranking = rank(documents, np.array([2.0, 1.0]), ties="file", precision="float64", depth=2)
    >>> per_query(NDCG(), np.array([1, 2]), documents, ranking).round(4)
    array([[0.    , 0.6309]])
    """
    values = _formula(metric)(metric, cutoffs, documents, ranking)
    if metric.empty != 0.0:  # each formula gives 0 by itself
        values[_is_empty(metric, documents)] = np.nan if metric.empty == "skip" else metric.empty
    if isinstance(metric, NDCG) and metric.short == "zero":
        # A list shorter than k scores 0; without a cut-off no list is short.
        for column, k in enumerate(cutoffs[cutoffs <= np.iinfo(np.int32).max]):
            values[documents.sizes < k, column] = 0.0
    values[documents.sizes == 0] = np.nan if metric.absent == "skip" else 0.0
    return values


def _formula(metric: Metric) -> Callable[[Any, Cutoffs, Documents, Ranking], Matrix]:
    if type(metric) in _FORMULAS:
        return _FORMULAS[type(metric)]
    from ltrlib.metrics.retrieval_formulas import RETRIEVAL_FORMULAS

    return RETRIEVAL_FORMULAS[type(metric)]


def _is_empty(metric: Metric, documents: Documents) -> NDArray[np.bool_]:
    """Queries in which no document is worth anything to this metric."""
    if isinstance(metric, DCG):
        wanted = gain_table(metric.gain, documents.grades) > 0
    else:
        wanted = documents.grades >= getattr(metric, "relevant_from", 1)
    empty: NDArray[np.bool_] = documents.count(wanted, getattr(metric, "ideal", "list")) == 0
    return empty


def _dcg(metric: DCG, cutoffs: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    gains = gain_table(metric.gain, documents.grades)
    return _sums(ranking, gains, cutoffs, _weights(metric, ranking))


def _ndcg(metric: NDCG, cutoffs: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    gains = gain_table(metric.gain, documents.grades)
    values = _sums(ranking, gains, cutoffs, _weights(metric, ranking))
    ideal = documents.ideal_sums(metric.gain, metric.discount, metric.ideal, cutoffs)
    return np.divide(values, ideal, out=values, where=ideal > 0)


def _mean_ndcg(metric: MeanNDCG, cutoffs: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    from ltrlib.metrics.mean_ndcg import mean_ratios

    gains = gain_table(metric.gain, documents.grades)
    ideal, offsets = documents.ideal_codes(gains, "list", int(cutoffs[-1]))
    values = np.empty((offsets.size - 1, 1))
    mean_ratios(*ranking.lookup(gains), gains, ideal, offsets, _weights(metric, ranking), values)
    return values


def _err(metric: ERR, cutoffs: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    if documents.grades[-1] > metric.max_grade:
        raise UsageError(
            f"err: label {documents.grades[-1]} is above max_grade={metric.max_grade}",
            cure=f"write err(max_grade={documents.grades[-1]})",
        )
    chance = gain_table("exp2", documents.grades) / 2.0**metric.max_grade
    from ltrlib.metrics.whole_list import EXPECTED_RECIPROCAL_RANK

    return _walk(EXPECTED_RECIPROCAL_RANK, ranking, chance, cutoffs)


def _map(metric: MAP, cutoffs: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    from ltrlib.metrics.whole_list import AVERAGE_PRECISION

    relevant = documents.grades >= metric.relevant_from
    table = relevant.astype(np.float64)
    values = _walk(AVERAGE_PRECISION, ranking, table, cutoffs)
    total = documents.count(relevant, metric.ideal)
    if metric.denominator == "found":
        divisor = _sums(ranking, table, cutoffs, np.ones(ranking.longest))
    elif metric.denominator == "cutoff":
        divisor = np.minimum(total[:, None], cutoffs)
    else:
        divisor = np.broadcast_to(total[:, None], values.shape)
    return np.divide(values, divisor, out=values, where=divisor > 0)


def _p(metric: P, cutoffs: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    relevant = documents.grades >= metric.relevant_from
    values = _sums(ranking, relevant.astype(np.float64), cutoffs, np.ones(ranking.longest))
    own = np.minimum(documents.sizes[:, None], cutoffs)
    whole = cutoffs > np.iinfo(np.int32).max
    divisor = np.where(whole, own, cutoffs) if metric.short == "pad" else own
    return values / np.maximum(divisor, 1)


def _mrr(metric: MRR, cutoffs: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    from ltrlib.metrics.whole_list import RECIPROCAL_RANK

    relevant = documents.grades >= metric.relevant_from
    return _walk(RECIPROCAL_RANK, ranking, relevant.astype(np.float64), cutoffs)


_FORMULAS: dict[type[Metric], Callable[[Any, Cutoffs, Documents, Ranking], Matrix]] = {
    DCG: _dcg,
    NDCG: _ndcg,
    MeanNDCG: _mean_ndcg,
    ERR: _err,
    MAP: _map,
    P: _p,
    MRR: _mrr,
}


def _weights(metric: DCG, ranking: Ranking) -> Matrix:
    return discounts(metric.discount, ranking.longest)


def _sums(ranking: Ranking, table: Matrix, cutoffs: Cutoffs, weights: Matrix) -> Matrix:
    out = np.empty((ranking.offsets.size - 1, cutoffs.size))
    discounted_sums(*ranking.lookup(table), ranking.offsets, weights, cutoffs, out)
    return out


def _walk(kind: int, ranking: Ranking, table: Matrix, cutoffs: Cutoffs) -> Matrix:
    from ltrlib.metrics.whole_list import walked_sums

    out = np.empty((ranking.offsets.size - 1, cutoffs.size))
    walked_sums(kind, *ranking.lookup(table), ranking.offsets, cutoffs, out)
    return out
