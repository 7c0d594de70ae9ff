"""One switch for the reader: several versions of the same part of a page, of which one is shown at a time."""

from __future__ import annotations

import html
from collections.abc import Mapping

from ltrlib.book.output import show_html

__all__ = ["show_switch", "switch_html"]


def switch_html(label: str, versions: Mapping[str, str], *, name: str, static: str = "../_static") -> str:
    """Return the versions with the script that shows one of them; without JavaScript all stand below one another.

    Parameters
    ----------
    label
        What is chosen.
    versions
        HTML of each version, by its title.
    name
        Id of the switch on its page.
    static
        Address of the folder with script and style sheet.

    Examples
    --------
    >>> page = switch_html("Tool", {"letor4": "<p>a</p>", "yahoo": "<p>b</p>"}, name="switch-example")
    >>> page.count("<section")
    2
    """
    parts = "\n".join(
        f'<section data-title="{html.escape(title)}"><h3>{html.escape(title)}</h3>\n{content}</section>'
        for title, content in versions.items()
    )
    return (
        f'<link rel="stylesheet" href="{static}/switch.css">\n'
        f'<div class="switch" id="{name}" data-label="{html.escape(label)}">\n{parts}\n</div>\n'
        f'<script src="{static}/switch.js" defer></script>'
    )


def show_switch(label: str, versions: Mapping[str, str], *, name: str) -> None:
    """Show a switch on a page of the book.

    Examples
    --------
    >>> show_switch("Tool", {}, name="switch-example")  # doctest: +ELLIPSIS
    {'text/markdown': '````...{raw} html...
    """
    show_html(switch_html(label, versions, name=name))
