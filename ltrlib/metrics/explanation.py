"""The difference between two means, taken apart: what :func:`ltrlib.metrics.explain` finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.metrics.contributions import EQUAL, Contribution
from ltrlib.metrics.metric import Metric

__all__ = ["CAUSES", "Cause", "Explanation"]

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
        return int(np.count_nonzero(np.abs(self.per_query) > EQUAL))

    @property
    def most_in(self) -> int | None:
        """The first query that it changes most, counted from 0."""
        return int(np.argmax(np.abs(self.per_query))) if self.queries else None


@dataclass(frozen=True, eq=False)
class Explanation:
    """The difference between two means, taken apart.

    Parameters
    ----------
    first
        One metric.
    second
        The other.
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
    >>> from ltrlib.metrics.explaining import explain
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
