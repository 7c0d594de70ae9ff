"""How Köppel et al. (2019) train and score: binarised labels, queries of one class dropped, features made normal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.features import normal_quantiles
from ltrlib.datasets.loading import load
from ltrlib.datasets.registry import real_set
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.notation import parse

__all__ = [
    "BINARY",
    "GRADED",
    "inner_folds",
    "prepared",
    "random_order",
    "scored",
    "threshold",
]

BINARY = {"ndcg": "ndcg@10(empty=skip,ties=average)", "map": "map(empty=skip)"}
"""Metrics of the paper's protocol; documents with equal scores come in random order: the expectation is taken."""

GRADED = {"ndcg_all": "ndcg@10:ranklib", "map_all": "map:ranklib"}
"""Metrics of the protocol of the ES-Rank rows: all queries, graded labels, an empty query scores 0."""


def threshold(dataset: str) -> int:
    """Lowest label that counts as relevant: 2 on MSLR, 1 elsewhere.

    Examples
    --------
    >>> threshold("standin/mslr"), threshold("mq2008")
    (2, 1)
    """
    return 2 if real_set(dataset).name.startswith("mslr") else 1


def prepared(dataset: str, part: str, *, transform: bool, drop: bool = True, scale: float = 1.0) -> RankingData:
    """Load a part as the authors' code does: queries in the order of their ids, labels 0 and 1.

    Parameters
    ----------
    dataset, part
        What to load.
    transform
        Whether to make each feature normal with standard deviation 1/3, fitted on this very file.
    drop
        Whether to drop the queries with one class, and to binarise. Otherwise queries and labels stay as they are.
    scale
        Size of a stand-in.

    Examples
    --------
    >>> data = prepared("standin/mq2008", "Fold1/test", transform=True)
    >>> data.labels.max(), round(float(data.features.std()), 2)
    (np.int32(1), 1.06)
    """
    data = load(dataset, part, scale=scale)
    if transform:
        data = data.with_features(normal_quantiles(data.features) / np.float32(3))
    if drop:
        data = data.with_labels((data.labels >= threshold(dataset)).astype(np.int32))
    ids = data.query_ids.tolist()
    # By number: a longer id is a larger one.
    order = np.array(sorted(range(len(ids)), key=lambda query: (len(ids[query]), ids[query])))
    if drop:
        starts = data.query_offsets[:-1]
        mixed = np.maximum.reduceat(data.labels, starts) > np.minimum.reduceat(data.labels, starts)
        order = order[mixed[order]]
    return data.select_queries(order)


def inner_folds(data: RankingData, number: int = 5) -> Iterator[tuple[RankingData, RankingData]]:
    """Training and validation parts of a cross-validation over runs of consecutive queries.

    Examples
    --------
    >>> data = prepared("standin/mq2008", "Fold1/test", transform=False)
    >>> [vali.n_queries for _, vali in inner_folds(data)], data.n_queries
    ([21, 21, 21, 21, 21], 105)
    """
    for held_out in np.array_split(np.arange(data.n_queries), number):
        yield data.select_queries(np.setdiff1d(np.arange(data.n_queries), held_out)), data.select_queries(held_out)


def scored(data: RankingData, scores: NDArray[np.float64], metrics: Mapping[str, str]) -> dict[str, float]:
    """Mean of each metric, by the given names.

    Examples
    --------
    >>> data = prepared("standin/mq2008", "Fold1/test", transform=False)
    >>> scored(data, data.labels.astype(float), BINARY)
    {'ndcg': 1.0, 'map': 1.0}
    """
    found = evaluate_data(list(metrics.values()), data, scores)
    return {name: found[parse(metric)].mean for name, metric in metrics.items()}


def random_order(
    data: RankingData, metrics: Mapping[str, str], *, rounds: int = 200, seed: int = 0
) -> dict[str, float]:
    """Mean of each metric over random orders.

    Examples
    --------
    >>> data = prepared("standin/mq2008", "Fold1/test", transform=False)
    >>> random_order(data, BINARY, rounds=50)["ndcg"] < 0.6
    True
    """
    rng = np.random.default_rng(seed)
    found = [scored(data, rng.random(data.n_docs), metrics) for _ in range(rounds)]
    return {name: float(np.mean([one[name] for one in found])) for name in metrics}
