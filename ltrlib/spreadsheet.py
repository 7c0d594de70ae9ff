"""CSV that a spreadsheet program opens as text: a name such as ``=HYPERLINK(…)`` is shown, not computed."""

from __future__ import annotations

import re

__all__ = ["harmless"]

_FORMULA = re.compile(r"\s*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf|-")


def harmless(field: str) -> str:
    """Put an apostrophe before a text that a spreadsheet program would take for a formula.

    That is what these programs do themselves to mark a text. Numbers stay as they are.

    Examples
    --------
    >>> harmless("=1+1"), harmless("@me"), harmless("-0.5"), harmless("ListNet")
    ("'=1+1", "'@me", '-0.5', 'ListNet')
    """
    return f"'{field}" if _FORMULA.match(field) and not _NUMBER.fullmatch(field) else field
