"""Random forest on the labels: grown by scikit-learn, kept and applied as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.rankers.base import Ranker, positive
from ltrlib.rankers.kernels import FEATURES, FLOATS, INDEX, LABELS, OUT_FLOATS, compiled, signatures

__all__ = ["RandomForest"]


@dataclass(eq=False, kw_only=True)
class RandomForest(Ranker):
    """Random forest of Breiman (2001) that predicts the label.

    Parameters
    ----------
    trees
        Number of trees.
    min_leaf
        Fewest documents in a leaf.
    max_features
        Share of the features that each split may choose from.
    seed
        Decides samples and splits.
    n_jobs
        Number of processes; the model does not depend on it.

    Attributes
    ----------
    root_
        First node of each tree.
    feature_, threshold_, left_, right_
        Of each node: a document goes left if its feature is not above the threshold. A leaf has feature -1.
    value_
        Prediction of each node.

    Examples
    --------
    >>> RandomForest(trees=500, min_leaf=5)
    RandomForest(trees=500, min_leaf=5, max_features=0.3333333333333333, seed=0, n_jobs=1)
    """

    trees: int = 300
    min_leaf: int = 5
    max_features: float = 1 / 3
    seed: int = 0
    n_jobs: int = 1

    def _fit(self, train: RankingData, vali: RankingData | None) -> None:
        from sklearn.ensemble import RandomForestRegressor

        positive(self, "trees", "min_leaf", "max_features")
        forest = RandomForestRegressor(
            self.trees,
            min_samples_leaf=self.min_leaf,
            max_features=self.max_features,
            random_state=self.seed,
            n_jobs=self.n_jobs,
        ).fit(train.features, train.labels.astype(np.float64))
        nodes = [tree.tree_ for tree in forest.estimators_]
        self.root_ = np.concatenate([[0], np.cumsum([tree.node_count for tree in nodes])])[:-1]
        self.feature_ = np.concatenate([np.maximum(tree.feature, -1) for tree in nodes]).astype(np.int32)
        self.threshold_ = np.concatenate([tree.threshold for tree in nodes])
        self.left_, self.right_ = (
            np.concatenate([getattr(tree, side) + root for tree, root in zip(nodes, self.root_, strict=True)])
            for side in ("children_left", "children_right")
        )
        self.value_ = np.concatenate([tree.value.ravel() for tree in nodes])

    def _predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        scores = np.zeros(len(features))
        _walk(features, self.root_, self.feature_, self.threshold_, self.left_, self.right_, self.value_, scores)
        return scores


@compiled(signatures.void(FEATURES, INDEX, LABELS, FLOATS, INDEX, INDEX, FLOATS, OUT_FLOATS))
def _walk(
    features: NDArray[np.float32],
    roots: NDArray[np.int64],
    feature: NDArray[np.int32],
    threshold: NDArray[np.float64],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    value: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    for tree in range(roots.size):
        for row in range(features.shape[0]):
            node = roots[tree]
            while feature[node] >= 0:
                node = left[node] if features[row, feature[node]] <= threshold[node] else right[node]
            out[row] += value[node] / roots.size
