"""The compiled loops that whole lists need: sorting every document, and the metrics that stop or decay on the way.

Kept apart from :mod:`ltrlib.metrics.kernels`, because NDCG@k needs neither and should not wait for their compilation.
"""

from __future__ import annotations

import numpy as np

from ltrlib.compiled import compiled, signatures
from ltrlib.metrics.kernels import CODES, FLOATS, INDEX, OUT_MATRIX, RANK_SIGNATURE, SMALL, Codes, Floats, Index

__all__ = [
    "AVERAGE_PRECISION",
    "EXPECTED_RECIPROCAL_RANK",
    "RECIPROCAL_RANK",
    "rank_all",
    "walked_sums",
]

AVERAGE_PRECISION, EXPECTED_RECIPROCAL_RANK, RECIPROCAL_RANK = range(3)
_RUN = 64  # stretches this short are sorted by counting before the merging starts


@compiled(RANK_SIGNATURE, small=SMALL // 8)  # interpreted, sorting takes the longest
def rank_all(
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
    """Like :func:`ltrlib.metrics.kernels.rank_top`, by a stable merge sort of each query.

    ``best`` and ``at`` have room for twice the longest query. Where ``groups`` is not empty, each rank's group of
    equal scores is numbered there.
    """
    in_file_order = visits.size == 0
    half = best.size // 2
    group = -1
    for q in range(offsets.size - 1):
        start: int = offsets[q]
        n = offsets[q + 1] - start
        for visit in range(n):
            i = start + visit if in_file_order else visits[start + visit]
            score = scores[i]
            if single:
                score = np.float64(np.float32(score))
            if score != score:
                return i
            best[half + visit] = score
            at[half + visit] = i
        # In a short stretch, count how many come before each: without branches, several at once. Unsigned numbers,
        # because numba would check signed ones for negative places, which keeps the loop from being vectorised.
        for low in range(0, n, _RUN):
            high = low + _RUN if low + _RUN < n else n
            for visit in range(low, high):
                score = best[half + visit]
                rank = low
                here = np.uint64(half + visit)
                for other in range(np.uint64(half + low), np.uint64(half + high)):
                    rank += (best[other] > score) | ((best[other] == score) & (other < here))
                best[rank] = score
                at[rank] = at[half + visit]
        source = 0
        width = _RUN
        while width < n:
            target = half - source
            low = 0
            while low < n:
                left = source + low
                middle = left + width if low + width < n else source + n
                right = middle
                high = middle + width if middle + width < source + n else source + n
                for to in range(target + low, target + low + high - left):
                    if right >= high or (left < middle and best[left] >= best[right]):
                        best[to] = best[left]
                        at[to] = at[left]
                        left += 1
                    else:
                        best[to] = best[right]
                        at[to] = at[right]
                        right += 1
                low += 2 * width
            source = target
            width *= 2
        out = out_offsets[q]
        for j in range(out_offsets[q + 1] - out):
            ranked[out + j] = codes[at[source + j]]
            if groups.size > 0:
                if j == 0 or best[source + j] != best[source + j - 1]:
                    group += 1
                groups[out + j] = group
    return -1


@compiled(signatures.void(signatures.int64, FLOATS, CODES, INDEX, INDEX, OUT_MATRIX), small=SMALL)
def walked_sums(kind: int, table: Floats, ranked: Codes, offsets: Index, cutoffs: Index, out: Floats) -> None:
    """Walk down each query's ranks and note the sum at each cut-off (ascending).

    ``AVERAGE_PRECISION``: precision at each relevant document (value 1); ``EXPECTED_RECIPROCAL_RANK``: chance to stop
    here (the value, after not having stopped above) over rank; ``RECIPROCAL_RANK``: 1/rank of the first value above 0.

    Examples
    --------
    >>> out = np.empty((1, 1))
    >>> ranked = np.array([0, 1, 1], np.int32)
    >>> walked_sums(AVERAGE_PRECISION, np.array([0.0, 1.0]), ranked, np.array([0, 3]), np.array([9]), out)
    >>> out.round(4)
    array([[1.1667]])
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
                value = table[ranked[start + i]]
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
