"""Cutting planes: minimise ½‖w‖² + C·loss(w) for a convex loss that has corners, such as a sum of hinges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ltrlib.rankers.kernels import FLOATS, OUT_FLOATS, compiled, signatures

__all__ = ["Minimum", "minimise"]

Vector = NDArray[np.float64]

_EXACT = 1e-6  # of the tolerance: how exactly the weights of the planes are found
_UPDATES = 10_000_000  # limit of the exchanges for one set of planes


@dataclass(frozen=True, eq=False)
class Minimum:
    """Where the search ended.

    Parameters
    ----------
    w
        The point.
    value
        The objective there.
    n_planes
        Number of planes that were needed.
    converged
        Whether the loss is nowhere further above the planes than the tolerance.
    """

    w: Vector
    value: float
    n_planes: int
    converged: bool


def minimise(
    loss: Callable[[Vector], tuple[float, Vector]],
    start: Vector,
    *,
    C: float,
    tolerance: float,
    max_planes: int,
) -> Minimum:
    """Minimise ½‖w‖² + C·loss(w), as the 1-slack algorithm of Joachims (2006) does.

    The loss lies above each of its tangent planes. The search takes the w that is best if the loss were the highest of
    the planes seen so far, adds the plane at that w, and ends when the loss is at most ``tolerance`` above the planes.

    Parameters
    ----------
    loss
        Returns the loss, which is never negative, and a subgradient.
    start
        Where the first plane is taken.
    C
        Weight of the loss.
    tolerance
        By how much the loss may exceed the planes in the end: the objective is then within C·tolerance of its minimum.
    max_planes
        Limit of the planes.

    Examples
    --------
    >>> hinge = lambda w: (max(0.0, 1.0 - w[0]), np.array([-1.0 if w[0] < 1.0 else 0.0]))
    >>> minimise(hinge, np.zeros(1), C=0.5, tolerance=1e-9, max_planes=100).w
    array([0.5])
    """
    slopes, heights = np.zeros((1, len(start))), np.zeros(1)  # the loss is at least 0: a plane too
    products, weights = np.zeros((1, 1)), np.array([C])
    w = start
    for n_planes in range(1, max_planes + 1):
        value, slope = loss(w)
        height = value - float(slope @ w)
        if n_planes > 1 and value - float((slopes @ w + heights).max()) <= tolerance:
            return Minimum(w, 0.5 * float(w @ w) + C * value, n_planes - 1, True)
        across = slopes @ slope
        products = np.block([[products, across[:, None]], [across[None, :], np.array([[slope @ slope]])]])
        slopes, heights = np.vstack([slopes, slope]), np.append(heights, height)
        weights = np.append(weights, 0.0)
        _exchange(np.ascontiguousarray(products), heights, weights, _EXACT * tolerance, _UPDATES)
        w = -(weights @ slopes)
    value, _ = loss(w)
    return Minimum(w, 0.5 * float(w @ w) + C * value, max_planes, False)


@compiled(
    signatures.void(
        signatures.Array(signatures.float64, 2, "C", readonly=True),
        FLOATS,
        OUT_FLOATS,
        signatures.float64,
        signatures.int64,
    )
)
def _exchange(products: NDArray[np.float64], heights: Vector, weights: Vector, goal: float, updates: int) -> None:
    """Maximise heights·a − ½ a·products·a over a ≥ 0 of a fixed sum, by exchanges between the two that gain most."""
    gain = heights - np.dot(products, weights)
    for _ in range(updates):
        to = 0
        origin = -1
        for i in range(gain.size):
            if gain[i] > gain[to]:
                to = i
            if weights[i] > 0.0 and (origin < 0 or gain[i] < gain[origin]):
                origin = i
        if gain[to] - gain[origin] <= goal:
            return
        curvature = products[to, to] + products[origin, origin] - 2.0 * products[to, origin]
        step = weights[origin]
        if curvature * step > gain[to] - gain[origin]:
            step = (gain[to] - gain[origin]) / curvature
            weights[origin] -= step
        else:
            weights[origin] = 0.0
        weights[to] += step
        for i in range(gain.size):
            gain[i] -= step * (products[i, to] - products[i, origin])
