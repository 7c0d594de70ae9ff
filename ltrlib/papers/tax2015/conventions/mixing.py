"""Comparisons of two NDCGs: how many are of one convention for sure, and what the others could do to the front."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import pandas as pd

from ltrlib.papers.tax2015.b6 import front_of
from ltrlib.papers.tax2015.conventions.levels import discount_effect, sources_of, told
from ltrlib.papers.tax2015.counted import AS_PRINTED, counts, front_of_results
from ltrlib.papers.tax2015.matrix import results
from ltrlib.papers.tax2015.sources import LETOR

__all__ = ["KINDS", "MIXED", "bounds", "certain_front", "fronts", "known_only", "pairs", "possible_front"]

KINDS = {
    "official": "both official, one script",
    "source": "both from one publication",
    "level": "both at the level of LETOR's script on MQ2008",
    "apart": "two publications, tools unknown",
}
"""How it is known, or not, that two results were computed alike."""

MIXED = {
    "Torkestani (2012b) on MQ2007": ("Torkestani (2012b)", "LETOR 4.0 MQ2007"),
    "Gao and Yang (2014) on Yahoo! Set 2": ("Gao and Yang (2014)", "Yahoo Set 2"),
}
"""NDCG results that are on another scale than the rest of their data set: source and data set."""


class Pair(NamedTuple):
    """One comparison: the higher method first; equal values are ``tied``."""

    dataset: str
    metric: str
    higher: str
    lower: str
    kind: str
    tied: bool
    gap: float


@cache
def pairs() -> tuple[Pair, ...]:
    """All comparisons of NDCG, each with its kind and relative difference.

    Examples
    --------
    >>> len(pairs())
    8050
    """
    level = {(row["method"], row["metric"]) for row in told().to_dict("records") if row["tool"] == "letor4"}
    found = []
    for (dataset, metric), group in results().query("metric != 'MAP'").groupby(["dataset", "metric"]):
        rows = [(r["method"], r["value"], sources_of(r["origin"])) for r in group.to_dict("records")]
        for one, other in combinations(rows, 2):
            (higher, high, first), (lower, low, second) = sorted((one, other), key=lambda row: -row[1])
            if first & second:
                kind = "official" if first & second & set(LETOR) else "source"
            elif str(dataset).endswith("MQ2008") and {(higher, metric), (lower, metric)} <= level:
                kind = "level"
            else:
                kind = "apart"
            found.append(
                Pair(str(dataset), str(metric), higher, lower, kind, high == low, high / low - 1 if low else 1.0)
            )
    return tuple(found)


@cache
def bounds() -> pd.DataFrame:
    """NWN over all metrics, and the lowest and highest that it can be if comparisons of unknown tools were mixed.

    A comparison between publications may turn if the difference is smaller than what the discount alone can do; MAP
    and all comparisons of one convention stay.

    Returns
    -------
    DataFrame
        method, iwn (by the printed formula), nwn, lowest, highest, open (share of the comparisons that may turn).

    Examples
    --------
    >>> row = bounds().set_index("method").loc["LRUF"]
    >>> bool(row["lowest"] <= row["nwn"] <= row["highest"])
    True
    """
    effect = discount_effect()
    won: dict[str, int] = {}
    possible: dict[str, int] = {}
    may_lose: dict[str, int] = {}
    may_win: dict[str, int] = {}
    for pair in (*pairs(), *_map_pairs()):
        turns = pair.kind == "apart" and pair.gap < effect[pair.metric]
        for method in (pair.higher, pair.lower):
            possible[method] = possible.get(method, 0) + 1
        if not pair.tied:
            won[pair.higher] = won.get(pair.higher, 0) + 1
            may_lose[pair.higher] = may_lose.get(pair.higher, 0) + turns
        may_win[pair.lower] = may_win.get(pair.lower, 0) + turns
        if pair.tied:
            may_win[pair.higher] = may_win.get(pair.higher, 0) + turns
    rows = []
    for method, most in possible.items():
        wins, lost, gained = (count.get(method, 0) for count in (won, may_lose, may_win))
        rows.append((method, most, wins / most, (wins - lost) / most, (wins + gained) / most, (lost + gained) / most))
    return pd.DataFrame(rows, columns=["method", "iwn", "nwn", "lowest", "highest", "open"])


def _map_pairs() -> list[Pair]:
    found = []
    for dataset, group in results().query("metric == 'MAP'").groupby("dataset"):
        rows = sorted(((r["value"], r["method"]) for r in group.to_dict("records")), reverse=True)
        for (high, higher), (low, lower) in combinations(rows, 2):
            found.append(Pair(str(dataset), "MAP", higher, lower, "map", high == low, 0.0))
    return found


def certain_front() -> set[str]:
    """Methods that no other can dominate, however the open comparisons turn."""
    rows = bounds().to_dict("records")
    return {
        row["method"]
        for row in rows
        if not any(_dominates(other, row, "highest", "lowest") for other in rows if other is not row)
    }


def possible_front() -> set[str]:
    """Methods that are on the front in some way of turning the open comparisons, taken one method at a time."""
    rows = bounds().to_dict("records")
    return {
        row["method"]
        for row in rows
        if not any(_dominates(other, row, "lowest", "highest") for other in rows if other is not row)
    }


def _dominates(one: Mapping[Hashable, Any], other: Mapping[Hashable, Any], mine: str, its: str) -> bool:
    at_least = one["iwn"] >= other["iwn"] and one[mine] >= other[its]
    return bool(at_least and (one["iwn"] > other["iwn"] or one[mine] > other[its]))


@cache
def known_only() -> dict[str, tuple[float, float]]:
    """NWN and IWN over the comparisons that are of one convention for sure, and all of MAP."""
    won: dict[str, int] = {}
    possible: dict[str, int] = {}
    for pair in (*(one for one in pairs() if one.kind != "apart"), *_map_pairs()):
        for method in (pair.higher, pair.lower):
            possible[method] = possible.get(method, 0) + 1
        won[pair.higher] = won.get(pair.higher, 0) + (not pair.tied)
    return {method: (won.get(method, 0) / most, float(most)) for method, most in possible.items()}


@cache
def fronts() -> pd.DataFrame:
    """Who is on the front: all results, without those on another scale, and over comparisons of one convention only."""
    table = results()
    apart = {
        name: table["origin"].map(sources_of).map(lambda found, s=source: s in found)
        & (table["dataset"] == dataset)
        & (table["metric"] != "MAP")
        for name, (source, dataset) in MIXED.items()
    }
    members = {"nothing": front_of_results(table, rule=AS_PRINTED)}
    members |= {name: front_of_results(table[~rows], rule=AS_PRINTED) for name, rows in apart.items()}
    both = pd.concat(list(apart.values()), axis=1).any(axis=1)
    members["both of these"] = front_of_results(table[~both], rule=AS_PRINTED)
    members["all of unknown tools"] = front_of(known_only())
    ever = sorted(set().union(*members.values()), key=lambda method: (counts()[method, "all"].iwn, method))
    return pd.DataFrame([[m in front for m in ever] for front in members.values()], index=list(members), columns=ever)
