"""How far two orders of the same methods agree: Kendall's τ with an interval and a p-value that suit few methods."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ltrlib.errors import UsageError

__all__ = ["Agreement", "kendall_agreement"]


@dataclass(frozen=True)
class Agreement:
    """Kendall's τ between two orders.

    Parameters
    ----------
    tau
        From -1 (reversed) to 1 (the same order); the variant b, which allows for ties.
    low, high
        An approximate interval for the τ of the methods of which these are a sample; NaN with four or fewer.
    p_value
        How often orders that have nothing to do with each other agree or disagree at least so far.
    methods
        How many were compared.
    """

    tau: float
    low: float
    high: float
    p_value: float
    methods: int


def kendall_agreement(first: ArrayLike, second: ArrayLike, *, level: float = 0.95, samples: int = 20_000) -> Agreement:
    """Compare two orders of the same methods.

    The p-value is exact without ties and from random permutations otherwise. The interval is that of Fieller, Hartley
    and Pearson (Biometrika 44, 1957): atanh(τ) is nearly normal with variance 0.437 / (n - 4). It covers the choice of
    the methods, not the noise of their values.

    Parameters
    ----------
    first, second
        One value per method, in the same order.
    level
        Of the interval.
    samples
        Permutations, if there are ties.

    Examples
    --------
    >>> found = kendall_agreement([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 8, 7])
    >>> round(found.tau, 3), found.p_value < 0.001, found.low > 0
    (0.929, True, True)
    """
    from scipy.stats import kendalltau, norm

    x, y = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if x.ndim != 1 or x.shape != y.shape or x.size < 2:
        raise UsageError(f"orders of shapes {x.shape} and {y.shape}", cure="give one value per method, two or more")
    tied = len(set(x)) < x.size or len(set(y)) < y.size
    found = kendalltau(x, y, method="auto" if tied else "exact")
    tau = float(found.statistic)
    p_value = _permuted(x, y, samples) if tied else float(found.pvalue)
    if x.size <= 4 or math.isnan(tau):
        return Agreement(tau, math.nan, math.nan, p_value, x.size)
    half = norm.ppf((1 + level) / 2) * math.sqrt(0.437 / (x.size - 4))
    centre = math.atanh(min(max(tau, -1 + 1e-9), 1 - 1e-9))
    return Agreement(tau, math.tanh(centre - half), math.tanh(centre + half), p_value, x.size)


def _permuted(x: np.ndarray, y: np.ndarray, samples: int) -> float:
    pairs = np.triu_indices(x.size, 1)
    order = np.sign(x[pairs[0]] - x[pairs[1]])
    shuffled = np.random.default_rng(0).permuted(np.tile(y, (samples, 1)), axis=1)
    # The denominators of τ-b do not depend on the permutation, so the sums decide.
    sums = (np.sign(shuffled[:, pairs[0]] - shuffled[:, pairs[1]]) * order).sum(axis=1)
    observed = (np.sign(y[pairs[0]] - y[pairs[1]]) * order).sum()
    return float((1 + (np.abs(sums) >= abs(observed)).sum()) / (1 + samples))
