"""How Köppel et al. (2019) train and score: binarised labels, queries of one class dropped, features made normal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.loading import load
from ltrlib.datasets.registry import real_set
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.names import parse
from ltrlib.rankers.adarank import AdaRank
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.directranker import DirectRanker
from ltrlib.rankers.lambdamart import LambdaMART
from ltrlib.rankers.neural import ListNet, RankNet
from ltrlib.studies.quantiles import normal_quantiles

__all__ = [
    "BINARY",
    "GRADED",
    "METHODS",
    "VARIANTS",
    "VARIANT_BASE",
    "Method",
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


@dataclass(frozen=True)
class Method:
    """A row of Table 1.

    Parameters
    ----------
    ranker
        With the settings that are the same at every point.
    points
        Parameters to choose from; the first are those without a choice.
    transformed
        Whether its features are made normal; RankLib's rankers got them as they are.
    seeded
        Whether the seed changes anything.

    Examples
    --------
    >>> len(METHODS["DirectRanker"].points), METHODS["AdaRank"].seeded
    (30, False)
    """

    ranker: Ranker
    points: tuple[Mapping[str, Any], ...]
    transformed: bool = False
    seeded: bool = True

    def at(self, point: Mapping[str, Any], seed: int) -> Ranker:
        """Return the ranker at one point of the grid.

        Examples
        --------
        >>> METHODS["ListNet"].at({"epochs": 1000}, 3).get_params()["epochs"]
        1000
        """
        seeded = {"seed": seed} if self.seeded else {}
        return type(self.ranker)(**(self.ranker.get_params() | dict(point) | seeded))


def _one_at_a_time(base: Mapping[str, Any], **others: Sequence[Any]) -> tuple[Mapping[str, Any], ...]:
    """The base, and the base with one value changed, as the authors' scripts for RankLib do it."""
    changed = [{**base, name: value} for name, values in others.items() for value in values]
    return (base, *changed)


METHODS = {
    "DirectRanker": Method(
        DirectRanker(standardise=False),
        tuple(
            {"hidden": (units,), "dropout": dropout, "l2": l2}
            for units, dropout, l2 in product((50, 10, 20, 30, 100), (0.0, 0.5), (0.0, 1e-4, 1e-3))
        ),
        transformed=True,
    ),
    "RankNet": Method(
        RankNet(standardise=False),
        _one_at_a_time({"hidden": (10,), "epochs": 100}, hidden=[(20,), (100,)], epochs=[50, 300]),
    ),
    "ListNet": Method(
        ListNet(standardise=False), _one_at_a_time({"epochs": 1500, "learning_rate": 1e-3}, learning_rate=[1e-4, 1e-2])
    ),
    "LambdaMART": Method(
        LambdaMART(patience=None),
        _one_at_a_time({"trees": 1000, "leaves": 10, "learning_rate": 0.1}, leaves=[5, 15], learning_rate=[0.01]),
        seeded=False,
    ),
    "AdaRank": Method(AdaRank(), _one_at_a_time({"max_repeats": 5}, max_repeats=[2, 10]), seeded=False),
}
"""What is trained, by its name in the table.

The points of DirectRanker are those of the authors' code of 2019, beginning with the one that their script starts from;
those of the others follow their scripts of 2022 for RankLib as far as our rankers have the same parameters, beginning
with RankLib's defaults.
"""

VARIANTS: dict[str, dict[str, Any]] = {
    "paper": {},
    "all classes": {"classes": "all"},
    "all classes, ΔNDCG": {"classes": "all", "emphasis": "delta ndcg"},
    "cross entropy": {"classes": "all", "cost": "cross entropy"},
    "cross entropy, ΔNDCG": {"classes": "all", "cost": "cross entropy", "emphasis": "delta ndcg"},
}
"""Ways to train on graded labels, with and without LambdaRank's weights; the last is LambdaRank on drawn pairs."""

VARIANT_BASE: dict[str, Any] = {
    "hidden": (30,), "dropout": 0.5, "l2": 1e-4, "steps": 1000, "decay_every": 83, "pairs": (1, 3), "look_every": 50,
    "standardise": False,
}  # fmt: skip
"""What they share: a point in the middle of the grid, and a third of the steps and of the pairs."""


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
    rng = np.random.default_rng(0)
    found = [scored(data, rng.random(data.n_docs), metrics) for _ in range(rounds)]
    return {name: float(np.mean([one[name] for one in found])) for name in metrics}
