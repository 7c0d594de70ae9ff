"""The points of the comparison's figures, their Pareto fronts, and statements about them."""

from __future__ import annotations

from collections.abc import Mapping

from ltrlib.claims.cells import Cell, Statement
from ltrlib.comparison.pareto import dominators, pareto_front
from ltrlib.published.tables import Paper

__all__ = ["NDCG", "Points", "front_of", "listed", "methods_above", "on_fronts", "points_of"]

Points = Mapping[str, tuple[float, float]]
"""Accuracy (NWN) and certainty (number of data sets, or IWN) of each method."""

NDCG = ("ndcg3", "ndcg5", "ndcg10")


def points_of(paper: Paper, metric: str | None = None) -> Points:
    """Return the points of a figure: NWN over data sets for one metric, NWN over IWN for all; corrected cells.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> points_of(load_paper("tax2015"))["ListNet"]
    (0.4952, 931.0)
    """
    table = paper.corrected("b6")
    names = ("nwn", "iwn") if metric is None else (f"{metric}_nwn", f"{metric}_ds")
    accuracy, certainty = (table.column(name) for name in names)
    return {method: (accuracy[method].value, certainty[method].value) for method in accuracy}


def methods_above(points: Points, method: str) -> list[str]:
    """Return the methods that are higher on both axes.

    Examples
    --------
    >>> methods_above({"A": (1, 2), "B": (2, 3), "C": (2, 2)}, "A")
    ['B']
    """
    names = list(points)
    above = dominators(*zip(*points.values(), strict=True), reading="strict")
    return [names[i] for i in above[names.index(method)]]


def front_of(points: Points) -> set[str]:
    """Return the Pareto front as usually defined: equal on one axis and better on the other is enough to dominate.

    Examples
    --------
    >>> sorted(front_of({"A": (1, 2), "B": (2, 1), "C": (2, 2)}))
    ['C']
    """
    on_front = pareto_front(*zip(*points.values(), strict=True))
    return {method for method, on in zip(points, on_front, strict=True) if on}


def listed(methods: set[str] | list[str]) -> str:
    """Join names for a witness.

    Examples
    --------
    >>> listed({"LRUF", "LARF"}), listed([])
    ('LARF, LRUF', 'none')
    """
    return ", ".join(sorted(methods)) or "none"


def on_fronts(paper: Paper, methods: tuple[str, ...], metrics: tuple[str | None, ...]) -> list[Cell]:
    """Return one statement per method: it is on the front of each metric.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> [cell.holds for cell in on_fronts(load_paper("tax2015"), ("LARF", "FSMRank"), ("ndcg3", "ndcg10"))]
    [True, False]
    """
    fronts = {metric: front_of(points_of(paper, metric)) for metric in metrics}
    cells: list[Cell] = []
    for method in methods:
        off = [metric or "all metrics" for metric, front in fronts.items() if method not in front]
        cells.append(Statement(not off, f"off the front of: {listed(off)}", "on each front", method))
    return cells
