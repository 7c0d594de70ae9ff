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
from ltrlib.papers.busafekete2012.study.learners import LEARNERS, metric_of
from ltrlib.rankers.adarank import AdaRank
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.coordinate_ascent import CoordinateAscent
from ltrlib.rankers.cross_validation import Fold, Grid, choose
from ltrlib.rankers.lambdamart import LambdaMART
from ltrlib.rankers.neural import RankNet
from ltrlib.rankers.rankboost import RankBoost
from ltrlib.rankers.ranksvm import RankSVM

__all__ = ["Fitted", "ranker_of", "train_under"]

_CLASSES: Mapping[str, type[Ranker]] = {
    "AdaRank": AdaRank,
    "RankNet": RankNet,
    "RankBoost": RankBoost,
    "RankSVM": RankSVM,
    "CoordinateAscent": CoordinateAscent,
    "LambdaMART": LambdaMART,
}


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
    """

    parameters: Mapping[str, Any]
    size: int
    vali: float
    scores: NDArray[np.float64]
    seconds: float


def ranker_of(learner: str, metric: Metric, *, seed: int, changes: Mapping[str, Any] | None = None) -> Ranker:
    """A learner as the paper sets it; metric and seed go to the learners that take them.

    Examples
    --------
    >>> ranker_of("CoordinateAscent", metric_of("letor4"), seed=3).get_params()["restarts"]
    30
    """
    if learner not in LEARNERS:
        raise UsageError(f"the study has no learner {learner!r}", cure=f"choose {', '.join(LEARNERS)}")
    of_class = _CLASSES[learner]
    taken = {name: value for name, value in (("metric", metric), ("seed", seed)) if name in of_class().get_params()}
    return of_class(**(dict(LEARNERS[learner].settings) | dict(changes or {}) | taken))


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
        Parameters other than those of the paper.
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
    metrics = {name: metric_of(name) for name in conventions}
    fitted: dict[str, Fitted] = {}
    for name, metric in metrics.items():
        ranker = ranker_of(learner, metric, seed=seed, changes=changes)
        tried = LEARNERS[learner].grid if grid is None else grid
        if isinstance(ranker, RankNet):
            layouts = {name: [settled[name]["hidden"]] if settled else tried["hidden"] for name in metrics}
            return _train_ranknet(ranker, metrics, fold, layouts)
        started = time.perf_counter()
        chosen, point, vali = choose(ranker, fold.train, fold.vali, grid=tried, metric=metric)
        seconds = time.perf_counter() - started
        fitted[name] = Fitted(point, _size(chosen), vali, chosen.predict(fold.test.features), seconds)
    return fitted


def _train_ranknet(
    ranker: RankNet, metrics: Mapping[str, Metric], fold: Fold, layouts: Mapping[str, Sequence[Sequence[int]]]
) -> dict[str, Fitted]:
    """Train each layout once: RankNet's loss does not contain NDCG, so a convention only chooses epoch and layout."""
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
