"""Table 4 counted from the evaluation results: NWN and IWN with one metric left out, for every method of Table B.6."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd

from ltrlib.claims.cells import Cell, Value
from ltrlib.papers.tax2015.b6 import METRICS, NOTHING, front_of, sums_left, table4_column
from ltrlib.papers.tax2015.counted import Count, counts
from ltrlib.published.printed import Bounds
from ltrlib.published.tables import Paper, load_paper

__all__ = [
    "counts_without",
    "front_changes",
    "front_table",
    "table4_cells",
    "table4_cells_from_b6",
    "wide_table",
]


def counts_without(left_out: str) -> dict[str, Count]:
    """Sum over all metrics but one; a method with nothing left is not given.

    Parameters
    ----------
    left_out
        A metric, or ``nothing``.

    Examples
    --------
    >>> counts_without("MAP")["FSMRank"][:2], "VFLR" in counts_without("MAP")
    ((267, 311), False)
    """
    sums: dict[str, Count] = {}
    for (method, metric), one in counts().items():
        if metric not in (left_out, "all"):
            before = sums.get(method, Count(0, 0, 0))
            sums[method] = Count(before.wn + one.wn, before.iwn + one.iwn, before.datasets + one.datasets)
    return sums


def table4_cells(paper: Paper) -> list[Cell]:
    """Every number of Table 4 beside what the evaluation results give."""
    table = paper["table4"]
    cells: list[Cell] = []
    for method in table.rows:
        for left_out in (NOTHING, *METRICS):
            ours = counts_without(left_out)[method]
            words, column = _words(left_out), table4_column(left_out)
            cells.append(Value(table.number(method, f"{column}_nwn"), ours.nwn, f"{method}, NWN, {words}"))
            cells.append(Value(table.number(method, f"{column}_iwn"), ours.iwn, f"{method}, IWN, {words}"))
    return cells


def _words(left_out: str) -> str:
    return "nothing left out" if left_out == NOTHING else f"without {left_out}"


def table4_cells_from_b6(paper: Paper) -> list[Cell]:
    """Every number of Table 4 beside what Table B.6 alone implies for it: a range where whole numbers print alike."""
    table = paper["table4"]
    cells: list[Cell] = []
    for method in table.rows:
        for left_out in (NOTHING, *METRICS):
            sums = sums_left(paper, left_out, [method]).get(method, [])
            nwn, iwn = [Fraction(*pair) for pair in sums], [Fraction(possible) for _, possible in sums]
            for name, values in (("NWN", nwn), ("IWN", iwn)):
                printed = table.number(method, f"{table4_column(left_out)}_{name.lower()}")
                # Nearest to the printed one among those that are possible; the range tells the others.
                value = min(values, key=lambda value: abs(value - printed.exact))
                ours = value if len(values) == 1 else Bounds(*map(float, (value, min(values), max(values))))
                cells.append(Value(printed, ours, f"{method}, {name}, {_words(left_out)}"))
    return cells


def wide_table() -> pd.DataFrame:
    """Table 4 for all methods of Table B.6: NWN and IWN with nothing and with one metric left out, as text.

    Examples
    --------
    >>> wide_table().set_index("method").loc["FSMRank", "no MAP"]
    '0.8585 (311)'
    """
    table: dict[str, dict[str, str]] = {m: {"method": m} for m in load_paper("tax2015")["b6"].rows}
    for left_out in (NOTHING, *METRICS):
        left = counts_without(left_out)
        for method, row in table.items():
            text = f"{float(left[method].nwn):.4f} ({left[method].iwn})" if method in left else "–"
            row[_column(left_out)] = text
    return pd.DataFrame(table.values())


def _column(left_out: str) -> str:
    return "all" if left_out == NOTHING else f"no {left_out}"


def front_changes() -> pd.DataFrame:
    """Tell who is on the Pareto front (usual reading) of NWN and IWN when one metric is left out.

    Returns
    -------
    pandas.DataFrame
        One row per method that is on some of the fronts, in the order of Table B.6; one column per metric left out, the
        first for ``nothing``; whether it is on that front.

    Examples
    --------
    >>> front_changes().loc["FSMRank", ["nothing", "MAP"]].tolist()
    [True, False]
    """
    fronts = {}
    for left_out in (NOTHING, *METRICS):
        left = counts_without(left_out)
        fronts[left_out] = front_of({method: (float(one.nwn), float(one.iwn)) for method, one in left.items()})
    ever = [method for method in load_paper("tax2015")["b6"].rows if any(method in front for front in fronts.values())]
    return pd.DataFrame({name: [method in front for method in ever] for name, front in fronts.items()}, index=ever)


def front_table() -> pd.DataFrame:
    """`front_changes` as text, one row per method: a shape and a word in each cell.

    Examples
    --------
    >>> front_table().set_index("method").loc["FSMRank", ["all", "no MAP"]].tolist()
    ['on', 'off']
    """
    table = front_changes()
    words = table.rename(columns=_column).map(lambda on: "on" if on else "off")
    return words.rename_axis("method").reset_index()
