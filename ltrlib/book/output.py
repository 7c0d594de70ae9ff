"""Figures, tables and numbers on a page.

Everything is sent in two forms: MyST Markdown, from which the book makes a figure or table with caption, label,
marks and a file of its data, and HTML, which a plain notebook shows (a papermill run, Jupyter).
"""

from __future__ import annotations

import base64
import html
import math
import os
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ltrlib.book.plain import glued, plain_html
from ltrlib.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from ltrlib.book.chips import Data

__all__ = [
    "LONGEST_CELL",
    "PLOTLY_VARIABLE",
    "folded",
    "glue",
    "glue_all",
    "show_figure",
    "show_framed",
    "show_html",
    "show_interactive",
    "show_markdown",
    "show_summary",
    "show_table",
]

PLOTLY_VARIABLE = "LTRLIB_BOOK_PLOTLY"
"""Environment variable with the address of plotly.js, relative to the page; set while the book is built."""

LONGEST_CELL = 60
"""A cell with more characters is folded."""

_LABEL = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")
_FENCE = "`" * 8


def _check_label(name: str, kind: str) -> None:
    if not _LABEL.fullmatch(name) or not name.startswith(f"{kind}-"):
        raise UsageError(
            f"not a label of a {kind}: {name!r}", cure=f"use lower case and hyphens: {kind}-tax2015-pareto"
        )


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

    glued[key] = text
    keep(key, text, display=False)


def glue_all(chapter: str, numbers: Mapping[str, str]) -> None:
    """Keep all numbers of a page: each under ``<chapter>.<what>``, as :func:`glue` does.

    Parameters
    ----------
    chapter
        What the keys begin with.
    numbers
        What -> the number as it shall be read; the one function of the page's room that computes them.

    Examples
    --------
    >>> glue_all("example", {})
    """
    for what, text in numbers.items():
        glue(f"{chapter}.{what}", text)


def _figure(content: str, *, name: str, caption: str, below: str, data: pd.DataFrame | None, kind: str = "") -> None:
    """Show a figure that is HTML: for the book as a directive, for a notebook as it is."""
    source = f"{_FENCE}{{book-figure}}\n:name: {name}\n:caption: {_line(caption)}\n"
    source += f":kind: {kind}\n" if kind else ""
    source += f"{content}\n{_FENCE}\n\n" + _foot_markdown(name, below, data)
    page = f'<figure class="{kind}">{content}<figcaption>{plain_html(caption)}</figcaption></figure>'
    _display(source, page + _foot_html(name, below, data))


def show_framed(
    content: str,
    *,
    name: str,
    caption: str,
    data: pd.DataFrame | None = None,
    convention: str = "",
    kind: str = "framed",
) -> None:
    """Show HTML with a caption, a label, and its data as a CSV file: a table that Markdown cannot write.

    Parameters
    ----------
    content
        The HTML; its caption is added here.
    name
        Label for references.
    caption, data, convention
        As for :func:`show_figure`.
    kind
        Class of the frame.

    Examples
    --------
    >>> show_framed("<p>a</p>", name="tab-example-framed", caption="One.")  # doctest: +ELLIPSIS
    {'text/markdown': '````...{book-figure}...
    """
    _figure(content, name=name, caption=caption, below=_marks((), convention), data=data, kind=kind)


def show_figure(
    figure: Figure,
    *,
    name: str,
    caption: str,
    alt: str,
    data: pd.DataFrame | None = None,
    on: Data | Sequence[Data] = (),
    convention: str = "",
) -> None:
    """Show a matplotlib figure as SVG, with caption and a text for those who cannot see it.

    Parameters
    ----------
    figure
        The figure; it is closed afterwards.
    name
        Label for references, ``fig-<paper>-<what>``.
    caption
        Markdown, one or two sentences. Begin with "Figure 2 of the paper, rerun" for a figure of the paper; any
        other gets a letter of the page.
    alt
        What the figure shows, in words; plotting functions that know the data write it.
    data
        What is drawn: offered as a CSV file.
    on
        The data sets or records behind it, shown as badges.
    convention
        Whose NDCG it shows, ``ndcg@10:ranklib``, shown as a chip; several with a comma between. In a table the heads
        of its columns lead to the tool, too.

    Examples
    --------
    >>> show_figure(None, name="Fig 1", caption="", alt="")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: not a label of a fig: 'Fig 1'
      to do: use lower case and hyphens: fig-tax2015-pareto
    """
    import matplotlib.pyplot as plt

    from ltrlib.book.svg import draw

    _check_label(name, "fig")
    drawn = draw(figure, name=name, alt=alt)
    plt.close(figure)
    _figure(drawn, name=name, caption=caption, below=_marks(on, convention), data=data)


