"""The statistical model behind the stand-ins, estimated from real ranking data: a Gaussian copula for lists.

Features become normal scores; ties (zeros above all) get the scores that the other features suggest. The scores split
into a query part, a shift by document type and a document part; both parts are stored as low rank plus diagonal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri
from sklearn.cluster import KMeans

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.standins.recipe import CELLS_PER_UNIT, LATENT_UNIT

__all__ = [
    "LatentModel",
    "covariances",
    "find_gates",
    "fit_latent_model",
    "fit_marginal",
    "latent_scores",
    "score_bounds",
]

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LatentModel:
    """Query part, document part and shifts of the latent scores, on a scale where each score has variance 1.

    Parameters
    ----------
    query_loadings, query_noise
        Factor loadings and standard deviations of what a query's documents share.
    doc_loadings, doc_noise
        The same for what is a document's own.
    shifts
        Mean score per document type.
    types
        Label of each document type and its share of that label, in 1/65536.

    Examples
    --------
    >>> one, none = np.ones((1, 1)), np.zeros((1, 1))
    >>> LatentModel(one * 0.6, np.zeros(1), none, np.full(1, 0.8), none, [(0, 65536)]).features()
    [{'query': [154], 'query_noise': 0, 'doc': [0], 'doc_noise': 205, 'shift': [0]}]
    """

    query_loadings: Matrix
    query_noise: Matrix
    doc_loadings: Matrix
    doc_noise: Matrix
    shifts: Matrix
    types: list[tuple[int, int]]

    def features(self) -> list[dict[str, Any]]:
        """Return one entry per score, in the integers of a parameter file."""
        return [
            {
                "query": _integers(self.query_loadings[j], 256),
                "query_noise": round(256 * self.query_noise[j]),
                "doc": _integers(self.doc_loadings[j], 256),
                "doc_noise": round(256 * self.doc_noise[j]),
                "shift": _integers(self.shifts[:, j], LATENT_UNIT),
            }
            for j in range(len(self.query_noise))
        ]


def find_gates(values: Matrix, *, agreement: float = 0.99) -> list[NDArray[np.int64]]:
    """Group features that are often 0, and 0 in the same documents: all that look at an anchor text which is missing.

    Parameters
    ----------
    values
        Feature matrix.
    agreement
        Share of documents in which two features of a group must agree.

    Examples
    --------
    >>> find_gates(np.array([[0, 0, 1], [0, 0, 2], [0, 0, 3], [5, 7, 4.0]]))
    [array([0, 1])]
    """
    zero = values == 0
    share = zero.mean(axis=0)
    free = np.flatnonzero((share > 0.15) & (share < 0.99))
    groups = []
    while len(free):
        alike = (zero[:, free] == zero[:, free[:1]]).mean(axis=0) >= agreement
        groups.append(free[alike])
        free = free[~alike]
    return groups


def score_bounds(values: Matrix, known: NDArray[np.bool_]) -> tuple[Matrix, Matrix]:
    """Bounds of the normal score of each value: its rank in its column, or a range of ranks when it is tied.

    Parameters
    ----------
    values
        One column per score.
    known
        Which values to use; the others get no bounds.

    Examples
    --------
    >>> low, high = score_bounds(np.array([[0], [0], [1.0], [2.0]]), np.array([[True]] * 3 + [[False]]))
    >>> low.ravel().round(2), high.ravel().round(2)
    (array([-inf, -inf, 0.97, -inf]), array([0.43, 0.43, 0.97,  inf]))
    """
    low, high = np.full(values.shape, -np.inf), np.full(values.shape, np.inf)
    for j in range(values.shape[1]):
        rows = known[:, j]
        _, kind, count = np.unique(values[rows, j], return_inverse=True, return_counts=True)
        upper = np.cumsum(count)
        lower = upper - count
        middle, alone = ndtri((lower + 0.5) / upper[-1]), count == 1
        low[rows, j] = np.where(alone, middle, ndtri(lower / upper[-1]))[kind]
        high[rows, j] = np.where(alone, middle, ndtri(upper / upper[-1]))[kind]
    return low, high


def latent_scores(
    low: Matrix, high: Matrix, query_offsets: NDArray[np.int64], *, sweeps: int = 40, seed: int = 0
) -> Matrix:
    """Draw normal scores between bounds, each given the other scores of its document and of its query.

    This is Gibbs sampling for the rank likelihood (Hoff, 2007) with a random effect per query.

    Parameters
    ----------
    low, high
        Bounds from :func:`score_bounds`; equal bounds fix a score.
    query_offsets
        Where each query's rows start.
    sweeps
        Passes over all scores.
    seed
        Seed of the draws.

    Examples
    --------
    >>> low, high = np.array([[-1.0], [0.0], [0.5], [1.0]]), np.array([[-1.0], [0.3], [0.5], [1.0]])
    >>> scores = latent_scores(low, high, np.array([0, 2, 4])).ravel()
    >>> bool(0 < scores[1] < 0.3), scores[[0, 2, 3]]
    (True, array([-1. ,  0.5,  1. ]))
    """
    random = np.random.default_rng(seed)
    scores = _draw_between(low, high, 0.0, 1.0, random)
    sizes = np.diff(query_offsets)
    for _ in range(sweeps):
        effects = np.repeat(_draw_query_effects(scores, query_offsets, random), sizes, axis=0)
        rest = scores - effects
        # The small ridge keeps scores apart that agree in every row.
        precision = np.linalg.inv(rest.T @ rest / len(rest) + 0.002 * np.eye(rest.shape[1]))
        for j in range(rest.shape[1]):
            rows = np.flatnonzero(low[:, j] < high[:, j])
            pull = rest[rows] @ precision[:, j] / precision[j, j]
            centre, spread = effects[rows, j] + rest[rows, j] - pull, precision[j, j] ** -0.5
            scores[rows, j] = _draw_between(low[rows, j], high[rows, j], centre, spread, random)
            rest[rows, j] = scores[rows, j] - effects[rows, j]
    return scores


def _draw_query_effects(scores: Matrix, query_offsets: NDArray[np.int64], random: np.random.Generator) -> Matrix:
    """Draw what the documents of each query share, given their scores."""
    sizes = np.diff(query_offsets)
    means, between, within = covariances(scores, query_offsets)
    centre = means.mean(axis=0)
    effects = np.empty_like(means)
    for size in np.unique(sizes):
        rows = np.flatnonzero(sizes == size)
        shrink = between @ np.linalg.inv(between + within / size + 1e-6 * np.eye(len(between)))
        spread, axes = np.linalg.eigh(between - shrink @ between)
        noise = random.standard_normal((len(rows), len(between))) * np.sqrt(np.clip(spread, 0, None))
        effects[rows] = centre + (means[rows] - centre) @ shrink.T + noise @ axes.T
    return effects


def covariances(scores: Matrix, query_offsets: NDArray[np.int64]) -> tuple[Matrix, Matrix, Matrix]:
    """Return the mean per query and the covariance between and within queries.

    Examples
    --------
    >>> means, between, within = covariances(np.array([[0.0], [2.0], [4.0], [6.0]]), np.array([0, 2, 4]))
    >>> means.ravel(), between.item(), within.item()
    (array([1., 5.]), 7.0, 2.0)
    """
    sizes = np.diff(query_offsets)
    means = np.add.reduceat(scores, query_offsets[:-1]) / sizes[:, None]
    own = scores - np.repeat(means, sizes, axis=0)
    within = own.T @ own / (len(scores) - len(sizes))
    # The mean of n documents varies by a document part of its own.
    spread, axes = np.linalg.eigh(np.cov(means.T).reshape(within.shape) - within * np.mean(1 / sizes))
    return means, (axes * np.clip(spread, 0, None)) @ axes.T, within


def _draw_between(
    low: Matrix, high: Matrix, centre: Matrix | float, spread: float, random: np.random.Generator
) -> Matrix:
    """Draw from normal distributions cut off at ``low`` and ``high``."""
    below, above = ndtr((low - centre) / spread), ndtr((high - centre) / spread)
    level = below + (above - below) * random.random(low.shape)
    tiny = 1e-12
    drawn: Matrix = np.clip(centre + spread * ndtri(np.clip(level, tiny, 1 - tiny)), low, high)
    return drawn


def fit_latent_model(
    data: RankingData,
    scores: Matrix,
    *,
    types_per_label: tuple[int, ...],
    query_rank: int,
    doc_rank: int,
    signal: float = 1.0,
    seed: int = 0,
) -> LatentModel:
    """Split latent scores into query part, type shift and document part.

    Parameters
    ----------
    data
        The labels and queries that the scores belong to.
    scores
        Latent scores, one row per document.
    types_per_label
        Number of document types of each label; more than one lets the features of a label depend on each other
        in ways that a linear ranker cannot use.
    query_rank, doc_rank
        Number of factors of the two parts.
    signal
        Factor on the differences between labels, to make up for what the model loses of them.
    seed
        Seed of the clustering into types.

    Examples
    --------
    >>> from ltrlib.datasets.standins import generate
    >>> data = generate("standin/mq2008", "Fold1/test")
    >>> scores = data.features[:, [20, 38]].astype(float)
    >>> model = fit_latent_model(data, scores, types_per_label=(1, 1, 1), query_rank=1, doc_rank=1)
    >>> bool(model.shifts[0, 1] < model.shifts[1, 1] < model.shifts[2, 1])
    True
    """
    own = _centred(scores, data)
    _, axes = np.linalg.eigh(np.cov(own.T))
    main = own @ axes[:, -8:]
    member = np.zeros(len(scores), np.int64)
    types: list[tuple[int, int]] = []
    for label, n_types in enumerate(types_per_label):
        rows = np.flatnonzero(data.labels == label)
        found = KMeans(n_types, n_init=4, random_state=seed).fit_predict(main[rows])
        member[rows] = found + len(types)
        bounds = np.rint(65536 * np.cumsum(np.bincount(found, minlength=n_types)) / len(rows)).astype(int)
        types += [(label, int(weight)) for weight in np.diff(bounds, prepend=0)]

    indicator = np.eye(len(types))[member]
    shifts = np.linalg.lstsq(_centred(indicator, data), own, rcond=1e-8)[0]
    shifts -= indicator.mean(axis=0) @ shifts
    _, between, within = covariances(scores - shifts[member], data.query_offsets)
    labels = np.array([label for label, _ in types])
    weights = np.array([weight for _, weight in types])
    for label in np.unique(labels):
        own_types = labels == label
        shifts[own_types] += (signal - 1) * np.average(shifts[own_types], axis=0, weights=weights[own_types])
    scale = 1 / np.sqrt(np.diag(between) + np.diag(within) + indicator.mean(axis=0) @ shifts**2)
    query_loadings, query_noise = _factors(between * np.outer(scale, scale), query_rank)
    doc_loadings, doc_noise = _factors(within * np.outer(scale, scale), doc_rank)
    return LatentModel(query_loadings, query_noise, doc_loadings, doc_noise, shifts * scale, types)


def _centred(values: Matrix, data: RankingData) -> Matrix:
    means = np.add.reduceat(values, data.query_offsets[:-1]) / data.query_sizes[:, None]
    return values - np.repeat(means, data.query_sizes, axis=0)


def _factors(covariance: Matrix, rank: int) -> tuple[Matrix, Matrix]:
    """Approximate a covariance matrix by factor loadings and independent noise (principal axis factoring)."""
    variance = np.diag(covariance)
    noise = variance / 2
    for _ in range(200):
        size, axes = np.linalg.eigh(covariance - np.diag(noise))
        loadings = axes[:, -rank:] * np.sqrt(np.clip(size[-rank:], 0, None))
        noise = np.clip(variance - (loadings**2).sum(axis=1), 0.002 * variance, None)
    return loadings, np.sqrt(noise)


def fit_marginal(values: NDArray[Any], scores: NDArray[Any], *, step: float = 0.0) -> dict[str, Any]:
    """Find the piecewise linear function that gives latent scores the distribution of values.

    A value that many documents share becomes a flat piece, so that its share is exact.

    Parameters
    ----------
    values, scores
        Two samples, not paired; sizes may differ.
    step
        What values are rounded to when they are used.

    Examples
    --------
    >>> scores = np.linspace(-2, 2, 1001)
    >>> fit_marginal(np.array([0.0] * 3 + [1.0]), scores, step=1)
    {'knots': [-1023, 512, 512, 1023], 'values': [0.0, 0.0, 1.0, 1.0], 'step': 1}
    """
    ordered = np.sort(values)
    distinct, first, count = np.unique(ordered, return_index=True, return_counts=True)
    common = np.ones(len(distinct), bool) if len(distinct) <= 16 else count > 0.015 * len(ordered)
    edges = np.unique(np.concatenate([first[common], (first + count)[common]]))
    grid = np.unique(np.rint(len(ordered) * ndtr(np.linspace(-3.1, 3.1, 24))).astype(int))
    # No knot inside a flat piece, nor so near to one that it would only cost space.
    margin = len(ordered) // 250
    flat = (grid[:, None] > first[common] - margin) & (grid[:, None] < (first + count)[common] + margin)
    knots, heights = [float(np.quantile(scores, 0.0005))], [ordered[0]]
    for place in np.unique(np.concatenate([edges, grid[~flat.any(axis=1)]])):
        if 0 < place < len(ordered):
            left, right = ordered[place - 1], ordered[place]
            pieces = [left, right] if place in edges else [(left + right) / 2]
            knots += [float(np.quantile(scores, place / len(ordered)))] * len(pieces)
            heights += pieces
    knots.append(float(np.quantile(scores, 0.9995)))
    heights.append(ordered[-1])
    return {
        "knots": _integers(np.maximum.accumulate(knots), CELLS_PER_UNIT),
        "values": [float(f"{height:.4g}") for height in heights],
        "step": step,
    }


def _integers(values: Any, unit: int) -> list[int]:
    return [int(value) for value in np.rint(np.asarray(values) * unit)]
