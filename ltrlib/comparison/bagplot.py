"""The bagplot, a boxplot for points in the plane, by the definition of Rousseeuw, Ruts and Tukey (1999).

The depth region D(k) is where every closed half-plane holds at least k of the points. From the points inward:

- the *centre* (depth median) is the centre of gravity of the deepest region that is not empty;
- the *bag* lies between D(k) and D(k - 1), where D(k) holds at most half of the points, rounded down, and D(k - 1)
  more: along each ray from the centre, its border divides the way from the one border to the other in the same
  proportion, so that in proportion it holds half of the points;
- the *fence* is the bag, three times as large as seen from the centre; points beyond it are *outliers*;
- the *loop* is the convex hull of the points that are not outliers.

The bag is given as the polygon through the rays to the corners of both regions. Between two of these rays the true
border bends inwards a little; whether a point is in the bag or in the fence is decided on its own ray, as in the
authors' program. Everything is computed exactly and rounded once, at the end.

What the definition leaves open is settled here:

- If even the deepest region holds more than half of the points, the bag is that region.
- If all points are on one line, regions are segments on it, and bag, fence and loop have two corners. If all points
  are equal, or there is only one, everything is that point. Two points: the bag is the segment between them.
- If the centre is on the border of a region, the way outward from there has length 0.

The depth of every point is asked for, and each takes n log n: time grows with the square of the number of points,
memory with their number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.comparison.depth import Grid, Lines, halfspace_depths, lines_through_points, to_grid
from ltrlib.comparison.regions import (
    Place,
    Seen,
    arm_to,
    center_of_gravity,
    convex_hull,
    depth_region,
    place,
    segment_region,
)

__all__ = ["CENTER", "FENCE_FACTOR", "IN_BAG", "IN_FENCE", "OUTLIER", "Bagplot", "bagplot"]

FENCE_FACTOR = 3
"""How much larger than the bag the fence is."""

CENTER, IN_BAG, IN_FENCE, OUTLIER = range(4)
"""The types of a point."""


@dataclass(frozen=True, eq=False)
class Bagplot:
    """A bagplot as numbers; polygons are arrays of corners, counter-clockwise.

    Parameters
    ----------
    points
        The points, in the order in which they were given.
    depths
        Halfspace depth of each point.
    types
        `CENTER`, `IN_BAG`, `IN_FENCE` or `OUTLIER` for each point.
    center
        The depth median.
    deepest_region, bag, fence, loop
        The polygons.
    level
        The k of the two depth regions D(k) and D(k - 1) between which the bag lies.
    proportion
        Where between them: 0 is D(k), 1 is D(k - 1).
    """

    points: NDArray[np.float64]
    depths: NDArray[np.int64]
    types: NDArray[np.int64]
    center: tuple[float, float]
    deepest_region: NDArray[np.float64]
    bag: NDArray[np.float64]
    fence: NDArray[np.float64]
    loop: NDArray[np.float64]
    level: int
    proportion: float

    @property
    def outliers(self) -> NDArray[np.int64]:
        """Positions of the outliers among the points."""
        return np.flatnonzero(self.types == OUTLIER)

    def to_dict(self) -> dict[str, list[object]]:
        """Return what ``ltrlib bagplot --format json`` prints."""
        return {
            "center": list(self.center),
            "depths": self.depths.tolist(),
            "bag": self.bag.tolist(),
            "fence": self.fence.tolist(),
            "loop": self.loop.tolist(),
            "type": self.types.tolist(),
            "outliers": self.outliers.tolist(),
        }


def bagplot(points: ArrayLike) -> Bagplot:
    """Compute the bagplot of points in the plane.

    Parameters
    ----------
    points
        At least one row of two finite numbers. A number stands for the decimal that it prints as, so that 0.1, 0.2
        and 0.3 are evenly spaced.

    Examples
    --------
    >>> square_and_middle = bagplot([[0, 0], [2, 0], [2, 2], [0, 2], [1, 1]])
    >>> square_and_middle.center, square_and_middle.depths
    ((1.0, 1.0), array([1, 1, 1, 1, 3]))
    """
    grid = to_grid(points)
    depths = halfspace_depths(grid)
    n = depths.size
    level = _first_level_with_at_most(n // 2, depths)
    deepest, outer, inner = _regions(grid, int(depths.max()), level)
    center = center_of_gravity(deepest)
    held_outer, held_inner = int((depths >= level - 1).sum()), int((depths >= level).sum())
    # An empty inner region means that even the deepest one holds too many points: the bag is that one.
    proportion = Fraction(n // 2 - held_inner, held_outer - held_inner) if inner else Fraction(1)
    reach = partial(_reach, Seen(outer, center), Seen(inner or outer, center), proportion)
    bag = _bag(center, [*outer, *inner], reach)
    fence = [_stretch(center, corner, Fraction(FENCE_FACTOR)) for corner in bag]
    places = [(int(x), int(y), 1) for x, y in zip(grid.x, grid.y, strict=True)]
    types = np.array([CENTER if at == center else _type(reach(at)) for at in places], dtype=np.int64)
    loop = convex_hull([at[:2] for at, kind in zip(places, types, strict=True) if kind != OUTLIER])
    return Bagplot(
        points=np.array(points, dtype=np.float64),
        depths=depths,
        types=types,
        center=grid.to_plane(*_coordinates(center)),
        deepest_region=_polygon(grid, deepest),
        bag=_polygon(grid, bag),
        fence=_polygon(grid, fence),
        loop=_polygon(grid, [(x, y, 1) for x, y in loop]),
        level=level,
        proportion=float(proportion),
    )


def _first_level_with_at_most(limit: int, depths: NDArray[np.int64]) -> int:
    """Return the smallest k such that at most ``limit`` points have depth k or more."""
    return int(np.sort(depths)[::-1][limit]) + 1


def _regions(grid: Grid, deepest_point: int, level: int) -> tuple[list[Place], list[Place], list[Place]]:
    """Return the deepest region, D(level - 1) and D(level); the last one may be empty."""
    n = grid.x.size
    # A place that is not one of the points has a depth of at most n / 2: a line through it leaves that few beside it.
    bottom = max(deepest_point, n // 2)
    region: Callable[[int], list[Place]] = partial(segment_region, grid)
    if not _on_one_line(grid):
        wanted = [range(level - 1, level + 1), range(deepest_point, bottom + 1)]
        lines = lines_through_points(grid, depths=wanted)
        region = partial(_region_between_lines, grid, lines)
    depth, deepest, step, growing = deepest_point, region(deepest_point), 1, True
    # The deepest region is seldom much deeper than the deepest point: go down in growing steps, then in shrinking ones.
    while step:
        deeper = region(depth + step) if depth + step <= bottom else []
        if deeper:
            depth, deepest = depth + step, deeper
        growing = growing and bool(deeper)
        step = step * 2 if growing else step // 2
    return deepest, region(level - 1), region(level) if level <= bottom else []


def _region_between_lines(grid: Grid, lines: Lines, depth: int) -> list[Place]:
    return depth_region(grid, lines.at_depth(depth))


def _on_one_line(grid: Grid) -> bool:
    x, y = grid.x - grid.x[0], grid.y - grid.y[0]
    far = np.flatnonzero((x != 0) | (y != 0))
    return far.size == 0 or bool((x * y[far[0]] == y * x[far[0]]).all())


def _reach(outer: Seen, inner: Seen, proportion: Fraction, target: Place) -> Fraction:
    """How far the bag reaches on the way from the centre to a place."""
    return proportion * outer.reach(target) + (1 - proportion) * inner.reach(target)


def _bag(center: Place, corners: list[Place], reach: Callable[[Place], Fraction]) -> list[Place]:
    """Corners of the bag on the rays to the given places, by rising angle from -pi to pi."""
    rays = sorted((corner for corner in corners if corner != center), key=cmp_to_key(partial(_turn, center)))
    bag: list[Place] = []
    for i, ray in enumerate(rays):
        if i and _turn(center, rays[i - 1], ray) == 0:
            continue
        if stretch := reach(ray):
            bag.append(_stretch(center, ray, stretch))
    if len(bag) < 2:
        return [*bag, center]
    # Where the rays leave out more than half a turn, the centre itself is a corner.
    closed: list[Place] = []
    for corner, following in zip(bag, bag[1:] + bag[:1], strict=True):
        closed.append(corner)
        (ax, ay, _), (bx, by, _) = arm_to(corner, center), arm_to(following, center)
        if ax * by - ay * bx < 0:
            closed.append(center)
    return closed


def _turn(center: Place, one: Place, other: Place) -> int:
    """Compare the angles of two places as seen from the centre: positive if the first one's is larger."""
    (ax, ay, _), (bx, by, _) = arm_to(one, center), arm_to(other, center)
    return _sector(ax, ay) - _sector(bx, by) or ay * bx - ax * by


def _sector(x: int, y: int) -> int:
    if y == 0:
        return 1 if x > 0 else 3
    return 0 if y < 0 else 2


def _stretch(center: Place, target: Place, factor: Fraction) -> Place:
    (cx, cy), (x, y) = _coordinates(center), _coordinates(target)
    return place(cx + factor * (x - cx), cy + factor * (y - cy))


def _coordinates(at: Place) -> tuple[Fraction, Fraction]:
    x, y, w = at
    return Fraction(x, w), Fraction(y, w)


def _polygon(grid: Grid, corners: list[Place]) -> NDArray[np.float64]:
    return np.array([grid.to_plane(*_coordinates(corner)) for corner in corners], dtype=np.float64).reshape(-1, 2)


def _type(reach: Fraction) -> int:
    if reach >= 1:
        return IN_BAG
    return IN_FENCE if FENCE_FACTOR * reach >= 1 else OUTLIER
