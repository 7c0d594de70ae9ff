"""Small marks beside a number, a table or a figure: from which data it comes, and whose NDCG it is."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, TypeAlias

from ltrlib.published.names import long_name, name

if TYPE_CHECKING:
    from ltrlib.records.record import Record

__all__ = ["EACH_TOOL", "Data", "convention_chip", "data_badge", "tool_page"]

Data: TypeAlias = "str | Record"
"""A data set by its key, or a record that was read."""


EACH_TOOL = "each tool"
"""In the place of a tool: the table or figure is about all of them."""


def data_badge(data: Data) -> str:
    """Say what a number was computed on: real data, a record of real data, or a stand-in.

    Examples
    --------
    >>> data_badge("mq2008")
    '<span class="data-badge data-real" title="computed on the real MQ2008 (LETOR 4.0)">real MQ2008</span>'
    >>> ">stand-in for MQ2008</span>" in data_badge("standin/mq2008")
    True
    """
    if isinstance(data, str):
        shown = html.escape(name("data", data))
        if data.startswith("standin/"):
            words = "generated rows that resemble the real set; nothing here speaks for or against a published number"
            return f'<span class="data-badge data-standin" title="{words}">{shown}</span>'
        title = html.escape(f"computed on the real {long_name('data', data)}")
        return f'<span class="data-badge data-real" title="{title}">real {shown}</span>'
    keys = list(dict.fromkeys(source.name for source in data.sources))
    shown = html.escape(", ".join(name("data", key) for key in keys) or "no data set")
    kind = "data-standin" if data.standin else "data-record"
    title = html.escape(f"read from the record {data.name}, made on {data.provenance['made'][:10]}")
    what = "record of the" if data.standin or not keys else "record of the real"
    return f'<span class="data-badge {kind}" title="{title}">{what} {shown}</span>'


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
