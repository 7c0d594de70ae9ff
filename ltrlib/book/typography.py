"""Small things of type: a minus sign that is one.

Code is left as it is; so is HTML that a page shows as it stands, whose makers call :func:`typeset` themselves.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

__all__ = ["set_type", "setup", "typeset"]

_MINUS = re.compile(r"(?<![\w.)\]−–-])-(?=\.?\d)")
_AS_IT_IS = (nodes.literal, nodes.literal_block, nodes.raw, nodes.math, nodes.math_block, nodes.comment)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("doctree-resolved", set_type)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def typeset(text: str) -> str:
    """Words with minus signs before their numbers.

    Examples
    --------
    >>> typeset("-0.0312 (-0.05 to +0.01) of LETOR-3, 2026-11-18, 1-24")
    '−0.0312 (−0.05 to +0.01) of LETOR-3, 2026-11-18, 1-24'
    """
    return _MINUS.sub("−", text)


def set_type(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Set the text of a page.

    Examples
    --------
    >>> page = nodes.document(None, None)
    >>> page += nodes.paragraph("", "", nodes.Text("about -1, "), nodes.literal("", "-1"))
    >>> set_type(None, page, "")
    >>> page.astext()
    'about −1, -1'
    """
    for text in list(doctree.findall(nodes.Text)):
        ahead: nodes.Node | None = text.parent
        while ahead is not None and not isinstance(ahead, _AS_IT_IS):
            ahead = ahead.parent
        if ahead is None and (new := typeset(text)) != text:
            text.parent.replace(text, nodes.Text(new))
