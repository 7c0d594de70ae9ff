"""A published table counted again, and the time that counting takes."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ltrlib.comparison.results import ALL_METRICS
from ltrlib.comparison.winning import winning_numbers
from ltrlib.papers.tax2015.method.liu import published_wins, wins_on_td2003

__all__ = ["growth", "growth_numbers", "letor3_wins"]

_SHOWN = ("NDCG@1", "NDCG@3", "NDCG@10", "MAP")


def letor3_wins() -> pd.DataFrame:
    """Our count of wins on TD2003, of the published total over the seven data sets of LETOR 3.0.

    Examples
    --------
    >>> letor3_wins().set_index("method").loc["ListNet", "MAP"]
    '6 of 33'
    """
    published, counted = published_wins(), wins_on_td2003()
    rows = [
        {"method": method} | {m: f"{counted[m][method]} of {published[m][method]}" for m in _SHOWN}
        for method in published[_SHOWN[0]]
    ]
    rows.append({"method": "sum"} | {m: f"{sum(counted[m].values())} of {sum(published[m].values())}" for m in _SHOWN})
    return pd.DataFrame(rows)


def growth(sizes: Sequence[int], *, seed: int = 0) -> pd.DataFrame:
    """Measure the time to count random results, with a tenth of all methods on each of a hundred data sets.

    Parameters
    ----------
    sizes
        Numbers of results.
    seed
        Start of the random numbers.

    Returns
    -------
    DataFrame
        results, comparisons, seconds (processor time, the best of three).
    """
    random = np.random.default_rng(seed)
    rows = []
    for size in sizes:
        n_methods = size // 10
        cells = np.sort(random.choice(n_methods * 100, size, replace=False))
        methods = np.array([f"m{i}" for i in range(n_methods)], dtype=object)
        datasets = np.array([f"d{i}" for i in range(100)], dtype=object)
        results = pd.DataFrame(
            {
                "method": methods[cells // 100],
                "dataset": datasets[cells % 100],
                "metric": "MAP",
                "value": random.random(size).round(4),
            }
        )
        times = []
        for _ in range(3):
            begin = time.process_time()
            counted = winning_numbers(results)
            times.append(time.process_time() - begin)
        comparisons = int(counted.loc[counted["metric"] == ALL_METRICS, "iwn"].sum()) // 2
        rows.append((size, comparisons, min(times)))
    return pd.DataFrame(rows, columns=["results", "comparisons", "seconds"])


def growth_numbers(times: pd.DataFrame) -> dict[str, str]:
    """How much results, comparisons and seconds grow from the smallest table to the largest, for the prose.

    Examples
    --------
    >>> growth_numbers(pd.DataFrame({"results": [1, 30], "comparisons": [1, 900], "seconds": [0.1, 1]}))["growth-time"]
    '1.00'
    """
    first, last = times.iloc[0], times.iloc[-1]
    return {
        "growth-results": f"{last['results'] / first['results']:.0f}",
        "growth-comparisons": f"{last['comparisons'] / first['comparisons']:,.0f}",
        "growth-seconds": f"{last['seconds'] / first['seconds']:.0f}",
        "growth-largest": f"{last['comparisons']:,.0f}",
        "growth-time": f"{last['seconds']:.2f}",
    }
