"""The pairs that DirectRanker trains on: how many at each step, and which."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["ClassPairs", "PairBatches", "class_pairs", "draw_pairs", "growing"]

_NARROWEST = 256  # places of the smallest batch


def growing(first: int, last: int, steps: int) -> NDArray[np.int64]:
    """Whole numbers that grow exponentially from ``first`` towards ``last``, one per step.

    Examples
    --------
    >>> queries, pairs = growing(10, 100, 3000), growing(3, 10, 3000)  # as in the authors' code
    >>> queries[0], queries[-1], pairs[0], pairs[-1], (queries * pairs).sum()
    (np.int64(10), np.int64(99), np.int64(3), np.int64(9), np.int64(761453))
    """
    exponent = np.arange(steps) / steps * math.log(last / first)
    # A little more than the exact value, so that rounding never turns a constant 10 into 9.
    grown: NDArray[np.int64] = np.floor(first * np.exp(exponent) * (1 + 1e-12)).astype(np.int64)
    return grown


@dataclass(frozen=True, eq=False)
class ClassPairs:
    """Which classes meet within each query.

    Parameters
    ----------
    rows
        Row numbers of all documents, by query and within it by label.
    offsets
        Where each query's class pairs begin; only queries with documents of different labels are listed.
    upper, n_upper
        Of each class pair: where the documents of the higher class begin in ``rows``, and how many there are.
    lower, n_lower
        The same for the lower class.

    Examples
    --------
    >>> found = class_pairs(np.array([1, 0, 2, 0, 0, 0]), np.array([0, 4, 6]))
    >>> found.rows[found.upper].tolist(), found.rows[found.lower].tolist(), found.n_lower.tolist()
    ([0, 2], [1, 0], [2, 1])
    """

    rows: NDArray[np.int32]
    offsets: NDArray[np.int64]
    upper: NDArray[np.int64]
    n_upper: NDArray[np.int64]
    lower: NDArray[np.int64]
    n_lower: NDArray[np.int64]


def class_pairs(
    labels: NDArray[np.int32],
    query_offsets: NDArray[np.int64],
    *,
    which: Literal["neighbours", "all"] = "neighbours",
) -> ClassPairs:
    """List the pairs of classes of each query: those next to each other among the classes it has, or all."""
    query = np.repeat(np.arange(len(query_offsets) - 1), np.diff(query_offsets))
    order = np.lexsort((labels, query))
    # Runs of equal query and label, and which of them belong to one query.
    first = np.flatnonzero(np.diff(query[order], prepend=-1) | np.diff(labels[order], prepend=-1))
    size = np.diff(np.append(first, len(order)))
    of_query = np.split(np.arange(len(first)), np.flatnonzero(np.diff(query[order][first])) + 1)
    choose = pairwise if which == "neighbours" else lambda runs: combinations(runs, 2)
    found = [list(choose(runs)) for runs in of_query if len(runs) > 1]
    lower, upper = np.array([pair for pairs in found for pair in pairs], np.int64).reshape(-1, 2).T
    offsets = np.concatenate([[0], np.cumsum([len(pairs) for pairs in found])]).astype(np.int64)
    return ClassPairs(order.astype(np.int32), offsets, first[upper], size[upper], first[lower], size[lower])


@dataclass(frozen=True, eq=False)
class PairBatches:
    """The pairs of some steps, filled up to one width.

    Parameters
    ----------
    rows
        Row numbers of the better and of the worse document, ``(steps, 2, width)``.
    real
        1 for a pair, 0 for a place that is filled up, ``(steps, width)``.

    Examples
    --------
    >>> source = class_pairs(np.array([0, 1, 0]), np.array([0, 2, 3]))
    >>> batches = draw_pairs(np.random.default_rng(0), source, np.array([1, 1]), np.array([2, 3]))
    >>> batches.rows.shape, batches.real.sum(axis=1).tolist(), batches.rows[0, :, 0].tolist()
    ((2, 2, 256), [2.0, 3.0], [1, 0])
    """

    rows: NDArray[np.int32]
    real: NDArray[np.float32]


def draw_pairs(
    rng: np.random.Generator, source: ClassPairs, queries: NDArray[np.int64], pairs: NDArray[np.int64]
) -> PairBatches:
    """Draw the batches of some steps: queries with replacement, then documents of each class with replacement.

    Parameters
    ----------
    rng
        What draws.
    source
        Classes that meet.
    queries, pairs
        Queries of each step, and pairs per query and class pair.
    """
    step = np.repeat(np.arange(len(queries)), queries)
    query = rng.integers(0, len(source.offsets) - 1, len(step))
    # Every drawn query stands for its class pairs, and each of these for some pairs of documents.
    meetings = source.offsets[query + 1] - source.offsets[query]
    step, start = np.repeat(step, meetings), np.repeat(source.offsets[query], meetings)
    meeting = start + _count_up(meetings)
    each = pairs[step]
    step, meeting = np.repeat(step, each), np.repeat(meeting, each)
    better = source.upper[meeting] + (rng.random(len(meeting)) * source.n_upper[meeting]).astype(np.int64)
    worse = source.lower[meeting] + (rng.random(len(meeting)) * source.n_lower[meeting]).astype(np.int64)
    counts = np.bincount(step, minlength=len(queries))
    # Few widths: each is compiled anew, which takes as long as a thousand steps.
    width = _NARROWEST
    while width < counts.max():
        width *= 2
    place = _count_up(counts)
    rows = np.zeros((len(queries), 2, width), np.int32)
    rows[step, 0, place], rows[step, 1, place] = source.rows[better], source.rows[worse]
    return PairBatches(rows, (np.arange(width) < counts[:, None]).astype(np.float32))


def _count_up(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """0, 1, … up to each size, one after the other."""
    ends = np.cumsum(sizes)
    counted: NDArray[np.int64] = np.arange(int(ends[-1])) - np.repeat(ends - sizes, sizes)
    return counted
