"""How a paper lays out its tables: which column stands under which head, so that a page can show them as printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ltrlib.errors import RecordError
from ltrlib.published.tables import load_table

__all__ = ["TableLayout"]


@dataclass(frozen=True)
class TableLayout:
    """A table of a paper as the paper prints it.

    Parameters
    ----------
    paper, table
        Which, as in ``data/published/``.
    caption
        Markdown. It begins with the table's name, such as "Table 1 of the paper".
    columns
        Column of the file -> its head; "MQ2008 | NDCG@10" puts NDCG@10 under the head MQ2008. Key columns are the row
        heads and need not be named.
    needs
        Column -> why ours is missing there, such as "needs MSLR-WEB10K"; stands under the column's head.
    row_notes
        Row -> a footnote, such as "scored by another protocol".
    row_names
        Row -> what to call it, where the file's key is not what the paper prints.
    checks
        Row and column -> id of the claim that speaks of this cell together with others, such as an order, and what it
        found here in a few words; for cells that no claim compares with a number of its own.
    rows
        Rows to show, if not all of the file: one half of a table that the paper prints in two, named by ``part``.
    corner
        Head of the row heads; the names of the key columns if not given.
    as_printed
        Row and column -> what the paper prints there, where the file has what a scan made of it.
    convention
        Whose NDCG it is, ``ndcg@10:ranklib``; several with a comma between.

    Examples
    --------
    >>> layout = TableLayout("koppel2019", "table2", "Table 2 of the paper.", {"seconds": "Seconds"})
    >>> layout.heads
    [('', 'Seconds')]
    """

    paper: str
    table: str
    caption: str
    columns: Mapping[str, str]
    needs: Mapping[str, str] = field(default_factory=dict)
    row_notes: Mapping[str, str] = field(default_factory=dict)
    row_names: Mapping[str, str] = field(default_factory=dict)
    checks: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    rows: tuple[str, ...] = ()
    part: str = ""
    corner: str = ""
    as_printed: Mapping[tuple[str, str], str] = field(default_factory=dict)
    convention: str = ""

    def __post_init__(self) -> None:
        table = load_table(self.paper, self.table)
        places = [*self.checks, *self.as_printed]
        for kind, named, known in (
            ("column", {*self.columns, *self.needs, *(column for _, column in places)}, {*table.header.columns}),
            ("row", {*self.row_notes, *self.row_names, *self.rows, *(row for row, _ in places)}, {*table.rows}),
        ):
            for unknown in sorted(named - known):
                raise RecordError(f"{self.paper} {table.header.title} has no {kind} {unknown!r}")

    @property
    def heads(self) -> list[tuple[str, str]]:
        """For each column the head above its head, and its head."""
        split = (text.rpartition(" | ") for text in self.columns.values())
        return [(group, head) for group, _, head in split]

    def printed(self, row: str, column: str) -> str:
        """What the paper prints in a cell.

        Examples
        --------
        >>> layout = TableLayout("koppel2019", "table2", "Table 2.", {"seconds": "Seconds"})
        >>> layout.printed("RankNet", "seconds") == load_table("koppel2019", "table2").text("RankNet", "seconds")
        True
        """
        known = self.as_printed.get((row, column))
        return load_table(self.paper, self.table).text(row, column) if known is None else known

    @property
    def label(self) -> str:
        """Id of the table on every page that shows it."""
        part = f"-{self.part}" if self.part else ""
        return f"tab-{self.paper}-{self.table.replace('_', '-')}-printed{part}"
