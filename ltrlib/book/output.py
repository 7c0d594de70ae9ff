"""Figures, tables and numbers on a page.

Everything is sent in two forms: MyST Markdown, from which the book makes a numbered figure or table with caption
and label, and HTML, which a plain notebook shows (a papermill run, Jupyter).
"""

from __future__ import annotations

import base64
import html
import io
import json
import math
import os
import re
from typing import TYPE_CHECKING, Any

from ltrlib.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["PLOTLY_VARIABLE", "glue", "show_figure", "show_html", "show_interactive", "show_markdown", "show_table"]

PLOTLY_VARIABLE = "LTRLIB_BOOK_PLOTLY"
"""Environment variable with the address of plotly.js, relative to the page; set while the book is built."""

_LABEL = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")


def _check_label(name: str, kind: str) -> None:
    if not _LABEL.fullmatch(name) or not name.startswith(f"{kind}-"):
        raise UsageError(f"{name!r} is no label of a {kind}", cure=f"use lower case and hyphens: {kind}-tax2015-pareto")


def _display(markdown: str, page: str) -> None:
    from IPython.display import display

    display({"text/markdown": markdown, "text/html": page, "text/plain": ""}, raw=True)


def glue(key: str, text: str) -> None:
    """Keep a formatted number under a key; the page's prose shows it with ``{glue:text}`` followed by the key.

    Parameters
    ----------
    key
        ``<chapter>.<what>``, such as ``"tax2015.odd-total"``.
    text
        The number as it shall be read; formatting is the caller's, so only strings are taken.

    Examples
    --------
    >>> glue("example.answer", 42)
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: glue takes formatted text, but example.answer is a int
      to do: write f"{value:.4f}"
    """
    if not isinstance(text, str):
        raise UsageError(
            f"glue takes formatted text, but {key} is a {type(text).__name__}", cure='write f"{value:.4f}"'
        )
    from myst_nb import glue as keep

    keep(key, text, display=False)


def show_figure(figure: Figure, *, name: str, caption: str, alt: str) -> None:
    """Show a matplotlib figure, numbered, with caption and a text for those who cannot see it.

    Parameters
    ----------
    figure
        The figure; it is closed afterwards.
    name
        Label for references, ``fig-<paper>-<what>``.
    caption
        Markdown, one or two sentences.
    alt
        What the figure shows, in words; plotting functions that know the data write it.

    Examples
    --------
    >>> show_figure(None, name="Fig 1", caption="", alt="")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: 'Fig 1' is no label of a fig
      to do: use lower case and hyphens: fig-tax2015-pareto
    """
    import matplotlib.pyplot as plt

    _check_label(name, "fig")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=200, bbox_inches="tight")
    width = int(figure.get_size_inches()[0] * 100)
    plt.close(figure)
    address = "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
    alt = " ".join(alt.split())
    options = f"name: {name}\nalt: {json.dumps(alt, ensure_ascii=False)}\nwidth: {width}px"
    markdown = f"```{{figure}} {address}\n---\n{options}\n---\n{caption}\n```"
    page = (
        f'<figure><img src="{address}" alt="{html.escape(alt)}" style="max-width: min(100%, {width}px)">'
        f"<figcaption>{html.escape(caption)}</figcaption></figure>"
    )
    _display(markdown, page)


def show_table(table: pd.DataFrame, *, name: str, caption: str, align: str | None = None) -> None:
    """Show a table, numbered, with caption; text cells are Markdown.

    Parameters
    ----------
    table
        Numbers with a fraction are shown with four decimals, missing ones with a dash; format them before for
        anything else. The index is not shown.
    name
        Label for references, ``tab-<paper>-<what>``.
    caption
        Markdown, one sentence.
    align
        One letter per column, ``l``, ``r`` or ``c``; numbers to the right when not given.

    Examples
    --------
    >>> import pandas as pd
    >>> show_table(pd.DataFrame({"a": ["1"]}), name="tab-example-small", caption="A cell.")  # doctest: +ELLIPSIS
    {'text/markdown': '```{table} A cell...
    """
    _check_label(name, "tab")
    cells = [[_text(value) for value in row] for row in table.itertuples(index=False)]
    columns = [str(column) for column in table.columns]
    if align is None:
        align = "".join("r" if _all_numbers([row[i] for row in cells]) else "l" for i in range(len(columns)))
    rule = {"l": ":--", "r": "--:", "c": ":-:"}
    lines = [columns, [rule[letter] for letter in align], *cells]
    body = "\n".join("| " + " | ".join(_in_cell(cell) for cell in line) + " |" for line in lines)
    _display(f"```{{table}} {caption}\n:name: {name}\n\n{body}\n```", table.to_html(index=False, escape=False))


def _text(value: object) -> str:
    if not isinstance(value, float):
        return str(value)
    if math.isnan(value):
        return "–"
    return f"{value:,.0f}" if value.is_integer() else f"{value:.4f}"


_NUMBER = re.compile(r"[-+−±]?[\d.,  ]*\d[\d.,]*([eE][-+]?\d+)?( ?%)?(\(\d+\))?")


def _all_numbers(cells: list[str]) -> bool:
    filled = [cell for cell in cells if cell not in ("", "–", "—")]
    return bool(filled) and all(_NUMBER.fullmatch(cell) for cell in filled)


def _in_cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def show_markdown(markdown: str) -> None:
    """Show generated MyST Markdown: a notice, a list, a protocol block.

    Examples
    --------
    >>> show_markdown("**Note**")
    {'text/markdown': '**Note**', 'text/html': '<pre>**Note**</pre>', 'text/plain': ''}
    """
    _display(markdown, f"<pre>{html.escape(markdown)}</pre>")


def show_html(page: str) -> None:
    """Show generated HTML as it is.

    Examples
    --------
    >>> show_html("<p>a</p>")  # doctest: +ELLIPSIS
    {'text/markdown': '````...{raw} html...
    """
    fence = "`" * 8
    _display(f"{fence}{{raw}} html\n{page}\n{fence}", page)


def show_interactive(figure: Any, *, name: str, caption: str, alt: str) -> None:
    """Show a plotly figure that needs no network; every one needs a static twin beside it for print.

    Parameters
    ----------
    figure
        A ``plotly.graph_objects.Figure``.
    name, caption, alt
        As for :func:`show_figure`; the label makes an anchor, the caption stands below.

    Examples
    --------
    >>> show_interactive(None, name="x", caption="", alt="")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: 'x' is no label of a fig
      to do: use lower case and hyphens: fig-tax2015-pareto
    """
    from IPython.display import HTML, display

    _check_label(name, "fig")
    address = os.environ.get(PLOTLY_VARIABLE)
    figure.update_layout(template="plotly_white", font_size=12)
    plot = figure.to_html(
        full_html=False,
        include_plotlyjs=True if address is None else address,
        div_id=f"plot-{name}",
        config={"responsive": True, "displaylogo": False},
    )
    display(
        HTML(
            f'<figure class="interactive" id="{name}" role="group" aria-label="{html.escape(alt)}">{plot}'
            f"<figcaption>{html.escape(caption)}</figcaption></figure>"
        )
    )
