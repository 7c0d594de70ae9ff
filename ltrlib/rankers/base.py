"""What all rankers share: parameters, checks of what they are given, saving."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.datasets.arrays import from_arrays
from ltrlib.datasets.container import RankingData
from ltrlib.errors import DataFormatError, UsageError
from ltrlib.extras import names_extra
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.notation import parse

if TYPE_CHECKING:
    from sklearn.utils import Tags

__all__ = ["Ranker", "as_metric", "linear_scores", "need_preferences", "positive"]

_BLOCK = 1 << 16  # documents that are scored at once: memory stays small for any number of documents


@dataclass(eq=False, kw_only=True)
class Ranker(ABC):
    """Base of all rankers: parameters in the constructor, ``fit``, ``predict``, ``save``, ``load``.

    A child is a dataclass whose fields are its parameters, and defines ``_fit`` and ``_predict``. What fitting
    finds is kept in attributes that end in an underscore: arrays, text or what JSON can hold. These are saved.
    """

    @names_extra
    def fit(
        self,
        X: Any,
        y: Any = None,
        vali: RankingData | None = None,
        *,
        group: ArrayLike | None = None,
        query_ids: ArrayLike | None = None,
    ) -> Self:
        """Learn from training data: ``fit(train)``, ``fit(train, vali)`` or ``fit(X, y, vali, group=sizes)``.

        Parameters
        ----------
        X
            :class:`~ltrlib.datasets.container.RankingData`; or features, a row per document, as
            :func:`~ltrlib.datasets.from_arrays` takes them.
        y
            The label of each row of features; after ranking data, this is the place of ``vali``.
        vali
            What rankers look at that stop early or choose between models.
        group, query_ids
            With features: the number of documents of each query, or the query of each row.

        Examples
        --------
        >>> from ltrlib.rankers import SingleFeature
        >>> from ltrlib.datasets import from_arrays
        >>> data = from_arrays(np.eye(3), [0, 2, 1], group=[3])
        >>> SingleFeature(feature=1).fit(data).predict(data)
        array([0., 1., 0.])
        >>> SingleFeature(feature=1).fit(np.eye(3), [0, 2, 1], group=[3]).predict(np.eye(3))
        array([0., 1., 0.])
        """
        train, vali = self._given(X, y, vali, group, query_ids)
        self._check_parts(train, vali)
        for attribute in self._fitted():
            delattr(self, attribute)
        self._fit(train, vali)
        self.n_features_ = train.n_features
        return self

    def _given(self, X: Any, y: Any, vali: Any, group: Any, query_ids: Any) -> tuple[RankingData, RankingData | None]:
        """Training and validation part, however they were handed over."""
        where = f"{type(self).__name__}.fit"
        if not isinstance(X, RankingData):
            if y is None or isinstance(y, RankingData):
                cure = "give RankingData, or features, labels and group=sizes or query_ids=…"
                raise UsageError(f"{type(X).__name__} without labels", where=where, cure=cure)
            return from_arrays(X, y, query_ids, group=group, name=f"{where}, X"), vali
        if group is not None or query_ids is not None:
            raise UsageError(
                "ranking data bring their queries along", where=where, cure="leave out group and query_ids"
            )
        if y is not None and vali is not None:
            raise UsageError("two validation parts", where=where, cure="call fit(train, vali)")
        return X, vali if y is None else y

    def _check_parts(self, train: RankingData, vali: RankingData | None) -> None:
        name = type(self).__name__
        _check_data(train, f"{name}.fit, train")
        if vali is not None:
            _check_data(vali, f"{name}.fit, vali")
            _check_width(vali.features, train.n_features, f"{name}.fit, vali")

    @names_extra
    def predict(self, features: Any) -> NDArray[np.float64]:
        """Score documents: features, one row each, or ranking data; the highest score ranks first."""
        if not hasattr(self, "n_features_"):
            raise UsageError("the ranker has not been fitted", where=type(self).__name__, cure="call fit first")
        features = features.features if isinstance(features, RankingData) else np.asarray(features)
        _check_width(features, self.n_features_, f"{type(self).__name__}.predict")
        scores = np.empty(len(features))
        for start in range(0, len(features), _BLOCK):
            block = np.ascontiguousarray(features[start : start + _BLOCK], dtype=np.float32)
            _check_finite(block, f"{type(self).__name__}.predict")
            scores[start : start + _BLOCK] = self._predict(block)
        return scores

    @abstractmethod
    def _fit(self, train: RankingData, vali: RankingData | None) -> None: ...

    @abstractmethod
    def _predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]: ...

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name, as scikit-learn's ``clone`` wants them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def set_params(self, **params: Any) -> Self:
        """Change parameters; what was fitted stays until the next ``fit``.

        Examples
        --------
        >>> from ltrlib.rankers import RankSVM
        >>> RankSVM().set_params(C=200.0)
        RankSVM(C=200.0, tolerance=0.001, max_iterations=100, loss='squared')
        """
        known = [field.name for field in fields(self)]
        for name, value in params.items():
            if name not in known:
                raise UsageError(f"{name!r} is not a parameter", where=type(self).__name__, cure=f"use {known}")
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn what this is: it needs labels, and learns from queries rather than from single rows."""
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=True))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_")

    def save(self, path: str | Path) -> None:
        """Write the fitted ranker to one file that holds numbers and text only."""
        from ltrlib.rankers.serialise import write

        if not hasattr(self, "n_features_"):
            raise UsageError("the ranker has not been fitted", where=type(self).__name__, cure="call fit first")
        write(
            Path(path), type(self).__name__, self.get_params(), {name: getattr(self, name) for name in self._fitted()}
        )

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a ranker that was saved; ``Ranker.load`` takes any kind, a child only its own."""
        from ltrlib.rankers import ranker_class
        from ltrlib.rankers.serialise import read

        name, params, state = read(Path(path))
        kind = ranker_class(name)
        if not issubclass(kind, cls):
            raise UsageError(f"the file holds a {name}", where=path, cure=f"use {name}.load or Ranker.load")
        try:
            ranker = kind(**params)
        except TypeError as error:
            raise DataFormatError(f"not a saved ranker of this version: {error}", where=path) from None
        for attribute, value in state.items():
            if not attribute.isidentifier() or not attribute.endswith("_") or attribute.startswith("_"):
                raise DataFormatError(f"{attribute!r} is not something a ranker has learned", where=path)
            setattr(ranker, attribute, value)
        if not isinstance(getattr(ranker, "n_features_", None), int):
            raise DataFormatError("the number of features is missing", where=path, cure="save the ranker again")
        return ranker

    def _fitted(self) -> list[str]:
        return [name for name in vars(self) if name.endswith("_") and not name.startswith("_")]


def as_metric(metric: Metric | str) -> Metric:
    """Return the metric that a parameter names.

    Examples
    --------
    >>> as_metric("ndcg@10:letor4").short
    'zero'
    """
    return parse(metric) if isinstance(metric, str) else metric


def linear_scores(features: NDArray[np.float32], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weighted sum of the features of each row.

    Row by row in one order of summation, unlike a matrix product: equal rows get equal scores wherever they stand,
    so ties stay ties.

    Examples
    --------
    >>> linear_scores(np.array([[1, 2], [3, 4]], np.float32), np.array([10.0, 1.0]))
    array([12., 34.])
    """
    scores: NDArray[np.float64] = (features.astype(np.float64) * weights).sum(axis=1)
    return scores


