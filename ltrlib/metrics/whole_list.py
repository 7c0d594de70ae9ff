"""The compiled loops that whole lists need: sorting every document, and the metrics that stop or decay on the way.

Kept apart from :mod:`ltrlib.metrics.kernels`, because NDCG@k needs neither and should not wait for their compilation.
"""

from __future__ import annotations

import numpy as np
from numba import types

from ltrlib.metrics.kernels import FLOATS, INDEX, OUT_MATRIX, RANK_SIGNATURE, Floats, Index, compiled

__all__ = ["AVERAGE_PRECISION", "EXPECTED_RECIPROCAL_RANK", "RECIPROCAL_RANK", "mean_ratios", "rank_all", "walked_sums"]

AVERAGE_PRECISION, EXPECTED_RECIPROCAL_RANK, RECIPROCAL_RANK = range(3)
_RUN = 16  # lists this short are sorted by insertion before the merging starts


@compiled(RANK_SIGNATURE)
def rank_all(
    scores: Floats,
    offsets: Index,
    tie_keys: Index,
    single: bool,
    out_offsets: Index,
    best: Floats,
    at: Index,
    order: Index,
) -> int:
    """Like :func:`ltrlib.metrics.kernels.rank_top`, by a stable merge sort of each query.

    ``best`` and ``at`` have room for twice the longest query.
    """
    keyed = tie_keys.size > 0
    half = best.size // 2
    for q in range(offsets.size - 1):
        start: int = offsets[q]
        n = offsets[q + 1] - start
        for i in range(n):
            score = scores[start + i]
            if single:
                score = np.float64(np.float32(score))
            if score != score:
                return start + i
            j = i
            run_start = i - i % _RUN
            while j > run_start and (
                best[j - 1] < score or (keyed and best[j - 1] == score and tie_keys[at[j - 1]] < tie_keys[start + i])
            ):
                best[j] = best[j - 1]
                at[j] = at[j - 1]
                j -= 1
            best[j] = score
            at[j] = start + i
        source = 0
        width = _RUN
        while width < n:
            target = half - source
            low = 0
            while low < n:
                left = low
                middle = low + width
                if middle > n:
                    middle = n
                right = middle
                high = middle + width
                if high > n:
                    high = n
                for to in range(low, high):
                    from_left = right >= high
                    if not from_left and left < middle:
                        a = best[source + left]
                        b = best[source + right]
                        from_left = a > b or (
                            a == b and not (keyed and tie_keys[at[source + left]] < tie_keys[at[source + right]])
                        )
                    if from_left:
                        best[target + to] = best[source + left]
                        at[target + to] = at[source + left]
                        left += 1
                    else:
                        best[target + to] = best[source + right]
                        at[target + to] = at[source + right]
                        right += 1
                low = high
            source = target
            width *= 2
        out = out_offsets[q]
        for j in range(out_offsets[q + 1] - out):
            order[out + j] = at[source + j]
    return -1


@compiled(types.void(types.int64, FLOATS, INDEX, INDEX, OUT_MATRIX))
def walked_sums(kind: int, values: Floats, offsets: Index, cutoffs: Index, out: Floats) -> None:
    """Walk down each query's ranks and note the sum at each cut-off (ascending).

    ``AVERAGE_PRECISION``: precision at each relevant document (value 1); ``EXPECTED_RECIPROCAL_RANK``: chance to stop
    here (the value, after not having stopped above) over rank; ``RECIPROCAL_RANK``: 1/rank of the first value above 0.
    """
    for q in range(offsets.size - 1):
        start = offsets[q]
        length = offsets[q + 1] - start
        total = 0.0
        found = 0.0
        still_looking = 1.0
        i = 0
        for c in range(cutoffs.size):
            while i < length and i < cutoffs[c]:
                value = values[start + i]
                i += 1
                if kind == AVERAGE_PRECISION:
                    found += value
                    total += value * found / i
                elif kind == EXPECTED_RECIPROCAL_RANK:
                    total += still_looking * value / i
                    still_looking *= 1.0 - value
                elif value > 0.0 and total == 0.0:
                    total = 1.0 / i
            out[q, c] = total


@compiled(types.void(FLOATS, FLOATS, INDEX, FLOATS, OUT_MATRIX))
def mean_ratios(values: Floats, ideal: Floats, offsets: Index, weights: Floats, out: Floats) -> None:
    """Mean over all ranks of the weighted sum down to that rank, divided by that of the ideal order."""
    for q in range(offsets.size - 1):
        total = 0.0
        reached = 0.0
        possible = 0.0
        length = offsets[q + 1] - offsets[q]
        for i in range(length):
            reached += values[offsets[q] + i] * weights[i]
            possible += ideal[offsets[q] + i] * weights[i]
            if possible > 0.0:
                total += reached / possible
        out[q, 0] = total / length if length > 0 else 0.0
