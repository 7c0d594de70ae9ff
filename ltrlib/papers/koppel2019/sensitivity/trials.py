"""One trial of DirectRanker on synthetic data, as in section 4.5 of Köppel et al. (2019): generate, train, test."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.synthetic import Limits, Noise, SyntheticData, SyntheticSettings, generate
from ltrlib.errors import UsageError
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.metric import NDCG
from ltrlib.rankers.directranker import DirectRanker

__all__ = ["COLUMNS", "MODULES", "PAIRS", "STEPS", "Trial", "Variant", "run_trial", "draw_lists"]

Variant = Literal["text", "code2022"]

STEPS = 3000
"""Training steps. The paper does not say how many; these are those of the authors' code of 2019 on LETOR data."""

MODULES = (
    "ltrlib.datasets.synthetic",
    "ltrlib.rankers.directranker",
    "ltrlib.rankers.directranker.pairs",
    "ltrlib.rankers.directranker.training",
    "ltrlib.rankers.network",
    "ltrlib.papers.koppel2019.sensitivity.trials",
)
"""What decides the numbers of a trial."""

COLUMNS = {
    "variant": "str",
    "classes": "int",
    "features": "int",
    "documents": "int",
    "sigma": "float",
    "limits": "str",
    "output": "str",
    "initial": "str",
    "steps": "int",
    "seed": "int",
    "ndcg": "float",
    "ndcg_true": "float",
    "best": "float",
    "best_true": "float",
    "perfect": "float",
    "chance": "float",
    "wrong": "float",
    "seconds": "float",
}
"""A trial and what it gave: NDCG@20 of DirectRanker by the labels as drawn and by the true classes, of the best ranking
that the features allow by either, of the order of the true classes by the labels, and of a random order; the share of
wrong test labels; seconds to train."""

PAIRS = 254
"""Pairs per step: the mean of the authors' runs on LETOR data (761,453 pairs in 3000 steps)."""

_TEST_DOCS = 10_000
_METRIC = NDCG(20)


@dataclass(frozen=True)
class Trial:
    """One data set and one training.

    Parameters
    ----------
    variant
        Data, network and test as the paper's text describes them, or as the authors' code of 2022 has them.
    classes, features, documents
        Relevance classes, features, and documents of the training part.
    sigma, limits
        Noise on the labels of both parts; ``limits`` as in :class:`~ltrlib.datasets.synthetic.Noise`.
    output, initial, steps
        What the text leaves open about the training: activation of the output, initial weights, number of steps.
    seed
        Decides data, training and test lists.

    Examples
    --------
    >>> Trial(classes=10).ranker().hidden, Trial("code2022").ranker().hidden
    ((70, 10), (256, 128, 64, 20))
    """

    variant: Variant = "text"
    classes: int = 5
    features: int = 70
    documents: int = 100_000
    sigma: float = 0.0
    limits: Limits = "open"
    output: Literal["tanh", "identity"] = "tanh"
    initial: Literal["normal", "glorot"] = "normal"
    steps: int = STEPS
    seed: int = 0

    def __post_init__(self) -> None:
        if self.variant not in get_args(Variant):
            raise UsageError(f"variant={self.variant!r} is not known", cure=f"choose one of {get_args(Variant)}")

    def settings(self) -> SyntheticSettings:
        """What the data are like.

        Examples
        --------
        >>> Trial("code2022").settings().deviations
        (50.0, 200.0)
        """
        plain = SyntheticSettings(self.classes, self.features, self.documents, _TEST_DOCS)
        if self.variant == "code2022":
            return replace(plain, deviations=(50.0, 200.0), noise=Noise(self.sigma, "truncated", "classes"))
        return replace(plain, noise=Noise(self.sigma, "nearest", self.limits))

    def ranker(self) -> DirectRanker:
        """The ranker to be trained; one query holds all documents, and its neighbouring classes meet."""
        each = max(1, round(PAIRS / (self.classes - 1)))
        ranker = DirectRanker(
            hidden=(70, self.classes),
            cost="weighted",
            queries=(1, 1),
            pairs=(each, each),
            output=self.output,
            initial=self.initial,
            steps=self.steps,
            seed=self.seed,
        )
        if self.variant == "code2022":
            # Its sigmoid output with target 1 has the cost (1 - tanh)^2 up to a factor, which Adam ignores.
            return ranker.set_params(hidden=(256, 128, 64, 20), cost="unit", initial="glorot", dropout=0.2)
        return ranker


def draw_lists(
    variant: Variant, documents: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw the lists that are sorted and scored: rows of the test part, and where each list begins.

    The text draws 50 times between 50 and 150 documents; the code of 2022 deals the whole test part out to ten queries.

    Examples
    --------
    >>> rows, offsets = draw_lists("text", 1000, np.random.default_rng(0))
    >>> len(offsets) - 1, bool(50 <= np.diff(offsets).min() <= np.diff(offsets).max() <= 150)
    (50, True)
    """
    if variant == "code2022":
        query = rng.integers(0, 10, documents)
        return np.argsort(query, kind="stable"), np.concatenate([[0], np.cumsum(np.bincount(query, minlength=10))])
    sizes = rng.integers(50, 151, 50)
    rows = np.concatenate([rng.choice(documents, size, replace=False) for size in sizes])
    return rows, np.concatenate([[0], np.cumsum(sizes)])


def run_trial(trial: Trial) -> Mapping[str, Any]:
    """Make the data, train, and test; one row of `COLUMNS`.

    Examples
    --------
    >>> row = run_trial(Trial(classes=2, features=3, documents=100, steps=10))
    >>> row["chance"] < row["best"] <= 1.0
    True
    """
    data = generate(trial.settings(), seed=trial.seed)
    started = time.perf_counter()
    ranker = trial.ranker().fit(data.train)
    seconds = time.perf_counter() - started
    rows, offsets = draw_lists(trial.variant, data.test.n_docs, np.random.default_rng([trial.seed, 3]))
    by_label = Evaluator(_METRIC, data.test.labels[rows], offsets)
    by_class = Evaluator(_METRIC, data.test_classes[rows], offsets)
    in_random_order = Evaluator(replace(_METRIC, ties="average"), data.test.labels[rows], offsets)
    ours = ranker.predict(data.test.features)[rows]
    best, best_true = (scores[rows] for scores in _best_scores(data))
    values = {
        "ndcg": by_label(ours)[_METRIC].mean,
        "ndcg_true": by_class(ours)[_METRIC].mean,
        "best": by_label(best)[_METRIC].mean,
        "best_true": by_class(best_true)[_METRIC].mean,
        "perfect": by_label(data.test_classes[rows].astype(np.float64))[_METRIC].mean,
        "chance": next(iter(in_random_order(np.zeros(len(rows))).values())).mean,
        "wrong": float(np.mean(data.test.labels != data.test_classes)),
        "seconds": seconds,
    }
    return {**asdict(trial), **values}


def _best_scores(data: SyntheticData) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Expected gain of each test document given its features, by the labels as drawn and by the true classes."""
    probabilities = data.clouds.probabilities(data.test.features)
    n_classes = probabilities.shape[1]
    gains = 2.0**data.test.labels - 1
    of_class = np.bincount(data.test_classes, gains, n_classes) / np.bincount(data.test_classes, minlength=n_classes)
    return probabilities @ of_class, probabilities @ (2.0 ** np.arange(n_classes) - 1)
