"""How certain winning numbers are: intervals from resampled queries, and how often such intervals are right.

A winning number counts orders, so it is not a smooth function of the values: resampling pulls it towards the middle (a
method that is ahead can only fall behind), and the usual intervals cover the true share less often than they say.
Moving them back by the estimated bias does not cure that, because the estimate is as noisy as what it corrects. What
does is to measure the coverage where the truth is known, and to widen the interval until it is as promised.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.errors import UsageError

__all__ = [
    "basic_interval",
    "bias_corrected_interval",
    "percentile_interval",
    "shares_won",
    "widened_interval",
    "widening_factor",
]

Values = NDArray[np.float64]
Interval = tuple[Values, Values]


def shares_won(values: ArrayLike) -> Values:
    """Share of the others that each method beats, along the last axis; equal values win neither way.

    Examples
    --------
    >>> shares_won([[0.3, 0.2, 0.2], [0.1, 0.2, 0.3]])
    array([[1. , 0. , 0. ],
           [0. , 0.5, 1. ]])
    """
    table = np.asarray(values, np.float64)
    if table.ndim < 1 or table.shape[-1] < 2:
        raise UsageError(f"values of shape {table.shape}", cure="give at least two methods along the last axis")
    won = (table[..., :, None] > table[..., None, :]).sum(axis=-1)
    return np.asarray(won / (table.shape[-1] - 1), np.float64)


def percentile_interval(samples: ArrayLike, *, level: float = 0.95) -> Interval:
    """Middle part of the resampled values, along the first axis.

    Examples
    --------
    >>> low, high = percentile_interval(np.arange(101.0), level=0.9)
    >>> round(float(low)), round(float(high))
    (5, 95)
    """
    low, high = np.quantile(_samples(samples), [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def basic_interval(estimate: ArrayLike, samples: ArrayLike, *, level: float = 0.95) -> Interval:
    """The percentile interval reflected at the estimate: resampled minus estimate stands for estimate minus truth.

    Examples
    --------
    >>> low, high = basic_interval(60.0, np.arange(101.0), level=0.9)
    >>> round(float(low)), round(float(high))
    (25, 115)
    """
    centre = np.asarray(estimate, np.float64)
    low, high = percentile_interval(samples, level=level)
    return 2 * centre - high, 2 * centre - low


def bias_corrected_interval(estimate: ArrayLike, samples: ArrayLike, *, level: float = 0.95) -> Interval:
    """Percentiles moved by how far the estimate is from the median of the samples (Efron 1981).

    Parameters
    ----------
    estimate
        One value per method.
    samples
        One row per sample.
    level
        How often the truth should be inside.

    Examples
    --------
    >>> low, high = bias_corrected_interval(50.0, np.arange(101.0), level=0.9)
    >>> float(low.round()), float(high.round())
    (5.0, 95.0)
    """
    from scipy.stats import norm

    drawn, centre = _samples(samples), np.asarray(estimate, np.float64)
    flat, centres = drawn.reshape(len(drawn), -1), centre.reshape(-1)
    # Values equal to the estimate count half, as winning numbers often repeat.
    below = ((flat < centres).mean(axis=0) + (flat <= centres).mean(axis=0)) / 2
    edge = 0.5 / len(flat)
    shift = 2 * norm.ppf(np.clip(below, edge, 1 - edge))
    width = norm.ppf((1 + level) / 2)
    ends = [
        np.array([np.quantile(flat[:, i], share) for i, share in enumerate(norm.cdf(shift + side * width))])
        for side in (-1, 1)
    ]
    return ends[0].reshape(centre.shape), ends[1].reshape(centre.shape)


def widened_interval(estimate: ArrayLike, samples: ArrayLike, *, factor: float) -> Interval:
    """Estimate and some standard deviations of the samples on both sides, within 0 and 1.

    Parameters
    ----------
    estimate, samples
        As for :func:`bias_corrected_interval`.
    factor
        How many; see :func:`widening_factor`.

    Examples
    --------
    >>> low, high = widened_interval(0.5, [0.4, 0.6], factor=2.0)
    >>> round(float(low), 3), round(float(high), 3)
    (0.217, 0.783)
    """
    centre = np.asarray(estimate, np.float64)
    half = factor * _samples(samples).std(axis=0, ddof=1)
    return np.clip(centre - half, 0.0, 1.0), np.clip(centre + half, 0.0, 1.0)


def widening_factor(estimates: ArrayLike, deviations: ArrayLike, truth: ArrayLike, *, level: float = 0.95) -> float:
    """How many standard deviations an interval must reach to hold the truth as often as it says.

    Parameters
    ----------
    estimates, deviations
        One row per simulated study: what it estimates, and the standard deviation of its own samples.
    truth
        What is right, one value per method.
    level
        How often the truth should be inside, over all studies and methods.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> factor = widening_factor(rng.normal(size=(20_000, 1)), np.ones((20_000, 1)), [0.0])
    >>> 1.9 < factor < 2.0
    True
    """
    missed = np.abs(np.asarray(estimates, np.float64) - np.asarray(truth, np.float64))
    spread = np.asarray(deviations, np.float64)
    ratio = np.divide(missed, spread, out=np.where(missed > 0, np.inf, 0.0), where=spread > 0)
    return float(np.quantile(ratio, level, method="higher"))


def _samples(samples: ArrayLike) -> Values:
    drawn = np.asarray(samples, np.float64)
    if drawn.ndim < 1 or len(drawn) < 2:
        raise UsageError(f"samples of shape {drawn.shape}", cure="give two samples or more along the first axis")
    return drawn
