"""One data set left out, in every sampled reconstruction of the results behind Table B.6.

The presence decides the IWN that remains; the wins that remain are known only as a distribution over the samples.
``python -m ltrlib.papers.tax2015.sensitivity.without_dataset`` records, for each method of Figure 6 and each sample,
how far its points spread (``tax2015/left-out``, about half a minute).

What counts as a point can be read in two ways. ``evaluated``: one point per data set on which the method has a
result. ``all``: one point per data set of the comparison; all those on which the method has no result leave it where
it was, so that they coincide.
"""

from __future__ import annotations

import time

import numpy as np
import pandas as pd

from ltrlib.comparison.bagplot import Bagplot, bagplot
from ltrlib.errors import UsageError
from ltrlib.progress import progress
from ltrlib.published.tables import load_paper
from ltrlib.records.record import read_record, write_record

__all__ = ["CASES", "FIGURE6", "ORDERS", "SPREAD", "points_left", "sample_bagplots", "spread_per_sample"]

FIGURE6 = ("LARF", "LRUF", "FSMRank", "FenchelRank", "SmoothRank", "ListNet")
"""The methods of Figure 6, from the highest NWN to the lowest."""

CASES = ("evaluated", "all")
"""Which data sets are left out in turn: those with a result of the method, or all of the comparison."""

ORDERS = {"sample": "int", "metric": "str", "dataset": "str", "method": "str", "wins": "int"}
"""Columns of the record ``tax2015/orders``."""

SPREAD = {
    "cases": "str",
    "method": "str",
    "sample": "int",
    "points": "int",
    "distinct": "int",
    "iwn_variance": "float",
    "nwn_mean": "float",
    "nwn_variance": "float",
    "bag_iwn": "float",
    "bag_nwn": "float",
}
"""Columns of the record ``tax2015/left-out``; the last two are the extents of the bag along both axes."""

_MODULES = [
    "ltrlib.comparison.bagplot",
    "ltrlib.comparison.depth",
    "ltrlib.comparison.regions",
    "ltrlib.papers.tax2015.sensitivity.without_dataset",
]


def points_left(orders: pd.DataFrame) -> pd.DataFrame:
    """WN, IWN and NWN of each method over all metrics without one data set.

    Parameters
    ----------
    orders
        Columns of `ORDERS`.

    Returns
    -------
    pandas.DataFrame
        Columns sample, method, dataset, wn, iwn, nwn: one row per sample, method and data set on which the method has
        a result. NWN is NaN where nothing else is left.

    Examples
    --------
    >>> rows = [(0, "MAP", "d", "A", 0), (0, "MAP", "d", "B", 1), (0, "MAP", "e", "A", 1), (0, "MAP", "e", "B", 0)]
    >>> print(points_left(pd.DataFrame(rows, columns=list(ORDERS))).to_string(index=False))
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
        Columns of `ORDERS`.
    method
        Whose points.
    cases
        One of `CASES`.

    Examples
    --------
    >>> rows = [(0, "MAP", "d", "A", 0), (0, "MAP", "d", "B", 1), (0, "MAP", "e", "A", 1), (0, "MAP", "e", "B", 0)]
    >>> (only,) = sample_bagplots(pd.DataFrame(rows, columns=list(ORDERS)), "A")
    >>> only.points.tolist()
    [[1.0, 1.0], [1.0, 0.0]]
    """
    if cases not in CASES:
        raise UsageError(f"no cases {cases!r}", where="cases", cure=f"one of {', '.join(CASES)}")
    if method not in set(orders["method"]):
        raise UsageError(f"no method {method!r} in the reconstruction", where="method", cure="take a name of Table B.6")
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


def spread_per_sample(orders: pd.DataFrame, methods: tuple[str, ...] = FIGURE6) -> pd.DataFrame:
    """How far the points of some methods spread, per sample, in both readings of what a point is.

    Variances have the divisor n - 1.

    Parameters
    ----------
    orders
        Columns of `ORDERS`.
    methods
        Whose points.

    Returns
    -------
    pandas.DataFrame
        Columns of `SPREAD`.

    Examples
    --------
    >>> rows = [(0, "MAP", "d", "A", 0), (0, "MAP", "d", "B", 1), (0, "MAP", "e", "A", 1), (0, "MAP", "e", "B", 0)]
    >>> spread = spread_per_sample(pd.DataFrame(rows, columns=list(ORDERS)), ("A",))
    >>> spread[["cases", "points", "distinct", "nwn_variance"]].round(3).to_numpy().tolist()
    [['evaluated', 2, 2, 0.5], ['all', 20, 3, 0.026]]
    """
    rows = []
    for cases in CASES:
        for method in progress(methods, what=f"bagplots, {cases}", unit="method"):
            for number, plot in enumerate(sample_bagplots(orders, method, cases=cases)):
                iwn, nwn = plot.points.T
                extent = plot.bag.max(axis=0) - plot.bag.min(axis=0)
                distinct = len({tuple(point) for point in plot.points.tolist()})
                variances = iwn.var(ddof=1), nwn.mean(), nwn.var(ddof=1)
                rows.append((cases, method, number, len(iwn), distinct, *map(float, (*variances, *extent))))
    return pd.DataFrame(rows, columns=list(SPREAD))


def main() -> int:
    """Record the spread of the methods of Figure 6."""
    begin = time.monotonic()
    source = read_record("tax2015/orders", ORDERS)
    table = spread_per_sample(source.table)
    write_record(
        "tax2015/left-out",
        table,
        maker=_MODULES,
        wall_time=time.monotonic() - begin,
        parameters={"orders": source.provenance["table"]["sha256"][:16]},
        command="python -m ltrlib.papers.tax2015.sensitivity.without_dataset",
        form="parquet",
    )
    print(f"tax2015/left-out: {len(table)} rows")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
