"""What a candidate (a tool's metric after some preprocessing) gives each query of a ranking, and on average."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics.candidates import Candidate
from ltrlib.metrics.case import Case
from ltrlib.metrics.metric import Metric

__all__ = ["mean_of", "same_tool", "values_of"]


def mean_of(values: NDArray[np.float64]) -> float:
    """Mean of the queries that count; NaN when none does.

    Examples
    --------
    >>> mean_of(np.array([1.0, np.nan]))
    1.0
    """
    counted = values[~np.isnan(values)]
    return math.fsum(counted.tolist()) / counted.size if counted.size else math.nan


def same_tool(candidate: Candidate, metric: Metric) -> Candidate | None:
    """The same tool and preprocessing with another metric; None where the tool has none.

    Examples
    --------
    >>> from ltrlib.metrics.candidates import Preprocessing
    >>> from ltrlib.metrics.notation import parse
    >>> one = Candidate(parse("ndcg@10:yahoo(empty=0.5)"), Preprocessing())
    >>> same_tool(one, parse("ndcg@5")).metric, same_tool(one, parse("map"))
    (ndcg@5:yahoo(empty=0.5), None)
    """
    known = candidate.metric
    if metric.family == known.family:
        return replace(candidate, metric=replace(known, k=metric.k))
    from ltrlib.metrics.tools import TOOLS

    found = TOOLS[known.tool].template(metric.family, metric.k) if known.tool else None
    return None if found is None else replace(candidate, metric=found)


def values_of(candidate: Candidate | None, case: Case) -> NDArray[np.float64] | None:
    """Values of a candidate per query, NaN where the query does not count; None where it cannot be computed."""
    if candidate is None:
        return None
    seen = candidate.preprocessing.labelled(case)
    try:
        values = seen.values([candidate.bare])[candidate.bare]
    except UsageError:
        return None
    return np.where(candidate.preprocessing.kept(seen, candidate.metric.k), values, np.nan)
