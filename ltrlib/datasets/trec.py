"""TREC files, qrels and runs, read at the speed of splitting lines into a few bytes per document.

``query iteration document label`` and ``query Q0 document rank score tag``: parted by blanks, in any order of lines. As
in trec_eval, lines that begin with ``#`` are comments, and what stands behind the tag of a run is ignored. Everything
else that does not fit is refused with file and line. A name that ends in ``.json`` holds queries, documents and numbers
as pytrec_eval and ranx keep them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.json_files import is_json, read_json_values
from ltrlib.datasets.lines import LONGEST_ID, Lines, read_lines, shown
from ltrlib.errors import DataFormatError

__all__ = ["TrecTable", "read_qrels_table", "read_run_table"]

_QRELS = ("query", "iteration", "document", "label")
_RUN = ("query", "Q0", "document", "rank", "score", "tag")
_LARGEST = 2**31 - 1
_MARK = b"\x01"
_MARKED_END = b" \x01 "


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


def read_qrels_table(path: str | PathLike[str]) -> TrecTable:
    r"""Read judgments.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "qrels")
    ...     _ = file.write_text("7 0 doc1 2\n# a comment\n7 0 doc2 -1\n")
    ...     read_qrels_table(file).as_dict()
    {'7': {'doc1': 2, 'doc2': -1}}
    """
    if is_json(path):
        return _of_json(read_json_values(path, "label"), np.int64)
    return _Reader(_QRELS, 3, 4, "q", int, _check_label).read(path)


def read_run_table(path: str | PathLike[str]) -> TrecTable:
    r"""Read a run; its rank column is not used, because tools order by score.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "run")
    ...     _ = file.write_text("7 Q0 doc1 1 0.5 tag and more\n")
    ...     read_run_table(file).as_dict()
    {'7': {'doc1': 0.5}}
    """
    if is_json(path):
        return _of_json(read_json_values(path, "score"), np.float64)
    return _Reader(_RUN, 4, 5, "d", float, _check_score).read(path)


def _of_json(content: dict[str, dict[str, float]], kind: type[np.int64] | type[np.float64]) -> TrecTable:
    queries = {query.encode(errors="surrogatepass"): place for place, query in enumerate(content)}
    documents = ["\n".join(ids).encode(errors="surrogatepass") for ids in content.values()]
    offsets = np.concatenate([[0], np.cumsum([len(ids) for ids in content.values()])]).astype(np.int64)
    values: Any = np.array([value for ids in content.values() for value in ids.values()], dtype=kind)
    return TrecTable(queries, documents, offsets, values)


def _check_label(token: bytes) -> str | None:
    try:
        label = int(token)
    except ValueError:
        return f"the label {shown(token)} is not a whole number"
    if b"_" in token:
        return f"the label {shown(token)} is not a whole number"
    return None if abs(label) <= _LARGEST else f"the label {shown(token)} is too large"


def _check_score(token: bytes) -> str | None:
    try:
        score = float(token)
    except ValueError:
        return f"{shown(token)} is not a score"
    if b"_" in token:
        return f"{shown(token)} is not a score"
    return "the score is NaN, which has no place in an order" if score != score else None


def _end_of_run(queries: list[bytes], begin: int) -> int:
    """Where the next query begins: found by steps that double, each checked by one count."""
    query, end, step = queries[begin], begin + 1, 1
    while end < len(queries) and queries[end] == query:
        further = min(end + step, len(queries))
        if queries[end:further].count(query) < further - end:
            step = 1  # a step too far: go on by small ones
            further = end + 1
        end, step = further, 2 * step
    return end


class _Reader:
    """Blocks of lines, taken apart by the functions of Python that run in C; only a bad block is looked at closely."""

    def __init__(
        self,
        columns: tuple[str, ...],
        value_column: int,
        splits: int,
        code: str,
        convert: Callable[[bytes], float],
        check: Callable[[bytes], str | None],
    ) -> None:
        self._columns = columns
        self._value_column = value_column
        self._splits = splits
        self._convert = convert
        self._check = check
        self._values: Any = array(code)
        self._queries: dict[bytes, int] = {}
        # Neighbouring lines of one query: the query, how many, their documents.
        self._run_queries = array("q")
        self._run_sizes = array("q")
        self._run_documents: list[bytes] = []
        # Where blocks begin: the row, and the number of each line that is a row.
        self._blocks: list[tuple[int, int, NDArray[np.int64] | None]] = []
        # Documents of the query that is being read, and whether one came twice so far.
        self._seen: set[bytes] = set()
        self._twice = False

    def read(self, path: str | PathLike[str]) -> TrecTable:
        name = str(path)
        for block in read_lines(path):
            name = block.name
            self._add(block)
        if not self._queries:
            raise DataFormatError("the file is empty", where=name)
        return self._table(name)

    def _add(self, block: Lines) -> None:
        columns, places = self._columns_of(block)
        if not columns:
            return
        queries, documents, values = columns
        try:
            numbers: Any = array(self._values.typecode, map(self._convert, values))
        except (ValueError, OverflowError):
            self._refuse_value(block, values, places)
            raise
        if (b"_" in block.text and b"_" in b" ".join(values)) or not self._in_range(numbers):
            self._refuse_value(block, values, places)
        if max(map(len, documents)) > LONGEST_ID:
            self._refuse_id(block, documents, places)
        self._blocks.append((len(self._values), block.first, places))
        self._values.extend(numbers)
        begin = 0
        while begin < len(queries):
            end = _end_of_run(queries, begin)
            query, ids = queries[begin], documents[begin:end]
            if len(query) > LONGEST_ID:
                self._refuse_id(block, queries, places)
            place = self._queries.setdefault(query, len(self._queries))
            if not self._run_queries or place != self._run_queries[-1]:
                self._seen = set()
            self._run_queries.append(place)
            self._run_sizes.append(end - begin)
            self._run_documents.append(b"\n".join(ids))
            before = len(self._seen)
            self._seen.update(ids)
            self._twice |= len(self._seen) < before + len(ids)
            begin = end

    def _columns_of(self, block: Lines) -> tuple[list[list[bytes]], NDArray[np.int64] | None]:
        """Queries, documents and values, and the lines where they stand if these are not all."""
        width = len(self._columns)
        wanted = (0, 2, self._value_column)
        # All columns of all lines by one call, with a mark behind each line: it tells whether every line has as many
        # as it should. A list of the columns of each line would take twice the time.
        tokens = (block.text.replace(b"\n", _MARKED_END) + _MARKED_END).split()
        if len(tokens) == (width + 1) * block.count and tokens[width :: width + 1].count(_MARK) == block.count:
            columns = [tokens[column :: width + 1] for column in wanted]
            if b"#" not in block.text or not any(query.startswith(b"#") for query in columns[0]):
                return columns, None
        rows, places = [], []
        for place, line in enumerate(block.lines):
            # Run: whatever follows the tag stays in one piece. Qrels: a fifth column makes the row too long.
            row = line.split(None, self._splits)
            if not row or row[0].startswith(b"#"):
                continue
            if len(row) != width:
                block.refuse(place, f"{len(line.split())} columns", f"write {' '.join(self._columns)}")
            rows.append(row)
            places.append(place)
        return [[row[column] for row in rows] for column in wanted] if rows else [], np.array(places, dtype=np.int64)

    def _in_range(self, numbers: Any) -> bool:
        if numbers.typecode == "q":
            return bool(min(numbers) >= -_LARGEST and max(numbers) <= _LARGEST)
        return not bool(np.isnan(np.frombuffer(numbers)).any())

    def _refuse_value(self, block: Lines, values: list[bytes], places: NDArray[np.int64] | None) -> None:
        for row, value in enumerate(values):
            if (problem := self._check(value)) is not None:
                block.refuse(row if places is None else int(places[row]), problem)

    def _refuse_id(self, block: Lines, names: list[bytes], places: NDArray[np.int64] | None) -> None:
        for row, name in enumerate(names):
            if len(name) > LONGEST_ID:
                what = f"the id {shown(name)} has more than {LONGEST_ID:,} bytes"
                block.refuse(row if places is None else int(places[row]), what)

    def _table(self, name: str) -> TrecTable:
        sizes, queries = np.frombuffer(self._run_sizes, np.int64), np.frombuffer(self._run_queries, np.int64)
        values: Any = np.frombuffer(self._values, np.float64 if self._values.typecode == "d" else np.int64)
        order = None
        if queries.size and (np.diff(queries) < 0).any():
            # Lines of a query stand apart: bring them together, each query's in the order of the file.
            order = np.argsort(np.repeat(queries, sizes), kind="stable")
            values = values[order]
        together: list[list[bytes]] = [[] for _ in self._queries]
        for place, documents in zip(self._run_queries, self._run_documents, strict=True):
            together[place].append(documents)
        self._run_documents = []
        joined = [parts[0] if len(parts) == 1 else b"\n".join(parts) for parts in together]
        counts = np.bincount(queries, weights=sizes, minlength=len(self._queries)).astype(np.int64)
        table = TrecTable(self._queries, joined, np.concatenate([[0], np.cumsum(counts)]), values)
        for query in range(len(joined)) if self._twice or order is not None else ():
            ids = table.ids(query)
            if len(set(ids)) < len(ids):
                self._refuse_twice(table, query, ids, order, name)
        return table

    def _refuse_twice(
        self, table: TrecTable, query: int, ids: list[bytes], order: NDArray[np.int64] | None, name: str
    ) -> None:
        seen: set[bytes] = set()
        for place, document in enumerate(ids):
            if document in seen:
                row = int(table.offsets[query]) + place
                line = self._line(row if order is None else int(order[row]))
                of_query = shown(list(table.queries)[query])[1:-1]
                what = f"document {shown(document)[1:-1]} of query {of_query} stands here twice"
                raise DataFormatError(what, where=f"{name}:{line}")
            seen.add(document)

    def _line(self, row: int) -> int:
        for begin, first, places in reversed(self._blocks):
            if begin <= row:
                return first + (row - begin if places is None else int(places[row - begin]))
        raise AssertionError("the row comes before the first block")
