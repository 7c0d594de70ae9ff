"""The settings that the paper states, beside those of the authors' code."""

from __future__ import annotations

from collections.abc import Collection

from ltrlib.claims.cells import Cell, Statement
from ltrlib.published.tables import Paper

__all__ = ["told_and_done"]

_UNSTATED = ("not stated", "arbitrary")


def told_and_done(paper: Paper, column: str, *, left_out: Collection[str] = ()) -> list[Cell]:
    """One cell per setting that the paper states: the code's words must contain the paper's.

    Parameters
    ----------
    paper
        Its table ``settings`` is read.
    column
        ``"code_2019"`` or ``"code_2022"``.
    left_out
        Settings of which the code that was published cannot tell.
    """
    table = paper["settings"]
    cells: list[Cell] = []
    for item in table.rows:
        told, done = table.text(item, "paper"), table.text(item, column)
        if told not in _UNSTATED and done and item not in left_out:
            cells.append(Statement(told in done, f"the code: {done}", told, item))
    return cells
