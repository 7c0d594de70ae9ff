"""What else the inputs of the reconstruction would allow: other sizes of the data sets, and other wrong rows."""

from __future__ import annotations

import pandas as pd

from ltrlib.papers.tax2015.hidden.alternatives import surplus
from ltrlib.papers.tax2015.hidden.presence import ROWS, puzzle
from ltrlib.papers.tax2015.hidden.puzzle import IMPOSSIBLE_ROW
from ltrlib.published.tables import load_paper
from ltrlib.records.record import read_record

__all__ = [
    "rows_in_doubt",
    "sizes_that_fit",
    "sizes_tried",
    "surplus_of_comparisons",
    "surplus_of_wins",
    "suspects",
]


def sizes_tried() -> pd.DataFrame:
    """How many other sizes of the data sets were tried, and how many admit a presence.

    Returns
    -------
    DataFrame
        metric, moved, relabels, tried, fit, as ``python -m ltrlib.papers.tax2015.hidden.alternatives`` records it.

    Examples
    --------
    >>> sizes_tried()["metric"].unique().tolist()
    ['NDCG@3', 'NDCG@5', 'NDCG@10', 'MAP']
    """
    columns = {"metric": "str", "moved": "int", "relabels": "bool", "tried": "int", "fit": "int"}
    return read_record("tax2015/sizes-tried", columns).table


def sizes_that_fit() -> pd.DataFrame:
    """Other sizes of the data sets that admit a presence.

    Returns
    -------
    DataFrame
        metric, moved, relabels, change, presences.

    Examples
    --------
    >>> sizes_that_fit()["presences"].min() > 0
    np.True_
    """
    columns = {"metric": "str", "moved": "int", "relabels": "bool", "change": "str", "presences": "int"}
    return read_record("tax2015/sizes-that-fit", columns).table


def rows_in_doubt() -> pd.DataFrame:
    """Which single row of NDCG@10 may be the wrong one, by arithmetic alone.

    Whoever is wrong has lost a data set, and with it wins: there are more wins than pairs, so at least as many must go.

    Returns
    -------
    DataFrame
        method, wn, iwn, datasets, presences without this row, enough wins: whether it has as many as must go.

    Examples
    --------
    >>> table = rows_in_doubt().set_index("method")
    >>> bool(table.loc["AdaRank-MAP", "presences"] > 0)
    True
    """
    columns = {"method": "str", "wn": "int", "iwn": "int", "datasets": "int", "presences": "int"}
    table = read_record("tax2015/rows-in-doubt", columns).table
    return table.assign(enough_wins=table["wn"] >= surplus_of_wins())


def surplus_of_wins() -> int:
    """By how many the printed wins of NDCG@10 exceed the pairs that the sizes of the data sets allow.

    Examples
    --------
    >>> surplus_of_wins()
    6
    """
    rows = read_record("tax2015/published-rows", ROWS).table
    rows = rows[rows["metric"] == IMPOSSIBLE_ROW[1]]
    sizes = puzzle(IMPOSSIBLE_ROW[1]).sizes["methods"].astype(int)
    return int(rows["wn"].sum()) - int((sizes * (sizes - 1) // 2).sum())


def surplus_of_comparisons() -> tuple[int, int]:
    """By how many the printed comparisons and data sets of NDCG@10 exceed what the sizes of the data sets allow.

    Examples
    --------
    >>> surplus_of_comparisons()
    (9, 1)
    """
    return surplus(puzzle(IMPOSSIBLE_ROW[1]))


def suspects() -> pd.DataFrame:
    """Rows of NDCG@10 that can be the one wrong row, by the sums of the table alone.

    Returns
    -------
    DataFrame
        method, data sets, WN, IWN, presences, remark: what else speaks for it or against it.

    Examples
    --------
    >>> suspects().set_index("method").loc["ADMM", "remark"]
    'not enough wins'
    """
    found = rows_in_doubt()
    found = found[found["presences"] > 0]
    paper = load_paper("tax2015")
    table1, sources = paper["table1"].column("datasets"), paper["a5"]
    of_letor = {"L2": "LETOR 2.0", "L3": "LETOR 3.0", "L4": "LETOR 4.0"}
    rows = []
    for row in found.itertuples():
        named = [source.strip() for source in sources.text(str(row.method), "evaluated_in").split(";")]
        remark = "" if row.enough_wins else "not enough wins"
        if set(named) <= set(of_letor) and int(str(row.datasets)) > sum(table1[of_letor[n]].value for n in named):
            remark = "its sources have fewer data sets"
        rows.append((row.method, row.datasets, row.wn, row.iwn, f"{row.presences:,}", remark))
    columns = ["method", "data sets", "WN", "IWN", "presences", "remark"]
    return pd.DataFrame(rows, columns=columns)
