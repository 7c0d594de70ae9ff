"""What evaluation needs of a LETOR file: label, query and document id of each row, without the features.

Features are not read: skipping them costs a little time and no memory. Labels are whole numbers from 0 up, also written
as ``1.0``.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.letor.limits import MAX_QID
from ltrlib.datasets.lines import Lines, read_lines, shown
from ltrlib.errors import DataFormatError

__all__ = ["Outline", "read_outline", "read_query_sizes"]

_LAYOUT = "write each line as: label qid:QUERY index:value … #comment"
_NO_QID = f"{_LAYOUT}; or give the query sizes in a file of their own (--query-sizes)"
_DOC_ID = re.compile(rb"\bdocid\s*=\s*(\S+)")
_LARGEST = 2**31 - 1


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
    rows = _Rows(with_qid=query_sizes is None, with_ids=with_ids)
    name = fspath(path)
    for block in read_lines(path):
        name = block.name
        rows.add(block)
    if not rows.labels:
        raise DataFormatError("the file holds no rows", where=name)
    labels = np.frombuffer(rows.labels, np.int64).astype(np.int32)
    if query_sizes is None:
        return Outline(labels, np.array([*rows.starts, labels.size], np.int64), list(rows.lines), rows.documents())
    sizes = read_query_sizes(query_sizes)
    if sizes.sum() != labels.size:
        what = f"the sizes add up to {sizes.sum():,}, but {name} has {labels.size:,} rows"
        raise DataFormatError(what, where=fspath(query_sizes))
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Outline(labels, offsets, [str(number) for number in range(1, sizes.size + 1)], None)


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
    """Rows read so far."""

    def __init__(self, *, with_qid: bool, with_ids: bool) -> None:
        self.labels: Any = array("q")
        self.starts: list[int] = []
        self.lines: dict[str, int] = {}
        self._with_qid = with_qid
        self._with_ids = with_ids and with_qid
        self._finished: list[bytes] = []
        self._ids: list[bytes] = []
        self._last = b""

    def documents(self) -> list[bytes] | None:
        """Ids of each query's documents, if all have one."""
        return [*self._finished, b"\n".join(self._ids)] if self._with_ids else None

    def add(self, block: Lines) -> None:
        """Take the rows of some lines."""
        places = range(block.count)
        rows = [line.split(None, 2) for line in block.lines]
        if not all(rows) or b"#" in b"".join(row[0] for row in rows) or self._is_glued(rows):
            kept = [(place, line.split(b"#", 1)[0].split(None, 2)) for place, line in enumerate(block.lines)]
            rows = [row for _, row in kept if row]
            places = [place for place, row in kept if row]  # type: ignore[assignment]
        if not rows:
            return
        before = len(self.labels)
        self.labels.extend(self._labels(block, rows, places))
        if self._with_qid:
            self._queries(block, rows, places, before)

    def _is_glued(self, rows: list[list[bytes]]) -> bool:
        """Whether a comment follows a query id without a blank."""
        return self._with_qid and any(len(row) > 1 and b"#" in row[1] for row in rows)

    def _labels(self, block: Lines, rows: list[list[bytes]], places: Any) -> list[int]:
        try:
            labels = [int(row[0]) for row in rows]
            if min(labels) >= 0 and max(labels) <= _LARGEST and b"_" not in b"".join(row[0] for row in rows):
                return labels
        except ValueError:
            pass
        labels = []
        for place, row in zip(places, rows, strict=True):
            token = row[0]
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

    def _queries(self, block: Lines, rows: list[list[bytes]], places: Any, before: int) -> None:
        for number, (place, row) in enumerate(zip(places, rows, strict=True)):
            if len(row) < 2 or not row[1].startswith(b"qid:"):
                found = shown(row[1]) if len(row) > 1 else "the line ends"
                block.refuse(place, f"no qid behind the label: {found}", _NO_QID)
            if row[1] != self._last:
                self._begin(block, place, row[1][4:], before + number)
                self._last = row[1]
            if self._with_ids:
                line = block.lines[place]
                comment = line.find(b"#")
                found_id = _DOC_ID.search(line, comment) if comment >= 0 else None
                if found_id is None:
                    self._with_ids = False
                else:
                    self._ids.append(found_id[1])

    def _begin(self, block: Lines, place: int, qid: bytes, row: int) -> None:
        if not qid:
            block.refuse(place, "the qid is empty", _LAYOUT)
        if len(qid) > MAX_QID:
            block.refuse(place, f"the qid {shown(qid)} has more than {MAX_QID} bytes")
        try:
            query = qid.decode()
        except UnicodeDecodeError:
            block.refuse(place, f"the qid {shown(qid)} is not UTF-8 text")
        if query in self.lines:
            what = f"query {query!r} began in line {self.lines[query]} and was followed by others"
            block.refuse(place, f"{what}: its rows must stand together", "sort the rows by query")
        self.lines[query] = block.first + place
        if self.starts:
            self._finished.append(b"\n".join(self._ids))
            self._ids = []
        self.starts.append(row)
