"""From scores to ranks: the order of each query's documents under a tie rule and a score precision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics.convention import Precision, Ties
from ltrlib.metrics.documents import Documents, first_ranks
from ltrlib.metrics.kernels import rank_top

__all__ = ["Ranking", "rank"]

_INSERTION_DEPTH = 32  # up to here, keeping the best by insertion beats sorting, in the worst order of scores too


@dataclass(frozen=True, eq=False)
class Ranking:
    """The first ranks of each query, as label codes.

    Parameters
    ----------
    codes
        Label code per rank, query after query.
    offsets
        Where each query's ranks start, and the end.
    tie_groups
        Number of the group of equal scores per rank, where ties are averaged.

    Examples
    --------
    >>> documents = Documents([0, 1, 2], [0, 3])
    >>> rank(documents, np.array([1.0, 1.0, 5.0]), ties="average", precision="float64", depth=2).values(
    ...     np.array([0.0, 1.0, 3.0]))
    array([3. , 0.5, 0.5])
    """

    codes: NDArray[np.int32]
    offsets: NDArray[np.int64]
    tie_groups: NDArray[np.int64] | None

    def values(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Value of each rank, looked up by label; with averaged ties, the mean of its group."""
        values = table[self.codes]
        if self.tie_groups is None:
            return values
        size = np.bincount(self.tie_groups)
        mean: NDArray[np.float64] = np.bincount(self.tie_groups, weights=values) / size
        return mean[self.tie_groups]


def rank(documents: Documents, scores: NDArray[np.float64], *, ties: Ties, precision: Precision, depth: int) -> Ranking:
    """Rank each query's documents by descending score, down to ``depth`` (a group of averaged ties stays whole).

    Infinite scores are ordinary: +inf first, -inf last, equal ones tied. NaN is an error.

    Examples
    --------
    >>> documents = Documents([0, 1, 2], [0, 3])
    >>> rank(documents, np.array([1.0, 1.0, 5.0]), ties="last", precision="float64", depth=2).codes
    array([2, 1], dtype=int32)
    """
    averaged = ties in ("average", "random")
    top = depth <= _INSERTION_DEPTH and not averaged
    offsets = first_ranks(documents.sizes, int(documents.sizes.max(initial=0)) if averaged else depth)
    order = np.empty(offsets[-1], dtype=np.int64)
    room = _INSERTION_DEPTH if top else 2 * int(documents.sizes.max(initial=0))
    single = precision == "float32"
    if top:
        kernel = rank_top
    else:
        from ltrlib.metrics.whole_list import rank_all

        kernel = rank_all
    bad = kernel(
        scores,
        documents.offsets,
        documents.tie_keys(ties),
        single,
        offsets,
        np.empty(room),
        np.empty(room, dtype=np.int64),
        order,
    )
    if bad >= 0:
        query = int(np.searchsorted(documents.offsets, bad, side="right")) - 1
        raise UsageError(f"the score of document {bad} (query {query}, both counted from 0) is not a number")
    groups = None
    if averaged:
        ranked = scores[order]
        if single:
            with np.errstate(over="ignore"):
                ranked = ranked.astype(np.float32)
        starts = np.ones(order.size, dtype=bool)
        starts[1:] = ranked[1:] != ranked[:-1]
        starts[documents.offsets[:-1][documents.sizes > 0]] = True
        groups = np.cumsum(starts) - 1
    return Ranking(documents.codes[order], offsets, groups)
