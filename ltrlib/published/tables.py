"""Transcribed tables: every cell is text as printed; numbers are parsed when they are asked for."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ltrlib.errors import RecordError
from ltrlib.project import project_data, project_name, shown_path
from ltrlib.published.header import PaperHeader, TableHeader, read_header
from ltrlib.published.printed import Printed
from ltrlib.records import observed

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PAPERS", "Paper", "Table", "load_paper", "load_table"]

PAPERS = tuple(sorted(path.parent.name for path in project_data("published").glob("*/paper.yml")))
"""The papers whose numbers are kept, each a folder of ``data/published/``."""

_BETWEEN_KEYS = " / "


@dataclass(frozen=True)
class Table:
    """One table as printed.

    A row is named by its key columns; several are joined by a slash between spaces.

    Parameters
    ----------
    paper
        Name of the paper.
    name
        Name of the table.
    header
        What the table is and where it stands.
    cells
        Text by row and column.
    path
        The file, for errors.
    lines
        Line of each row in the file.

    Examples
    --------
    >>> table = load_table("koppel2019", "table1")
    >>> table.number("DirectRanker", "mq2008_ndcg").standard_error
    0.012
    >>> table.rows[:2]
    ('DirectRanker', 'RankNet')
    """

    paper: str
    name: str
    header: TableHeader
    cells: Mapping[str, Mapping[str, str]]
    path: Path
    lines: Mapping[str, int]

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the rows, in printed order."""
        return tuple(self.cells)

    def text(self, row: str, column: str) -> str:
        """Return a cell as printed; blank cells are empty.

        Examples
        --------
        >>> load_table("chapelle2011", "table7").text("2 / 1", "winner")
        'I. Kuralenok (Yandex)'
        """
        try:
            return self.cells[row][column]
        except KeyError:
            wrong, known = ("column", self.header.columns) if row in self.cells else ("row", self.cells)
            asked = column if wrong == "column" else row
            raise RecordError(
                f"{self.paper} {self.header.title} has no {wrong} {asked!r}",
                where=shown_path(self.path),
                cure=_suggestion(asked, known),
            ) from None

    def number(self, row: str, column: str) -> Printed:
        """Return a cell as a number; a blank one is an error.

        Examples
        --------
        >>> load_table("tax2015", "table4").number("LRUF", "all_iwn").value
        460.0
        """
        text, address = self.text(row, column), (self.name, row, column)
        return Printed.parse(text, where=f"{shown_path(self.path)}:{self.lines[row]} {column}", address=address)

    def column(self, name: str) -> dict[str, Printed]:
        """Return the numbers of a column by row, without the blank cells.

        Examples
        --------
        >>> len(load_table("tax2015", "b6").column("map_nwn"))
        61
        """
        return {row: self.number(row, name) for row in self.cells if self.text(row, name)}

    def with_cell(self, row: str, column: str, text: str) -> Table:
        """Return the table with another text in one cell: a correction, or a what-if.

        Examples
        --------
        >>> load_table("tax2015", "table1").with_cell("AOL", "datasets", "2").number("AOL", "datasets").value
        2.0
        """
        self.text(row, column)
        return replace(self, cells={**self.cells, row: {**self.cells[row], column: text}})

    def wide(self) -> pd.DataFrame:
        """Return the table as printed: a frame of text, one row per row.

        Examples
        --------
        >>> load_table("chapelle2011", "table5").wide()["test_err"].tolist()
        ['0.42853', '0.43680', '0.46201']
        """
        import pandas as pd

        columns = list(self.header.columns)
        return pd.DataFrame([list(cells.values()) for cells in self.cells.values()], columns=columns, dtype="str")

    def tidy(self) -> pd.DataFrame:
        """Return one row per filled cell: paper, table, row, column, text.

        Examples
        --------
        >>> load_table("chapelle2011", "prizes").tidy().iloc[0].tolist()
        ['chapelle2011', 'prizes', '1', 'prize', '$8,000']
        """
        import pandas as pd

        named = [name for name, column in self.header.columns.items() if column.kind != "key"]
        return pd.DataFrame(
            [
                (self.paper, self.name, row, column, self.cells[row][column])
                for row in self.cells
                for column in named
                if self.cells[row][column]
            ],
            columns=["paper", "table", "row", "column", "text"],
            dtype="str",
        )


