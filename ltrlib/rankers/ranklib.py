"""Rankers with the settings that others used, ready for :func:`ltrlib.rankers.cross_validation.cross_validate`."""

from __future__ import annotations

import numpy as np

from ltrlib.metrics.metric import Metric
from ltrlib.rankers.adarank import AdaRank
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.coordinate_ascent import CoordinateAscent
from ltrlib.rankers.cross_validation import Grid
from ltrlib.rankers.gbdt import GBDT
from ltrlib.rankers.lambdamart import LambdaMART
from ltrlib.rankers.neural import ListNet, RankNet
from ltrlib.rankers.rankboost import RankBoost
from ltrlib.rankers.ranksvm import RankSVM

__all__ = ["busa_fekete", "ranklib_defaults"]


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


def busa_fekete(metric: Metric | str = "ndcg@10:ranklib") -> dict[str, tuple[Ranker, Grid]]:
    """The six learners of Busa-Fekete et al. (2012, section 4) and what they tried on the validation part.

    The paper gives ranges (1 to 3 layers, 10 to 500 neurons; C from 1e-6 to 1e4); the points in them are ours.

    Examples
    --------
    >>> ranker, grid = busa_fekete("ndcg@10:letor4")["RankSVM"]
    >>> len(grid["C"]), grid["C"][0], grid["C"][-1]
    (11, 1e-06, 10000.0)
    """
    layouts = [(units,) * layers for layers in (1, 2, 3) for units in (10, 50, 100, 500)]
    penalties = [float(f"1e{power}") for power in np.arange(-6, 5)]
    return {
        "AdaRank": (AdaRank(metric=metric), {}),
        "RankNet": (RankNet(metric=metric, patience=20), {"hidden": layouts}),
        "RankBoost": (RankBoost(metric=metric), {}),
        "RankSVM": (RankSVM(tolerance=0.001), {"C": penalties}),
        "CoordinateAscent": (CoordinateAscent(metric=metric, restarts=30, iterations=100), {}),
        "LambdaMART": (LambdaMART(metric=metric, leaves=10, learning_rate=0.1), {}),
    }
