"""The theme's icons come from its font; the script of 1.5 MB that would draw them once more is left out."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

__all__ = ["SCRIPT", "leave_out_script", "setup"]

SCRIPT = Path("_static", "scripts", "fontawesome.js")
"""Where the theme puts it; every page asks for it."""


def leave_out_script(app: Sphinx, error: Exception | None) -> None:
    """Put a comment in the place of the script."""
    place = Path(app.outdir) / SCRIPT
    if error is None and place.is_file():
        place.write_text("/* The icons come from the theme's font. */\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register."""
    app.connect("build-finished", leave_out_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
