"""What is trained: the six learners of the paper with their settings, and the NDCGs that they are trained under.

Plain values only: the page shows them without loading a ranker, and ``training`` turns them into rankers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ltrlib.errors import UsageError
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.notation import parse

__all__ = [
    "CONVENTIONS",
    "CUTOFF",
    "CUTOFFS",
    "HALVES",
    "LEARNERS",
    "PAPER",
    "RANDOM",
    "SPLIT",
    "Convention",
    "Learner",
    "metric_of",
]

CUTOFF = 10
"""The cut-off that rankers are trained for."""

CUTOFFS = tuple(range(1, CUTOFF + 1))
"""The cut-offs that are shown."""


@dataclass(frozen=True)
class Learner:
    """A learner of section 4 of the paper.

    Parameters
    ----------
    settings
        Parameters that the paper gives, where they are not our defaults.
    grid
        Values that are tried on the validation part.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    grid: Mapping[str, Sequence[Any]] = field(default_factory=dict)


# The paper gives ranges (1 to 3 layers, 10 to 500 neurons; C from 1e-6 to 1e4); the points in them are ours.
_LAYOUTS = tuple((units,) * layers for layers in (1, 2, 3) for units in (10, 50, 100, 500))
_PENALTIES = tuple(float(f"1e{power}") for power in range(-6, 5))

LEARNERS = {
    "AdaRank": Learner(),
    "RankNet": Learner({"patience": 20}, {"hidden": _LAYOUTS}),
    "RankBoost": Learner(),
    "RankSVM": Learner({"tolerance": 0.001}, {"C": _PENALTIES}),
    "CoordinateAscent": Learner({"restarts": 30, "iterations": 100}),
    "LambdaMART": Learner({"leaves": 10, "learning_rate": 0.1}),
}
"""The paper's six learners."""

RANDOM = ("RankNet", "CoordinateAscent")
"""Those that depend on a seed."""

SPLIT = ("AdaRank", "LambdaMART")
"""Those that are also trained under the halves of LETOR's convention: they look at NDCG, and have no seed."""


@dataclass(frozen=True)
class Convention:
    """One way to compute NDCG.

    Parameters
    ----------
    name
        As in the column ``trained_under``.
    title
        As the paper calls the tool, or what is peculiar about it.
    notation
        As ltrlib writes it behind the cut-off.
    """

    name: str
    title: str
    notation: str


CONVENTIONS = {
    one.name: one
    for one in (
        Convention("yahoo", "YAHOO", "yahoo"),
        Convention("ranklib", "RANKLIB/TREC", "ranklib"),
        # The script's table of gains ends at label 2; the formula behind it goes on for sets with more labels.
        Convention("letor4", "LETOR", "letor4(gain=exp2)"),
        Convention("short", "RANKLIB, but a short query scores 0", "ranklib(short=zero)"),
        Convention("discount", "RANKLIB, but rank 2 is not discounted", "ranklib(discount=letor)"),
        Convention("trec", "TREC (ties by document id)", "trec_eval(gain=exp2)"),
    )
}
"""The paper's three; the two halves of what is peculiar about LETOR's; and TREC's with its own order of ties."""

PAPER = ("yahoo", "ranklib", "letor4")
"""What the paper trains and evaluates under."""

HALVES = ("short", "discount")
"""What LETOR's convention is made of, one at a time."""


def metric_of(convention: str, k: int = CUTOFF) -> Metric:
    """Return the metric of a convention.

    Examples
    --------
    >>> metric_of("letor4", 5)
    ndcg@5:letor4(gain=exp2)
    """
    if convention not in CONVENTIONS:
        raise UsageError(f"there is no convention {convention!r}", cure=f"choose {', '.join(CONVENTIONS)}")
    return parse(f"ndcg@{k}:{CONVENTIONS[convention].notation}")
