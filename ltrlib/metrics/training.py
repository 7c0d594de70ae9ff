"""Any tool's metric while another library trains: early stopping by *the NDCG of tool X*.

Each function takes a metric's text and gives what the library asks for::

    lightgbm.train(parameters | {"metric": "None"}, data, valid_sets=[valid], feval=lightgbm_feval("ndcg@10:sklearn"),
                   callbacks=[lightgbm.early_stopping(20)])
    LGBMRanker(metric="None").fit(X, y, group=sizes, eval_X=X_valid, eval_y=y_valid, eval_group=[valid_sizes],
                   eval_metric=lightgbm_feval("ndcg@10:sklearn"), callbacks=[lightgbm.early_stopping(20)])
    xgboost.train(parameters, data, evals=[(valid, "valid")], custom_metric=xgboost_metric("ndcg@10:sklearn"),
                  maximize=True, early_stopping_rounds=20)
    CatBoostRanker(eval_metric=catboost_metric("ndcg@10:sklearn", labels, query_ids), early_stopping_rounds=20)
    GridSearchCV(model, grid, scoring=sklearn_scorer("ndcg@10:sklearn", groups="qid"))

Values are means over queries; sample weights are not used. Labels that are no whole numbers, as CatBoost's users have
them, can be scored by the metrics with a gain (NDCG, DCG): the gain rule is applied to the label as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.datasets.arrays import group_rows
from ltrlib.errors import UsageError
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.metric import DCG, Metric
from ltrlib.metrics.notation import parse

__all__ = ["array_metric", "catboost_metric", "lightgbm_feval", "metric_name", "sklearn_scorer", "xgboost_metric"]


def metric_name(metric: str | Metric) -> str:
    """Name of a metric in a training log, in which a colon would part it from its value.

    Examples
    --------
    >>> metric_name("ndcg@10:sklearn")
    'ndcg@10_sklearn'
    """
    return str(_parsed(metric)).replace(":", "_")


def _parsed(metric: str | Metric) -> Metric:
    return parse(metric) if isinstance(metric, str) else metric


def array_metric(metric: str | Metric) -> Callable[[ArrayLike, ArrayLike, ArrayLike], float]:
    """Make a plain function of labels, scores and the number of documents of each query.

    Examples
    --------
    >>> score = array_metric("ndcg@10:sklearn")
    >>> round(score([0, 1, 1], [0.5, 0.2, 0.1], [2, 1]), 4)
    0.8155
    """
    wanted = _parsed(metric)

    def score(labels: ArrayLike, scores: ArrayLike, group_sizes: ArrayLike) -> float:
        return _Scored(wanted, labels, _offsets(group_sizes)).mean(scores)

    return score


class _Scored:
    """A metric on labelled documents, whose labels may be any numbers from 0 up where the metric has a gain."""

    def __init__(self, metric: Metric, labels: ArrayLike, offsets: NDArray[np.int64]) -> None:
        given: NDArray[Any] = np.asarray(labels)
        real = given.dtype.kind == "f" and given.ndim == 1 and bool(np.isfinite(given).all() and (given >= 0).all())
        if real and isinstance(metric, DCG) and isinstance(metric.gain, str) and (given != np.floor(given)).any():
            # The engine counts in whole grades: one for each different label, with that label's gain in a table.
            levels, given = np.unique(np.concatenate([[0.0, 1.0], given.astype(np.float64)]), return_inverse=True)
            gains = levels if metric.gain == "linear" else np.exp2(levels) - 1
            metric, given = replace(metric, gain=tuple(gains.tolist())), given[2:]
        self._metric = metric
        self._evaluator = Evaluator(metric, given, offsets)

    def mean(self, scores: ArrayLike) -> float:
        return self._evaluator(np.asarray(scores, dtype=np.float64))[self._metric].mean


def _offsets(sizes: ArrayLike | None) -> NDArray[np.int64]:
    if sizes is None:
        raise UsageError("the data has no groups", cure="tell the number of documents of each query when you make it")
    return np.concatenate([[0], np.cumsum(np.asarray(sizes, dtype=np.int64))]).astype(np.int64)


class _OfData:
    """A metric whose label side is counted once for each data set."""

    def __init__(self, metric: str | Metric) -> None:
        self.metric = _parsed(metric)
        self.name = metric_name(self.metric)
        self._scored: WeakKeyDictionary[Any, _Scored] = WeakKeyDictionary()

    def value(self, data: Any, make: Callable[[], _Scored], scores: ArrayLike) -> float:
        if data not in self._scored:
            self._scored[data] = make()
        return self._scored[data].mean(scores)


def lightgbm_feval(metric: str | Metric) -> Callable[..., tuple[str, float, bool]]:
    """Make a ``feval`` for ``lightgbm.train`` and ``lightgbm.cv``, and an ``eval_metric`` for ``LGBMRanker.fit``.

    Set ``metric`` to ``"None"`` in LightGBM's parameters if early stopping should watch this one alone.

    Examples
    --------
    >>> lightgbm_feval("ndcg@10:sklearn").__name__
    'ndcg@10_sklearn'
    """
    kept = _OfData(metric)

    def feval(predictions: Any, data: Any, _: Any = None, group: Any = None) -> tuple[str, float, bool]:
        if isinstance(data, np.ndarray):
            # LGBMRanker gives the labels, the predictions, the weights and the group sizes.
            labels, scores = predictions, data
            return kept.name, _Scored(kept.metric, labels, _offsets(group)).mean(scores), True

        def make() -> _Scored:
            return _Scored(kept.metric, data.get_label(), _offsets(data.get_group()))

        return kept.name, kept.value(data, make, predictions), True

    feval.__name__ = kept.name
    return feval


def xgboost_metric(metric: str | Metric) -> Callable[[Any, Any], tuple[str, float]]:
    """Make a ``custom_metric`` for ``xgboost.train``; tell it ``maximize=True``.

    XGBoost keeps six decimals of any custom metric, also for early stopping. It is not for ``XGBRanker``, which shows
    its metric one query at a time, and by rules of its own takes the mean.

    Examples
    --------
    >>> xgboost_metric("ndcg@10:sklearn").__name__
    'ndcg@10_sklearn'
    """
    kept = _OfData(metric)

    def custom_metric(predictions: Any, data: Any) -> tuple[str, float]:
        if isinstance(data, np.ndarray):
            what = "XGBRanker shows its metric one query at a time, and scores queries of one document itself"
            raise UsageError(what, cure="train with xgboost.train(..., custom_metric=...)")

        def make() -> _Scored:
            bounds = np.asarray(data.get_uint_info("group_ptr"), dtype=np.int64)
            return _Scored(kept.metric, data.get_label(), _offsets(np.diff(bounds) if bounds.size else None))

        return kept.name, kept.value(data, make, predictions)

    custom_metric.__name__ = kept.name
    return custom_metric


class catboost_metric:  # noqa: N801 - it stands beside the functions of the others
    """Make an ``eval_metric`` for CatBoost, which does not tell its own metrics the queries: so they are given here.

    On other data, such as the training set, whose queries it does not know, it reports 0: CatBoost takes no NaN.

    Parameters
    ----------
    metric
        The metric.
    labels, query_ids
        Of the evaluation set, in its order.

    Examples
    --------
    >>> catboost_metric("ndcg@10:sklearn", [0, 1], ["q", "q"]).evaluate([[0.2, 0.5]], [0, 1], None)
    (1.0, 1.0)
    """

    no_jit = True  # CatBoost would try to compile the methods, and warn that it cannot

    def __init__(self, metric: str | Metric, labels: ArrayLike, query_ids: ArrayLike) -> None:
        self._metric = _parsed(metric)
        # CatBoost keeps targets in single precision; by these it must know its evaluation set again.
        self._labels = np.asarray(labels, dtype=np.float32).astype(np.float64)
        order, offsets, _ = group_rows(query_ids)
        if order is not None or offsets[-1] != self._labels.size:
            raise UsageError("one query id for each label is wanted, those of a query together")
        self._scored = _Scored(self._metric, self._labels, offsets)

    def __str__(self) -> str:
        return metric_name(self._metric)

    __repr__ = __str__

    def is_max_optimal(self) -> bool:
        """Say that more is better."""
        return True

    def evaluate(self, approxes: Any, target: Any, _: Any) -> tuple[float, float]:
        """Mean over the queries, and its weight."""
        given = np.asarray(target, dtype=np.float32).astype(np.float64)
        if given.shape != self._labels.shape or not np.array_equal(given, self._labels):
            return 0.0, 1.0
        return self._scored.mean(approxes[0]), 1.0

    def get_final_error(self, error: float, _: float) -> float:
        """Give the mean as it is."""
        return error


def sklearn_scorer(metric: str | Metric, groups: str | None = None) -> Callable[..., float]:
    """Make a scorer for scikit-learn's searches and cross-validation.

    Parameters
    ----------
    metric
        The metric.
    groups
        Column of the frame X that holds the query ids. Without it, the scorer asks for ``groups`` by scikit-learn's
        metadata routing, which must be enabled then.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.dummy import DummyRegressor
    >>> frame = pd.DataFrame({"qid": ["a", "a", "b"], "x": [1, 2, 3]})
    >>> model = DummyRegressor().fit(frame, [0, 1, 1])
    >>> round(sklearn_scorer("ndcg@10:sklearn", groups="qid")(model, frame, [0, 1, 1]), 4)
    0.9077
    """
    wanted = _parsed(metric)

    def value(labels: Any, scores: Any, groups: Any) -> float:
        order, offsets, _ = group_rows(groups)
        rows = slice(None) if order is None else order
        return _Scored(wanted, np.asarray(labels)[rows], offsets).mean(np.asarray(scores, dtype=np.float64)[rows])

    if groups is None:
        from sklearn.metrics import make_scorer

        routed: Callable[..., float] = make_scorer(value).set_score_request(groups=True)
        return routed

    def scorer(estimator: Any, X: Any, y: Any) -> float:
        return value(y, estimator.predict(X), np.asarray(X[groups]))

    return scorer
