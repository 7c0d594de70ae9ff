"""Fitted rankers of ltrlib as models that can be written for other programs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ltrlib.errors import UsageError
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.models.forms import LinearModel, Model, StumpModel, TreeModel

__all__ = ["as_model"]

# What RankLib calls the same; others are written under the name of what scores as they do.
_LINEAR = {"AdaRank": "AdaRank", "CoordinateAscent": "Coordinate Ascent"} | dict.fromkeys(
    ("LinearRegression", "RankSVM", "Ridge"), "Linear Regression"
)
_TREES = {"LambdaMART": "LambdaMART", "GBDT": "MART"}


def as_model(ranker: Ranker | Model) -> Model:
    """The model of a fitted ranker, or the model itself.

    Linear rankers, RankBoost and those of trees have one; neural networks do not.

    Examples
    --------
    >>> from ltrlib.datasets.container import RankingData, Source
    >>> from ltrlib.rankers import SingleFeature
    >>> data = RankingData(np.eye(3, dtype=np.float32), np.array([0, 2, 1], np.int32), np.array([0, 3]),
    ...                    np.array(["a"]), None, Source("example"))
    >>> model = as_model(SingleFeature(feature=1).fit(data))
    >>> model.name, model.predict(data.features)
    ('Linear Regression', array([0., 1., 0.]))
    """
    if isinstance(ranker, Model):
        return ranker
    kind, fitted = type(ranker).__name__, vars(ranker)
    if "n_features_" not in fitted:
        raise UsageError("the ranker has not been fitted", where=kind, cure="call fit first")
    width = int(fitted["n_features_"])
    if "booster_" in fitted:
        from ltrlib.rankers.models.lightgbm_text import parse_lightgbm

        return parse_lightgbm(fitted["booster_"], where=kind, name=_TREES.get(kind, "LambdaMART"))
    if kind == "RandomForest":
        return _forest(fitted, width)
    if kind == "RankBoost":
        # A value that reaches a threshold is above the next lower one in single precision.
        lower = np.nextafter(fitted["threshold_"], np.float32(-np.inf))
        thresholds = lower if getattr(ranker, "stumps", "above") == "at_least" else fitted["threshold_"]
        return StumpModel(kind, width, fitted["feature_"], thresholds.astype(np.float64), fitted["alpha_"])
    if kind == "SingleFeature":
        columns, weights = np.array([fitted["feature_"]]), np.array([float(fitted["sign_"])])
        return LinearModel("Linear Regression", width, columns, weights)
    if kind in _LINEAR:
        intercept = float(fitted.get("intercept_", 0.0))
        weights = np.asarray(fitted["weights_"], np.float64)
        return LinearModel(_LINEAR[kind], width, np.arange(width), weights, intercept)
    raise UsageError(
        "no other program's file holds such a model", where=kind, cure="keep it with save, which every ranker has"
    )


def _forest(fitted: dict[str, Any], width: int) -> TreeModel:
    number, nodes = len(fitted["root_"]), len(fitted["feature_"])
    return TreeModel(
        "Random Forests",
        width,
        fitted["root_"].astype(np.int64),
        np.ones(number),
        np.arange(number),
        fitted["feature_"].astype(np.int32),
        fitted["threshold_"].astype(np.float64),
        fitted["left_"].astype(np.int64),
        fitted["right_"].astype(np.int64),
        fitted["value_"].astype(np.float64),
        np.zeros(nodes, np.int32),
        single=False,
    )
