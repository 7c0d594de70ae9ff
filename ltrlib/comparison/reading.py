"""Read a user's own CSV files: results to compare, points to draw. Errors name the file and the line."""

from __future__ import annotations

import csv
import math
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.comparison.results import COLUMNS
from ltrlib.datasets.lines import read_lines
from ltrlib.errors import DataFormatError

__all__ = ["read_points", "read_results", "read_texts"]


def read_results(path: str | Path, *, also: Sequence[str] = ()) -> pd.DataFrame:
    r"""Read a CSV file with the columns method, dataset, metric, value, in any order and among any others.

    An empty value (or ``nan``) is read as NaN: no result. Blanks around a field and blank lines are dropped.

    Parameters
    ----------
    path
        A UTF-8 text file with commas and a header.
    also
        Further columns of text to read, if the file has them.

    Returns
    -------
    pandas.DataFrame
        The four columns, then the further ones; the index holds the line numbers, so that a later check can name a
        line.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "results.csv")
    >>> _ = file.write_text("method,dataset,metric,value\nListNet,TD2003,MAP,0.2753\n")
    >>> read_results(file)
        method dataset metric   value
    2  ListNet  TD2003    MAP  0.2753
    """
    rows = _rows(Path(path))
    line, header = next(rows)
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        cure = f"the header must name {', '.join(COLUMNS)}, with commas between"
        raise DataFormatError(f"no column {', '.join(missing)} in the header", where=f"{path}:{line}", cure=cure)
    value_place = header.index("value")
    # Names come back as numbers: a name that stands in a million rows is kept once.
    named = [*COLUMNS[:3], *(name for name in also if name in header)]
    numbers: list[dict[str, int]] = [{} for _ in named]
    codes = [array("q") for _ in named]
    values, lines = array("d"), array("q")
    text_places = [header.index(name) for name in named]
    for line, row in rows:
        for number, code, place in zip(numbers, codes, text_places, strict=True):
            code.append(number.setdefault(row[place], len(number)))
        text = row[value_place]
        values.append(_number(text, f"{path}:{line}") if text else math.nan)
        lines.append(line)
    names = {
        column: np.array(list(number), dtype=object)[np.asarray(code)]
        for column, code, number in zip(named, codes, numbers, strict=True)
    }
    table = pd.DataFrame({**names, "value": np.asarray(values)}, index=np.asarray(lines))
    return table[[*COLUMNS, *named[3:]]]


def read_texts(path: str | Path, columns: Sequence[str], *, also: Sequence[str] = ()) -> pd.DataFrame:
    r"""Read columns of a CSV file as the text that stands there, in any order and among any others.

    Parameters
    ----------
    path
        A UTF-8 text file with commas and a header.
    columns
        The columns that it must have.
    also
        Those that it may have; they are blank where it has not.

    Returns
    -------
    pandas.DataFrame
        The index holds the line numbers.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "results.csv")
    >>> _ = file.write_text("value,method\n0.270,ListNet\n")
    >>> read_texts(file, ["method", "value"], also=["note"]).to_dict("index")
    {2: {'method': 'ListNet', 'value': '0.270', 'note': ''}}
    """
    rows = _rows(Path(path))
    line, header = next(rows)
    if missing := [name for name in columns if name not in header]:
        cure = f"the header must name {', '.join(columns)}, with commas between"
        raise DataFormatError(f"no column {', '.join(missing)} in the header", where=f"{path}:{line}", cure=cure)
    wanted = [*columns, *also]
    found = {line: [row[header.index(name)] if name in header else "" for name in wanted] for line, row in rows}
    return pd.DataFrame.from_dict(found, orient="index", columns=wanted, dtype="str")


def read_points(path: str | Path) -> NDArray[np.float64]:
    r"""Read a CSV file with a header and two columns of numbers.

    Parameters
    ----------
    path
        A UTF-8 text file with commas and a header.

    Returns
    -------
    numpy.ndarray
        One row per point.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "points.csv")
    >>> _ = file.write_text("iwn,nwn\n931,0.4952\n653,0.6003\n")
    >>> read_points(file)
    array([[9.310e+02, 4.952e-01],
           [6.530e+02, 6.003e-01]])
    """
    rows = _rows(Path(path))
    line, header = next(rows)
    if len(header) != 2:
        raise DataFormatError(
            f"{len(header)} columns instead of 2", where=f"{path}:{line}", cure="give x and y, with a comma between"
        )
    if all(_is_number(name) for name in header):
        raise DataFormatError(
            "the header is missing", where=f"{path}:{line}", cure="name the columns in the first line"
        )
    points = []
    for line, row in rows:
        point = [_number(text, f"{path}:{line}") for text in row]
        if not all(map(math.isfinite, point)):
            raise DataFormatError(
                "a coordinate is not finite", where=f"{path}:{line}", cure="drop points without a place"
            )
        points.append(point)
    return np.array(points, dtype=np.float64).reshape(-1, 2)


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the header and then every row that is not blank, with its line number and as many fields as the header."""
    line, width = 0, 0
    reader = csv.reader(_lines(path), strict=True)
    try:
        for fields in reader:
            line = reader.line_num
            row = [field.strip() for field in fields]
            if not any(row):
                continue
            if width and len(row) != width:
                raise DataFormatError(
                    f"{len(row)} fields instead of {width}",
                    where=f"{path}:{line}",
                    cure="put a field that holds a comma in double quotes",
                )
            if not width and (twice := {name for name in row if row.count(name) > 1}):
                raise DataFormatError(
                    f"the header names {', '.join(sorted(twice))} twice", where=f"{path}:{line}", cure="drop one"
                )
            width = len(row)
            yield line, row
    except csv.Error as error:
        raise DataFormatError(f"not CSV: {error}", where=f"{path}:{line + 1}", cure="check the quotes") from error
    if not width:
        raise DataFormatError("the file is empty", where=path, cure="give a header and one row per entry")


def _lines(path: Path) -> Iterator[str]:
    """Lines as text; a line without end is refused before it fills the memory."""
    for block in read_lines(path):
        for place, line in enumerate(block.lines if block.text else []):
            try:
                yield line.decode() + "\n"
            except UnicodeDecodeError as error:
                where = f"{path}:{block.first + place}"
                raise DataFormatError("not UTF-8 text", where=where, cure="save it as UTF-8") from error


def _number(text: str, where: str) -> float:
    try:
        # float() also takes 1_000, which no table means.
        return float("" if "_" in text else text)
    except ValueError:
        raise DataFormatError(f"{text!r} is not a number", where=where, cure="write numbers such as 0.42") from None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
