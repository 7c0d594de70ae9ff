"""First lesson of Chapelle and Chang (2011, section 6.3): the larger the class of functions, the less the loss matters.

Two classes of functions, linear and boosted trees, meet three kinds of loss, on each data set with the same folds and
the same rule for choosing parameters.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.normalise import normalise_by_rank
from ltrlib.datasets.registry import real_set
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.ndcg_by_tool import ndcg_by_convention
from ltrlib.papers.chapelle2011.baselines.gbrank import GBRank
from ltrlib.papers.chapelle2011.records import LESSON, record_name
from ltrlib.progress import progress
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.cross_validation import Fold, Grid, choose, load_fold
from ltrlib.rankers.gbdt import GBDT
from ltrlib.rankers.lambdamart import LambdaMART
from ltrlib.rankers.linear import Ridge
from ltrlib.rankers.neural import ListNet
from ltrlib.rankers.ranksvm import RankSVM
from ltrlib.records.record import Record, write_record

__all__ = ["DATASETS", "LOSSES", "load_folds", "models", "record_lesson", "run"]

DATASETS = {"mq2008": 1.0, "ohsumed": 1.0, "mslr-web10k-sample": 1.0, "standin/yahoo-set1": 0.05}
"""Data sets of the experiment, with the scale of the stand-in."""

LOSSES = ("pointwise", "pairwise", "listwise")

_METRICS = {"NDCG": "ndcg@10:yahoo", "ERR": "err:yahoo"}
_MODULES = (
    "ltrlib.datasets.normalise",
    "ltrlib.datasets.standins",
    "ltrlib.metrics.engine",
    "ltrlib.metrics.ndcg_by_tool",
    "ltrlib.rankers.base",
    "ltrlib.rankers.boosting",
    "ltrlib.rankers.gbdt",
    "ltrlib.rankers.lambdamart",
    "ltrlib.rankers.lambdas",
    "ltrlib.rankers.linear",
    "ltrlib.rankers.neural",
    "ltrlib.rankers.cross_validation",
    "ltrlib.rankers.ranksvm",
    "ltrlib.papers.chapelle2011.baselines.gbrank",
    "ltrlib.papers.chapelle2011.baselines.lesson",
)


def models() -> dict[tuple[str, str], tuple[Ranker, Grid]]:
    """Make a ranker per class of functions and kind of loss, with the values that its validation part chooses from.

    Examples
    --------
    >>> {loss: type(models()["trees", loss][0]).__name__ for loss in LOSSES}
    {'pointwise': 'GBDT', 'pairwise': 'GBRank', 'listwise': 'LambdaMART'}
    """
    metric = _METRICS["NDCG"]
    trees: dict[str, Any] = {
        "trees": 500,
        "leaves": 10,
        "learning_rate": 0.05,
        "min_leaf": 10,
        "patience": 100,
        "metric": metric,
    }
    return {
        ("linear", "pointwise"): (Ridge(), {"alpha": [0.1, 1.0, 10.0, 100.0, 1000.0]}),
        ("linear", "pairwise"): (RankSVM(), {"C": [1e-5, 1e-4, 1e-3, 1e-2, 1e-1]}),
        ("linear", "listwise"): (
            ListNet(epochs=500, patience=100, metric=metric),
            {"learning_rate": [0.001, 0.01]},
        ),
        ("trees", "pointwise"): (GBDT(**trees), {}),
        ("trees", "pairwise"): (GBRank(**trees), {}),
        ("trees", "listwise"): (LambdaMART(**trees), {}),
    }


def load_folds(dataset: str, *, scale: float = 1.0) -> Iterator[Fold]:
    """Load the folds of a data set one after another; raw feature values are normalised by rank first.

    Examples
    --------
    >>> [fold.train.n_queries for fold in load_folds("standin/yahoo-set1", scale=0.001)]
    [20]
    """
    folds = sum(part.role == "train" for part in real_set(dataset).parts.values())
    for number in range(1, folds + 1):
        fold = load_fold(dataset, number, scale=scale)
        parts = [fold.train, fold.vali, fold.test]
        if fold.train.features.max() > 1:
            parts = normalise_by_rank(parts)
        yield Fold(number, *parts)


def run(dataset: str, *, scale: float = 1.0) -> pd.DataFrame:
    """Fit all models on all folds; compare them over the test queries of all folds.

    Returns
    -------
    pandas.DataFrame
        As :data:`ltrlib.papers.chapelle2011.records.LESSON` says; errors are standard errors over queries, that of a
        gain over the paired differences.
    """
    chosen_by = _METRICS["NDCG"]
    values: dict[tuple[str, str, str], list[NDArray[np.float64]]] = {}
    seconds = dict.fromkeys(models(), 0.0)
    for fold in load_folds(dataset, scale=scale):
        for key, (ranker, grid) in progress(models().items(), what=f"{dataset}, fold {fold.number}", unit="model"):
            started = time.perf_counter()
            fitted, _, _ = choose(ranker, fold.train, fold.vali, grid=grid, metric=chosen_by)
            seconds[key] += time.perf_counter() - started
            scores = fitted.predict(fold.test.features)
            results = evaluate_data(list(_METRICS.values()), fold.test, scores)
            found = {name: results[metric].per_query for name, metric in _METRICS.items()}
            tools = ndcg_by_convention(fold.test, scores, highest=real_set(dataset).max_label)
            for name, numbers in (found | {f"NDCG:{tool}": one for tool, one in tools.items()}).items():
                values.setdefault((*key, name), []).append(numbers)
    rows = []
    for (functions, loss, metric), parts in values.items():
        own, pointwise = np.concatenate(parts), np.concatenate(values[functions, "pointwise", metric])
        # The same queries are left out for every ranker.
        own, pointwise = own[~np.isnan(own)], pointwise[~np.isnan(own)]
        if not own.size:
            continue
        gain = own - pointwise
        title = type(models()[functions, loss][0]).__name__
        error, gain_error = (float(v.std(ddof=1)) / math.sqrt(v.size) for v in (own, gain))
        cost = seconds[functions, loss]
        rows.append((functions, loss, title, metric, own.mean(), error, gain.mean(), gain_error, own.size, cost))
    return pd.DataFrame(rows, columns=list(LESSON))


def record_lesson(dataset: str) -> Record:
    """Run the experiment on one data set and record it.

    Examples
    --------
    >>> record_lesson("mq2009")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: no data set is called 'mq2009'
      to do: choose one of mq2008...
    """
    scale = DATASETS.get(dataset, 1.0)
    started = time.perf_counter()
    sources = [data.source for fold in load_folds(dataset, scale=scale) for data in (fold.train, fold.vali, fold.test)]
    return write_record(
        record_name("lesson", dataset),
        run(dataset, scale=scale),
        data=list(dict.fromkeys(sources)),
        maker=_MODULES,
        parameters={"scale": scale, "chosen_by": _METRICS["NDCG"]},
        seeds=[0],
        wall_time=time.perf_counter() - started,
        command=f"python -m ltrlib.papers.chapelle2011.baselines.lesson {dataset}",
    )


def main(arguments: Sequence[str]) -> None:
    """Record the experiment on the data sets named; without a name, on all."""
    for dataset in arguments or tuple(DATASETS):
        print(record_lesson(dataset).describe())


if __name__ == "__main__":
    main(sys.argv[1:])
