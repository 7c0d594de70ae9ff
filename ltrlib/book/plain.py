"""MyST as a plain notebook shows it: the same words, without the book's directives and roles.

Jupyter knows Markdown and HTML, and nothing of glued numbers, citations or admonitions; what the book would
resolve is resolved here, as far as a single page can.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

__all__ = ["glued", "plain_html", "plain_markdown"]

_ROLE = re.compile(r"\{([a-z:]+)\}`([^`]*)`")
_FENCE = re.compile(
    r"^(?P<mark>:{3,}|`{3,})\{(?P<kind>[\w:-]+)\} ?(?P<title>[^\n]*)\n(?P<body>.*?)^(?P=mark)[ \t]*$", re.M | re.S
)
_OPTION = re.compile(r"\A(?::[\w-]+:[^\n]*\n)+|\A---\n.*?\n---\n", re.DOTALL)
_TARGET = re.compile(r"^\([\w-]+\)=\n", re.MULTILINE)
_BOXES = {"admonition", "note", "tip", "danger", "warning", "important", "hint", "seealso"}

glued: dict[str, str] = {}
"""Numbers glued so far in this process, by key."""


def plain_markdown(text: str, numbers: Mapping[str, str] | None = None) -> str:
    r"""Markdown that every notebook viewer can show.

    Parameters
    ----------
    text
        MyST.
    numbers
        Glued texts by key; those of this process if not given.

    Examples
    --------
    >>> plain_markdown("Ours is {glue:text}`x.a`, says {cite:t}`tax2015`.", {"x.a": "0.5"})
    'Ours is 0.5, says Tax et al. 2015.'
    >>> plain_markdown("NDCG {cite:p}`jarvelin2002` is a mean.")
    'NDCG (Järvelin and Kekäläinen 2002) is a mean.'
    >>> print(plain_markdown(":::{note}\nLook.\n:::"))
    > **Note.** Look.
    """
    known = glued if numbers is None else numbers

    def role(match: re.Match[str]) -> str:
        kind, content = match.groups()
        if kind.startswith("glue"):
            return known.get(content.partition(":")[0], f"[{content}]")
        if kind.startswith("cite"):
            cited = "; ".join(_citation(key.strip()) for key in content.split(","))
            return f"({cited})" if kind == "cite:p" else cited
        if kind == "convention":
            return f"({content.replace(':', ' by ')})"
        shown = re.fullmatch(r"(.*?)\s*<[^>]*>", content)
        if kind in ("numref", "ref", "doc", "term") and not shown:
            return _of_label(content) if kind in ("numref", "ref") else content
        return f"${content}$" if kind == "math" else shown[1] if shown else content

    def fence(match: re.Match[str]) -> str:
        kind, title = match["kind"], match["title"].strip()
        body = plain_markdown(_OPTION.sub("", match["body"], count=1).strip(), known)
        if kind in ("code-block", "code", "sourcecode"):
            return f"```{title}\n{body}\n```"
        if kind == "math":
            return f"$$\n{body}\n$$"
        if kind in ("raw", "table", "div", "list-table"):
            return f"{title}\n\n{body}" if kind == "table" else body
        if kind in ("bibliography", "book-status", "book-coverage", "tableofcontents"):
            return ""
        head = title if kind == "admonition" or (title and kind not in _BOXES) else kind.capitalize()
        return "\n".join(f"> {line}".rstrip() for line in f"**{head}.** {body}".splitlines())

    text = _TARGET.sub("", text)
    while (done := _FENCE.sub(fence, text)) != text:
        text = done
    text = _ROLE.sub(role, text)
    return re.sub(r"\]\(([\w./-]+)\.md(#[\w-]+)?\)", r"](\1.html\2)", text)


def plain_html(text: str) -> str:
    """The same as HTML.

    Examples
    --------
    >>> plain_html("A *word*, {math}`x`")
    '<p>A <em>word</em>, $x$</p>'
    """
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark", {"html": True}).enable("table").render(plain_markdown(text))).strip()


def _citation(key: str) -> str:
    """Author and year from a key such as ``tax2015``, by the bibliography where it has the entry."""
    from pybtex.richtext import Text

    from ltrlib.project import ROOT

    path = ROOT / "references.bib"
    entry = re.search(rf"@\w+\{{{re.escape(key)},(.*?)\n\}}", path.read_text() if path.exists() else "", re.DOTALL)
    author = re.search(r"author\s*=\s*[{\"](.*?)[}\"],?\n", entry[1], re.DOTALL) if entry else None
    year = re.search(r"year\s*=\s*[{\"]?(\d{4})", entry[1]) if entry else None
    if not author or not year:
        return html.escape(key)
    names = [name.split(",")[0] if "," in name else name.split()[-1] for name in re.split(r"\s+and\s+", author[1])]
    names = [str(Text.from_latex(name)) for name in names]
    shown = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
    return f"{shown} {year[1]}"


def _of_label(label: str) -> str:
    kind = {"fig": "the figure", "tab": "the table"}.get(label.partition("-")[0])
    return f"{kind} “{label.partition('-')[2].replace('-', ' ')}”" if kind else label
