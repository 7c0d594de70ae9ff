"""Train the paper's learners under each convention, with what the paper leaves to the validation part chosen there."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.metric import Metric
from ltrlib.papers.busafekete2012.study.conventions import metric_of
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.cross_validation import Fold, Grid, choose
from ltrlib.rankers.neural import RankNet
from ltrlib.rankers.ranklib import busa_fekete

__all__ = ["CHOOSING_SEED", "LEARNERS", "RANDOM", "Fitted", "seeds_of", "train_under"]

LEARNERS = tuple(busa_fekete())
"""The paper's six learners."""

RANDOM = ("RankNet", "CoordinateAscent")
"""Those that depend on a seed."""

CHOOSING_SEED = 1
"""RankNet's layout is chosen once per fold and convention, with this seed; the other seeds train the chosen one."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """What one training leaves behind.

    Parameters
    ----------
    parameters
        What was chosen on the validation part.
    size
        Rounds, trees, epochs or restarts (which one, from 1) up to the one that was kept; 0 if there is no such thing.
    vali
        NDCG@10 on the validation part, under the convention of the training.
    scores
        Of the documents of the test part.
    seconds
        Time that the training took; where one training serves several conventions, an equal share of it.

    Examples
    --------
    >>> Fitted({"C": 0.1}, 0, 0.5, np.zeros(3), 1.0).parameters
    {'C': 0.1}
    """

    parameters: Mapping[str, Any]
    size: int
    vali: float
    scores: NDArray[np.float64]
    seconds: float


def seeds_of(learner: str, seeds: Sequence[int]) -> Sequence[int]:
    """Seeds that a learner is run with: all if it is random, else the first.

    Examples
    --------
    >>> seeds_of("AdaRank", [1, 2, 3]), seeds_of("RankNet", [1, 2, 3])
    ([1], [1, 2, 3])
    """
    return seeds if learner in RANDOM else seeds[:1]


def train_under(
    conventions: Sequence[str],
    learner: str,
    fold: Fold,
    *,
    seed: int,
    changes: Mapping[str, Any] | None = None,
    grid: Grid | None = None,
    settled: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Fitted]:
    """Train one learner on one fold under several conventions.

    Parameters
    ----------
    conventions
        Names in `CONVENTIONS`.
    learner
        One of `LEARNERS`.
    fold
        Its parts.
    seed
        For learners that are random.
    changes
        Parameters other than those of the paper, for quick runs.
    grid
        Values to try instead of the paper's.
    settled
        RankNet's layout under each convention, when it was chosen before.

    Examples
    --------
    >>> from ltrlib.rankers.cross_validation import load_fold
    >>> fold = load_fold("standin/mq2008", 1, scale=0.1)
    >>> found = train_under(["yahoo", "letor4"], "AdaRank", fold, seed=0)
    >>> list(found), len(found["yahoo"].scores) == fold.test.n_docs
    (['yahoo', 'letor4'], True)
    """
    if learner not in LEARNERS:
        raise UsageError(f"the study has no learner {learner!r}", cure=f"choose {', '.join(LEARNERS)}")
    metrics = {name: metric_of(name) for name in conventions}
    fitted: dict[str, Fitted] = {}
    for name, metric in metrics.items():
        ranker, own_grid = busa_fekete(metric)[learner]
        ranker = type(ranker)(**(ranker.get_params() | dict(changes or {}) | _seed(ranker, seed)))
        tried = own_grid if grid is None else grid
        if isinstance(ranker, RankNet):
            layouts = {name: [settled[name]["hidden"]] if settled else tried["hidden"] for name in metrics}
            return _train_ranknet(ranker, metrics, fold, layouts)
        started = time.perf_counter()
        chosen, point, vali = choose(ranker, fold.train, fold.vali, grid=tried, metric=metric)
        seconds = time.perf_counter() - started
        fitted[name] = Fitted(point, _size(chosen), vali, chosen.predict(fold.test.features), seconds)
    return fitted


def _seed(ranker: Ranker, seed: int) -> dict[str, int]:
    return {"seed": seed} if "seed" in ranker.get_params() else {}


def _train_ranknet(
    ranker: RankNet, metrics: Mapping[str, Metric], fold: Fold, layouts: Mapping[str, Sequence[Sequence[int]]]
) -> dict[str, Fitted]:
    """Train each layout once: the loss of RankNet is no NDCG, so that a convention only chooses epoch and layout."""
    started = time.perf_counter()
    best: dict[str, tuple[float, RankNet]] = {}
    for hidden in dict.fromkeys(tuple(hidden) for tried in layouts.values() for hidden in tried):
        layout = RankNet(**(ranker.get_params() | {"hidden": hidden}))
        wanted = [name for name, tried in layouts.items() if hidden in map(tuple, tried)]
        fits = layout.fit_each(fold.train, fold.vali, [metrics[name] for name in wanted])
        for name, one in zip(wanted, fits, strict=True):
            vali = evaluate_data(metrics[name], fold.vali, one.predict(fold.vali.features))[metrics[name]].mean
            if name not in best or vali > best[name][0]:
                best[name] = vali, one
    seconds = (time.perf_counter() - started) / len(metrics)
    return {
        name: Fitted({"hidden": list(one.hidden)}, _size(one), vali, one.predict(fold.test.features), seconds)
        for name, (vali, one) in best.items()
    }


def _size(ranker: Ranker) -> int:
    for attribute, offset in (("best_round_", 0), ("n_trees_", 0), ("best_epoch_", 0), ("best_restart_", 1)):
        if hasattr(ranker, attribute):
            return int(getattr(ranker, attribute)) + offset
    return len(getattr(ranker, "alpha_", ()))  # RankBoost keeps the stumps up to the best round
