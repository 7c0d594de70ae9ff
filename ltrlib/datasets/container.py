"""The one container for ranking data, which everything downstream takes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.errors import UsageError
from ltrlib.records.source import Source

__all__ = ["RankingData", "Source", "TextColumn", "concatenate"]

_DOC_ID = re.compile(r"\bdocid\s*=\s*(\S+)")


@dataclass(frozen=True, eq=False)
class TextColumn:
    """One text per row, held as UTF-8 bytes in one block, so that it can be a memory map too.

    Parameters
    ----------
    blob
        The bytes of all texts, one behind the other.
    offsets
        Where each text starts; one more entry than there are texts.

    Examples
    --------
    >>> column = TextColumn.from_strings(["docid = 7", ""])
    >>> len(column), column[0], list(column)
    (2, 'docid = 7', ['docid = 7', ''])
    """

    blob: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    def __post_init__(self) -> None:
        _check_array("blob", self.blob, np.uint8, 1)
        _check_array("offsets", self.offsets, np.int64, 1)
        _check_offsets("offsets", self.offsets, len(self.blob), strictly=False)

    @classmethod
    def from_strings(cls, texts: Iterable[str]) -> Self:
        """Pack texts into a column.

        Examples
        --------
        >>> TextColumn.from_strings("ab").offsets
        array([0, 1, 2])
        """
        encoded = [text.encode() for text in texts]
        offsets = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(text) for text in encoded], out=offsets[1:])
        return cls(np.frombuffer(b"".join(encoded), np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> str:
        if not -len(self) <= row < len(self):
            raise IndexError(row)
        row %= len(self)
        return self.blob[self.offsets[row] : self.offsets[row + 1]].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        text = self.blob.tobytes()
        bounds = self.offsets.tolist()
        return (text[start:stop].decode() for start, stop in pairwise(bounds))

    def take(self, rows: NDArray[np.int64]) -> TextColumn:
        """Return the texts of some rows, in that order.

        Examples
        --------
        >>> list(TextColumn.from_strings("abc").take(np.array([2, 0])))
        ['c', 'a']
        """
        places, offsets = _spans(self.offsets, rows)
        return TextColumn(self.blob[places], offsets)


@dataclass(frozen=True, eq=False)
class RankingData:
    """Documents of queries with features and labels; the rows of a query stand together.

    Construction checks types, shapes, boundaries and that each query has its own id and at least one row. It
    does not look at the features themselves, which may be a memory map larger than memory; the readers of
    :mod:`ltrlib.datasets.letor` let only finite ones in.

    Parameters
    ----------
    features
        One row per document, ``(n_docs, n_features)``, C order; may be a read-only memory map.
    labels
        Relevance per document; larger is better, negative means not judged in some sets.
    query_offsets
        Where each query's rows start, ``(n_queries + 1,)``, from 0 to ``n_docs``.
    query_ids
        The id of each query.
    comments
        The text behind ``#`` per document, or None when there is none at all.
    source
        Where the data came from.

    Examples
    --------
    >>> data = RankingData(
    ...     features=np.zeros((3, 2), np.float32),
    ...     labels=np.array([0, 2, 1], np.int32),
    ...     query_offsets=np.array([0, 2, 3]),
    ...     query_ids=np.array(["a", "b"]),
    ...     comments=TextColumn.from_strings(["docid = D1", "docid = D2", "docid = D3"]),
    ...     source=Source("example"),
    ... )
    >>> data
    <RankingData example: 3 documents, 2 queries, 2 features>
    >>> data.doc_ids
    array(['D1', 'D2', 'D3'], dtype='<U2')
    """

    features: NDArray[np.float32]
    labels: NDArray[np.int32]
    query_offsets: NDArray[np.int64]
    query_ids: NDArray[np.str_]
    comments: TextColumn | None
    source: Source

    def __post_init__(self) -> None:
        _check_array("features", self.features, np.float32, 2)
        _check_array("labels", self.labels, np.int32, 1)
        _check_array("query_offsets", self.query_offsets, np.int64, 1)
        _check_array("query_ids", self.query_ids, np.str_, 1)
        _check_offsets("query_offsets", self.query_offsets, len(self.features), strictly=True)
        for name, wanted in (("labels", self.n_docs), ("query_ids", self.n_queries), ("comments", self.n_docs)):
            column: Any = getattr(self, name)
            if column is not None and len(column) != wanted:
                raise UsageError(f"{len(column)} entries where {wanted} are needed", where=f"RankingData.{name}")
        if repeated := _first_repeated(self.query_ids):
            raise UsageError(f"query id {repeated!r} stands for two queries", where="RankingData.query_ids")

    def __repr__(self) -> str:
        counts = f"{self.n_docs:,} documents, {self.n_queries:,} queries, {self.n_features:,} features"
        return f"<RankingData {self.source}: {counts}>"

    @property
    def n_docs(self) -> int:
        """Number of documents."""
        return len(self.features)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.features.shape[1])

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.query_offsets) - 1

    @property
    def query_sizes(self) -> NDArray[np.int64]:
        """Number of documents of each query."""
        return np.diff(self.query_offsets)

    @cached_property
    def doc_ids(self) -> NDArray[np.str_] | None:
        """The ``docid = …`` of each document's comment; None unless every document has one."""
        if self.comments is None or not len(self.comments):
            return None
        found = [_DOC_ID.search(comment) for comment in self.comments]
        return np.array([match[1] for match in found if match]) if all(found) else None

    def select_queries(self, indices: ArrayLike | slice) -> RankingData:
        """Return some queries, in the given order; neighbours come as views, without a copy.

        Parameters
        ----------
        indices
            Positions, a boolean mask over the queries, or a slice.

        Examples
        --------
        >>> data = RankingData(np.eye(3, dtype=np.float32), np.array([0, 2, 1], np.int32), np.array([0, 2, 3]),
        ...                    np.array(["a", "b"]), None, Source("example"))
        >>> data.select_queries([1, 0]).labels
        array([1, 0, 2], dtype=int32)
        """
        queries = self._positions(indices)
        rows: Any
        if len(queries) and np.all(np.diff(queries) == 1):
            bounds = self.query_offsets[queries[0] : queries[-1] + 2]
            rows, offsets = slice(int(bounds[0]), int(bounds[-1])), bounds - bounds[0]
            comments = None if self.comments is None else TextColumn(*_slice_text(self.comments, rows))
        else:
            rows, offsets = _spans(self.query_offsets, queries)
            comments = None if self.comments is None else self.comments.take(rows)
        return RankingData(
            self.features[rows], self.labels[rows], offsets, self.query_ids[queries], comments, self.source
        )

    def _positions(self, indices: ArrayLike | slice) -> NDArray[np.int64]:
        everything = np.arange(self.n_queries)
        try:
            chosen = indices if isinstance(indices, slice) else np.asarray(indices)
            if not isinstance(chosen, slice) and not chosen.size:
                return everything[:0]
            return np.atleast_1d(everything[chosen])
        except IndexError as error:
            raise UsageError(f"no such queries: {error}", where="select_queries") from None

    def with_features(self, features: NDArray[np.float32]) -> RankingData:
        """Return the same documents with other features.

        Examples
        --------
        >>> data = RankingData(np.eye(2, dtype=np.float32), np.zeros(2, np.int32), np.array([0, 2]),
        ...                    np.array(["a"]), None, Source("example"))
        >>> data.with_features(np.zeros((2, 5), np.float32)).n_features
        5
        """
        return replace(self, features=features)

    def with_labels(self, labels: NDArray[np.int32]) -> RankingData:
        """Return the same documents with other labels.

        Examples
        --------
        >>> data = RankingData(np.eye(2, dtype=np.float32), np.zeros(2, np.int32), np.array([0, 2]),
        ...                    np.array(["a"]), None, Source("example"))
        >>> data.with_labels(data.labels + np.int32(1)).labels
        array([1, 1], dtype=int32)
        """
        return replace(self, labels=labels)


