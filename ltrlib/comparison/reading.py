"""Read a user's own CSV files: results to compare, points to draw. Errors name the file and the line."""

from __future__ import annotations

import csv
import math
from array import array
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.comparison.results import COLUMNS
from ltrlib.errors import DataFormatError

__all__ = ["read_points", "read_results"]


def read_results(path: str | Path) -> pd.DataFrame:
    r"""Read a CSV file with the columns method, dataset, metric, value, in any order and among any others.

    An empty value (or ``nan``) is read as NaN: no result. Blanks around a field and blank lines are dropped.

    Parameters
    ----------
    path
        A UTF-8 text file with commas and a header.

    Returns
    -------
    pandas.DataFrame
        The four columns; the index holds the line numbers, so that a later check can name a line.

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
    places = [header.index(name) for name in COLUMNS]
    # Names come back as numbers: a name that stands in a million rows is kept once.
    numbers: list[dict[str, int]] = [{}, {}, {}]
    codes = [array("q") for _ in numbers]
    values, lines = array("d"), array("q")
    for line, row in rows:
        for number, code, place in zip(numbers, codes, places[:3], strict=True):
            code.append(number.setdefault(row[place], len(number)))
        text = row[places[3]]
        values.append(_number(text, f"{path}:{line}") if text else math.nan)
        lines.append(line)
    names = {
        column: np.array(list(number), dtype=object)[np.asarray(code)]
        for column, code, number in zip(COLUMNS, codes, numbers, strict=False)
    }
    return pd.DataFrame({**names, "value": np.asarray(values)}, index=np.asarray(lines))


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
    line = 0
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            width = 0
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
    except UnicodeDecodeError as error:
        where = f"{path}:{_line_of_bad_byte(path)}"
        raise DataFormatError("not UTF-8 text", where=where, cure="save it as UTF-8") from error
    except csv.Error as error:
        raise DataFormatError(f"not CSV: {error}", where=f"{path}:{line + 1}", cure="check the quotes") from error
    if not width:
        raise DataFormatError("the file is empty", where=path, cure="give a header and one row per entry")


def _line_of_bad_byte(path: Path) -> int:
    # Text is decoded in large pieces, far ahead of the line that is being read.
    lines = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, start=1):
        try:
            line.decode()
        except UnicodeDecodeError:
            return number
    return len(lines)


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
