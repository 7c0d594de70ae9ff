"""Parsed blocks put together: columns that grow, and the checks that need to know the whole file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ltrlib.datasets.letor.columns import Column, GrowingMatrix
from ltrlib.errors import DataFormatError

if TYPE_CHECKING:
    from ltrlib.datasets.letor.blocks import Block

__all__ = ["Assembly"]

C = TypeVar("C", bound=Column)
_ZEROS = np.zeros(1 << 16, np.int64)


class Assembly(Generic[C]):
    """Rows of one file, block by block.

    Parameters
    ----------
    make_column
        Makes the column for a name and a type, in memory or in a file.

    Examples
    --------
    >>> from ltrlib.datasets.letor.columns import MemoryColumn
    >>> Assembly(lambda name, dtype: MemoryColumn(dtype)).n_rows
    0
    """

    def __init__(self, make_column: Callable[[str, DTypeLike], C]) -> None:
        self._make_column = make_column
        self.features = make_column("features", np.float32)
        self.labels = make_column("labels", np.int32)
        self.comment_blob: C | None = None
        self.comment_offsets: C | None = None
        self._matrix = GrowingMatrix(self.features, 0)
        self._highest = 0
        self._lines = 0
        self._query_starts: list[int] = []
        self._query_lines: dict[str, int] = {}
        self._last_query = ""

    @property
    def n_rows(self) -> int:
        """Number of rows so far."""
        return self.labels.size

    @property
    def query_offsets(self) -> NDArray[np.int64]:
        """Where each query starts, and where the last one ends."""
        return np.array([*self._query_starts, self.n_rows], np.int64)

    @property
    def query_ids(self) -> NDArray[np.str_]:
        """The id of each query."""
        return np.array(list(self._query_lines), np.str_)

    def add(self, block: Block, name: str) -> None:
        """Put a block's rows behind the rows so far; raise when the block or its place is wrong.

        Parameters
        ----------
        block
            The parsed rows.
        name
            Name of the file, for messages.
        """
        self._add_queries(block, name)
        if block.problem:
            line = self._lines + block.problem.lines_before + 1
            raise DataFormatError(block.problem.what, where=f"{name}:{line}", cure=block.problem.cure)
        if block.features.shape[1] > self._matrix.width:
            self._matrix.widen(block.features.shape[1])
        self._add_comments(block)
        self._matrix.append(block.features)
        self.labels.append(block.labels)
        self._highest = max(self._highest, block.highest)
        self._lines += block.lines

    def fit_columns(self, n_features: int | None) -> tuple[int, int]:
        """Bring the rows to their final length, the highest feature index unless given; return the shape."""
        self._matrix.narrow(self._highest if n_features is None else n_features)
        return self._matrix.shape

    def _add_queries(self, block: Block, name: str) -> None:
        for row, query, lines_before in block.queries:
            if block.problem and lines_before > block.problem.lines_before:
                return
            if query == self._last_query:
                continue  # it goes on from the block before
            line = self._lines + lines_before + 1
            if query in self._query_lines:
                first = self._query_lines[query]
                raise DataFormatError(
                    f"query {query!r} began in line {first} and was followed by others: its rows must stand together",
                    where=f"{name}:{line}",
                    cure="sort the rows by query",
                )
            self._query_lines[query] = line
            self._query_starts.append(self.n_rows + row)
            self._last_query = query

    def _add_comments(self, block: Block) -> None:
        if self.comment_blob is None or self.comment_offsets is None:
            if not len(block.comments):
                return
            self.comment_blob = self._make_column("comment_blob", np.uint8)
            self.comment_offsets = self._make_column("comment_offsets", np.int64)
            # The rows so far have none, so their comments begin and end at 0.
            for start in range(0, self.n_rows + 1, len(_ZEROS)):
                self.comment_offsets.append(_ZEROS[: self.n_rows + 1 - start])
        self.comment_offsets.append(block.comment_ends + self.comment_blob.size)
        self.comment_blob.append(block.comments)