def concatenate(parts: Sequence[RankingData]) -> RankingData:
    """Put the queries of several parts into one container, such as training and validation part.

    The parts need the same number of features and different query ids. The source's name, part and digest
    tell of all parts: a digest is made from the parts' digests.

    Examples
    --------
    >>> data = RankingData(np.eye(3, dtype=np.float32), np.array([0, 2, 1], np.int32), np.array([0, 2, 3]),
    ...                    np.array(["a", "b"]), None, Source("example"))
    >>> concatenate([data.select_queries([1]), data.select_queries([0])]).query_ids
    array(['b', 'a'], dtype='<U1')
    """
    if not parts:
        raise UsageError("nothing to concatenate", where="concatenate")
    widths = sorted({part.n_features for part in parts})
    if len(widths) > 1:
        raise UsageError(f"the parts have different numbers of features: {widths}", where="concatenate")
    offsets = np.concatenate([[0], np.cumsum(np.concatenate([part.query_sizes for part in parts]))])
    comments = None
    if any(part.comments is not None for part in parts):
        columns = [
            TextColumn.from_strings([""] * part.n_docs) if part.comments is None else part.comments for part in parts
        ]
        lengths = np.concatenate([np.diff(column.offsets) for column in columns])
        blob = np.concatenate([column.blob for column in columns])
        comments = TextColumn(blob, np.concatenate([[0], np.cumsum(lengths)]))
    return RankingData(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.labels for part in parts]),
        offsets,
        np.concatenate([part.query_ids for part in parts]),
        comments,
        _joint_source([part.source for part in parts]),
    )


