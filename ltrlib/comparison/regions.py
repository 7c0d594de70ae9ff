"""Depth regions as exact convex polygons: where they are, their centre of gravity, how far they reach.

A place is three integers (x, y, w) for the point (x / w, y / w), w > 0 and no common divisor, so that equal places
are equal tuples. A polygon is the list of its corners, counter-clockwise; two corners are a segment, one is a point.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ltrlib.comparison.depth import Grid, Lines

__all__ = ["Place", "Seen", "arm_to", "center_of_gravity", "convex_hull", "depth_region", "place", "segment_region"]

Place = tuple[int, int, int]
_Line = tuple[int, int, int]
"""(a, b, c): the side where a x + b y <= c."""

# Lines are cut off in portions; after each, those that cannot touch what is left are dropped.
_PORTION = 48

# Above the rounding error of an area on axes scaled to [0, 1].
_ROUNDING = 1e-14


def place(x: Fraction | int, y: Fraction | int) -> Place:
    """Make a place from two exact coordinates.

    Examples
    --------
    >>> place(Fraction(1, 2), Fraction(1, 3))
    (3, 2, 6)
    """
    x, y = Fraction(x), Fraction(y)
    w = math.lcm(x.denominator, y.denominator)
    return int(x * w), int(y * w), w


def depth_region(grid: Grid, lines: Lines) -> list[Place]:
    """Corners of what the right sides of all lines have in common, within the points' bounding box.

    Parameters
    ----------
    grid
        The points, not all of them on one line.
    lines
        The lines that bound the region, from `Lines.at_depth`.

    Examples
    --------
    >>> from ltrlib.comparison.depth import lines_through_points, to_grid
    >>> grid = to_grid([[0, 0], [1, 0], [0, 1], [1, 1]])
    >>> depth_region(grid, lines_through_points(grid, depths=[range(2, 3)]))
    [(1, 1, 2)]
    """
    span_x, span_y = grid.span
    sides: list[_Line] = [(0, -1, 0), (1, 0, span_x), (0, 1, span_y), (-1, 0, 0)]
    polygon: list[tuple[Place, _Line]] = list(
        zip([(0, 0, 1), (span_x, 0, 1), (span_x, span_y, 1), (0, span_y, 1)], sides, strict=True)
    )
    x, y = (grid.x / span_x).astype(np.float64), (grid.y / span_y).astype(np.float64)
    # Lines from everywhere early on: they leave little for the others to cut. The outcome does not depend on it.
    rest = np.random.default_rng(0).permutation(lines.start.size)
    while rest.size and polygon:
        for i in rest[:_PORTION].tolist():
            polygon = _cut(polygon, _side_of(grid, int(lines.start[i]), int(lines.end[i])))
        rest = rest[_PORTION:]
        rest = rest[_may_cut(polygon, (span_x, span_y), x, y, lines.start[rest], lines.end[rest])]
    return [corner for corner, _ in polygon]


def segment_region(grid: Grid, depth: int) -> list[Place]:
    """Ends of the region of a depth if all points are on one line: the depth-th points from both ends.

    Examples
    --------
    >>> from ltrlib.comparison.depth import to_grid
    >>> segment_region(to_grid([[0, 0], [1, 1], [3, 3], [7, 7]]), 2)
    [(1, 1, 1), (3, 3, 1)]
    """
    ordered = sorted((int(x), int(y), 1) for x, y in zip(grid.x, grid.y, strict=True))
    low, high = ordered[depth - 1], ordered[-depth]
    if low > high:
        return []
    return [low] if low == high else [low, high]


def center_of_gravity(polygon: list[Place]) -> Place:
    """Centre of gravity of a polygon's area, of a segment's length, or the point itself.

    Examples
    --------
    >>> center_of_gravity([(0, 0, 1), (1, 0, 1), (0, 1, 1)])
    (1, 1, 3)
    """
    corners = [(Fraction(x, w), Fraction(y, w)) for x, y, w in polygon]
    if len(corners) < 3:
        (x, y), (next_x, next_y) = corners[0], corners[-1]
        return place((x + next_x) / 2, (y + next_y) / 2)
    area = moment_x = moment_y = Fraction(0)
    for (x, y), (next_x, next_y) in zip(corners, corners[1:] + corners[:1], strict=True):
        cross = x * next_y - y * next_x
        area += cross
        moment_x += cross * (x + next_x)
        moment_y += cross * (y + next_y)
    return place(moment_x / (3 * area), moment_y / (3 * area))


def convex_hull(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Corners of the convex hull, counter-clockwise from the lowest x (then y); no corner is on a side.

    Examples
    --------
    >>> convex_hull([(0, 0), (1, 0), (2, 0), (1, 1)])
    [(0, 0), (2, 0), (1, 1)]
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    hull: list[tuple[int, int]] = []
    for chain in (ordered, ordered[::-1]):
        begin = len(hull)
        for x, y in chain:
            while len(hull) - begin >= 2:
                (ax, ay), (bx, by) = hull[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                hull.pop()
            hull.append((x, y))
        hull.pop()
    return hull


class Seen:
    """A polygon as seen from a place in it: how far it reaches in a direction.

    Parameters
    ----------
    polygon
        The corners.
    center
        A place in the polygon or on its border.

    Examples
    --------
    >>> square = Seen([(0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1)], (1, 1, 1))
    >>> square.reach((4, 1, 1))
    Fraction(1, 3)
    """

    def __init__(self, polygon: list[Place], center: Place) -> None:
        self._center = center
        arms = [arm_to(corner, center) for corner in polygon]
        angles = [_angle(arm) for arm in arms]
        first = angles.index(min(angles))
        # The corners turn once around the centre, so starting at the smallest angle makes the angles rise.
        self._arms = arms[first:] + arms[:first]
        self._angles = angles[first:] + angles[:first]

    def reach(self, target: Place) -> Fraction:
        """Largest t such that centre + t (target - centre) is in the polygon; the target is not the centre."""
        arm = arm_to(target, self._center)
        n = len(self._arms)
        guess = bisect_right(self._angles, _angle(arm)) - 1
        for i in (guess, guess - 1, guess + 1):
            if found := _on_side(arm, self._arms[i % n], self._arms[(i + 1) % n]):
                return found
        # The centre is on the border, the polygon a segment or a point, or rounding misled the guess.
        sides = (_on_side(arm, a, b) for a, b in zip(self._arms, self._arms[1:] + self._arms[:1], strict=True))
        corners = (_on_corner(arm, a) for a in self._arms)
        return max(max(sides), max(corners))


def arm_to(target: Place, center: Place) -> Place:
    """Vector from the centre to a place, in the same notation (with common divisors).

    Examples
    --------
    >>> arm_to((1, 1, 2), (0, 1, 1))
    (1, -1, 2)
    """
    (x, y, w), (cx, cy, cw) = target, center
    return x * cw - cx * w, y * cw - cy * w, w * cw


def _angle(arm: Place) -> float:
    x, y, _ = arm
    size = max(abs(x), abs(y), 1)
    return math.atan2(y / size, x / size)


def _on_side(arm: Place, a: Place, b: Place) -> Fraction:
    """How far the arm reaches to the side from a to b; 0 if it does not point there."""
    (x, y, w), (ax, ay, aw), (bx, by, bw) = arm, a, b
    span = ax * by - ay * bx
    from_a, to_b = ax * y - ay * x, x * by - y * bx
    if span <= 0 or from_a < 0 or to_b < 0:
        return Fraction(0)
    return Fraction(w * span, aw * to_b + bw * from_a)


def _on_corner(arm: Place, a: Place) -> Fraction:
    (x, y, w), (ax, ay, aw) = arm, a
    if ax * y != ay * x or ax * x + ay * y <= 0:
        return Fraction(0)
    return Fraction(w * ax, aw * x) if x else Fraction(w * ay, aw * y)


def _side_of(grid: Grid, start: int, end: int) -> _Line:
    x, y = int(grid.x[start]), int(grid.y[start])
    dx, dy = int(grid.x[end]) - x, int(grid.y[end]) - y
    return -dy, dx, dx * y - dy * x


def _cut(polygon: list[tuple[Place, _Line]], line: _Line) -> list[tuple[Place, _Line]]:
    """Cut off what is on the wrong side of a line. Each corner carries the line of the side that starts there."""
    a, b, c = line
    beyond = [a * x + b * y - c * w for (x, y, w), _ in polygon]
    if max(beyond, default=0) <= 0:
        return polygon
    kept: list[tuple[Place, _Line]] = []
    for i, (corner, side) in enumerate(polygon):
        here, there = beyond[i], beyond[(i + 1) % len(polygon)]
        if here <= 0:
            kept.append((corner, line if here == 0 < there else side))
        if here < 0 < there:
            kept.append((_meet(side, line), line))
        elif there < 0 < here:
            kept.append((_meet(side, line), side))
    # Cutting a segment cuts it on its way there and on its way back, at the same place.
    return [entry for entry, following in zip(kept, kept[1:] + kept[:1], strict=True) if entry[0] != following[0]] or (
        kept[:1]
    )


def _meet(one: _Line, other: _Line) -> Place:
    (a, b, c), (d, e, f) = one, other
    x, y, w = c * e - b * f, a * f - c * d, a * e - b * d
    common = math.gcd(x, y, w) * (1 if w > 0 else -1)
    return x // common, y // common, w // common


def _may_cut(
    polygon: list[tuple[Place, _Line]],
    span: tuple[int, int],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Tell which lines have a corner on their left, or too near to be sure, on axes scaled to [0, 1]."""
    corners = np.array([(cx / (w * span[0]), cy / (w * span[1])) for (cx, cy, w), _ in polygon]).reshape(-1, 2)
    dx, dy = x[end] - x[start], y[end] - y[start]
    left = dx[:, None] * (corners[:, 1] - y[start, None]) - dy[:, None] * (corners[:, 0] - x[start, None])
    return np.asarray((left > -_ROUNDING).any(axis=1), dtype=bool)
