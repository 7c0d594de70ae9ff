"""What is taught to whom, how often the training queries are drawn again, and how large a change would matter.

Everything here was fixed before the first result was seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "BASELINE",
    "CHANGES",
    "LEARNERS",
    "LARGE",
    "LESSONS",
    "MARGIN_IN_BARS",
    "MEANINGFUL",
    "PLANS",
    "SAMPLES",
    "Plan",
    "lessons_for",
]

SAMPLES = 30
"""How often the queries of the training and validation parts are drawn anew."""

MARGIN_IN_BARS = 1.0
"""A change matters from here on, in error bars of the paper's kind (footnote 15) for the data set and its size.

The paper calls a loss significant where it shows beside the error bars of both curves: the smallest loss that it can
mean is two bars. Half of the effect claimed is one. With ten times the queries a bar is smaller by the root of ten.
"""

LEARNERS = ("AdaRank", "LambdaMART", "RankNet", "CoordinateAscent")
"""The learners of the paper's Figure 1: those that look at NDCG in training, and RankNet, which only stops by it."""

BASELINE = "ranklib"
"""The NDCG that the paper calls the official one: every change is a change from being taught by it."""

LESSONS = {
    "ranklib": "RANKLIB",
    "letor4": "LETOR",
    "short": "RANKLIB, but a short query scores 0",
    "yahoo": "YAHOO",
    "no empty": "RANKLIB, without the empty queries",
}
"""What a learner is taught by; all but the last are conventions of the study."""

MEANINGFUL = "no empty"
"""The lesson without queries that have no relevant document: the paper's second suggestion."""

CHANGES: Mapping[str, Mapping[str, Any]] = {
    # The study chooses among twelve layouts; here one is fixed, and three restarts instead of 30.
    "RankNet": {"hidden": (10,)},
    "CoordinateAscent": {"restarts": 3, "iterations": 25},
}
"""Where a learner is smaller than in the study, so that 30 samples of five folds can be had."""


@dataclass(frozen=True)
class Plan:
    """What is recorded on one data set.

    Parameters
    ----------
    dataset, scale
        A set with folds, or a stand-in and its size.
    folds
        Which of them.
    lessons
        What is taught; ``yahoo`` to AdaRank only, since it teaches the three others the same as RANKLIB.
    changes
        Per learner, parameters other than those of `CHANGES`.
    """

    dataset: str
    folds: Sequence[int] = (1, 2, 3, 4, 5)
    lessons: Sequence[str] = tuple(LESSONS)
    scale: float = 1.0
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


LARGE = "standin/mq2008"
"""A stand-in of MQ2008's shape with ten times the queries: the margin is smaller there by the root of ten."""

PLANS = {
    plan.dataset: plan
    for plan in (
        Plan("mq2008"),
        Plan(
            "standin/mq2008",
            folds=(1,),
            lessons=("ranklib", "letor4", "short"),
            scale=10.0,
            changes={"CoordinateAscent": {"restarts": 1, "iterations": 25}},
        ),
    )
}
"""MQ2008, and a stand-in of its shape with ten times the queries."""


def lessons_for(learner: str, lessons: Sequence[str]) -> list[str]:
    """What one learner is taught by.

    A constant that every model gains or loses changes neither a gradient nor which epoch, tree or restart is best; only
    AdaRank, whose weights depend on the height of NDCG, can learn another thing from YAHOO than from RANKLIB.

    Examples
    --------
    >>> lessons_for("LambdaMART", ["ranklib", "yahoo"]), lessons_for("AdaRank", ["ranklib", "yahoo"])
    (['ranklib'], ['ranklib', 'yahoo'])
    """
    return [lesson for lesson in lessons if lesson != "yahoo" or learner == "AdaRank"]
