"""One data set left out, in every sampled reconstruction of the results behind Table B.6.

The presence decides the IWN that remains; the wins that remain are known only as a distribution over the samples.

What counts as a point can be read in two ways. ``evaluated``: one point per data set on which the method has a
result. ``all``: one point per data set of the comparison; the data sets on which the method has no result all leave it
where it was, and their points coincide.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ltrlib.comparison.bagplot import Bagplot, bagplot
from ltrlib.errors import UsageError
from ltrlib.published.tables import load_paper

__all__ = ["CASES", "FIGURE6", "points_left", "sample_bagplots", "spread_per_sample"]

FIGURE6 = ("LARF", "LRUF", "FSMRank", "FenchelRank", "SmoothRank", "ListNet")
"""The methods of Figure 6, from the highest NWN to the lowest."""

CASES = ("evaluated", "all")
"""Which data sets are left out in turn: those with a result of the method, or all of the comparison."""


def points_left(orders: pd.DataFrame) -> pd.DataFrame:
    """WN, IWN and NWN of each method over all metrics without one data set.

    Parameters
    ----------
    orders
        Sampled orders: sample, metric, dataset, method, wins.

    Returns
    -------
    pandas.DataFrame
        Columns sample, method, dataset, wn, iwn, nwn: one row per sample, method and data set on which the method has
        a result. NWN is NaN where nothing else is left.

    Examples
    --------
    >>> rows = [(0, "MAP", "d", "A", 0), (0, "MAP", "d", "B", 1), (0, "MAP", "e", "A", 1), (0, "MAP", "e", "B", 0)]
    >>> orders = pd.DataFrame(rows, columns=["sample", "metric", "dataset", "method", "wins"])
    >>> print(points_left(orders).to_string(index=False))
     sample method dataset  wn  iwn  nwn
          0      A       d   1    1  1.0
          0      A       e   0    1  0.0
          0      B       d   0    1  0.0
          0      B       e   1    1  1.0
    """
    others = orders.groupby(["sample", "metric", "dataset"])["wins"].transform("size") - 1
    summed = orders.assign(others=others).groupby(["sample", "method", "dataset"])[["wins", "others"]].sum()
    left = summed.groupby(["sample", "method"]).transform("sum") - summed
    left = left.set_axis(["wn", "iwn"], axis=1).reset_index()
    return left.assign(nwn=left["wn"] / left["iwn"].where(left["iwn"] > 0))


def sample_bagplots(orders: pd.DataFrame, method: str, *, cases: str = "evaluated") -> list[Bagplot]:
    """One bagplot of (IWN, NWN) per sample.

    Parameters
    ----------
    orders
        Sampled orders.
    method
        Whose points.
    cases
        One of `CASES`.

    Examples
    --------
    >>> rows = [(0, "MAP", "d", "A", 0), (0, "MAP", "d", "B", 1), (0, "MAP", "e", "A", 1), (0, "MAP", "e", "B", 0)]
    >>> (only,) = sample_bagplots(pd.DataFrame(rows, columns=["sample", "metric", "dataset", "method", "wins"]), "A")
    >>> only.points.tolist()
    [[1.0, 1.0], [1.0, 0.0]]
    """
    if cases not in CASES:
        raise UsageError(f"unknown cases: {cases!r}", where="cases", cure=f"one of {', '.join(CASES)}")
    if method not in set(orders["method"]):
        raise UsageError(f"{method!r} is not in the reconstruction", where="method", cure="take a name of Table B.6")
    everything = int(load_paper("tax2015").statement("datasets").value)
    # Only the data sets of the method matter to it; the others would cost most of the time.
    at = pd.MultiIndex.from_frame(orders[["metric", "dataset"]])
    near = orders[at.isin(at[orders["method"] == method])]
    left = points_left(near)
    left = left[left["method"] == method]
    if left["dataset"].nunique() < 2:
        raise UsageError(f"{method} has one data set, and without it nothing is left", where="method")
    plots = []
    for _, mine in left.groupby("sample"):
        points = mine.loc[mine["iwn"] > 0, ["iwn", "nwn"]].to_numpy()
        if cases == "all":
            # Each result is missing from one of the sums over the others.
            wn, iwn = mine[["wn", "iwn"]].sum() / (len(mine) - 1)
            points = np.vstack([points, np.tile((iwn, wn / iwn), (everything - len(points), 1))])
        plots.append(bagplot(points))
    return plots


def spread_per_sample(orders: pd.DataFrame, method: str, *, cases: str) -> pd.DataFrame:
    """How far the points of a method spread, one row per sample, as the record ``tax2015/left-out`` holds it.

    Variances have the divisor n - 1.

    Parameters
    ----------
    orders
        Sampled orders.
    method
        Whose points.
    cases
        One of `CASES`.

    Examples
    --------
    >>> rows = [(0, "MAP", "d", "A", 0), (0, "MAP", "d", "B", 1), (0, "MAP", "e", "A", 1), (0, "MAP", "e", "B", 0)]
    >>> orders = pd.DataFrame(rows, columns=["sample", "metric", "dataset", "method", "wins"])
    >>> spread_per_sample(orders, "A", cases="all")[["points", "distinct", "nwn_variance"]].round(3).to_numpy().tolist()
    [[20.0, 3.0, 0.026]]
    """
    rows = []
    for number, plot in enumerate(sample_bagplots(orders, method, cases=cases)):
        iwn, nwn = plot.points.T
        bag_iwn, bag_nwn = plot.bag.max(axis=0) - plot.bag.min(axis=0)
        rows.append(
            {
                "cases": cases,
                "method": method,
                "sample": number,
                "points": len(iwn),
                "distinct": len({tuple(point) for point in plot.points.tolist()}),
                "iwn_variance": float(iwn.var(ddof=1)),
                "nwn_mean": float(nwn.mean()),
                "nwn_variance": float(nwn.var(ddof=1)),
                "bag_iwn": float(bag_iwn),
                "bag_nwn": float(bag_nwn),
            }
        )
    return pd.DataFrame(rows)
