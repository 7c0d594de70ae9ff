"""Synthetic ranking data of Köppel et al. (2019, section 4.5): one Gaussian cloud per relevance class.

Every class has its own mean and standard deviation in each feature, drawn once per data set; training and test part
share them. Because the clouds are known, so is the best possible ranking, which a real data set never tells.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData, Source
from ltrlib.errors import UsageError

__all__ = ["Clouds", "Limits", "Noise", "Rounding", "SyntheticData", "SyntheticSettings", "generate"]

Rounding = Literal["nearest", "truncated"]
Limits = Literal["open", "classes"]

_NORMAL = NormalDist()
_BLOCK = 1 << 14  # documents whose distances to all clouds are in memory at once


@dataclass(frozen=True)
class Noise:
    """Gaussian noise on the labels, made whole again.

    Parameters
    ----------
    sigma
        Standard deviation; 0 leaves every label as it is.
    rounding
        To the nearest whole number, as the paper says, or truncated towards 0, as the authors' code of 2022 does.
    limits
        Which labels may come out: all whole numbers, or those of the classes only.

    Examples
    --------
    >>> round(Noise(0.75).changed(5), 3), round(Noise(0.75, limits="classes").changed(5), 3)
    (0.505, 0.404)
    """

    sigma: float
    rounding: Rounding = "nearest"
    limits: Limits = "open"

    def __post_init__(self) -> None:
        if not 0 <= self.sigma < math.inf:
            raise UsageError(f"sigma={self.sigma} must be 0 or above", where="Noise")
        for name, known in (("rounding", get_args(Rounding)), ("limits", get_args(Limits))):
            if getattr(self, name) not in known:
                raise UsageError(f"{name}={getattr(self, name)!r} is not known", cure=f"choose one of {known}")

    def apply(self, rng: np.random.Generator, classes: NDArray[np.int32], n_classes: int) -> NDArray[np.int32]:
        """Draw the label of each document from its true class.

        Examples
        --------
        >>> Noise(0.0).apply(np.random.default_rng(0), np.array([0, 2], np.int32), 3)
        array([0, 2], dtype=int32)
        """
        if self.sigma == 0:
            return classes.copy()
        moved = classes + rng.normal(0.0, self.sigma, len(classes))
        whole = np.rint(moved) if self.rounding == "nearest" else np.trunc(moved)
        return (np.clip(whole, 0, n_classes - 1) if self.limits == "classes" else whole).astype(np.int32)

    def changed(self, n_classes: int) -> float:
        """Share of the labels that differ from the true class, in closed form, with classes of equal size.

        Examples
        --------
        >>> round(Noise(0.25).changed(5), 3), round(Noise(0.1, "truncated", "classes").changed(5), 2)
        (0.046, 0.4)
        """
        if self.sigma == 0:
            return 0.0
        return 1 - math.fsum(self._kept(label, n_classes) for label in range(n_classes)) / n_classes

    def _kept(self, label: int, n_classes: int) -> float:
        if self.rounding == "nearest":
            low, high = -0.5, 0.5
        else:
            # Truncation keeps [label, label + 1), and for label 0 also what lies between -1 and 0.
            low, high = (-1.0 if label == 0 else 0.0), 1.0
        if self.limits == "classes":
            low = -math.inf if label == 0 else low
            high = math.inf if label == n_classes - 1 else high
        return _NORMAL.cdf(high / self.sigma) - _NORMAL.cdf(low / self.sigma)


@dataclass(frozen=True)
class SyntheticSettings:
    """What characterises a synthetic data set; the defaults are those of the paper's text.

    Parameters
    ----------
    classes, features
        Number of relevance classes, and of features.
    train_docs, test_docs
        Documents of either part.
    noise
        On the labels of both parts.
    means, deviations
        Ranges from which mean and standard deviation of each class in each feature are drawn. The code of 2022 has
        deviations from 50 to 200.

    Examples
    --------
    >>> SyntheticSettings(classes=3).train_docs
    100000
    """

    classes: int = 5
    features: int = 70
    train_docs: int = 100_000
    test_docs: int = 10_000
    noise: Noise = Noise(0.0)
    means: tuple[float, float] = (0.0, 100.0)
    deviations: tuple[float, float] = (50.0, 100.0)

    def __post_init__(self) -> None:
        for name, least in (("classes", 2), ("features", 1), ("train_docs", self.classes), ("test_docs", self.classes)):
            if getattr(self, name) < least:
                raise UsageError(f"{name}={getattr(self, name)} must be at least {least}", where="SyntheticSettings")
        if not 0 < self.deviations[0] <= self.deviations[1] or not self.means[0] <= self.means[1]:
            raise UsageError("the ranges must rise, and deviations be above 0", where="SyntheticSettings")


@dataclass(frozen=True, eq=False)
class Clouds:
    """Where the documents of each class lie.

    Parameters
    ----------
    means, deviations
        Of each class in each feature, ``(classes, features)``.

    Examples
    --------
    >>> clouds = Clouds(np.array([[0.0], [10.0]]), np.ones((2, 1)))
    >>> clouds.probabilities(np.array([[0.0], [5.0]], np.float32)).round(3)
    array([[1. , 0. ],
           [0.5, 0.5]])
    """

    means: NDArray[np.float64]
    deviations: NDArray[np.float64]

    @classmethod
    def draw(cls, rng: np.random.Generator, settings: SyntheticSettings) -> Clouds:
        """Draw means and standard deviations uniformly from their ranges.

        Examples
        --------
        >>> Clouds.draw(np.random.default_rng(0), SyntheticSettings(classes=3, features=4)).means.shape
        (3, 4)
        """
        shape = (settings.classes, settings.features)
        return cls(rng.uniform(*settings.means, shape), rng.uniform(*settings.deviations, shape))

    def sample(self, rng: np.random.Generator, documents: int) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """Draw documents: the classes take turns, so that they are equally large up to one document.

        Examples
        --------
        >>> clouds = Clouds(np.array([[0.0], [10.0]]), np.ones((2, 1)))
        >>> features, classes = clouds.sample(np.random.default_rng(0), 3)
        >>> features.shape, classes.tolist()
        ((3, 1), [0, 1, 0])
        """
        number = len(self.means)
        features = rng.standard_normal((documents, self.means.shape[1]), dtype=np.float32)
        # In place and class by class: the largest training sets take a gigabyte.
        for one, (mean, deviation) in enumerate(zip(self.means, self.deviations, strict=True)):
            features[one::number] *= deviation.astype(np.float32)
            features[one::number] += mean.astype(np.float32)
        return features, (np.arange(documents) % number).astype(np.int32)

    def probabilities(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Probability of each class given a document's features, by Bayes' rule with classes of equal size.

        Whoever ranks by the expected gain under these probabilities, or takes the likeliest class, cannot be beaten.
        """
        found = np.empty((len(features), len(self.means)))
        constant = -np.log(self.deviations).sum(axis=1)
        for start in range(0, len(features), _BLOCK):
            block = features[start : start + _BLOCK].astype(np.float64)
            for one, (mean, deviation) in enumerate(zip(self.means, self.deviations, strict=True)):
                distance = (((block - mean) / deviation) ** 2).sum(axis=1)
                found[start : start + _BLOCK, one] = constant[one] - distance / 2
        found -= found.max(axis=1, keepdims=True)
        np.exp(found, out=found)
        found /= found.sum(axis=1, keepdims=True)
        return found


