"""Compare methods that were trained several times: means over seeds, paired over queries, across folds.

What a mean rests on varies in two ways: other queries would have been drawn, and another seed would have trained
another model. An interval from the queries alone is too narrow when training varies. Here the variance of a difference
of two methods is the sum of

- the variance of the per-query differences of the means over seeds, divided by the number of queries, and
- for each method and fold, the variance over seeds of the fold's mean, divided by the number of seeds and weighted by
  the square of the fold's share of queries; the part of it that comes from single queries is taken out again, since the
  first term holds it already (as in the two-way random-effects analysis of variance).

Degrees of freedom follow Satterthwaite. Folds share training data, so the variance that another *training set* would
bring is contained only in so far as seeds and queries show it; no estimate of it is unbiased.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from ltrlib.errors import UsageError
from ltrlib.metrics.significance import holm

__all__ = ["Difference", "Estimate", "Fold", "compare_groups", "compare_runs", "estimate", "method_mean"]

Key = TypeVar("Key")
Outcome = Literal["better", "worse", "equivalent", "undecided"]
Fold = NDArray[np.float64]
"""Values of one method on one fold: a row per seed, a column per query."""


@dataclass(frozen=True)
class Estimate:
    """A mean with what it is uncertain by.

    Parameters
    ----------
    mean
        Over queries, of the means over seeds.
    from_queries, from_training
        The two parts of its variance. Training is 0 where each method has one run only: then nothing is known of it.
    freedom
        Degrees of freedom.
    """

    mean: float
    from_queries: float
    from_training: float
    freedom: float

    @property
    def error(self) -> float:
        """Standard error."""
        return math.sqrt(self.from_queries + self.from_training)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Confidence interval.

        Examples
        --------
        >>> [round(end, 3) for end in Estimate(0.5, 0.0001, 0.0, 1000).interval()]
        [0.48, 0.52]
        """
        if math.isnan(self.freedom):
            return (math.nan, math.nan)
        reach = self.error * float(stdtrit(self.freedom, 0.5 + level / 2))
        return (self.mean - reach, self.mean + reach)

    def p_value(self, at: float = 0.0) -> float:
        """Two-sided p-value of the mean being ``at``."""
        if math.isnan(self.freedom):
            return math.nan
        if not self.error:
            return float(self.mean == at)
        return 2.0 * float(stdtr(self.freedom, -abs(self.mean - at) / self.error))

    def p_above(self, at: float) -> float:
        """One-sided p-value against a mean of ``at`` or less."""
        if not self.error:
            return float(self.mean <= at)
        return float(stdtr(self.freedom, (at - self.mean) / self.error))


@dataclass(frozen=True, eq=False)
class Difference:
    """Two methods compared.

    Parameters
    ----------
    first, second
        Their names.
    estimate
        Mean of the first minus mean of the second.
    p, p_holm
        Two-sided p-value of no difference, as it is and corrected by Holm over the family.
    p_equivalent_holm
        Corrected p-value of a difference as large as the margin (two one-sided tests); NaN without a margin.
    effect
        Mean of the per-query differences in units of their standard deviation.
    won, tied, lost
        Shares of the queries.
    outcome
        ``better`` or ``worse`` (the first, at the level after correction), ``equivalent`` (within the margin), or
        ``undecided``.
    small
        Whether a difference is sure and yet sure to be smaller than the margin.
    per_query
        Differences of the means over seeds, query by query.
    """

    first: str
    second: str
    estimate: Estimate
    p: float
    p_holm: float
    p_equivalent_holm: float
    effect: float
    won: float
    tied: float
    lost: float
    outcome: Outcome
    small: bool
    per_query: NDArray[np.float64]


def estimate(first: Sequence[Fold], second: Sequence[Fold] | None = None) -> Estimate:
    """Mean of one method, or of the difference of two, with its uncertainty.

    Parameters
    ----------
    first, second
        A matrix for each fold: a row per seed, a column per query. Both methods have the same queries in each fold;
        the numbers of seeds may differ.

    Examples
    --------
    >>> found = estimate([np.array([[0.1, 0.4, 0.5], [0.3, 0.4, 0.9]])])
    >>> round(found.mean, 4), round(found.from_queries, 4), round(found.from_training, 4)
    (0.4333, 0.0211, 0.0067)
    """
    _check(first, second)
    averages = np.concatenate([fold.mean(axis=0) for fold in first])
    if second is not None:
        averages = averages - np.concatenate([fold.mean(axis=0) for fold in second])
    count = averages.size
    if count < 2:
        return Estimate(float(averages.mean()), math.nan, math.nan, math.nan)
    queries = float(averages.var(ddof=1)) / count
    parts, spread = [(queries, count - 1.0)], 0.0
    for folds in (first, second or ()):
        for fold in folds:
            part, twice = _training(fold, fold.shape[1] / count)
            spread += part - twice
            parts += [(part, fold.shape[0] - 1.0)] if part else []
    training = max(spread, 0.0)
    weight = sum(part**2 / freedom for part, freedom in parts)
    freedom = (queries + training) ** 2 / weight if weight else count - 1.0
    return Estimate(math.fsum(averages) / count, queries, training, max(freedom, 1.0))


def _training(fold: Fold, share: float) -> tuple[float, float]:
    """Variance that the seeds bring to the mean, and how much of it the variance over queries holds already."""
    seeds, queries = fold.shape
    if seeds < 2:
        return 0.0, 0.0
    of_means = float(fold.mean(axis=1).var(ddof=1))
    residual = fold - fold.mean(axis=0) - fold.mean(axis=1, keepdims=True) + fold.mean()
    single = float((residual**2).sum()) / ((seeds - 1) * max(queries - 1, 1)) / queries
    return share**2 * of_means / seeds, share**2 * single / seeds


