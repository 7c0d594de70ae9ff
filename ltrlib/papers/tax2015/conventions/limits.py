"""Sections 5.1 and 6: graded relevance, and whether the opposition is equally strong on each data set."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations

import numpy as np
import pandas as pd

from ltrlib.papers.tax2015.b6 import front_of
from ltrlib.papers.tax2015.counted import Count, count, counts
from ltrlib.papers.tax2015.matrix import results

__all__ = ["BINARY", "FEWEST", "graded_nwn", "is_binary", "opposition", "weighed_front"]

BINARY = frozenset({"TD2003", "TD2004", "HP2003", "HP2004", "NP2003", "NP2004"})
"""Data sets of LETOR 2.0 and 3.0 whose labels are 0 and 1 only: there NDCG has no grades to use."""

FEWEST = 10
"""A data set with fewer methods says too little about their strength."""

_GRADED = ("OHSUMED", "MQ2007", "MQ2008", "MSLR-WEB10K", "MSLR-WEB30K", "Yahoo Set 1", "Yahoo Set 2")


def is_binary(dataset: str) -> bool:
    """Whether a data set has two labels only.

    Examples
    --------
    >>> is_binary("LETOR 3.0 TD2003"), is_binary("LETOR 3.0 OHSUMED")
    (True, False)
    """
    return dataset.rpartition(" ")[2] in BINARY


def graded_nwn(methods: Sequence[str], table: pd.DataFrame | None = None) -> pd.DataFrame:
    """NWN of methods by NDCG on data sets with graded and with binary labels, and by MAP on the latter.

    Returns
    -------
    DataFrame
        method, results, on_binary (NDCG results, and those on binary sets), graded, binary, map_binary (NWN).

    Examples
    --------
    >>> row = graded_nwn(("LRUF",)).iloc[0]
    >>> int(row["results"]), int(row["on_binary"]), float(row["graded"])
    (12, 6, 1.0)
    """
    table = results() if table is None else table
    ndcg, binary = table["metric"] != "MAP", table["dataset"].map(is_binary)
    graded = table["dataset"].map(lambda name: name.endswith(_GRADED))
    by = {
        "graded": count(table[ndcg & graded]),
        "binary": count(table[ndcg & binary]),
        "map_binary": count(table[~ndcg & binary]),
    }
    rows = []
    for method in methods:
        own = table[ndcg & (table["method"] == method)]
        rows.append(
            {
                "method": method,
                "results": len(own),
                "on_binary": int(own["dataset"].map(is_binary).sum()),
                **{name: _nwn(found, method) for name, found in by.items()},
            }
        )
    return pd.DataFrame(rows)


def _nwn(found: dict[tuple[str, str], Count], method: str) -> float:
    return float(found[method, "all"].nwn) if (method, "all") in found else float("nan")


@cache
def opposition() -> pd.DataFrame:
    """How strong the methods are that were evaluated on each data set: their NWN over all *other* data sets.

    So a data set does not grade itself.

    Returns
    -------
    DataFrame
        dataset, methods (those with another data set), strength (their mean), error (of the mean); weakest first.
    """
    table, rows = results(), []
    for dataset in sorted(set(table["dataset"])):
        elsewhere = count(table[table["dataset"] != dataset])
        strengths = [
            _nwn(elsewhere, method) for method in sorted(set(table.loc[table["dataset"] == dataset, "method"]))
        ]
        known = np.array([value for value in strengths if not np.isnan(value)])
        rows.append((dataset, len(known), known.mean(), known.std(ddof=1) / np.sqrt(len(known))))
    found = pd.DataFrame(rows, columns=["dataset", "methods", "strength", "error"])
    return found.sort_values("strength", ignore_index=True)


@cache
def weighed_front() -> set[str]:
    """The front if a win counts by the strength of who was beaten: the sum of their NWN over that of all opponents."""
    strength = {method: float(one.nwn) for (method, metric), one in counts().items() if metric == "all"}
    won, faced = dict.fromkeys(strength, 0.0), dict.fromkeys(strength, 0.0)
    for _, group in results().groupby(["dataset", "metric"]):
        rows = [(row["method"], row["value"]) for row in group.to_dict("records") if row["method"] in strength]
        for (method, value), (other, its) in permutations(rows, 2):
            faced[method] += strength[other]
            won[method] += strength[other] * (value > its)
    points = {m: (won[m] / faced[m], float(counts()[m, "all"].iwn)) for m in strength if faced[m]}
    return front_of(points)
