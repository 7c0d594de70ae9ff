"""What a convention adds or takes away by itself, whatever the ranker: empty, short and perfectly ranked queries."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.judgments import Documents
from ltrlib.metrics.tools import TOOLS, template

__all__ = ["empty_share", "perfect_scores", "short_shares"]


def empty_share(labels: ArrayLike, query_offsets: ArrayLike) -> float:
    """Share of queries without a relevant document: what a tool that scores them 1 adds to one that scores them 0.

    Examples
    --------
    >>> empty_share([0, 0, 1, 0], [0, 2, 4])
    0.5
    """
    documents = Documents(labels, query_offsets)
    return float(np.mean(documents.count(documents.grades > 0) == 0))


def short_shares(query_offsets: ArrayLike, cutoffs: Iterable[int] = range(1, 11)) -> pd.Series:
    """Share of queries with fewer than k documents, per cut-off k.

    Examples
    --------
    >>> short_shares([0, 2, 12], [2, 3]).to_dict()
    {2: 0.0, 3: 0.5}
    """
    sizes = np.diff(np.asarray(query_offsets))
    return pd.Series({k: float(np.mean(sizes < k)) for k in cutoffs}, name="short")


def perfect_scores(
    labels: NDArray[np.int32],
    query_offsets: NDArray[np.int64],
    tools: Iterable[str] = tuple(TOOLS),
    cutoffs: Iterable[int] = range(1, 11),
) -> pd.DataFrame:
    """Mean NDCG of a perfect ranking: one row per tool, one column per cut-off.

    The scores are the labels, so tied documents are alike and no tie rule matters.

    Examples
    --------
    >>> perfect_scores(np.array([1, 0, 0, 0], np.int32), np.array([0, 2, 4]), ["yahoo", "letor4"], [1, 3]).round(2)
              1    3
    yahoo   1.0  1.0
    letor4  0.5  0.0
    """
    tools, cutoffs = list(tools), list(cutoffs)
    wanted = {(name, k): template("ndcg", k, name) for name in tools for k in cutoffs}
    result = Evaluator(wanted.values(), labels, query_offsets)(labels)
    rows = [[result[wanted[name, k]].mean for k in cutoffs] for name in tools]
    return pd.DataFrame(rows, index=tools, columns=cutoffs)
