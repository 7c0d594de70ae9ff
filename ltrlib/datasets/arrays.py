"""Rankings that a program holds already: arrays and frames of the user's own, as data for the rankers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.datasets.container import RankingData, Source
from ltrlib.errors import UsageError

__all__ = ["from_arrays", "group_rows", "is_missing"]


def from_arrays(
    features: Any,
    labels: ArrayLike,
    query_ids: ArrayLike | None = None,
    *,
    group: ArrayLike | None = None,
    name: str = "arrays",
) -> RankingData:
    """Make data for ``fit`` from what scikit-learn, LightGBM and XGBoost take.

    Parameters
    ----------
    features
        A row per document: an array, or a frame of pandas or Polars. Kept as float32.
    labels
        Relevance per document, whole numbers from 0.
    query_ids
        The query of each document, in any order of rows; the rows of a query are brought together.
    group
        Instead of ``query_ids``: the number of documents of each query, one after the other.
    name
        What to call the data in messages.

    Examples
    --------
    >>> data = from_arrays([[0.5, 1.0], [0.1, 0.0], [0.3, 2.0]], [1, 0, 2], ["a", "b", "a"])
    >>> data.query_ids, data.labels
    (array(['a', 'b'], dtype='<U1'), array([1, 2, 0], dtype=int32))
    >>> from_arrays([[0.5], [0.1], [0.3]], [1, 0, 2], group=[2, 1])
    <RankingData arrays: 3 documents, 2 queries, 1 features>
    """
    given = np.asarray(features.to_numpy() if hasattr(features, "to_numpy") else features)
    if given.ndim != 2 or given.dtype.kind not in "fiub":
        what = f"features of shape {given.shape} and type {given.dtype}"
        raise UsageError(what, where=name, cure="give numbers, a row per document; a sparse matrix by its toarray()")
    with np.errstate(over="ignore"):
        rows = np.ascontiguousarray(given, np.float32)
    if (bad := ~np.isfinite(rows)).any():
        row, column = (int(place) for place in np.argwhere(bad)[0])
        what = f"row {row}, feature {column} (both counted from 0) is {given[row, column]}"
        raise UsageError(what, where=name, cure="give finite numbers of single precision")
    grades = _grades(labels, len(rows), name)
    if (query_ids is None) == (group is None):
        raise UsageError("it is not clear where queries begin", where=name, cure="give query_ids or group, one of them")
    if query_ids is None:
        offsets = _offsets(group, len(rows), name)
        return RankingData(rows, grades, offsets, np.arange(len(offsets) - 1).astype(np.str_), None, Source(name))
    order, offsets, names = group_rows(query_ids)
    if offsets[-1] != len(rows):
        raise UsageError(f"{offsets[-1]} query ids for {len(rows)} rows", where=name, cure="give one per document")
    if order is not None:
        rows, grades = rows[order], grades[order]
    return RankingData(rows, grades, offsets, np.array([str(one) for one in names], np.str_), None, Source(name))


def _grades(labels: ArrayLike, rows: int, name: str) -> NDArray[np.int32]:
    given = np.asarray(labels)
    if given.shape != (rows,):
        raise UsageError(f"labels of shape {given.shape} for {rows} rows", where=name, cure="give one per document")
    good = given.dtype.kind in "iub" or (given.dtype.kind == "f" and bool((given == np.floor(given)).all()))
    if not good or (rows and not (given.min() >= 0 and given.max() < 2**31)):
        raise UsageError("a label is not a whole number from 0 up", where=name, cure="give grades: 0, 1, 2, …")
    return given.astype(np.int32)


def _offsets(group: ArrayLike | None, rows: int, name: str) -> NDArray[np.int64]:
    sizes = np.asarray(group)
    if sizes.ndim != 1 or sizes.dtype.kind not in "iu" or (sizes < 1).any():
        raise UsageError("group is not a list of query sizes", where=name, cure="give whole numbers from 1 up")
    if sizes.sum() != rows:
        raise UsageError(f"the sizes in group add up to {sizes.sum()}, but there are {rows} rows", where=name)
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def group_rows(query_ids: ArrayLike) -> tuple[NDArray[np.int64] | None, NDArray[np.int64], list[object]]:
    """Bring the rows of each query together: their order (None if they are), where queries start, and their ids.

    Examples
    --------
    >>> group_rows(["b", "a", "b"])
    (array([0, 2, 1]), array([0, 2, 3]), ['b', 'a'])
    """
    given = np.asarray(query_ids)
    if given.ndim != 1:
        raise UsageError(f"query ids have {given.ndim} dimensions, where one is wanted")
    if given.dtype == object or given.dtype.kind in "SU":
        places: dict[object, int] = {}
        codes = np.fromiter((places.setdefault(query, len(places)) for query in given.tolist()), np.int64, given.size)
        names: list[object] = list(places)
        _refuse_missing(np.isin(codes, [places[name] for name in names if is_missing(name)]))
    else:
        if given.dtype.kind in "fmM":
            _refuse_missing(np.isnan(given))
        values, first, inverse = np.unique(given, return_index=True, return_inverse=True)
        by_appearance = np.argsort(first, kind="stable")
        rank = np.empty(values.size, np.int64)
        rank[by_appearance] = np.arange(values.size)
        codes, names = rank[inverse], values[by_appearance].tolist()
    order = None
    if codes.size and (np.diff(codes) < 0).any():
        order = np.argsort(codes, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=len(names)))]).astype(np.int64)
    return order, offsets, names


def is_missing(value: object) -> bool:
    """Whether this is None, NaN, or what pandas writes for a missing value, which is not even equal to itself."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def _refuse_missing(missing: NDArray[np.bool_]) -> None:
    if missing.any():
        row = int(np.argmax(missing))
        raise UsageError(f"row {row} has no query id (counted from 0)", cure="name its query, or leave the row out")
