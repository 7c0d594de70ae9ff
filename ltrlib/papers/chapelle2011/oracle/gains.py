"""What an oracle gains over the best of a group, and what ranking losses gain over squared loss, with their errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.claims.cells import Measured
from ltrlib.papers.chapelle2011.oracle.plans import HALF, NULLS, TOP
from ltrlib.published.tables import Paper

__all__ = [
    "OracleGain",
    "beyond_chance",
    "lesson_gains",
    "oracle_gain",
    "oracle_margin",
    "printed_gain",
    "small_gap",
]

_ROUNDS = 2000
_RANKING = ("pairwise", "listwise")


@dataclass(frozen=True, eq=False)
class OracleGain:
    """What an oracle gains that knows for each query which member ranks it best.

    Parameters
    ----------
    members
        Their names, best first.
    best, oracle, summed
        Mean of the best member, of the oracle, and of the sum of all members' scores.
    gain, gain_of_sum
        Of the oracle and of the sum over the best member, as shares of the latter.
    sampled
        The oracle's gain in samples of the test queries.
    """

    members: tuple[str, ...]
    best: float
    oracle: float
    summed: float
    gain: float
    gain_of_sum: float
    sampled: NDArray[np.float64]

    @property
    def measured(self) -> Measured:
        """The gain with its error over the test queries."""
        return Measured(self.gain, float(self.sampled.std(ddof=1)), len(self.sampled) - 1)


def oracle_gain(rows: pd.DataFrame, metric: str = "err", *, seed: int = 0) -> OracleGain:
    """Compute the gain of an oracle over one group on one data set.

    Parameters
    ----------
    rows
        Members of one group: columns member, fold, query and the metric.
    metric
        By which the oracle chooses, and members are ordered.
    seed
        Of the samples of queries; the same seed draws the same queries for every group.

    Examples
    --------
    >>> rows = [(member, 1, query, value) for member, values in (("a", (1, 0)), ("b", (0, 0.5)), ("sum", (1, 0.5)))
    ...         for query, value in zip("xy", values)]
    >>> found = oracle_gain(pd.DataFrame(rows, columns=["member", "fold", "query", "err"]))
    >>> found.members, found.oracle, found.gain
    (('a', 'b'), 0.75, 0.5)
    """
    values = rows.pivot(index=["fold", "query"], columns="member", values=metric)
    summed = float(values.pop("sum").mean())
    order = values.mean().sort_values(ascending=False, kind="stable").index[:TOP]
    matrix = values[order].to_numpy()
    n = len(matrix)
    weights = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=_ROUNDS) / n
    best = (weights @ matrix).max(axis=1)
    # A sample of an empty or worthless kind has nothing to gain from.
    sampled = np.divide(weights @ matrix.max(axis=1), best, out=np.ones_like(best), where=best > 0) - 1
    mean, top = float(matrix.mean(axis=0).max()), float(matrix.max(axis=1).mean())
    return OracleGain(tuple(map(str, order)), mean, top, summed, top / mean - 1, summed / mean - 1, sampled)


def beyond_chance(gains: dict[str, OracleGain]) -> Measured:
    """How much more an oracle gains over different rankers than over copies of one, the mean of these groups.

    Examples
    --------
    >>> def made(gain):
    ...     return OracleGain((), 1.0, 1.0, 1.0, gain, 0.0, gain + np.array([-0.01, 0.01]))
    >>> found = beyond_chance({"rankers": made(0.1)} | {group: made(0.04) for group in NULLS})
    >>> round(found.value, 4), found.standard_error
    (0.06, 0.0)
    """
    value = gains["rankers"].gain - float(np.mean([gains[group].gain for group in NULLS]))
    sampled = gains["rankers"].sampled - np.mean([gains[group].sampled for group in NULLS], axis=0)
    return Measured(value, float(np.round(sampled.std(ddof=1), 12)), len(sampled) - 1)


def printed_gain(paper: Paper) -> float:
    """The gain of the challenge's oracle over the winner of track 1, in ERR."""
    return paper.statement("oracle").value / paper["table7"].number("1 / 1", "err").value - 1


def oracle_margin(paper: Paper) -> float:
    """Half of the printed gain."""
    return HALF * printed_gain(paper)


def small_gap(paper: Paper) -> float:
    """Half of the gap in ERR between the winner and the GBDT baseline, as a share: the paper calls it rather small."""
    winner, baseline = paper["table7"].number("1 / 1", "err").value, paper["table5"].number("GBDT", "test_err").value
    return HALF * (winner / baseline - 1)


def lesson_gains(rows: pd.DataFrame, metric: str = "ndcg", *, seed: int = 0) -> dict[str, Measured]:
    """What ranking losses gain over squared loss with linear functions and with trees, and the first less the second.

    A gain is the mean of the pairwise and the listwise loss. A sample draws one of the repeated splits and as many
    queries as there are, so the error holds new training data and new queries.

    Parameters
    ----------
    rows
        The recorded table of one data set.
    metric
        By which.
    seed
        Of the samples.

    Returns
    -------
    dict
        Gains by ``linear``, ``trees`` and ``difference``; ``level`` is the mean of linear functions with squared loss.
    """
    cube = rows.pivot(index=["repeat", "query"], columns=["functions", "loss"], values=metric)
    gains = {
        functions: (sum(cube[functions, loss] for loss in _RANKING) / len(_RANKING) - cube[functions, "pointwise"])
        for functions in ("linear", "trees")
    }
    gains["difference"] = gains["linear"] - gains["trees"]
    gains["level"] = cube["linear", "pointwise"]
    rng = np.random.default_rng(seed)
    found = {}
    for name, series in gains.items():
        matrix = series.unstack("query").to_numpy()
        repeats, n = matrix.shape
        drawn = rng.integers(0, repeats, _ROUNDS)
        weights = rng.multinomial(n, np.full(n, 1 / n), size=_ROUNDS) / n
        sampled = np.einsum("sq,sq->s", weights, matrix[drawn])
        found[name] = Measured(float(matrix.mean()), float(sampled.std(ddof=1)), n - 1)
    return found
