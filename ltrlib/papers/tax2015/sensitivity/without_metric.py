"""Table 4 from Table B.6: NWN and IWN with one metric left out, for every method and not only for the six printed.

Whole numbers behind a row's printed quotients decide what is left without a metric. Where several sets of whole
numbers print alike, a method has a range instead of a number, and may or may not be on a Pareto front.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pandas as pd

from ltrlib.claims.cells import Cell, Value
from ltrlib.claims.rules import judge
from ltrlib.claims.show import badge
from ltrlib.comparison.reconstruct.whole_numbers import Pair
from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.b6 import METRICS, NOTHING, Sums, sums_left, table4_column
from ltrlib.published.printed import Bounds
from ltrlib.published.tables import Paper, load_paper

__all__ = [
    "front_changes",
    "front_of_sums",
    "front_table",
    "open_rows",
    "table4_beside_ours",
    "table4_cells",
    "wide_table",
]

_NO_BREAK = "\N{NO-BREAK SPACE}"


def table4_cells(paper: Paper) -> list[Cell]:
    """Every number of Table 4 beside what Table B.6 alone implies for it."""
    table = paper["table4"]
    cells: list[Cell] = []
    for method in table.rows:
        for left_out in (NOTHING, *METRICS):
            sums = sums_left(paper, left_out, [method]).get(method, [])
            words = "nothing left out" if left_out == NOTHING else f"without {left_out}"
            nwn, iwn = [Fraction(*pair) for pair in sums], [Fraction(possible) for _, possible in sums]
            for name, values in (("NWN", nwn), ("IWN", iwn)):
                printed = table.number(method, f"{table4_column(left_out)}_{name.lower()}")
                # Nearest to the printed one among those that are possible; the range tells the others.
                value = min(values, key=lambda value: abs(value - printed.exact))
                ours = value if len(values) == 1 else Bounds(*map(float, (value, min(values), max(values))))
                cells.append(Value(printed, ours, f"{method}, {name}, {words}"))
    return cells


def table4_beside_ours() -> pd.DataFrame:
    """Table 4 in its own form: in each cell NWN (IWN) as printed, as it follows from Table B.6, and the verdict."""
    judged = [judge(cell, own=True) for cell in table4_cells(load_paper("tax2015"))]
    rows: dict[str, dict[str, str]] = {}
    for nwn, iwn in zip(judged[::2], judged[1::2], strict=True):
        method, _, words = nwn.name.split(", ")
        ours = []
        for one, digits in ((nwn, 4), (iwn, 0)):
            open_range = one.interval is not None and one.interval[0] < one.interval[1]
            ours.append(_range_text(*one.interval, digits) if one.interval and open_range else one.ours)
        verdict = max((nwn.verdict, iwn.verdict), key=lambda verdict: verdict.severity)
        space = " " if "–" in ours[0] else _NO_BREAK
        text = f"{nwn.published}{_NO_BREAK}({iwn.published})<br>{ours[0]}{space}({ours[1]})<br>{badge(verdict)}"
        column = "all" if words.startswith(NOTHING) else words.replace("without", "no")
        rows.setdefault(method, {"method": method})[column] = text
    return pd.DataFrame(rows.values())


def _range_text(low: float, high: float, digits: int) -> str:
    ends = [f"{value:.{digits}f}" for value in (low, high)]
    return ends[0] if ends[0] == ends[1] else "–".join(ends)


def wide_table() -> pd.DataFrame:
    """Table 4 for all methods of Table B.6: NWN and IWN with nothing and with one metric left out, as text.

    Examples
    --------
    >>> wide_table().set_index("method").loc["FSMRank", "no MAP"]
    '0.8585 (311)'
    """
    paper = load_paper("tax2015")
    columns = {"all": NOTHING} | {f"no {metric}": metric for metric in METRICS}
    table: dict[str, dict[str, str]] = {method: {"method": method} for method in paper["b6"].rows}
    for column, left_out in columns.items():
        sums = sums_left(paper, left_out, with_table4=True)
        for method, row in table.items():
            row[column] = _nwn_and_iwn(sums[method]) if method in sums else "–"
    return pd.DataFrame(table.values())


def open_rows() -> list[str]:
    """Methods for which several sets of whole numbers print as Tables B.6 and 4 do.

    Examples
    --------
    >>> open_rows()[:2]
    ['AdaRank-MAP', 'AdaRank-NDCG']
    """
    paper = load_paper("tax2015")
    sums = [sums_left(paper, left_out, with_table4=True) for left_out in METRICS]
    return [method for method in paper["b6"].rows if any(len(one.get(method, [])) > 1 for one in sums)]


def _nwn_and_iwn(sums: Sequence[Pair]) -> str:
    nwn, iwn = [w / i for w, i in sums], [i for _, i in sums]
    return f"{_range_text(min(nwn), max(nwn), 4)} ({_range_text(min(iwn), max(iwn), 0)})"


def front_changes(paper: Paper | None = None) -> pd.DataFrame:
    """Who is on the Pareto front (usual reading) of NWN and IWN when one metric is left out.

    Parameters
    ----------
    paper
        The paper, or a modified copy of it.

    Returns
    -------
    pandas.DataFrame
        Columns method, left_out, status, rebuilt: ``yes``, ``no``, or ``perhaps`` where the whole numbers behind the
        table leave it open; then ``yes`` or ``no`` with those whole numbers that the reconstruction needs. One row per
        method that is on some of the fronts, and per metric left out.

    Examples
    --------
    >>> changes = front_changes().set_index(["method", "left_out"])["status"]
    >>> changes["FSMRank", "nothing"], changes["FSMRank", "MAP"]
    ('yes', 'no')
    """
    paper = load_paper("tax2015") if paper is None else paper
    fronts = {left_out: front_of_sums(sums_left(paper, left_out, with_table4=True)) for left_out in (NOTHING, *METRICS)}
    ever = [m for m in paper["b6"].rows if any(front.get(m, "no") != "no" for front in fronts.values())]
    rebuilt = {left_out: front_of_sums(_rebuilt_sums(left_out)) for left_out in fronts}
    rows = [
        (method, left_out, front.get(method, "no"), rebuilt[left_out].get(method, "no"))
        for method in ever
        for left_out, front in fronts.items()
    ]
    return pd.DataFrame(rows, columns=["method", "left_out", "status", "rebuilt"])


def _rebuilt_sums(left_out: str) -> Sums:
    """WN and IWN with the whole numbers that fit the reconstruction."""
    rows = records.PUBLISHED_ROWS.read().table
    sums = rows[rows["metric"] != left_out].groupby("method")[["wn", "iwn"]].sum()
    return {str(method): [(int(wn), int(iwn))] for method, wn, iwn in sums.itertuples()}


def front_table() -> pd.DataFrame:
    """`front_changes` as text, one row per method: a shape and a word in each cell.

    Examples
    --------
    >>> front_table().set_index("method").loc["FSMRank", ["all", "no MAP"]].tolist()
    ['● on', '○ off']
    """
    words = {"yes": "● on", "no": "○ off"}
    rows: dict[str, dict[str, str]] = {}
    for method, left_out, status, rebuilt in front_changes().itertuples(index=False):
        column = "all" if left_out == NOTHING else f"no {left_out}"
        text = words[status] if status in words else f"◐ open ({words[rebuilt].split()[1]})"
        rows.setdefault(method, {"method": method})[column] = text
    return pd.DataFrame(rows.values())


def front_of_sums(sums: Sums) -> dict[str, str]:
    """Tell for each method whether it is on the Pareto front.

    Returns
    -------
    dict
        ``yes`` or ``no``; ``perhaps`` where that depends on which sums hold.

    Examples
    --------
    >>> front_of_sums({"A": [(1, 2)], "B": [(1, 3), (2, 3)], "C": [(0, 3)]})
    {'A': 'perhaps', 'B': 'yes', 'C': 'no'}
    """
    # The rows are independent of one another, so each other method may take the option that suits best.
    status = {}
    for method, own in sums.items():
        others = [options for name, options in sums.items() if name != method]
        sure = all(not _dominates(other, mine) for mine in own for options in others for other in options)
        possible = any(all(any(not _dominates(o, mine) for o in options) for options in others) for mine in own)
        status[method] = "yes" if sure else "perhaps" if possible else "no"
    return status


def _dominates(one: Pair, other: Pair) -> bool:
    """At least as high in NWN and IWN, and higher in one; compared as fractions."""
    nwn = one[0] * other[1] - other[0] * one[1]
    iwn = one[1] - other[1]
    return nwn >= 0 and iwn >= 0 and (nwn > 0 or iwn > 0)
