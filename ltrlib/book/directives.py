"""What the book's own directives and roles make of a chapter's output.

- ``book-figure``: a figure whose picture is HTML (an inline drawing, a plotly figure), with caption and label;
- ``book-foot``: the line below a table or figure, with its marks, and the CSV file that it leads to;
- ``convention``: whose NDCG a sentence speaks of, as the chip of a table;
- ``numref``: a figure or table by the letter that it has on its page, or by what the paper calls it.

Nothing is numbered through the book: "Table 1" is a table of a paper, ours are Table A, B, C of their page.
"""

from __future__ import annotations

import re
import string
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.roles import XRefRole
from sphinx.util.docutils import SphinxDirective, SphinxRole

from ltrlib.published.chips import convention_chips

__all__ = ["letter", "setup"]

DATA = "_data"
"""Folder of the book with the CSV files of its tables and figures."""

_OF_PAPER = re.compile(r"(Table|Figure|Tables|Figures|Algorithm) [\w.]+(( and|,| to) [\w.]+)* of (the paper|\w+)")


def setup(app: Sphinx) -> None:
    """Register the directives, the role, and what happens between reading and writing."""
    app.add_directive("book-figure", FigureDirective)
    app.add_directive("book-foot", FootDirective)
    app.add_role("convention", ConventionRole())
    app.add_role_to_domain("std", "numref", LetterRole(), override=True)
    app.connect("config-inited", number_nothing, priority=900)
    app.connect("doctree-read", give_letters)
    app.connect("missing-reference", resolve_numref)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("build-finished", write_data)


def _letters(env: BuildEnvironment) -> dict[str, dict[str, str]]:
    """Page -> id of a figure or table -> what it is called."""
    found: dict[str, dict[str, str]] = vars(env).setdefault("ltrlib_letters", {})
    return found


def _files(env: BuildEnvironment) -> dict[str, dict[str, str]]:
    """Page -> label of a figure or table -> its data as CSV."""
    found: dict[str, dict[str, str]] = vars(env).setdefault("ltrlib_files", {})
    return found


def number_nothing(app: Sphinx, config: Any) -> None:
    """Keep figures and tables without numbers; jupyter-book turns numbers on whatever its configuration says."""
    config.numfig = False


class FigureDirective(SphinxDirective):
    """A figure whose picture is HTML."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "name": directives.unchanged_required,
        "caption": directives.unchanged_required,
        "kind": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Make a figure node, so that labels and references work as for any other figure."""
        kinds = self.options.get("kind", "").split()
        text, messages = self.parse_inline(self.options["caption"])
        # The style sheet puts the caption of a table above it: in the source it comes last, since a caption's element
        # is closed only with its figure.
        figure = nodes.figure(
            "",
            nodes.raw("", "\n".join(self.content), format="html"),
            nodes.caption(self.options["caption"], "", *text),
        )
        figure["classes"] += ["book-figure", *kinds]
        self.add_name(figure)
        self.set_source_info(figure)
        return [figure, *messages]


class FootDirective(SphinxDirective):
    """Marks and data of the table or figure above."""

    has_content = True
    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"marks": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Keep the data for the end of the build; show the line."""
        label = self.arguments[0]
        parts = [self.options.get("marks") or ""]
        if self.content:
            _files(self.env).setdefault(self.env.docname, {})[label] = "\n".join(self.content) + "\n"
            address = "../" * self.env.docname.count("/") + f"{DATA}/{label}.csv"
            parts.append(f'<a class="csv" href="{address}" download="{label}.csv" aria-label="{label} as CSV">CSV</a>')
        return [nodes.raw("", f'<p class="foot">{" ".join(filter(None, parts))}</p>', format="html")]


class ConventionRole(SphinxRole):
    """``{convention}`` followed by ``ndcg@10:ranklib``: the chip, in a sentence."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Write the chips."""
        root = "../" * self.env.docname.count("/")
        return [nodes.raw("", " ".join(convention_chips(self.text, root=root)), format="html")], []


class LetterRole(XRefRole):
    """``{numref}``, taken out of Sphinx's own domain, which knows numbers only."""

    def result_nodes(
        self, document: nodes.document, env: BuildEnvironment, node: nodes.Element, is_ref: bool
    ) -> tuple[list[nodes.Node], list[Any]]:
        """Let :func:`resolve_numref` find the target."""
        node["refdomain"] = ""
        return [node], []


def letter(place: int) -> str:
    """The letters of a page: A to Z, then AA.

    Examples
    --------
    >>> letter(0), letter(25), letter(26)
    ('A', 'Z', 'AA')
    """
    first, second = divmod(place, 26)
    return (string.ascii_uppercase[first - 1] if first else "") + string.ascii_uppercase[second]


def give_letters(app: Sphinx, doctree: nodes.document) -> None:
    """Name the figures and tables of a page that have a caption and a label."""
    names: dict[str, str] = {}
    counts = {"Figure": 0, "Table": 0}
    for node in doctree.findall(lambda one: isinstance(one, nodes.figure | nodes.table)):
        title = next(iter(node.findall(lambda one: isinstance(one, nodes.caption | nodes.title))), None)
        if title is None or not node["ids"]:  # type: ignore[index]
            continue
        is_figure = isinstance(node, nodes.figure) and "framed" not in node["classes"]
        kind = "Figure" if is_figure else "Table"
        if of_paper := _OF_PAPER.match(title.astext()):
            called = of_paper[0]
        else:
            called = f"{kind} {letter(counts[kind])}"
            counts[kind] += 1
            title.insert(0, nodes.inline("", f"{called}. ", classes=["caption-letter"]))  # type: ignore[attr-defined]
        names |= dict.fromkeys(node["ids"], called)  # type: ignore[index]
    _letters(app.env)[app.env.docname] = names


def resolve_numref(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, content: nodes.TextElement
) -> nodes.reference | None:
    """Turn ``{numref}`` into a link with the letter; on another page, with that page's title."""
    if node["reftype"] != "numref":
        return None
    page, target = env.domains["std"].anonlabels.get(node["reftarget"], ("", ""))
    called = _letters(env).get(page, {}).get(target)
    if called is None:
        return None
    here = node["refdoc"]
    if page != here:
        called = f"{called} of “{env.titles[page].astext()}”"
    address = f"#{target}" if page == here else f"{app.builder.get_relative_uri(here, page)}#{target}"
    return nodes.reference("", called, internal=True, refuri=address)


def forget(app: Sphinx, env: BuildEnvironment, page: str) -> None:
    """A page is read again."""
    _letters(env).pop(page, None)
    _files(env).pop(page, None)


def merge(app: Sphinx, env: BuildEnvironment, pages: set[str], other: BuildEnvironment) -> None:
    """Take over what another process has read."""
    for page in pages:
        _letters(env)[page] = _letters(other).get(page, {})
        _files(env)[page] = _files(other).get(page, {})


def write_data(app: Sphinx, error: Exception | None) -> None:
    """Write the CSV files beside the pages."""
    if error is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / DATA
    folder.mkdir(exist_ok=True)
    wanted = {label: text for page in _files(app.env).values() for label, text in page.items()}
    for old in folder.glob("*.csv"):
        if old.stem not in wanted:
            old.unlink()
    for label, text in wanted.items():
        (folder / f"{label}.csv").write_text(text, encoding="utf-8")
