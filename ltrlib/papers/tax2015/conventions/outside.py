"""What other publications say about the same results: official files, winning numbers, pooled means, second sources."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ltrlib.comparison.winning import winning_numbers
from ltrlib.papers.tax2015.matrix import CELL, elsewhere, results
from ltrlib.papers.tax2015.method.liu import published_wins
from ltrlib.published.printed import Printed
from ltrlib.published.tables import load_table

__all__ = ["QUERIES", "liu_wins", "official_cells", "pooled_map", "second_sources"]

QUERIES: Mapping[str, int] = {
    "HP2003": 150,
    "HP2004": 75,
    "NP2003": 150,
    "NP2004": 75,
    "OHSUMED": 106,
    "TD2003": 50,
    "TD2004": 75,
}
"""Queries of the data sets of LETOR 3.0."""

_LETOR3 = "LETOR 3.0 "
_METRICS = ("NDCG@3", "NDCG@10", "MAP")


def official_cells(table: pd.DataFrame | None = None) -> pd.DataFrame:
    """Results on LETOR 4.0 that are official baselines, as the study has them and as Microsoft's files do.

    Examples
    --------
    >>> len(official_cells())
    38
    """
    official = load_table("letor4", "baselines").wide().query("part == 'test' and fold == 'mean'")
    table = results() if table is None else table
    return table.merge(official[[*CELL, "value"]].rename(columns={"value": "official"}), on=CELL)


def liu_wins(table: pd.DataFrame | None = None) -> pd.DataFrame:
    """Winning numbers of seven methods on LETOR 3.0 counted from the study's results, beside Table 11.8 of Liu.

    Examples
    --------
    >>> found = liu_wins()
    >>> len(found), bool((found["counted"] == found["published"]).all())
    (21, True)
    """
    published = published_wins()
    methods = list(published["MAP"])
    table = results() if table is None else table
    table = table.query("dataset.str.startswith(@_LETOR3) and metric in @_METRICS and method in @methods")
    counted = {(row["method"], row["metric"]): int(row["wn"]) for row in winning_numbers(table).to_dict("records")}
    rows = [(m, metric, published[metric][m], counted[m, metric]) for metric in _METRICS for m in methods]
    return pd.DataFrame(rows, columns=["method", "metric", "published", "counted"])


def pooled_map(table: pd.DataFrame | None = None) -> pd.DataFrame:
    """MAP over all queries of LETOR 3.0, from the study's seven results per method, beside Cormack et al.

    Returns
    -------
    DataFrame
        method, published, pooled; the methods that both have.
    """
    theirs = load_table("tax2015", "second_sources").wide().query("dataset == 'LETOR 3.0 pooled'")
    rows, table = [], results() if table is None else table
    for method, text in zip(theirs["method"], theirs["value"], strict=True):
        own = table.query("method == @method and metric == 'MAP' and dataset.str.startswith(@_LETOR3)")
        weights = own["dataset"].str.removeprefix(_LETOR3).map(QUERIES)
        if len(own) == len(QUERIES):
            rows.append((method, text, float((own["value"] * weights).sum() / weights.sum())))
    return pd.DataFrame(rows, columns=["method", "published", "pooled"])


def second_sources(table: pd.DataFrame | None = None) -> pd.DataFrame:
    """The results that another publication prints: agreement by one unit of the last digit, and by strict rounding.

    Strict: the finer of the two numbers rounds to the coarser one; Torkestani 2012b, who cuts off, may cut off.

    Returns
    -------
    DataFrame
        method, dataset, metric, origin, agrees, strictly; one row per result.

    Examples
    --------
    >>> found = second_sources()
    >>> len(found), int(found["agrees"].sum()), int(found["strictly"].sum())
    (126, 121, 120)
    """
    table = results() if table is None else table
    both = elsewhere()[[*CELL, "source", "other"]].merge(table[[*CELL, "printed", "origin"]], on=CELL)
    pairs = [(Printed.parse(one), Printed.parse(two)) for one, two in zip(both["printed"], both["other"], strict=True)]
    agrees = pd.Series([abs(one.exact - two.exact) < max(one.unit, two.unit) for one, two in pairs], index=both.index)
    rounded = pd.Series([_rounds(one, two) for one, two in pairs], index=both.index)
    cut = both["source"].str.startswith("torkestani")
    both = both.assign(agrees=agrees, strictly=agrees & (rounded | cut))
    return both.groupby([*CELL, "origin"])[["agrees", "strictly"]].all().reset_index()


def _rounds(first: Printed, second: Printed) -> bool:
    coarse, fine = (first, second) if first.unit > second.unit else (second, first)
    return coarse.agrees(fine.exact)
