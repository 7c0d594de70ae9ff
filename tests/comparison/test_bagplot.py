"""Bagplots: golden numbers in rational arithmetic, depths by brute force and by another package, degenerate sets."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ltrlib.comparison.bagplot import CENTER, IN_BAG, IN_FENCE, OUTLIER, Bagplot, bagplot
from ltrlib.comparison.depth import halfspace_depths, to_grid
from ltrlib.comparison.drawing import draw_bagplot
from ltrlib.errors import UsageError

GOLDEN: dict[str, Any] = json.loads(Path(__file__).parents[1].joinpath("golden", "bagplot.json").read_text())["sets"]
DATA_DEPTH: dict[str, Any] = json.loads(Path(__file__).parents[1].joinpath("golden", "data_depth.json").read_text())[
    "sets"
]
EXAMPLES = int(os.environ.get("LTRLIB_FUZZ", "1"))

IntPoints = list[tuple[int, int]]
Location = tuple[Fraction | int, Fraction | int]


def brute_force_depth(points: IntPoints, at: Location) -> int:
    """Fewest points in a closed half-plane with ``at`` on its border.

    The emptiest border lies just beside a line through ``at`` and another point. So each such line is taken as border
    in both directions, and its own points are decided by tilting it a little either way.
    """
    arms = [(x - at[0], y - at[1]) for x, y in points if (x, y) != at]
    own = len(points) - len(arms)
    counts = [
        sum((side := sign * (ax * y - ay * x)) > 0 or (side == 0 and tilt * (ax * x + ay * y) > 0) for x, y in arms)
        for ax, ay in arms
        for sign in (1, -1)
        for tilt in (1, -1)
    ]
    return own + min(counts, default=0)


def crossings(points: IntPoints) -> set[Location]:
    """Every place where two lines through points meet: the corners of all depth regions are among them."""
    lines = [(ay - by, bx - ax, bx * ay - ax * by) for (ax, ay), (bx, by) in combinations(sorted(set(points)), 2)]
    found: set[Location] = set(points)
    for (a, b, c), (d, e, f) in combinations(lines, 2):
        if w := a * e - b * d:
            found.add((Fraction(c * e - b * f, w), Fraction(a * f - c * d, w)))
    return found


def same_polygon(one: NDArray[np.float64], other: list[list[float]]) -> bool:
    """Equal corners in the same cyclic order, to 1e-9."""
    expected = np.array(other)
    return one.shape == expected.shape and any(
        np.allclose(np.roll(one, i, axis=0), expected, rtol=1e-9, atol=0) for i in range(len(one))
    )


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_numbers(name: str) -> None:
    points, exact = GOLDEN[name]["points"], GOLDEN[name]["exact"]
    got = bagplot(points)
    assert got.depths.tolist() == exact["depths"]
    assert got.types.tolist() == exact["type"]
    assert got.outliers.tolist() == exact["outliers"]
    assert got.level == exact["k"]
    np.testing.assert_allclose(got.proportion, exact["lambda_"], rtol=1e-15)
    np.testing.assert_allclose(got.center, exact["center"], rtol=1e-15)
    for polygon in ("deepest_region", "bag", "fence", "loop"):
        assert same_polygon(getattr(got, polygon), exact[polygon]), polygon


@pytest.mark.parametrize("name", GOLDEN)
def test_decimals_are_taken_as_written(name: str) -> None:
    """The centre is the rational number that the decimals give, not the one that their binary neighbours give."""
    exact = [float(Fraction(text)) for text in GOLDEN[name]["exact"]["center_exact"]]
    assert list(bagplot(GOLDEN[name]["points"]).center) == exact
    # 0.1, 0.2, 0.3 and 0.3, 0.5, 0.7 are evenly spaced as decimals, but not as doubles.
    assert bagplot([[0.1, 0.3], [0.2, 0.5], [0.3, 0.7]]).center == (0.2, 0.5)


@pytest.mark.parametrize("name", DATA_DEPTH)
def test_depths_equal_those_of_data_depth(name: str) -> None:
    assert halfspace_depths(DATA_DEPTH[name]["points"]).tolist() == DATA_DEPTH[name]["depths"]


GRID_POINTS = st.integers(0, 6).flatmap(
    lambda size: st.lists(st.tuples(st.integers(0, size), st.integers(0, size)), min_size=1, max_size=30)
)


@settings(max_examples=150 * EXAMPLES, deadline=None)
@given(GRID_POINTS)
def test_depths_equal_brute_force_on_small_grids(points: IntPoints) -> None:
    """Small grids are full of equal points and points on one line."""
    assert halfspace_depths(points).tolist() == [brute_force_depth(points, p) for p in points]


@settings(max_examples=50 * EXAMPLES, deadline=None)
@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=1, max_size=12), st.integers(-300, 0))
def test_depths_of_any_doubles_equal_brute_force(points: list[tuple[float, float]], exponent: int) -> None:
    """Seventeen digits, tiny differences and almost straight lines: decided exactly as well."""
    close = [(x * 10.0**exponent if i % 3 == 0 else x, y) for i, (x, y) in enumerate(points)]
    exact = [(Fraction(repr(x)), Fraction(repr(y))) for x, y in close]
    scale = 10**700
    integers = [(int(x * scale), int(y * scale)) for x, y in exact]
    try:
        depths = halfspace_depths(close)
    except UsageError as error:
        assert "1e300" in str(error)  # noqa: PT017
        return
    assert depths.tolist() == [brute_force_depth(integers, p) for p in integers]


def inside(polygon: NDArray[np.float64], at: NDArray[np.float64], slack: float) -> bool:
    if len(polygon) == 1:
        return bool(np.hypot(*(polygon[0] - at)) <= slack)
    sides = np.roll(polygon, -1, axis=0) - polygon
    to_point = at - polygon
    left = sides[:, 0] * to_point[:, 1] - sides[:, 1] * to_point[:, 0]
    return bool((left >= -slack).all())


@settings(max_examples=60 * EXAMPLES, deadline=None)
@given(
    st.integers(1, 5).flatmap(
        lambda size: st.lists(st.tuples(st.integers(0, size), st.integers(0, size)), min_size=1, max_size=9)
    )
)
def test_every_part_follows_from_brute_force_depths(points: IntPoints) -> None:
    """The deepest region is spanned by the deepest crossings; bag, fence and types keep what they promise."""
    got = bagplot(points)
    n = len(points)
    depth_of = {at: brute_force_depth(points, at) for at in crossings(points)}
    deepest = max(depth_of.values())
    if _on_one_line(points) and len(set(points)) > 1:
        # The centre is the middle of the points' median interval.
        ordered = sorted(points)
        middle = np.add(ordered[(n - 1) // 2], ordered[n // 2]) / 2
        np.testing.assert_allclose(got.center, middle)
        assert len(got.bag) == 2 or len(set(map(tuple, got.bag))) == 1
    else:
        top = [at for at, depth in depth_of.items() if depth == deepest]
        corners = {tuple(map(float, at)) for at in top}
        assert {tuple(corner) for corner in got.deepest_region} <= corners
        assert all(inside(got.deepest_region, np.array(corner), 1e-9) for corner in corners)
    assert inside(got.deepest_region, np.array(got.center), 1e-9)
    held = [int((got.depths >= got.level - step).sum()) for step in (0, 1)]
    assert held[0] <= n // 2 < held[1]
    # Depth k and more is in the bag, less than k - 1 is not (unless the bag is the deepest region).
    assert (got.types[got.depths >= got.level] <= IN_BAG).all()
    if got.level <= deepest:
        assert (got.types[got.depths < got.level - 1] >= IN_FENCE).all()
    np.testing.assert_allclose(got.fence - got.center, 3 * (got.bag - got.center), atol=1e-12)
    kept = np.array(points, dtype=float)[got.types != OUTLIER]
    assert all(inside(got.loop, p, 1e-9) for p in kept)
    assert {tuple(corner) for corner in got.loop} <= {tuple(p) for p in kept}


def _on_one_line(points: IntPoints) -> bool:
    (ax, ay), rest = points[0], [p for p in points if p != points[0]]
    return all((rest[0][0] - ax) * (y - ay) == (rest[0][1] - ay) * (x - ax) for x, y in rest)


def exact_center(points: IntPoints, deepest_region: NDArray[np.float64]) -> Location:
    """Centre of gravity of the deepest region, by a fan of triangles from one of its corners."""
    exact = {(float(x), float(y)): (Fraction(x), Fraction(y)) for x, y in crossings(points)}
    (ox, oy), *fan = [exact[x, y] for x, y in deepest_region.tolist()]
    area = moment_x = moment_y = Fraction(0)
    for (ax, ay), (bx, by) in pairwise(fan):
        part = (ax - ox) * (by - oy) - (ay - oy) * (bx - ox)
        area, moment_x, moment_y = area + part, moment_x + part * (ax + bx + ox), moment_y + part * (ay + by + oy)
    if area:
        return moment_x / (3 * area), moment_y / (3 * area)
    return ((ox + fan[0][0]) / 2, (oy + fan[0][1]) / 2) if fan else (ox, oy)


def reach_of_depth(points: IntPoints, center: Location, target: tuple[int, int], level: int) -> Fraction:
    """How far the region of a depth reaches on a ray: depth changes only where a line through two points is crossed."""
    (cx, cy), (dx, dy) = center, (target[0] - center[0], target[1] - center[1])
    steps = {Fraction(0), Fraction(1)}
    for (ax, ay), (bx, by) in combinations(sorted(set(points)), 2):
        if turn := dx * (by - ay) - dy * (bx - ax):
            steps.add(Fraction((ax - cx) * (by - ay) - (ay - cy) * (bx - ax)) / turn)
    reached = [t for t in steps if t >= 0 and brute_force_depth(points, (cx + t * dx, cy + t * dy)) >= level]
    return max(reached, default=Fraction(0))


@settings(max_examples=25 * EXAMPLES, deadline=None)
@given(
    st.integers(2, 5).flatmap(
        lambda size: st.lists(st.tuples(st.integers(0, size), st.integers(0, size)), min_size=3, max_size=8)
    )
)
def test_types_follow_from_depths_along_the_rays(points: IntPoints) -> None:
    """Without any polygon: how far two depths reach on the ray to a point tells whether it is in bag or fence."""
    if _on_one_line(points):
        return
    got = bagplot(points)
    n, center = len(points), exact_center(points, got.deepest_region)
    np.testing.assert_allclose(got.center, [float(c) for c in center], atol=1e-12)
    held_inner, held_outer = (int((got.depths >= got.level - step).sum()) for step in (0, 1))
    proportion = Fraction(n // 2 - held_inner, held_outer - held_inner)
    if brute_force_depth(points, center) < got.level:
        proportion = Fraction(1)
    for point, kind in zip(points, got.types, strict=True):
        if point == center:
            assert kind == CENTER
            continue
        inner, outer = (reach_of_depth(points, center, point, got.level - step) for step in (0, 1))
        reach = proportion * outer + (1 - proportion) * inner
        assert kind == (IN_BAG if reach >= 1 else IN_FENCE if 3 * reach >= 1 else OUTLIER)


@settings(max_examples=40 * EXAMPLES, deadline=None)
@given(GRID_POINTS, st.sampled_from([(2, 1, -1, 3), (0, 1, 1, 0), (-1, 0, 0, 1), (5, 2, 2, 1)]))
def test_a_linear_map_of_the_points_maps_the_bagplot(points: IntPoints, matrix: tuple[int, int, int, int]) -> None:
    """Depth, and so all of it, is affinely invariant: turned, stretched and mirrored points give the same types."""
    a, b, c, d = matrix
    mapped = bagplot([(a * x + b * y + 7, c * x + d * y - 2) for x, y in points])
    plain = bagplot(points)
    assert mapped.depths.tolist() == plain.depths.tolist()
    assert mapped.types.tolist() == plain.types.tolist()
    x, y = plain.center
    np.testing.assert_allclose(mapped.center, (a * x + b * y + 7, c * x + d * y - 2), atol=1e-9)


def parts(got: Bagplot) -> list[list[list[float]]]:
    return [got.bag.tolist(), got.fence.tolist(), got.loop.tolist()]


def test_one_point_and_equal_points_are_their_own_bagplot() -> None:
    for points in ([[3, 4]], [[3, 4]] * 5):
        got = bagplot(points)
        assert got.center == (3, 4)
        assert got.depths.tolist() == [len(points)] * len(points)
        assert got.types.tolist() == [CENTER] * len(points)
        assert parts(got) == [[[3, 4]]] * 3


def test_two_points_have_the_segment_between_them_as_bag() -> None:
    got = bagplot([[0, 0], [2, 4]])
    assert got.center == (1, 2)
    assert got.types.tolist() == [IN_BAG, IN_BAG]
    assert parts(got) == [[[0, 0], [2, 4]], [[-2, -4], [4, 8]], [[0, 0], [2, 4]]]


def test_a_triangle_is_its_own_bag() -> None:
    """Three points have depth 1: even the deepest region holds more than half of them."""
    got = bagplot([[0, 0], [3, 0], [0, 3]])
    assert got.center == (1, 1)
    assert got.types.tolist() == [IN_BAG] * 3
    assert same_polygon(got.bag, [[0, 0], [3, 0], [0, 3]])


def test_a_square_by_hand() -> None:
    """Depth 2 is where the diagonals meet; the bag holds two of four, so it reaches half way to the corners."""
    got = bagplot([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    assert got.center == (0, 0)
    assert got.bag.tolist() == [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
    assert got.types.tolist() == [IN_FENCE] * 4


def test_points_on_a_line_by_hand() -> None:
    # Depths 1 2 3 4 3 2 1. At most 3 points have depth 3 or more (2, 3, 4), 5 have depth 2 or more: nothing is left to
    # interpolate, the bag is from 2 to 4 around the centre 3, the fence from 0 to 6; 30 is out.
    x = [1, 1.5, 2, 3, 4, 5, 30]
    got = bagplot([[value, 2 * value] for value in x])
    assert got.depths.tolist() == [1, 2, 3, 4, 3, 2, 1]
    assert got.center == (3, 6)
    assert (got.level, got.proportion) == (3, 0)
    assert parts(got) == [[[2, 4], [4, 8]], [[0, 0], [6, 12]], [[1, 2], [5, 10]]]
    assert got.types.tolist() == [IN_FENCE, IN_FENCE, IN_BAG, CENTER, IN_BAG, IN_FENCE, OUTLIER]


def test_most_points_in_one_place_make_a_bag_without_extent() -> None:
    got = bagplot([[0, 0]] * 5 + [[1, 0], [0, 1], [-1, -1]])
    assert got.types.tolist() == [CENTER] * 5 + [OUTLIER] * 3
    assert parts(got) == [[[0, 0]]] * 3


def test_a_deepest_region_on_the_border_of_the_next_one() -> None:
    """Five points on a line and one beside it: the deepest region is on the hull's side, and nothing lies below it."""
    got = bagplot([[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [2, 5]])
    assert got.depths.tolist() == [1, 2, 3, 2, 1, 1]
    assert got.center == (2, 0)
    assert (got.level, got.proportion) == (2, 0)
    assert got.bag.tolist() == [[3, 0], [1, 0]]
    assert got.types.tolist() == [IN_FENCE, IN_BAG, CENTER, IN_BAG, IN_FENCE, OUTLIER]


def test_an_exact_tie_with_the_fence_is_in_the_fence() -> None:
    """On a line from -3 to 3 the bag is from -1 to 1, so that the ends are on the border of the fence."""
    line: list[list[float]] = [[value, 0] for value in (-3, -2, -1, 0, 1, 2, 3)]
    assert bagplot(line).types[[0, -1]].tolist() == [IN_FENCE, IN_FENCE]
    line[0] = [-3.0000001, 0]
    assert bagplot(line).types[[0, -1]].tolist() == [OUTLIER, IN_FENCE]


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([], "points of shape"),
        ([[1, 2, 3]], r"points of shape \(1, 3\)"),
        ([[1, 2], [float("nan"), 0]], "point 1: a coordinate is not finite"),
        ([[0, 0], [1e-200, 0], [1e200, 0]], "1e300"),
    ],
)
def test_bad_points_are_refused(points: list[list[float]], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        bagplot(points)


def test_large_numbers_stay_exact() -> None:
    """Beyond 2**31 steps per axis the grid holds Python integers; nothing else may change."""
    points = np.random.default_rng(1).integers(0, 9, (40, 2))
    large = points * 10.0**15
    large[0] += 1
    assert to_grid(points).x.dtype == np.int64
    assert to_grid(large).x.dtype == object
    # One step in 10**15 takes the first point off every line that it was on.
    integers = [(int(x), int(y)) for x, y in large]
    assert halfspace_depths(large).tolist() == [brute_force_depth(integers, p) for p in integers]


def test_drawing_shows_every_part_once_and_leaves_the_style_alone() -> None:
    got = bagplot(GOLDEN["p12_one_outlier"]["points"])
    axes = Figure().subplots()
    draw_bagplot(got, axes, label="LRUF")
    draw_bagplot(bagplot(GOLDEN["p13_odd"]["points"]), axes, label="LARF")
    assert axes.get_legend_handles_labels()[1] == ["LRUF", "LARF"]
    loop, bag = (np.asarray(patch.get_path().vertices)[:-1] for patch in axes.patches[:2])
    np.testing.assert_allclose(loop, got.loop)
    np.testing.assert_allclose(bag, got.bag)
    marks = [np.asarray(line.get_xydata()) for line in axes.lines]
    assert [mark.shape[0] for mark in marks if mark.size][:3] == [11, 1, 1]
    assert tuple(marks[3][0]) == got.center
    assert axes.patches[1].get_facecolor() != axes.patches[3].get_facecolor()


def test_memory_grows_with_the_points_and_not_with_their_pairs() -> None:
    """All lines through two of 1,500 points would take 70 MB; those of the depths that are asked for take few."""
    import tracemalloc

    points = np.random.default_rng(1).normal(size=(1500, 2)).round(3)
    tracemalloc.start()
    bagplot(points)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12e6
