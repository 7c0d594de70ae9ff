"""From the scores of the test documents to one row per training and query, under all tools."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.ndcg_by_tool import conventions, ndcg_by_convention
from ltrlib.papers.busafekete2012.study.conventions import CUTOFF, CUTOFFS, metric_of

__all__ = ["QUERY_COLUMNS", "RUN_COLUMNS", "SCORED", "Unit", "query_rows"]

SCORED = ("ranklib", "letor4")
"""Conventions whose values are kept at every cut-off; Yahoo!'s follow from RankLib's."""

_CURVES = tuple((name, k) for name in SCORED for k in CUTOFFS)

RUN_COLUMNS = {
    "learner": "str",
    "trained_under": "str",
    "fold": "int",
    "seed": "int",
    "parameters": "str",
    "size": "int",
    "vali": "float",
    "tied": "float",
    "seconds": "float",
}
"""Schema of the table of trainings; ``tied`` is the share of test documents whose score is not unique in its query."""

QUERY_COLUMNS = {
    "fold": "int",
    "query": "str",
    "documents": "int",
    "empty": "bool",
    "learner": "str",
    "trained_under": "str",
    "seed": "int",
    **{f"{name}@{k}": "float" for name, k in _CURVES},
    f"trec@{CUTOFF}": "float",
    **{f"{name}@{CUTOFF}": "float" for name in conventions() if name not in SCORED},
}
"""Schema of the table of test queries: NDCG by convention and cut-off.

``letor4`` and ``trec`` are the paper's, with exponential gains whatever the labels; the last ones are every other
convention that ltrlib knows (:func:`ltrlib.metrics.ndcg_by_tool.conventions`), as the tools have them.
"""


@dataclass(frozen=True, order=True)
class Unit:
    """One training: what is done once, and resumed.

    Examples
    --------
    >>> Unit("AdaRank", 1, 0, "yahoo").name
    'adarank-fold1-seed0-yahoo'
    """

    learner: str
    fold: int
    seed: int
    convention: str

    @property
    def name(self) -> str:
        """For files."""
        return f"{self.learner.lower()}-fold{self.fold}-seed{self.seed}-{self.convention}"


def query_rows(unit: Unit, test: RankingData, scores: NDArray[np.float64], *, highest: int) -> pd.DataFrame:
    """One row per query of a test part; a tool that has no gain for the label ``highest`` scores NaN.

    Examples
    --------
    >>> from ltrlib.datasets.loading import load
    >>> test = load("standin/mq2008", "Fold1/test", scale=0.1)
    >>> rows = query_rows(Unit("AdaRank", 1, 0, "yahoo"), test, test.labels.astype(float), highest=2)
    >>> list(rows.columns) == list(QUERY_COLUMNS), bool((rows.loc[~rows["empty"], "ranklib@10"] == 1).all())
    (True, True)
    """
    metrics = {f"{name}@{k}": metric_of(name, k) for name, k in (*_CURVES, ("trec", CUTOFF))}
    found = evaluate_data(list(metrics.values()), test, scores)
    everywhere = ndcg_by_convention(test, scores, highest=highest)
    known = {
        "fold": unit.fold,
        "query": test.query_ids.astype(object),
        "documents": test.query_sizes,
        "empty": np.maximum.reduceat(test.labels, test.query_offsets[:-1]) == 0,
        "learner": unit.learner,
        "trained_under": unit.convention,
        "seed": unit.seed,
    }
    values = {name: found[metric].per_query for name, metric in metrics.items()}
    values |= {f"{name}@{CUTOFF}": everywhere[name] for name in conventions() if name not in SCORED}
    table = pd.DataFrame(known | values)
    return table.astype({name: {"str": "str", "int": "int64"}.get(kind, kind) for name, kind in QUERY_COLUMNS.items()})
