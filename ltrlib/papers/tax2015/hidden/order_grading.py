"""Sampled orders of the methods, graded by the true ones."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.b6 import METRICS
from ltrlib.papers.tax2015.hidden.naming import PLACE, as_named, true_cells
from ltrlib.papers.tax2015.hidden.orders import ONE_PRESENCE, OWN_PRESENCE, order_cells

__all__ = ["certain_orders", "order_grades", "order_summary"]

_SEED = 1


@cache
def order_grades(record: str = ONE_PRESENCE) -> pd.DataFrame:
    """Measure how far sampled orders are from the true ones on each data set and metric, and how far chance would be.

    The distance is the mean, over the methods with a result in both, of the difference between their shares of the
    possible wins. Orders by chance are random ones of the same methods; those by NWN put the methods of a data set in
    the order of their printed NWN in the metric.

    Returns
    -------
    DataFrame
        metric, dataset, methods; samples (mean distance of a sample), low, high (5% and 95% of the samples), chance,
        by_nwn, mean_of_samples (distance of the mean share over all samples); correlation (mean over samples) and
        correlation_by_nwn, NaN with fewer than three methods.
    """
    truth = true_cells().set_index(PLACE)["share"]
    drawn = as_named(order_cells(record))
    wide = drawn.pivot(index="sample", columns=["metric", "dataset", "method"], values="share")
    rows = records.PUBLISHED_ROWS.read().table.set_index(["metric", "method"])
    nwn = rows["wn"] / rows["iwn"]
    random = np.random.default_rng(_SEED)
    found = []
    for metric in METRICS:
        for dataset in sorted(set(drawn.loc[drawn["metric"] == metric, "dataset"])):
            part = wide[metric][dataset]
            methods = list(part.columns)
            true = truth.reindex([(method, metric, dataset) for method in methods]).to_numpy()
            common = ~np.isnan(true)
            sampled, target = part.to_numpy()[:, common], true[common]
            places = random.permuted(np.tile(np.arange(len(methods)), (len(part), 1)), axis=1) / (len(methods) - 1)
            by_nwn = nwn[metric].reindex(methods).rank(method="min").to_numpy() - 1
            by_nwn = (by_nwn / (len(methods) - 1))[common]
            # A sample with a presence of its own may share no method with the truth on a small data set.
            shared = ~np.isnan(sampled).all(axis=1)
            sampled = sampled[shared]
            apart = np.nanmean(np.abs(sampled - target), axis=1)
            alike = [_correlation(one, target) for one in sampled]
            found.append(
                {
                    "metric": metric,
                    "dataset": dataset,
                    "methods": len(target),
                    "samples": apart.mean(),
                    "low": np.quantile(apart, 0.05),
                    "high": np.quantile(apart, 0.95),
                    "chance": np.abs(places[:, common] - target).mean(),
                    "by_nwn": np.abs(by_nwn - target).mean(),
                    "mean_of_samples": np.abs(np.nanmean(sampled, axis=0) - target).mean(),
                    "correlation": float(np.mean(alike)),
                    "correlation_by_nwn": _correlation(by_nwn, target),
                }
            )
    return pd.DataFrame(found)


def order_summary() -> pd.DataFrame:
    """Mean distance from the true orders per metric, each cell counting once, and how many data sets beat chance.

    Examples
    --------
    >>> table = order_summary()
    >>> bool((table["samples"] < table["chance"]).all())
    True
    """
    rows = []
    own = order_grades(OWN_PRESENCE)
    for metric, part in order_grades().groupby("metric", sort=False):
        weights = part["methods"].to_numpy()
        names = ("chance", "samples", "mean_of_samples", "by_nwn")
        distances = {name: float(np.average(part[name], weights=weights)) for name in names}
        varied = own[own["metric"] == metric]
        large = part.dropna(subset=["correlation", "correlation_by_nwn"])
        rows.append(
            {
                "metric": metric,
                "chance": distances["chance"],
                "samples": distances["samples"],
                "own presences": float(np.average(varied["samples"], weights=varied["methods"])),
                "mean of the samples": distances["mean_of_samples"],
                "by NWN": distances["by_nwn"],
                "correlation": float(np.average(large["correlation"], weights=large["methods"])),
                "correlation by NWN": float(np.average(large["correlation_by_nwn"], weights=large["methods"])),
                "nearer than chance": f"{(part['samples'] < part['chance']).sum()} of {len(part)}",
            }
        )
    return pd.DataFrame(rows)


def certain_orders() -> dict[str, int]:
    """Count the cells whose wins are the same in all samples, those of them that are right, and known orders that fail.

    Examples
    --------
    >>> sorted(certain_orders())
    ['known', 'known and false', 'never change', 'right']
    """
    cells = as_named(order_cells()).groupby(PLACE)["wins"].agg(["min", "max"])
    fixed = cells.loc[cells["min"] == cells["max"], "min"]
    truth = true_cells().set_index(PLACE)["wins"]
    known = records.KNOWN_ORDERS.read().table
    better, worse = (
        truth.reindex(pd.MultiIndex.from_frame(known[[side, "metric", "dataset"]])).to_numpy()
        for side in ("better", "worse")
    )
    return {
        "never change": len(fixed),
        "right": int((truth.reindex(fixed.index) == fixed).sum()),
        "known": len(known),
        "known and false": int((better <= worse).sum()),
    }


def _correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    both = ~np.isnan(one)
    one, other = one[both], other[both]
    if len(one) < 3 or not one.std() or not other.std():
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])
