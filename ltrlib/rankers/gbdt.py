"""Gradient-boosted regression trees on the labels (MART), with LightGBM."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError
from ltrlib.rankers.boosting import BoostedTrees, Objective

__all__ = ["GBDT"]


@dataclass(eq=False, kw_only=True)
class GBDT(BoostedTrees):
    """Boosted trees that minimise the squared error (Friedman 2001; called MART in RankLib).

    Parameters
    ----------
    trees
        Largest number of trees.
    leaves
        Leaves of each tree.
    learning_rate
        Factor on each tree.
    min_leaf
        Fewest documents in a leaf.
    sampling
        Share of the documents that each tree is fitted to, drawn anew.
    patience
        Stop after so many trees without a better validation metric; None grows all trees. With a validation part the
        trees up to the best metric are kept.
    metric
        What to choose the number of trees by.
    seed
        Decides the sampling.
    n_jobs
        Number of threads; the model does not depend on it.
    target
        ``"label"``, or ``"satisfaction"``: (2^label − 1) / 2^max_grade, as Chapelle and Chang (2011) do.
    max_grade
        The largest label that can occur.

    Examples
    --------
    >>> GBDT(trees=2400, leaves=20, learning_rate=0.05, sampling=0.5, target="satisfaction").sampling
    0.5
    """

    target: Literal["label", "satisfaction"] = "label"
    max_grade: int = 4

    def _objective(self, train: RankingData) -> tuple[str | Objective, dict[str, Any]]:
        if self.target not in ("label", "satisfaction"):
            raise UsageError(f"target={self.target!r} is not known", cure="choose label or satisfaction")
        if self.target == "satisfaction" and train.labels.max() > self.max_grade:
            raise UsageError(f"label {train.labels.max()} is above max_grade={self.max_grade}", where="GBDT.fit, train")
        return "regression", {}

    def _targets(self, labels: NDArray[np.int32]) -> NDArray[Any]:
        if self.target == "label":
            return labels
        targets: NDArray[np.float64] = (np.exp2(labels.astype(np.float64)) - 1.0) / 2.0**self.max_grade
        return targets
