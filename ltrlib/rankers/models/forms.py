"""The three forms that models of other programs have: weighted features, weighted stumps, trees.

Each scores as the program that wrote the file does, in its order and precision: RankLib adds up trees in single
precision, LightGBM in double.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ltrlib.errors import UsageError
from ltrlib.rankers.kernels import FEATURES, FLOATS, INDEX, LABELS, OUT_FLOATS, compiled, signatures

__all__ = ["LinearModel", "Model", "StumpModel", "TreeModel"]

_BLOCK = 1 << 16
_ZERO = 1e-35  # what LightGBM takes for zero where zeros stand for missing values


@dataclass(frozen=True, eq=False)
class Model(ABC):
    """What was read from a model file.

    Parameters
    ----------
    name
        What the file calls itself, such as ``"LambdaMART"``.
    n_features
        Features per document, if the file says so; RankLib's do not, and take features that are not given for 0.
    """

    name: str
    n_features: int | None

    def predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Score documents, one row each; the highest score ranks first. Column 0 is feature 1 of the files."""
        features = np.asarray(features)
        least = self.n_features or self.highest_feature + 1
        if features.ndim != 2 or features.shape[1] < least or (self.n_features and features.shape[1] > least):
            wanted = f"{least}" if self.n_features else f"at least {least}"
            raise UsageError(f"features of shape {features.shape}, but the model needs {wanted} per row")
        scores = np.zeros(len(features))
        for start in range(0, len(features), _BLOCK):
            block = np.ascontiguousarray(features[start : start + _BLOCK], dtype=np.float32)
            if not np.isfinite(block).all():
                row = start + int(np.argmin(np.isfinite(block).all(axis=1)))
                raise UsageError(f"a feature of row {row} is not finite")
            self._add_scores(block, scores[start : start + _BLOCK])
        return scores

    @property
    @abstractmethod
    def highest_feature(self) -> int:
        """The highest column that is looked at; -1 if none is."""

    @abstractmethod
    def _add_scores(self, features: NDArray[np.float32], out: NDArray[np.float64]) -> None: ...


@dataclass(frozen=True, eq=False)
class LinearModel(Model):
    """A weighted sum: RankLib's Coordinate Ascent, AdaRank and Linear Regression.

    Parameters
    ----------
    columns, weights
        Columns from 0 and their weights, in the order in which they are added; a column may occur several times.
    intercept
        What is added to first.

    Examples
    --------
    >>> model = LinearModel("Coordinate Ascent", None, np.array([1, 0]), np.array([0.75, 0.25]))
    >>> model.predict(np.array([[4, 8]], np.float32))
    array([7.])
    """

    columns: NDArray[np.int64]
    weights: NDArray[np.float64]
    intercept: float = 0.0

    @property
    def highest_feature(self) -> int:
        """The highest column that is looked at; -1 if none is."""
        return int(self.columns.max(initial=-1))

    def _add_scores(self, features: NDArray[np.float32], out: NDArray[np.float64]) -> None:
        out += self.intercept
        for column, weight in zip(self.columns, self.weights, strict=True):
            out += weight * features[:, column].astype(np.float64)


@dataclass(frozen=True, eq=False)
class StumpModel(Model):
    """Weighted stumps, each 1 where a feature is above its threshold: RankLib's RankBoost.

    Parameters
    ----------
    columns, thresholds, weights
        Of each stump, in the order in which they are added.

    Examples
    --------
    >>> model = StumpModel("RankBoost", None, np.array([0]), np.array([0.5]), np.array([2.0]))
    >>> model.predict(np.array([[0.5], [0.75]], np.float32))
    array([0., 2.])
    """

    columns: NDArray[np.int64]
    thresholds: NDArray[np.float64]
    weights: NDArray[np.float64]

    @property
    def highest_feature(self) -> int:
        """The highest column that is looked at; -1 if none is."""
        return int(self.columns.max(initial=-1))

    def _add_scores(self, features: NDArray[np.float32], out: NDArray[np.float64]) -> None:
        for column, threshold, weight in zip(self.columns, self.thresholds, self.weights, strict=True):
            out += weight * (features[:, column].astype(np.float64) > threshold)


@dataclass(frozen=True, eq=False)
class TreeModel(Model):
    """Trees: a document goes left where its feature is not above the threshold.

    Parameters
    ----------
    roots
        First node of each tree.
    weights
        Factor of each tree.
    bags
        First tree of each bag; the score is the mean over bags (RankLib's Random Forests), of one bag its sum.
    columns, thresholds, left, right, values
        Of each node; a leaf has column -1. ``values`` are of leaves.
    zeros
        Of each node, where a zero goes if it stands for a missing value: -1 left, 1 right; 0 if it is a value.
    single
        Whether the trees of a bag are added up in single precision, as RankLib does.

    Examples
    --------
    >>> model = TreeModel("MART", None, np.array([0]), np.array([0.1]), np.array([0]), np.array([0, -1, -1], np.int32),
    ...                   np.array([0.5, 0, 0]), np.array([1, 0, 0]), np.array([2, 0, 0]), np.array([0.0, -1.0, 3.0]),
    ...                   np.zeros(3, np.int32), single=False)
    >>> model.predict(np.array([[0.5], [0.75]], np.float32)).round(6)
    array([-0.1,  0.3])
    """

    roots: NDArray[np.int64]
    weights: NDArray[np.float64]
    bags: NDArray[np.int64]
    columns: NDArray[np.int32]
    thresholds: NDArray[np.float64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    values: NDArray[np.float64]
    zeros: NDArray[np.int32]
    single: bool

    @property
    def highest_feature(self) -> int:
        """The highest column that is looked at; -1 if none is."""
        return int(self.columns.max(initial=-1))

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.roots)

    def _add_scores(self, features: NDArray[np.float32], out: NDArray[np.float64]) -> None:
        _walk(
            features,
            self.roots,
            self.weights,
            self.bags,
            self.columns,
            self.thresholds,
            self.left,
            self.right,
            self.values,
            self.zeros,
            self.single,
            out,
        )


@compiled(
    signatures.void(
        *(FEATURES, INDEX, FLOATS, INDEX, LABELS, FLOATS, INDEX, INDEX, FLOATS, LABELS),
        *(signatures.boolean, OUT_FLOATS),
    )
)
def _walk(
    features: NDArray[np.float32],
    roots: NDArray[np.int64],
    weights: NDArray[np.float64],
    bags: NDArray[np.int64],
    columns: NDArray[np.int32],
    thresholds: NDArray[np.float64],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    values: NDArray[np.float64],
    zeros: NDArray[np.int32],
    single: bool,
    out: NDArray[np.float64],
) -> None:
    for row in range(features.shape[0]):
        score = 0.0
        for bag in range(bags.size):
            total = 0.0
            last = bags[bag + 1] if bag + 1 < bags.size else roots.size
            for tree in range(bags[bag], last):
                node = roots[tree]
                while columns[node] >= 0:
                    value = np.float64(features[row, columns[node]])
                    if zeros[node] != 0 and abs(value) <= _ZERO:
                        node = left[node] if zeros[node] < 0 else right[node]
                    else:
                        node = left[node] if value <= thresholds[node] else right[node]
                total = total + values[node] * weights[tree]
                if single:
                    total = np.float64(np.float32(total))
            score += total
        out[row] = score if bags.size == 1 else score / bags.size
