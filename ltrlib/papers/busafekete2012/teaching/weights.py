"""AdaRank's weights of the training queries, round by round, recomputed from the features that it chose."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.metrics.engine import Evaluator
from ltrlib.rankers.adarank import AdaRank
from ltrlib.rankers.base import as_metric

__all__ = ["query_weights"]


def query_weights(ranker: AdaRank, train: RankingData) -> NDArray[np.float64]:
    """Weights of the queries at the start of each round, and after the last one; a row adds up to 1.

    Parameters
    ----------
    ranker
        Fitted on the training part, with cumulative weights and a metric that leaves no query out.
    train
        That part.
    """
    metric = as_metric(ranker.metric)
    evaluator = Evaluator(metric, train.labels, train.query_offsets)
    rows = np.empty((len(ranker.feature_) + 1, train.n_queries))
    rows[0] = 1 / train.n_queries
    scores = np.zeros(train.n_docs)
    for number, (feature, alpha) in enumerate(zip(ranker.feature_, ranker.alpha_, strict=True)):
        scores += alpha * train.features[:, feature]
        rows[number + 1] = rows[number] * np.exp(-alpha * evaluator(scores)[metric].per_query)
        rows[number + 1] /= rows[number + 1].sum()
    return rows
