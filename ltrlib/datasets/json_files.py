"""JSON as other tools write it: documents as records or columns, judgments and runs as a table of tables."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Any

from ltrlib.datasets.lines import LONGEST_ID, read_lines
from ltrlib.errors import DataFormatError

__all__ = ["check_number", "is_json", "read_json_columns", "read_json_values"]

_KIND = re.compile(r"\.(json|jsonl|ndjson)(\.(gz|xz|bz2|zst|zip))?$", re.IGNORECASE)
_LARGEST = 2**31 - 1


def is_json(path: str | PathLike[str]) -> bool:
    """Whether the name of a file says that it is JSON.

    Examples
    --------
    >>> is_json("x.json.gz"), is_json("x.jsonl"), is_json("x.csv")
    (True, True, False)
    """
    return _KIND.search(fspath(path)) is not None


def read_json_columns(path: str | PathLike[str]) -> tuple[dict[str, list[Any]], list[str]]:
    r"""Read documents: a list of records, a record per line (JSON Lines), or a list of values for each column.

    Returns
    -------
    tuple
        The columns, and where each row stands.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "x.jsonl")
    ...     _ = file.write_text('{"qid": "a", "label": 1}\n{"qid": "a", "label": 0}\n')
    ...     read_json_columns(file)[0]
    {'qid': ['a', 'a'], 'label': [1, 0]}
    """
    kind = _KIND.search(fspath(path))
    if kind is not None and kind[1].lower() != "json":
        return _of_lines(path)
    content = _load(_text(path), fspath(path))
    if isinstance(content, dict) and content and all(isinstance(values, list) for values in content.values()):
        sizes = {name: len(values) for name, values in content.items()}
        if len(set(sizes.values())) > 1:
            told = ", ".join(f"{name} has {size}" for name, size in list(sizes.items())[:6])
            raise DataFormatError(f"columns of different length: {told}", where=fspath(path))
        return content, [f"{fspath(path)}: row {row + 1}" for row in range(next(iter(sizes.values())))]
    if not isinstance(content, list):
        cure = 'write a list of records, [{"qid": "a", "label": 1, "score": 0.5}, …], or a list for each column'
        raise DataFormatError("neither a list of records nor a table of columns", where=fspath(path), cure=cure)
    return _columns(content, [f"{fspath(path)}: row {row + 1}" for row in range(len(content))])


def _of_lines(path: str | PathLike[str]) -> tuple[dict[str, list[Any]], list[str]]:
    records, places = [], []
    for block in read_lines(path):
        for place, line in enumerate(block.lines):
            if line.strip():
                records.append(_load(_decoded(line, block.where(place)), block.name, block.first + place))
                places.append(block.where(place))
    return _columns(records, places)


def _columns(records: Sequence[Any], places: list[str]) -> tuple[dict[str, list[Any]], list[str]]:
    names: tuple[str, ...] | None = None
    columns: dict[str, list[Any]] = {}
    for record, where in zip(records, places, strict=True):
        if not isinstance(record, dict):
            raise DataFormatError("not a record", where=where, cure='write {"qid": "a", "label": 1, "score": 0.5}')
        if names is None:
            names, columns = tuple(record), {name: [] for name in record}
        elif record.keys() != columns.keys():
            different = ", ".join(sorted(record.keys() ^ columns.keys())[:4])
            raise DataFormatError(f"not the fields of the first record: {different}", where=where)
        for name, values in columns.items():
            values.append(record[name])
    return columns, places


def read_json_values(path: str | PathLike[str], what: str) -> dict[str, dict[str, float]]:
    r"""Read judgments or a run as pytrec_eval and ranx keep them: query, document, number.

    Parameters
    ----------
    path
        The file.
    what
        ``label`` (whole numbers) or ``score``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "q.json")
    ...     _ = file.write_text('{"7": {"doc1": 2, "doc2": 0}}')
    ...     read_json_values(file, "label")
    {'7': {'doc1': 2, 'doc2': 0}}
    """
    name = fspath(path)
    content = _load(_text(path), name)
    if not isinstance(content, dict) or not all(isinstance(documents, dict) for documents in content.values()):
        raise DataFormatError("not a table of queries", where=name, cure=f'write {{"query": {{"document": {what}}}}}')
    for query, documents in content.items():
        _check_ids(query, documents, name)
        for document, value in documents.items():
            where = f"{name}: query {query[:80]!r}, document {document[:80]!r}"
            check_number(value, what, where)
    if not any(content.values()):
        raise DataFormatError("the file holds no document", where=name)
    return {query: documents for query, documents in content.items() if documents}


def _check_ids(query: str, documents: Mapping[str, Any], name: str) -> None:
    for given in (query, *documents):
        if (
            not given
            or len(given.encode(errors="surrogatepass")) > LONGEST_ID
            or any(part in given for part in "\n\r\0")
        ):
            what = "is blank" if not given else f"is longer than {LONGEST_ID} bytes or holds a line feed"
            raise DataFormatError(f"an id {what}", where=f"{name}: query {query[:80]!r}")


def check_number(value: object, what: str, where: str) -> None:
    """Refuse what is no label (a whole number within 32 bits) or no score (any number but NaN).

    Examples
    --------
    >>> check_number(2, "label", "x.json: row 1")
    >>> check_number("2", "label", "x.json: row 1")
    Traceback (most recent call last):
    ...
    ltrlib.errors.DataFormatError: x.json: row 1: the label '2' is not a number
      to do: write a number, without quotes
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        shown = repr(value)[:60]
        raise DataFormatError(f"the {what} {shown} is not a number", where=where, cure="write a number, without quotes")
    if value != value:
        raise DataFormatError(f"the {what} is NaN", where=where, cure="leave the document out, or give it a number")
    if what == "label" and (abs(value) > _LARGEST or value != int(value)):
        raise DataFormatError(f"the label {value!r:.60} is not a whole number of 32 bits", where=where)
    if isinstance(value, int) and abs(value) >= 1 << 1023:
        raise DataFormatError(f"the {what} is too large", where=where)


def _text(path: str | PathLike[str]) -> str:
    # Blocks come without their last line feed.
    content = b"\n".join(block.text for block in read_lines(path))
    if not content.strip():
        raise DataFormatError("the file is empty", where=fspath(path))
    return _decoded(content, fspath(path))


def _decoded(content: bytes, where: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        at = where if "\n" not in where and re.search(r":\d+$", where) else f"{where}:{line}"
        raise DataFormatError("not UTF-8 text", where=at, cure="save it as UTF-8") from None


def _load(text: str, name: str, line: int | None = None) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        where = f"{name}:{line or error.lineno}"
        raise DataFormatError(f"not JSON: {error.msg} (column {error.colno})", where=where) from None
    except RecursionError:
        raise DataFormatError("brackets in brackets without end", where=name) from None
    except ValueError as error:
        raise DataFormatError(str(error), where=name if line is None else f"{name}:{line}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice[:80]!r} is given twice, and JSON would silently use the last one")
    return found
