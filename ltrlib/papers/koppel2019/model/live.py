"""When does a network that compares documents define an order? Theorems 1 to 4 of Köppel et al. (2019) on examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData, Source
from ltrlib.rankers.directranker import DirectRanker
from ltrlib.rankers.directranker.training import normal_weights
from ltrlib.rankers.network import forward

__all__ = [
    "CONDITIONS",
    "broken_conditions",
    "comparator",
    "items_in_random_order",
    "learned_orders",
    "values_by_construction",
    "violations",
    "wrong_pairs",
]

Compare = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]

CONDITIONS = {
    "none": "DirectRanker",
    "output bias": "with a bias on the output neuron",
    "not antisymmetric": "sign kept, not antisymmetric: z exp z",
    "not sign-conserving": "antisymmetric, sign not kept: sin 3z",
    "neither": "neither: the logistic function",
    "unshared": "two networks with weights of their own",
}
"""What is changed of DirectRanker, by the condition of Theorem 1 that it removes."""

_FLEXIBLE: dict[str, Any] = {"hidden": (60, 30), "initial": "glorot", "queries": (1, 1), "pairs": (20, 20)}

_ACTIVATIONS: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "not antisymmetric": lambda z: z * np.exp(z),
    "not sign-conserving": lambda z: np.sin(3 * z),
    "neither": lambda z: 1 / (1 + np.exp(-z)),
}


def comparator(removed: str, *, seed: int = 0, sizes: Sequence[int] = (5, 8, 1)) -> Compare:
    """A network with random weights that compares documents, without one of the conditions of Theorem 1.

    Parameters
    ----------
    removed
        A key of `CONDITIONS`.
    seed
        Of the weights.
    sizes
        Features, hidden units, 1.

    Examples
    --------
    >>> x = np.ones((1, 5))
    >>> comparator("none")(x, x), comparator("output bias")(x, x).round(3)
    (array([0.]), array([0.462]))
    """
    rng = np.random.default_rng(seed)
    first, second = (normal_weights(rng, sizes).astype(np.float64) for _ in range(2))
    if removed != "unshared":
        second = first
    bias = 0.5 if removed == "output bias" else 0.0
    activation = _ACTIVATIONS.get(removed, np.tanh)

    def compare(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        return activation((forward(first, sizes, x) - forward(second, sizes, y)) / 2 + bias)

    return compare


def violations(compare: Compare, documents: NDArray[np.float64]) -> dict[str, float]:
    """Share of documents, pairs and triples that violate each condition: (I) to (III) on r, (A) to (C) on the order.

    Parameters
    ----------
    compare
        r(x, y) of pairs of rows; x ranks at least as high as y where it is not negative.
    documents
        One row per document; all pairs and triples are tried.

    Examples
    --------
    >>> documents = np.random.default_rng(1).normal(size=(12, 5))
    >>> violations(comparator("none"), documents) == dict.fromkeys(["I", "II", "III", "A", "B", "C"], 0.0)
    True
    """
    n = len(documents)
    first, second = np.divmod(np.arange(n * n), n)
    r = compare(documents[first], documents[second]).reshape(n, n)
    above = r >= 0
    # Premise and conclusion of transitivity for all triples (x, y, z).
    premise = above[:, :, None] & above[None, :, :]
    broken = premise & ~above[:, None, :]
    diagonal, upper = np.diagonal(r), np.triu_indices(n, 1)
    transitivity = float(broken.sum() / max(1, premise.sum()))
    return {
        "I": float(np.mean(diagonal != 0)),
        "II": float(np.mean(np.abs(r + r.T)[upper] > 1e-12)),
        "III": transitivity,
        "A": float(np.mean(diagonal < 0)),
        "B": float(np.mean(~(above | above.T)[upper])),
        "C": transitivity,
    }


def broken_conditions(*, networks: int = 20, documents: int = 30, seed: int = 0) -> pd.DataFrame:
    """Mean share of violations over random networks and documents, for each removed condition.

    Examples
    --------
    >>> broken_conditions(networks=2, documents=8).set_index("removed").loc["none", "III"]
    np.float64(0.0)
    """
    rows = []
    for removed, meaning in CONDITIONS.items():
        found = [
            violations(
                comparator(removed, seed=seed + number),
                np.random.default_rng(seed + number).normal(size=(documents, 5)),
            )
            for number in range(networks)
        ]
        rows.append({"removed": removed, "network": meaning} | pd.DataFrame(found).mean().to_dict())
    return pd.DataFrame(rows)


def items_in_random_order(n: int, *, features: int = 2, seed: int = 0) -> RankingData:
    """Items at random places, ranked at random: an order without any regularity to learn.

    Examples
    --------
    >>> items_in_random_order(4).labels
    array([0, 2, 1, 3], dtype=int32)
    """
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, features)).astype(np.float32)
    labels = rng.permutation(n).astype(np.int32)
    return RankingData(x, labels, np.array([0, n]), np.array(["items"]), None, Source("items in random order"))


def learned_orders(*, items: int = 12, sets: int = 3, steps: int = 2000) -> pd.DataFrame:
    """Learn random orders from pairs of neighbours alone, with each output and cost; share of wrong pairs of all.

    Parameters
    ----------
    items
        Items of a set, each with a rank of its own.
    sets
        How many sets; the mean is returned.
    steps
        Training steps of 20 pairs of each two neighbours.
    """
    rows = []
    for output, cost in (("identity", "squared"), ("tanh", "cross entropy"), ("tanh", "squared")):
        wrong = []
        for seed in range(sets):
            data = items_in_random_order(items, seed=seed)
            ranker = DirectRanker(**_FLEXIBLE, output=output, cost=cost, steps=steps, seed=seed)  # type: ignore[arg-type]
            wrong.append(wrong_pairs(ranker.fit(data), data))
        rows.append(
            {
                "output": output,
                "cost": cost,
                "wrong pairs": float(np.mean(wrong)),
                "sets without error": f"{sum(share == 0 for share in wrong)} of {sets}",
            }
        )
    return pd.DataFrame(rows)


def wrong_pairs(ranker: DirectRanker, data: RankingData) -> float:
    """Share of the pairs of items with different labels that the ranker puts in the wrong order.

    Examples
    --------
    >>> data = items_in_random_order(5)
    >>> wrong_pairs(DirectRanker(hidden=(20,), steps=300).fit(data), data) < 0.5
    True
    """
    scores = ranker.predict(data.features)
    first, second = np.nonzero(data.labels[:, None] > data.labels[None, :])
    return float(np.mean(scores[first] <= scores[second]))


def values_by_construction(at_least: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Scores g with g(x) ≥ g(y) exactly where x ranks at least as high as y: the construction of Theorem 3's proof.

    Items are taken one after the other; each gets the value of an equal one, or one more than the highest, or one less
    than the lowest, or the middle between its neighbours.

    Parameters
    ----------
    at_least
        Whether item i ranks at least as high as item j, ``(n, n)``; reflexive, total and transitive.

    Examples
    --------
    >>> ranks = np.array([5, 9, 5, 7])
    >>> values_by_construction(ranks[:, None] >= ranks)
    array([0. , 1. , 0. , 0.5])
    """
    g = np.zeros(len(at_least))
    for item in range(1, len(at_least)):
        before = np.arange(item)
        above, below = at_least[before, item], at_least[item, before]
        if (above & below).any():
            g[item] = g[before[above & below][0]]
        elif below.all():
            g[item] = g[before].max() + 1
        elif above.all():
            g[item] = g[before].min() - 1
        else:
            g[item] = (g[before[above]].min() + g[before[below]].max()) / 2
    return g
