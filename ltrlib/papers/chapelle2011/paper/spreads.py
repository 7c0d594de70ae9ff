"""What the p-values of Table 8 imply: a paired t-test leaves the spread of the differences as its only unknown."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ltrlib.claims.cells import with_rounding
from ltrlib.claims.noise import CONFIDENCE, half_width
from ltrlib.published.printed import Bounds, Printed
from ltrlib.published.tables import Paper

__all__ = ["alone", "implied_spreads", "p_values"]


def p_values(paper: Paper, track: str) -> dict[tuple[int, int], Printed]:
    """The p-values of a track by the two positions that they compare."""
    table = paper["table8"]
    return {
        (int(row[-1]), against): table.number(row, f"against_{against}")
        for row in table.rows
        if row.startswith(f"{track} /")
        for against in range(2, 6)
        if table.text(row, f"against_{against}")
    }


def implied_spreads(paper: Paper, track: str) -> dict[tuple[int, int], Bounds]:
    """For each two positions of a track, the standard deviation of paired ERR differences that Table 8 implies.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> round(implied_spreads(load_paper("chapelle2011"), "1")[1, 2].value, 3)
    0.056
    """
    queries = paper["table2"].number("Queries", f"set{track}_test").value
    spreads: dict[tuple[int, int], Bounds] = {}
    for (first, second), p in p_values(paper, track).items():
        if f"{track} / {second}" in paper["table7"].rows:
            above, below = (paper["table7"].number(f"{track} / {place}", "err") for place in (first, second))
            spreads[first, second] = with_rounding(
                lambda a, b, p: _implied_sd(a - b, p, queries), above.bounds, below.bounds, p.bounds
            )
    return spreads


def _implied_sd(gap: float, p: float, queries: float) -> float:
    """Standard deviation of the paired differences that gives a mean difference this p-value."""
    from scipy.stats import t

    return gap * math.sqrt(queries) / float(t.isf(p / 2, queries - 1))


def alone(scores: NDArray[np.float64], *, rounds: int = 1000, seed: int = 0) -> tuple[int, tuple[int, int]]:
    """How many pairs of rankers differ significantly when each is tested alone, and how many would by chance.

    Parameters
    ----------
    scores
        One row per ranker, one column per query.
    rounds, seed
        By chance: each query's scores are dealt anew to the rankers, so often.

    Returns
    -------
    tuple
        The pairs found, and the range that holds 95% of the rounds.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> noise = rng.normal(size=(5, 60))
    >>> noise[0] += 2
    >>> found, (low, high) = alone(noise)
    >>> found >= 4, high < 10
    (True, True)
    """
    first, second = np.triu_indices(len(scores), 1)
    queries = scores.shape[1]
    limit = half_width(1.0, queries - 1)

    def count(table: NDArray[np.float64]) -> int:
        gaps = table[first] - table[second]
        errors = gaps.std(axis=1, ddof=1) / math.sqrt(queries)
        return int(np.count_nonzero(np.abs(gaps.mean(axis=1)) > limit * errors))

    rng = np.random.default_rng(seed)
    dealt = [count(rng.permuted(scores, axis=0)) for _ in range(rounds)]
    low, high = np.quantile(dealt, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], method="closest_observation")
    return count(scores), (int(low), int(high))
