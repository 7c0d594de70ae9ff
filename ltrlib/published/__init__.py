"""Published numbers: each as printed, with paper, table, row and column, under ``data/published/``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ltrlib.extras import lazy_names

if TYPE_CHECKING:
    from ltrlib.published.printed import Printed
    from ltrlib.published.tables import PAPERS, Paper, Table, load_paper, load_table

_HOMES = {
    "printed": ("Printed",),
    "tables": (
        "PAPERS",
        "Paper",
        "Table",
        "load_paper",
        "load_table",
    ),
}

__all__ = ["PAPERS", "Paper", "Printed", "Table", "load_paper", "load_table"]

__getattr__ = lazy_names(__name__, _HOMES)
