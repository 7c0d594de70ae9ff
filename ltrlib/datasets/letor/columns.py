"""Arrays whose length is known only at the end: in memory, or in ``.npy`` files for data larger than memory.

Both kinds grow in place, so filling one never needs room for a second copy.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ltrlib.errors import DataFormatError

if TYPE_CHECKING:
    from ltrlib.datasets.letor.blocks import Block

__all__ = ["Assembly", "Column", "FileColumn", "GrowingMatrix", "MemoryColumn"]

_FIRST_BYTES = 1 << 16

_OWN_MAPPING_FROM = 1 << 20

_MOVED_AT_ONCE = 1 << 20

_NPY_HEADER = 128


class Column(Protocol):
    """A flat array that grows at its end."""

    size: int

    def append(self, values: NDArray[Any]) -> None:
        """Put values behind the last one."""

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Return a copy of some values."""

    def write(self, start: int, values: NDArray[Any]) -> None:
        """Put values to a place, which may lie behind the end."""

    def truncate(self, size: int) -> None:
        """Forget the values behind the first ``size``."""


class MemoryColumn:
    """A column in memory.

    It lives in an anonymous mapping, which the system enlarges by moving page tables instead of bytes, and in huge
    pages, which cost a quarter of the time when they are first touched.

    Examples
    --------
    >>> column = MemoryColumn(np.int64)
    >>> column.append(np.array([3, 4]))
    >>> column.finish()
    array([3, 4])
    """

    def __init__(self, dtype: DTypeLike) -> None:
        self.size = 0
        self._dtype = np.dtype(dtype)
        self._memory = _mapping(_FIRST_BYTES)
        self._array = np.frombuffer(self._memory, self._dtype)

    def append(self, values: NDArray[Any]) -> None:
        """Put values behind the last one."""
        self.write(self.size, values)

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Return a copy of some values."""
        return self._array[start:stop].copy()

    def write(self, start: int, values: NDArray[Any]) -> None:
        """Put values to a place, which may lie behind the end."""
        stop = start + len(values)
        if stop > len(self._array):
            self._resize(max(stop, len(self._array) * 3 // 2))
        self._array[start:stop] = values
        self.size = max(self.size, stop)

    def truncate(self, size: int) -> None:
        """Forget the values behind the first ``size``."""
        self.size = size

    def finish(self, shape: Sequence[int] = (-1,)) -> NDArray[Any]:
        """Give back the memory that is not needed, and the array."""
        if self.size * self._dtype.itemsize < _OWN_MAPPING_FROM:
            return self._array[: self.size].reshape(shape).copy()
        self._resize(self.size)
        return self._array.reshape(shape)

    def _resize(self, length: int) -> None:
        # The mapping can move, so nothing may point into it meanwhile.
        used = min(self.size, length) * self._dtype.itemsize
        bytes_needed = length * self._dtype.itemsize
        del self._array
        try:
            self._memory.resize(bytes_needed)
        except (SystemError, BufferError):
            # This system cannot enlarge a mapping in place, or somebody still looks into it: a profiler that samples
            # this thread keeps what the sampled frame held. A copy has to do.
            larger = _mapping(bytes_needed)
            larger[:used] = memoryview(self._memory)[:used]
            self._memory = larger
        except OSError as error:
            raise MemoryError(error.strerror) from None
        self._array = np.frombuffer(self._memory, self._dtype, length)


def _mapping(size: int) -> mmap.mmap:
    try:
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise MemoryError(error.strerror) from None
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


class FileColumn:
    """A column in an ``.npy`` file, whose header is written at the end.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     column = FileColumn(Path(folder, "x.npy"), np.int64)
    ...     column.append(np.array([3, 4]))
    ...     column.finish((2,))
    ...     np.load(Path(folder, "x.npy"))
    array([3, 4])
    """

    def __init__(self, path: Path, dtype: DTypeLike) -> None:
        self.size = 0
        self._dtype = np.dtype(dtype)
        self._file = path.open("w+b")

    def append(self, values: NDArray[Any]) -> None:
        """Put values behind the last one."""
        self.write(self.size, values)

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Return a copy of some values."""
        self._seek(start)
        return np.frombuffer(self._file.read((stop - start) * self._dtype.itemsize), self._dtype)

    def write(self, start: int, values: NDArray[Any]) -> None:
        """Put values to a place, which may lie behind the end."""
        self._seek(start)
        self._file.write(np.ascontiguousarray(values, self._dtype).data.cast("B"))
        self.size = max(self.size, start + len(values))

    def truncate(self, size: int) -> None:
        """Forget the values behind the first ``size``."""
        self.size = size

    def finish(self, shape: Sequence[int]) -> None:
        """Write the header and make sure that the disk has everything."""
        self._file.truncate(_NPY_HEADER + self.size * self._dtype.itemsize)
        self._file.seek(0)
        header = {"descr": self._dtype.str, "fortran_order": False, "shape": tuple(shape)}
        np.lib.format.write_array_header_1_0(self._file, header)
        # NumPy pads each header so that its shape has room to grow: all are equally long.
        assert self._file.tell() == _NPY_HEADER
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def close(self) -> None:
        """Close the file, finished or not."""
        # After a failed write, such as on a full disk, closing fails as well; the first failure is told already.
        with suppress(OSError):
            self._file.close()

    def _seek(self, start: int) -> None:
        self._file.seek(_NPY_HEADER + start * self._dtype.itemsize)


class GrowingMatrix:
    """Rows of one length in a flat column; when a longer row comes, all rows are widened in place with zeros.

    Parameters
    ----------
    column
        What holds the values.
    width
        Number of columns to start with.

    Examples
    --------
    >>> matrix = GrowingMatrix(MemoryColumn(np.float32), width=1)
    >>> matrix.append(np.array([[1.0]], np.float32))
    >>> matrix.widen(2)
    >>> matrix.append(np.array([[2.0, 3.0]], np.float32))
    >>> matrix.column.finish(matrix.shape)
    array([[1., 0.],
           [2., 3.]], dtype=float32)
    """

    def __init__(self, column: Column, width: int) -> None:
        self.column = column
        self.width = width
        self.rows = 0

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.width

    def append(self, rows: NDArray[np.float32]) -> None:
        """Put rows, which may be shorter than the matrix is wide, behind the last one."""
        if rows.shape[1] < self.width:
            rows = np.pad(rows, ((0, 0), (0, self.width - rows.shape[1])))
        self.column.append(rows.reshape(-1))
        self.rows += len(rows)

    def widen(self, width: int) -> None:
        """Add columns of zeros on the right."""
        old, self.width = self.width, width
        # From the last row backwards: each row moves to the right, over places that have been read already.
        for start in reversed(range(0, self.rows, self._step(width))):
            stop = min(start + self._step(width), self.rows)
            rows = self.column.read(start * old, stop * old).reshape(stop - start, old)
            self.column.write(start * width, np.pad(rows, ((0, 0), (0, width - old))).reshape(-1))

    def narrow(self, width: int) -> None:
        """Drop columns on the right."""
        old, self.width = self.width, width
        if old == width:
            return
        for start in range(0, self.rows, self._step(old)):
            stop = min(start + self._step(old), self.rows)
            rows = self.column.read(start * old, stop * old).reshape(stop - start, old)
            self.column.write(start * width, rows[:, :width].reshape(-1))
        self.column.truncate(self.rows * width)

    @staticmethod
    def _step(width: int) -> int:
        return max(1, _MOVED_AT_ONCE // max(1, width))


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