def _joint_source(sources: Sequence[Source]) -> Source:
    distinct = list(dict.fromkeys(sources))
    if len(distinct) == 1:
        return distinct[0]
    digests = [source.sha256 for source in distinct]
    known = [digest for digest in digests if digest is not None]
    return Source(
        name="+".join(dict.fromkeys(source.name for source in distinct)),
        part="+".join(dict.fromkeys(source.part for source in distinct if source.part)),
        sha256=hashlib.sha256("".join(known).encode()).hexdigest() if len(known) == len(digests) else None,
        standin=any(source.standin for source in distinct),
    )


def _check_array(name: str, array: Any, kind: type[np.generic], dimensions: int) -> None:
    if not isinstance(array, np.ndarray) or not np.issubdtype(array.dtype, kind) or array.ndim != dimensions:
        described = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise UsageError(f"need a {dimensions}-dimensional {kind.__name__} array, got {described}", where=name)
    if not array.dtype.isnative:
        raise UsageError("the bytes of the numbers are in the order of another machine", where=name)
    if not array.flags.c_contiguous:
        raise UsageError("the array is not in C order", where=name, cure="pass it through np.ascontiguousarray")


def _check_offsets(name: str, offsets: NDArray[np.int64], end: int, *, strictly: bool) -> None:
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != end:
        raise UsageError(f"offsets must run from 0 to {end}", where=name)
    if np.any(np.diff(offsets) < int(strictly)):
        raise UsageError(f"offsets must {'strictly increase' if strictly else 'not decrease'}", where=name)


def _first_repeated(ids: NDArray[np.str_]) -> str | None:
    seen: set[str] = set()
    values: list[str] = ids.tolist()
    if len(set(values)) == len(values):
        return None
    return next(value for value in values if value in seen or seen.add(value))  # type: ignore[func-returns-value]


def _spans(offsets: NDArray[np.int64], chosen: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Places of everything inside the chosen intervals, one interval behind the other, and the new offsets."""
    starts, sizes = offsets[chosen], offsets[chosen + 1] - offsets[chosen]
    bounds = np.zeros(len(chosen) + 1, np.int64)
    np.cumsum(sizes, out=bounds[1:])
    return np.arange(bounds[-1]) + np.repeat(starts - bounds[:-1], sizes), bounds


def _slice_text(column: TextColumn, rows: slice) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    bounds = column.offsets[rows.start : rows.stop + 1]
    return column.blob[bounds[0] : bounds[-1]], bounds - bounds[0]
