"""Fit the features of a stand-in to real data: latent model, gates, and marginals that are checked by simulation."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.standins import generate_from
from ltrlib.datasets.standins.model import find_gates, fit_latent_model, fit_marginal, latent_scores, score_bounds
from ltrlib.datasets.standins.recipe import CELLS_PER_UNIT, Recipe

__all__ = ["fit_features", "simulate"]

_IDENTITY = {"knots": [-4 * CELLS_PER_UNIT, 4 * CELLS_PER_UNIT], "values": [-4.0, 4.0], "step": 0.0}


def fit_features(
    data: RankingData,
    base: dict[str, Any],
    *,
    types_per_label: tuple[int, ...],
    query_rank: int,
    doc_rank: int,
    signal: float = 1.0,
) -> dict[str, Any]:
    """Fit the feature model and return the complete parameters.

    Parameters
    ----------
    data
        Real data; only statistics of its rows enter the result.
    base
        The other parameters: sections, label model, whether features are normalised within queries.
    types_per_label, query_rank, doc_rank, signal
        Size of the model and strength of the labels, see :func:`ltrlib.datasets.standins.model.fit_latent_model`.
    """
    # The matrices are small: more threads would only wait for each other.
    with threadpool_limits(1):
        return _fit_features(data, base, types_per_label, query_rank, doc_rank, signal)


def _fit_features(
    data: RankingData,
    base: dict[str, Any],
    types_per_label: tuple[int, ...],
    query_rank: int,
    doc_rank: int,
    signal: float,
) -> dict[str, Any]:
    columns = np.flatnonzero(data.features.max(axis=0) > data.features.min(axis=0))
    values = data.features[:, columns].astype(np.float64)
    groups = find_gates(values)
    gates = np.stack([values[:, group[0]] != 0 for group in groups], axis=1) if groups else np.zeros((len(values), 0))
    gate_of = np.full(len(columns), -1)
    for number, group in enumerate(groups):
        gate_of[group] = number
    known = (values != 0) | (gate_of < 0)
    gate_low, gate_high = score_bounds(gates, np.ones(gates.shape, bool))
    low, high = score_bounds(values, known)
    if base["normalised"]:
        _loosen_extremes(values, known, low, high, data)
    scores = latent_scores(np.hstack([gate_low, low]), np.hstack([gate_high, high]), data.query_offsets)
    starts = data.query_offsets[:-1]
    same = np.all(np.maximum.reduceat(values, starts) == np.minimum.reduceat(values, starts), axis=0)
    alone = len(groups) + np.flatnonzero(same)  # properties of the query, not of its documents
    means = np.add.reduceat(scores[:, alone], starts) / data.query_sizes[:, None]
    scores[:, alone] = np.repeat(means, data.query_sizes, axis=0)
    model = fit_latent_model(
        data, scores, types_per_label=types_per_label, query_rank=query_rank, doc_rank=doc_rank, signal=signal
    )

    features = model.features()
    for number, feature in enumerate(features):
        position = number - len(groups)
        feature["marginal"] = number
        feature["column"] = int(columns[position]) + 1 if position >= 0 else 0
        if position >= 0 and gate_of[position] >= 0:
            feature["gate"] = int(gate_of[position])
    parameters = {**base, "types": model.types, "features": features}
    drawn = _simulated_scores(parameters)
    marginals = [fit_marginal(gates[:, g], drawn.features[:, g], step=1) for g in range(len(groups))]
    for j, gate in enumerate(gate_of):
        own, real = drawn.features[:, len(groups) + j], known[:, j]
        shown = np.ones(len(own), bool)
        if gate >= 0:
            shown = drawn.features[:, gate] > marginals[gate]["knots"][1] / CELLS_PER_UNIT
        if base["normalised"]:
            real, shown = real & ~_extremes(values[:, j], real, data), shown & ~_extremes(own, shown, drawn)
        marginals.append(fit_marginal(values[real, j], own[shown], step=_step(values[:, j])))
    parameters["marginals"] = marginals
    return parameters


def simulate(parameters: dict[str, Any], *, docs: int = 40_000, seed: int = 0) -> RankingData:
    """Generate documents of all sections from parameters that are not written yet.

    Parameters
    ----------
    parameters
        Content of a parameter file.
    docs
        About how many documents.
    seed
        Seed of the generator.
    """
    recipe = Recipe.from_parameters({**parameters, "files": {"all": list(parameters["sections"])}})
    total = sum(int(rows[:, 0] @ rows[:, -1]) for rows in recipe.sections.values())
    return generate_from(recipe, "standin/draft", "all", scale=docs / total, seed=seed)


def _simulated_scores(parameters: dict[str, Any]) -> RankingData:
    features = [
        {**feature, "marginal": 0, "column": number, "gate": -1}
        for number, feature in enumerate(parameters["features"], start=1)
    ]
    plain = {"marginals": [_IDENTITY], "features": features, "n_features": len(features), "normalised": False}
    return simulate({**parameters, **plain})


def _extremes(column: NDArray[np.floating[Any]], known: NDArray[np.bool_], data: RankingData) -> NDArray[np.bool_]:
    """Mark the smallest and the largest value of each query: normalisation puts them at 0 and 1.

    A query with values that are not known has its 0 there.
    """
    marked = np.zeros(len(column), bool)
    for start, stop in pairwise(data.query_offsets.tolist()):
        marked[start + np.argmax(np.where(known[start:stop], column[start:stop], -np.inf))] = True
        if known[start:stop].all():
            marked[start + np.argmin(column[start:stop])] = True
    return marked


def _loosen_extremes(
    values: NDArray[np.float64],
    known: NDArray[np.bool_],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    data: RankingData,
) -> None:
    """Bound the score of a query's smallest and largest value by its neighbour only, for 0 and 1 say nothing more."""
    for start, stop in pairwise(data.query_offsets.tolist()):
        for j in range(values.shape[1]):
            rows = start + np.flatnonzero(known[start:stop, j])
            if len(rows) < 2:
                low[rows, j], high[rows, j] = -np.inf, np.inf
                continue
            order = rows[np.argsort(values[rows, j], kind="stable")]
            if len(rows) == stop - start:
                low[order[0], j], high[order[0], j] = -np.inf, high[order[1], j]
            low[order[-1], j], high[order[-1], j] = low[order[-2], j], np.inf


def _step(column: NDArray[np.float64]) -> float:
    return 1.0 if np.all(column == np.rint(column)) else 1e-6
