"""Whose NDCG: a metric with the tool whose convention it follows, as a chip that leads to the tool's page."""

from __future__ import annotations

import html
import re

from ltrlib.published.names import long_name, name

__all__ = ["EACH_TOOL", "convention_chip", "convention_chips", "headed", "tool_page"]

EACH_TOOL = "each tool"
"""In the place of a tool: the table or figure is about all of them."""

_NDCG = re.compile(r"NDCG(@\w+)?")
_SHORT = 14
"""A tool's name of at most so many letters stands below the head of a column; a longer one in its tooltip."""


def tool_page(tool: str, *, root: str = "../") -> str:
    """Address of the page about a tool.

    Parameters
    ----------
    tool
        Its key.
    root
        Way from the page to the book's first page.

    Examples
    --------
    >>> tool_page("ranklib")
    '../tools/ranklib.html'
    """
    return f"{root}tools/{tool}.html"


def convention_chip(metric: str, tool: str, *, root: str = "../") -> str:
    """A metric with the tool whose convention it follows, linked to the page about that tool.

    Parameters
    ----------
    metric
        Such as ``ndcg@10``.
    tool
        Key of the tool; `EACH_TOOL` leads to the list of them; any other text is shown as it is, without a link.
    root
        Way from the page to the book's first page.

    Examples
    --------
    >>> convention_chip("ndcg@10", "the paper's protocol")
    '<span class="chip">NDCG@10 · the paper&#x27;s protocol</span>'
    """
    from ltrlib.metrics.tools import TOOLS

    if tool == EACH_TOOL:
        text = html.escape(f"{name('metric', metric)} · {EACH_TOOL}")
        return f'<a class="chip" href="{root}chapters/04-tools.html" title="each program has its own">{text}</a>'
    text = html.escape(f"{name('metric', metric)} · {name('tool', tool)}")
    if tool not in TOOLS:
        return f'<span class="chip">{text}</span>'
    title = html.escape(f"as {long_name('tool', tool)} computes it")
    return f'<a class="chip" href="{tool_page(tool, root=root)}" title="{title}">{text}</a>'


def convention_chips(declared: str, *, root: str = "../") -> list[str]:
    """The chips of a declaration: metrics with their tools, as ``convention=`` and the role of the same name take it.

    Parameters
    ----------
    declared
        ``ndcg@10:ranklib``; several with a comma and a space between.
    root
        Way from the page to the book's first page.

    Examples
    --------
    >>> [chip.count("NDCG@10 · ") for chip in convention_chips("ndcg@10:ranklib, ndcg@10:trec_eval")]
    [1, 1]
    >>> convention_chips("")
    []
    """
    split = [one.partition(":") for one in filter(None, declared.split(", "))]
    return [convention_chip(metric, tool, root=root) for metric, _, tool in split]


def headed(head: str, declared: str, *, root: str = "../") -> str:
    """The head of a column: an NDCG in it leads to the tool whose it is, if the table declares one for all of them.

    Parameters
    ----------
    head
        Text or HTML; one that holds a link already stays as it is.
    declared, root
        As for :func:`convention_chips`.

    Examples
    --------
    >>> print(headed("NDCG@10", "ndcg@10:ranklib"))
    <a class="head-chip" href="../tools/ranklib.html" title="as RankLib computes it">NDCG@10 <small>RankLib</small></a>
    >>> headed("MAP", "ndcg@10:ranklib"), headed("NDCG@10 by RankLib", "ndcg@10:ranklib, ndcg@10:trec_eval")
    ('MAP', 'NDCG@10 by RankLib')
    """
    tools = {one.partition(":")[2] for one in declared.split(", ") if one.startswith("ndcg")}
    if len(tools) != 1 or "<a" in head or not _NDCG.search(head):
        return head
    tool = tools.pop()
    chip = convention_chip("ndcg", tool, root=root).replace('class="chip"', 'class="head-chip"')
    opening, closing = chip[: chip.index(">") + 1], chip[chip.rindex("<") :]
    if not chip.startswith("<a"):
        opening = f'<span class="head-chip" title="{html.escape(tool)}">'
    short = name("tool", tool)
    small = f" <small>{html.escape(short)}</small>" if len(short) <= _SHORT and short not in head else ""
    return _NDCG.sub(lambda found: f"{opening}{found[0]}{small}{closing}", head, count=1)
