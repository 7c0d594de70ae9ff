"""The queries that contribute most to the difference of two metrics, and the rank at which the two part."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics.case import Case
from ltrlib.metrics.metric import Metric

if TYPE_CHECKING:
    from ltrlib.metrics.explanation import Cause

__all__ = ["EQUAL", "Contribution", "cut_offs_on_the_way", "parts_at", "top_contributions"]

EQUAL = 1e-12
"""Values of two tools that differ by less differ by rounding alone."""

_ALL_DEPTHS = 20  # up to this cut-off every rank is looked at
_DEPTHS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Contribution:
    """One query: what it adds to the difference of the means.

    Parameters
    ----------
    query
        Its id.
    difference
        What it adds to the difference of the means.
    first, second
        Its value under each; None where the tool leaves it out.
    causes
        What each cause adds, by name.
    parts_at
        First cut-off at which the two differ in this query; None where there is none.
    labels_first, labels_second
        Labels in ranked order under each, down to the cut-off (at most ten).
    alike
        Number of further queries that add exactly the same by the same causes, and are not listed.
    """

    query: str
    difference: float
    first: float | None
    second: float | None
    causes: Mapping[str, float]
    parts_at: int | None
    labels_first: tuple[int, ...]
    labels_second: tuple[int, ...]
    alike: int = 0


def cut_offs_on_the_way(metric: Metric, case: Case) -> list[int | None]:
    """Cut-offs on the way to that of the metric; none for a metric that has no cut-off."""
    try:
        replace(metric, k=1)
    except UsageError:
        return []
    if metric.k is not None and metric.k <= _ALL_DEPTHS:
        return list(range(1, metric.k + 1))
    end = int(case.sizes.max()) if metric.k is None else metric.k
    return [*(depth for depth in _DEPTHS if depth < end), metric.k]


def top_contributions(
    first: Metric,
    second: Metric,
    case: Case,
    causes: Sequence[Cause],
    values_first: NDArray[np.float64],
    values_second: NDArray[np.float64],
    count: int,
) -> tuple[Contribution, ...]:
    """The queries that add most, each with its causes; those that add the same are told once."""
    parts = np.array([cause.per_query for cause in causes]).reshape(len(causes), case.n_queries)
    total = parts.sum(axis=0)
    # Queries that add the same by the same causes are told once: often hundreds of empty ones.
    _, place, counts = np.unique(parts.round(12), axis=1, return_index=True, return_counts=True)
    order = np.lexsort((place, -np.abs(total[place]).round(12)))[:count]
    found = []
    for query, alike in zip(place[order].tolist(), counts[order].tolist(), strict=True):
        if abs(total[query]) <= EQUAL:
            break
        alone = case.only(query)
        found.append(
            Contribution(
                case.query_ids[query],
                float(total[query]) / case.n_queries,
                _or_none(values_first[query]),
                _or_none(values_second[query]),
                {cause.name: float(cause.per_query[query]) / case.n_queries for cause in causes},
                parts_at(first, second, alone),
                _ranked_labels(first, alone),
                _ranked_labels(second, alone),
                alike - 1,
            )
        )
    return tuple(found)


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def parts_at(first: Metric, second: Metric, case: Case) -> int | None:
    """First cut-off at which two metrics differ in the only query of a case; None where they nowhere do.

    Examples
    --------
    >>> from ltrlib.metrics.case import make_case
    >>> from ltrlib.metrics.notation import parse
    >>> parts_at(parse("ndcg@5:letor4"), parse("ndcg@5:ranklib"), make_case([1, 0, 0], [3.0, 2.0, 1.0], [0, 3]))
    4
    """
    if not cut_offs_on_the_way(first, case):
        return None
    # One rank behind the longest of the two lists nothing new can happen.
    longest = max(int(case.sizes[0]), 0 if case.judged is None else case.judged[0].size) + 1
    end = min(max(first.k or longest, second.k or longest), longest)
    ranks = list(range(1, end + 1))
    both = [case.values([replace(metric, k=rank) for rank in ranks]) for metric in (first, second)]
    for rank, one, other in zip(ranks, both[0].values(), both[1].values(), strict=True):
        a, b = float(one[0]), float(other[0])
        if math.isnan(a) != math.isnan(b) or abs(a - b) > EQUAL:
            return rank
    return None


def _ranked_labels(metric: Metric, case: Case) -> tuple[int, ...]:
    """Labels of the only query of a case in the order in which a metric ranks them, ten at most."""
    from ltrlib.metrics.judgments import Documents
    from ltrlib.metrics.ranking import rank

    documents = Documents(case.labels, case.query_offsets, doc_ids=case.doc_ids)
    depth = min(metric.k or 10, 10)
    ranking = rank(documents, case.scores, ties=metric.ties, precision=metric.precision, depth=depth)
    return tuple(documents.grades[ranking.codes[:depth]].tolist())
