"""What every chapter calls: begin a page, show figures, tables and numbers.

A chapter imports this package only (``from ltrlib import book``); its names load on first use, so that a page
depends on no more modules than it needs.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "start": "chapter",
    "show_figure": "output",
    "show_html": "output",
    "show_interactive": "output",
    "show_markdown": "output",
    "show_table": "output",
    "glue": "output",
    "record_metric": "metrics",
}

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
