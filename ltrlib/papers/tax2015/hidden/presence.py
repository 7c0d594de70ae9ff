"""Who was evaluated where, behind Table B.6: counted over all solutions, exactly.

The orders are the matter of :mod:`ltrlib.papers.tax2015.hidden.orders`; what other inputs would allow, of
:mod:`ltrlib.papers.tax2015.hidden.other_inputs`.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from ltrlib.comparison.reconstruct.check import check_orders, check_presence
from ltrlib.comparison.reconstruct.counting import PresenceSpace, presence_space
from ltrlib.comparison.reconstruct.presence_model import PresencePuzzle, possible_targets
from ltrlib.papers.tax2015.hidden.puzzle import IMPOSSIBLE_ROW, METRICS, presence_puzzle
from ltrlib.papers.tax2015.hidden.sampling import check_varied, options_of, puzzle_of_metric
from ltrlib.project import project_data
from ltrlib.records.record import read_record

__all__ = [
    "ONE_PRESENCE",
    "ORDERS",
    "OWN_PRESENCE",
    "ROWS",
    "STATUSES",
    "check_records",
    "forced_and_free",
    "open_options",
    "presence_shares",
    "presence_spaces",
    "puzzle",
]

ONE_PRESENCE, OWN_PRESENCE = "orders", "orders-varied"
"""The two records of sampled orders: all on one presence, and each on a presence of its own."""

STATUSES = ("in all solutions", "in some", "in none")
"""What can be said of a cell."""

ORDERS = {"sample": "int", "metric": "str", "dataset": "str", "method": "str", "wins": "int"}
"""Columns of the sampled orders."""

ROWS = {"method": "str", "metric": "str", "wn": "int", "iwn": "int", "datasets": "int"}
"""Columns of the rows behind Table B.6."""


@cache
def presence_spaces() -> dict[str, PresenceSpace]:
    """Count all presences of each metric, with the whole numbers of the recorded reconstruction.

    Examples
    --------
    >>> {metric: space.count for metric, space in presence_spaces().items()}["NDCG@5"]
    3008
    """
    return {metric: presence_space(puzzle(metric)) for metric in METRICS.values()}


@cache
def puzzle(metric: str) -> PresencePuzzle:
    """What the rows of one metric demand, with the whole numbers of the recorded reconstruction.

    Examples
    --------
    >>> len(puzzle("NDCG@5").sizes)
    14
    """
    return puzzle_of_metric(metric, _options())


@cache
def _options() -> dict[str, int]:
    return options_of(read_record("tax2015/published-rows", ROWS).table)


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
    whole = presence_puzzle()
    possible = possible_targets(whole)
    sizes = whole.sizes["methods"].astype(int)
    allowed = (sizes * (sizes - 1)).groupby(whole.sizes["metric"]).sum()
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
    varied = read_record(f"tax2015/{OWN_PRESENCE}", ORDERS).table
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
