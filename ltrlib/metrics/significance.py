"""Is one ranking better than another, or lucky: paired tests over queries, corrected for how many were made."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.errors import UsageError
from ltrlib.extras import names_extra

__all__ = ["Comparison", "compare", "holm", "paired_t_test", "randomisation_test"]

_EXACT_UP_TO = 16  # queries that differ; up to here all sign patterns are tried
_CHUNK = 1 << 22  # signs drawn at once


@dataclass(frozen=True)
class Comparison:
    """Two rankings on the same queries.

    Parameters
    ----------
    first, second
        Their names.
    queries
        How many queries both have a value for.
    difference
        Mean of ``first`` minus mean of ``second``.
    p_t_test, p_randomisation
        Two-sided p-values of the two tests.
    p_t_test_holm, p_randomisation_holm
        The same, corrected for the number of comparisons made together.

    Examples
    --------
    >>> compare({"a": [0.5, 0.6, 0.7], "b": [0.4, 0.4, 0.4]})[0].p_randomisation
    0.25
    """

    first: str
    second: str
    queries: int
    difference: float
    p_t_test: float
    p_randomisation: float
    p_t_test_holm: float
    p_randomisation_holm: float


def _differences(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise UsageError(
            f"values of {a.shape} and {b.shape} queries cannot be paired", cure="give both the same queries"
        )
    difference: NDArray[np.float64] = a - b
    return difference[~np.isnan(difference)]


@names_extra
def paired_t_test(first: ArrayLike, second: ArrayLike) -> float:
    """Two-sided p-value of Student's paired t-test.

    Queries without a value (NaN) on either side are left out. Differences that are all zero give 1, differences
    that are all the same 0; a single query gives NaN.

    Examples
    --------
    >>> round(paired_t_test([0.5, 0.6, 0.7], [0.4, 0.4, 0.4]), 4)
    0.0742
    """
    from scipy.special import stdtr  # loading it takes longer than scoring a small file

    d = _differences(first, second)
    if d.size < 2:
        return math.nan
    mean, spread = float(d.mean()), float(d.std(ddof=1))
    if spread == 0.0:
        return 1.0 if mean == 0.0 else 0.0
    return 2.0 * float(stdtr(d.size - 1, -abs(mean) / (spread / math.sqrt(d.size))))


def randomisation_test(first: ArrayLike, second: ArrayLike, *, rounds: int = 10_000, seed: int = 0) -> float:
    """Two-sided p-value of Fisher's paired randomisation test on the difference of means.

    How often is the difference at least as large when each query's two values are swapped by a coin? With up to 16
    queries that differ, all patterns are counted and the p-value is exact; otherwise ``rounds`` patterns are drawn,
    and the observed one is added to them.

    Parameters
    ----------
    first, second
        Values per query; queries without a value (NaN) on either side are left out.
    rounds
        How many patterns to draw.
    seed
        Seed of the draw: the same seed gives the same p-value.

    Examples
    --------
    >>> randomisation_test([0.5, 0.6, 0.7], [0.4, 0.4, 0.4])
    0.25
    """
    d = np.abs(_differences(first, second))
    observed = abs(float(np.sum(_differences(first, second))))
    d = d[d > 0]
    if not d.size:
        return 1.0
    # Swapping a query flips the sign of its difference. Sums that are equal but for rounding count as equal.
    reached = observed - 1e-12 * float(d.sum())
    if d.size <= _EXACT_UP_TO:
        patterns = np.arange(1 << d.size)[:, None] >> np.arange(d.size) & 1
        return float(np.mean(np.abs(_flipped_sums(patterns, d)) >= reached))
    generator = np.random.default_rng(seed)
    hits, left = 0, rounds
    while left:
        now = min(left, max(1, _CHUNK // d.size))
        bits = np.unpackbits(generator.integers(0, 256, (now, -(-d.size // 8)), dtype=np.uint8), axis=1)[:, : d.size]
        hits += int(np.sum(np.abs(_flipped_sums(bits, d)) >= reached))
        left -= now
    return (hits + 1) / (rounds + 1)


def _flipped_sums(patterns: NDArray[np.integer], d: NDArray[np.float64]) -> NDArray[np.float64]:
    sums: NDArray[np.float64] = 2.0 * (patterns.astype(np.float64) @ d) - d.sum()
    return sums


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Correct p-values for multiple comparisons by Holm's step-down method.

    The smallest of m is multiplied by m, the next by m − 1, and so on; none may fall below the one before it.
    NaN stays NaN and does not count.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p = np.asarray(p_values, dtype=np.float64)
    corrected = np.full(p.shape, np.nan)
    order = np.argsort(p)[: np.count_nonzero(~np.isnan(p))]  # NaN sorts last
    steps = p[order] * np.arange(order.size, 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected


def compare(values: Mapping[str, ArrayLike], *, rounds: int = 10_000, seed: int = 0) -> list[Comparison]:
    """Compare every two rankings on the same queries, with Holm's correction over all of these pairs.

    Examples
    --------
    >>> [c.first + c.second for c in compare({"a": [1, 2, 4], "b": [1, 2, 3], "c": [0, 0, 0]})]
    ['ab', 'ac', 'bc']
    """
    pairs = [(first, second, values[first], values[second]) for first, second in combinations(values, 2)]
    t_tests = [paired_t_test(a, b) for _, _, a, b in pairs]
    randomised = [randomisation_test(a, b, rounds=rounds, seed=seed) for _, _, a, b in pairs]
    found = []
    for place, (t_holm, r_holm) in enumerate(zip(holm(t_tests).tolist(), holm(randomised).tolist(), strict=True)):
        first, second, a, b = pairs[place]
        d = _differences(a, b)
        mean = math.fsum(d) / d.size if d.size else math.nan
        found.append(Comparison(first, second, d.size, mean, t_tests[place], randomised[place], t_holm, r_holm))
    return found