def _check(first: Sequence[Fold], second: Sequence[Fold] | None) -> None:
    for folds in (first, second or first):
        if not folds or any(fold.ndim != 2 or not fold.size for fold in folds):
            raise UsageError("a method needs, for each fold, a matrix of seeds and queries that is not empty")
        if [fold.shape[1] for fold in folds] != [fold.shape[1] for fold in first]:
            raise UsageError("methods that are compared need the same queries in each fold")


def method_mean(folds: Sequence[Fold]) -> tuple[Estimate, float]:
    """Mean of a method with its uncertainty, and the standard deviation of the mean over seeds, in the folds' average.

    Examples
    --------
    >>> found, seeds = method_mean([np.array([[0.5, 0.5], [0.7, 0.7]])])
    >>> round(found.mean, 4), round(seeds, 4)
    (0.6, 0.1414)
    """
    count = sum(fold.shape[1] for fold in folds)
    spreads = [
        (fold.shape[1] / count) ** 2 * float(fold.mean(axis=1).var(ddof=1)) for fold in folds if fold.shape[0] > 1
    ]
    return estimate(folds), math.sqrt(math.fsum(spreads)) if len(spreads) == len(folds) else math.nan


def compare_runs(
    methods: Mapping[str, Sequence[Fold]],
    *,
    baseline: str | None = None,
    margin: float | None = None,
    level: float = 0.95,
) -> list[Difference]:
    """Compare methods pairwise, or each with a baseline; Holm's correction over all of these comparisons.

    Parameters
    ----------
    methods
        For each method, a matrix per fold: a row per seed, a column per query.
    baseline
        The method with which all others are compared; otherwise every two are.
    margin
        Differences smaller than this do not matter: then two methods may be found equivalent.
    level
        Confidence level; tests are at one minus it.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> hard = rng.uniform(size=200)
    >>> a, b = ([(hard + rng.normal(m, 0.05, (3, 200)))] for m in (0.05, 0.0))
    >>> [(one.first, one.outcome) for one in compare_runs({"a": a, "b": b}, margin=0.01)]
    [('a', 'better')]
    """
    return compare_groups({"": methods}, baseline=baseline, margin=margin, level=level)[""]


def compare_groups(
    groups: Mapping[Key, Mapping[str, Sequence[Fold]]],
    *,
    baseline: str | None = None,
    margin: float | None = None,
    level: float = 0.95,
) -> dict[Key, list[Difference]]:
    """Compare methods in several groups (metrics, kinds of queries), with one correction over all comparisons of all.

    Examples
    --------
    >>> same = {"a": [np.array([[0.1, 0.2, 0.4]])], "b": [np.array([[0.1, 0.3, 0.3]])]}
    >>> found = compare_groups({"map": same, "ndcg": same})
    >>> found["map"][0].p_holm
    1.0
    """
    if margin is not None and not 0 < margin < math.inf:
        raise UsageError(f"the margin must be above 0, not {margin}")
    if not 0.5 < level < 1:
        raise UsageError(f"the level must lie between 0.5 and 1, not {level}", cure="write 0.95")
    work = [
        (key, pair, estimate(methods[pair[0]], methods[pair[1]]))
        for key, methods in groups.items()
        for pair in _pairs(methods, baseline)
    ]
    p_values = [one.p_value() for *_, one in work]
    within = [_p_within(one, margin) for *_, one in work]
    found: dict[Key, list[Difference]] = {key: [] for key in groups}
    for (key, pair, one), *ps in zip(work, p_values, holm(p_values).tolist(), holm(within).tolist(), strict=True):
        found[key].append(_difference(pair, groups[key], one, *ps, alpha=1.0 - level))
    return found


def _pairs(methods: Mapping[str, Sequence[Fold]], baseline: str | None) -> list[tuple[str, str]]:
    if baseline is None:
        return list(combinations(methods, 2))
    if baseline not in methods:
        raise UsageError(f"there is no method {baseline!r}", cure=f"choose {', '.join(methods)}")
    return [(name, baseline) for name in methods if name != baseline]


def _p_within(found: Estimate, margin: float | None) -> float:
    """P-value of two one-sided tests: that the difference is as large as the margin, either way."""
    if margin is None or math.isnan(found.freedom):
        return math.nan
    return max(found.p_above(-margin), 1.0 - found.p_above(margin))


def _difference(
    pair: tuple[str, str],
    methods: Mapping[str, Sequence[Fold]],
    found: Estimate,
    p: float,
    p_holm: float,
    p_within: float,
    *,
    alpha: float,
) -> Difference:
    first, second = ([fold.mean(axis=0) for fold in methods[name]] for name in pair)
    each = np.concatenate(first) - np.concatenate(second)
    spread = float(each.std(ddof=1)) if each.size > 1 else math.nan
    sure, near = p_holm < alpha, p_within < alpha
    outcome: Outcome = ("better" if found.mean > 0 else "worse") if sure else "equivalent" if near else "undecided"
    equal = np.abs(each) <= 1e-12
    return Difference(
        *pair,
        found,
        p,
        p_holm,
        p_within,
        found.mean / spread if spread > 0 else math.nan,
        float(np.mean((each > 0) & ~equal)),
        float(np.mean(equal)),
        float(np.mean((each < 0) & ~equal)),
        outcome,
        sure and near,
        each,
    )
