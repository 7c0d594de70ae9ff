"""The text match feature of the challenge as a ranker; light, because the chapter on metrics needs no more."""

from __future__ import annotations

from ltrlib.papers.chapelle2011.challenge import METRICS, is_yahoo
from ltrlib.published.tables import load_paper
from ltrlib.rankers.linear import SingleFeature

__all__ = ["text_match"]


def text_match(dataset: str) -> SingleFeature:
    """Rank by BM25F-SD; on data without the challenge's features, by the best single one.

    Examples
    --------
    >>> text_match("yahoo-set1").feature
    636
    """
    feature = int(load_paper("chapelle2011").statement("bm25f-index").value) - 1 if is_yahoo(dataset) else None
    return SingleFeature(feature=feature, metric=METRICS["ERR"])