def need_preferences(data: RankingData, name: str) -> None:
    """Refuse data in which no query has documents of different labels: no order is better than another.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> need_preferences(RankingData(np.eye(2, dtype=np.float32), np.zeros(2, np.int32), np.array([0, 2]),
    ...                              np.array(["a"]), None, Source("example")), "AdaRank")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: AdaRank.fit, train: no query has documents of different labels, so no order is better
    than another
      to do: give data with at least one query that has relevant and other documents
    """
    first = np.repeat(data.labels[data.query_offsets[:-1]], data.query_sizes)
    if np.array_equal(first, data.labels):
        raise UsageError(
            "no query has documents of different labels, so no order is better than another",
            where=f"{name}.fit, train",
            cure="give data with at least one query that has relevant and other documents",
        )


def positive(ranker: Ranker, *names: str) -> None:
    """Check that parameters are above zero.

    Examples
    --------
    >>> from ltrlib.rankers import RankSVM
    >>> positive(RankSVM(C=-1.0), "C")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: RankSVM: C=-1.0 must be above 0
    """
    for name in names:
        value = getattr(ranker, name)
        if not value > 0 or not np.isfinite(value):
            raise UsageError(f"{name}={value!r} must be above 0", where=type(ranker).__name__)


def _check_data(data: RankingData, where: str) -> None:
    if not isinstance(data, RankingData):
        raise UsageError(
            f"need RankingData, got {type(data).__name__}", where=where, cure="read it with ltrlib.datasets"
        )
    if not data.n_docs or not data.n_features:
        raise UsageError(f"{data.n_docs} documents, {data.n_features} features: nothing to learn from", where=where)
    if data.labels.min() < 0:
        raise UsageError("negative labels", where=where, cure="leave out the documents that were not judged")
    for start in range(0, data.n_docs, _BLOCK):
        _check_finite(data.features[start : start + _BLOCK], where)


def _check_width(features: NDArray[Any], width: int, where: str) -> None:
    if features.ndim != 2 or features.shape[1] != width:
        raise UsageError(f"features of shape {features.shape}, but the ranker learns from {width} per row", where=where)


def _check_finite(features: NDArray[Any], where: str) -> None:
    if not np.isfinite(features).all():
        row = int(np.argmin(np.isfinite(features).all(axis=1)))
        raise UsageError(
            f"feature {int(np.argmin(np.isfinite(features[row])))} of row {row} is not finite", where=where
        )
