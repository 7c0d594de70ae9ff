"""The ranking that the page is about, trained while the page is built."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData, concatenate
from ltrlib.datasets.loading import load
from ltrlib.papers.busafekete2012.metrics.page import Rankings
from ltrlib.rankers.base import Ranker

__all__ = ["out_of_fold_scores", "rankings"]

FOLDS = tuple(f"Fold{number}" for number in range(1, 6))


def out_of_fold_scores(dataset: str, ranker: Ranker) -> tuple[RankingData, NDArray[np.float64]]:
    """Train on each fold's training part, score its test part; the five test parts together hold every query once.

    Parameters
    ----------
    dataset
        A set with five folds, real or stand-in.
    ranker
        Fitted anew on each fold.

    Examples
    --------
    >>> from ltrlib.rankers import SingleFeature
    >>> data, scores = out_of_fold_scores("standin/mq2008", SingleFeature(feature=0))
    >>> data.n_queries, len(scores) == data.n_docs
    (784, True)
    """
    parts, scores = [], []
    for fold in FOLDS:
        test = load(dataset, f"{fold}/test")
        scores.append(ranker.fit(load(dataset, f"{fold}/train")).predict(test.features))
        parts.append(test)
    return concatenate(parts), np.concatenate(scores)


def rankings(dataset: str, cutoff: int) -> Rankings:
    """The two rankings of the page: by ridge regression on the labels, and by the best single feature.

    Examples
    --------
    >>> len(rankings("standin/mq2008", 10).by_tool) > 10
    True
    """
    from ltrlib.rankers import Ridge, SingleFeature

    data, scores = out_of_fold_scores(dataset, Ridge())
    _, tied = out_of_fold_scores(dataset, SingleFeature())
    return Rankings(dataset, data, scores, tied, cutoff)
