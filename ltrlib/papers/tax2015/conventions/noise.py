"""Wins beyond noise: where the results of each fold are known, a comparison has an error."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from statistics import median

import pandas as pd

from ltrlib.claims.cells import Measured
from ltrlib.papers.tax2015.matrix import results
from ltrlib.published.tables import load_table

__all__ = ["METRICS", "aware", "fold_comparisons", "letor4_wins", "margins"]

METRICS = ("NDCG@3", "NDCG@5", "NDCG@10", "MAP")


@cache
def fold_comparisons() -> pd.DataFrame:
    """Each pair of official LETOR 4.0 baselines, by data set and metric: difference over the same five folds.

    Returns
    -------
    DataFrame
        dataset, metric, first, second, difference, half (of the 95% interval), beyond (whether it excludes 0).

    Examples
    --------
    >>> found = fold_comparisons()
    >>> len(found), int(found["beyond"].sum())
    (72, 10)
    """
    table = load_table("letor4", "baselines").wide().query("part == 'test' and fold != 'mean' and metric in @METRICS")
    rows = []
    for (dataset, metric), group in table.astype({"value": float}).groupby(["dataset", "metric"]):
        folds = {str(method): own.sort_values("fold")["value"].tolist() for method, own in group.groupby("method")}
        for first, second in combinations(folds, 2):
            gap = Measured.paired(folds[first], folds[second])
            low, high = gap.interval()
            rows.append((str(dataset), str(metric), first, second, gap.value, (high - low) / 2, not low <= 0 <= high))
    return pd.DataFrame(rows, columns=["dataset", "metric", "first", "second", "difference", "half", "beyond"])


def margins() -> dict[tuple[str, str], float]:
    """Half the 95% interval of a typical comparison (median over the pairs), by data set and metric.

    Examples
    --------
    >>> round(margins()["LETOR 4.0 MQ2008", "NDCG@3"], 3)
    0.018
    """
    halves: dict[tuple[str, str], list[float]] = {}
    for row in fold_comparisons().to_dict("records"):
        halves.setdefault((row["dataset"], row["metric"]), []).append(row["half"])
    return {place: median(found) for place, found in halves.items()}


@cache
def aware() -> pd.DataFrame:
    """Winning numbers of the five official baselines among themselves on LETOR 4.0: plain, and with errors.

    Returns
    -------
    DataFrame
        method, possible, wins, nwn, beyond (wins beyond noise), nwn_beyond.
    """
    rows, found = [], fold_comparisons()
    for method in sorted({*found["first"], *found["second"]}):
        own = found[(found["first"] == method) | (found["second"] == method)]
        sign = own["first"].eq(method).map({True: 1.0, False: -1.0})
        ahead = own["difference"] * sign > 0
        wins, beyond = int(ahead.sum()), int((ahead & own["beyond"]).sum())
        rows.append((method, len(own), wins, wins / len(own), beyond, beyond / len(own)))
    return pd.DataFrame(rows, columns=["method", "possible", "wins", "nwn", "beyond", "nwn_beyond"])


@cache
def letor4_wins() -> pd.DataFrame:
    """All wins on LETOR 4.0, by data set and metric: how many are larger than a typical comparison's noise.

    For other methods than the official ones the error is not known; that of a typical pair of these stands in for it.

    Returns
    -------
    DataFrame
        dataset, metric, margin, wins, larger.
    """
    rows = []
    for (dataset, metric), margin in margins().items():
        own = results().query("dataset == @dataset and metric == @metric")["value"].tolist()
        gaps = [abs(a - b) for a, b in combinations(own, 2) if a != b]
        rows.append((dataset, metric, margin, len(gaps), sum(gap > margin for gap in gaps)))
    return pd.DataFrame(rows, columns=["dataset", "metric", "margin", "wins", "larger"])
