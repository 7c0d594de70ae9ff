"""What evaluation needs of a LETOR file: label, query and document id of each row, without the features.

Features are not read: skipping them costs a little time and no memory. Labels are whole numbers from 0 up, also written
as ``1.0``.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.letor.limits import MAX_QID
from ltrlib.datasets.lines import Lines, end_of_stretch, read_lines, shown
from ltrlib.errors import DataFormatError

__all__ = ["IdMissingError", "Outline", "read_outline", "read_outlines", "read_query_sizes"]

_LAYOUT = "write each line as: label qid:QUERY index:value … #comment"
_NO_QID = f"{_LAYOUT}; or give the query sizes in a file of their own (--query-sizes)"
_DOC_ID = re.compile(rb"\bdocid\s*=\s*(\S+)")
_LARGEST = 2**31 - 1
_HEAD = 96  # bytes of a line in which label and query usually stand


class IdMissingError(Exception):
    """A row has no document id, but rows that were given already had one."""


@dataclass(frozen=True, eq=False)
class Outline:
    """Rows of a file, query by query.

    Parameters
    ----------
    labels
        One per row.
    query_offsets
        Where each query starts, and the end.
    query_ids
        One per query.
    documents
        Per query, the ids of its documents, parted by line feeds; None unless every row has one.

    Examples
    --------
    >>> Outline(np.array([1]), np.array([0, 1]), ["q"], None).n_docs
    1
    """

    labels: NDArray[np.int32]
    query_offsets: NDArray[np.int64]
    query_ids: list[str]
    documents: list[bytes] | None

    @property
    def n_docs(self) -> int:
        """Number of rows."""
        return int(self.labels.size)


def read_outline(
    path: str | PathLike[str], *, query_sizes: str | PathLike[str] | None = None, with_ids: bool = True
) -> Outline:
    r"""Read labels, queries and document ids.

    Parameters
    ----------
    path
        The file; compressed is fine, and ``-`` is standard input.
    query_sizes
        File with the number of rows of each query, one per line, for rows without ``qid``: LightGBM's ``.query`` and
        XGBoost's group files are such.
    with_ids
        Whether to look for ``docid = …`` behind ``#``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "test.txt")
    ...     _ = file.write_text("2 qid:10 1:0.5 #docid = D1\n0 qid:10 2:1 #docid = D2\n1 qid:11\n")
    ...     outline = read_outline(file)
    >>> outline.labels, outline.query_ids, outline.query_offsets
    (array([2, 0, 1], dtype=int32), ['10', '11'], array([0, 2, 3]))
    """
    if query_sizes is None:
        (outline,) = read_outlines(path, with_ids=with_ids)
        return outline
    rows = _Rows(with_qid=False, with_ids=False)
    for block in read_lines(path):
        rows.add(block)
    if not rows.labels:
        raise DataFormatError("the file holds no rows", where=fspath(path))
    labels = np.array(rows.labels, np.int32)
    sizes = read_query_sizes(query_sizes)
    if sizes.sum() != labels.size:
        what = f"the sizes add up to {sizes.sum():,}, but {fspath(path)} has {labels.size:,} rows"
        raise DataFormatError(what, where=fspath(query_sizes))
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Outline(labels, offsets, [str(number) for number in range(1, sizes.size + 1)], None)


def read_outlines(path: str | PathLike[str], *, with_ids: bool = True, rows: int | None = None) -> Iterator[Outline]:
    r"""Read labels, queries and document ids some queries at a time, in memory that does not grow with the file.

    Parameters
    ----------
    path, with_ids
        As for :func:`read_outline`.
    rows
        About how many rows to take at a time, at least a whole query; all of them if not given.

    Raises
    ------
    IdMissingError
        When a row has no document id, but rows that were given already had one. Ids then tell nothing: read again
        without.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "test.txt")
    ...     _ = file.write_text("2 qid:10 1:0.5\n0 qid:10 2:1\n1 qid:11\n")
    ...     [outline.labels.tolist() for outline in read_outlines(file, rows=1)]
    [[2, 0], [1]]
    """
    found = _Rows(with_qid=True, with_ids=with_ids)
    name = fspath(path)
    for block in read_lines(path):
        name = block.name
        found.add(block)
        if rows is not None and len(found.labels) >= rows and len(found.starts) > 1:
            yield found.give(len(found.starts) - 1)
    if not found.labels:
        raise DataFormatError("the file holds no rows", where=name)
    yield found.give(len(found.starts))


def read_query_sizes(path: str | PathLike[str]) -> NDArray[np.int64]:
    r"""Read the number of rows of each query, one per line.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "rank.test.query")
    ...     _ = file.write_text("12\n19\n")
    ...     read_query_sizes(file)
    array([12, 19])
    """
    sizes: list[int] = []
    for block in read_lines(path):
        for place, line in enumerate(block.lines):
            token = line.strip()
            if not token and place == block.count - 1:
                continue
            if not (token.isdigit() and len(token) < 16 and int(token)):
                block.refuse(place, f"{shown(token)} is not the size of a query", "write a positive whole number")
            sizes.append(int(token))
    return np.array(sizes, dtype=np.int64)


class _Rows:
    """Rows read so far and not yet given away."""

    def __init__(self, *, with_qid: bool, with_ids: bool) -> None:
        self.labels: Any = array("i")
        self.starts: list[int] = []
        # The line in which each query begins, also of those that were given away.
        self._lines: dict[str, int] = {}
        self._names: list[str] = []
        self._with_qid = with_qid
        self._with_ids = with_ids and with_qid
        self._ids_given = False
        self._finished: list[bytes] = []
        self._ids: list[bytes] = []
        self._last = b""

    def give(self, queries: int) -> Outline:
        """Make an outline of the first queries, and forget them."""
        last = queries == len(self.starts)
        end = len(self.labels) if last else self.starts[queries]
        labels = np.array(self.labels[:end], np.int32)
        documents = None
        if self._with_ids:
            documents = [*self._finished, b"\n".join(self._ids)] if last else self._finished
            self._finished = []
            self._ids_given = True
        outline = Outline(labels, np.array([*self.starts[:queries], end], np.int64), self._names[:queries], documents)
        self.labels = self.labels[end:]
        self.starts = [start - end for start in self.starts[queries:]]
        del self._names[:queries]
        return outline

    def add(self, block: Lines) -> None:
        """Take the rows of some lines."""
        places: Sequence[int] = range(block.count)
        # The beginning of a line is enough: features are many and would be copied.
        rows = [line[:_HEAD].split(None, 2) for line in block.lines]
        labels, queries = [row[0] for row in rows if row], [row[1] for row in rows if len(row) > 2]
        if len(queries) < len(rows) or b"#" in b"".join(labels) or b"#" in b"".join(set(queries)):
            # Not all lines are rows of the usual kind.
            kept = [(place, line.split(b"#", 1)[0].split(None, 2)) for place, line in enumerate(block.lines)]
            places = [place for place, row in kept if row]
            labels = [row[0] for _, row in kept if row]
            queries = [row[1] if len(row) > 1 else b"" for _, row in kept if row]
        if not labels:
            return
        before = len(self.labels)
        self.labels.extend(self._labels(block, labels, places))
        if self._with_qid:
            self._queries(block, queries, places, before)

    def _labels(self, block: Lines, tokens: list[bytes], places: Sequence[int]) -> list[int]:
        try:
            labels = list(map(int, tokens))
            if min(labels) >= 0 and max(labels) <= _LARGEST and b"_" not in b"".join(tokens):
                return labels
        except ValueError:
            pass
        labels = []
        for place, token in zip(places, tokens, strict=True):
            try:
                label = float(token) if b"_" not in token else 0.5
            except ValueError:
                label = 0.5
            if not label.is_integer():
                block.refuse(place, f"the label {shown(token)} is not a whole number", _LAYOUT)
            if label < 0:
                block.refuse(place, f"negative label {shown(token)[1:-1]}", "give labels from 0 up")
            if label > _LARGEST:
                block.refuse(place, f"the label {shown(token)} is too large")
            labels.append(int(label))
        return labels

    def _queries(self, block: Lines, tokens: list[bytes], places: Sequence[int], before: int) -> None:
        begin = 0
        while begin < len(tokens):
            token, end = tokens[begin], end_of_stretch(tokens, begin)
            if not token.startswith(b"qid:"):
                found = shown(token) if token else "the line ends"
                block.refuse(places[begin], f"no qid behind the label: {found}", _NO_QID)
            if token != self._last:
                self._begin(block, places[begin], token[4:], before + begin)
                self._last = token
            if self._with_ids:
                self._add_ids(block.lines[place] for place in places[begin:end])
            begin = end

    def _add_ids(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            comment = line.find(b"#")
            found = _DOC_ID.search(line, comment) if comment >= 0 else None
            if found is None:
                if self._ids_given:
                    raise IdMissingError
                self._with_ids = False
                return
            self._ids.append(found[1])

    def _begin(self, block: Lines, place: int, qid: bytes, row: int) -> None:
        if not qid:
            block.refuse(place, "the qid is empty", _LAYOUT)
        if len(qid) > MAX_QID:
            block.refuse(place, f"the qid {shown(qid)} has more than {MAX_QID} bytes")
        try:
            query = qid.decode()
        except UnicodeDecodeError:
            block.refuse(place, f"the qid {shown(qid)} is not UTF-8 text")
        if query in self._lines:
            what = f"query {query!r} began in line {self._lines[query]} and was followed by others"
            block.refuse(place, f"{what}: its rows must stand together", "sort the rows by query")
        self._lines[query] = block.first + place
        self._names.append(query)
        if self.starts:
            self._finished.append(b"\n".join(self._ids))
            self._ids = []
        self.starts.append(row)
