"""Winning numbers on LETOR 3.0 as Liu (2011) prints them, and the part of them that printed results let us count."""

from __future__ import annotations

from ltrlib.comparison.winning import winning_numbers
from ltrlib.published.tables import load_table

__all__ = ["DATASETS", "published_wins", "wins_on_td2003"]

DATASETS = 7
"""Number of data sets over which Table 11.8 counts."""

_COLUMNS = {
    "NDCG@1": "ndcg1",
    "NDCG@3": "ndcg3",
    "NDCG@10": "ndcg10",
    "P@1": "p1",
    "P@3": "p3",
    "P@10": "p10",
    "MAP": "map",
}


def published_wins() -> dict[str, dict[str, int]]:
    """Wins over all data sets (Table 11.8), by metric and method.

    Examples
    --------
    >>> published_wins()["MAP"]["ListNet"]
    33
    """
    table = load_table("liu2011", "winning_numbers")
    return {m: {method: int(table.text(method, c)) for method in table.rows} for m, c in _COLUMNS.items()}


def wins_on_td2003() -> dict[str, dict[str, int]]:
    """Wins on TD2003, counted from the results of Table 11.1, by metric and method.

    Examples
    --------
    >>> wins_on_td2003()["MAP"]["ListNet"]
    6
    """
    raw = load_table("liu2011", "evaluation_results").wide().astype({"value": float})
    counted = winning_numbers(raw[raw["source"] == "liu2011 Table 11.1"])
    return {
        str(metric): dict(zip(part["method"], part["wn"].tolist(), strict=True))
        for metric, part in counted.groupby("metric")
        if metric in _COLUMNS
    }
