"""What could have been printed instead, to show that a claim can fail."""

from __future__ import annotations

from ltrlib.claims.claim import Otherwise
from ltrlib.published.tables import Paper

__all__ = ["cells", "names"]


def cells(table: str, *changes: tuple[str, str, str]) -> Otherwise:
    """Return the change of some cells of a table: row, column, other text.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> (other,) = cells("b6", ("LRUF", "iwn", "461"))(load_paper("tax2015"))
    >>> other["b6"].text("LRUF", "iwn")
    '461'
    """

    def otherwise(paper: Paper) -> tuple[Paper]:
        changed = paper[table]
        for row, column, text in changes:
            changed = changed.with_cell(row, column, text)
        return (paper.with_table(changed),)

    return otherwise


def names(statement: str, others: str) -> Otherwise:
    """Return the change of the names in a sentence.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> (other,) = names("section45-everywhere", "LARF; LRUF")(load_paper("tax2015"))
    >>> other.names("section45-everywhere")
    ('LARF', 'LRUF')
    """
    return cells("statements", (statement, "text", others))
