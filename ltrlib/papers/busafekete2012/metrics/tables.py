"""What a metric convention does to the score of one and the same ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.metric import MAP, NDCG
from ltrlib.metrics.tools import TOOLS

__all__ = [
    "CHOICES",
    "change_one_choice",
    "relevance_thresholds",
    "score_under_tools",
    "tied_share",
]

CHOICES: tuple[tuple[str, Any, str], ...] = (
    ("empty", 1.0, "a query with nothing relevant scores 1"),
    ("empty", "skip", "a query with nothing relevant is left out"),
    ("short", "zero", "a query shorter than the cut-off scores 0"),
    ("gain", "linear", "gain is the label, not 2^label − 1"),
    ("discount", "letor", "rank 2 is not discounted (LETOR's 1, 1, 1/log2 i)"),
    ("ties", "docid", "ties by document id, descending"),
    ("ties", "average", "ties averaged"),
    ("ties", "worst", "ties in the worst order"),
    ("precision", "float32", "scores compared in float32"),
)
"""Field, value and meaning of each way in which tools depart from the definition as RankLib computes it."""


def score_under_tools(
    data: RankingData, scores: NDArray[np.float64], *, cutoffs: Sequence[int] = range(1, 11)
) -> pd.DataFrame:
    """Mean NDCG of one ranking under every tool whose gains cover the labels: a row per tool, a column per cut-off.

    Examples
    --------
    >>> from ltrlib.datasets.loading import load
    >>> data = load("standin/mq2008", "Fold1/test")
    >>> table = score_under_tools(data, data.labels.astype(float), cutoffs=[10])
    >>> bool(table.loc["yahoo", 10] == 1.0)
    True
    """
    highest = int(data.labels.max())
    metrics = {}
    for name, tool in TOOLS.items():
        for k in cutoffs:
            metric = tool.template("ndcg", k)
            if isinstance(metric, NDCG) and (isinstance(metric.gain, str) or len(metric.gain) > highest):
                metrics[name, k] = metric
    result = Evaluator(list(metrics.values()), data.labels, data.query_offsets, doc_ids=data.doc_ids)(scores)
    tools = list(dict.fromkeys(name for name, _ in metrics))
    return pd.DataFrame([[result[metrics[name, k]].mean for k in cutoffs] for name in tools], tools, list(cutoffs))


def change_one_choice(data: RankingData, scores: NDArray[np.float64], *, k: int = 10) -> pd.DataFrame:
    """Start from RankLib's NDCG@k and change one choice at a time.

    Returns
    -------
    DataFrame
        One row per choice: what changes, the mean, its change, the share of queries whose value changes, and the
        tools that make this choice.

    Examples
    --------
    >>> from ltrlib.datasets.loading import load
    >>> data = load("standin/mq2008", "Fold1/test")
    >>> table = change_one_choice(data, data.labels.astype(float))
    >>> table["choice"].iloc[0]
    'a query with nothing relevant scores 1'
    """
    base = NDCG(k)
    changed = [replace(base, **{field: value}) for field, value, _ in CHOICES]
    result = Evaluator([base, *changed], data.labels, data.query_offsets, doc_ids=data.doc_ids)(scores)
    reference = result[base]
    rows = []
    for (field, value, meaning), metric in zip(CHOICES, changed, strict=True):
        values = result[metric]
        differs = ~np.isclose(values.per_query, reference.per_query, rtol=0, atol=1e-12)
        rows.append(
            {
                "choice": meaning,
                "mean": values.mean,
                "change": values.mean - reference.mean,
                "queries changed": float(np.mean(differs)),
                "tools": ", ".join(
                    tool.title for tool in TOOLS.values() if getattr(tool.template("ndcg", k), field) == value
                ),
            }
        )
    return pd.DataFrame(rows)


def tied_share(data: RankingData, scores: NDArray[np.float64]) -> float:
    """Share of the documents whose score equals that of another document of the same query.

    Examples
    --------
    >>> from ltrlib.datasets.loading import load
    >>> data = load("standin/mq2008", "Fold1/test")
    >>> tied_share(data, np.zeros(data.n_docs)) > 0.9
    True
    """
    query = np.repeat(np.arange(data.n_queries), data.query_sizes)
    _, place, number = np.unique(np.column_stack([query, scores]), axis=0, return_inverse=True, return_counts=True)
    return float(np.mean(number[place] > 1))


def relevance_thresholds(data: RankingData, scores: NDArray[np.float64]) -> pd.Series:
    """MAP when label 1 counts as relevant, and when only label 2 does, as in the MSLR script.

    Examples
    --------
    >>> from ltrlib.datasets.loading import load
    >>> data = load("standin/mq2008", "Fold1/test")
    >>> sorted(relevance_thresholds(data, data.labels.astype(float)).index)
    [1, 2]
    """
    result = Evaluator([MAP(), MAP(relevant_from=2)], data.labels, data.query_offsets)(scores)
    return pd.Series({1: result[MAP()].mean, 2: result[MAP(relevant_from=2)].mean})
