"""Why do two tools give one ranking different numbers? The difference of their means, taken apart by cause.

Two metrics of one family differ in some of their declared choices. Each mixture of the two (some choices of the one,
the rest of the other) is a metric of its own, so its mean can be computed. A cause's part is its Shapley value: what
switching that choice changes, averaged over all orders in which the choices can be switched. So no order is
privileged, the parts add up to the whole difference, and a choice that changes nothing has part 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from ltrlib.errors import UsageError
from ltrlib.metrics.case import Case, make_case
from ltrlib.metrics.contributions import cut_offs_on_the_way, top_contributions
from ltrlib.metrics.explanation import Cause, Explanation
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.mixtures import evaluate_mixtures, mixtures_of, shapley, whole_mean
from ltrlib.metrics.notation import parse

__all__ = ["explain", "explain_case"]


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
    mixtures = mixtures_of(first, second, choices)
    depths = cut_offs_on_the_way(first, case) if "k" not in choices else []
    values, by_depth = evaluate_mixtures(mixtures, case, depths, choices)
    means = {chosen: whole_mean(row, mixtures[chosen]) for chosen, row in values.items()}
    # A query that a tool leaves out counts as if it had the mean of the others: that changes no mean, and so what
    # leaving it out does is told of this query and not of all others.
    filled = {chosen: np.where(np.isnan(row), means[chosen], row) for chosen, row in values.items()}
    causes = []
    for name in choices:
        per_query = shapley(filled, choices, name)
        steps = [means[chosen | {name}] - means[chosen] for chosen in values if name not in chosen]
        part = math.fsum(per_query.tolist()) / case.n_queries
        causes.append(Cause(name, getattr(first, name), getattr(second, name), part, min(steps), max(steps), per_query))
    causes.sort(key=lambda cause: -abs(cause.part))
    whole, none = frozenset(choices), frozenset[str]()
    by_rank: dict[int | None, dict[str, float]] = {}
    for depth, at_depth in by_depth.items():
        shares = {name: float(shapley(at_depth, choices, name)[0]) for name in choices}
        by_rank[depth] = {cause.name: shares[cause.choice] for cause in causes}
    return Explanation(
        first,
        second,
        (means[whole], means[none]),
        tuple(causes),
        top_contributions(first, second, case, causes, values[whole], values[none], top),
        by_rank,
        case.query_ids,
    )
