"""Who was evaluated where, behind Table B.6: counted over all solutions, exactly."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from ltrlib.comparison.reconstruct.counting import PresenceSpace, presence_space
from ltrlib.comparison.reconstruct.puzzle import possible_targets
from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.b6 import METRICS
from ltrlib.papers.tax2015.hidden.puzzle import presence_puzzle, recorded_puzzle
from ltrlib.records.observed import remembered

__all__ = ["STATUSES", "forced_and_free", "open_options", "presence_shares", "presences"]

STATUSES = ("in all solutions", "in some", "in none")
"""What can be said of a cell."""


@remembered(maxsize=len(METRICS))
def presences(metric: str) -> PresenceSpace:
    """All presences of a metric, with the whole numbers of the recorded solution.

    Examples
    --------
    >>> presences("NDCG@5").count
    3008
    """
    return presence_space(recorded_puzzle(metric))


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
    table = pd.concat([presences(metric).shares() for metric in METRICS], ignore_index=True)
    share = table["share"]
    return table.assign(status=np.select([share == 1, share == 0], [STATUSES[0], STATUSES[2]], STATUSES[1]))


def forced_and_free() -> pd.DataFrame:
    """Count cells by status and solutions, per metric, beside what a search with CP-SAT found out within its time.

    Examples
    --------
    >>> forced_and_free().set_index("metric").loc["NDCG@5", "presences"]
    '3,008'
    """
    counts = presence_shares().groupby(["metric", "status"]).size().unstack(fill_value=0)
    searched = records.SOLUTIONS.read().table
    found = {str(metric): (number, complete) for metric, number, complete in searched.itertuples(index=False)}
    cells = records.CELLS.read().table
    undecided = (cells["status"] == "undecided").groupby(cells["metric"]).sum()
    rows = []
    for metric in METRICS:
        row = {"metric": metric} | {status: str(counts[status][metric]) for status in STATUSES}
        number, complete = found[metric]
        row |= {
            "presences": f"{presences(metric).count:,}",
            "by search": f"{'' if complete else 'at least '}{number:,}",
        }
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
