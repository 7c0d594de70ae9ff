"""Published numbers: each as printed, with paper, table, row and column, under ``data/published/``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ltrlib.extras import load_module

if TYPE_CHECKING:
    from ltrlib.published.printed import Printed
    from ltrlib.published.tables import PAPERS, Paper, Table, load_paper, load_table

_HOME = {
    "Printed": "printed",
    "PAPERS": "tables",
    "Paper": "tables",
    "Table": "tables",
    "load_paper": "tables",
    "load_table": "tables",
}

__all__ = ["PAPERS", "Paper", "Printed", "Table", "load_paper", "load_table"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(load_module(f"{__name__}.{_HOME[name]}"), name)
