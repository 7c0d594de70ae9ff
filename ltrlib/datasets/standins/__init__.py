"""Stand-ins: generated data shaped like sets that cannot be shipped, so that everything runs with nothing downloaded.

A query's size and labels follow the real set's counts. A document's features follow from latent scores: a query part
and a document part (each low rank plus diagonal), shifted by the document's type, which depends on its label; a table
per feature turns the score into a value with the real set's distribution.

The same numbers come out on every machine: each query has a random stream of its own (the raw words of PCG64, which
NumPy keeps stable; its distributions are not), and scores are sums of products of small integers, exact in float32
in whatever order a matrix product adds them up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData, Source
from ltrlib.datasets.standins.recipe import CELLS_PER_UNIT, LATENT_UNIT, TABLE_CELLS, Recipe, read_recipe
from ltrlib.errors import UsageError
from ltrlib.progress import progress
from ltrlib.project import project_data

__all__ = ["DEFAULT_SEED", "generate", "generate_from", "names", "parts"]

DEFAULT_SEED = 1

_BLOCK_DOCS = 4096  # documents generated at once: large enough for NumPy, small enough for the cache
_ORDER_STREAM, _QUERY_STREAM = 0, 1


def names() -> tuple[str, ...]:
    """Names of all stand-ins.

    Examples
    --------
    >>> "standin/mq2008" in names()
    True
    """
    return tuple(sorted(f"standin/{path.stem}" for path in project_data("standins").glob("*.json")))


def parts(name: str) -> tuple[str, ...]:
    """Parts of a stand-in, named as in the real set.

    Examples
    --------
    >>> parts("standin/yahoo-set1")
    ('train', 'valid', 'test')
    """
    return tuple(_recipe(name).files)


def generate(name: str, part: str = "Fold1/train", *, scale: float = 1.0, seed: int = DEFAULT_SEED) -> RankingData:
    """Generate one part of a stand-in.

    A query is the same in every part, fold and scale in which it occurs.

    Parameters
    ----------
    name
        Name of the stand-in, always with ``standin/`` in front.
    part
        Part, named as in the real set.
    scale
        Number of queries as a multiple of the real set's.
    seed
        Another seed gives other data of the same kind.

    Examples
    --------
    >>> generate("standin/mq2008", "Fold1/test", scale=0.1)
    <RankingData standin/mq2008 Fold1/test: 357 documents, 16 queries, 46 features>
    """
    recipe = _recipe(name)
    if part not in recipe.files:
        raise UsageError(f"no part {part!r}", where=name, cure=f"choose one of {', '.join(recipe.files)}")
    if not 0 < scale < float("inf"):
        raise UsageError(f"cannot scale by {scale}", where=name, cure="give a positive number; 1 is the real size")
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise UsageError(f"{seed!r} is not a seed", where=name, cure="give an integer, 0 or larger")
    return generate_from(recipe, name, part, scale=scale, seed=seed)


def generate_from(recipe: Recipe, name: str, part: str, *, scale: float, seed: int) -> RankingData:
    """Generate one part from a recipe that need not be committed yet; the parameters are those of `generate`.

    Examples
    --------
    >>> recipe = read_recipe("standin/mq2008")
    >>> generate_from(recipe, "standin/mq2008", "Fold1/vali", scale=0.05, seed=7).n_queries
    8
    """
    sections = list(recipe.sections)
    queries = [
        (sections.index(section), index, counts)
        for section in recipe.files[part]
        for index, counts in _queries(recipe, name, sections.index(section), scale, seed)
    ]
    offsets = np.zeros(len(queries) + 1, np.int64)
    np.cumsum([counts[0] for *_, counts in queries], out=offsets[1:])
    features = np.zeros((offsets[-1], recipe.n_features), np.float32)
    labels = np.empty(offsets[-1], np.int32)
    borders = [0, *(np.flatnonzero(np.diff(offsets // _BLOCK_DOCS)) + 1).tolist()]
    if borders[-1] != len(queries):
        borders.append(len(queries))
    for start, stop in progress(list(pairwise(borders)), what=f"generating {name}", unit="block"):
        rows = slice(offsets[start], offsets[stop])
        bounds = offsets[start : stop + 1] - offsets[start]
        _fill(recipe, (seed, _number(name)), queries[start:stop], bounds, features[rows], labels[rows])
    return RankingData(
        features=features,
        labels=labels,
        query_offsets=offsets,
        query_ids=np.array([f"{section + 1}{index + 1:05d}" for section, index, _ in queries]),
        comments=None,
        source=Source(name, part, sha256=_digest(features, labels, offsets), standin=True),
    )


def _recipe(name: str) -> Recipe:
    if name not in names():
        raise UsageError(f"no stand-in {name!r}", cure=f"choose one of {', '.join(names())}")
    return read_recipe(name)


def _queries(
    recipe: Recipe, name: str, section: int, scale: float, seed: int
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield the index of each query of a section with its size and label counts.

    The real section's queries come in an order in which every beginning is a fair sample of sizes and labels; a
    scale below 1 stops early, one above 1 starts over in another order.
    """
    histogram = list(recipe.sections.values())[section]
    kinds = np.repeat(histogram[:, :-1], histogram[:, -1], axis=0)
    for index in range(max(1, round(scale * len(kinds)))):
        cycle, place = divmod(index, len(kinds))
        if place == 0:
            start = _stream(seed, _number(name), _ORDER_STREAM, section, cycle).random_raw(1)
            # Multiples of the golden ratio, modulo 1, fill the unit interval evenly from the first on.
            order = np.argsort(start + np.arange(len(kinds), dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
        yield index, kinds[order[place]]


def _fill(
    recipe: Recipe,
    key: tuple[int, int],
    queries: list[tuple[int, int, NDArray[np.int64]]],
    bounds: NDArray[np.int64],
    features: NDArray[np.float32],
    labels: NDArray[np.int32],
) -> None:
    """Generate a block of queries in place."""
    query_rank, width = recipe.query_loadings.shape
    doc_rank = len(recipe.doc_loadings)
    # Per query: two draws for its labels, its factors, its noise. Per document: label, type, factors, noise.
    query_draws = np.empty((len(queries), 2 + query_rank + width), np.uint16)
    doc_draws = np.empty((bounds[-1], 2 + doc_rank + width), np.uint16)
    for i, (section, index, _) in enumerate(queries):
        docs = doc_draws[bounds[i] : bounds[i + 1]]
        needed = query_draws.shape[1] + docs.size
        words = _stream(*key, _QUERY_STREAM, section, index).random_raw(-(-needed // 4))
        draws = words.astype("<u8").view("<u2")
        query_draws[i] = draws[: query_draws.shape[1]]
        docs[:] = draws[query_draws.shape[1] : needed].reshape(docs.shape)

    query_of = np.repeat(np.arange(len(queries)), np.diff(bounds))
    if recipe.label_model is None:
        labels[:] = _counted_labels([counts for *_, counts in queries], query_of, doc_draws[:, 0])
    else:
        labels[:] = _drawn_labels(recipe.label_model, query_draws[query_of, :2], doc_draws[:, 0])
    normal = _normal_table()
    query_normals = normal[query_draws[:, 2:]]
    between = query_normals[:, :query_rank] @ recipe.query_loadings
    between += query_normals[:, query_rank:] * recipe.query_noise
    doc_normals = normal[doc_draws[:, 2:]]
    scores = doc_normals[:, doc_rank:]
    scores *= recipe.doc_noise
    scores += doc_normals[:, :doc_rank] @ recipe.doc_loadings
    scores += between[query_of]
    scores += recipe.shifts[_types(recipe, labels, doc_draws[:, 1])]

    cells = scores.astype(np.int32)
    cells //= LATENT_UNIT // CELLS_PER_UNIT
    cells += TABLE_CELLS // 2
    np.clip(cells, 0, TABLE_CELLS - 1, out=cells)
    cells += TABLE_CELLS * np.arange(width, dtype=np.int32)
    values = recipe.tables.ravel()[cells]
    gated = np.flatnonzero(recipe.gates >= 0)
    values[:, gated] *= values[:, recipe.gates[gated]]
    if recipe.normalised:
        _pin_extremes(values, bounds[:-1], query_of)
    shown = np.flatnonzero(recipe.columns >= 0)
    features[:, recipe.columns[shown]] = values[:, shown]


def _counted_labels(
    counts: list[NDArray[np.int64]], query_of: NDArray[np.int64], draws: NDArray[np.uint16]
) -> NDArray[np.int64]:
    """Give each query the labels that its counts tell, in random order."""
    ascending = np.concatenate([np.repeat(np.arange(len(row) - 1), row[1:]) for row in counts])
    labels = np.empty_like(ascending)
    labels[np.lexsort((draws, query_of))] = ascending
    return labels


def _drawn_labels(
    model: dict[str, Any], query_draws: NDArray[np.uint16], draws: NDArray[np.uint16]
) -> NDArray[np.int64]:
    """Cut latent relevance, which the documents of a query share in part, into labels."""
    normal = _normal_table()
    relevance = normal[query_draws[:, 0]] * model["query"] + normal[draws] * model["doc"]
    labels: NDArray[np.int64] = np.searchsorted(np.array(model["cuts"]), relevance.astype(np.int64), side="right")
    labels[query_draws[:, 1] < model["empty"]] = 0
    return labels


def _types(recipe: Recipe, labels: NDArray[np.int32], draws: NDArray[np.uint16]) -> NDArray[np.int64]:
    types = np.empty(len(labels), np.int64)
    for label in np.unique(labels):
        own, rows = np.flatnonzero(recipe.type_labels == label), labels == label
        limits = np.cumsum(recipe.type_weights[own])[:-1]
        types[rows] = own[np.searchsorted(limits, draws[rows], side="right")]
    return types


def _pin_extremes(values: NDArray[np.float32], starts: NDArray[np.int64], query_of: NDArray[np.int64]) -> None:
    """Put each feature's smallest value of a query at 0 and its largest at 1; what does not vary becomes 0.

    The tables hold the values in between as they are in the real, normalised set. Stretching them would take the
    differences between queries away.
    """
    lowest = values == np.minimum.reduceat(values, starts)[query_of]
    values[values == np.maximum.reduceat(values, starts)[query_of]] = 1
    values[lowest] = 0


@cache
def _normal_table() -> NDArray[np.float32]:
    """Quantiles of the normal distribution in 1/64, for each value of a 16-bit draw."""
    quantile = NormalDist().inv_cdf
    upper = np.array([round(64 * quantile((i + 0.5) / 65536)) for i in range(32768, 65536)], np.float32)
    return np.concatenate([-upper[::-1], upper])


def _stream(*key: int) -> np.random.PCG64:
    return np.random.PCG64(np.random.SeedSequence(key))


def _number(name: str) -> int:
    return int.from_bytes(name.encode(), "little")


def _digest(features: NDArray[np.float32], labels: NDArray[np.int32], offsets: NDArray[np.int64]) -> str:
    digest = hashlib.sha256()
    for array in (features, labels, offsets):
        digest.update(array.astype(array.dtype.newbyteorder("<"), copy=False).data)
    return digest.hexdigest()
