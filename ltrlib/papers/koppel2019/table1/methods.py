"""The rankers of the chapters on DirectRanker: rows of Table 1 with their points, and ways to weight pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from ltrlib.rankers.adarank import AdaRank
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.directranker import DirectRanker
from ltrlib.rankers.lambdamart import LambdaMART
from ltrlib.rankers.neural import ListNet, RankNet

__all__ = ["METHODS", "TIMED", "VARIANTS", "VARIANT_BASE", "Method"]


@dataclass(frozen=True)
class Method:
    """A row of Table 1.

    Parameters
    ----------
    ranker
        With the settings that are the same at every point.
    points
        Parameters to choose from; the first are those without a choice.
    transformed
        Whether its features are made normal; RankLib's rankers got them as they are.
    seeded
        Whether the seed changes anything.

    Examples
    --------
    >>> len(METHODS["DirectRanker"].points), METHODS["AdaRank"].seeded
    (30, False)
    """

    ranker: Ranker
    points: tuple[Mapping[str, Any], ...]
    transformed: bool = False
    seeded: bool = True

    def at(self, point: Mapping[str, Any], seed: int) -> Ranker:
        """Return the ranker at one point of the grid.

        Examples
        --------
        >>> METHODS["ListNet"].at({"epochs": 1000}, 3).get_params()["epochs"]
        1000
        """
        seeded = {"seed": seed} if self.seeded else {}
        return type(self.ranker)(**(self.ranker.get_params() | dict(point) | seeded))


def _one_at_a_time(base: Mapping[str, Any], **others: Sequence[Any]) -> tuple[Mapping[str, Any], ...]:
    """The base, and the base with one value changed, as the authors' scripts for RankLib do it."""
    changed = [{**base, name: value} for name, values in others.items() for value in values]
    return (base, *changed)


METHODS = {
    "DirectRanker": Method(
        DirectRanker(standardise=False),
        tuple(
            {"hidden": (units,), "dropout": dropout, "l2": l2}
            for units, dropout, l2 in product((50, 10, 20, 30, 100), (0.0, 0.5), (0.0, 1e-4, 1e-3))
        ),
        transformed=True,
    ),
    "RankNet": Method(
        RankNet(standardise=False),
        _one_at_a_time(
            {"hidden": (10,), "epochs": 100},
            hidden=[(20,), (100,), (10,) * 5, (10,) * 10],
            epochs=[50, 200, 300],
        ),
    ),
    "ListNet": Method(
        ListNet(standardise=False),
        _one_at_a_time({"epochs": 1500, "learning_rate": 1e-3}, epochs=[1000, 2000], learning_rate=[1e-4, 1e-5]),
    ),
    "LambdaMART": Method(
        LambdaMART(patience=None),
        _one_at_a_time(
            {"trees": 1000, "leaves": 10, "learning_rate": 0.1}, trees=[2000], leaves=[5, 15], learning_rate=[0.01]
        ),
        seeded=False,
    ),
    "AdaRank": Method(
        AdaRank(),
        _one_at_a_time(
            {"rounds": 500, "tolerance": 0.002, "max_repeats": 5},
            rounds=[1000, 2000],
            tolerance=[0.01, 0.001, 0.005],
            max_repeats=[2, 10],
        ),
        seeded=False,
    ),
}
"""What is trained, by its name in the table.

The points of DirectRanker are those of the authors' code of 2019, beginning with the one that their script starts from;
those of the others are those of their scripts of 2022 for RankLib, one value changed at a time, beginning with
RankLib's defaults. The exception is ListNet's first learning rate: RankLib's default of 1e-5 is for plain gradient
descent, and our ListNet has Adam.
"""

VARIANTS: dict[str, dict[str, Any]] = {
    "paper": {},
    "all classes": {"classes": "all"},
    "all classes, ΔNDCG": {"classes": "all", "emphasis": "delta ndcg"},
    "cross entropy": {"classes": "all", "cost": "cross entropy"},
    "cross entropy, ΔNDCG": {"classes": "all", "cost": "cross entropy", "emphasis": "delta ndcg"},
}
"""Ways to train on graded labels, with and without LambdaRank's weights; the last is LambdaRank on drawn pairs."""

VARIANT_BASE: dict[str, Any] = {"hidden": (30,), "dropout": 0.5, "l2": 1e-4, "look_every": 50, "standardise": False}
"""What they share: a point in the middle of the grid, and the training of the authors' code."""

TIMED: dict[str, tuple[Ranker, str]] = {
    "DirectRanker": (DirectRanker(hidden=(50,), l2=1e-4), "steps"),
    "AdaRank": (AdaRank(), "rounds"),
    "RankNet": (RankNet(), "epochs"),
    "LambdaMART": (LambdaMART(patience=None), "trees"),
    "ListNet": (ListNet(), "epochs"),
}
"""The rankers of Table 2, each with the parameter that sets the amount of work: DirectRanker as in the grid, the others
with RankLib's default amount."""
