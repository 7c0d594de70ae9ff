"""Coordinate ascent: a linear ranker whose weights are searched one at a time for the best metric."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.metric import Metric
from ltrlib.rankers.base import Ranker, as_metric, linear_scores, need_preferences, positive
from ltrlib.rankers.line_search import LineObjective

__all__ = ["CoordinateAscent"]

_FIRST_STEP = 0.001
_RELATIVE_STEP = 0.05  # first step of a weight that is small itself, as a share of it
_LARGEST_CHANGE = 1e6  # beside weights that add up to 1: beyond it, the order changes by rounding only
_ROUNDING = 1e-12  # metrics that differ by less are equal


@dataclass(eq=False, kw_only=True)
class CoordinateAscent(Ranker):
    """Coordinate ascent of Metzler and Croft (2007), with the line search of RankLib.

    From each start the features are visited in random order. A weight is raised by steps that double each time, then
    lowered likewise, then set to zero; the first of the three that improves the training metric is taken, at its best
    step. It ends when a pass over the features gains no more than the tolerance.

    Parameters
    ----------
    metric
        What to optimise.
    restarts
        Number of starts: the first from equal weights, the others from random ones.
    iterations
        Steps of each line search.
    tolerance
        Smallest gain of a pass that is worth another one.
    seed
        Decides starts and orders.

    Attributes
    ----------
    weights_
        Weight of each feature; absolute values add up to 1.
    train_score_, vali_score_
        The metric that each restart reached. The best on the validation part is kept, without one the best on the
        training part.
    best_restart_
        Its number, from 0.

    Examples
    --------
    >>> CoordinateAscent(restarts=30, iterations=100).restarts
    30
    """

    metric: Metric | str = "ndcg@10:ranklib"
    restarts: int = 5
    iterations: int = 25
    tolerance: float = 0.001
    seed: int = 0

    def _fit(self, train: RankingData, vali: RankingData | None) -> None:
        positive(self, "restarts", "iterations")
        need_preferences(train, "CoordinateAscent")
        metric = as_metric(self.metric)
        objective = LineObjective(metric, train)
        evaluators = [
            (Evaluator(metric, part.labels, part.query_offsets), part.features)
            for part in (train, vali)
            if part is not None
        ]
        found = []
        values = []
        for restart in range(self.restarts):
            rng = np.random.default_rng([self.seed, restart])
            weights = np.ones(train.n_features) if restart == 0 else rng.random(train.n_features)
            found.append(self._climb(objective, weights / np.abs(weights).sum(), rng))
            values.append([evaluator(linear_scores(x, found[-1]))[metric].mean for evaluator, x in evaluators])
        scores = np.array(values)
        self.train_score_, self.vali_score_ = scores[:, 0], scores[:, 1:].ravel()
        self.best_restart_ = int(np.argmax(np.nan_to_num(scores[:, -1])))
        self.weights_ = found[self.best_restart_]

    def _climb(
        self, objective: LineObjective, weights: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        while True:
            best = before = objective.start(weights)
            for feature in rng.permutation(len(weights)):
                for moves in self._moves(weights[feature]):
                    values = objective.along(feature, moves)
                    place = int(np.argmax(values))
                    if values[place] > best + _ROUNDING:
                        best = float(values[place])
                        weights[feature] += moves[place]
                        total = np.abs(weights).sum()
                        weights /= total
                        objective.move(feature, moves[place], total)
                        break
            if best - before <= self.tolerance:
                return weights

    def _moves(self, weight: float) -> Iterator[NDArray[np.float64]]:
        first = _FIRST_STEP
        if weight != 0 and first > 0.5 * abs(weight):
            first = _RELATIVE_STEP * abs(weight)
        # Steps of 1, 2, 4, ... times the first add up to 1, 3, 7, ... times it.
        upwards = first * (np.exp2(np.arange(1, self.iterations + 1)) - 1.0)
        upwards = upwards[upwards < _LARGEST_CHANGE]
        yield upwards
        yield -upwards
        if weight != 0:
            yield np.array([-weight])

    def _predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        return linear_scores(features, self.weights_)
