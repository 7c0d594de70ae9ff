"""Which trainings the study consists of, on each data set, and into which parts they can be cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ltrlib.papers.busafekete2012.study.learners import HALVES, LEARNERS, PAPER, RANDOM, SPLIT

__all__ = ["CHOOSING_SEED", "FOLDS", "PLANS", "SEEDS", "Plan", "Training", "plan_for", "seeds_of"]

FOLDS = (1, 2, 3, 4, 5)
SEEDS = (1, 2, 3, 4, 5)

CHOOSING_SEED = 1
"""RankNet's layout is chosen once per fold and convention, with this seed; the other seeds train the chosen one."""


@dataclass(frozen=True, order=True)
class Training:
    """One row of the table of trainings."""

    learner: str
    fold: int
    seed: int
    convention: str


@dataclass(frozen=True)
class Plan:
    """What to train.

    Parameters
    ----------
    dataset
        A set with folds, or its stand-in.
    learners, folds, seeds
        Which of each; learners that are not random take the first seed alone.
    conventions
        To train under; the halves of LETOR's for the learners in `SPLIT` only.
    changes
        Per learner, parameters other than those of the paper.
    grids
        Per learner, values to try instead of ours.
    scale
        Size of a stand-in.

    Examples
    --------
    >>> plan = Plan("mq2008", learners=("AdaRank",), folds=(1,), conventions=("yahoo", "letor4"))
    >>> [training.convention for training in plan.trainings()]
    ['yahoo', 'letor4']
    """

    dataset: str
    learners: Sequence[str] = tuple(LEARNERS)
    folds: Sequence[int] = FOLDS
    seeds: Sequence[int] = SEEDS
    conventions: Sequence[str] = (*PAPER, *HALVES)
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    grids: Mapping[str, Mapping[str, Sequence[Any]]] = field(default_factory=dict)
    scale: float = 1.0

    def parts(self) -> Iterator[Plan]:
        """Parts of one learner and one fold that can be trained independently, in the order of the rows.

        The seeds of CoordinateAscent are parts of their own. Those of RankNet stay together, because the layout that
        they all train is chosen with one of them.
        """
        for fold in self.folds:
            for learner in self.learners:
                seeds = seeds_of(learner, self.seeds)
                conventions = tuple(one for one in self.conventions if one in PAPER or learner in SPLIT)
                for together in (seeds,) if learner == "RankNet" else [(seed,) for seed in seeds]:
                    if together and conventions:
                        yield replace(
                            self,
                            learners=(learner,),
                            folds=(fold,),
                            seeds=tuple(together),
                            conventions=conventions,
                            changes={name: one for name, one in self.changes.items() if name == learner},
                            grids={name: one for name, one in self.grids.items() if name == learner},
                        )

    def trainings(self) -> Iterator[Training]:
        """All trainings, in the order of the rows."""
        for part in self.parts():
            for seed in part.seeds:
                yield from (Training(part.learners[0], part.folds[0], seed, name) for name in part.conventions)


def seeds_of(learner: str, seeds: Sequence[int]) -> Sequence[int]:
    """Seeds that a learner is run with: all if it is random, else the first.

    Examples
    --------
    >>> seeds_of("AdaRank", [1, 2, 3]), seeds_of("RankNet", [1, 2, 3])
    ([1], [1, 2, 3])
    """
    return seeds if learner in RANDOM else seeds[:1]


PLANS = {
    plan.dataset: plan
    for plan in (
        Plan("mq2008"),
        Plan("ohsumed", conventions=PAPER),
        # Its queries are the longest: fewer restarts and layouts keep it to a quarter of an hour.
        Plan(
            "clueweb09-ltr",
            conventions=PAPER,
            changes={"CoordinateAscent": {"restarts": 3}},
            grids={"RankNet": {"hidden": ((10,), (100,), (10, 10), (100, 100))}},
        ),
    )
}
"""What is recorded."""


def plan_for(dataset: str, **part: Any) -> Plan:
    """The plan of a data set, or a part of it; the paper's protocol for a data set that is not recorded.

    Examples
    --------
    >>> plan_for("clueweb09-ltr", folds=[1]).changes
    {'CoordinateAscent': {'restarts': 3}}
    """
    return replace(PLANS.get(dataset, Plan(dataset)), **part)
