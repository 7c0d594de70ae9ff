"""The hidden orders behind Table B.6: far too many to count, so what is said are shares of the recorded samples."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.b6 import METRICS
from ltrlib.papers.tax2015.hidden.presence import presence_shares

__all__ = ["ONE_PRESENCE", "OWN_PRESENCE", "freedom", "order_cells", "profile"]

ONE_PRESENCE, OWN_PRESENCE = records.SAMPLED
"""Names of the sampled orders: all on one presence, and each on a presence of its own."""


@cache
def order_cells(record: str = ONE_PRESENCE) -> pd.DataFrame:
    """The sampled orders, with the share of possible wins in each cell.

    Returns
    -------
    DataFrame
        sample, metric, dataset, method, wins, share.
    """
    table = records.SAMPLED[record].read().table
    others = table.groupby(["sample", "metric", "dataset"])["method"].transform("size") - 1
    return table.assign(share=table["wins"] / others)


def freedom() -> pd.DataFrame:
    """Tell per metric how much the orders leave open: cells whose wins never change, and how far the others spread.

    Returns
    -------
    DataFrame
        metric, cells, known orders, cells that never change; then, over the cells that every presence has, the mean of
        the standard deviation of the share of wins between samples: on one presence, and on presences of their own;
        and the first as a part of what it is for a place drawn at random.
    """
    known = records.KNOWN_ORDERS.read().table.groupby("metric").size()
    forced = presence_shares().query("share == 1")[["metric", "dataset", "method"]]
    cells, spreads = {}, {}
    for record in (ONE_PRESENCE, OWN_PRESENCE):
        cells[record] = order_cells(record).groupby(["metric", "dataset", "method"])["share"].agg(["std", "min", "max"])
        shared = cells[record].loc[pd.MultiIndex.from_frame(forced)]
        spreads[record] = shared["std"].groupby("metric").mean()
    rows = []
    for metric in METRICS:
        one = cells[ONE_PRESENCE].xs(metric, level="metric")
        spread = float(spreads[ONE_PRESENCE][metric])
        rows.append(
            {
                "metric": metric,
                "cells": len(one),
                "known orders": int(known[metric]),
                "cells that never change": int((one["max"] == one["min"]).sum()),
                "spread, one presence": spread,
                "spread, own presences": float(spreads[OWN_PRESENCE][metric]),
                "of a random place's": f"{spread * np.sqrt(12):.0%}",
            }
        )
    return pd.DataFrame(rows)


def profile(method: str, metric: str, *, bins: int = 10) -> pd.DataFrame:
    """Distribution of a method's share of wins on each of its data sets, over the samples on one presence.

    Returns
    -------
    DataFrame
        One row per data set, one column per class of the share of wins (from low to high), with the share of samples.
    """
    table = order_cells()
    table = table[(table["method"] == method) & (table["metric"] == metric)]
    rows = {}
    for dataset, part in table.groupby("dataset"):
        counts, edges = np.histogram(part["share"], bins=bins, range=(0, 1))
        rows[str(dataset)] = list(counts / len(part))
    return pd.DataFrame.from_dict(rows, orient="index", columns=[f"{edge:.2f}" for edge in edges[:-1]])
