"""The header of a paper's folder, ``paper.yml``: what the paper is and which tables were transcribed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from ltrlib.errors import RecordError
from ltrlib.yaml_file import YamlFile

__all__ = ["Column", "PaperHeader", "TableHeader", "read_header"]

Kind = Literal["key", "number", "text"]
_KINDS = ("key", "number", "text")
_OR_BLANK = " or blank"
_PAPER_KEYS = {"paper": str, "title": str, "authors": str, "published_in": str, "cite": str, "tables": dict}
_TABLE_KEYS = {"title": str, "place": str, "about": str, "columns": dict}


@dataclass(frozen=True)
class Column:
    """What the cells of a column hold, and whether they may be blank.

    Examples
    --------
    >>> Column("number", may_be_blank=True).kind
    'number'
    """

    kind: Kind
    may_be_blank: bool


@dataclass(frozen=True)
class TableHeader:
    """What a transcribed table is and where it stands in the paper.

    Examples
    --------
    >>> from ltrlib.published.tables import load_table
    >>> load_table("koppel2019", "table2").header.place
    'Section 5.1'
    """

    title: str
    place: str
    about: str
    columns: Mapping[str, Column]
    corrections: str | None
    notes: tuple[str, ...]


@dataclass(frozen=True)
class PaperHeader:
    """What the paper is.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> load_paper("koppel2019").header.cite
    'koppel2019'
    """

    paper: str
    title: str
    authors: str
    published_in: str
    cite: str
    notes: tuple[str, ...]
    tables: Mapping[str, TableHeader]


def read_header(path: Path) -> PaperHeader:
    """Read and check a ``paper.yml``.

    Examples
    --------
    >>> from ltrlib.project import project_data
    >>> read_header(project_data("published", "koppel2019", "paper.yml")).published_in
    'ECML PKDD 2019'
    """
    document = _Document(path)
    fields = document.checked((), _PAPER_KEYS, optional={"notes": list})
    if fields["paper"] != path.parent.name:
        document.refuse(("paper",), f"the folder is called {path.parent.name}, the paper {fields['paper']}")
    tables = {name: _table_header(document, name) for name in fields["tables"]}
    for name, table in tables.items():
        if table.corrections is not None and table.corrections not in tables:
            document.refuse(("tables", name, "corrections"), f"there is no table {table.corrections}")
    return PaperHeader(
        fields["paper"],
        fields["title"],
        fields["authors"],
        fields["published_in"],
        fields["cite"],
        tuple(fields.get("notes", ())),
        tables,
    )


def _table_header(document: _Document, name: str) -> TableHeader:
    place = ("tables", name)
    fields = document.checked(place, _TABLE_KEYS, optional={"corrections": str, "notes": list})
    columns = {}
    for column, kind in fields["columns"].items():
        word = str(kind).removesuffix(_OR_BLANK)
        if word not in _KINDS:
            document.refuse((*place, "columns", column), f"a column is one of {', '.join(_KINDS)}, not {kind!r}")
        columns[column] = Column(cast(Kind, word), str(kind).endswith(_OR_BLANK))
    kinds = [column.kind for column in columns.values()]
    if not kinds or kinds[0] != "key" or "key" in kinds[kinds.count("key") :]:
        document.refuse((*place, "columns"), "the columns that name a row (key) come first, and there is at least one")
    return TableHeader(
        fields["title"],
        fields["place"],
        fields["about"],
        columns,
        fields.get("corrections"),
        tuple(fields.get("notes", ())),
    )


class _Document(YamlFile):
    """A header, entry by entry."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, cure="write one, as CONTRIBUTING.md says")

    def refuse(self, place: tuple[str, ...], what: str) -> None:
        raise RecordError(what, where=self.where(*place))

    def checked(
        self, place: tuple[str, ...], needed: Mapping[str, type], optional: Mapping[str, type]
    ) -> dict[str, Any]:
        """The mapping at a place, with all the needed keys, no unknown ones, and values of the right kind."""
        content = self.content
        for key in place:
            content = content[key]
        if not isinstance(content, dict):
            self.refuse(place, "entries with names are needed here")
        for key in needed.keys() - content.keys():
            self.refuse(place, f"{key} is missing")
        for key, value in content.items():
            kind = {**needed, **optional}.get(key)
            if kind is None:
                self.refuse((*place, key), f"unknown; known are {', '.join([*needed, *optional])}")
            elif not isinstance(value, kind):
                self.refuse((*place, key), f"{value!r} is not a {kind.__name__}")
        return cast(dict[str, Any], content)
