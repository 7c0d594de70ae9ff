"""Is one method better than another on a further data set: a hierarchical model of differences on folds.

Each data set has its own true difference; these come from a normal distribution whose mean and spread are unknown, and
what was measured on the folds of a data set scatters around its own. The model follows Corani, Benavoli, Demšar,
Mangili and Zaffalon (Machine Learning 106, 2017), who also allow for folds that share training data; here the upper
level is normal instead of Student's t, so that everything can be integrated on a grid and no sampler is needed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.errors import UsageError

__all__ = ["FurtherDataset", "Measured", "hierarchical_test", "measured_on_folds", "measured_on_queries"]

Values = NDArray[np.float64]
_MEANS, _SPREADS, _SCALES = 161, 60, 16  # points of the grid


class Measured(NamedTuple):
    """A difference on one data set: estimate, its standard error, and the degrees of freedom behind that."""

    difference: float
    error: float
    freedom: float


class FurtherDataset(NamedTuple):
    """Probabilities for a further data set: the first method is better, both are equal in practice, the second is."""

    first: float
    equal: float
    second: float


def measured_on_folds(differences: ArrayLike, *, correlation: float = 0.0) -> Measured:
    """Sum up the differences on the folds of a data set.

    Parameters
    ----------
    differences
        One per fold, two or more.
    correlation
        Between folds, because their training parts overlap: the share of the test part (Nadeau and Bengio 2003), 0.2
        with five folds. It makes the standard error larger than that of independent values.

    Examples
    --------
    >>> found = measured_on_folds([0.01, 0.02, 0.03], correlation=0.2)
    >>> round(found.difference, 4), round(found.error, 4), found.freedom
    (0.02, 0.0076, 2.0)
    """
    values = np.asarray(differences, np.float64)
    if values.ndim != 1 or values.size < 2 or not 0 <= correlation < 1:
        raise UsageError("give two folds or more, and a correlation from 0 to below 1")
    variance = values.var(ddof=1) * (1 / values.size + correlation / (1 - correlation))
    return Measured(float(values.mean()), math.sqrt(variance), float(values.size - 1))


def measured_on_queries(differences: ArrayLike) -> Measured:
    """Sum up the differences on the queries of a single test part.

    Examples
    --------
    >>> found = measured_on_queries([0.0, 0.02])
    >>> round(found.difference, 4), round(found.error, 4), found.freedom
    (0.01, 0.01, 1.0)
    """
    return measured_on_folds(differences)


def hierarchical_test(measured: Sequence[Measured], *, equal_within: float = 0.0) -> FurtherDataset:
    """Probability that one method is better than the other on a further data set of the same kind.

    The mean of the true differences has a flat prior, their spread a flat one up to ten times what was seen.

    Parameters
    ----------
    measured
        One entry per data set, two or more.
    equal_within
        Differences up to here count as equal in practice.

    Examples
    --------
    >>> clear = hierarchical_test([Measured(0.05, 0.01, 4), Measured(0.06, 0.01, 4), Measured(0.05, 0.02, 4)])
    >>> clear.first > 0.9, round(sum(clear), 6)
    (True, 1.0)
    >>> noise = hierarchical_test([Measured(0.01, 0.05, 4), Measured(-0.01, 0.05, 4), Measured(0.0, 0.05, 4)])
    >>> round(noise.first, 2)
    0.5
    """
    if len(measured) < 2:
        raise UsageError(f"{len(measured)} data sets", cure="give two or more")
    if equal_within < 0 or any(one.error <= 0 or one.freedom <= 0 for one in measured):
        raise UsageError("equal_within must not be negative, errors and degrees of freedom must be above 0")
    grid = _Grid.around(measured)
    weights = grid.posterior(measured)
    return grid.chances(weights, equal_within)


@dataclass(frozen=True, eq=False)
class _Grid:
    means: Values
    spreads: Values
    widths: Values  # of the cells of spreads: the prior is flat in the spread itself

    @classmethod
    def around(cls, measured: Sequence[Measured]) -> _Grid:
        values = np.array([one.difference for one in measured])
        errors = np.array([one.error for one in measured])
        scale = math.sqrt(values.var() + float((errors**2).mean()))
        reach = 8 * scale
        # Finer near zero, where a small spread makes a large difference to the answer.
        edges = 10 * scale * np.linspace(0, 1, _SPREADS + 1) ** 2
        spreads = (edges[1:] + edges[:-1]) / 2
        return cls(np.linspace(values.mean() - reach, values.mean() + reach, _MEANS), spreads, np.diff(edges))

    def posterior(self, measured: Sequence[Measured]) -> Values:
        from scipy.stats import gamma

        log = np.broadcast_to(np.log(self.widths), (_MEANS, _SPREADS)).copy()
        shares = (np.arange(_SCALES) + 0.5) / _SCALES
        for one in measured:
            # Student's t as a mixture of normals, so that both levels add up in one normal distribution.
            precision = gamma.ppf(shares, one.freedom / 2, scale=2 / one.freedom)
            variance = one.error**2 / precision[:, None] + self.spreads[None, :] ** 2
            gap = (one.difference - self.means)[:, None, None] ** 2
            density = np.exp(-gap / (2 * variance[None])) / np.sqrt(variance[None])
            log += np.log(density.mean(axis=1) + 1e-300)
        weights = np.exp(log - log.max())
        return np.asarray(weights / weights.sum(), np.float64)

    def chances(self, weights: Values, equal_within: float) -> FurtherDataset:
        from scipy.stats import norm

        above = norm.sf((equal_within - self.means[:, None]) / self.spreads[None, :])
        below = norm.cdf((-equal_within - self.means[:, None]) / self.spreads[None, :])
        first, second = float((weights * above).sum()), float((weights * below).sum())
        return FurtherDataset(first, max(0.0, 1 - first - second), second)
