"""Whether queries with many documents are the difficult ones, and engines overlap less there (Section 4.1).

Fixed before the first result: what difficult means, who the engines are, and that the paper gives no size, so that only
the reverse would speak against it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ltrlib.claims.cells import Measured

__all__ = ["DATASETS", "DEPTH", "ENGINES", "agreement", "concordance", "could_differ", "pool_size"]

DATASETS = ("mq2008", "mslr-web10k-sample")
"""Web search data with lists of very different length; neither was made by Algorithm 1."""

ENGINES = 5
"""Rankers that see a fifth of the features each: different engines for the same documents."""

DEPTH = 5
"""Each engine names its first five documents, as in Section 4.1."""

_ROUNDS = 2000


def concordance(labels: ArrayLike, scores: ArrayLike) -> float:
    """Share of the pairs of documents with different labels that the scores put in order; ties count half.

    It is one half for a random order however long the list is, which neither NDCG nor ERR is: a measure of difficulty
    must not fall with the length by itself. NaN if all labels are equal.

    Examples
    --------
    >>> concordance([2, 0, 1], [0.9, 0.5, 0.1])  # two of three pairs
    0.6666666666666666
    """
    y, s = np.asarray(labels), np.asarray(scores)
    better = y[:, None] > y[None, :]
    right = (s[:, None] > s[None, :]) + 0.5 * (s[:, None] == s[None, :])
    return float(right[better].mean()) if better.any() else float("nan")


def pool_size(engines: list[NDArray[np.float64]], depth: int = DEPTH) -> int:
    """How many documents are among the first of at least one engine.

    Examples
    --------
    >>> pool_size([np.array([0.9, 0.8, 0.1]), np.array([0.9, 0.1, 0.8])], depth=2)
    3
    """
    return len({int(place) for scores in engines for place in np.argsort(-scores, kind="stable")[:depth]})


def could_differ(table: pd.DataFrame) -> pd.DataFrame:
    """Queries with enough documents for engines that have none in common.

    Examples
    --------
    >>> could_differ(pd.DataFrame({"documents": [24, 25]}))["documents"].tolist()
    [25]
    """
    return table[table["documents"] >= ENGINES * DEPTH]


def agreement(first: ArrayLike, second: ArrayLike, *, seed: int = 0) -> Measured:
    """Spearman's rank correlation, with its error over samples of the queries.

    Examples
    --------
    >>> agreement(range(50), range(50)).value
    1.0
    """
    from scipy.stats import spearmanr

    x, y = np.asarray(first), np.asarray(second)
    rng = np.random.default_rng(seed)
    drawn = (rng.integers(0, len(x), len(x)) for _ in range(_ROUNDS))
    sampled = np.array([spearmanr(x[rows], y[rows]).statistic for rows in drawn])
    return Measured(float(round(spearmanr(x, y).statistic, 12)), float(np.nanstd(sampled, ddof=1)), len(x) - 1)
