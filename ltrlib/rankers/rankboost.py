"""RankBoost: boosting of threshold stumps on pairs of documents, without ever listing the pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.metric import Metric
from ltrlib.rankers.base import Ranker, as_metric, need_preferences, positive
from ltrlib.rankers.kernels import FLOATS, INDEX, LABELS, OUT_FLOATS, OUT_MATRIX, compiled, signatures

__all__ = ["RankBoost"]

_LARGEST_R = 1.0 - 1e-6  # a stump that orders every pair rightly would get an infinite weight
_SMALLEST_R = 1e-12  # below this, r is rounding


@dataclass(eq=False, kw_only=True)
class RankBoost(Ranker):
    """RankBoost of Freund, Iyer, Schapire and Singer (2003), for graded labels.

    Pairs of one query with different labels start with equal weights. Each round takes the stump [feature > threshold]
    with the largest absolute r (weighted share of pairs that it orders rightly, less that ordered wrongly), gives it
    the weight ½ ln((1 + r) / (1 − r)), and raises the weight of pairs that it gets wrong.

    The weight of a pair is a product of one factor per document, so one round costs documents × features, whatever
    the number of pairs.

    Parameters
    ----------
    rounds
        Number of stumps.
    thresholds
        Candidates per feature, equally spaced over its range; None takes every distinct value.
    metric
        What to choose the number of rounds by, when there is a validation part.
    stumps
        ``"above"``: [feature > threshold], thresholds from the smallest value on, of equally good ones the lowest.
        ``"at_least"``: [feature ≥ threshold], thresholds spaced up to the largest value whatever the number of distinct
        ones, of equally good ones the highest; the official baselines of LETOR 4.0 were made so.

    Attributes
    ----------
    feature_, threshold_, alpha_
        Column, threshold and weight of each stump.
    r_
        Absolute r of each round, also of those that were cut off again.
    vali_score_
        The metric on the validation part after each round.

    Examples
    --------
    >>> RankBoost(rounds=50)
    RankBoost(rounds=50, thresholds=10, metric='ndcg@10:ranklib', stumps='above')
    """

    rounds: int = 300
    thresholds: int | None = 10
    metric: Metric | str = "ndcg@10:ranklib"
    stumps: Literal["above", "at_least"] = "above"

    def _fit(self, train: RankingData, vali: RankingData | None) -> None:
        positive(self, "rounds")
        if self.thresholds is not None:
            positive(self, "thresholds")
        if self.stumps not in ("above", "at_least"):
            raise UsageError(f"stumps={self.stumps!r} is not known", where="RankBoost", cure="choose above or at_least")
        need_preferences(train, "RankBoost")
        metric = as_metric(self.metric)
        at_least = self.stumps == "at_least"
        columns = (train.features[:, column] for column in range(train.n_features))
        candidates = [_candidates(column, self.thresholds, at_least) for column in columns]
        if not any(len(values) for values in candidates):
            raise UsageError("every feature is constant", where="RankBoost.fit, train", cure="give other features")
        bins, vali_bins = _bins(train.features, candidates, at_least), None
        scores = np.zeros(train.n_docs)
        if vali is not None:
            vali_bins = _bins(vali.features, candidates, at_least)
            evaluator = Evaluator(metric, vali.labels, vali.query_offsets)
            vali_scores = np.zeros(vali.n_docs)
        potential = np.empty(train.n_docs)
        histogram = np.zeros((train.n_features, max(map(len, candidates)) + 1))
        scratch = np.empty((2, int(train.labels.max()) + 1))
        stumps: list[tuple[int, int, float]] = []
        found_r: list[float] = []
        found_values: list[float] = []
        for _ in range(self.rounds):
            total = _potentials(train.labels, scores, train.query_offsets, scratch[0], scratch[1], potential)
            if total == 0.0:  # every pair is in the right order, by far
                break
            potential /= total
            histogram[:] = 0.0
            _add_up(bins, potential, histogram)
            # r of the stump "above candidate c": the potentials of all documents in the bins above it.
            above = np.cumsum(histogram[:, ::-1], axis=1)[:, ::-1][:, 1:]
            column, candidate = _largest(np.abs(above), last=at_least)
            r = float(np.clip(above[column, candidate], -_LARGEST_R, _LARGEST_R))
            if abs(r) < _SMALLEST_R:  # no stump is better than none, now and in all rounds to come
                break
            alpha = 0.5 * float(np.log((1.0 + r) / (1.0 - r)))
            stumps.append((column, candidate, alpha))
            found_r.append(abs(r))
            scores += alpha * (bins[column] > candidate)
            if vali_bins is not None:
                vali_scores += alpha * (vali_bins[column] > candidate)
                found_values.append(evaluator(vali_scores)[metric].mean)
        if found_values and not np.isnan(found_values[0]):
            del stumps[int(np.argmax(found_values)) + 1 :]
        self.feature_ = np.array([column for column, _, _ in stumps], np.int64)
        self.threshold_ = np.array([candidates[column][place] for column, place, _ in stumps], np.float32)
        self.alpha_ = np.array([alpha for _, _, alpha in stumps])
        self.r_ = np.array(found_r)
        self.vali_score_ = np.array(found_values)

    def _predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        scores = np.zeros(len(features))
        # Stumps on the same place are one: a few hundred rounds use far fewer different ones.
        places, which = np.unique(np.stack([self.feature_, self.threshold_], axis=1), axis=0, return_inverse=True)
        alphas = np.bincount(which.ravel(), weights=self.alpha_, minlength=len(places))
        beyond = np.greater_equal if self.stumps == "at_least" else np.greater
        for (column, threshold), alpha in zip(places, alphas, strict=True):
            scores += alpha * beyond(features[:, int(column)], np.float32(threshold))
        return scores


def _candidates(column: NDArray[np.float32], wanted: int | None, at_least: bool) -> NDArray[np.float32]:
    """Thresholds that separate something, ascending."""
    values = np.unique(column)
    if wanted is None or (len(values) <= wanted and not at_least):
        return values[1:] if at_least else values[:-1]
    if at_least:
        if len(values) == 1:
            return values[:0]
        # In double precision, because values such as 0.2 lie on a threshold and must reach it.
        return np.unique(np.linspace(float(values[0]), float(values[-1]), wanted + 1)[1:].astype(np.float32))
    spaced = np.linspace(values[0], values[-1], wanted + 1, dtype=np.float64)[:-1].astype(np.float32)
    return np.unique(spaced)


def _bins(features: NDArray[np.float32], candidates: list[NDArray[np.float32]], at_least: bool) -> NDArray[np.uint32]:
    """Number of thresholds that each value passes: a document is beyond threshold c if its bin is above c."""
    bins = np.empty((features.shape[1], features.shape[0]), np.uint32)
    for column, values in enumerate(candidates):
        bins[column] = np.searchsorted(values, features[:, column], side="right" if at_least else "left")
    return bins


def _largest(sizes: NDArray[np.float64], *, last: bool) -> tuple[int, int]:
    """Row and column of the largest entry; of equals in a row the first column, or the last."""
    row, column = divmod(int(np.argmax(sizes)), sizes.shape[1])
    return (row, int(np.flatnonzero(sizes[row] == sizes[row, column])[-1])) if last else (row, column)


@compiled(signatures.float64(LABELS, FLOATS, INDEX, OUT_FLOATS, OUT_FLOATS, OUT_FLOATS))
def _potentials(
    labels: NDArray[np.int32],
    scores: NDArray[np.float64],
    offsets: NDArray[np.int64],
    largest: NDArray[np.float64],
    mass: NDArray[np.float64],
    out: NDArray[np.float64],
) -> float:
    """Weight of the pairs in which a document is the better one, less that in which it is the worse one.

    A pair (better, worse) weighs exp(score of worse − score of better). Returns the sum over all pairs. ``largest``
    and ``mass`` are scratch, one entry per label.
    """
    n_labels = mass.size
    total = 0.0
    for side in (1, -1):
        for q in range(offsets.size - 1):
            # For each label the sum of exp(score) over all worse documents, as mass × exp(largest): no term
            # overflows. The second side looks from the worse document: labels reversed, scores negated.
            for label in range(n_labels):
                largest[label] = -np.inf
                mass[label] = 0.0
            for i in range(offsets[q], offsets[q + 1]):
                label = labels[i] if side == 1 else n_labels - 1 - labels[i]
                score = side * scores[i]
                if score > largest[label]:
                    mass[label] = mass[label] * np.exp(largest[label] - score) + 1.0
                    largest[label] = score
                else:
                    mass[label] += np.exp(score - largest[label])
            top = -np.inf
            below = 0.0
            for label in range(n_labels):
                own_top = largest[label]
                own = mass[label]
                largest[label] = top
                mass[label] = below
                if own > 0.0:
                    higher = max(top, own_top)
                    below = below * np.exp(top - higher) + own * np.exp(own_top - higher)
                    top = higher
            for i in range(offsets[q], offsets[q + 1]):
                label = labels[i] if side == 1 else n_labels - 1 - labels[i]
                weight = 0.0
                if mass[label] > 0.0:
                    weight = mass[label] * np.exp(largest[label] - side * scores[i])
                if side == 1:
                    out[i] = weight
                    total += weight
                else:
                    out[i] -= weight
    return total


@compiled(signatures.void(signatures.Array(signatures.uint32, 2, "C", readonly=True), FLOATS, OUT_MATRIX))
def _add_up(bins: NDArray[np.uint32], potential: NDArray[np.float64], histogram: NDArray[np.float64]) -> None:
    for column in range(bins.shape[0]):
        for i in range(bins.shape[1]):
            histogram[column, bins[column, i]] += potential[i]
