"""The rankers of our own runs: settings fixed beforehand, and what the validation part may choose from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ltrlib import rankers
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.cross_validation import Grid

__all__ = ["CHOSEN_BY", "Method", "methods"]

CHOSEN_BY = "ndcg@10:ranklib"
"""What methods are trained for and parameters are chosen by, on every data set."""


@dataclass(frozen=True, eq=False)
class Method:
    """A ranker with its settings, and the values that are tried on the validation part.

    Parameters
    ----------
    ranker
        With its parameters.
    family
        Pointwise, pairwise or listwise.
    grid
        Values to try.
    seeds
        How many seeds are run on real data; one if the seed decides nothing.
    features
        Forms of the features to choose from, as for :func:`ltrlib.across.our_runs.runs.load_our_fold`, each with
        the parameters that go with it.
    """

    ranker: Ranker
    family: str
    grid: Grid = field(default_factory=dict)
    seeds: int = 1
    features: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"scaled": {}})


def methods() -> dict[str, Method]:
    """Every ranker of ltrlib, by the name that Table B.6 gives it where it has one.

    The settings are RankLib's defaults or those of the ranker's paper. What else might matter is left to the validation
    part: penalties of linear rankers, the rate of networks around ltrlib's default, and of DirectRanker what its paper
    varies (dropout and penalty) and the features as its paper makes them.
    """
    powers = [10.0**power for power in range(-3, 4)]
    rates = {"learning_rate": [0.001, 0.0001, 0.01]}
    return {
        "Best Single Feature": Method(rankers.SingleFeature(metric=CHOSEN_BY), "pointwise"),
        "Linear Regression": Method(rankers.LinearRegression(), "pointwise"),
        "Ridge Regression": Method(rankers.Ridge(), "pointwise", {"alpha": powers}),
        # A third of RankLib's trees, for their cost.
        "RandomForest": Method(rankers.RandomForest(trees=100), "pointwise", seeds=3),
        "MART": Method(rankers.GBDT(metric=CHOSEN_BY), "pointwise"),
        "RankSVM": Method(rankers.RankSVM(), "pairwise", {"C": powers}),
        "RankBoost": Method(rankers.RankBoost(metric=CHOSEN_BY), "pairwise"),
        "RankNet": Method(rankers.RankNet(metric=CHOSEN_BY), "pairwise", rates, seeds=5),
        "DirectRanker": Method(
            rankers.DirectRanker(metric=CHOSEN_BY),
            "pairwise",
            {"dropout": [0.0, 0.5], "l2": [0.0, 0.0001, 0.001]},
            seeds=5,
            features={"scaled": {}, "normal": {"standardise": False}},
        ),
        "ListNet": Method(rankers.ListNet(patience=100, metric=CHOSEN_BY), "listwise", rates, seeds=5),
        "AdaRank-NDCG": Method(rankers.AdaRank(metric=CHOSEN_BY), "listwise"),
        "CA": Method(rankers.CoordinateAscent(metric=CHOSEN_BY), "listwise", seeds=3),
        "LambdaMART": Method(rankers.LambdaMART(metric=CHOSEN_BY), "listwise"),
    }
