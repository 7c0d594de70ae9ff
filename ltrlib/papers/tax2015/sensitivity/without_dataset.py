"""One data set left out: where the methods of Figure 6 go, counted from the evaluation results.

What counts as a point can be read in two ways. ``evaluated``: one point per data set on which the method has a
result. ``all``: one point per data set of the comparison; the data sets on which the method has no result all leave it
where it was, and their points coincide. The author's own points are of the second kind.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.claims.cells import Cell, Value
from ltrlib.comparison.bagplot import Bagplot, bagplot
from ltrlib.comparison.winning import leave_one_dataset_out
from ltrlib.errors import UsageError
from ltrlib.papers.tax2015.counted import AS_COMPUTED, Count, counts
from ltrlib.papers.tax2015.matrix import results
from ltrlib.published.tables import Paper, load_paper

__all__ = [
    "CASES",
    "FIGURE6",
    "as_drawn",
    "drawn_in",
    "datasets",
    "exact_bagplot",
    "figure6_cells",
    "moves",
    "points",
    "spread",
]

FIGURE6 = ("LARF", "LRUF", "FSMRank", "FenchelRank", "SmoothRank", "ListNet")
"""The methods of Figure 6, from the highest NWN to the lowest."""

CASES = ("evaluated", "all")
"""Which data sets are left out in turn: those with a result of the method, or all of the comparison."""


def datasets() -> list[str]:
    """Names of the data sets that have results."""
    return sorted(results()["dataset"].unique())


@cache
def _left() -> dict[tuple[str, str], Count]:
    """Counts over all metrics by method and data set left out."""
    table = leave_one_dataset_out(results(), iwn=AS_COMPUTED)[["method", "left_out", "wn", "iwn"]]
    return {
        (method, left_out): Count(int(wn), int(iwn), 0) for method, left_out, wn, iwn in table.itertuples(index=False)
    }


def moves(method: str) -> pd.DataFrame:
    """Where a method's point moves when each of its data sets is left out.

    Returns
    -------
    pandas.DataFrame
        Columns dataset, wn, iwn, nwn; a data set without which nothing is left is not given.

    Examples
    --------
    >>> moves("LARF").set_index("dataset")["iwn"].to_dict()
    {'LETOR 3.0 OHSUMED': 225, 'LETOR 3.0 TD2003': 264, 'LETOR 3.0 TD2004': 269}
    """
    if (method, "all") not in counts():
        raise UsageError(f"{method!r} is not in Table B.6", where="method", cure="take a name of Table B.6")
    rows = [
        (left_out, one.wn, one.iwn, float(one.nwn))
        for (name, left_out), one in _left().items()
        if name == method and one.iwn > 0
    ]
    if not rows:
        raise UsageError(f"{method} has one data set, and without it nothing is left", where="method")
    return pd.DataFrame(rows, columns=["dataset", "wn", "iwn", "nwn"]).sort_values("dataset", ignore_index=True)


def points(method: str, *, cases: str = "evaluated") -> NDArray[np.float64]:
    """Return the points (IWN, NWN) of a method without one data set.

    Examples
    --------
    >>> points("LARF").shape, points("LARF", cases="all").shape
    ((3, 2), (20, 2))
    """
    if cases not in CASES:
        raise UsageError(f"unknown cases: {cases!r}", where="cases", cure=f"one of {', '.join(CASES)}")
    own = moves(method)[["iwn", "nwn"]].to_numpy(dtype=float)
    if cases == "evaluated":
        return own
    everything = int(load_paper("tax2015").statement("datasets").value)
    whole = counts()[method, "all"]
    return np.vstack([own, np.tile((whole.iwn, float(whole.nwn)), (everything - len(own), 1))])


@cache
def exact_bagplot(method: str, *, cases: str = "evaluated") -> Bagplot:
    """Return the bagplot of a method's points, by the definition."""
    return bagplot(points(method, cases=cases))


@cache
def as_drawn(method: str) -> dict[str, NDArray[np.float64]]:
    """Return centre, bag and loop of a method of Figure 6 as R's aplpack computes them from the author's points.

    Examples
    --------
    >>> as_drawn("LARF")["center"].round(3).tolist()
    [[321.512, 0.986]]
    """
    return drawn_in(load_paper("tax2015"), method)


def drawn_in(paper: Paper, method: str) -> dict[str, NDArray[np.float64]]:
    """Return the same from a transcription.

    Examples
    --------
    >>> sorted(drawn_in(load_paper("tax2015"), "LARF"))
    ['bag', 'center', 'loop']
    """
    table = paper["figure6_aplpack"]
    parts: dict[str, list[tuple[float, float]]] = {}
    for row in table.rows:
        name, part, _ = row.split(" / ")
        if name == method:
            parts.setdefault(part, []).append((table.number(row, "x").value, table.number(row, "y").value))
    return {part: np.array(corners) for part, corners in parts.items()}


def spread(method: str, *, cases: str) -> dict[str, float]:
    """Measure how far the points of a method spread; variances have the divisor n - 1.

    Examples
    --------
    >>> round(spread("LARF", cases="evaluated")["iwn_variance"])
    580
    """
    plot = exact_bagplot(method, cases=cases)
    iwn, nwn = plot.points.T
    bag_iwn, bag_nwn = plot.bag.max(axis=0) - plot.bag.min(axis=0)
    return {
        "points": len(iwn),
        "distinct": len({tuple(point) for point in plot.points.tolist()}),
        "iwn_variance": float(iwn.var(ddof=1)),
        "nwn_mean": float(nwn.mean()),
        "nwn_variance": float(nwn.var(ddof=1)),
        "bag_iwn": float(bag_iwn),
        "bag_nwn": float(bag_nwn),
    }


def figure6_cells(paper: Paper) -> list[Cell]:
    """Every number behind Figure 6 as the author computed it beside what the results give."""
    table = paper["figure6"]
    cells: list[Cell] = []
    for place in table.rows:
        method, left_out = place.split(" / ")
        ours = _left().get((method, left_out), counts()[method, "all"])
        cells.append(Value(table.number(place, "iwn"), ours.iwn, f"{method} without {left_out}, IWN"))
        cells.append(Value(table.number(place, "nwn"), ours.nwn, f"{method} without {left_out}, NWN"))
    return cells
