"""Exact halfspace depth (Tukey depth) of points in the plane.

The depth of a point is the smallest number of points in a closed half-plane that holds it. Points on one line, equal
points and points that are almost on one line decide that number, so nothing here is left to rounding: a coordinate
stands for the decimal number that it prints as, all coordinates of an axis are moved onto a grid of integers (which
changes no depth), and where an angle in double precision cannot tell two directions apart, integers do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.errors import UsageError

__all__ = ["Grid", "Lines", "halfspace_depths", "lines_through_points", "to_grid"]

# Angles have an error of a few 1e-16; below this gap the order of two directions is decided in integers.
_SURE_GAP = 1e-12

# Products of two differences stay within 64 bits.
_SMALL = 2**31

# The largest grid whose smallest step is still a normal double.
_LARGEST_BITS = 1000


@dataclass(frozen=True, eq=False)
class Grid:
    """Points on an integer grid: a coordinate is ``origin + step * integer``, exactly.

    Parameters
    ----------
    x, y
        Integers from 0 to the span of the axis: 64-bit if both spans are below 2**31, else Python's own.
    origin, step
        One number per axis.
    """

    x: NDArray[Any]
    y: NDArray[Any]
    origin: tuple[Fraction, Fraction]
    step: tuple[Fraction, Fraction]

    @property
    def span(self) -> tuple[int, int]:
        """Largest integer of each axis, at least 1."""
        return max(1, int(self.x.max())), max(1, int(self.y.max()))

    def to_plane(self, x: Fraction, y: Fraction) -> tuple[float, float]:
        """Coordinates of a place on the grid, rounded once."""
        return float(self.origin[0] + self.step[0] * x), float(self.origin[1] + self.step[1] * y)


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines through two or more points, each with a direction; one entry per line and direction.

    Parameters
    ----------
    start, end
        Positions of two different points on the line; it runs from the first to the second.
    left
        How many points lie strictly to the left.
    on
        How many points lie on the line.
    """

    start: NDArray[np.int64]
    end: NDArray[np.int64]
    left: NDArray[np.int64]
    on: NDArray[np.int64]

    def at_depth(self, depth: int) -> Lines:
        """Select the lines whose right sides bound the region of that depth."""
        chosen = (self.left < depth) & (depth <= self.left + self.on)
        return Lines(self.start[chosen], self.end[chosen], self.left[chosen], self.on[chosen])


def to_grid(points: ArrayLike) -> Grid:
    """Move points onto an integer grid.

    Parameters
    ----------
    points
        At least one row of two finite numbers.

    Examples
    --------
    >>> grid = to_grid([[0.1, 5], [0.3, 5], [0.7, 6]])
    >>> grid.x, grid.y
    (array([0, 1, 3]), array([0, 0, 1]))
    """
    array = np.asarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 2 or array.shape[0] == 0:
        raise UsageError(f"points of shape {array.shape}", cure="give at least one point, each with x and y")
    if not np.isfinite(array).all():
        row = int(np.flatnonzero(~np.isfinite(array).all(axis=1))[0])
        raise UsageError("a coordinate is not finite", where=f"point {row}", cure="leave such points out")
    integers, origin, step = zip(*(_axis(column.tolist()) for column in array.T), strict=True)
    spans = [max(axis) for axis in integers]
    if max(spans).bit_length() > _LARGEST_BITS:
        raise UsageError("the coordinates differ in size by more than 1e300", cure="leave out what is far off")
    kind = np.int64 if max(spans) < _SMALL else object
    x, y = (np.array(axis, dtype=kind) for axis in integers)
    return Grid(x, y, origin, step)


def halfspace_depths(points: ArrayLike | Grid) -> NDArray[np.int64]:
    """Depth of each point among all of them, in O(n log n) per point.

    Parameters
    ----------
    points
        Rows of two numbers, or points that are on a grid already.

    Examples
    --------
    >>> halfspace_depths([[0, 0], [2, 0], [0, 2], [2, 2], [1, 1]])
    array([1, 1, 1, 1, 3])
    """
    grid = points if isinstance(points, Grid) else to_grid(points)
    if not (grid.x.any() or grid.y.any()):
        return np.full(grid.x.size, grid.x.size)
    return np.array([turn.depth() for turn in _turns(grid)], dtype=np.int64)


def lines_through_points(grid: Grid, *, depths: Sequence[range]) -> Lines:
    """Find the lines that bound the regions of given depths.

    The region of depth k is where every closed half-plane holds at least k points. If the points are not all on one
    line, it is what the right sides of those directed lines through points have in common that have fewer than k
    points strictly to their left and, with the points on them, at least k.

    Parameters
    ----------
    grid
        The points.
    depths
        The depths that are asked for. Few depths need few lines: all of them together would be as many as pairs of
        points.

    Examples
    --------
    >>> lines = lines_through_points(to_grid([[0, 0], [1, 0], [0, 1]]), depths=[range(1, 2)])
    >>> lines.start, lines.end, lines.left
    (array([0, 1, 2]), array([2, 0, 1]), array([0, 0, 0]))
    """
    found: list[list[NDArray[np.int64]]] = [[], [], [], []]
    for turn in _turns(grid):
        # A line is met once from each of its points: keep it where it is met first.
        new = turn.first_met()
        on = (turn.own + turn.ahead + turn.behind)[new]
        here, there, is_behind = np.full(on.size, turn.pivot), turn.partner[new], turn.partner_is_behind[new]
        back, front = np.where(is_behind, there, here), np.where(is_behind, here, there)
        for start, stop, left in ((back, front, turn.left[new]), (front, back, turn.right[new])):
            wanted = np.zeros(left.size, dtype=bool)
            for some in depths:
                wanted |= (left < some.stop - 1) & (left + on >= some.start)
            for part, values in zip(found, (start, stop, left, on), strict=True):
                part.append(values[wanted])
    return Lines(*(np.concatenate(part) for part in found))