def show_table(
    table: pd.DataFrame,
    *,
    name: str,
    caption: str,
    align: str | None = None,
    on: Data | Sequence[Data] = (),
    convention: str = "",
    fold: bool = True,
) -> None:
    """Show a table with caption; text cells are Markdown, and the whole is offered as a CSV file.

    Parameters
    ----------
    table
        Numbers with a fraction are shown with four decimals, missing ones with a dash; format them before for
        anything else. The index is not shown.
    name
        Label for references, ``tab-<paper>-<what>``.
    caption
        Markdown, one sentence. Begin with "Table 1 of the paper, rerun" for a table of the paper; any other gets a
        letter of the page.
    align
        One letter per column, ``l``, ``r`` or ``c``; numbers to the right when not given.
    on, convention
        As for :func:`show_figure`.
    fold
        Whether cells of more than `LONGEST_CELL` characters are folded; not in a table of explanations.

    Examples
    --------
    >>> import pandas as pd
    >>> show_table(pd.DataFrame({"a": ["1"]}), name="tab-example-small", caption="A cell.")  # doctest: +ELLIPSIS
    {'text/markdown': '```{table} A cell...
    """
    from ltrlib.published.chips import headed

    _check_label(name, "tab")
    cells = [[_text(value) for value in row] for row in table.itertuples(index=False)]
    columns = [str(column) for column in table.columns]
    if align is None:
        align = "".join("r" if _all_numbers([row[i] for row in cells]) else "l" for i in range(len(columns)))
    rule = {"l": ":--", "r": "--:", "c": ":-:"}
    shown = [[folded(cell) if fold else cell for cell in row] for row in cells]
    heads = [headed(column, convention) for column in columns]
    lines = [heads, [rule[letter] for letter in align], *shown]
    body = "\n".join("| " + " | ".join(_in_cell(cell) for cell in line) + " |" for line in lines)
    below = _marks(on, convention)
    foot = _foot_markdown(name, below, table)
    page = f"<p>{plain_html(caption)}</p>{plain_html(body)}" + _foot_html(name, below, table)
    prose = "" if fold else ":class: prose\n"
    _display(f"```{{table}} {_line(caption)}\n:name: {name}\n{prose}\n{body}\n```\n\n{foot}", page)


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


def _line(text: str) -> str:
    return " ".join(text.split())


def bare(text: str) -> str:
    """The words of a cell: no tags, no emphasis, links by their text.

    Examples
    --------
    >>> bare('**0.5** <span class="x">● exact</span> [here](a.md)')
    '0.5 ● exact here'
    """
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"<[^>]*>", "", text))
    return html.unescape(re.sub(r"\*\*|(?<!\w)[*`]|[*`](?!\w)", "", text))


def folded(cell: str) -> str:
    """A cell of more than `LONGEST_CELL` characters as its beginning, which opens to the whole; any other as it is.

    Examples
    --------
    >>> folded("short")
    'short'
    """
    words = bare(cell)
    if len(words) <= LONGEST_CELL or "<details" in cell or "$" in cell:
        return cell
    head = words[: LONGEST_CELL - 8].rsplit(" ", 1)[0].rstrip(",;:.( ")
    return f'<details class="cell-more"><summary>{html.escape(head)} …</summary>{cell}</details>'


def _marks(on: Data | Sequence[Data], convention: str) -> str:
    from ltrlib.book.chips import data_badge
    from ltrlib.published.chips import convention_chips

    every = on if isinstance(on, list | tuple) else (on,)
    return " ".join([*(data_badge(one) for one in every), *convention_chips(convention)])