@dataclass(frozen=True, eq=False)
class SyntheticData:
    """One data set: both parts, each as a single query, the true classes of the test part, and the clouds.

    Examples
    --------
    >>> data = generate(SyntheticSettings(classes=3, features=2, train_docs=9, test_docs=6), seed=0)
    >>> data.train, data.test_classes.tolist()
    (<RankingData synthetic train: 9 documents, 1 queries, 2 features>, [0, 1, 2, 0, 1, 2])
    """

    train: RankingData
    test: RankingData
    test_classes: NDArray[np.int32]
    clouds: Clouds


def generate(settings: SyntheticSettings, *, seed: int) -> SyntheticData:
    """Make a data set; the same seed gives the same bits.

    A label that noise moves below 0 counts as 0: below irrelevant there is no gain to lose, and a cost that the label
    multiplies must not become negative.

    Examples
    --------
    >>> settings = SyntheticSettings(classes=2, features=3, train_docs=10, test_docs=10)
    >>> bool((generate(settings, seed=1).train.features == generate(settings, seed=1).train.features).all())
    True
    """
    # Separate streams, so that noise or size of one part does not change the other, nor the clouds.
    of_clouds, of_train, of_test = (np.random.default_rng([seed, stream]) for stream in range(3))
    clouds = Clouds.draw(of_clouds, settings)
    train, _ = _part("train", clouds, settings, of_train, settings.train_docs)
    test, classes = _part("test", clouds, settings, of_test, settings.test_docs)
    return SyntheticData(train, test, classes, clouds)


def _part(
    name: str, clouds: Clouds, settings: SyntheticSettings, rng: np.random.Generator, documents: int
) -> tuple[RankingData, NDArray[np.int32]]:
    features, classes = clouds.sample(rng, documents)
    labels = np.maximum(settings.noise.apply(rng, classes, settings.classes), 0)
    offsets, ids = np.array([0, documents]), np.array([name])
    return RankingData(features, labels, offsets, ids, None, Source("synthetic", name)), classes
