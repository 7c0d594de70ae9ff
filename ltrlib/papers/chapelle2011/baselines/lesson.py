"""First lesson of Chapelle and Chang (2011, section 6.3): the larger the class of functions, the less the loss matters.

Two classes of functions, linear and boosted trees, meet three kinds of loss, on each data set with the same folds and
the same rule for choosing parameters.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.features import normalise_by_rank
from ltrlib.datasets.registry import real_set
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.ndcg_by_tool import ndcg_by_convention
from ltrlib.papers.chapelle2011.baselines.gbrank import GBRank
from ltrlib.papers.chapelle2011.challenge import METRICS
from ltrlib.papers.chapelle2011.records import lesson_table
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.cross_validation import Fold, Grid, choose, load_fold
from ltrlib.rankers.gbdt import GBDT
from ltrlib.rankers.lambdamart import LambdaMART
from ltrlib.rankers.linear import Ridge
from ltrlib.rankers.neural import ListNet
from ltrlib.rankers.ranksvm import RankSVM
from ltrlib.records.making import Done, Piece
from ltrlib.records.observed import remembered

__all__ = ["compare", "fit_model", "load_normalised", "models", "pieces"]

_NAMES = ("NDCG", "ERR")


def models() -> dict[tuple[str, str], tuple[Ranker, Grid]]:
    """Make a ranker per class of functions and kind of loss, with the values that its validation part chooses from.

    Examples
    --------
    >>> {loss: type(ranker).__name__ for (functions, loss), (ranker, grid) in models().items() if functions == "trees"}
    {'pointwise': 'GBDT', 'pairwise': 'GBRank', 'listwise': 'LambdaMART'}
    """
    metric = METRICS["NDCG"]
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


@remembered()
def load_normalised(dataset: str, number: int, scale: float) -> Fold:
    """Load one fold of a data set; raw feature values are normalised by rank first."""
    fold = load_fold(dataset, number, scale=scale)
    parts = [fold.train, fold.vali, fold.test]
    if fold.train.features.max() > 1:
        parts = normalise_by_rank(parts)
    return Fold(number, *parts)


def pieces(dataset: str, scale: float) -> list[Piece]:
    """Every model on every fold."""
    folds = sum(part.role == "train" for part in real_set(dataset).parts.values())
    return [
        {"dataset": dataset, "scale": scale, "fold": fold, "functions": functions, "loss": loss}
        for fold in range(1, folds + 1)
        for functions, loss in models()
    ]


def fit_model(piece: Piece) -> pd.DataFrame:
    """Choose and fit one model on one fold; a row per metric and test query."""
    dataset, fold = piece["dataset"], load_normalised(piece["dataset"], piece["fold"], piece["scale"])
    ranker, grid = models()[piece["functions"], piece["loss"]]
    started = time.perf_counter()
    fitted, _, _ = choose(ranker, fold.train, fold.vali, grid=grid, metric=METRICS["NDCG"])
    seconds = time.perf_counter() - started
    scores = fitted.predict(fold.test.features)
    results = evaluate_data([METRICS[name] for name in _NAMES], fold.test, scores)
    found = {name: results[METRICS[name]].per_query for name in _NAMES}
    tools = ndcg_by_convention(fold.test, scores, highest=real_set(dataset).max_label)
    found |= {f"NDCG:{tool}": values for tool, values in tools.items()}
    rows = [pd.DataFrame({"metric": name, "value": values}) for name, values in found.items()]
    return pd.concat(rows, ignore_index=True).assign(seconds=seconds)


def compare(done: Sequence[Done]) -> dict[str, pd.DataFrame]:
    """Compare the models over the test queries of all folds."""
    table = lesson_table(done[0].piece["dataset"])
    values: dict[tuple[str, str, str], list[NDArray[np.float64]]] = {}
    seconds = dict.fromkeys(models(), 0.0)
    for one in done:
        key = one.piece["functions"], one.piece["loss"]
        rows = one.tables[table.short]
        seconds[key] += float(rows["seconds"].iloc[0])
        for metric, numbers in rows.groupby("metric", sort=False)["value"]:
            values.setdefault((*key, str(metric)), []).append(numbers.to_numpy())
    compared = []
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
        compared.append((functions, loss, title, metric, own.mean(), error, gain.mean(), gain_error, own.size, cost))
    return {table.short: pd.DataFrame(compared, columns=list(table.columns))}
