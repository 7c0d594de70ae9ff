"""Document ids, kept as bytes and put in order only where a tie rule asks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["IdOrder", "LongListIds"]

_LONG = 64  # documents per query from which sorting the scores of a query finds ties sooner than a set of them


class IdOrder:
    r"""The order of each query's document ids.

    Only the order of documents with equal scores matters to a tie rule, so queries without any are left as they are.
    Equal means equal in float32: what is equal in float64 is then equal too.

    Parameters
    ----------
    documents
        Per query, its document ids, parted by line feeds.
    offsets
        Where each query starts, and the end.
    scores
        One per document.

    Examples
    --------
    >>> order = IdOrder([b"b\na", b"z\ny"], np.array([0, 2, 4]), np.array([1.0, 1.0, 2.0, 1.0]))
    >>> order.sorted(), order.sorted(descending=True), order.texts()
    (array([1, 0, 2, 3]), array([0, 1, 2, 3]), ['b', 'a', 'z', 'y'])
    """

    def __init__(
        self, documents: Sequence[bytes], offsets: NDArray[np.int64], scores: NDArray[np.float64] | None = None
    ) -> None:
        self._documents = documents
        self._offsets = offsets
        self._scores = scores

    @property
    def size(self) -> int:
        """Number of documents."""
        return int(self._offsets[-1])

    def sorted(self, *, descending: bool = False) -> NDArray[np.int64]:
        """Documents of each query by id, where it matters; equal ids stay in their order."""
        order = np.arange(self.size)
        if self._scores is not None:
            with np.errstate(over="ignore"):
                single = self._scores.astype(np.float32)
        for query, (begin, end) in enumerate(zip(self._offsets[:-1].tolist(), self._offsets[1:].tolist(), strict=True)):
            if self._scores is not None and len(set(single[begin:end].tolist())) == end - begin:
                continue
            ids = self._documents[query].split(b"\n")
            found = sorted(range(end - begin), key=ids.__getitem__, reverse=descending)
            order[begin:end] = begin + np.array(found, dtype=np.int64)
        return order

    def texts(self) -> list[str]:
        """Ids as text."""
        sizes = np.diff(self._offsets).tolist()
        parts = zip(self._documents, sizes, strict=True)
        return [name.decode(errors="backslashreplace") for ids, size in parts if size for name in ids.split(b"\n")]


class LongListIds(IdOrder):
    r"""The same order, found sooner where lists are long: as most TREC runs are.

    Examples
    --------
    >>> ids = b"\n".join(b"%d" % number for number in range(100, 200))
    >>> scores = np.where(np.arange(100) == 7, 0.5, 1 / np.arange(1, 101))
    >>> LongListIds([ids], np.array([0, 100]), scores).sorted(descending=True)[:3]
    array([99, 98, 97])
    """

    def sorted(self, *, descending: bool = False) -> NDArray[np.int64]:
        """Documents of each query by id, where it matters; equal ids stay in their order."""
        if self._scores is None or self.size < _LONG * len(self._documents):
            return super().sorted(descending=descending)
        order = np.arange(self.size)
        with np.errstate(over="ignore"):
            single = self._scores.astype(np.float32)
        for query, (begin, end) in enumerate(zip(self._offsets[:-1].tolist(), self._offsets[1:].tolist(), strict=True)):
            ranked = np.sort(single[begin:end])
            if (ranked[1:] == ranked[:-1]).any():
                alone = IdOrder([self._documents[query]], np.array([0, end - begin]))
                order[begin:end] = begin + alone.sorted(descending=descending)
        return order
