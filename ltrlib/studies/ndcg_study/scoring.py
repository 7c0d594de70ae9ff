"""From the scores of the test documents to one row per training and query, under all tools."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.names import parse
from ltrlib.studies.ndcg_study.conventions import CUTOFF, CUTOFFS, metric_of

__all__ = ["OTHER_TOOLS", "QUERY_COLUMNS", "RUN_COLUMNS", "SCORED", "Unit", "query_rows"]

SCORED = ("ranklib", "yahoo", "letor4", "trec")
"""Conventions that score every test query at every cut-off."""

OTHER_TOOLS = ("trec_eval", "sklearn", "catboost", "ranx", "xgboost-", "tf_ranking", "torchmetrics")
"""Tools with yet other gains, ties or precisions, kept at the last cut-off.

Those that are missing follow from the others: LETOR 3.0 and MSLR are LETOR 4.0 here, LightGBM is Yahoo!'s, rax is
``xgboost-``, to which XGBoost adds 1 for each empty query; pytrec_eval and ir-measures are trec_eval.
"""

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
    **{f"{convention}@{k}": "float" for convention in SCORED for k in CUTOFFS},
    **{f"{tool}@{CUTOFF}": "float" for tool in OTHER_TOOLS},
}
"""Schema of the table of test queries: NDCG by convention and cut-off."""


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


def query_rows(unit: Unit, test: RankingData, scores: NDArray[np.float64]) -> pd.DataFrame:
    """One row per query of a test part.

    Examples
    --------
    >>> from ltrlib.datasets.loading import load
    >>> test = load("standin/mq2008", "Fold1/test", scale=0.1)
    >>> rows = query_rows(Unit("AdaRank", 1, 0, "yahoo"), test, test.labels.astype(float))
    >>> list(rows.columns) == list(QUERY_COLUMNS), bool((rows.loc[~rows["empty"], "ranklib@10"] == 1).all())
    (True, True)
    """
    metrics = {f"{name}@{k}": metric_of(name, k) for name in SCORED for k in CUTOFFS}
    metrics |= {f"{tool}@{CUTOFF}": parse(f"ndcg@{CUTOFF}:{tool}") for tool in OTHER_TOOLS}
    found = evaluate_data(list(metrics.values()), test, scores)
    known = {
        "fold": unit.fold,
        "query": test.query_ids.astype(object),
        "documents": test.query_sizes,
        "empty": np.maximum.reduceat(test.labels, test.query_offsets[:-1]) == 0,
        "learner": unit.learner,
        "trained_under": unit.convention,
        "seed": unit.seed,
    }
    table = pd.DataFrame(known | {name: found[metric].per_query for name, metric in metrics.items()})
    return table.astype({name: {"str": "str", "int": "int64"}.get(kind, kind) for name, kind in QUERY_COLUMNS.items()})
