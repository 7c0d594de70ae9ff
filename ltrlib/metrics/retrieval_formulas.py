"""The formulas of :mod:`ltrlib.metrics.retrieval`: ranks in, one value per query and cut-off out.

All of them follow from running totals over the ranks, so a few passes of NumPy do for any number of queries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.metrics.declared import LARGEST_CUTOFF, Metric
from ltrlib.metrics.judgments import Documents
from ltrlib.metrics.kernels import discounted_sums
from ltrlib.metrics.ranking import Ranking
from ltrlib.metrics.retrieval import (
    RBP,
    Bpref,
    F,
    InfAP,
    Judged,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    Recall,
    RPrec,
    Success,
)

__all__ = ["RETRIEVAL_FORMULAS", "list_lengths"]

Matrix = NDArray[np.float64]
Cutoffs = NDArray[np.int64]

_SMOOTHING = 1e-5  # trec_eval's, in infAP


def list_lengths(documents: Documents, cutoffs: Cutoffs, short: str) -> Matrix:
    """Divisors of precision at k: the length of the list cut at k, or k itself where a short list is filled up.

    Examples
    --------
    >>> list_lengths(Documents([0, 1], [0, 2]), np.array([1, 10]), "own")
    array([[1., 2.]])
    """
    own = np.minimum(documents.sizes[:, None], cutoffs)
    lengths = np.where(cutoffs > LARGEST_CUTOFF, own, cutoffs) if short == "pad" else own
    divisors: Matrix = np.maximum(lengths, 1).astype(np.float64)
    return divisors


def _recall(metric: Recall, cutoffs: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    relevant = documents.grades >= metric.relevant_from
    return _shares(_found(ranking, relevant, cutoffs), documents.count(relevant, metric.ideal)[:, None])


def _r_precision(metric: RPrec, _: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    relevant = documents.grades >= metric.relevant_from
    total = documents.count(relevant, metric.ideal)
    table, places = ranking.lookup(relevant.astype(np.float64))
    running = np.concatenate([[0.0], np.cumsum(table[places])])
    starts = ranking.offsets[:-1]
    ends = np.minimum(starts + total.astype(np.int64), ranking.offsets[1:])
    return _shares(running[ends] - running[starts], total)[:, None]


def _success(metric: Success, cutoffs: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    return (_found(ranking, documents.grades >= metric.relevant_from, cutoffs) > 0).astype(np.float64)


def _f(metric: F, cutoffs: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    relevant = documents.grades >= metric.relevant_from
    found = _found(ranking, relevant, cutoffs)
    precision = found / list_lengths(documents, cutoffs, metric.short)
    recall = _shares(found, documents.count(relevant, metric.ideal)[:, None])
    square = metric.beta * metric.beta
    return _shares((1.0 + square) * precision * recall, square * precision + recall)


def _rbp(metric: RBP, cutoffs: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    relevant = documents.grades >= metric.relevant_from
    worth = np.where(relevant, documents.grades if metric.worth == "label" else 1, 0).astype(np.float64)
    weights: Matrix = (1.0 - metric.p) * np.power(metric.p, np.arange(ranking.longest, dtype=np.float64))
    return _sums(ranking, worth, cutoffs, weights)


def _bpref(metric: Bpref, _: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    relevant, others = _judged_grades(metric.relevant_from, documents)
    all_relevant, all_others = documents.count(relevant, "judged"), documents.count(others, "judged")
    places, queries = _places(ranking, relevant)
    above = np.minimum(_before(ranking, others)[places], all_relevant[queries])
    terms = 1.0 - _shares(above, np.minimum(all_others, all_relevant)[queries])
    return _means(terms, queries, all_relevant)


def _inferred(metric: InfAP, _: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    relevant, others = _judged_grades(metric.relevant_from, documents)
    places, queries = _places(ranking, relevant)
    depth = (places - ranking.offsets[queries]).astype(np.float64)  # documents above
    relevant_above, others_above = _before(ranking, relevant)[places], _before(ranking, others)[places]
    pooled = relevant_above + others_above + _before(ranking, documents.pooled)[places]
    precision = (relevant_above + _SMOOTHING) / (relevant_above + others_above + 2 * _SMOOTHING)
    first = depth == 0
    share_pooled = np.divide(pooled, depth, out=np.zeros_like(depth), where=~first)
    terms = np.where(first, 1.0, 1.0 / (depth + 1.0) + depth / (depth + 1.0) * share_pooled * precision)
    return _means(terms, queries, documents.count(relevant, "judged"))


def _judged(metric: Judged, cutoffs: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    return _found(ranking, documents.judged, cutoffs) / list_lengths(documents, cutoffs, metric.short)


def _num_ret(_: NumRet, __: Cutoffs, documents: Documents, ___: Ranking) -> Matrix:
    return documents.sizes[:, None].astype(np.float64)


def _num_rel(metric: NumRel, _: Cutoffs, documents: Documents, __: Ranking) -> Matrix:
    return documents.count(documents.grades >= metric.relevant_from, metric.ideal)[:, None].copy()


def _num_rel_ret(metric: NumRelRet, cutoffs: Cutoffs, documents: Documents, ranking: Ranking) -> Matrix:
    return _found(ranking, documents.grades >= metric.relevant_from, cutoffs)


def _num_q(_: NumQ, __: Cutoffs, documents: Documents, ___: Ranking) -> Matrix:
    return np.ones((documents.sizes.size, 1))


RETRIEVAL_FORMULAS: dict[type[Metric], Callable[[Any, Cutoffs, Documents, Ranking], Matrix]] = {
    Recall: _recall,
    RPrec: _r_precision,
    Success: _success,
    F: _f,
    RBP: _rbp,
    Bpref: _bpref,
    InfAP: _inferred,
    Judged: _judged,
    NumRet: _num_ret,
    NumRel: _num_rel,
    NumRelRet: _num_rel_ret,
    NumQ: _num_q,
}
"""Formula of each of these metrics."""


def _judged_grades(relevant_from: int, documents: Documents) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which grades say relevant, and which say judged but not relevant."""
    relevant = documents.judged & (documents.grades >= relevant_from)
    return relevant, documents.judged & ~relevant


