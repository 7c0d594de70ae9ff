"""RankLib's default settings, ready for :func:`ltrlib.rankers.cross_validation.cross_validate`."""

from __future__ import annotations

from ltrlib.metrics.metric import Metric
from ltrlib.rankers.adarank import AdaRank
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.coordinate_ascent import CoordinateAscent
from ltrlib.rankers.gbdt import GBDT
from ltrlib.rankers.lambdamart import LambdaMART
from ltrlib.rankers.neural import ListNet, RankNet
from ltrlib.rankers.rankboost import RankBoost

__all__ = ["ranklib_defaults"]


def ranklib_defaults(metric: Metric | str = "ndcg@10:ranklib") -> dict[str, Ranker]:
    """Rankers that do as much work as RankLib's with its default settings.

    Examples
    --------
    >>> ranklib_defaults()["CoordinateAscent"].restarts
    5
    """
    return {
        "AdaRank": AdaRank(metric=metric, rounds=500),
        "RankBoost": RankBoost(metric=metric, rounds=300, thresholds=10),
        "LambdaMART": LambdaMART(metric=metric, trees=1000, leaves=10, learning_rate=0.1, patience=100),
        "CoordinateAscent": CoordinateAscent(metric=metric, restarts=5, iterations=25),
        "MART": GBDT(metric=metric, trees=1000, leaves=10, learning_rate=0.1, patience=100),
        "RankNet": RankNet(metric=metric, hidden=(10,), epochs=100),
        "ListNet": ListNet(metric=metric, epochs=1500),
    }
