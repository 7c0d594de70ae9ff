"""Tables with a row per document: CSV, TSV, JSON, Parquet, and CatBoost's data with its column description."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath

from ltrlib.datasets.json_files import check_number, is_json, read_json_columns
from ltrlib.datasets.lines import read_lines, shown
from ltrlib.errors import DataFormatError, UsageError

__all__ = ["DEFAULT_COLUMNS", "DocumentTable", "find_column", "is_table", "read_catboost", "read_table"]

DEFAULT_COLUMNS: dict[str, tuple[str, ...]] = {
    "qid": ("qid", "query_id", "queryid", "q_id", "query", "group_id", "groupid", "group"),
    "label": ("label", "relevance", "rel", "y", "target", "grade"),
    "score": ("score", "prediction", "pred", "y_pred", "y_score"),
    "doc_id": ("doc_id", "docid", "docno", "document", "doc"),
}
"""Names under which each column is looked for; capitals do not matter."""

_KIND = re.compile(r"\.(csv|tsv|parquet)(\.(gz|xz|bz2|zst|zip))?$", re.IGNORECASE)
_WHOLE = re.compile(r"[+-]?[0-9]+(\.0*)?")


@dataclass(frozen=True, eq=False)
class DocumentTable:
    """Columns of a table; the score and the document id may be missing.

    Examples
    --------
    >>> DocumentTable("x.csv", ["a"], [1], [0.5], None).labels
    [1]
    """

    name: str
    query_ids: Sequence[object]
    labels: Sequence[object]
    scores: Sequence[object] | None
    doc_ids: Sequence[object] | None


def is_table(path: str | PathLike[str]) -> bool:
    """Whether the name of a file says that it holds a table.

    Examples
    --------
    >>> is_table("x.csv.gz"), is_table("x.txt")
    (True, False)
    """
    return _KIND.search(fspath(path)) is not None or is_json(path)


def find_column(
    column: str, known: Sequence[str], chosen: Mapping[str, str], where: str, *, wanted: bool = True
) -> str | None:
    """Name of a column in a table: as chosen, or the first default that is there.

    Examples
    --------
    >>> find_column("qid", ["Query_ID", "label"], {}, "x.csv")
    'Query_ID'
    """
    if column in chosen:
        if chosen[column] not in known:
            raise UsageError(f"there is no column {chosen[column]!r}", where=where, cure=_has(known))
        return chosen[column]
    by_name = {name.lower(): name for name in reversed(known)}
    found = next((by_name[name] for name in DEFAULT_COLUMNS[column] if name in by_name), None)
    if found is None and wanted:
        cure = f"name it: {column}=NAME; {_has(known)}"
        raise UsageError(f"no column looks like the {column}", where=where, cure=cure)
    return found


def _has(known: Sequence[str]) -> str:
    return f"the table has {', '.join(map(str, known[:20]))}{', …' if len(known) > 20 else ''}"


def read_table(path: str | PathLike[str], columns: Mapping[str, str] | None = None) -> DocumentTable:
    r"""Read CSV, TSV or Parquet with a header, or JSON with names.

    Parameters
    ----------
    path
        The file; its ending tells the kind.
    columns
        Names of the columns ``qid``, ``label``, ``score``, ``doc_id``, where the defaults do not find them.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "x.csv")
    ...     _ = file.write_text("query_id,label,pred\na,1,0.5\n")
    ...     table = read_table(file)
    >>> table.query_ids, table.labels, table.scores
    (['a'], [1], [0.5])
    """
    if is_json(path):
        return _read_json(path, columns or {})
    kind = _KIND.search(fspath(path))
    if kind is not None and kind[1].lower() == "parquet":
        return _read_parquet(path, columns or {})
    return _read_text(path, "\t" if kind is not None and kind[1].lower() == "tsv" else ",", columns or {})


def read_catboost(path: str | PathLike[str], description: str | PathLike[str]) -> DocumentTable:
    r"""Read CatBoost's data: columns without names, whose meaning a column description tells.

    Parameters
    ----------
    path
        The rows, parted by tabs.
    description
        Lines of column number (from 0), type and name: ``Label``, ``GroupId`` and ``DocId`` (or ``SampleId``) are used.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     data, cd = pathlib.Path(folder, "x.tsv"), pathlib.Path(folder, "x.cd")
    ...     _ = data.write_text("1\tq\t0.5\n"), cd.write_text("0\tLabel\n1\tGroupId\n")
    ...     read_catboost(data, cd).query_ids
    ['q']
    """
    roles: dict[str, int] = {}
    for block in read_lines(description):
        for place, line in enumerate(block.lines):
            row = line.decode(errors="replace").rstrip("\r").split("\t")
            if not line.strip():
                continue
            if len(row) < 2 or not row[0].strip().isdigit():
                block.refuse(place, "not a column number and a type, parted by a tab")
            roles[row[1].strip().lower()] = int(row[0])
    label = roles.get("label", roles.get("target", 0))
    group = roles.get("groupid", roles.get("queryid"))
    if group is None:
        raise DataFormatError("no column is the GroupId", where=fspath(description), cure="add a line: 1<tab>GroupId")
    document = roles.get("docid", roles.get("sampleid"))
    return _collect(path, "\t", [group, label, None, document], has_header=False)


def _read_text(path: str | PathLike[str], delimiter: str, columns: Mapping[str, str]) -> DocumentTable:
    header = next(_rows(path, delimiter), None)
    if header is None:
        raise DataFormatError("the file is empty", where=fspath(path))
    names = [name.strip() for name in header[1]]
    found = [
        find_column(column, names, columns, fspath(path), wanted=column in ("qid", "label"))
        for column in ("qid", "label", "score", "doc_id")
    ]
    places = [None if name is None else names.index(name) for name in found]
    return _collect(path, delimiter, places, has_header=True)


def _collect(
    path: str | PathLike[str], delimiter: str, places: Sequence[int | None], *, has_header: bool
) -> DocumentTable:
    collected: list[list[object]] = [[], [], [], []]
    needed = max(place for place in places if place is not None)
    rows = _rows(path, delimiter)
    width = len(next(rows, ("", []))[1]) if has_header else None
    for where, row in rows:
        if not row:
            continue
        if len(row) <= needed or (width is not None and len(row) != width):
            raise DataFormatError(f"{len(row)} columns", where=where, cure=f"write {width or needed + 1}")
        for column, place in enumerate(places):
            if place is not None:
                collected[column].append(_CONVERT[column](row[place].strip(), where))
    if not collected[0]:
        raise DataFormatError("the table has no rows", where=fspath(path))
    queries, labels, scores, documents = (
        values if place is not None else None for values, place in zip(collected, places, strict=True)
    )
    assert queries is not None
    assert labels is not None
    return DocumentTable(fspath(path), queries, labels, scores, documents)


def _text(written: str, where: str) -> str:
    if not written:
        raise DataFormatError("the id is empty", where=where)
    return written


def _label(written: str, where: str) -> int:
    if not _WHOLE.fullmatch(written):
        what = f"the label {shown(written.encode())} is not a whole number"
        cure = "give grades: 0, 1, 2, …; for real-valued labels there is ltrlib.metrics.training.array_metric in Python"
        raise DataFormatError(what, where=where, cure=cure)
    label = int(written.partition(".")[0]) if len(written) < 20 else 2**40
    if label < 0:
        raise DataFormatError(f"negative label {written}", where=where, cure="give labels from 0 up")
    if label > 2**31 - 1:
        raise DataFormatError(f"the label {shown(written.encode())} is too large", where=where)
    return label


def _score(written: str, where: str) -> float:
    try:
        score = float(written) if written.isascii() and "_" not in written else None
    except ValueError:
        score = None
    if score is None:
        raise DataFormatError(f"{shown(written.encode())} is not a score", where=where, cure="write a number")
    if score != score:
        raise DataFormatError("the score is NaN, which has no place in an order", where=where)
    return score


_CONVERT = (_text, _label, _score, _text)


def _rows(path: str | PathLike[str], delimiter: str) -> Iterator[tuple[str, list[str]]]:
    """Rows with file and line."""
    line = 0
    name = fspath(path)

    def lines() -> Iterator[str]:
        nonlocal line, name
        for block in read_lines(path):
            name = block.name
            for content in block.lines:
                line += 1
                yield content.decode(errors="backslashreplace").rstrip("\r") + "\n"

    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise DataFormatError(f"the line cannot be read ({error})", where=f"{name}:{line}") from None
        yield f"{name}:{line}", row


def _read_json(path: str | PathLike[str], columns: Mapping[str, str]) -> DocumentTable:
    values, places = read_json_columns(path)
    if not places:
        raise DataFormatError("the table has no rows", where=fspath(path))
    found = {
        column: find_column(column, list(values), columns, fspath(path), wanted=column in ("qid", "label"))
        for column in DEFAULT_COLUMNS
    }
    taken = {column: None if name is None else values[name] for column, name in found.items()}
    for column, given in taken.items():
        for value, where in zip(given or [], places, strict=False):
            if column in ("label", "score"):
                check_number(value, column, where)
                if column == "label" and value < 0:
                    raise DataFormatError(f"negative label {value}", where=where, cure="give labels from 0 up")
            elif not isinstance(value, str | int) or isinstance(value, bool) or value == "":
                raise DataFormatError(f"the {column} {value!r:.60} is neither a text nor a whole number", where=where)
    queries, labels = taken["qid"] or [], [int(label) for label in taken["label"] or []]
    return DocumentTable(fspath(path), [str(query) for query in queries], labels, taken["score"], taken["doc_id"])


def _read_parquet(path: str | PathLike[str], columns: Mapping[str, str]) -> DocumentTable:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        cure = "install pyarrow, or write the table as CSV"
        raise UsageError(
            "reading Parquet needs pyarrow, which is not installed", where=fspath(path), cure=cure
        ) from None
    try:
        names = parquet.read_schema(path).names
        found = {
            column: find_column(column, names, columns, fspath(path), wanted=column in ("qid", "label"))
            for column in DEFAULT_COLUMNS
        }
        table = parquet.read_table(path, columns=[name for name in found.values() if name is not None])
    except ArrowException as error:
        raise DataFormatError(f"not a Parquet table ({error})", where=fspath(path)) from None
    taken = {column: None if name is None else table[name].to_pylist() for column, name in found.items()}
    for column, values in taken.items():
        if values is not None and None in values:
            raise DataFormatError(f"row {values.index(None) + 1} has no {column}", where=fspath(path))
    return DocumentTable(fspath(path), taken["qid"] or [], taken["label"] or [], taken["score"], taken["doc_id"])
