"""Design of the Yahoo! stand-ins: no row of the licensed data was seen, only what its paper and others tell of it.

Published are the counts, the label shares, the numbers of features and their normalisation by rank. The rest is
chosen: features are noisy views of a few properties of a document (text match, clicks, …), and relevance shows in them
such that a good feature, a linear ranker and boosted trees differ about as much as the paper's three baselines.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from ltrlib.datasets.standins.model import LatentModel
from ltrlib.datasets.standins.recipe import CELLS_PER_UNIT

__all__ = ["BM25F", "design_features"]

BM25F = 637
"""Column of the text match feature that the paper names."""

_COLUMNS, _COMMON, _ONLY_FIRST = 700, 415, 104
_BINARY = 48
_PROPERTIES, _QUERY_PROPERTIES = 8, 4
_TEXT, _SECOND, _KIND, _TWIST = range(4)  # text match, the next best property, and two that count only together
_GRADES = np.array([-0.9, -0.25, 0.45, 1.2, 1.9])  # how far the properties of a label lie from the average
_STRENGTH = {"text": 0.85, "second": 0.27, "others": 0.08, "kind": 1.3, "twist": 0.8, "turn": 0.12}


def design_features(number: int, label_shares: NDArray[np.float64]) -> dict[str, Any]:
    """Return types, features and marginals of Set 1 or Set 2.

    The sets share 415 columns. Shared features show the same properties in the same way; how relevance shows in the
    properties differs a little, so that the other set helps, but less than as many queries of one's own.

    Parameters
    ----------
    number
        1 or 2.
    label_shares
        Share of each label.

    Examples
    --------
    >>> designs = [design_features(number, np.full(5, 0.2)) for number in (1, 2)]
    >>> first, second = ({feature["column"] for feature in design["features"]} for design in designs)
    >>> len(first), len(second), len(first & second)
    (519, 596, 415)
    """
    random = np.random.default_rng(2011)
    order = random.permutation(np.setdiff1d(np.arange(1, _COLUMNS), [BM25F]))
    common, rest = np.append(order[: _COMMON - 1], BM25F), order[_COMMON - 1 :]
    own = rest[:_ONLY_FIRST] if number == 1 else np.append(rest[_ONLY_FIRST:], _COLUMNS)

    # Everything about a column is drawn for all 700, so that it is the same in both sets.
    loadings = random.normal(0, 0.12, (_COLUMNS, _PROPERTIES))
    loadings[np.arange(_COLUMNS), random.integers(0, _PROPERTIES, _COLUMNS)] = random.uniform(0.35, 0.95, _COLUMNS)
    noise = random.uniform(0.3, 0.9, _COLUMNS)
    query_loadings = random.normal(0, 0.25, (_COLUMNS, _QUERY_PROPERTIES))
    query_noise = np.full(_COLUMNS, 0.2)
    shapes = _shapes()
    marginal = random.integers(_BINARY_SHAPES, len(shapes), _COLUMNS)
    marginal[random.permutation(_COLUMNS)[:_BINARY]] = random.integers(0, _BINARY_SHAPES, _BINARY)
    of_query = random.random(_COLUMNS) < 0.03
    loadings[of_query], noise[of_query] = 0, 0
    text = BM25F - 1
    loadings[text], noise[text], marginal[text] = 0.9 * np.eye(_PROPERTIES)[_TEXT], 0.3, _BINARY_SHAPES

    types, places = _types(number, random)
    shifts = places @ loadings.T
    weights = np.repeat(label_shares / label_shares.sum(), 2) / 2
    shifts -= weights @ shifts
    variance = (loadings**2).sum(axis=1) + noise**2 + (query_loadings**2).sum(axis=1) + query_noise**2
    scale = 1 / np.sqrt(variance + weights @ shifts**2)
    model = LatentModel(
        query_loadings=query_loadings * scale[:, None],
        query_noise=query_noise * scale,
        doc_loadings=loadings * scale[:, None],
        doc_noise=noise * scale,
        shifts=shifts * scale,
        types=types,
    )
    rows = model.features()
    features = [
        {"column": int(column), "marginal": int(marginal[column - 1]), **rows[column - 1]}
        for column in np.sort(np.concatenate([common, own]))
    ]
    return {"types": types, "marginals": shapes, "features": features}


def _types(number: int, random: np.random.Generator) -> tuple[list[tuple[int, int]], NDArray[np.float64]]:
    """Two types per label and the properties of each.

    Documents are of one of two kinds; in one of them more of the twisted property is better, in the other less. Only a
    ranker that sees both together can use it.
    """
    direction = random.choice([-1.0, 1.0], _PROPERTIES) * _STRENGTH["others"]
    direction[[_TEXT, _SECOND]] = _STRENGTH["text"], _STRENGTH["second"]
    turn = random.normal(0, _STRENGTH["turn"], _PROPERTIES)
    if number == 2:
        direction += turn
    types = [(label, 32768) for label in range(len(_GRADES)) for _ in range(2)]
    grade, kind = np.repeat(_GRADES, 2), np.tile([-1, 1], len(_GRADES))
    places = np.outer(grade, direction)
    places[:, _KIND] += kind * _STRENGTH["kind"]
    places[:, _TWIST] += kind * grade * _STRENGTH["twist"]
    return types, places


_BINARY_SHAPES = 4


def _shapes() -> list[dict[str, Any]]:
    """Marginals of rank-normalised features: binary ones first, then fine ones, then some with few values."""
    binary = [_steps(zero, 2) for zero in (0.98, 0.9, 0.7, 0.5)]
    fine = [_fine(zero) for zero in (0.0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.85, 0.95)]
    coarse = [_steps(zero, values) for zero, values in ((0.3, 12), (0.6, 8), (0.8, 5))]
    return binary + fine + coarse


def _steps(zero: float, values: int) -> dict[str, Any]:
    """Few values: 0 and others of equal shares. A value's rank is the share of smaller values, for ties the lowest."""
    ranks = zero + (1 - zero) * np.arange(values - 1) / (values - 1)
    heights = np.repeat(np.append(0, ranks), 2)[1:-1]
    return {"knots": np.repeat(_score(ranks), 2).tolist(), "values": heights.round(4).tolist(), "step": 0.0001}


def _fine(zero: float) -> dict[str, Any]:
    """Many values: uniform above the share of zeros."""
    ranks = ndtr(np.linspace(-3.25, 3.25, 27))
    ranks = np.concatenate([[zero] * bool(zero), ranks[ranks > zero]])
    knots, values = _score(ranks).tolist(), ranks.round(4).tolist()
    if zero:
        knots, values = [knots[0], *knots], [0.0, *values]
    return {"knots": knots, "values": values, "step": 1e-06}


def _score(ranks: NDArray[np.float64]) -> NDArray[np.int64]:
    scores: NDArray[np.float64] = ndtri(ranks)
    return np.rint(scores * CELLS_PER_UNIT).astype(np.int64)
