"""Pages that are made by code alone, without a source file: one for each tool and one for each method."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

from sphinx.application import Sphinx

from ltrlib.across.method_pages.page import method_pages
from ltrlib.across.tool_pages.page import tool_pages

__all__ = ["collect", "setup"]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("html-collect-pages", collect)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def collect(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Hand the pages to Sphinx, which puts the book's frame around them."""
    # A book without the pages that lead to them, such as a single chapter that is run again, has no use for them.
    if not {"chapters/04-tools", "chapters/05-methods"} <= app.env.found_docs:
        return
    for address, (title, content) in (tool_pages() | method_pages()).items():
        body = f'<section id="top"><h1>{html.escape(title)}</h1>\n{content}\n</section>'
        yield address, {"title": title, "body": body}, "page.html"
