"""Why do two tools give one ranking different numbers? The difference of their means, taken apart by cause.

Two metrics of one family differ in some of their declared choices. Each mixture of the two (some choices of the one,
the rest of the other) is a metric of its own, so its mean can be computed. A cause's part is its Shapley value: what
switching that choice changes, averaged over all orders in which the choices can be switched. So no order is
privileged, the parts add up to the whole difference, and a choice that changes nothing has part 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics.case import Case, make_case
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.notation import parse

__all__ = ["CAUSES", "Cause", "Contribution", "Explanation", "explain", "explain_case", "parts_at"]

CAUSES = {
    "empty": "empty queries",
    "short": "short lists",
    "gain": "gain",
    "discount": "discount",
    "ties": "ties",
    "precision": "score precision",
    "ideal": "ideal",
    "absent": "queries missing from the run",
    "denominator": "denominator",
    "relevant_from": "relevance threshold",
    "max_grade": "highest grade",
    "k": "cut-off",
}
"""What each choice of a metric is called as a cause."""

_EQUAL = 1e-12  # values of two tools that differ by less differ by rounding alone
_ALL_DEPTHS = 20  # up to this cut-off every rank is looked at
_DEPTHS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
_NEEDS_JUDGED = ("ideal", "absent")


@dataclass(frozen=True, eq=False)
class Cause:
    """One choice that the two make differently, and what it is worth.

    Parameters
    ----------
    choice
        Name of the choice, as in a metric's text form.
    first, second
        What each of the two chooses.
    part
        Its share of the difference of the means.
    lowest, highest
        The least and the most that switching this choice changes, over all states of the other choices: equal where
        no other choice plays into it.
    per_query
        What it contributes in each query; the mean over queries is ``part``.
    """

    choice: str
    first: Any
    second: Any
    part: float
    lowest: float
    highest: float
    per_query: NDArray[np.float64]

    @property
    def name(self) -> str:
        """What it is called: ``empty queries``."""
        return CAUSES.get(self.choice, self.choice.replace("_", " "))

    @property
    def queries(self) -> int:
        """Number of queries that it changes."""
        return int(np.count_nonzero(np.abs(self.per_query) > _EQUAL))

    @property
    def most_in(self) -> int | None:
        """The first query that it changes most, counted from 0."""
        return int(np.argmax(np.abs(self.per_query))) if self.queries else None


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


@dataclass(frozen=True, eq=False)
class Explanation:
    """The difference between two means, taken apart.

    Parameters
    ----------
    first, second
        The two metrics.
    means
        Their means.
    causes
        Largest part first.
    top
        The queries that contribute most.
    by_rank
        The parts by name at each cut-off down to that of the metrics (None: the whole list), where they share one.
    query_ids
        Names of all queries.

    Examples
    --------
    >>> found = explain("ndcg@10:lightgbm", "ndcg@10:sklearn", [2, 0, 1, 0], [0.1, 0.2, 0.3, 0.3], [0, 3, 4])
    >>> {name: round(part, 4) for name, part in found.parts.items()}
    {'empty queries': 0.5, 'gain': -0.0358, 'ties': 0.0}
    >>> abs(sum(found.parts.values()) - found.difference) < 1e-12
    True
    """

    first: Metric
    second: Metric
    means: tuple[float, float]
    causes: tuple[Cause, ...]
    top: tuple[Contribution, ...]
    by_rank: Mapping[int | None, Mapping[str, float]]
    query_ids: tuple[str, ...]

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.query_ids)

    @property
    def difference(self) -> float:
        """Mean of the first minus mean of the second."""
        return self.means[0] - self.means[1]

    @property
    def parts(self) -> dict[str, float]:
        """Part of each cause."""
        return {cause.name: cause.part for cause in self.causes}

    @property
    def same(self) -> tuple[str, ...]:
        """Choices that both make alike, by the name of the cause."""
        differ = {cause.choice for cause in self.causes}
        alike = [name for name in ("k", *self.first.choices_of_family()) if name not in differ]
        return tuple(CAUSES.get(name, name) for name in alike)


def explain(
    first: str | Metric,
    second: str | Metric,
    labels: ArrayLike,
    scores: ArrayLike,
    query_offsets: ArrayLike,
    *,
    query_ids: Iterable[str] | None = None,
    doc_ids: ArrayLike | None = None,
    judged: tuple[ArrayLike, ArrayLike] | None = None,
    top: int = 10,
) -> Explanation:
    """Take the difference of two metrics' means apart by cause.

    Parameters
    ----------
    first, second
        Two metrics of one family, as in ``"ndcg@10:lightgbm"``.
    labels, scores, query_offsets, doc_ids, judged
        As :func:`ltrlib.metrics.evaluate` takes them.
    query_ids
        Names of the queries; otherwise they are counted from 1.
    top
        How many queries to list.

    Examples
    --------
    >>> found = explain("ndcg@3:letor4", "ndcg@3:ranklib", [0, 1], [2.0, 1.0], [0, 2])
    >>> [(cause.name, cause.first, cause.second) for cause in found.causes]
    [('short lists', 'zero', 'own'), ('discount', 'letor', 'log2'), ('gain', (0, 1, 3), 'exp2')]
    >>> found.top[0].parts_at
    2
    """
    case = make_case(labels, scores, query_offsets, query_ids=query_ids, doc_ids=doc_ids, judged=judged)
    one, other = (parse(metric) if isinstance(metric, str) else metric for metric in (first, second))
    return explain_case(one, other, case, top=top)


def explain_case(first: Metric, second: Metric, case: Case, *, top: int = 10) -> Explanation:
    """As :func:`explain`, for a ranking that is already put together.

    Examples
    --------
    >>> case = make_case([0, 0], [2.0, 1.0], [0, 2])
    >>> explain_case(parse("ndcg:yahoo"), parse("ndcg:ranklib"), case).parts
    {'empty queries': 1.0}
    """
    if type(first) is not type(second):
        raise UsageError(
            f"{first} and {second} are different metrics, not two conventions of one",
            cure="compare ndcg with ndcg, map with map",
        )
    if first.adds_up:
        raise UsageError(f"{first.family} is a count, of which tools print the sum", cure="explain a mean, as of ndcg")
    choices = [name for name in ("k", *first.choices_of_family()) if getattr(first, name) != getattr(second, name)]
    mixtures = _mixtures(first, second, choices)
    depths = _depths(first, case) if "k" not in choices else []
    values, by_depth = _evaluate(mixtures, case, depths, choices)
    means = {chosen: _mean(row, mixtures[chosen]) for chosen, row in values.items()}
    # A query that a tool leaves out counts as if it had the mean of the others: that changes no mean, and so what
    # leaving it out does is told of this query and not of all others.
    filled = {chosen: np.where(np.isnan(row), means[chosen], row) for chosen, row in values.items()}
    causes = []
    for name in choices:
        per_query = _shapley(filled, choices, name)
        steps = [means[chosen | {name}] - means[chosen] for chosen in values if name not in chosen]
        part = math.fsum(per_query.tolist()) / case.n_queries
        causes.append(Cause(name, getattr(first, name), getattr(second, name), part, min(steps), max(steps), per_query))
    causes.sort(key=lambda cause: -abs(cause.part))
    whole, none = frozenset(choices), frozenset[str]()
    by_rank: dict[int | None, dict[str, float]] = {}
    for depth, at_depth in by_depth.items():
        shares = {name: float(_shapley(at_depth, choices, name)[0]) for name in choices}
        by_rank[depth] = {cause.name: shares[cause.choice] for cause in causes}
    return Explanation(
        first,
        second,
        (means[whole], means[none]),
        tuple(causes),
        _top(first, second, case, causes, values[whole], values[none], top),
        by_rank,
        case.query_ids,
    )


Chosen = frozenset[str]


def _mixtures(first: Metric, second: Metric, choices: Sequence[str]) -> dict[Chosen, Metric]:
    """The metric for each set of choices that are made as the first makes them, the others as the second."""
    bare = replace(second, tool=None)
    return {
        frozenset(chosen): replace(bare, **{name: getattr(first, name) for name in chosen})
        for size in range(len(choices) + 1)
        for chosen in combinations(choices, size)
    }


def _evaluate(
    mixtures: Mapping[Chosen, Metric], case: Case, depths: Sequence[int | None], choices: Sequence[str]
) -> tuple[dict[Chosen, NDArray[np.float64]], dict[int | None, dict[Chosen, NDArray[np.float64]]]]:
    """Values per query of each mixture, and its mean (as an array of one) at each depth."""
    # Where nothing but the ranked documents is known, two choices cannot matter: half the work each.
    idle = {name for name in choices if name in _NEEDS_JUDGED and case.judged is None and case.sizes.all()}
    groups: dict[tuple[str, str], list[Chosen]] = {}
    for chosen, metric in mixtures.items():
        if not chosen & idle:
            groups.setdefault((metric.ties, metric.precision), []).append(chosen)
    values: dict[Chosen, NDArray[np.float64]] = {}
    by_depth: dict[int | None, dict[Chosen, NDArray[np.float64]]] = {depth: {} for depth in depths}
    for group in groups.values():
        wanted = {(chosen, k): replace(mixtures[chosen], k=k) for chosen in group for k in depths}
        wanted |= {(chosen, mixtures[chosen].k): mixtures[chosen] for chosen in group}
        found = case.values(dict.fromkeys(wanted.values()))
        for (chosen, k), metric in wanted.items():
            if k == mixtures[chosen].k:
                values[chosen] = found[metric]
            if k in by_depth:
                by_depth[k][chosen] = np.array([_mean(found[metric], metric)])
    for chosen in mixtures:
        if chosen & idle:
            values[chosen] = values[chosen - idle]
            for at_depth in by_depth.values():
                at_depth[chosen] = at_depth[chosen - idle]
    return values, by_depth


def _mean(values: NDArray[np.float64], metric: Metric) -> float:
    counted = values[~np.isnan(values)]
    if not counted.size:
        raise UsageError(f"{metric} leaves out every query, so it has no mean")
    return math.fsum(counted.tolist()) / counted.size


def _shapley(values: Mapping[Chosen, NDArray[np.float64]], choices: Sequence[str], name: str) -> NDArray[np.float64]:
    """Mean over all orders of switching of what switching ``name`` changes."""
    count = len(choices)
    total = np.zeros(next(iter(values.values())).shape)
    for chosen, before in values.items():
        if name not in chosen:
            weight = 1.0 / (count * math.comb(count - 1, len(chosen)))
            total += weight * (values[chosen | {name}] - before)
    return total


def _depths(metric: Metric, case: Case) -> list[int | None]:
    """Cut-offs on the way to that of the metric; none for a metric that has no cut-off."""
    try:
        replace(metric, k=1)
    except UsageError:
        return []
    if metric.k is not None and metric.k <= _ALL_DEPTHS:
        return list(range(1, metric.k + 1))
    end = int(case.sizes.max()) if metric.k is None else metric.k
    return [*(depth for depth in _DEPTHS if depth < end), metric.k]


def _top(
    first: Metric,
    second: Metric,
    case: Case,
    causes: Sequence[Cause],
    values_first: NDArray[np.float64],
    values_second: NDArray[np.float64],
    count: int,
) -> tuple[Contribution, ...]:
    parts = np.array([cause.per_query for cause in causes]).reshape(len(causes), case.n_queries)
    total = parts.sum(axis=0)
    # Queries that add the same by the same causes are told once: often hundreds of empty ones.
    _, place, counts = np.unique(parts.round(12), axis=1, return_index=True, return_counts=True)
    order = np.lexsort((place, -np.abs(total[place]).round(12)))[:count]
    found = []
    for query, alike in zip(place[order].tolist(), counts[order].tolist(), strict=True):
        if abs(total[query]) <= _EQUAL:
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
    >>> parts_at(parse("ndcg@5:letor4"), parse("ndcg@5:ranklib"), make_case([1, 0, 0], [3.0, 2.0, 1.0], [0, 3]))
    4
    """
    if not _depths(first, case):
        return None
    # One rank behind the longest of the two lists nothing new can happen.
    longest = max(int(case.sizes[0]), 0 if case.judged is None else case.judged[0].size) + 1
    end = min(max(first.k or longest, second.k or longest), longest)
    ranks = list(range(1, end + 1))
    both = [case.values([replace(metric, k=rank) for rank in ranks]) for metric in (first, second)]
    for rank, one, other in zip(ranks, both[0].values(), both[1].values(), strict=True):
        a, b = float(one[0]), float(other[0])
        if math.isnan(a) != math.isnan(b) or abs(a - b) > _EQUAL:
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
