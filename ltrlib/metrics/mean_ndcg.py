"""The compiled loop of LETOR's MeanNDCG, which alone needs NDCG at every rank."""

from __future__ import annotations

from ltrlib.compiled import compiled, signatures
from ltrlib.metrics.kernels import CODES, FLOATS, INDEX, OUT_MATRIX, SMALL, Codes, Floats, Index

__all__ = ["mean_ratios"]


@compiled(signatures.void(FLOATS, CODES, FLOATS, CODES, INDEX, FLOATS, OUT_MATRIX), small=SMALL)
def mean_ratios(
    table: Floats, ranked: Codes, gains: Floats, ideal: Codes, offsets: Index, weights: Floats, out: Floats
) -> None:
    """Mean over all ranks of the weighted sum down to that rank, divided by that of the ideal order.

    Examples
    --------
    >>> import numpy as np
    >>> out, gains = np.empty((1, 1)), np.array([0.0, 1.0])
    >>> ranked, ideal = np.array([0, 1], np.int32), np.array([1, 0], np.int32)
    >>> mean_ratios(gains, ranked, gains, ideal, np.array([0, 2]), np.array([1.0, 0.5]), out)
    >>> out
    array([[0.25]])
    """
    for q in range(offsets.size - 1):
        total = 0.0
        reached = 0.0
        possible = 0.0
        length = offsets[q + 1] - offsets[q]
        for i in range(length):
            reached += table[ranked[offsets[q] + i]] * weights[i]
            possible += gains[ideal[offsets[q] + i]] * weights[i]
            if possible > 0.0:
                total += reached / possible
        out[q, 0] = total / length if length > 0 else 0.0
