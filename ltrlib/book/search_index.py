"""The book's own search index: pages, tools, methods, terms, data sets, tables, claims, and every published number.

It is a script that defines one list, because a page opened from a file may not fetch anything. An entry is
``[kind, title, text, address]``; addresses are relative to the book's first page.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from ltrlib.across.method_pages.page import method_pages
from ltrlib.across.tool_pages.page import tool_pages
from ltrlib.book.glossary import PAGE as GLOSSARY
from ltrlib.book.glossary import definitions
from ltrlib.book.scoreboard import paper_name
from ltrlib.claims.registry import claims, papers
from ltrlib.claims.show import link, page_of
from ltrlib.errors import ClaimError
from ltrlib.project import chapter_names
from ltrlib.published.names import names
from ltrlib.published.tables import load_paper

__all__ = ["INDEX", "claim_entries", "data_entries", "number_entries", "setup", "table_entries"]

INDEX = "search-index.js"
Entry: TypeAlias = tuple[str, str, str, str]


def setup(app: Sphinx) -> None:
    """Register."""
    app.connect("build-finished", write_index)


def claim_entries() -> Iterator[Entry]:
    """One entry per claim, with its verdict.

    Examples
    --------
    >>> kind, title, text, address = next(claim_entries())
    >>> kind, address.startswith("chapters/")
    ('claim', True)
    """
    for claim in claims():
        outcome = claim.check()
        numbers = " ".join(f"{one.published} {one.ours}" for one in outcome.judgements[:12])
        text = f"{outcome.verdict.shape} {outcome.word} · {paper_name(claim.judges)}, {claim.place}"
        yield "claim", claim.statement, f"{text} · {numbers}"[:400], link(claim, from_root=True)


def data_entries() -> Iterator[Entry]:
    """One entry per data set, which leads to its card.

    Examples
    --------
    >>> next(data_entries())
    ('data', 'MQ2008', 'MQ2008 (LETOR 4.0)', 'chapters/data-cards.html#data-mq2008')
    """
    for key, one in names("data").items():
        yield "data", one.name, one.long, f"chapters/data-cards.html#data-{key}"


def table_entries(labels: frozenset[str] = frozenset()) -> Iterator[Entry]:
    """One entry per published table, and per figure whose numbers the book has.

    Parameters
    ----------
    labels
        Labels of tables in the book, as for :func:`number_entries`.

    Examples
    --------
    >>> [entry[1] for entry in table_entries()][:2]
    ['Table 1, Tax et al. 2015', 'Table 2, Tax et al. 2015']
    """
    for paper in papers():
        for name, table in load_paper(paper).header.tables.items():
            yield "table", f"{table.title}, {paper_name(paper)}", table.about, _place_of(paper, name, labels)


def _place_of(paper: str, table: str, labels: frozenset[str]) -> str:
    page = chapter_names(paper).get("paper") or next(iter(chapter_names(paper).values()))
    label = f"tab-{paper}-{table.replace('_', '-')}-printed"
    return f"chapters/{page}.html" + (f"#{label}" if label in labels else "")


def number_entries(labels: frozenset[str] = frozenset()) -> Iterator[Entry]:
    """One entry per published number of the papers that the book treats, with its table, row and column.

    Parameters
    ----------
    labels
        Labels of tables in the book; a number leads to its table where there is one.

    Examples
    --------
    >>> found = [entry for entry in number_entries() if entry[1].startswith("0.720(")]
    >>> found[0][2]
    'Köppel et al. 2019, Table 1 · DirectRanker, mq2008 ndcg'
    """
    for paper in papers():
        header = load_paper(paper).header
        for name, table in load_paper(paper).tables.items():
            address = _place_of(paper, name, labels)
            for row, cells in table.cells.items():
                for column, kind in table.header.columns.items():
                    if kind.kind == "number" and cells[column]:
                        place = f"{paper_name(paper)}, {header.tables[name].title} · {row}, {column.replace('_', ' ')}"
                        yield "number", cells[column], place, address


def _page_entries(env: BuildEnvironment) -> Iterator[Entry]:
    for page, title in env.titles.items():
        yield "page", title.astext(), "", f"{page}.html"
        for reference in env.tocs[page].findall(nodes.reference):
            if anchor := reference.get("anchorname"):
                yield "section", reference.astext(), title.astext(), f"{page}.html{anchor}"


def _term_entries(env: BuildEnvironment) -> Iterator[Entry]:
    meanings = definitions(env.get_doctree(GLOSSARY)) if GLOSSARY in env.found_docs else {}
    for name, shown, kind, page, anchor, _ in env.domains["std"].get_objects():
        if kind == "term":
            yield "term", shown or name, meanings.get(anchor, "glossary"), f"{page}.html#{anchor}"


def _is_whole(env: BuildEnvironment) -> bool:
    """Whether the pages of all claims are among those that are built."""
    try:
        return {f"chapters/{page_of(claim)}" for claim in claims()} <= set(env.titles)
    except ClaimError:  # a claim without a chapter: these sources are not those of the whole book
        return False


def write_index(app: Sphinx, error: Exception | None) -> None:
    """Write the script beside the pages."""
    if error is not None or app.builder.format != "html":
        return
    env = app.env
    labels = frozenset(env.domains["std"].anonlabels)
    entries = [*_page_entries(env), *_term_entries(env)]
    # A single page that is run again has no other pages to lead to.
    if _is_whole(env):
        for kind, made in (("tool", tool_pages()), ("method", method_pages())):
            entries += [(kind, title, "", f"{address}.html") for address, (title, _) in made.items()]
        entries += [*data_entries(), *table_entries(labels), *claim_entries(), *number_entries(labels)]
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    (Path(app.outdir) / "_static" / INDEX).write_text(f"window.bookIndex={text};\n", encoding="utf-8")
