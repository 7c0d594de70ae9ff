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

__all__ = ["QUERY_COLUMNS", "RUN_COLUMNS", "SCORED", "SCORED_AT_LAST", "Unit", "query_rows"]

SCORED = ("ranklib", "letor4")
"""Conventions whose values are kept at every cut-off."""

SCORED_AT_LAST = {
    "yahoo": metric_of("yahoo"),
    "trec": metric_of("trec"),
    **{tool: parse(f"ndcg@{CUTOFF}:{tool}") for tool in ("trec_eval", "sklearn", "catboost")},
}
"""Those that are kept at the last cut-off only.

Yahoo!'s is RankLib's, and 1 for an empty query, at the others too. Of the tools that ltrlib knows, LETOR 3.0 and MSLR
are LETOR 4.0 here; LightGBM is Yahoo!'s; XGBoost and rax are Yahoo!'s and RankLib's but for the precision; and those
with linear gains are trec_eval's, scikit-learn's or CatBoost's but for the order of ties.
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
    **{f"{name}@{CUTOFF}": "float" for name in SCORED_AT_LAST},
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
    metrics |= {f"{name}@{CUTOFF}": metric for name, metric in SCORED_AT_LAST.items()}
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
