"""Table B.6 as published: its metrics and columns, the points of Figures 1 to 5, and the fronts of those points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise

from ltrlib.claims.cells import Cell, Statement
from ltrlib.comparison.pareto import dominators, pareto_front
from ltrlib.comparison.reconstruct.whole_numbers import Pair, integer_splits
from ltrlib.published.tables import Paper, Table

__all__ = [
    "COLUMNS",
    "METRICS",
    "NDCG",
    "NOTHING",
    "Points",
    "descent",
    "enumerated",
    "front_as_defined",
    "front_of",
    "listed",
    "methods_above",
    "on_fronts",
    "points_of",
    "row_splits",
    "sums_left",
    "table4_column",
]

METRICS = {"NDCG@3": "ndcg3", "NDCG@5": "ndcg5", "NDCG@10": "ndcg10", "MAP": "map"}
"""The four metrics, and what the names of their columns begin with."""

COLUMNS = tuple(METRICS.values())
"""Beginnings of column names: all metrics."""

NDCG = COLUMNS[:3]
"""Beginnings of column names: the cut-offs of NDCG."""

NOTHING = "nothing"
"""What is left out in the columns of Table 4 that are headed All."""


Points = Mapping[str, tuple[float, float]]
"""Accuracy (NWN) and certainty (number of data sets, or IWN) of each method."""


def row_splits(table: Table, method: str) -> list[dict[str, Pair]]:
    """Find every split of a row's WN and IWN over the metrics that prints as the row does.

    Parameters
    ----------
    table
        Table B.6, as read or as corrected.
    method
        The row.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> row_splits(load_paper("tax2015").corrected("b6"), "FenchelRank")
    [{'NDCG@3': (97, 125), 'NDCG@5': (93, 124), 'NDCG@10': (93, 122), 'MAP': (86, 134)}]
    """
    printed = tuple((metric, table.text(method, f"{column}_nwn")) for metric, column in METRICS.items())
    wn, iwn = (int(table.number(method, name).exact) for name in ("wn", "iwn"))
    return list(_splits(tuple(pair for pair in printed if pair[1]), wn, iwn))


@cache
def _splits(printed: tuple[tuple[str, str], ...], wn: int, iwn: int) -> list[dict[str, Pair]]:
    return integer_splits(dict(printed), wn=wn, iwn=iwn)


def sums_left(
    paper: Paper, left_out: str, methods: Sequence[str] | None = None, *, with_table4: bool = False
) -> dict[str, list[Pair]]:
    """WN and IWN over all metrics but one, for every set of whole numbers that prints as Table B.6 does.

    Parameters
    ----------
    paper
        The paper, or a modified copy of it; corrected cells are used.
    left_out
        A metric, or `NOTHING`.
    methods
        All of Table B.6 if not given. A method with nothing left is not returned.
    with_table4
        Whether to keep only whole numbers with the IWN that Table 4 prints, for the methods that it has.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> sums_left(load_paper("tax2015"), "MAP", ["FSMRank", "LRUF", "VFLR"])
    {'FSMRank': [(267, 311)], 'LRUF': [(329, 335)]}
    """
    table = paper.corrected("b6")
    found = {}
    for method in table.rows if methods is None else methods:
        sums = {
            (
                sum(w for m, (w, _) in split.items() if m != left_out),
                sum(i for m, (_, i) in split.items() if m != left_out),
            )
            for split in row_splits(table, method)
        }
        if with_table4 and method in paper["table4"].rows:
            printed_iwn = int(paper["table4"].number(method, f"{table4_column(left_out)}_iwn").exact)
            sums = {pair for pair in sums if pair[1] == printed_iwn}
        if sums and all(possible > 0 for _, possible in sums):
            found[method] = sorted(sums)
    return found


def table4_column(left_out: str) -> str:
    """What the names of the columns of Table 4 without a metric begin with.

    Examples
    --------
    >>> table4_column("MAP"), table4_column(NOTHING)
    ('no_map', 'all')
    """
    return "all" if left_out == NOTHING else f"no_{METRICS[left_out]}"


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


def front_as_defined(points: Points) -> set[str]:
    """Return the front by the definition that Section 4 prints: nobody is higher on *both* axes.

    Whoever is on the usual front is on this one too.

    Examples
    --------
    >>> sorted(front_as_defined({"A": (1, 2), "B": (2, 1), "C": (2, 2)}))
    ['A', 'B', 'C']
    """
    return {method for method in points if not methods_above(points, method)}


def descent(points: Points, methods: Sequence[str]) -> tuple[bool, str]:
    """Tell whether accuracy falls and certainty rises from method to method, with both ends or the steps that fail.

    Examples
    --------
    >>> descent({"A": (0.9, 10), "B": (0.5, 20)}, ["A", "B"])
    (True, 'A 0.9000 of 10 to B 0.5000 of 20')
    >>> descent({"A": (0.9, 10), "B": (0.5, 20), "C": (0.4, 15)}, ["A", "B", "C"])
    (False, 'not from B 0.5000 of 20 to C 0.4000 of 15')
    """
    told = {method: f"{method} {nwn:.4f} of {certainty:.0f}" for method, (nwn, certainty) in points.items()}
    wrong = [
        f"{told[one]} to {told[after]}"
        for one, after in pairwise(methods)
        if not (points[one][0] > points[after][0] and points[one][1] < points[after][1])
    ]
    return not wrong, f"not from {'; '.join(wrong)}" if wrong else f"{told[methods[0]]} to {told[methods[-1]]}"


def enumerated(names: Sequence[str]) -> str:
    """Join names for a sentence.

    Examples
    --------
    >>> enumerated(["LARF", "LRUF", "ListNet"]), enumerated(["LARF"]), enumerated([])
    ('LARF, LRUF and ListNet', 'LARF', 'nobody')
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:]))) or "nobody"


def listed(methods: set[str] | list[str]) -> str:
    """Join names for a witness.

    Examples
    --------
    >>> listed({"LRUF", "LARF"}), listed([])
    ('LARF, LRUF', 'none')
    """
    return ", ".join(sorted(methods)) or "none"


def on_fronts(
    paper: Paper,
    methods: tuple[str, ...],
    metrics: tuple[str | None, ...],
    front: Callable[[Points], set[str]] = front_of,
) -> list[Cell]:
    """Return one statement per method: it is on the front of each metric.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> [cell.holds for cell in on_fronts(load_paper("tax2015"), ("LARF", "FSMRank"), ("ndcg3", "ndcg10"))]
    [True, False]
    """
    fronts = {metric: front(points_of(paper, metric)) for metric in metrics}
    cells: list[Cell] = []
    for method in methods:
        off = [metric or "all metrics" for metric, found in fronts.items() if method not in found]
        cells.append(Statement(not off, f"off the front of: {listed(off)}", "on each front", method))
    return cells
