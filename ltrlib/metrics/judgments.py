"""The label side of an evaluation: what could have been found, counted once and used for any number of rankings."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics.convention import Discount, Gain, Ideal, Ties, discounts, gain_table
from ltrlib.metrics.ids import IdOrder
from ltrlib.metrics.kernels import discounted_sums, ideal_order

__all__ = ["Documents", "cut", "first_ranks"]

_DIRECT_CODES = 256  # labels below this index the tables of gains; larger ones are numbered first


class Documents:
    """Labels of the ranked documents, query by query, and what is derived from them.

    Parameters
    ----------
    labels
        Whole numbers, 0 or more.
    query_offsets
        Where each query starts, and the end.
    doc_ids
        Document ids, for the tie rules that ask for them; without ids, the rows are taken to be in ascending order.
    judged
        Labels and query offsets of all judged documents, where these are not just the ranked ones.
    unjudged
        For each ranked document 0 if it was judged, 1 if not, 2 if it was in the pool but not judged; the label of an
        unjudged one must be 0.

    Examples
    --------
    >>> documents = Documents([2, 0, 1], [0, 2, 3])
    >>> documents.sizes, documents.grades
    (array([2, 1]), array([0, 1, 2]))
    """

    def __init__(
        self,
        labels: ArrayLike,
        query_offsets: ArrayLike,
        *,
        doc_ids: ArrayLike | IdOrder | None = None,
        judged: tuple[ArrayLike, ArrayLike] | None = None,
        unjudged: ArrayLike | None = None,
    ) -> None:
        own, top = _labels(labels)
        self.offsets = _offsets(query_offsets, own.size)
        pool, self._judged_offsets = own, self.offsets
        if judged is not None:
            pool, top_judged = _labels(judged[0])
            top = max(top, top_judged)
            self._judged_offsets = _offsets(judged[1], pool.size)
            if self._judged_offsets.size != self.offsets.size:
                raise UsageError(
                    f"{self._judged_offsets.size - 1} queries are judged, but {self.offsets.size - 1} are ranked"
                )
        self.grades: NDArray[np.int64] = np.arange(top + 1)
        self.codes, self._judged_codes = own, pool
        if top >= _DIRECT_CODES:
            self.grades = np.unique(np.concatenate([own, pool, np.zeros(1, np.int32)])).astype(np.int64)
            self.codes = np.searchsorted(self.grades, own).astype(np.int32)
            self._judged_codes = np.searchsorted(self.grades, pool).astype(np.int32)
        self.pooled: NDArray[np.bool_] = np.zeros(self.grades.size, dtype=np.bool_)
        self.judged: NDArray[np.bool_] = ~self.pooled
        if unjudged is not None:
            self._tell_apart(np.asarray(unjudged), own)
        self._doc_ids: NDArray[Any] | IdOrder | None = doc_ids if isinstance(doc_ids, IdOrder) else None
        if doc_ids is not None and self._doc_ids is None:
            self._doc_ids = np.asarray(doc_ids)
        if self._doc_ids is not None and self._doc_ids.size != own.size:
            raise UsageError(f"{self._doc_ids.size} document ids, but {own.size} labels", cure="give one per document")
        self._ideal_sums: dict[tuple[Gain, Discount, Ideal, tuple[int, ...]], NDArray[np.float64]] = {}
        self._counts: dict[tuple[bytes, Ideal], NDArray[np.float64]] = {}
        self._visits: dict[Ties, NDArray[np.int64]] = {}

    def _tell_apart(self, unjudged: NDArray[np.integer], labels: NDArray[np.int32]) -> None:
        """Give the unjudged two grades of their own in front of the others, both worth 0."""
        if unjudged.shape != labels.shape or ((unjudged != 0) & (labels != 0)).any():
            raise UsageError("unjudged must be given once per document, and their labels must be 0")
        self._judged_codes = self._judged_codes + np.int32(2)
        self.codes = np.where(unjudged == 0, self.codes + 2, unjudged.astype(np.int32) - 1).astype(np.int32)
        self.grades = np.concatenate([[0, 0], self.grades])
        self.pooled = np.arange(self.grades.size) == 1
        self.judged = np.arange(self.grades.size) > 1

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Number of ranked documents per query."""
        return np.diff(self.offsets)

    def pool(self, ideal: Ideal) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Label codes and query offsets of the documents that could have been found."""
        return (self._judged_codes, self._judged_offsets) if ideal == "judged" else (self.codes, self.offsets)

    def count(self, wanted: NDArray[np.bool_], ideal: Ideal = "list") -> NDArray[np.float64]:
        """Count each query's documents with a wanted label, given as one truth value per grade."""
        key = (wanted.tobytes(), ideal)
        if key not in self._counts:
            codes, offsets = self.pool(ideal)
            counts = np.empty((offsets.size - 1, 1))
            everything = np.array([cut(None)])
            discounted_sums(wanted.astype(np.float64), codes, offsets, np.ones(_longest(offsets)), everything, counts)
            self._counts[key] = counts[:, 0]
        return self._counts[key]

    def ideal_sums(
        self, gain: Gain, discount: Discount, ideal: Ideal, cutoffs: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """DCG of the best possible order, per query and cut-off."""
        key = (gain, discount, ideal, tuple(cutoffs.tolist()))
        if key not in self._ideal_sums:
            gains = gain_table(gain, self.grades)
            codes, offsets = self.ideal_codes(gains, ideal, int(cutoffs[-1]))
            sums = np.empty((offsets.size - 1, cutoffs.size))
            discounted_sums(gains, codes, offsets, discounts(discount, _longest(offsets)), cutoffs, sums)
            self._ideal_sums[key] = sums
        return self._ideal_sums[key]

    def ideal_codes(
        self, gains: NDArray[np.float64], ideal: Ideal, depth: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Label codes in the best possible order, cut at ``depth``, with the query offsets."""
        codes, offsets = self.pool(ideal)
        ideal_offsets = first_ranks(np.diff(offsets), depth)
        ordered = np.empty(ideal_offsets[-1], dtype=np.int32)
        by_gain = np.argsort(-gains, kind="stable")
        ideal_order(codes, offsets, by_gain, ideal_offsets, np.zeros(gains.size, dtype=np.int64), ordered)
        return ordered, ideal_offsets

    def visits(self, ties: Ties) -> NDArray[np.int64]:
        """Each query's documents in the order in which equal scores are ranked; empty for file order."""
        if ties not in self._visits:
            self._visits[ties] = self._make_visits(ties)
        return self._visits[ties]

    def _make_visits(self, ties: Ties) -> NDArray[np.int64]:
        if ties == "last" or (ties == "docid" and self._doc_ids is None):
            return self._backwards()
        if ties in ("docid", "docid-ascending") and self._doc_ids is not None:
            if isinstance(self._doc_ids, IdOrder):
                return self._doc_ids.sorted(descending=ties == "docid")
            keys = np.unique(self._doc_ids, return_inverse=True)[1]
            sign = -1 if ties == "docid" else 1
        elif ties in ("best", "worst"):
            keys = self.grades[self.codes]
            sign = -1 if ties == "best" else 1
        else:
            return np.empty(0, dtype=np.int64)
        return np.lexsort((sign * keys, np.repeat(np.arange(self.sizes.size), self.sizes)))

    def _backwards(self) -> NDArray[np.int64]:
        first_and_last = self.offsets[:-1] + self.offsets[1:] - 1
        backwards: NDArray[np.int64] = np.repeat(first_and_last, self.sizes) - np.arange(self.codes.size)
        return backwards


def _longest(offsets: NDArray[np.int64]) -> int:
    return int(np.diff(offsets).max(initial=0))


def first_ranks(sizes: NDArray[np.int64], depth: int) -> NDArray[np.int64]:
    """Query offsets of lists that are cut at ``depth``.

    Examples
    --------
    >>> first_ranks(np.array([3, 20, 5]), 10)
    array([ 0,  3, 13, 18])
    """
    offsets = np.zeros(sizes.size + 1, dtype=np.int64)
    np.cumsum(np.minimum(sizes, depth), out=offsets[1:])
    return offsets


def cut(k: int | None) -> int:
    """Cut-off as a number: without one, more than any list has documents.

    Examples
    --------
    >>> cut(10), cut(None) > 10**18
    (10, True)
    """
    return 2**62 if k is None else k


def _labels(labels: ArrayLike) -> tuple[NDArray[np.int32], int]:
    """Check labels; return them and the largest."""
    given = np.asarray(labels)
    if given.ndim != 1:
        raise UsageError(f"labels have {given.ndim} dimensions, where one is wanted")
    # An empty list has no type of its own.
    if given.dtype.kind not in "iub" and given.size:
        whole = given.dtype.kind == "f" and np.array_equal(given, np.floor(given))
        if not whole:
            raise UsageError(f"labels are of type {given.dtype}", cure="give whole numbers: 0, 1, 2, …")
    low, top = (given.min(), given.max()) if given.size else (0, 0)
    if low < 0 or top > np.iinfo(np.int32).max:
        where = int(np.argmax((given < 0) | (given > np.iinfo(np.int32).max)))
        raise UsageError(f"label {given[where]} of document {where} is negative or too large", cure="give 0 or more")
    return np.ascontiguousarray(given, dtype=np.int32), int(top)


def _offsets(query_offsets: ArrayLike, n_docs: int) -> NDArray[np.int64]:
    offsets = np.ascontiguousarray(query_offsets, dtype=np.int64)
    if (
        offsets.ndim != 1
        or not offsets.size
        or offsets[0] != 0
        or offsets[-1] != n_docs
        or (np.diff(offsets) < 0).any()
    ):
        raise UsageError(
            f"query offsets must rise from 0 to the number of documents, {n_docs}",
            cure="give where each query starts, and the end: [0, 3, 5] for queries of 3 and 2 documents",
        )
    return offsets
