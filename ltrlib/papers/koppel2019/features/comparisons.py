"""Paired differences between networks, with the error over queries and over seeds; and the authors' stored folds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ltrlib.claims.cells import Measured
from ltrlib.papers.koppel2019.features.plans import CELLS
from ltrlib.published.tables import Paper

__all__ = ["StoredLead", "half_lead", "paired", "printed_error", "stored_lead"]


def paired(
    runs: pd.DataFrame,
    queries: pd.DataFrame,
    first: Mapping[str, str],
    second: Mapping[str, str],
    *,
    dataset: str,
    metric: str = "ndcg",
) -> Measured:
    """First minus second on the same queries, with the same seeds.

    The error is that over queries (of the means over the seeds) and that over seeds (of the means over the queries),
    added in quadrature; degrees of freedom by Welch and Satterthwaite.

    Parameters
    ----------
    runs, queries
        The recorded tables, with one row per seed and one per query.
    first, second
        Columns with the values that name each side, such as ``{"method": "RankNet", "form": "raw"}``.
    dataset, metric
        Where, and by what.

    Examples
    --------
    >>> rows = [(m, "d", 1, q, v) for m, values in (("A", (0.5, 0.7)), ("B", (0.4, 0.4))) for q, v in zip("xy", values)]
    >>> queries = pd.DataFrame(rows, columns=["method", "dataset", "split", "query", "ndcg"])
    >>> rows = [(m, "d", 1, seed, 2, v) for m, v in (("A", 0.6), ("B", 0.4)) for seed in (0, 1)]
    >>> runs = pd.DataFrame(rows, columns=["method", "dataset", "split", "seed", "queries", "ndcg"])
    >>> found = paired(runs, queries, {"method": "A"}, {"method": "B"}, dataset="d")
    >>> round(found.value, 4), round(found.standard_error, 4), found.degrees
    (0.2, 0.1, 1)
    """
    by_query = _sides(queries, first, second, dataset, ["split", "query"], metric)
    weighted = runs.assign(total=runs[metric] * runs["queries"])
    totals = [_chosen(weighted, side, dataset).groupby("seed")[["total", "queries"]].sum() for side in (first, second)]
    by_seed = totals[0]["total"] / totals[0]["queries"] - totals[1]["total"] / totals[1]["queries"]
    of_queries = float(by_query.var(ddof=1)) / len(by_query)
    of_seeds = float(by_seed.var(ddof=1)) / len(by_seed)
    both = of_queries + of_seeds
    parts = of_queries**2 / (len(by_query) - 1) + of_seeds**2 / (len(by_seed) - 1)
    degrees = max(1, int(both**2 / parts)) if parts > 0 else len(by_query) - 1
    return Measured(float(by_seed.mean()), math.sqrt(both), degrees)


def _chosen(rows: pd.DataFrame, side: Mapping[str, str], dataset: str) -> pd.DataFrame:
    which = rows["dataset"] == dataset
    for column, value in side.items():
        which &= rows[column] == value
    return rows[which]


def _sides(
    rows: pd.DataFrame, first: Mapping[str, str], second: Mapping[str, str], dataset: str, by: list[str], metric: str
) -> pd.Series:
    a, b = (_chosen(rows, side, dataset).set_index(by)[metric] for side in (first, second))
    return a - b


def printed_error(paper: Paper, dataset: str) -> float:
    """The standard error that Table 1 prints for DirectRanker's NDCG@10: a change below it does not matter."""
    error = paper["table1"].number("DirectRanker", f"{CELLS[dataset]}_ndcg").standard_error
    assert error is not None
    return float(error)


def half_lead(paper: Paper, rival: str) -> float:
    """Half of DirectRanker's printed lead over another network in NDCG@10 on MSLR-WEB10K."""
    ours, theirs = (paper["table1"].number(method, "mslr_ndcg").value for method in ("DirectRanker", rival))
    return (ours - theirs) / 2


@dataclass(frozen=True)
class StoredLead:
    """DirectRanker's lead in the authors' stored folds of MSLR-WEB10K.

    Parameters
    ----------
    lead
        Difference of the means.
    least_error, largest_error
        Standard error of the difference if the folds of both go together perfectly, or against each other: whatever
        the folds are, the paired error lies between.
    least_p
        Smallest two-sided p-value of a paired t-test over the five folds that these means and errors allow.
    """

    lead: float
    least_error: float
    largest_error: float
    least_p: float

    @property
    def measured(self) -> Measured:
        """The lead with the largest error that the stored folds can have."""
        return Measured(self.lead, self.largest_error, 4)


def stored_lead(paper: Paper, rival: str) -> StoredLead:
    """DirectRanker's stored folds against the stored mean and error of another network."""
    from scipy.stats import t

    row = paper["stored_folds"]
    folds = np.array([row.number("mslr_ndcg", f"fold{fold}").value for fold in range(1, 6)])
    other = paper["stored_rivals"].number(rival, "mslr_ndcg")
    own_error, its_error = float(folds.std(ddof=1)) / math.sqrt(len(folds)), float(other.standard_error or 0.0)
    lead, least = float(folds.mean()) - other.value, abs(own_error - its_error)
    p_value = 2 * float(t.sf(abs(lead) / least, len(folds) - 1)) if least > 0 else 0.0
    return StoredLead(lead, least, own_error + its_error, p_value)