@dataclass(frozen=True)
class Paper:
    """All transcribed tables of a paper.

    Parameters
    ----------
    header
        What the paper is.
    tables
        Its tables by name.

    Examples
    --------
    >>> paper = load_paper("chapelle2011")
    >>> paper["table6"].number("1", "teams").value, paper.statement("kendall").text
    (383.0, '0.89')
    """

    header: PaperHeader
    tables: Mapping[str, Table]

    def __getitem__(self, name: str) -> Table:
        table = self._table(name)
        if name_in_project := project_name(table.path):
            observed.note(f"file:{name_in_project}", observed.source_hash(table.path), page=False)
        return table

    def _table(self, name: str) -> Table:
        if name not in self.tables:
            raise RecordError(f"{self.header.paper} has no table {name!r}", cure=f"known are {', '.join(self.tables)}")
        return self.tables[name]

    def statement(self, name: str) -> Printed:
        """Return a number that stands in a sentence.

        Examples
        --------
        >>> load_paper("koppel2019").statement("others-map").value
        3.2
        """
        # One sentence, not all of them: a result that rests on this number does not rest on the others.
        printed = self._table("statements").number(name, "text")
        observed.note(f"statement:{self.header.paper}/{name}", printed.text, page=False)
        return printed

    def names(self, statement: str) -> tuple[str, ...]:
        """Return a list of names that stands in a sentence.

        Examples
        --------
        >>> load_paper("tax2015").names("ndcg10-perfect")
        ('LambdaMART', 'LambdaNeuralRank')
        """
        return tuple(self["statements"].text(statement, "text").split("; "))

    def corrected(self, name: str) -> Table:
        """Return a table with its corrections, where the print as read cannot be right.

        Examples
        --------
        >>> paper = load_paper("tax2015")
        >>> paper["b6"].text("MHR", "nwn"), paper.corrected("b6").text("MHR", "nwn")
        ('0.5714', '0.4146')
        """
        table = self[name]
        if table.header.corrections is None:
            raise RecordError(f"{self.header.paper} {table.header.title} has no corrections")
        corrections = self[table.header.corrections]
        for place in corrections.rows:
            row, _, column = place.rpartition(_BETWEEN_KEYS)
            read = corrections.text(place, "read")
            if table.text(row, column) != read:
                raise RecordError(
                    f"the correction of {row}, {column} is for {read}, but the table has {table.text(row, column)}",
                    where=f"{shown_path(corrections.path)}:{corrections.lines[place]}",
                )
            table = table.with_cell(row, column, corrections.text(place, "corrected"))
        return table

    def with_table(self, table: Table) -> Paper:
        """Return the paper with another version of one table: a what-if.

        Examples
        --------
        >>> paper = load_paper("chapelle2011")
        >>> paper.with_table(paper["table6"].with_cell("1", "teams", "384"))["table6"].text("1", "teams")
        '384'
        """
        return replace(self, tables={**self.tables, table.name: table})


def load_paper(name: str, folder: Path | None = None) -> Paper:
    """Read and check everything that was transcribed from a paper.

    Parameters
    ----------
    name
        One of :data:`PAPERS`.
    folder
        The folder that holds the papers; ``data/published/`` if not given.

    Examples
    --------
    >>> load_paper("tax2015").header.title
    'A cross-benchmark comparison of 87 learning to rank methods'
    >>> load_paper("tax2016")
    Traceback (most recent call last):
    ...
    ltrlib.errors.RecordError: no published numbers of 'tax2016'
      to do: did you mean tax2015?
    """
    folder = project_data("published") if folder is None else folder
    if not (folder / name).is_dir():
        known = sorted(path.name for path in folder.glob("*") if path.is_dir())
        raise RecordError(f"no published numbers of {name!r}", cure=_suggestion(name, known))
    return _read_paper(folder / name)


def load_table(paper: str, table: str) -> Table:
    """Read one table.

    Examples
    --------
    >>> load_table("liu2011", "b7")
    Traceback (most recent call last):
    ...
    ltrlib.errors.RecordError: liu2011 has no table 'b7'
      to do: known are winning_numbers, evaluation_results
    """
    return load_paper(paper)[table]


@cache
def _read_paper(folder: Path) -> Paper:
    header = read_header(folder / "paper.yml")
    for path in sorted(folder.glob("*.csv")):
        if path.stem not in header.tables:
            raise RecordError("paper.yml does not name this table", where=shown_path(path), cure="add it under tables")
    tables = {
        name: _read_table(folder / f"{name}.csv", header.paper, name, table) for name, table in header.tables.items()
    }
    return Paper(header, tables)


def _read_table(path: Path, paper: str, name: str, header: TableHeader) -> Table:
    shown = shown_path(path)
    keys = [column for column, kind in header.columns.items() if kind.kind == "key"]
    cells: dict[str, dict[str, str]] = {}
    lines: dict[str, int] = {}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.reader(file, strict=True)
            names = next(reader, [])
            if names != list(header.columns):
                raise RecordError(f"the columns are {names}, paper.yml says {list(header.columns)}", where=f"{shown}:1")
            for values in reader:
                where = f"{shown}:{reader.line_num}"
                row = _check_row(values, header, where)
                key = _BETWEEN_KEYS.join(row[column] for column in keys)
                if key in cells:
                    raise RecordError(f"the row {key!r} is there twice, first on line {lines[key]}", where=where)
                cells[key], lines[key] = row, reader.line_num
    except FileNotFoundError:
        raise RecordError(
            "the table is missing", where=shown, cure="transcribe it, or take it out of paper.yml"
        ) from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise RecordError(f"not a CSV file: {error}", where=shown) from None
    if not cells:
        raise RecordError("the table has no rows", where=shown)
    return Table(paper, name, header, cells, path, lines)


def _check_row(values: list[str], header: TableHeader, where: str) -> dict[str, str]:
    if len(values) != len(header.columns):
        raise RecordError(f"{len(values)} cells where {len(header.columns)} columns are", where=where)
    for (column, kind), text in zip(header.columns.items(), values, strict=True):
        if text != text.strip():
            raise RecordError(f"{text!r} begins or ends with a space", where=f"{where} {column}")
        if not text:
            if not kind.may_be_blank:
                raise RecordError("the cell is blank", where=f"{where} {column}")
        elif kind.kind == "number":
            Printed.parse(text, where=f"{where} {column}")
    return dict(zip(header.columns, values, strict=True))


def _suggestion(asked: str, known: Mapping[str, object] | list[str]) -> str:
    close = get_close_matches(asked, list(known), n=3)
    if close:
        return f"did you mean {' or '.join(close)}?"
    some = list(known)[:12]
    return f"known are {', '.join(some)}{', …' if len(known) > len(some) else ''}"


def _statement_text(place: str) -> str:
    paper, _, name = place.partition("/")
    try:
        return load_paper(paper).tables["statements"].text(name, "text")
    except RecordError:
        return observed.ABSENT


observed.register_state("statement", _statement_text)
