"""Kendall's tau of two rankings of the same documents, query by query, in n log n."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.compiled import compiled, signatures
from ltrlib.errors import UsageError
from ltrlib.metrics.judgments import Documents
from ltrlib.metrics.kernels import FLOATS, INDEX, OUT_FLOATS, OUT_MATRIX, SMALL, Floats, Index
from ltrlib.metrics.metric import KendallTau

__all__ = ["kendall_tau", "tau_with_labels"]


def kendall_tau(first: ArrayLike, second: ArrayLike, query_offsets: ArrayLike | None = None) -> NDArray[np.float64]:
    """Kendall's tau-b per query between two scorings (or ranks) of the same documents.

    Parameters
    ----------
    first, second
        One number per document; only their order counts, and ties in either are allowed.
    query_offsets
        Where each query starts, and the end; without it there is one query.

    Returns
    -------
    NDArray[np.float64]
        From -1 (reversed) to 1 (same order); NaN where one side is constant or has fewer than two documents.

    Examples
    --------
    >>> kendall_tau([1, 2, 3, 4], [1, 3, 2, 4]).round(4)
    array([0.6667])
    """
    x = np.ascontiguousarray(first, dtype=np.float64)
    y = np.ascontiguousarray(second, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise UsageError(
            f"the rankings have shapes {x.shape} and {y.shape}", cure="give one number per document to both"
        )
    if np.isnan(x).any() or np.isnan(y).any():
        raise UsageError("a ranking holds a value that is not a number")
    offsets = np.ascontiguousarray([0, x.size] if query_offsets is None else query_offsets, dtype=np.int64)
    # Ranked by x; among equal x by y, so that a pair tied in x is never counted as out of order.
    order = np.lexsort((y, x, np.repeat(np.arange(offsets.size - 1), np.diff(offsets))))
    pairs = np.empty((offsets.size - 1, 4))
    _count_pairs(x[order], y[order], offsets, np.empty(2 * int(np.diff(offsets).max(initial=0))), pairs)
    n = np.diff(offsets).astype(np.float64)
    all_pairs = n * (n - 1) / 2
    swapped, tied_x, tied_y, tied_both = pairs.T
    difference = all_pairs - tied_x - tied_y + tied_both - 2 * swapped
    norm = np.sqrt((all_pairs - tied_x) * (all_pairs - tied_y))
    tau = np.full(norm.shape, np.nan)
    np.divide(difference, norm, out=tau, where=norm > 0)
    return tau


def tau_with_labels(metric: KendallTau, documents: Documents, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Tau between scores and labels per query, with the metric's rule where it is undefined.

    Examples
    --------
    >>> tau_with_labels(KendallTau(), Documents([0, 1, 1, 1], [0, 2, 4]), np.array([1.0, 2.0, 3.0, 4.0]))
    array([ 1., nan])
    """
    if metric.precision == "float32":
        with np.errstate(over="ignore"):
            scores = scores.astype(np.float32).astype(np.float64)
    # Two codes in front may stand for unjudged documents, which count like label 0.
    codes = np.maximum(documents.codes, np.argmax(documents.judged)).astype(np.int32)
    values = kendall_tau(scores, codes, documents.offsets)
    values[np.isnan(values)] = np.nan if metric.empty == "skip" else metric.empty
    values[documents.sizes == 0] = np.nan if metric.absent == "skip" else 0.0
    return values


@compiled(signatures.void(FLOATS, FLOATS, INDEX, OUT_FLOATS, OUT_MATRIX), small=SMALL)
def _count_pairs(x: Floats, y: Floats, offsets: Index, work: Floats, out: Floats) -> None:
    """Per query: pairs out of order in ``y`` (by merge sort in ``work``), pairs tied in x, in y, in both."""
    for q in range(offsets.size - 1):
        start = offsets[q]
        n = offsets[q + 1] - start
        half = work.size // 2
        tied_x = 0
        tied_both = 0
        same_x = 0
        same_both = 0
        for i in range(n):
            work[i] = y[start + i]
            equal_x = i > 0 and x[start + i] == x[start + i - 1]
            same_x = same_x + 1 if equal_x else 0
            same_both = same_both + 1 if equal_x and y[start + i] == y[start + i - 1] else 0
            tied_x += same_x
            tied_both += same_both
        swapped = 0
        source = 0
        width = 1
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
                    if right >= high or (left < middle and work[source + left] <= work[source + right]):
                        work[target + to] = work[source + left]
                        left += 1
                    else:
                        # This one belongs before all that are left of the first half.
                        swapped += middle - left
                        work[target + to] = work[source + right]
                        right += 1
                low = high
            source = target
            width *= 2
        tied_y = 0
        same_y = 0
        for i in range(1, n):
            same_y = same_y + 1 if work[source + i] == work[source + i - 1] else 0
            tied_y += same_y
        out[q, 0] = swapped
        out[q, 1] = tied_x
        out[q, 2] = tied_y
        out[q, 3] = tied_both
