"""What stands around the text of every page: its sections as chips, a description, the way to its notebook."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from ltrlib.book.notebooks import NOTEBOOKS, write_notebooks

__all__ = ["chips", "description", "setup"]

_LONGEST_DESCRIPTION = 200


def setup(app: Sphinx) -> None:
    """Register."""
    app.connect("html-page-context", frame_page)
    app.connect("build-finished", write_notebooks)


def chips(sections: list[tuple[str, str]]) -> str:
    """Links to the sections of a page, below its title; none for a page of one or two sections.

    Examples
    --------
    >>> chips([("a", "One"), ("b", "Two")])
    ''
    >>> chips([("a", "One"), ("b", "Two"), ("c", "Three")]).count("<a")
    3
    """
    if len(sections) < 3:
        return ""
    links = "".join(f'<a href="#{anchor}">{html.escape(title)}</a>' for anchor, title in sections)
    return f'<nav class="page-chips" aria-label="Sections of this page">{links}</nav>'


def description(doctree: nodes.document) -> str:
    r"""The first sentences of a page, for search engines and link previews.

    Examples
    --------
    >>> from docutils.core import publish_doctree
    >>> description(publish_doctree("A first sentence.\n\nMore."))
    'A first sentence.'
    """
    for paragraph in doctree.findall(nodes.paragraph):
        text = " ".join(paragraph.astext().split())
        if len(text) >= 10 and not isinstance(paragraph.parent, nodes.Admonition | nodes.entry):
            return text if len(text) <= _LONGEST_DESCRIPTION else text[:_LONGEST_DESCRIPTION].rsplit(" ", 1)[0] + " …"
    return ""


def frame_page(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Add to a page what its own text does not say."""
    if doctree is None or "body" not in context:
        return
    # sphinxcontrib-bibtex makes a list whose entries are no list items.
    context["body"] = str(context["body"]).replace('role="doc-biblioentry"', 'role="listitem"')
    words = html.escape(description(doctree))
    context["metatags"] = context.get("metatags", "") + f'<meta name="description" content="{words}" />'
    top = next(iter(doctree.findall(nodes.section)), None)
    inner = [one for one in top.children if isinstance(one, nodes.section)] if top is not None else []
    sections = [(str(one["ids"][0]), one.next_node(nodes.title).astext()) for one in inner if one["ids"]]  # type: ignore[union-attr]
    if page != app.config.root_doc:
        context["body"] = re.sub(r"</h1>", lambda found: found[0] + chips(sections), context["body"], count=1)
    if page in vars(app.env).get("ltrlib_executions", {}):
        address = "../" * page.count("/") + f"{NOTEBOOKS}/{Path(page).name}.ipynb"
        context["body"] += (
            f'<p class="page-files">This page as a <a href="{address}" download>notebook</a>, with every number '
            "and figure in it.</p>"
        )
