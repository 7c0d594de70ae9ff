"""Read and write the LETOR / SVM-light ranking format: ``label qid:Q index:value … #comment``.

What a file may hold:

- text in UTF-8, lines ending in LF or CR LF, the last one also in nothing; a byte order mark in front is skipped;
- blank lines and lines with nothing but a comment, which stand for no document;
- tokens parted by spaces or tabs: an integer label (32 bits, negative ones too), ``qid:`` with any text of up to 256
  bytes, and features in any order with indices from 1 to 100,000; what a line leaves out is 0, even if that is all;
- decimal numbers like ``-1.5e-3``; each becomes the float32 nearest to the double nearest to it;
- behind ``#`` a comment, kept as it is, without the ``#``; an empty one is none.

The rows of a query stand together. Everything else is a :class:`~ltrlib.errors.DataFormatError` that names file and
line; no line is left out silently. Plain, gzip, xz, bzip2, zip and tar files are read directly.

Reading needs memory for the arrays that it returns and about 20 MB of buffers; :func:`convert_letor` needs only the
latter.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import ExitStack, closing
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ltrlib.atomic import new_folder
from ltrlib.datasets.array_folder import open_array_folder, save_array, seal_array_folder
from ltrlib.datasets.checksum import file_sha256
from ltrlib.datasets.container import RankingData, Source, TextColumn
from ltrlib.datasets.letor.columns import Assembly, C, FileColumn, MemoryColumn
from ltrlib.datasets.letor.limits import MAX_FEATURES
from ltrlib.datasets.letor.streams import open_stream
from ltrlib.datasets.letor.writer import write_letor
from ltrlib.errors import DataFormatError, UsageError
from ltrlib.progress import progress

__all__ = ["convert_letor", "read_letor", "read_with_query_sizes", "write_letor"]

_SIZE = re.compile(rb"0*[1-9][0-9]{0,17}")


def read_letor(
    path: str | PathLike[str],
    *,
    n_features: int | None = None,
    member: str | None = None,
    name: str | None = None,
    keep_comments: bool = True,
    threads: int | None = None,
) -> RankingData:
    r"""Read a file into memory.

    Parameters
    ----------
    path
        The file; compressed or an archive is fine.
    n_features
        Number of features; a higher index is then an error. By default the highest index found.
    member
        Which file of an archive, when it holds several: its name, or the end of its name from a ``/`` on.
    name
        Name of the data for messages and pages; by default the path.
    keep_comments
        Whether to keep the text behind ``#``, which holds the document ids.
    threads
        How many blocks of text to parse at a time; by default one for each processor, at most 8.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "train.txt")
    ...     _ = path.write_text("2 qid:10 1:0.5 3:1 #docid = D1\n0 qid:10 2:0.25 #docid = D2\n")
    ...     data = read_letor(path, name="example")
    >>> data
    <RankingData example: 2 documents, 1 queries, 3 features>
    >>> data.features
    array([[0.5 , 0.  , 1.  ],
           [0.  , 0.25, 0.  ]], dtype=float32)
    """
    rows = _read_rows(_memory_column, path, member, n_features, keep_comments, threads)
    return _in_memory(rows, n_features, rows.query_offsets, rows.query_ids, Source(name or os.fspath(path)))


def read_with_query_sizes(
    path: str | PathLike[str],
    query_path: str | PathLike[str],
    *,
    n_features: int | None = None,
    name: str | None = None,
) -> RankingData:
    r"""Read a file without ``qid``, whose queries a second file tells: the number of rows of each, one per line.

    LightGBM's ranking example has this layout. The queries are called ``1``, ``2``, …

    Parameters
    ----------
    path
        The file with the rows, otherwise in the LETOR format.
    query_path
        The file with the sizes.
    n_features
        Number of features; by default the highest index found.
    name
        Name of the data for messages and pages; by default the path.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rows, sizes = Path(folder, "rank.train"), Path(folder, "rank.train.query")
    ...     _ = rows.write_text("0 1:1\n1 2:1\n0 1:3\n"), sizes.write_text("2\n1\n")
    ...     data = read_with_query_sizes(rows, sizes, name="example")
    >>> data.query_sizes, data.query_ids
    (array([2, 1]), array(['1', '2'], dtype='<U1'))
    """
    sizes = _read_sizes(Path(query_path))
    rows = _read_rows(_memory_column, path, None, n_features, keep_comments=True, threads=None, with_qid=False)
    if sum(sizes) != rows.n_rows:
        what = f"the sizes add up to {sum(sizes):,}, but {os.fspath(path)} has {rows.n_rows:,} rows"
        raise DataFormatError(what, where=os.fspath(query_path))
    offsets = np.cumsum([0, *sizes], dtype=np.int64)
    ids = np.array([str(number + 1) for number in range(len(sizes))])
    return _in_memory(rows, n_features, offsets, ids, Source(name or os.fspath(path), sha256=file_sha256(path)))


def convert_letor(
    path: str | PathLike[str],
    folder: str | PathLike[str],
    *,
    n_features: int | None = None,
    member: str | None = None,
    name: str | None = None,
    keep_comments: bool = True,
    threads: int | None = None,
) -> RankingData:
    r"""Convert a file of any size to a folder of arrays, and open these as memory maps.

    The memory needed does not depend on the number of rows, only the ids of the queries are kept;
    :func:`~ltrlib.datasets.array_folder.open_array_folder` opens the folder again.

    Parameters
    ----------
    path
        The file.
    folder
        Where the arrays go; must not exist. It appears when all is written, and never after an error.
    n_features, member, name, keep_comments, threads
        As for :func:`read_letor`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     path = Path(place, "train.txt")
    ...     _ = path.write_text("2 qid:10 1:0.5\n0 qid:10 2:0.25\n")
    ...     convert_letor(path, Path(place, "train.arrays"), name="example")
    <RankingData example: 2 documents, 1 queries, 2 features>
    """
    folder = Path(folder)
    with new_folder(folder) as unfinished:
        source = Source(name or os.fspath(path), sha256=file_sha256(path))
        convert_into(unfinished, path, n_features, member, keep_comments, threads, source)
    return open_array_folder(folder)


def convert_into(
    folder: Path,
    path: str | PathLike[str],
    n_features: int | None,
    member: str | None,
    keep_comments: bool,
    threads: int | None,
    source: Source,
) -> None:
    """Convert a file to arrays in an empty folder; :func:`convert_letor` adds care for what is left after an error."""
    with ExitStack() as open_files:

        def file_column(column: str, dtype: DTypeLike) -> FileColumn:
            file = FileColumn(folder / f"{column}.npy", dtype)
            open_files.callback(file.close)
            return file

        rows = _read_rows(file_column, path, member, n_features, keep_comments, threads)
        rows.features.finish(rows.fit_columns(n_features))
        for column in (rows.labels, rows.comment_blob, rows.comment_offsets):
            if column is not None:
                column.finish((column.size,))
    save_array(folder, "query_offsets", rows.query_offsets)
    save_array(folder, "query_ids", rows.query_ids)
    seal_array_folder(folder, source)


def _memory_column(_: str, dtype: DTypeLike) -> MemoryColumn:
    return MemoryColumn(dtype)


def _read_rows(
    make_column: Callable[[str, DTypeLike], C],
    path: str | PathLike[str],
    member: str | None,
    n_features: int | None,
    keep_comments: bool,
    threads: int | None,
    with_qid: bool = True,
) -> Assembly[C]:
    from ltrlib.datasets.letor.blocks import LineFormat, parsed_blocks

    if n_features is not None and not 0 < n_features <= MAX_FEATURES:
        raise UsageError(f"n_features must lie between 1 and {MAX_FEATURES:,}, got {n_features}")
    if threads is not None and threads < 1:
        raise UsageError(f"threads must be at least 1, got {threads}")
    try:
        rows = Assembly(make_column)
        with open_stream(path, member) as stream:
            line_format = LineFormat(with_qid, keep_comments, n_features)
            with (
                progress(total=stream.size, what=f"reading {Path(path).name}", unit="B") as bar,
                closing(parsed_blocks(stream, line_format, threads)) as blocks,
            ):
                for block in blocks:
                    rows.add(block, stream.name)
                    bar.update(stream.position - bar.n)
            if not rows.n_rows:
                raise DataFormatError("the file holds no rows", where=stream.name)
    except MemoryError:
        cure = "use convert_letor or open_cached, which keep the rows on disk"
        raise UsageError("the rows do not fit into memory", where=os.fspath(path), cure=cure) from None
    return rows


def _in_memory(
    rows: Assembly[MemoryColumn],
    n_features: int | None,
    query_offsets: NDArray[np.int64],
    query_ids: NDArray[np.str_],
    source: Source,
) -> RankingData:
    comments = None
    if rows.comment_blob is not None and rows.comment_offsets is not None:
        comments = TextColumn(rows.comment_blob.finish(), rows.comment_offsets.finish())
    features = rows.features.finish(rows.fit_columns(n_features))
    return RankingData(features, rows.labels.finish(), query_offsets, query_ids, comments, source)


def _read_sizes(path: Path) -> list[int]:
    content = bytearray()
    buffer = bytearray(1 << 20)
    with open_stream(path) as stream:
        while count := stream.fill(memoryview(buffer)):
            content += buffer[:count]
    sizes = []
    for number, line in enumerate(content.splitlines(), 1):
        if not _SIZE.fullmatch(line.strip()):
            raise DataFormatError("not the size of a query, a positive integer", where=f"{path}:{number}")
        sizes.append(int(line))
    return sizes
