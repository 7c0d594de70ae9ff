"""Do methods differ over data sets, or does it only look so: Friedman, Nemenyi, Bayesian signed-rank.

Friedman (1937) asks whether the mean ranks of several methods over the same data sets differ at all; Nemenyi (1963)
says how far apart two mean ranks must be; both as recommended by Demšar (JMLR 7, 2006). The Bayesian signed-rank test
(Benavoli et al., ICML 2014) looks at the size of the differences and gives probabilities instead of p-values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.errors import UsageError

__all__ = [
    "Friedman",
    "SignedRank",
    "bayesian_signed_rank",
    "friedman",
    "friedman_by_permutation",
    "mean_ranks",
    "nemenyi",
    "nemenyi_distance",
]

Matrix = NDArray[np.float64]
_CHUNK = 4096  # samples of the posterior that are drawn at once


@dataclass(frozen=True)
class Friedman:
    """Result of Friedman's test.

    Parameters
    ----------
    statistic
        The χ² statistic, corrected for ties.
    p_value
        Its p-value.
    f_statistic
        The F statistic of Iman and Davenport (1980), which is less conservative.
    f_p_value
        Its p-value.

    Examples
    --------
    >>> round(friedman([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.1, 0.4, 0.5]]).p_value, 4)
    0.0498
    """

    statistic: float
    p_value: float
    f_statistic: float
    f_p_value: float


class SignedRank(NamedTuple):
    """Posterior probabilities that the first method is better, that both are equal in practice, that the second is."""

    first: float
    equal: float
    second: float


def mean_ranks(values: ArrayLike) -> Matrix:
    """Mean rank of each method over the data sets; the highest value has rank 1, equal values share their ranks.

    Parameters
    ----------
    values
        One row per data set, one column per method; higher is better.

    Examples
    --------
    >>> mean_ranks([[0.3, 0.2, 0.2], [0.3, 0.4, 0.1]])
    array([1.5 , 1.75, 2.75])
    """
    return np.asarray(_ranks(_table(values)).mean(axis=0), np.float64)


def friedman(values: ArrayLike) -> Friedman:
    """Test whether the methods' mean ranks differ.

    Parameters
    ----------
    values
        One row per data set, one column per method; at least two rows and three columns.

    Examples
    --------
    >>> friedman([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.1, 0.4, 0.5]]).statistic
    6.0
    """
    from scipy.stats import chi2, f

    ranks = _ranks(_table(values))
    n, k = ranks.shape
    if k < 3:
        raise UsageError(f"{k} methods: Friedman's test needs three", cure="use a paired test for two")
    # The spread of the rank sums over the spread of the ranks: ties lower both.
    spread = float(((ranks - (k + 1) / 2) ** 2).sum())
    if spread == 0:
        return Friedman(0.0, 1.0, 0.0, 1.0)
    statistic = (k - 1) * n**2 * float(((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum()) / spread
    left = n * (k - 1) - statistic
    f_statistic = math.inf if left <= 0 else (n - 1) * statistic / left
    return Friedman(
        statistic,
        float(chi2.sf(statistic, k - 1)),
        f_statistic,
        float(f.sf(f_statistic, k - 1, (k - 1) * (n - 1))),
    )


def friedman_by_permutation(
    values: ArrayLike, *, weights: ArrayLike | None = None, samples: int = 20_000, seed: int = 0
) -> float:
    """P-value of Friedman's test from random permutations within each data set: right for few data sets, too.

    The χ² distribution of the usual test needs more than about ten data sets; here every order of the methods on a data
    set is equally likely, which is the null hypothesis itself.

    Parameters
    ----------
    values
        As for :func:`friedman`.
    weights
        How much each data set counts, such as its number of queries; equal if not given.
    samples
        Number of permutations. The observed table is one of them, so p is never 0.
    seed
        From which seed they are drawn.

    Examples
    --------
    >>> perfect = [[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.1, 0.4, 0.5]]
    >>> round(friedman_by_permutation(perfect), 2)  # 6 of 216 arrangements agree so well
    0.03
    """
    ranks = _ranks(_table(values))
    n, k = ranks.shape
    share = np.full(n, 1 / n) if weights is None else np.asarray(weights, np.float64)
    if share.shape != (n,) or (share < 0).any() or not share.sum() > 0:
        raise UsageError(f"weights of shape {share.shape}", cure="one weight per data set, none negative")
    share = share / share.sum()
    centred = ranks - (k + 1) / 2
    observed = float(((share @ centred) ** 2).sum())
    generator = np.random.default_rng(seed)
    reached, chunk = 1, max(1, 2_000_000 // centred.size)
    for start in range(0, samples, chunk):
        size = min(chunk, samples - start)
        drawn = generator.permuted(np.broadcast_to(centred, (size, n, k)), axis=2)
        sums = np.einsum("n,snk->sk", share, drawn)
        # Sums of the same ranks in another order may differ in the last bit.
        reached += int(((sums**2).sum(axis=1) >= observed * (1 - 1e-12)).sum())
    return reached / (1 + samples)


def nemenyi_distance(methods: int, datasets: int, *, level: float = 0.05) -> float:
    """Distance from which on two mean ranks differ significantly.

    Examples
    --------
    >>> round(nemenyi_distance(5, 30), 3)
    1.114
    """
    from scipy.stats import studentized_range

    quantile = float(studentized_range.ppf(1 - level, methods, np.inf)) / math.sqrt(2)
    return quantile * math.sqrt(methods * (methods + 1) / (6 * datasets))


def nemenyi(values: ArrayLike) -> Matrix:
    """P-values of all pairs of methods, corrected for their number.

    Parameters
    ----------
    values
        As for :func:`friedman`.

    Examples
    --------
    >>> nemenyi([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.1, 0.4, 0.5]]).round(3)[0]
    array([1.   , 0.438, 0.038])
    """
    from scipy.stats import studentized_range

    table = _table(values)
    n, k = table.shape
    ranks = mean_ranks(table)
    distance = np.abs(ranks[:, None] - ranks[None, :]) / math.sqrt(k * (k + 1) / (6 * n))
    p_values: Matrix = np.asarray(studentized_range.sf(distance * math.sqrt(2), k, np.inf), np.float64)
    return np.clip(p_values, 0.0, 1.0)


def bayesian_signed_rank(
    first: ArrayLike,
    second: ArrayLike,
    *,
    equal_within: float = 0.0,
    prior: float = 0.5,
    samples: int = 50_000,
    seed: int = 0,
) -> SignedRank:
    """Probability that one method is better than another on a further data set of the same kind.

    The differences get weights from a Dirichlet distribution, with one further difference of 0 as the prior; in each
    sample the side that outweighs the others wins (mean of two differences above or below the range of equality).

    Parameters
    ----------
    first, second
        One value per data set.
    equal_within
        Differences up to here count as equal in practice.
    prior
        Weight of the prior.
    samples
        How often the weights are drawn.
    seed
        From which seed they are drawn.

    Examples
    --------
    >>> better = bayesian_signed_rank([0.5, 0.6, 0.7, 0.6], [0.4, 0.5, 0.5, 0.3], samples=2000)
    >>> better.first > 0.95, better.equal
    (True, 0.0)
    """
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if a.ndim != 1 or a.shape != b.shape or not a.size:
        raise UsageError(f"values of shapes {a.shape} and {b.shape} cannot be paired", cure="one value per data set")
    if equal_within < 0 or prior <= 0 or samples < 1:
        raise UsageError("equal_within must not be negative, prior and samples must be above 0")
    differences = np.concatenate([[0.0], a - b])
    sums = differences[:, None] + differences[None, :]
    # A sum that lies on the border counts half for either side.
    above, below = (0.5 * (np.sign(side - 2 * equal_within) + 1) for side in (sums, -sums))
    concentration = np.concatenate([[prior], np.ones(a.size)])
    generator = np.random.default_rng(seed)
    won = np.zeros(3)
    for start in range(0, samples, _CHUNK):
        weights = generator.dirichlet(concentration, min(_CHUNK, samples - start))
        better = np.einsum("si,ij,sj->s", weights, above, weights, optimize=True)
        worse = np.einsum("si,ij,sj->s", weights, below, weights, optimize=True)
        # Without a range of equality the border is shared out, and nothing is left for the middle.
        equal = 1 - better - worse if equal_within > 0 else np.full_like(better, -1.0)
        sides = np.column_stack([better, equal, worse])
        most = np.isclose(sides, sides.max(axis=1, keepdims=True), rtol=0, atol=1e-12)
        won += (most / most.sum(axis=1, keepdims=True)).sum(axis=0)
    return SignedRank(*(float(share) for share in won / samples))


def _table(values: ArrayLike) -> Matrix:
    table = np.asarray(values, np.float64)
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < 2:
        raise UsageError(f"a table of shape {table.shape}", cure="one row per data set, one column per method")
    if np.isnan(table).any():
        raise UsageError("a value is missing", cure="leave out data sets or methods without all results")
    return table


def _ranks(table: Matrix) -> Matrix:
    from scipy.stats import rankdata

    ranks: Matrix = rankdata(-table, axis=1)
    return ranks
