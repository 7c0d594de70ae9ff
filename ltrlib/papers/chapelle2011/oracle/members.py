"""The members of each group that an oracle chooses from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ltrlib import rankers
from ltrlib.datasets.container import RankingData
from ltrlib.papers.chapelle2011.challenge import METRICS
from ltrlib.papers.chapelle2011.oracle.plans import COPIES
from ltrlib.rankers.base import Ranker

__all__ = ["drawn_again", "members_of"]

_METRIC = METRICS["NDCG"]


def _rankers() -> dict[str, Ranker]:
    """Every ranker of this package; nothing is chosen. One restart and thirty trees keep the two slowest quick."""
    return {
        "Best Single Feature": rankers.SingleFeature(metric=_METRIC),
        "Linear Regression": rankers.LinearRegression(),
        "Ridge": rankers.Ridge(alpha=10.0),
        "RandomForest": rankers.RandomForest(trees=30),
        "GBDT": rankers.GBDT(metric=_METRIC),
        "RankSVM": rankers.RankSVM(),
        "RankBoost": rankers.RankBoost(metric=_METRIC),
        "RankNet": rankers.RankNet(metric=_METRIC),
        "DirectRanker": rankers.DirectRanker(metric=_METRIC),
        "ListNet": rankers.ListNet(patience=100, metric=_METRIC),
        "AdaRank": rankers.AdaRank(metric=_METRIC),
        "CoordinateAscent": rankers.CoordinateAscent(metric=_METRIC, restarts=1),
        "LambdaMART": rankers.LambdaMART(metric=_METRIC),
    }


def members_of(group: str) -> dict[str, tuple[Ranker, int | None]]:
    """The rankers of a group by name, each with the number of the draw of its training queries (None: as they are).

    Examples
    --------
    >>> len(members_of("rankers")), list(members_of("Ridge copies"))[:2]
    (13, ['1', '2'])
    """
    if group == "rankers":
        return {name: (ranker, None) for name, ranker in _rankers().items()}
    name, kind = group.rsplit(" ", 1)
    found: dict[str, tuple[Ranker, int | None]] = {}
    for number in range(1, COPIES + 1):
        ranker = _rankers()[name]
        if kind == "seeds":
            found[str(number)] = ranker.set_params(seed=number), None
        elif kind == "samples":
            found[str(number)] = ranker.set_params(seed=number, sampling=0.3), None
        else:
            found[str(number)] = ranker, number
    return found


def drawn_again(data: RankingData, number: int) -> RankingData:
    """As many queries as there are, drawn with replacement; copies of a query are queries of their own.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.eye(3, dtype=np.float32), np.array([0, 2, 1], np.int32), np.array([0, 2, 3]),
    ...                    np.array(["a", "b"]), None, Source("example"))
    >>> drawn_again(data, 1).n_queries
    2
    """
    chosen = np.sort(np.random.default_rng(number).integers(0, data.n_queries, data.n_queries))
    rows: NDArray[np.int64] = np.concatenate([np.arange(*data.query_offsets[one : one + 2]) for one in chosen.tolist()])
    offsets = np.concatenate([[0], np.cumsum(data.query_sizes[chosen])]).astype(np.int64)
    names = np.array([f"{place} {data.query_ids[one]}" for place, one in enumerate(chosen.tolist())])
    return RankingData(data.features[rows], data.labels[rows], offsets, names, None, data.source)
