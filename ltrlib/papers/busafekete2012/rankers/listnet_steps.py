"""ListNet as RankLib trains it, to see what its step size and its output unit do.

RankLib's network is one unit on the features as they are, with small random weights at first. After each query the
weights move by rate × Σ (p of label − p of score) × features, where p are the top-one probabilities of labels and of
the unit's outputs. The unit is logistic: outputs lie between 0 and 1; the slope of the logistic function is
left out of the step. In the paper of ListNet the output is linear.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.notation import parse
from ltrlib.rankers.base import linear_scores
from ltrlib.rankers.cross_validation import Fold
from ltrlib.rankers.kernels import FEATURES, FLOATS, INDEX, OUT_FLOATS, compiled, signatures

__all__ = ["EPOCHS", "RATE", "Output", "top_one", "training_curve"]

RATE = 1e-5
EPOCHS = 1500
"""RankLib's defaults."""

Output: TypeAlias = Literal["logistic", "linear"]

_START = 0.1


def top_one(data: RankingData) -> NDArray[np.float64]:
    """Probability of each document to be first in its query, by the labels.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.zeros((2, 1), np.float32), np.array([1, 0], np.int32), np.array([0, 2]),
    ...                    np.array(["q"]), None, Source("example"))
    >>> top_one(data).round(4)
    array([0.7311, 0.2689])
    """
    powers = np.exp(data.labels.astype(np.float64))
    shares: NDArray[np.float64] = powers / np.repeat(np.add.reduceat(powers, data.query_offsets[:-1]), data.query_sizes)
    return shares


def training_curve(
    fold: Fold,
    *,
    output: Output = "logistic",
    rate: float = RATE,
    epochs: Sequence[int],
    seed: int = 0,
    metric: str = "ndcg@10:ranklib",
) -> pd.DataFrame:
    """Train, and look at the metric after some of the epochs.

    Parameters
    ----------
    fold
        Its parts.
    output
        ``"logistic"`` as in RankLib, or ``"linear"``.
    rate
        Step size.
    epochs
        After which to look, ascending; the last one ends the training.
    seed
        Of the first weights.
    metric
        What to look at.

    Returns
    -------
    DataFrame
        epoch, vali (metric on the validation part), test (metric on the test part of the best epoch on the validation
        part up to here, of those that were looked at).

    Examples
    --------
    >>> from ltrlib.rankers.cross_validation import load_fold
    >>> curve = training_curve(load_fold("standin/mq2008", 1, scale=0.1), rate=0.01, epochs=[1, 10])
    >>> curve["epoch"].tolist()
    [1, 10]
    """
    rng = np.random.default_rng(seed)
    weights = rng.uniform(-_START, _START, fold.train.n_features)
    wanted, features = top_one(fold.train), np.ascontiguousarray(fold.train.features)
    scratch = np.empty(int(fold.train.query_sizes.max()))
    parsed = parse(metric)
    vali, test = (Evaluator(parsed, part.labels, part.query_offsets) for part in (fold.vali, fold.test))
    rows: list[tuple[int, float, float]] = []
    best, done = -1.0, 0
    for epoch in epochs:
        for _ in range(epoch - done):
            _epoch(features, wanted, fold.train.query_offsets, rate, output == "logistic", weights, scratch)
        done = epoch
        value = vali(linear_scores(fold.vali.features, weights))[parsed].mean
        kept = rows[-1][2] if rows else 0.0
        if value > best:
            best, kept = value, test(linear_scores(fold.test.features, weights))[parsed].mean
        rows.append((epoch, value, kept))
    return pd.DataFrame(rows, columns=["epoch", "vali", "test"])


@compiled(signatures.void(FEATURES, FLOATS, INDEX, signatures.float64, signatures.boolean, OUT_FLOATS, OUT_FLOATS))
def _epoch(
    features: NDArray[np.float32],
    wanted: NDArray[np.float64],
    offsets: NDArray[np.int64],
    rate: float,
    logistic: bool,
    weights: NDArray[np.float64],
    scratch: NDArray[np.float64],
) -> None:
    for q in range(offsets.size - 1):
        start = offsets[q]
        total = 0.0
        for i in range(start, offsets[q + 1]):
            score = 0.0
            for j in range(weights.size):
                score += weights[j] * features[i, j]
            scratch[i - start] = np.exp(1.0 / (1.0 + np.exp(-score)) if logistic else score)
            total += scratch[i - start]
        for i in range(start, offsets[q + 1]):
            step = rate * (wanted[i] - scratch[i - start] / total)
            for j in range(weights.size):
                weights[j] += step * features[i, j]
