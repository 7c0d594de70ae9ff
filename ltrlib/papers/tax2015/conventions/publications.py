"""Leave one publication out: how much its results move the others, and whom it takes off the front."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pandas as pd

from ltrlib.papers.tax2015.b6 import front_of
from ltrlib.papers.tax2015.conventions.levels import sources_of
from ltrlib.papers.tax2015.counted import counts, points_of_results
from ltrlib.papers.tax2015.matrix import results

__all__ = ["influence", "other_publications"]


@cache
def influence() -> pd.DataFrame:
    """What happens without the results that only one publication has.

    Returns
    -------
    DataFrame
        publication, results (that go with it), moved (mean absolute change of NWN of the methods that stay), off (who
        leaves the front though it has results elsewhere); most results first.
    """
    table, rows = results(), []
    sources = table["origin"].map(sources_of)
    before = {method: float(one.nwn) for (method, metric), one in counts().items() if metric == "all"}
    front = front_of(points_of_results(table))
    own: dict[str, set[str]] = {}
    for method, found in zip(table["method"], sources, strict=True):
        own.setdefault(method, set()).update(found)
    for publication in sorted(set().union(*sources)):
        alone = sources.map(lambda found, one=publication: found == frozenset({one}))
        points = points_of_results(table[~alone])
        moved = [abs(nwn - before[method]) for method, (nwn, _) in points.items()]
        off = sorted(method for method in front - front_of(points) if publication not in own[method])
        rows.append((publication, int(alone.sum()), float(np.mean(moved)), "; ".join(off)))
    found = pd.DataFrame(rows, columns=["publication", "results", "moved", "off"])
    return found.sort_values("results", ascending=False, ignore_index=True)


def other_publications(methods: Sequence[str]) -> dict[str, list[str]]:
    """For each method the publications without results of it, without which it leaves the front.

    The official baselines of LETOR, a third of all results, are no publication in this sense.

    Examples
    --------
    >>> other_publications(["ListNet"])
    {'ListNet': []}
    """
    rows = influence().to_dict("records")
    return {
        method: [
            r["publication"]
            for r in rows
            if method in r["off"].split("; ") and r["publication"] not in ("L2", "L3", "L4")
        ]
        for method in methods
    }
