"""What a TREC file holds, in a few bytes per document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["TrecTable", "text"]


class TrecTable:
    r"""Documents with a label or a score, query by query, in the order of their first lines.

    Parameters
    ----------
    queries
        Place of each query's id.
    documents
        Per query, its document ids, parted by line feeds.
    offsets
        Where the values of each query start, and the end.
    values
        Labels or scores.

    Examples
    --------
    >>> table = TrecTable({b"7": 0}, [b"a\nb"], np.array([0, 2]), np.array([1, 0]))
    >>> table.as_dict()
    {'7': {'a': 1, 'b': 0}}
    """

    def __init__(
        self,
        queries: dict[bytes, int],
        documents: list[bytes],
        offsets: NDArray[np.int64],
        values: NDArray[np.int64] | NDArray[np.float64],
    ) -> None:
        self.queries = queries
        self.documents = documents
        self.offsets = offsets
        self.values = values

    def ids(self, query: int) -> list[bytes]:
        """Document ids of one query."""
        return self.documents[query].split(b"\n") if self.offsets[query] < self.offsets[query + 1] else []

    def of(self, query: int) -> NDArray[np.int64] | NDArray[np.float64]:
        """Values of one query."""
        return self.values[self.offsets[query] : self.offsets[query + 1]]

    def only(self, queries: Sequence[bytes]) -> TrecTable:
        r"""Some of the queries, in the order that is given.

        Examples
        --------
        >>> TrecTable({b"7": 0, b"8": 1}, [b"a\nb", b"c"], np.array([0, 2, 3]), np.array([1, 0, 2])).only([b"8"]).values
        array([2])
        """
        places = [self.queries[query] for query in queries]
        values: Any = np.concatenate([self.of(place) for place in places] or [self.values[:0]])
        sizes = np.diff(self.offsets)[places] if places else np.zeros(0, np.int64)
        documents = [self.documents[place] for place in places]
        names = {query: place for place, query in enumerate(queries)}
        return TrecTable(names, documents, np.concatenate([[0], np.cumsum(sizes)]), values)

    def as_dict(self) -> dict[str, dict[str, float]]:
        """Values by query and document."""
        return {
            text(query): dict(zip(map(text, self.ids(place)), self.of(place).tolist(), strict=True))
            for query, place in self.queries.items()
        }


def text(name: bytes) -> str:
    r"""Id as text; bytes that are not UTF-8 are written as escapes, so that different ids stay different.

    Examples
    --------
    >>> print(text(b"q\xff"))
    q\xff
    """
    return name.decode(errors="backslashreplace")