def _csv(table: pd.DataFrame) -> str:
    plain = table.map(lambda cell: bare(cell) if isinstance(cell, str) else cell)
    plain.columns = [bare(str(column)) for column in table.columns]
    return str(plain.to_csv(index=False))


def _foot_markdown(name: str, marks: str, table: pd.DataFrame | None) -> str:
    if table is None and not marks:
        return ""
    content = "" if table is None else _csv(table)
    return f"{_FENCE}{{book-foot}} {name}\n:marks: {marks}\n\n{content}{_FENCE}\n"


def _foot_html(name: str, marks: str, table: pd.DataFrame | None) -> str:
    if table is None:
        return f"<p>{marks}</p>" if marks else ""
    address = "data:text/csv;base64," + base64.b64encode(_csv(table).encode()).decode()
    return f'<p>{marks} <a download="{name}.csv" href="{address}">CSV</a></p>'


def show_markdown(markdown: str) -> None:
    """Show generated MyST Markdown: a notice, a list, a protocol block.

    Examples
    --------
    >>> show_markdown("**Note**")
    {'text/markdown': '**Note**', 'text/html': '<p><strong>Note</strong></p>', 'text/plain': ''}
    """
    _display(markdown, plain_html(markdown))


def show_summary(*sentences: str, convention: str = "") -> None:
    """Show the box with which a page opens: what was found, in three sentences with computed numbers.

    Parameters
    ----------
    sentences
        Markdown; each with its numbers filled in by the code that computed them.
    convention
        Whose NDCG the numbers are, as for :func:`show_figure`; the chips stand in the box.

    Examples
    --------
    >>> show_summary("It holds: 0.717 where the paper has 0.720.")  # doctest: +ELLIPSIS
    {'text/markdown': '::::{div} summary...
    """
    items = "\n".join(f"- {_line(sentence)}" for sentence in sentences)
    chips = f'\n\n<p class="foot">{_marks((), convention)}</p>' if convention else ""
    _display(f"::::{{div}} summary\n{items}{chips}\n::::", plain_html(items) + chips)


def show_html(page: str) -> None:
    """Show generated HTML as it is.

    Examples
    --------
    >>> show_html("<p>a</p>")  # doctest: +ELLIPSIS
    {'text/markdown': '````...{raw} html...
    """
    _display(f"{_FENCE}{{raw}} html\n{page}\n{_FENCE}", page)


def show_interactive(
    figure: Any,
    *,
    name: str,
    caption: str,
    alt: str,
    static: Figure | None = None,
    data: pd.DataFrame | None = None,
    on: Data | Sequence[Data] = (),
    convention: str = "",
) -> None:
    """Show a plotly figure that needs no network, follows light and dark, and can be reached by keyboard.

    Parameters
    ----------
    figure
        A ``plotly.graph_objects.Figure``.
    name, caption, alt, data, on, convention
        As for :func:`show_figure`.
    static
        The same as a matplotlib figure, for print and for readers without JavaScript; nobody else sees it.

    Examples
    --------
    >>> show_interactive(None, name="x", caption="", alt="")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: not a label of a fig: 'x'
      to do: use lower case and hyphens: fig-tax2015-pareto
    """
    _check_label(name, "fig")
    address = os.environ.get(PLOTLY_VARIABLE)
    figure.update_layout(
        template="plotly_white", font_size=13, paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)"
    )
    if any("markers" in (trace.mode or "") for trace in figure.data if trace.type == "scatter"):
        # A line through points lies on top of them and would answer in their place.
        figure.update_traces(hoverinfo="skip", hovertemplate=None, selector={"type": "scatter", "mode": "lines"})
    plot = figure.to_html(
        full_html=False,
        include_plotlyjs=True if address is None else address,
        div_id=f"plot-{name}",
        config={"responsive": True, "displaylogo": False},
    )
    twin = ""
    if static is not None:
        import matplotlib.pyplot as plt

        from ltrlib.book.svg import draw

        twin = f'<div class="static-twin">{draw(static, name=f"{name}-static", alt=alt)}</div>'
        plt.close(static)
    content = f'<div class="plot" role="group" aria-label="{html.escape(_line(alt))}">{plot}</div>{twin}'
    _figure(content, name=name, caption=caption, below=_marks(on, convention), data=data, kind="interactive")
