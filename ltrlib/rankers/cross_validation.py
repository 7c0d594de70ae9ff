"""Cross-validation over folds: fit on the training part, choose on the validation part, score the test part."""

from __future__ import annotations

import itertools
import json
import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.loading import load
from ltrlib.datasets.registry import real_set
from ltrlib.errors import UsageError
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.notation import parse_many
from ltrlib.progress import progress
from ltrlib.rankers.base import Ranker, as_metric

__all__ = ["Fold", "Grid", "choose", "cross_validate", "load_fold"]

Grid = Mapping[str, Sequence[Any]]
"""Values to try per parameter; all combinations are tried."""

_HELD_OUT = 5  # without a validation part, every fifth training query validates


@dataclass(frozen=True, eq=False)
class Fold:
    """The three parts of one fold.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.eye(3, dtype=np.float32), np.array([0, 2, 1], np.int32), np.array([0, 2, 3]),
    ...                    np.array(["a", "b"]), None, Source("toy"))
    >>> Fold(1, train=data, vali=data, test=data).number
    1
    """

    number: int
    train: RankingData
    vali: RankingData
    test: RankingData


def load_fold(name: str, number: int, *, scale: float = 1.0) -> Fold:
    """Load one fold; where the data set has no validation part, every fifth training query becomes one.

    Parameters
    ----------
    name
        Data set or stand-in.
    number
        From 1 up; a data set without folds has only number 1.
    scale
        Size of a stand-in.

    Examples
    --------
    >>> load_fold("yahoo-set1", 2)
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: fold 2: yahoo-set1 has no folds
      to do: use fold 1
    """
    parts = {part.role: part.name for part in real_set(name).parts.values()}
    prefix = f"Fold{number}/"
    if "/" not in parts["train"]:
        if number != 1:
            raise UsageError(f"{name} has no folds", where=f"fold {number}", cure="use fold 1")
        prefix = ""
    found = {role: load(name, prefix + part.rpartition("/")[2], scale=scale) for role, part in parts.items()}
    train, vali = found["train"], found.get("vali")
    if vali is None:
        held_out = np.arange(train.n_queries) % _HELD_OUT == _HELD_OUT - 1
        train, vali = train.select_queries(~held_out), train.select_queries(held_out)
    return Fold(number, train, vali, found["test"])


def choose(
    ranker: Ranker, train: RankingData, vali: RankingData, *, grid: Grid | None = None, metric: Metric | str
) -> tuple[Ranker, dict[str, Any], float]:
    """Fit one ranker per combination of parameters; return the best on the validation part, its parameters and value.

    Of equally good ones the first is taken.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> rng = np.random.default_rng(0)
    >>> train, vali, test = (
    ...     RankingData(rng.random((40, 3), np.float32), rng.integers(0, 3, 40, np.int32), np.arange(0, 41, 5),
    ...                 np.arange(8).astype(str), None, Source("toy", part)) for part in ("train", "vali", "test"))
    >>> from ltrlib.rankers import Ridge
    >>> _, chosen, value = choose(Ridge(), train, vali, grid={"alpha": [1.0, 100.0]}, metric="ndcg@10")
    >>> chosen, round(value, 3)
    ({'alpha': 100.0}, 0.816)
    """
    metric = as_metric(metric)
    best: tuple[Ranker, dict[str, Any], float] | None = None
    for values in itertools.product(*(grid or {}).values()):
        point = dict(zip(grid or {}, values, strict=True))
        candidate = type(ranker)(**(ranker.get_params() | point)).fit(train, vali)
        value = evaluate_data(metric, vali, candidate.predict(vali.features))[metric].mean
        if best is None or value > best[2]:
            best = candidate, point, value
    if best is None:
        raise UsageError("a parameter has no values to try", where="grid")
    return best


def cross_validate(
    rankers: Mapping[str, Ranker | tuple[Ranker, Grid]],
    folds: Iterable[Fold],
    *,
    metrics: str | Sequence[str | Metric] = "ndcg@10:ranklib",
    choose_by: Metric | str | None = None,
    seeds: Sequence[int] = (0,),
) -> pd.DataFrame:
    """Run rankers over folds and seeds; one row per ranker, seed, fold and metric.

    Parameters
    ----------
    rankers
        By the name that the table shows; a ranker, or a ranker with the values to try for its parameters.
    folds
        Such as ``(load_fold("mq2008", number) for number in range(1, 6))``.
    metrics
        What to score the test part with.
    choose_by
        What to choose parameters by on the validation part; the ranker's own metric if it has one, else the first.
    seeds
        A ranker without a seed runs once, and shows the first one.

    Returns
    -------
    pandas.DataFrame
        Columns ``dataset``, ``ranker``, ``seed``, ``fold``, ``parameters`` (chosen, as JSON), ``metric``, ``value``
        (mean over the test queries), ``standard_error`` (over the queries), ``queries``, ``vali`` (validation value of
        the choice), ``seconds`` (of all fits).

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> rng = np.random.default_rng(0)
    >>> train, vali, test = (
    ...     RankingData(rng.random((40, 3), np.float32), rng.integers(0, 3, 40, np.int32), np.arange(0, 41, 5),
    ...                 np.arange(8).astype(str), None, Source("toy", part)) for part in ("train", "vali", "test"))
    >>> from ltrlib.rankers import Ridge, SingleFeature
    >>> table = cross_validate({"best feature": SingleFeature(), "ridge": (Ridge(), {"alpha": [1.0, 10.0]})},
    ...                        [Fold(1, train, vali, test), Fold(2, vali, train, test)], metrics=["ndcg@5", "map"])
    >>> table[["ranker", "fold", "metric", "value"]].round(3).head(4)
             ranker  fold  metric  value
    0  best feature     1  ndcg@5  0.786
    1  best feature     1     map  0.771
    2         ridge     1  ndcg@5  0.724
    3         ridge     1     map  0.663
    """
    wanted = parse_many(metrics)
    runs = list(_runs(rankers, seeds))
    bar = progress(what="cross-validation", unit="fit")
    rows = []
    with bar:
        for fold in folds:
            for title, seed, ranker, grid in runs:
                started = time.perf_counter()
                by = getattr(ranker, "metric", wanted[0]) if choose_by is None else choose_by
                fitted, point, vali_value = choose(ranker, fold.train, fold.vali, grid=grid, metric=by)
                seconds = time.perf_counter() - started
                results = evaluate_data(wanted, fold.test, fitted.predict(fold.test.features))
                for metric, result in results.items():
                    counted = result.per_query[~np.isnan(result.per_query)]
                    rows.append(
                        {
                            "dataset": fold.test.source.name,
                            "ranker": title,
                            "seed": seed,
                            "fold": fold.number,
                            "parameters": json.dumps(point),
                            "metric": str(metric),
                            "value": result.mean,
                            "standard_error": float(counted.std(ddof=1) / math.sqrt(counted.size))
                            if counted.size > 1
                            else math.nan,
                            "queries": counted.size,
                            "vali": vali_value,
                            "seconds": seconds,
                        }
                    )
                bar.update()
    return pd.DataFrame(rows)


def _runs(
    rankers: Mapping[str, Ranker | tuple[Ranker, Grid]], seeds: Sequence[int]
) -> Iterator[tuple[str, int, Ranker, Grid]]:
    for title, entry in rankers.items():
        ranker, grid = entry if isinstance(entry, tuple) else (entry, {})
        params = ranker.get_params()
        for seed in seeds if "seed" in params else seeds[:1]:
            seeded = {"seed": seed} if "seed" in params else {}
            yield title, seed, type(ranker)(**(params | seeded)), grid
