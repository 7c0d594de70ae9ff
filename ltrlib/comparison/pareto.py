"""Pareto fronts and ranks of points with two coordinates, both of which should be high.

Two readings of "dominates" are in use:

- ``usual``: at least as good on both axes and better on one. A tie on one axis does not protect.
- ``strict``: better on both axes, which is what Tax et al. (2015) print. A tie on one axis protects, so that their
  front is never smaller than the usual one.

Equal points never dominate one another. Rank 1 is the front; rank 2 is the front of what remains without it, and so
on, so that a point's rank is the length of the longest chain of points that ends in it, each dominating the next.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import groupby
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ltrlib.comparison.results import ALL_METRICS
from ltrlib.errors import UsageError

__all__ = ["Reading", "add_pareto_ranks", "dominators", "pareto_front", "pareto_ranks"]

Reading = Literal["usual", "strict"]


def pareto_ranks(x: ArrayLike, y: ArrayLike, *, reading: Reading = "usual") -> NDArray[np.int64]:
    """Rank points by peeling off one front after another, in O(n log n).

    Parameters
    ----------
    x, y
        The coordinates; higher is better on both, and NaN is an error.
    reading
        What "dominates" means.

    Examples
    --------
    >>> pareto_ranks([1, 2, 2, 1], [3, 1, 2, 3])
    array([1, 2, 1, 1])
    >>> pareto_ranks([1, 2, 2, 1], [3, 1, 2, 3], reading="strict")
    array([1, 1, 1, 1])
    """
    xs, ys = _coordinates(x, y, reading)
    # From right to left, and from top to bottom where x is equal: whatever dominates a point comes before it. The
    # highest y of a rank tells whether that rank holds a dominator; these highest values fall from rank to rank, so
    # the first rank without a dominator is found by bisection. They are kept with the sign changed: bisect wants
    # rising numbers.
    order = np.lexsort((-ys, -xs))
    tops: list[float] = []
    ranks = np.zeros(xs.size, dtype=np.int64)
    if reading == "usual":
        previous = -1
        for i in order:
            if previous >= 0 and xs[i] == xs[previous] and ys[i] == ys[previous]:
                ranks[i] = ranks[previous]
                continue
            ranks[i] = _raise_top(tops, bisect_right(tops, -ys[i]), -ys[i])
            previous = i
        return ranks
    for _, column in groupby(order, key=lambda i: xs[i]):
        members = list(column)
        # Points of equal x do not dominate one another, so they are ranked before any of them is entered.
        places = [bisect_left(tops, -ys[i]) for i in members]
        for i, place in zip(members, places, strict=True):
            ranks[i] = _raise_top(tops, place, -ys[i])
    return ranks


def pareto_front(x: ArrayLike, y: ArrayLike, *, reading: Reading = "usual") -> NDArray[np.bool_]:
    """Tell which points nothing dominates.

    Parameters
    ----------
    x, y, reading
        As in `pareto_ranks`.

    Examples
    --------
    >>> pareto_front([1, 2, 2], [3, 1, 2])
    array([ True, False,  True])
    """
    front: NDArray[np.bool_] = pareto_ranks(x, y, reading=reading) == 1
    return front


def dominators(x: ArrayLike, y: ArrayLike, *, reading: Reading = "usual") -> list[NDArray[np.int64]]:
    """List, for each point, the points that dominate it.

    Tax et al. (2015) call a method with exactly one (strict) dominator a Rank-2 optimum: its list has length 1.

    Parameters
    ----------
    x, y, reading
        As in `pareto_ranks`.

    Examples
    --------
    >>> dominators([1, 2, 2], [1, 1, 2])
    [array([1, 2]), array([2]), array([], dtype=int64)]
    """
    xs, ys = _coordinates(x, y, reading)
    found = []
    for here_x, here_y in zip(xs, ys, strict=True):
        if reading == "strict":
            better = (xs > here_x) & (ys > here_y)
        else:
            better = (xs >= here_x) & (ys >= here_y) & ((xs > here_x) | (ys > here_y))
        found.append(np.flatnonzero(better))
    return found


def add_pareto_ranks(winning: pd.DataFrame, *, reading: Reading = "usual") -> pd.DataFrame:
    """Add a column ``pareto_rank`` to a table of winning numbers.

    The axes are those of Tax et al. (2015): within a metric NWN and the number of data sets, over all metrics NWN and
    IWN. A method without an NWN has no rank.

    Parameters
    ----------
    winning
        What `ltrlib.comparison.winning.winning_numbers` returns.
    reading
        As in `pareto_ranks`.

    Examples
    --------
    >>> winning = pd.DataFrame(
    ...     {"method": ["A", "B"], "metric": "MAP", "wn": [1, 0], "iwn": 1, "nwn": [1.0, 0.0], "datasets": [1, 1]}
    ... )
    >>> add_pareto_ranks(winning)["pareto_rank"].tolist()
    [1, 2]
    """
    ranks = pd.Series(pd.NA, index=winning.index, dtype="Int64")
    for metric, rows in winning[winning["nwn"].notna()].groupby("metric", sort=False):
        certainty = rows["iwn" if metric == ALL_METRICS else "datasets"]
        ranks[rows.index] = pareto_ranks(certainty, rows["nwn"], reading=reading)
    return winning.assign(pareto_rank=ranks)


def _raise_top(tops: list[float], place: int, value: float) -> int:
    """Enter a point into the rank at ``place`` and return that rank, counted from 1."""
    if place == len(tops):
        tops.append(value)
    else:
        tops[place] = min(tops[place], value)
    return place + 1


def _coordinates(x: ArrayLike, y: ArrayLike, reading: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if reading not in ("usual", "strict"):
        raise UsageError(f"no reading {reading!r}", where="reading", cure="one of usual, strict")
    xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if xs.ndim != 1 or xs.shape != ys.shape:
        raise UsageError(f"x has shape {xs.shape} and y {ys.shape}", cure="give two lists of equal length")
    if np.isnan(xs).any() or np.isnan(ys).any():
        raise UsageError("a coordinate is NaN and cannot be compared", cure="leave such points out")
    return xs, ys