def _places(ranking: Ranking, wanted: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Ranks of documents with a wanted grade, all queries behind each other, and the query of each."""
    places = np.flatnonzero(wanted[ranking.codes])
    return places, np.searchsorted(ranking.offsets, places, side="right") - 1


def _before(ranking: Ranking, wanted: NDArray[np.bool_]) -> Matrix:
    """How many documents of a wanted grade stand above each rank, in the same query."""
    found = wanted[ranking.codes]
    running = np.concatenate([[0], np.cumsum(found)])
    sizes = np.diff(ranking.offsets)
    above: Matrix = (running[:-1] - np.repeat(running[ranking.offsets[:-1]], sizes)).astype(np.float64)
    return above


def _means(terms: Matrix, queries: NDArray[np.int64], divisors: Matrix) -> Matrix:
    """Sum of each query's terms, in the order of the ranks, over its divisor."""
    sums: Matrix = np.bincount(queries, weights=terms, minlength=divisors.size).astype(np.float64)
    return _shares(sums, divisors)[:, None]


def _shares(part: Matrix, whole: Matrix) -> Matrix:
    whole = np.broadcast_to(whole, part.shape)
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)


def _found(ranking: Ranking, wanted: NDArray[np.bool_], cutoffs: Cutoffs) -> Matrix:
    return _sums(ranking, wanted.astype(np.float64), cutoffs, np.ones(ranking.longest))


def _sums(ranking: Ranking, table: Matrix, cutoffs: Cutoffs, weights: Matrix) -> Matrix:
    out = np.empty((ranking.offsets.size - 1, cutoffs.size))
    discounted_sums(*ranking.lookup(table), ranking.offsets, weights, cutoffs, out)
    return out
