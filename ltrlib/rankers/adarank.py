"""AdaRank: boosting of single features, in which the queries that the ensemble ranks badly gain weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.metric import Metric
from ltrlib.rankers.base import Ranker, as_metric, linear_scores, need_preferences, positive

__all__ = ["AdaRank"]

_LARGEST = 1.0 - 1e-6  # a feature that ranks every query perfectly would get an infinite weight


@dataclass(eq=False, kw_only=True)
class AdaRank(Ranker):
    """AdaRank of Xu and Li (2007), with the best single feature as weak ranker.

    Queries start with equal weights. Each round takes the feature with the best weighted metric E, gives it the weight
    ½ ln(Σ P(1 + E) / Σ P(1 − E)), and raises the weight of the queries that the ensemble ranks badly.

    Parameters
    ----------
    metric
        What to optimise; it must not exceed 1.
    rounds
        Largest number of rounds.
    weighting
        How query weights follow from the ensemble's metric: ``"paper"`` takes exp(−E) anew in each round, as Xu and Li
        write; ``"cumulative"`` multiplies the old weight by exp(−αE), as RankLib does. With the former a feature that
        is best once tends to stay best for ever.
    tolerance
        Stop when the training metric falls by this much in a round, whose feature is dropped; None never stops.
    max_repeats
        Set a feature aside when it was chosen this many times in a row without changing the training metric, until
        the metric changes; None never does.

    Attributes
    ----------
    weights_
        Weight of each feature: the ensemble is linear.
    feature_, alpha_
        Feature and weight of each round; the first ``best_round_`` make up the ensemble.
    train_score_, vali_score_
        The metric after each round.
    best_round_
        Number of rounds kept: those up to the best validation metric, else all.

    Examples
    --------
    >>> AdaRank(rounds=100, tolerance=None)
    AdaRank(metric='ndcg@10:ranklib', rounds=100, weighting='cumulative', tolerance=None, max_repeats=5)
    """

    metric: Metric | str = "ndcg@10:ranklib"
    rounds: int = 500
    weighting: Literal["cumulative", "paper"] = "cumulative"
    tolerance: float | None = 0.002
    max_repeats: int | None = 5

    def _fit(self, train: RankingData, vali: RankingData | None) -> None:
        positive(self, "rounds", *(["max_repeats"] if self.max_repeats is not None else []))
        if self.weighting not in ("cumulative", "paper"):
            raise UsageError(f"weighting={self.weighting!r} is not known", cure="choose cumulative or paper")
        need_preferences(train, "AdaRank")
        metric = as_metric(self.metric)
        evaluator = Evaluator(metric, train.labels, train.query_offsets)
        columns = np.ascontiguousarray(train.features.T)
        of_feature = np.stack([evaluator(column)[metric].per_query for column in columns])
        counted = ~np.isnan(of_feature).all(axis=0)
        # Most metrics leave a query out by its labels; Kendall's tau also where all scores are equal: that is worth 0.
        of_feature = np.nan_to_num(of_feature[:, counted])
        if not counted.any():
            raise UsageError(f"{metric} leaves out every query", where="AdaRank.fit, train")
        if of_feature.max() > 1.0 + 1e-9:
            raise UsageError(f"{metric} exceeds 1", where="AdaRank.fit", cure="use a metric such as ndcg@10 or map")
        if vali is not None:
            vali_evaluator = Evaluator(metric, vali.labels, vali.query_offsets)
            vali_columns = np.ascontiguousarray(vali.features.T)
            vali_scores = np.zeros(vali.n_docs)
        query_weights = np.full(of_feature.shape[1], 1.0 / of_feature.shape[1])
        scores = np.zeros(train.n_docs)
        chosen: list[int] = []
        alphas: list[float] = []
        train_values: list[float] = []
        vali_values: list[float] = []
        aside: set[int] = set()
        repeats = 0
        for _ in range(self.rounds):
            gain = of_feature @ query_weights
            gain[list(aside)] = -np.inf
            feature = int(np.argmax(gain))
            if gain[feature] == -np.inf:
                break
            # The weights add up to 1, so ½ ln(Σ P(1 + E) / Σ P(1 − E)) is the inverse hyperbolic tangent of Σ P E.
            alpha = float(np.arctanh(np.clip(gain[feature], -_LARGEST, _LARGEST)))
            scores += alpha * columns[feature]
            of_ensemble = np.nan_to_num(evaluator(scores)[metric].per_query[counted])
            value = float(of_ensemble.mean())
            if self.tolerance is not None and train_values and value <= train_values[-1] - self.tolerance:
                break
            if train_values and value == train_values[-1]:
                repeats = repeats + 1 if feature == chosen[-1] else 0
                if self.max_repeats is not None and repeats == self.max_repeats:
                    aside.add(feature)
                    repeats = 0
            else:
                aside.clear()
                repeats = 0
            chosen.append(feature)
            alphas.append(alpha)
            train_values.append(value)
            if vali is not None:
                vali_scores += alpha * vali_columns[feature]
                vali_values.append(vali_evaluator(vali_scores)[metric].mean)
            if self.weighting == "paper":
                query_weights = np.exp(-of_ensemble)
            else:
                query_weights = query_weights * np.exp(-alpha * of_ensemble)
            query_weights /= query_weights.sum()
        self.feature_, self.alpha_ = np.array(chosen, np.int64), np.array(alphas)
        self.train_score_, self.vali_score_ = np.array(train_values), np.array(vali_values)
        self.best_round_ = len(chosen)
        if vali_values and not np.isnan(vali_values[0]):
            self.best_round_ = int(np.argmax(vali_values)) + 1
        kept = slice(self.best_round_)
        self.weights_ = np.zeros(train.n_features)
        np.add.at(self.weights_, self.feature_[kept], self.alpha_[kept])

    def _predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        return linear_scores(features, self.weights_)
