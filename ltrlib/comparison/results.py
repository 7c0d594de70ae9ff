"""A table of results, checked: which method reached which value on which data set, in which metric.

The rules for what such a table may hold:

- A missing value (NaN) is no result, exactly as if the row were absent. Infinite values are an error.
- Two rows with the same method, data set and metric are an error, even if they agree.
- Higher is better, and a value lies in [0, 1]. That holds for the metrics in `KNOWN_METRICS`; another one must be
  declared by its user, who thereby says that higher is better, and may then take any finite value.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.errors import DataFormatError

__all__ = ["ALL_METRICS", "COLUMNS", "KNOWN_METRICS", "CodedResults", "encode_results"]

COLUMNS = ("method", "dataset", "metric", "value")
"""The columns of a table of results; others are ignored."""

ALL_METRICS = "all"
"""The name of what is summed over the metrics; no metric may have it."""

KNOWN_METRICS = ("AP", "AUC", "ERR", "MAP", "MRR", "MeanNDCG", "NDCG", "P", "Precision", "R", "RBP", "RR", "Recall")
"""Metrics that need no declaration, with or without a cutoff (``NDCG@10``), in any case."""

_KNOWN = re.compile(rf"({'|'.join(KNOWN_METRICS)})(@[1-9][0-9]*)?", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class CodedResults:
    """Checked results, without the missing ones, their names replaced by numbers.

    Parameters
    ----------
    methods, datasets, metrics
        The names, in the order of their first appearance.
    method, dataset, metric
        One entry per result: the position of its method, data set and metric among the names.
    values
        One entry per result.
    """

    methods: NDArray[np.object_]
    datasets: NDArray[np.object_]
    metrics: NDArray[np.object_]
    method: NDArray[np.int64]
    dataset: NDArray[np.int64]
    metric: NDArray[np.int64]
    values: NDArray[np.float64]


def encode_results(
    results: pd.DataFrame, *, declared_metrics: Collection[str] = (), source: str | Path | None = None
) -> CodedResults:
    """Check a table of results and number its names.

    Parameters
    ----------
    results
        One row per result, with the columns of `COLUMNS`.
    declared_metrics
        Metrics outside `KNOWN_METRICS` for which higher is better.
    source
        The file that the results come from; the table's index then holds line numbers, which errors quote.

    Examples
    --------
    >>> results = pd.DataFrame({"method": ["A", "B"], "dataset": "TD2003", "metric": "MAP", "value": [0.2, 42]})
    >>> encode_results(results)
    Traceback (most recent call last):
    ltrlib.errors.DataFormatError: row 1: the value is outside [0, 1] (method B, dataset TD2003, metric MAP, value 42.0)
      to do: write 0.42, not 42 or 42%
    """
    missing = [name for name in COLUMNS if name not in results.columns]
    if missing:
        raise DataFormatError(
            f"no column {', '.join(missing)} among {', '.join(map(str, results.columns))}",
            where=source,
            cure=f"the columns are {', '.join(COLUMNS)}; others are ignored",
        )
    values = _numbers(results, source)
    defined = ~np.isnan(values)
    (method, methods), (dataset, datasets), (metric, metrics) = (
        _factorize(results, name, source) for name in COLUMNS[:3]
    )
    _check_metrics(results, metric, metrics, values, declared_metrics, source)
    cell = (metric * len(datasets) + dataset) * len(methods) + method
    _check_unique(results, cell, source)
    return CodedResults(methods, datasets, metrics, method[defined], dataset[defined], metric[defined], values[defined])


def _numbers(results: pd.DataFrame, source: str | Path | None) -> NDArray[np.float64]:
    column = results["value"]
    if not pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
        raise DataFormatError(
            f"the values are {column.dtype}, not numbers", where=source, cure="convert the column value to float"
        )
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    _refuse(results, np.isinf(values), "the value is infinite", "leave the value empty if there is no result", source)
    return values


def _factorize(
    results: pd.DataFrame, name: str, source: str | Path | None
) -> tuple[NDArray[np.int64], NDArray[np.object_]]:
    codes, names = pd.factorize(results[name])
    texts = np.array([item if isinstance(item, str) else None for item in names], dtype=object)
    unnamed = np.array([item is None or not item.strip() for item in texts], dtype=bool)
    bad = (codes < 0) if not unnamed.any() else (codes < 0) | unnamed[codes]
    _refuse(results, bad, f"the {name} is not a name", f"give every result a {name}", source)
    return codes.astype(np.int64), texts


def _check_metrics(
    results: pd.DataFrame,
    metric: NDArray[np.int64],
    metrics: NDArray[np.object_],
    values: NDArray[np.float64],
    declared_metrics: Collection[str],
    source: str | Path | None,
) -> None:
    declared = np.array([name in declared_metrics for name in metrics], dtype=bool)
    known = np.array([_KNOWN.fullmatch(name) is not None for name in metrics], dtype=bool)
    spelled: dict[str, str] = {}
    for code, name in enumerate(metrics):
        rows = metric == code
        if name == ALL_METRICS or not (known[code] or declared[code]):
            cure = "declare it if higher is better" if name != ALL_METRICS else "this name is kept for the sum"
            cure += f"; known are {', '.join(KNOWN_METRICS)}, with or without a cutoff such as @10"
            _refuse(results, rows, f"the metric {name!r} is unknown", cure, source)
        if spelled.setdefault(name.casefold(), name) != name:
            other = spelled[name.casefold()]
            _refuse(results, rows, f"the metric {name!r} is also written {other!r}", "use one spelling", source)
    if metrics.size:
        outside = ((values < 0) | (values > 1)) & ~declared[metric]
        _refuse(results, outside, "the value is outside [0, 1]", "write 0.42, not 42 or 42%", source)


def _check_unique(results: pd.DataFrame, cell: NDArray[np.int64], source: str | Path | None) -> None:
    if not (np.diff(np.sort(cell)) == 0).any():
        return
    order = np.argsort(cell, kind="stable")
    repeat = np.flatnonzero(np.diff(cell[order]) == 0)[0]
    first, second = order[repeat], order[repeat + 1]
    what = f"the same method, data set and metric as in {_place(results, first, source)}"
    raise DataFormatError(
        f"{what} ({_describe(results, second)})",
        where=_place(results, second, source),
        cure="keep one row per method, data set and metric",
    )


def _refuse(results: pd.DataFrame, bad: NDArray[np.bool_], what: str, cure: str, source: str | Path | None) -> None:
    """Raise an error that names the first bad row and says how many there are."""
    rows = np.flatnonzero(bad)
    if rows.size:
        more = f"; {rows.size} rows in all" if rows.size > 1 else ""
        raise DataFormatError(
            f"{what} ({_describe(results, rows[0])}{more})", where=_place(results, rows[0], source), cure=cure
        )


def _place(results: pd.DataFrame, position: int | np.integer[Any], source: str | Path | None) -> str:
    label = results.index[int(position)]
    return f"row {label}" if source is None else f"{source}:{label}"


def _describe(results: pd.DataFrame, position: int | np.integer[Any]) -> str:
    row = results.iloc[int(position)]
    return ", ".join(f"{name} {row[name]}" for name in COLUMNS)
