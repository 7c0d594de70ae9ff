"""The compiled loops behind every metric with a cut-off.

One signature each, compiled when there is much to do, or read from numba's cache. Inputs are declared
read-only, so memory maps need no second version; scratch space comes from the caller, which spares numba its
run-time library: together they cut the first compilation to a third.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ltrlib.compiled import compiled, signatures

__all__ = ["RANK_SIGNATURE", "discounted_sums", "ideal_order", "rank_top"]

Codes = NDArray[np.int32]
Index = NDArray[np.int64]
Floats = NDArray[np.float64]

CODES = signatures.Array(signatures.int32, 1, "C", readonly=True)
INDEX = signatures.Array(signatures.int64, 1, "C", readonly=True)
FLOATS = signatures.Array(signatures.float64, 1, "C", readonly=True)
OUT_CODES = signatures.Array(signatures.int32, 1, "C")
OUT_INDEX = signatures.Array(signatures.int64, 1, "C")
OUT_FLOATS = signatures.Array(signatures.float64, 1, "C")
OUT_MATRIX = signatures.Array(signatures.float64, 2, "C")

SMALL = 100_000
"""Elements of input that the interpreter walks through in about a tenth of a second."""

RANK_SIGNATURE = signatures.int64(
    FLOATS, CODES, INDEX, INDEX, signatures.boolean, INDEX, OUT_FLOATS, OUT_INDEX, OUT_CODES, OUT_INDEX
)
"""Both ways to rank take and give the same: see :func:`rank_top`."""


_ZERO, _ONE = np.uint64(0), np.uint64(1)


@compiled(RANK_SIGNATURE, small=SMALL)
def rank_top(
    scores: Floats,
    codes: Codes,
    offsets: Index,
    visits: Index,
    single: bool,
    out_offsets: Index,
    best: Floats,
    at: Index,
    ranked: Codes,
    groups: Index,
) -> int:
    """Write the label codes of each query's first ranks to ``ranked``; return the place of a NaN score, or -1.

    ``out_offsets`` says how many ranks each query gets. Among equal scores the document that is visited first comes
    first: ``visits`` lists each query's documents in that order, or is empty for file order. ``single`` compares in
    float32. ``best`` and ``at`` are scratch; ``groups`` is not used here.
    One pass that keeps the best by insertion: linear in documents for the few ranks that it is used for.
    :func:`ltrlib.metrics.ranking.rank` is the way to call it.
    """
    # Unsigned places: numba would check signed ones for being negative.
    in_file_order = visits.size == 0
    for q in range(offsets.size - 1):
        out = np.uint64(out_offsets[q])
        take = np.uint64(out_offsets[q + 1]) - out
        kept = _ZERO
        for visit in range(np.uint64(offsets[q]), np.uint64(offsets[q + 1])):
            i = visit if in_file_order else np.uint64(visits[visit])
            score = scores[i]
            if single:
                score = np.float64(np.float32(score))
            if score != score:
                return int(i)
            j = kept
            if kept < take:
                kept += _ONE
            elif score > best[kept - _ONE]:
                j = kept - _ONE
            else:
                continue
            while j > _ZERO and best[j - _ONE] < score:
                best[j] = best[j - _ONE]
                at[j] = at[j - _ONE]
                j -= _ONE
            best[j] = score
            at[j] = i
        for rank in range(kept):
            ranked[out + rank] = codes[at[rank]]
    return -1


@compiled(signatures.void(CODES, INDEX, INDEX, INDEX, OUT_INDEX, OUT_CODES), small=SMALL)
def ideal_order(codes: Codes, offsets: Index, by_gain: Index, out_offsets: Index, counts: Index, ranked: Codes) -> None:
    """Write the label codes of each query's best possible first ranks to ``ranked``, by counting its labels.

    ``by_gain`` lists the codes from the largest gain down; ``counts`` is scratch, all zero.

    Examples
    --------
    >>> ranked = np.empty(2, np.int32)
    >>> codes, offsets = np.array([0, 2, 1], np.int32), np.array([0, 3])
    >>> ideal_order(codes, offsets, np.array([2, 1, 0]), np.array([0, 2]), np.zeros(3, np.int64), ranked)
    >>> ranked
    array([2, 1], dtype=int32)
    """
    for q in range(offsets.size - 1):
        for i in range(offsets[q], offsets[q + 1]):
            counts[codes[i]] += 1
        at = out_offsets[q]
        for place in range(by_gain.size):
            code = by_gain[place]
            left = counts[code]
            counts[code] = 0
            while left > 0 and at < out_offsets[q + 1]:
                ranked[at] = code
                at += 1
                left -= 1


@compiled(signatures.void(FLOATS, CODES, INDEX, FLOATS, INDEX, OUT_MATRIX), small=SMALL)
def discounted_sums(table: Floats, ranked: Codes, offsets: Index, weights: Floats, cutoffs: Index, out: Floats) -> None:
    """Sum the value of each rank's code times the rank's weight, for each query and cut-off (ascending).

    Examples
    --------
    >>> out = np.empty((1, 2))
    >>> ranked = np.array([1, 0, 1], np.int32)
    >>> discounted_sums(np.array([0.0, 8.0]), ranked, np.array([0, 3]), np.array([1, 0.5, 0.25]), np.array([1, 3]), out)
    >>> out
    array([[ 8., 10.]])
    """
    for q in range(offsets.size - 1):
        start = offsets[q]
        length = offsets[q + 1] - start
        total = 0.0
        i = 0
        for c in range(cutoffs.size):
            while i < length and i < cutoffs[c]:
                total += table[ranked[start + i]] * weights[i]
                i += 1
            out[q, c] = total
