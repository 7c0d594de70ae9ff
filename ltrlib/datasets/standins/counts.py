"""Queries, documents and labels of the stand-ins, as parameters: from real data where it is here, else from counts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.standins.recipe import LATENT_UNIT

__all__ = ["FOLD_FILES", "FOLD_SECTIONS", "count_queries", "label_model", "spread_sizes"]

FOLD_SECTIONS = {f"S{i}": f"Fold{i % 5 + 1}/test" for i in range(1, 6)}
"""The five sections of a LETOR set, each with the part that is exactly this section."""

FOLD_FILES = {
    f"Fold{fold + 1}/{role}": [f"S{(fold + i) % 5 + 1}" for i in places]
    for fold in range(5)
    for role, places in {"train": (0, 1, 2), "vali": (3,), "test": (4,)}.items()
}
"""How the sections rotate through the folds."""


def count_queries(data: RankingData, n_labels: int) -> list[list[int]]:
    """Count queries by size and documents per label.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.zeros((5, 1), np.float32), np.array([0, 1, 0, 0, 1], np.int32), np.array([0, 2, 3, 5]),
    ...                    np.array(["a", "b", "c"]), None, Source("example"))
    >>> count_queries(data, 2)
    [[1, 1, 0, 1], [2, 1, 1, 2]]
    """
    found = [np.bincount(data.labels[a:b], minlength=n_labels).tolist() for a, b in pairwise(data.query_offsets)]
    kinds, times = np.unique(np.array(found), axis=0, return_counts=True)
    return sorted([int(kind.sum()), *kind.tolist(), int(n)] for kind, n in zip(kinds, times, strict=True))


def spread_sizes(quantiles: Mapping[float, int], *, queries: int, rows: int) -> list[list[int]]:
    """Choose query sizes with given quantiles and an exact total, and count them.

    Parameters
    ----------
    quantiles
        Size at some levels, 0 and 1 among them; the sizes between are on straight lines.
    queries, rows
        How many queries, and how many documents they have together.

    Examples
    --------
    >>> spread_sizes({0: 1, 0.5: 4, 1: 7}, queries=7, rows=30)
    [[1, 1], [2, 1], [3, 1], [4, 1], [6, 1], [7, 2]]
    """
    levels = np.linspace(0, 1, queries)
    sizes = np.interp(levels, list(quantiles), list(quantiles.values()))
    inner = sizes[1:-1]
    inner *= (rows - sizes[0] - sizes[-1]) / inner.sum()
    sizes = np.clip(np.rint(sizes), quantiles[0], quantiles[1]).astype(int)
    while short := rows - int(sizes.sum()):
        # Evenly over the ranks; the smallest and the largest query stay as they are.
        chosen = np.linspace(0, queries - 1, min(abs(short), queries - 2) + 2)[1:-1].astype(int)
        sizes[chosen] = np.clip(sizes[chosen] + np.sign(short), quantiles[0], quantiles[1])
    values, times = np.unique(sizes, return_counts=True)
    return [[int(value), int(n)] for value, n in zip(values, times, strict=True)]


def label_model(shares: ArrayLike, *, alike: float, empty: float) -> dict[str, Any]:
    """Describe how labels are drawn when only their shares are known.

    Parameters
    ----------
    shares
        Share of each label.
    alike
        Correlation of the latent relevance of two documents of a query.
    empty
        Share of queries in which every document gets label 0, on top of those that have only 0 by chance.

    Examples
    --------
    >>> label_model([0.5, 0.5], alike=0.25, empty=0)
    {'cuts': [0], 'query': 128, 'doc': 222, 'empty': 0}
    """
    at_most = (np.cumsum(shares)[:-1] / np.sum(shares) - empty) / (1 - empty)
    return {
        "cuts": [round(LATENT_UNIT * float(ndtri(level))) for level in at_most],
        "query": round(256 * alike**0.5),
        "doc": round(256 * (1 - alike) ** 0.5),
        "empty": round(65536 * empty),
    }
