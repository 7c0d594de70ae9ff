"""Queries dealt into batches of one shape, for code that is compiled for fixed shapes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["QueryBatches", "count_pairs", "deal_queries"]


@dataclass(frozen=True, eq=False)
class QueryBatches:
    """Documents of each batch one after the other, filled up to the longest batch.

    Parameters
    ----------
    rows
        Row numbers, ``(batches, places)``; filled up with the number of documents, which is no row's.
    query
        Number of each place's query within the batch, ``(batches, places)``; filled up with ``n_queries``.
    pairs
        Places of the better and the worse document of each pair of one query with different labels,
        ``(batches, pairs, 2)``; filled up with pairs of a place with itself.
    n_pairs
        Number of pairs of each batch.
    n_queries
        Largest number of queries in a batch.

    Examples
    --------
    >>> offsets, labels = np.array([0, 2, 3]), np.array([0, 1, 1], np.int32)
    >>> batches = deal_queries(
    ...     offsets, labels, per_batch=1, rng=np.random.default_rng(0), with_pairs=True, round_to=1)
    >>> batches.rows.tolist(), batches.pairs.tolist(), batches.n_pairs
    ([[2, 3], [0, 1]], [[[0, 0]], [[1, 0]]], array([0, 1], dtype=int32))
    """

    rows: NDArray[np.int32]
    query: NDArray[np.int32]
    pairs: NDArray[np.int32]
    n_pairs: NDArray[np.int32]
    n_queries: int


def deal_queries(
    query_offsets: NDArray[np.int64],
    labels: NDArray[np.int32],
    *,
    per_batch: int,
    rng: np.random.Generator,
    with_pairs: bool,
    round_to: int = 256,
) -> QueryBatches:
    """Deal the queries into batches at random, but so that each gets its share of large and of small ones.

    Parameters
    ----------
    query_offsets, labels
        As in :class:`ltrlib.datasets.container.RankingData`.
    per_batch
        Queries per batch, on average.
    rng
        What deals.
    with_pairs
        Whether to list the pairs too; without them the arrays of pairs are empty.
    round_to
        Places and pairs of a batch are filled up to a multiple of this: dealt anew, they mostly keep their shape.
    """
    sizes = np.diff(query_offsets)
    steps = -(-len(sizes) // per_batch)
    work = count_pairs(query_offsets, labels) if with_pairs else sizes
    # From the most work down, each next group of as many queries as there are batches is dealt, one to each.
    order = np.lexsort((rng.random(len(sizes)), -work))
    hands: list[list[int]] = [[] for _ in range(steps)]
    for start in range(0, len(order), steps):
        group = order[start : start + steps]
        for hand, query in zip(rng.permutation(steps)[: len(group)], group, strict=True):
            hands[hand].append(int(query))
    width = _rounded(max(int(sizes[hand].sum()) for hand in hands), round_to)
    n_queries = max(map(len, hands))
    rows = np.full((steps, width), query_offsets[-1], np.int32)
    query = np.full((steps, width), n_queries, np.int32)
    found: list[NDArray[np.int32]] = []
    for step, hand in enumerate(hands):
        at = 0
        of_step = [np.empty((0, 2), np.int32)]
        for number, chosen in enumerate(hand):
            start, size = query_offsets[chosen], int(sizes[chosen])
            rows[step, at : at + size] = np.arange(start, start + size)
            query[step, at : at + size] = number
            if with_pairs:
                own = labels[start : start + size]
                of_step.append((np.argwhere(own[:, None] > own[None, :]) + at).astype(np.int32))
            at += size
        found.append(np.concatenate(of_step))
    pairs = np.zeros((steps, _rounded(max(map(len, found)), round_to), 2), np.int32)
    for step, own_pairs in enumerate(found):
        pairs[step, : len(own_pairs)] = own_pairs
    return QueryBatches(rows, query, pairs, np.array([len(own_pairs) for own_pairs in found], np.int32), n_queries)


def _rounded(number: int, unit: int) -> int:
    return -(-number // unit) * unit


def count_pairs(query_offsets: NDArray[np.int64], labels: NDArray[np.int32]) -> NDArray[np.int64]:
    """Count the pairs of documents with different labels in each query.

    Examples
    --------
    >>> count_pairs(np.array([0, 3, 5]), np.array([0, 1, 2, 1, 1]))
    array([3, 0])
    """
    sizes = np.diff(query_offsets)
    n_labels = int(labels.max(initial=0)) + 1
    cells = np.repeat(np.arange(len(sizes)), sizes) * n_labels + labels
    counts = np.bincount(cells, minlength=len(sizes) * n_labels).reshape(len(sizes), n_labels)
    pairs: NDArray[np.int64] = (sizes**2 - (counts**2).sum(axis=1)) // 2
    return pairs
