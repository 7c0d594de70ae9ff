"""Winning numbers counted from the evaluation results behind Table B.6, and Table B.6 as it was printed."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

import pandas as pd

from ltrlib.comparison.results import ALL_METRICS
from ltrlib.comparison.winning import IwnRule, winning_numbers
from ltrlib.papers.tax2015.b6 import Points, front_of
from ltrlib.papers.tax2015.matrix import results
from ltrlib.published.tables import Paper, Table

__all__ = ["AS_COMPUTED", "AS_PRINTED", "Count", "count", "counts", "front_of_results", "points_of_results", "print_of"]

AS_COMPUTED: IwnRule = "reached"
"""The rule of IWN by which the study's table was computed."""

AS_PRINTED: IwnRule = "formula"
"""The rule of IWN that the paper prints."""


class Count(NamedTuple):
    """Wins, possible wins and data sets of a method.

    Examples
    --------
    >>> Count(3, 4, 1).nwn
    Fraction(3, 4)
    """

    wn: int
    iwn: int
    datasets: int

    @property
    def nwn(self) -> Fraction:
        """The share of the possible wins that were won."""
        return Fraction(self.wn, self.iwn)


def count(table: pd.DataFrame, rule: IwnRule = AS_COMPUTED) -> dict[tuple[str, str], Count]:
    """Count by method and metric; the metric ``all`` is their sum. Methods that met no other are left out."""
    rows = winning_numbers(table, iwn=rule)[["method", "metric", "wn", "iwn", "datasets"]]
    return {
        (method, metric): Count(int(wn), int(iwn), int(datasets))
        for method, metric, wn, iwn, datasets in rows.itertuples(index=False)
        if iwn > 0
    }


@cache
def counts(rule: IwnRule = AS_COMPUTED) -> dict[tuple[str, str], Count]:
    """Count all results.

    Examples
    --------
    >>> counts()["RankSVM", "all"].iwn, counts(AS_PRINTED)["RankSVM", "all"].iwn
    (888, 889)
    """
    return count(results(), rule)


def points_of_results(table: pd.DataFrame, metric: str = ALL_METRICS, rule: IwnRule = AS_COMPUTED) -> Points:
    """Return the points of a figure counted from results: NWN over data sets for one metric, NWN over IWN for all."""
    return {
        method: (float(one.nwn), float(one.iwn if metric == ALL_METRICS else one.datasets))
        for (method, name), one in count(table, rule).items()
        if name == metric
    }


def front_of_results(table: pd.DataFrame, metric: str = ALL_METRICS, rule: IwnRule = AS_COMPUTED) -> set[str]:
    """Return the Pareto front (usual reading) of results.

    Examples
    --------
    >>> front_of_results(results()) == front_of_results(results(), rule=AS_PRINTED), len(front_of_results(results()))
    (True, 10)
    """
    return front_of(points_of_results(table, metric, rule))


def print_of(paper: Paper) -> Table:
    """Return Table B.6 as printed: readings of the scan put right, errors of the print kept.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> paper = load_paper("tax2015")
    >>> [one.text("FSM^SVM", "ndcg3_nwn") for one in (paper["b6"], print_of(paper), paper.corrected("b6"))]
    ['0.8331', '0.2292', '0.2371']
    """
    table = paper.corrected("b6")
    for place in paper["b6_errata"].rows:
        method, _, column = place.rpartition(" / ")
        table = table.with_cell(method, column, paper["b6_errata"].text(place, "printed"))
    return table