@dataclass(frozen=True, eq=False)
class _Turn:
    """A line turning half around one point: what it meets, in order, and what lies beside it then.

    ``own`` points are at the pivot. The arrays have one entry per direction in which there are other points: how
    many lie ahead on the line, behind on it, to its left and right; the lowest position of those on it, and whether
    that one lies behind.
    """

    pivot: int
    own: int
    ahead: NDArray[np.int64]
    behind: NDArray[np.int64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    partner: NDArray[np.int64]
    partner_is_behind: NDArray[np.bool_]
    first_of_own: bool

    def depth(self) -> int:
        # The emptiest closed half-plane is found next to a line that meets points, tilted a little off them: the
        # points ahead are then on one side and those behind on the other.
        tilted = np.minimum(self.left, self.right) + np.minimum(self.ahead, self.behind)
        return self.own + int(tilted.min())

    def first_met(self) -> NDArray[np.bool_]:
        if not self.first_of_own:
            return np.zeros(self.partner.size, dtype=bool)
        first: NDArray[np.bool_] = self.partner > self.pivot
        return first


def _turns(grid: Grid) -> Iterator[_Turn]:
    """Turn a line around each point in turn; not all points are equal."""
    span_x, span_y = grid.span
    for pivot in range(grid.x.size):
        # Rounded to doubles, these keep their signs and are zero only where the integers are.
        x = ((grid.x - grid.x[pivot]) / span_x).astype(np.float64)
        y = ((grid.y - grid.y[pivot]) / span_y).astype(np.float64)
        others = np.flatnonzero((x != 0) | (y != 0))
        x, y = x[others], y[others]
        behind = (y < 0) | ((y == 0) & (x < 0))
        # Points behind are mirrored at the pivot: then all directions lie in half a turn, and lines become equal.
        mirror = np.where(behind, -1, 1)
        order, opens = _sorted_directions(grid, pivot, others, mirror, np.arctan2(mirror * y, mirror * x))
        starts = np.flatnonzero(opens)
        n_behind = np.add.reduceat(behind[order].astype(np.int64), starts)
        n_ahead = np.diff(starts, append=order.size) - n_behind
        left = n_ahead.sum() - np.cumsum(n_ahead) + np.cumsum(n_behind) - n_behind
        partner, is_behind = np.divmod(np.minimum.reduceat(2 * others[order] + behind[order], starts), 2)
        yield _Turn(
            pivot=pivot,
            own=grid.x.size - others.size,
            ahead=n_ahead,
            behind=n_behind,
            left=left,
            right=others.size - left - n_ahead - n_behind,
            partner=partner,
            partner_is_behind=is_behind.astype(bool),
            # Positions rise, so an equal point came before if those below the pivot are not all among the others.
            first_of_own=bool(np.searchsorted(others, pivot) == pivot),
        )


def _sorted_directions(
    grid: Grid, pivot: int, others: NDArray[np.int64], mirror: NDArray[np.int64], angles: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Sort the mirrored directions from the pivot to the others, and tell where a new direction begins."""

    def turns_to_next(order: NDArray[np.int64]) -> NDArray[np.int64]:
        """Sign of the turn from each direction to the next: 1 left, 0 none, -1 right."""
        signs = np.ones(order.size - 1, dtype=np.int64)
        unsure = np.flatnonzero(np.diff(angles[order]) < _SURE_GAP)
        first, second = order[unsure], order[unsure + 1]
        ax, ay, bx, by = (axis[others[chosen]] - axis[pivot] for chosen in (first, second) for axis in (grid.x, grid.y))
        cross = (ax * by - ay * bx) * (mirror[first] * mirror[second])
        signs[unsure] = (cross > 0).astype(np.int64) - (cross < 0).astype(np.int64)
        return signs

    order = np.argsort(angles)
    turns = turns_to_next(order)
    if (turns < 0).any():
        xs = ((grid.x[others] - grid.x[pivot]) * mirror).tolist()
        ys = ((grid.y[others] - grid.y[pivot]) * mirror).tolist()
        order = np.array(sorted(order.tolist(), key=cmp_to_key(lambda a, b: ys[a] * xs[b] - xs[a] * ys[b])))
        turns = turns_to_next(order)
    return order, np.append(True, turns > 0)


def _axis(values: list[float]) -> tuple[list[int], Fraction, Fraction]:
    exact = [Fraction(repr(value)) for value in values]
    scale = math.lcm(*(value.denominator for value in exact))
    integers = [int(value * scale) for value in exact]
    low = min(integers)
    step = math.gcd(*(value - low for value in integers)) or 1
    return [(value - low) // step for value in integers], Fraction(low, scale), Fraction(step, scale)
