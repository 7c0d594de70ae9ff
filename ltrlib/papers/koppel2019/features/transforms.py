"""Features in four forms, and what "normal with standard deviation 1/3" really yields."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.features import normal_quantiles
from ltrlib.errors import UsageError
from ltrlib.papers.koppel2019.features.plans import FORMS, SPREAD

__all__ = ["averaged_quantiles", "clipped_share", "described", "in_form"]

_CLOSE = 0.1  # a spread counts as one third within this share of it


def averaged_quantiles(features: NDArray[np.float32]) -> NDArray[np.float32]:
    """Normal quantiles of the ranks of each feature, ties averaged, scaled to a standard deviation of one third.

    A feature that does not vary becomes 0.

    Examples
    --------
    >>> made = averaged_quantiles(np.array([[0], [0], [0], [1], [2]], np.float32))
    >>> bool(abs(made.std() - 1 / 3) < 1e-6), bool(abs(made.mean()) < 1e-6), made[0] == made[2]
    (True, True, array([ True]))
    """
    from scipy.special import ndtri
    from scipy.stats import rankdata

    ranks = rankdata(features, method="average", axis=0)
    quantiles = ndtri((ranks - 0.5) / len(features))
    centred = quantiles - quantiles.mean(axis=0)
    spread = centred.std(axis=0)
    # A constant feature leaves a spread of rounding errors.
    scaled = np.divide(SPREAD * centred, spread, out=np.zeros_like(centred), where=spread > 1e-9)
    return np.ascontiguousarray(scaled, np.float32)


def in_form(features: NDArray[np.float32], form: str) -> NDArray[np.float32]:
    """Features in one of the `FORMS`, made from these documents alone.

    Examples
    --------
    >>> in_form(np.array([[1], [3]], np.float32), "standardised").ravel().round(2).tolist()
    [-0.33000001311302185, 0.33000001311302185]
    """
    if form == "raw":
        return features
    if form == "authors":
        return normal_quantiles(features) / np.float32(3)
    if form == "averaged":
        return averaged_quantiles(features)
    if form != "standardised":
        raise UsageError(f"features have no form {form!r}", cure=f"choose {', '.join(FORMS)}")
    values = features.astype(np.float64)
    spread = values.std(axis=0)
    constant = spread <= 1e-6 * np.abs(values.mean(axis=0))
    return np.asarray(SPREAD * (values - values.mean(axis=0)) / np.where(constant, np.inf, spread), np.float32)


def clipped_share(features: NDArray[np.float32]) -> float:
    """Share of the values at the two extremes to which scikit-learn's transform clips, ±5.2 before the division.

    Examples
    --------
    >>> clipped_share(np.array([[-1.7331], [0.0], [0.5], [1.7331]], np.float32))
    0.5
    """
    edge = -5.199337582605575 / 3  # the normal quantile of 1e-7, less the spacing of numbers there
    return float(np.mean(np.abs(features) >= abs(edge) - 1e-3))


def described(features: NDArray[np.float32]) -> dict[str, float]:
    """Standard deviation over all values, its median over the features, and how many features have one third.

    Examples
    --------
    >>> described(np.array([[-1 / 3, 0], [1 / 3, 0]], np.float32))["close"]
    1
    """
    by_feature = features.std(axis=0, dtype=np.float64)
    return {
        "features": features.shape[1],
        "sd": float(features.std(dtype=np.float64)),
        "sd_median": float(np.median(by_feature)),
        "close": int(np.sum(np.abs(by_feature / SPREAD - 1) <= _CLOSE)),
        "clipped": clipped_share(features),
    }
