"""The compiled loops behind every metric with a cut-off.

One signature each, compiled when this module is imported, or read from numba's cache. Inputs are declared
read-only, so memory maps need no second version; scratch space comes from the caller, which spares numba its
run-time library: together they cut the first compilation to a third.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

__all__ = ["RANK_SIGNATURE", "compiled", "discounted_sums", "ideal_gains", "rank_top"]

F = TypeVar("F", bound=Callable[..., Any])
Index = NDArray[np.int64]
Floats = NDArray[np.float64]

LABELS = types.Array(types.int32, 1, "C", readonly=True)
INDEX = types.Array(types.int64, 1, "C", readonly=True)
FLOATS = types.Array(types.float64, 1, "C", readonly=True)
OUT_INDEX = types.Array(types.int64, 1, "C")
OUT_FLOATS = types.Array(types.float64, 1, "C")
OUT_MATRIX = types.Array(types.float64, 2, "C")

RANK_SIGNATURE = types.int64(FLOATS, INDEX, INDEX, types.boolean, INDEX, OUT_FLOATS, OUT_INDEX, OUT_INDEX)
"""Both ways to rank take and give the same: see :func:`rank_top`."""


def compiled(signature: Any) -> Callable[[F], F]:
    """Compile for one signature, with numba's cache on disk."""
    decorator: Callable[[F], F] = njit(signature, cache=True, nogil=True, error_model="numpy")
    return decorator


@compiled(RANK_SIGNATURE)
def rank_top(
    scores: Floats,
    offsets: Index,
    tie_keys: Index,
    single: bool,
    out_offsets: Index,
    best: Floats,
    at: Index,
    order: Index,
) -> int:
    """Write the documents of each query's first ranks to ``order``; return the place of a NaN score, or -1.

    ``out_offsets`` says how many ranks each query gets. Among equal scores the larger tie key comes first, then the
    earlier document; no keys mean file order. ``single`` compares in float32. ``best`` and ``at`` are scratch.
    One pass that keeps the best by insertion: linear in documents for the short lists that it is used for.
    """
    keyed = tie_keys.size > 0
    for q in range(offsets.size - 1):
        out = out_offsets[q]
        take = out_offsets[q + 1] - out
        kept = 0
        for i in range(offsets[q], offsets[q + 1]):
            score = scores[i]
            if single:
                score = np.float64(np.float32(score))
            if score != score:
                return i
            if kept == take:
                worst = best[kept - 1]
                if score < worst or (score == worst and not (keyed and tie_keys[i] > tie_keys[at[kept - 1]])):
                    continue
                j = kept - 1
            else:
                j = kept
                kept += 1
            while j > 0 and (
                best[j - 1] < score or (keyed and best[j - 1] == score and tie_keys[at[j - 1]] < tie_keys[i])
            ):
                best[j] = best[j - 1]
                at[j] = at[j - 1]
                j -= 1
            best[j] = score
            at[j] = i
        for j in range(kept):
            order[out + j] = at[j]
    return -1


@compiled(types.void(LABELS, INDEX, INDEX, FLOATS, INDEX, OUT_INDEX, OUT_FLOATS))
def ideal_gains(
    codes: NDArray[np.int32],
    offsets: Index,
    by_gain: Index,
    gains: Floats,
    out_offsets: Index,
    counts: Index,
    out: Floats,
) -> None:
    """Write the gains of each query's best possible first ranks to ``out``, by counting its labels.

    ``by_gain`` lists the label codes from the largest gain down; ``counts`` is scratch, all zero.
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
                out[at] = gains[code]
                at += 1
                left -= 1


@compiled(types.void(FLOATS, INDEX, FLOATS, INDEX, OUT_MATRIX))
def discounted_sums(values: Floats, offsets: Index, weights: Floats, cutoffs: Index, out: Floats) -> None:
    """Sum value times weight over the first ranks of each query, for each cut-off (ascending)."""
    for q in range(offsets.size - 1):
        start = offsets[q]
        length = offsets[q + 1] - start
        total = 0.0
        i = 0
        for c in range(cutoffs.size):
            while i < length and i < cutoffs[c]:
                total += values[start + i] * weights[i]
                i += 1
            out[q, c] = total
