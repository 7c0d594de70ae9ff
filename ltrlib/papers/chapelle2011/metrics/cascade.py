"""The cascade user model of Chapelle and Chang (2011, Algorithm 2), simulated beside the closed form of ERR."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError
from ltrlib.metrics.engine import evaluate_data
from ltrlib.progress import progress

__all__ = [
    "Ranked",
    "cascade_against_formula",
    "expected_reward",
    "pfound",
    "satisfaction",
    "simulate_cascade",
]

_MAX_GRADE = 4


@dataclass(frozen=True, eq=False)
class Ranked:
    """Documents with the scores by which they are ranked."""

    data: RankingData
    scores: NDArray[np.float64]

    @property
    def labels(self) -> NDArray[np.int32]:
        """Labels in ranked order, query by query; ties stay in file order, as in the metrics."""
        query = np.repeat(np.arange(self.data.n_queries), self.data.query_sizes)
        return self.data.labels[np.lexsort((-self.scores, query))]

    @property
    def err(self) -> NDArray[np.float64]:
        """ERR of each query."""
        return evaluate_data("err:yahoo", self.data, self.scores)["err:yahoo"].per_query


def satisfaction(labels: NDArray[np.int32]) -> NDArray[np.float64]:
    """Probability that a document satisfies its reader: R(y) = (2^y − 1) / 16.

    Examples
    --------
    >>> satisfaction(np.array([0, 1, 4], np.int32))
    array([0.    , 0.0625, 0.9375])
    """
    chances: NDArray[np.float64] = (np.exp2(labels.astype(np.float64)) - 1.0) / 2.0**_MAX_GRADE
    return chances


def simulate_cascade(
    labels: NDArray[np.int32], query_offsets: NDArray[np.int64], *, users: int, seed: int = 0, depth: int | None = None
) -> NDArray[np.float64]:
    """Let users read ranked lists from the top until a document satisfies them.

    All users of all queries move down one rank at a time, and those who stopped take no more part.

    Parameters
    ----------
    labels
        In the order in which they are ranked, query by query.
    query_offsets
        Where each query starts.
    users
        Readers of each query.
    seed
        Decides who is satisfied.
    depth
        Ranks that are read at most; the whole list if not given.

    Returns
    -------
    numpy.ndarray
        1 / rank at which a user stopped, 0 for one who never did: one row per query, one column per user.

    Examples
    --------
    >>> stops = simulate_cascade(np.array([4, 0, 0], np.int32), np.array([0, 2, 3]), users=10_000)
    >>> stops.mean(axis=1).round(2)  # R = 15/16 at rank 1 of the first query, nothing in the second
    array([0.94, 0.  ])
    """
    if users < 1:
        raise UsageError(f"{users} users cannot read", where="simulate_cascade", cure="give one or more")
    rng = np.random.default_rng(seed)
    chances, sizes = satisfaction(labels), np.diff(query_offsets)
    stopped = np.zeros(len(sizes) * users)
    reader = np.arange(len(stopped))
    deepest = int(sizes.max(initial=0)) if depth is None else min(depth, int(sizes.max(initial=0)))
    for rank in progress(range(deepest), what="users read", unit="rank"):
        reader = reader[sizes[reader // users] > rank]
        satisfied = rng.random(len(reader)) <= chances[query_offsets[reader // users] + rank]
        # A draw of exactly 0 would satisfy even with R = 0; the algorithm says "less or equal", so be it.
        stopped[reader[satisfied]] = 1.0 / (rank + 1)
        reader = reader[~satisfied]
    return stopped.reshape(len(sizes), users)


def cascade_against_formula(
    data: RankingData, scores: NDArray[np.float64], *, users: int = 200, seed: int = 0
) -> pd.DataFrame:
    """Mean reciprocal stopping rank of simulated users beside ERR, reading whole lists and reading one page of ten.

    Returns
    -------
    pandas.DataFrame
        One row per reading: ``reads``, ``formula``, ``simulated``, ``standard_error`` (of the simulation, over users)
        and ``deviation`` in standard errors.

    Examples
    --------
    >>> from ltrlib.datasets.loading import load
    >>> data = load("standin/yahoo-set1", "test", scale=0.002)
    >>> table = cascade_against_formula(data, data.labels.astype(float))
    >>> bool((table["deviation"].abs() < 4).all())
    True
    """
    ranked = Ranked(data, scores).labels
    result = evaluate_data(["err:yahoo", "err@10:yahoo"], data, scores)
    rows = []
    for reads, metric, depth in (("the whole list", "err:yahoo", None), ("the first ten", "err@10:yahoo", 10)):
        stops = simulate_cascade(ranked, data.query_offsets, users=users, seed=seed, depth=depth)
        error = math.sqrt(float(stops.var(axis=1, ddof=1).sum()) / users) / data.n_queries
        formula, simulated = result[metric].mean, float(stops.mean())
        rows.append((reads, formula, simulated, error, (simulated - formula) / error))
    return pd.DataFrame(rows, columns=["reads", "formula", "simulated", "standard_error", "deviation"])


def pfound(chances: Sequence[Fraction], stay: Fraction) -> Fraction:
    """Yandex's pFound, by the formula that its own CatBoost documents (catboost.ai/docs/references/pfound).

    Parameters
    ----------
    chances
        That a document satisfies, in ranked order.
    stay
        That a user who is not satisfied reads on.

    Examples
    --------
    >>> pfound([Fraction(1, 2), Fraction(1, 2)], Fraction(1, 2))  # 1/2 + 1/2 · 1/2 · 1/2
    Fraction(5, 8)
    """
    look, found = Fraction(1), Fraction(0)
    for chance in chances:
        found += look * chance
        look *= (1 - chance) * stay
    return found


def expected_reward(
    chances: Sequence[Fraction], stay: Fraction, reward: Callable[[int], Fraction], rank: int = 1
) -> Fraction:
    """What the user of Algorithm 2 may expect who also gives up, unsatisfied, with probability 1 − stay.

    Every step of the algorithm is followed; no formula is used.

    Parameters
    ----------
    chances, stay
        As for :func:`pfound`.
    reward
        Of being satisfied at a rank: 1 / rank for ERR, 1 for "found".
    rank
        Where the user is.

    Examples
    --------
    >>> expected_reward([Fraction(1, 2)] * 2, Fraction(1), lambda rank: Fraction(1, rank))  # 1/2 + 1/4 · 1/2
    Fraction(5, 8)
    """
    if not chances:
        return Fraction(0)
    satisfied, *rest = chances
    goes_on = (1 - satisfied) * stay
    return satisfied * reward(rank) + goes_on * expected_reward(rest, stay, reward, rank + 1)
