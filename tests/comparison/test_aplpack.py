"""Bagplots beside those of R's aplpack, which drew Figure 6 of Tax et al.: alike where points differ; otherwise not.

aplpack approximates: it looks in a number of directions. That costs little. But it counts a point that occurs twenty
times only once in that point's own depth, and most points of Figure 6 coincide.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ltrlib.comparison.bagplot import IN_BAG, Bagplot, bagplot
from ltrlib.published import load_table

GOLDEN: dict[str, Any] = json.loads(Path(__file__).parents[1].joinpath("golden", "aplpack.json").read_text())
FIGURE6: dict[str, Any] = GOLDEN["figure6"]
DISTINCT: dict[str, Any] = GOLDEN["distinct"]


def area(polygon: object) -> float:
    x, y = np.array(polygon, dtype=float).T
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)


def share(polygon: object, plot: Bagplot) -> float:
    """Area of a polygon as a share of the smallest upright rectangle around the points."""
    return area(polygon) / float(np.ptp(plot.points, axis=0).prod())


def distance(theirs: dict[str, Any], plot: Bagplot) -> NDArray[np.float64]:
    """How far apart the two centres are, as a share of the points' range."""
    difference: NDArray[np.float64] = np.abs(np.array(theirs["center"]) - plot.center) / np.ptp(plot.points, axis=0)
    return difference


def times(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """How often each point occurs."""
    _, position, count = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    found: NDArray[np.int64] = count[position.ravel()]
    return found


def test_the_points_are_those_of_the_figure_s_author() -> None:
    table = load_table("tax2015", "figure6").wide()
    for method, theirs in FIGURE6.items():
        rows = table[table["method"] == method]
        assert rows[["iwn", "nwn"]].astype(float).to_numpy().tolist() == theirs["points"]
    assert set(FIGURE6) == set(table["method"])


@pytest.mark.parametrize("name", DISTINCT)
def test_on_distinct_points_both_programs_nearly_agree(name: str) -> None:
    """Measured: depths off by one in a tenth of the points, centres by 1% of the range, bags by half a per cent."""
    theirs, plot = DISTINCT[name], bagplot(DISTINCT[name]["points"])
    assert times(plot.points).max() == 1
    off = np.abs(np.array(theirs["depths"]) - plot.depths)
    assert off.max() == 1
    assert (off > 0).mean() <= 0.1
    assert distance(theirs, plot).max() < 0.01
    assert area(theirs["bag"]) / area(plot.bag) == pytest.approx(1, abs=0.005)
    assert area(theirs["loop"]) / area(plot.loop) == pytest.approx(1, abs=0.05)
    assert abs(theirs["outliers"] - plot.outliers.size) <= 1


def test_aplpack_counts_a_point_that_occurs_often_once_in_its_own_depth() -> None:
    """Subtract the repetitions from the true depth, and 119 of 120 depths are aplpack's."""
    right = total = truly = 0
    for theirs in FIGURE6.values():
        plot = bagplot(theirs["points"])
        without_repetitions = plot.depths - times(plot.points) + 1
        right += int((np.array(theirs["depths"]) == without_repetitions).sum())
        truly += int((np.array(theirs["depths"]) == plot.depths).sum())
        total += plot.depths.size
    assert (right, total) == (119, 120)
    assert truly == 41


@pytest.mark.parametrize("method", FIGURE6)
def test_the_depth_median_of_figure_6_is_the_point_that_leaving_out_does_not_move(method: str) -> None:
    """So many points coincide that by the definition they are the centre; aplpack's is up to 42% of the range away."""
    theirs, plot = FIGURE6[method], bagplot(FIGURE6[method]["points"])
    often = plot.points[times(plot.points).argmax()]
    assert plot.center == tuple(often)
    assert theirs["depths"][int(times(plot.points).argmax())] == 1
    assert 0.15 < distance(theirs, plot).max() < 0.42


def test_five_bags_of_figure_6_are_single_points_by_the_definition() -> None:
    """More than half of the points coincide; aplpack draws bags over a fifth to a third of the range instead."""
    plots = {method: bagplot(theirs["points"]) for method, theirs in FIGURE6.items()}
    exact = {method: share(plot.bag, plot) for method, plot in plots.items()}
    drawn = {method: share(FIGURE6[method]["bag"], plot) for method, plot in plots.items()}
    single = {method for method, plot in plots.items() if 2 * times(plot.points).max() > len(plot.points)}
    assert single == set(plots) - {"ListNet"}
    assert {method for method, part in exact.items() if part == 0} == single
    assert exact["ListNet"] == pytest.approx(0.0366, abs=1e-4)
    assert min(drawn.values()) == pytest.approx(0.1907, abs=1e-4)
    assert max(drawn.values()) == pytest.approx(0.3517, abs=1e-4)


def test_aplpack_finds_no_outlier_where_the_definition_finds_all_that_moved() -> None:
    assert [theirs["outliers"] for theirs in FIGURE6.values()] == [0] * 6
    outliers = {}
    for method, theirs in FIGURE6.items():
        plot = bagplot(theirs["points"])
        outliers[method] = plot.outliers.size
        if method != "ListNet":
            assert outliers[method] == (plot.types > IN_BAG).sum() == len(plot.points) - times(plot.points).max()
    assert outliers == {"ListNet": 8, "SmoothRank": 9, "FenchelRank": 8, "FSMRank": 7, "LRUF": 6, "LARF": 4}
