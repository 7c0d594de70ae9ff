"""The results behind Table B.6, and the true names of rebuilt data sets, under which the reconstruction is graded.

The sums cannot tell data sets of equal standing apart, so each comparison first gives the rebuilt data sets the names
under which they agree best with the true ones.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.b6 import METRICS
from ltrlib.papers.tax2015.matrix import results

__all__ = ["NAMINGS", "PLACE", "as_named", "naming", "true_cells"]

PLACE = ["method", "metric", "dataset"]
"""Columns that tell one result from another."""

NAMINGS = ("as recorded", "one naming for all metrics", "a naming for each metric")
"""How freely the rebuilt data sets may change their names before they are compared; each admits more than the last."""


@cache
def true_cells() -> pd.DataFrame:
    """The results that were compared with another, with wins and their share of the possible ones by the formula.

    Returns
    -------
    DataFrame
        method, metric, dataset, wins, share.

    Examples
    --------
    >>> len(results()) - len(true_cells())
    1
    """
    table = results()
    groups = table.groupby(["metric", "dataset"])["value"]
    wins, others = groups.rank(method="min").astype(int) - 1, groups.transform("size") - 1
    table = table.assign(wins=wins, share=wins / others.where(others > 0))
    return table.loc[others > 0, [*PLACE, "wins", "share"]].reset_index(drop=True)


@cache
def naming(kind: str, metric: str | None = None) -> dict[str, str]:
    """Give each rebuilt data set the true name under which most results agree, all names different.

    Parameters
    ----------
    kind
        One of `NAMINGS`. As recorded, only data sets whose name exists nowhere else get another one.
    metric
        The metric, which decides only if each has a naming of its own.

    Examples
    --------
    >>> names = naming("one naming for all metrics")
    >>> names["MSLR-WEB30K"], names["Yahoo Set 1"], names["Yahoo Set 2"]
    ('Yahoo Set 1', 'MSLR-WEB30K', 'Yahoo Set 2')
    """
    from scipy.optimize import linear_sum_assignment

    rebuilt, truth = records.PRESENCE.read().table, true_cells()
    names = sorted(rebuilt["dataset"].unique()), sorted(truth["dataset"].unique())
    if kind == NAMINGS[2]:
        rebuilt, truth = (table[table["metric"] == metric] for table in (rebuilt, truth))
    both = rebuilt.merge(truth, on=["method", "metric"], suffixes=("", "_true"))
    agreeing = pd.crosstab(both["dataset"], both["dataset_true"]).reindex(index=names[0], columns=names[1])
    gain = agreeing.fillna(0).to_numpy(dtype=float)
    equal = np.array([[one == other for other in names[1]] for one in names[0]])
    # Equal names decide between equally good ones; as recorded they decide before all else.
    gain = gain + equal * (1e6 if kind == NAMINGS[0] else 1e-3)
    rows, columns = linear_sum_assignment(gain, maximize=True)
    return {names[0][row]: names[1][column] for row, column in zip(rows, columns, strict=True)}


def as_named(table: pd.DataFrame, kind: str = NAMINGS[2]) -> pd.DataFrame:
    """Give the data sets of a rebuilt table their true names."""
    names = {metric: naming(kind, metric if kind == NAMINGS[2] else None) for metric in METRICS}
    named = [names[metric][dataset] for metric, dataset in zip(table["metric"], table["dataset"], strict=True)]
    return table.assign(dataset=named)
