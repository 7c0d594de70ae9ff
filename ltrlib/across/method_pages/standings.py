"""Where each method stands: its results behind Table B.6 with their places, and ours paired query by query."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.across.our_runs.records import QUERIES
from ltrlib.claims.noise import half_width
from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.papers.koppel2019.table1.records import REFIT
from ltrlib.papers.koppel2019.table1.tables import methods_of, with_error
from ltrlib.papers.tax2015.b6 import methods_above
from ltrlib.papers.tax2015.counted import Count, counts, front_of_results, points_of_results
from ltrlib.papers.tax2015.matrix import results
from ltrlib.published.tables import load_table

__all__ = [
    "DEFAULT_CONVENTION",
    "FULL_NAMES",
    "Pairs",
    "Row",
    "methods",
    "our_methods",
    "our_pairs",
    "places",
    "printed_by_koppel",
    "rerun_of_koppel",
    "row",
]

DEFAULT_CONVENTION = "ranklib"
"""The NDCG that pages show first."""

_NAMES = {"LambdaMart": "LambdaMART", "AdaRank": "AdaRank-NDCG"}

FULL_NAMES = {"CA": "Coordinate Ascent (CA)", "MART": "MART (boosted trees)"}
"""What an abbreviation stands for, where the name does not say it."""


@dataclass(frozen=True)
class Row:
    """A method's row of Table B.6, counted from the results.

    Parameters
    ----------
    total
        Wins, possible wins and results over all metrics.
    place, methods
        Place by NWN among all methods; equal ones share the better place.
    above
        Methods with a higher NWN and a higher IWN: none if the method is on the Pareto front.
    on_front
        Whether it is on the front over all metrics.
    """

    total: Count
    place: int
    methods: int
    above: tuple[str, ...]
    on_front: bool


@cache
def methods() -> tuple[str, ...]:
    """Every method of Table B.6 and every ranker of ours, in alphabetical order.

    Examples
    --------
    >>> len(methods()), "LambdaMART" in methods(), "LARF" in methods()
    (89, True, True)
    """
    return tuple(sorted({*results()["method"], *our_methods()}, key=str.lower))


@cache
def our_methods() -> tuple[str, ...]:
    """Rankers of our own runs, in the order of the record."""
    return tuple(QUERIES.read().table["method"].unique())


@cache
def _rows() -> dict[str, Row]:
    table, all_counts = results(), counts()
    points, front = points_of_results(table), front_of_results(table)
    totals = {method: one for (method, metric), one in all_counts.items() if metric == "all"}
    return {
        method: Row(
            total,
            1 + sum(other.nwn > total.nwn for other in totals.values()),
            len(totals),
            tuple(methods_above(points, method)),
            method in front,
        )
        for method, total in totals.items()
    }


def row(method: str) -> Row | None:
    """Return the method's row of Table B.6, None where it has none.

    Examples
    --------
    >>> found = row("LRUF")
    >>> found.on_front, found.total.wn
    (True, 450)
    """
    return _rows().get(method)


@cache
def places() -> pd.DataFrame:
    """Every result behind Table B.6 with its place on its data set and metric, and the number of results there."""
    table = results()
    there = table.groupby(["dataset", "metric"])["value"]
    return table.assign(
        place=there.rank(ascending=False, method="min").astype(int), of=there.transform("size").astype(int)
    )


@dataclass(frozen=True, eq=False)
class Pairs:
    """NDCG@10 of our rankers on one data set by one convention, and every pair of them.

    Parameters
    ----------
    mean
        Per method, in the order of :func:`our_methods`.
    half_width
        Half of the 95% interval of the paired difference between two methods, over the test queries.
    queries
        Number of queries that count.
    """

    mean: NDArray[np.float64]
    half_width: NDArray[np.float64]
    queries: int


@cache
def our_pairs() -> dict[tuple[str, str], Pairs]:
    """All pairs of our rankers, by data set and convention; a convention without gains for all labels is left out.

    Examples
    --------
    >>> pairs = our_pairs()["mq2008", "ranklib"]
    >>> pairs.queries, pairs.half_width.shape
    (784, (13, 13))
    """
    found = {}
    names = list(our_methods())
    for dataset, rows in QUERIES.read().table.groupby("dataset", sort=False):
        for convention in conventions():
            wide = rows.pivot(index=["fold", "query"], columns="method", values=convention)[names]
            values = wide.dropna(how="all").to_numpy(np.float64)
            if len(values) < 2 or np.isnan(values).any():
                continue
            found[str(dataset), convention] = _pairs(values)
    return found


def _pairs(values: NDArray[np.float64]) -> Pairs:
    queries = len(values)
    centred = values - values.mean(axis=0)
    covariance = centred.T @ centred / (queries - 1)
    variance = np.diag(covariance)
    # Rounding can leave a variance of two equal columns just below zero.
    of_difference = np.maximum(variance[:, None] + variance[None, :] - 2 * covariance, 0.0)
    return Pairs(values.mean(axis=0), half_width(np.sqrt(of_difference / queries), queries - 1), queries)


@cache
def printed_by_koppel() -> dict[str, dict[str, str]]:
    """Table 1 of Köppel et al. by the names that Table B.6 uses; a method of ours that is not there has none."""
    table = load_table("koppel2019", "table1")
    columns = [column for column in table.wide().columns if column != "method"]
    return {_NAMES.get(one, one): {column: table.text(one, column) for column in columns} for one in table.rows}


@cache
def rerun_of_koppel() -> dict[str, dict[str, str]]:
    """Our rerun of that table by the same names: its columns for MQ2008, with the error over the folds.

    Examples
    --------
    >>> sorted(rerun_of_koppel()["DirectRanker"])
    ['mq2008_map', 'mq2008_ndcg']
    """
    refit = REFIT.read().table
    return {
        _NAMES.get(one, one): {f"mq2008_{metric}": with_error(refit, one, metric) for metric in ("ndcg", "map")}
        for one in methods_of(refit)
    }
