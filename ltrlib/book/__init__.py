"""What every chapter calls: begin a page, show figures, tables and numbers.

A chapter imports this package only (``from ltrlib import book``); its names load on first use, so that a page
depends on no more modules than it needs.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "start": "ltrlib.book.chapter",
    "show_figure": "ltrlib.book.output",
    "show_html": "ltrlib.book.output",
    "show_interactive": "ltrlib.book.output",
    "show_markdown": "ltrlib.book.output",
    "show_summary": "ltrlib.book.output",
    "show_table": "ltrlib.book.output",
    "glue": "ltrlib.book.output",
    "glue_all": "ltrlib.book.output",
    "record_metric": "ltrlib.sweeps.reported",
}

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)
