"""A version of Figure 9 of Chapelle and Chang (2011): on a line, squared loss fails and other losses succeed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["METHODS", "Example", "loss_example", "loss_examples"]

METHODS = ("linear regression", "logistic regression", "support vector machine", "decision stump")
"""Squared loss, two classification losses with the same linear functions, and squared loss with another function."""

_NEAR = (0.0, 0.6, 1.2, 1.8), (2.6, 3.2, 3.8)
_FAR_POINTS = (0.0, 0.5, 1.0, 1.5, 2.0)


@dataclass(frozen=True, eq=False)
class Example:
    """Points of two classes on a line, and where each method puts the border between them.

    Parameters
    ----------
    x, y
        Places, and classes −1 or 1.
    borders
        Place at which each method's decision changes.
    line
        Slope and intercept of the linear regression.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    borders: dict[str, float]
    line: tuple[float, float]

    @property
    def errors(self) -> dict[str, int]:
        """Number of points on the wrong side of each border."""
        return {name: int(np.sum((self.x > border) != (self.y > 0))) for name, border in self.borders.items()}


def loss_example(far: float = 12.0) -> Example:
    """Make the example: both classes near the border, and more points of one class far on its right side.

    Parameters
    ----------
    far
        Where the far points begin.

    Examples
    --------
    >>> loss_example().errors
    {'linear regression': 2, 'logistic regression': 0, 'support vector machine': 0, 'decision stump': 0}
    >>> loss_example(far=3.0).errors["linear regression"]
    0
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC

    x = np.concatenate([*map(np.asarray, _NEAR), far + np.asarray(_FAR_POINTS)])
    y = np.where(np.arange(len(x)) < len(_NEAR[0]), -1.0, 1.0)
    slope, intercept = np.polyfit(x, y, 1)
    borders = {METHODS[0]: -intercept / slope}
    # A weak penalty: with separable classes, none at all would let the weights grow without end.
    for name, model in ((METHODS[1], LogisticRegression(C=100.0)), (METHODS[2], SVC(kernel="linear", C=100.0))):
        model.fit(x[:, None], y)
        borders[name] = float(-model.intercept_[0] / model.coef_[0, 0])
    borders[METHODS[3]] = _stump(x, y)
    return Example(x, y, {name: float(border) for name, border in borders.items()}, (float(slope), float(intercept)))


def loss_examples() -> dict[float, Example]:
    """The example with the far points ever further away, for the slider.

    Examples
    --------
    >>> min(loss_examples()), max(loss_examples())
    (4.0, 20.0)
    """
    return {far: loss_example(far) for far in (4.0, 6.0, 8.0, 10.0, 12.0, 16.0, 20.0)}


def _stump(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Border of the step function with the smallest squared error."""
    places = np.sort(x)
    borders = (places[1:] + places[:-1]) / 2
    errors = [sum(float(np.var(y[side]) * side.sum()) for side in (x < border, x > border)) for border in borders]
    return float(borders[int(np.argmin(errors))])
