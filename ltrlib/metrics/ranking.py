"""From scores to ranks: the order of each query's documents under a tie rule and a score precision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics.convention import Precision, Ties
from ltrlib.metrics.judgments import Documents, first_ranks
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
    >>> ranking = rank(documents, np.array([1.0, 1.0, 5.0]), ties="average", precision="float64", depth=2)
    >>> ranking.lookup(np.array([0.0, 1.0, 3.0]))
    (array([3. , 0.5, 0.5]), array([0, 1, 2], dtype=int32))
    """

    codes: NDArray[np.int32]
    offsets: NDArray[np.int64]
    tie_groups: NDArray[np.int64] | None

    @property
    def longest(self) -> int:
        """Number of ranks of the longest list."""
        return int(np.diff(self.offsets).max(initial=0))

    def lookup(self, table: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """Give a table and, per rank, the place in it.

        That is the table of label values itself and the codes. With averaged ties it is one entry per rank: the mean
        value of the rank's group.
        """
        if self.tie_groups is None:
            return table, self.codes
        sums = np.bincount(self.tie_groups, weights=table[self.codes])
        mean: NDArray[np.float64] = (sums / np.bincount(self.tie_groups))[self.tie_groups]
        return mean, np.arange(mean.size, dtype=np.int32)


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
    longest = int(documents.sizes.max(initial=0))
    offsets = first_ranks(documents.sizes, longest if averaged else depth)
    if depth <= _INSERTION_DEPTH and not averaged:
        kernel, room = rank_top, depth
    else:
        from ltrlib.metrics.whole_list import rank_all

        kernel, room = rank_all, 2 * longest
    ranked = np.empty(offsets[-1], dtype=np.int32)
    groups = np.empty(ranked.size if averaged else 0, dtype=np.int64)
    bad = kernel(
        scores,
        documents.codes,
        documents.offsets,
        documents.visits(ties),
        precision == "float32",
        offsets,
        np.empty(room),
        np.empty(room, dtype=np.int64),
        ranked,
        groups,
    )
    if bad >= 0:
        query = int(np.searchsorted(documents.offsets, bad, side="right")) - 1
        raise UsageError(f"the score of document {bad} (query {query}, both counted from 0) is not a number")
    return Ranking(ranked, offsets, groups if averaged else None)
