"""Three rankers trained on generated data: one for each way to learn, and what the difference between two is worth."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.claims.noise import half_width
from ltrlib.datasets.container import RankingData
from ltrlib.datasets.loading import load
from ltrlib.metrics.engine import evaluate_data
from ltrlib.rankers.base import Ranker

__all__ = ["FOLDS", "METRIC", "WAYS", "fold_table", "numbers_of_folds", "numbers_of_ways", "scores_of_ways", "sizes"]

METRIC = "ndcg@10:ranklib"
"""The metric of these pages."""

FOLDS = (1, 2, 3, 4, 5)
WAYS = {"pointwise": "Ridge", "pairwise": "RankSVM", "listwise": "CoordinateAscent"}
"""A ranker for each way to learn."""


def _ranker(name: str, seed: int) -> Ranker:
    from ltrlib.rankers import ranker_class

    settings = {"CoordinateAscent": {"seed": seed, "metric": METRIC}}
    return ranker_class(name)(**settings.get(name, {}))


@cache
def _part(dataset: str, fold: int, part: str) -> RankingData:
    return load(dataset, f"Fold{fold}/{part}")


def _random_order(test: RankingData) -> NDArray[np.float64]:
    return np.random.default_rng(0).random(test.n_docs)


@cache
def _per_query(dataset: str, name: str, fold: int, seed: int) -> NDArray[np.float64]:
    test = _part(dataset, fold, "test")
    if name == "random":
        scores = _random_order(test)
    else:
        ranker = _ranker(name, seed).fit(_part(dataset, fold, "train"), _part(dataset, fold, "vali"))
        scores = ranker.predict(test.features)
    return evaluate_data(METRIC, test, scores)[METRIC].per_query


def sizes(dataset: str) -> dict[str, str]:
    """How large the first fold is, in words for the prose."""
    train = _part(dataset, 1, "train")
    first = train.query_offsets[1] - train.query_offsets[0]
    return {
        "train-queries": f"{len(train.query_offsets) - 1:,}",
        "train-documents": f"{train.n_docs:,}",
        "features": str(train.features.shape[1]),
        "first-query": str(int(first)),
    }


def scores_of_ways(dataset: str, *, seed: int = 0) -> pd.DataFrame:
    """Mean NDCG@10 on the first fold's test queries of each way to learn, and of a random order."""
    rows = []
    for way, name in {"by chance": "random", **WAYS}.items():
        values = _per_query(dataset, name, 1, seed)
        error = values.std(ddof=1) / math.sqrt(values.size)
        rows.append({"way": way, "ranker": name, "NDCG@10": values.mean(), "half": half_width(error, values.size - 1)})
    return pd.DataFrame(rows)


def numbers_of_ways(table: pd.DataFrame) -> dict[str, str]:
    """Numbers of the prose."""
    values = table.set_index("way")["NDCG@10"]
    return {str(way).replace(" ", "-"): f"{value:.4f}" for way, value in values.items()}


def fold_table(dataset: str, first: str = "RankSVM", second: str = "Ridge") -> pd.DataFrame:
    """Two rankers fold by fold: their mean NDCG@10 and the difference, and all test queries together."""
    rows, all_differences, sums = [], [], np.zeros(2)
    for fold in FOLDS:
        one, other = (_per_query(dataset, name, fold, 0) for name in (first, second))
        all_differences.append(one - other)
        sums += (one.sum(), other.sum())
        rows.append(_row(f"fold {fold}", one.mean(), other.mean(), one - other))
    together = np.concatenate(all_differences)
    mean = sums / together.size
    rows.append(_row("all folds", mean[0], mean[1], together))
    return pd.DataFrame(rows).rename(columns={"first": first, "second": second})


def _row(name: str, first: float, second: float, differences: NDArray[np.float64]) -> dict[str, object]:
    error = differences.std(ddof=1) / math.sqrt(differences.size)
    return {
        "test part": name,
        "queries": differences.size,
        "first": first,
        "second": second,
        "difference": differences.mean(),
        "±": half_width(error, differences.size - 1),
    }


def numbers_of_folds(table: pd.DataFrame) -> dict[str, str]:
    """Numbers of the prose: the difference over all folds, its interval, and what follows."""
    last = table.iloc[-1]
    difference, half = float(last["difference"]), float(last["±"])
    folds = table["difference"].iloc[:-1]
    return {
        "difference": f"{difference:+.4f}",
        "low": f"{difference - half:+.4f}",
        "high": f"{difference + half:+.4f}",
        "smallest-fold": f"{folds.min():+.4f}",
        "largest-fold": f"{folds.max():+.4f}",
        "folds-say": "A single fold could have pointed either way." if folds.min() < 0 < folds.max() else "",
        "conclusion": "The interval contains zero, so these queries cannot tell the two rankers apart."
        if abs(difference) <= half
        else "The interval does not contain zero, so these queries tell the two rankers apart.",
    }
