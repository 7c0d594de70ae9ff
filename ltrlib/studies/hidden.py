"""What the results behind Table B.6 must have been: what is forced, what is free, and what the input decides.

Who was evaluated where is counted over all solutions, exactly. Orders are far too many to count; what is said about
them are shares of the recorded samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pandas as pd

from ltrlib.comparison.reconstruct.check import check_orders, check_presence
from ltrlib.comparison.reconstruct.counting import PresenceSpace, presence_space
from ltrlib.comparison.reconstruct.limits import surplus
from ltrlib.comparison.reconstruct.presence_model import PresencePuzzle, possible_targets
from ltrlib.comparison.reconstruct.tax2015 import IMPOSSIBLE_ROW, METRICS, presence_puzzle
from ltrlib.comparison.reconstruct.variety import check_varied, options_of, puzzle_of_metric
from ltrlib.project import project_data
from ltrlib.published.tables import load_paper
from ltrlib.records import read_record
from ltrlib.studies.pareto import points

__all__ = [
    "ONE_PRESENCE",
    "OWN_PRESENCE",
    "STATUSES",
    "beats",
    "check_records",
    "forced_and_free",
    "freedom",
    "front",
    "open_options",
    "order_cells",
    "presence_shares",
    "presence_spaces",
    "profile",
    "rows_in_doubt",
    "sizes_that_fit",
    "sizes_tried",
    "surplus_of_comparisons",
    "surplus_of_wins",
    "suspects",
]

ONE_PRESENCE, OWN_PRESENCE = "orders", "orders-varied"
"""The two records of sampled orders: all on one presence, and each on a presence of its own."""

STATUSES = ("in all solutions", "in some", "in none")
"""What can be said of a cell."""

_ORDERS = {"sample": "int", "metric": "str", "dataset": "str", "method": "str", "wins": "int"}
_ROWS = {"method": "str", "metric": "str", "wn": "int", "iwn": "int", "datasets": "int"}


@cache
def presence_spaces() -> dict[str, PresenceSpace]:
    """Count all presences of each metric, with the whole numbers of the recorded reconstruction.

    Examples
    --------
    >>> {metric: space.count for metric, space in presence_spaces().items()}["NDCG@5"]
    3008
    """
    return {metric: presence_space(_puzzle(metric)) for metric in METRICS.values()}


@cache
def _puzzle(metric: str) -> PresencePuzzle:
    return puzzle_of_metric(metric, _options())


@cache
def _options() -> dict[str, int]:
    return options_of(read_record("tax2015/published-rows", _ROWS).table)


@cache
def presence_shares() -> pd.DataFrame:
    """Tell for each method, metric and data set in which share of all presences there is a result.

    Returns
    -------
    DataFrame
        method, metric, dataset, share, status (one of `STATUSES`).

    Examples
    --------
    >>> table = presence_shares().set_index(["method", "metric", "dataset"])
    >>> table.loc[("ListNet", "MAP", "LETOR 3.0 TD2003"), "status"]
    'in all solutions'
    """
    table = pd.concat([space.shares() for space in presence_spaces().values()], ignore_index=True)
    share = table["share"]
    return table.assign(status=np.select([share == 1, share == 0], [STATUSES[0], STATUSES[2]], STATUSES[1]))


def forced_and_free() -> pd.DataFrame:
    """Count cells by status and solutions, per metric, beside what a search with CP-SAT found out within its time.

    Returns
    -------
    DataFrame
        metric, one column per status, presences, by search: the number that the search counted, with "at least" where
        its time ran out, and undecided cells.

    Examples
    --------
    >>> forced_and_free().set_index("metric").loc["NDCG@5", "presences"]
    '3,008'
    """
    counts = presence_shares().groupby(["metric", "status"]).size().unstack(fill_value=0)
    searched = read_record("tax2015/solutions", {"metric": "str", "presences": "int", "complete": "bool"}).table
    found = {str(metric): (number, complete) for metric, number, complete in searched.itertuples(index=False)}
    cells = read_record("tax2015/cells", {"method": "str", "metric": "str", "dataset": "str", "status": "str"}).table
    undecided = (cells["status"] == "undecided").groupby(cells["metric"]).sum()
    rows = []
    for metric, space in presence_spaces().items():
        row = {"metric": metric} | {status: str(counts[status][metric]) for status in STATUSES}
        number, complete = found[metric]
        row |= {"presences": f"{space.count:,}", "by search": f"{'' if complete else 'at least '}{number:,}"}
        rows.append(row | {"undecided by search": f"{undecided[metric]}"})
    return pd.DataFrame(rows)


def open_options() -> pd.DataFrame:
    """Rows that fit several sets of whole numbers even with the sizes known, and which of them the sums leave.

    In each metric, the comparisons of all rows add up to what the sizes allow. With all other rows known, that leaves
    one number for the row in question.

    Returns
    -------
    DataFrame
        method, IWN per metric, fits: whether the sums allow it.

    Examples
    --------
    >>> table = open_options()
    >>> table["method"].unique().tolist(), table["fits"].tolist().count("yes")
    (['ListMLE'], 1)
    """
    puzzle = presence_puzzle()
    possible = possible_targets(puzzle)
    sizes = puzzle.sizes["methods"].astype(int)
    allowed = (sizes * (sizes - 1)).groupby(puzzle.sizes["metric"]).sum()
    several = possible.groupby("method")["option"].transform("nunique") > 1
    rows = []
    for method, mine in possible[several].groupby("method"):
        others = possible[possible["method"] != method].groupby("metric")["iwn"].sum()
        differ = [metric for metric, part in mine.groupby("metric") if part["iwn"].nunique() > 1]
        for _, part in mine.groupby("option"):
            iwn = part.set_index("metric")["iwn"]
            fits = all(iwn[metric] + others[metric] == allowed[metric] for metric in differ)
            rows.append({"method": str(method)} | iwn.to_dict() | {"fits": "yes" if fits else "no"})
    return pd.DataFrame(rows)


def check_records() -> pd.DataFrame:
    """Run the independent checker on the recorded reconstruction.

    Returns
    -------
    DataFrame
        what, looked at, contradictions: how many, and how many when nothing is excused.

    Examples
    --------
    >>> check_records()["contradictions"].tolist()
    ['0', '0', '0', '2']
    """
    folder = project_data("results", "tax2015")
    rows, presence, known = (folder / f"{name}.csv" for name in ("published-rows", "presence", "known-orders"))
    excused = [IMPOSSIBLE_ROW]
    varied = read_record(f"tax2015/{OWN_PRESENCE}", _ORDERS).table
    orders = folder / f"{ONE_PRESENCE}.parquet"
    samples = pd.read_parquet(orders, columns=["sample"])["sample"].nunique()
    n_rows = len(pd.read_csv(rows))
    numbers = {
        f"number of data sets and IWN of {n_rows - 1} rows": check_presence(rows, presence, except_for=excused),
        f"{samples} sampled orders on one presence": check_orders(
            rows, presence, orders, known_orders=known, except_for=excused
        ),
        f"{varied['sample'].nunique()} sampled orders on presences of their own": check_varied(
            rows, varied, known=known
        ),
        f"number of data sets and IWN of all {n_rows} rows": check_presence(rows, presence),
    }
    table = [(what, str(len(problems)), "; ".join(problems[:2]) or "–") for what, problems in numbers.items()]
    return pd.DataFrame(table, columns=["what is checked", "contradictions", "which"])


@cache
def order_cells(record: str = ONE_PRESENCE) -> pd.DataFrame:
    """The sampled orders, with the share of possible wins in each cell.

    Returns
    -------
    DataFrame
        sample, metric, dataset, method, wins, share.

    Examples
    --------
    >>> table = order_cells()
    >>> bool(((table["share"] >= 0) & (table["share"] <= 1)).all())
    True
    """
    table = read_record(f"tax2015/{record}", _ORDERS).table
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

    Examples
    --------
    >>> freedom()["metric"].tolist()
    ['NDCG@3', 'NDCG@5', 'NDCG@10', 'MAP']
    """
    known = pd.read_csv(project_data("results", "tax2015", "known-orders.csv")).groupby("metric").size()
    forced = presence_shares().query("share == 1")[["metric", "dataset", "method"]]
    cells, spreads = {}, {}
    for record in (ONE_PRESENCE, OWN_PRESENCE):
        cells[record] = order_cells(record).groupby(["metric", "dataset", "method"])["share"].agg(["std", "min", "max"])
        shared = cells[record].loc[pd.MultiIndex.from_frame(forced)]
        spreads[record] = shared["std"].groupby("metric").mean()
    rows = []
    for metric in METRICS.values():
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

    Examples
    --------
    >>> bool(np.allclose(profile("LRUF", "MAP", bins=4).sum(axis=1), 1))
    True
    """
    table = order_cells()
    table = table[(table["method"] == method) & (table["metric"] == metric)]
    rows = {}
    for dataset, part in table.groupby("dataset"):
        counts, edges = np.histogram(part["share"], bins=bins, range=(0, 1))
        rows[str(dataset)] = list(counts / len(part))
    return pd.DataFrame.from_dict(rows, orient="index", columns=[f"{edge:.2f}" for edge in edges[:-1]])


def front() -> list[str]:
    """The Pareto front over all metrics, by rising certainty.

    Examples
    --------
    >>> front()[:3]
    ['LambdaNeuralRank', 'LARF', 'LRUF']
    """
    table = points("all metrics")
    names: list[str] = table[table["rank"] == 1].sort_values("certainty")["method"].tolist()
    return names


def beats(methods: Sequence[str]) -> pd.DataFrame:
    """Share of the common results in which one method is above another, in the samples on one presence.

    Parameters
    ----------
    methods
        Rows and columns; all metrics and data sets count.

    Returns
    -------
    DataFrame
        Row above column; NaN where the two never meet. Ties count for neither.

    Examples
    --------
    >>> table = beats(("LRUF", "ListNet"))
    >>> bool(table.loc["LRUF", "ListNet"] + table.loc["ListNet", "LRUF"] <= 1)
    True
    """
    table = order_cells()
    wide = table[table["method"].isin(methods)].pivot(
        index=["sample", "metric", "dataset"], columns="method", values="wins"
    )
    wins = wide.reindex(columns=list(methods)).to_numpy()
    result = np.full((len(methods), len(methods)), np.nan)
    for i in range(len(methods)):
        for j in range(len(methods)):
            both = ~np.isnan(wins[:, i]) & ~np.isnan(wins[:, j])
            if i != j and both.any():
                result[i, j] = (wins[both, i] > wins[both, j]).mean()
    return pd.DataFrame(result, index=list(methods), columns=list(methods))


def sizes_tried() -> pd.DataFrame:
    """How many other sizes of the data sets were tried, and how many admit a presence.

    Returns
    -------
    DataFrame
        metric, moved, relabels, tried, fit, as ``python -m ltrlib.comparison.reconstruct.limits`` records it.

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
    rows = read_record("tax2015/published-rows", _ROWS).table
    rows = rows[rows["metric"] == IMPOSSIBLE_ROW[1]]
    sizes = _puzzle(IMPOSSIBLE_ROW[1]).sizes["methods"].astype(int)
    return int(rows["wn"].sum()) - int((sizes * (sizes - 1) // 2).sum())


def surplus_of_comparisons() -> tuple[int, int]:
    """By how many the printed comparisons and data sets of NDCG@10 exceed what the sizes of the data sets allow.

    Examples
    --------
    >>> surplus_of_comparisons()
    (9, 1)
    """
    return surplus(_puzzle(IMPOSSIBLE_ROW[1]))


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
