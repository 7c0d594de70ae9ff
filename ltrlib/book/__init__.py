"""What every chapter calls: begin a page, show figures, tables and numbers.

A chapter imports this package only (``from ltrlib import book``); its names load on first use, so that a page
depends on no more modules than it needs.
"""

from __future__ import annotations

from ltrlib.extras import lazy_names

_HOMES = {
    "chapter": ("start",),
    "output": (
        *("show_figure", "show_html", "show_interactive", "show_markdown", "show_summary", "show_table"),
        *("glue", "glue_all"),
    ),
    "ltrlib.sweeps.reported": ("record_metric",),
}

__all__ = [name for names in _HOMES.values() for name in names]

__getattr__ = lazy_names(__name__, _HOMES)
