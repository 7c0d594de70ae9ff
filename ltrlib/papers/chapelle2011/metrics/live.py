"""The ranking that the simulated users read, made while the page runs."""

from __future__ import annotations

from ltrlib.papers.chapelle2011.baselines.text_match import text_match
from ltrlib.papers.chapelle2011.challenge import is_yahoo
from ltrlib.papers.chapelle2011.metrics.cascade import Ranked
from ltrlib.rankers.cross_validation import load_fold

__all__ = ["rank_by_text_match"]

_STANDIN_SCALE = 0.15


def rank_by_text_match(dataset: str) -> Ranked:
    """Rank the test part of a data set by BM25F-SD, or by its best single feature where that does not exist.

    Examples
    --------
    >>> rank_by_text_match("standin/mq2008").data.n_queries
    156
    """
    fold = load_fold(dataset, 1, scale=_STANDIN_SCALE if is_yahoo(dataset) and dataset.startswith("standin/") else 1.0)
    ranker = text_match(dataset).fit(fold.train)
    return Ranked(fold.test, ranker.predict(fold.test.features))
