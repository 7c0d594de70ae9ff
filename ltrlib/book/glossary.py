"""Definitions that appear when a reader points at a term: each link to the glossary carries its text as title."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

__all__ = ["definitions", "explain_terms", "setup"]

PAGE = "chapters/glossary"
_ANCHOR = "#term-"


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("doctree-resolved", explain_terms)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def definitions(glossary: nodes.document) -> dict[str, str]:
    """Definition of each term by the anchor of the term.

    Examples
    --------
    >>> page = nodes.document(None, None)
    >>> entry = nodes.term("", "NDCG", ids=["term-NDCG"])
    >>> meaning = nodes.definition("", nodes.paragraph("", "A metric."))
    >>> page += nodes.definition_list("", nodes.definition_list_item("", entry, meaning))
    >>> definitions(page)
    {'term-NDCG': 'A metric.'}
    """
    found = {}
    for item in glossary.findall(nodes.definition_list_item):
        text = " ".join(" ".join(part.astext() for part in item.findall(nodes.definition)).split())
        found.update({anchor: text for term in item.findall(nodes.term) for anchor in term["ids"]})
    return found


def explain_terms(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Give each link to a term its definition."""
    links = [node for node in doctree.findall(nodes.reference) if _ANCHOR in node.get("refuri", "")]
    if not links or PAGE not in app.env.found_docs:
        return
    known = definitions(app.env.get_doctree(PAGE))
    for link in links:
        anchor = link["refuri"].partition("#")[2]
        if anchor in known:
            link["reftitle"] = known[anchor]
