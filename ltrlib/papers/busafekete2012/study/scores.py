"""From the scores of the test documents to one row per query, under all tools."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.ndcg_by_tool import ndcg_by_convention
from ltrlib.papers.busafekete2012.study.learners import CUTOFF, metric_of
from ltrlib.papers.busafekete2012.study.plans import Training
from ltrlib.papers.busafekete2012.study.records import CURVES, other_tools

__all__ = ["query_rows"]


def query_rows(training: Training, test: RankingData, scores: NDArray[np.float64], *, highest: int) -> pd.DataFrame:
    """One row per query of a test part; a tool that has no gain for the label ``highest`` scores NaN.

    Examples
    --------
    >>> from ltrlib.datasets.loading import load
    >>> test = load("standin/mq2008", "Fold1/test", scale=0.1)
    >>> rows = query_rows(Training("AdaRank", 1, 0, "yahoo"), test, test.labels.astype(float), highest=2)
    >>> bool((rows.loc[~rows["empty"], "ranklib@10"] == 1).all())
    True
    """
    metrics = {f"{name}@{k}": metric_of(name, k) for name, k in (*CURVES, ("trec", CUTOFF))}
    found = evaluate_data(list(metrics.values()), test, scores)
    everywhere = ndcg_by_convention(test, scores, highest=highest)
    known = {
        "fold": training.fold,
        "query": test.query_ids.astype(object),
        "documents": test.query_sizes,
        "empty": np.maximum.reduceat(test.labels, test.query_offsets[:-1]) == 0,
        "learner": training.learner,
        "trained_under": training.convention,
        "seed": training.seed,
    }
    values = {name: found[metric].per_query for name, metric in metrics.items()}
    values |= {f"{name}@{CUTOFF}": everywhere[name] for name in other_tools()}
    return pd.DataFrame(known | values)
