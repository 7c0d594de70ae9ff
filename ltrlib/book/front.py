"""The book's first page: one ranking under all tools, four doors, what was found about each paper."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from ltrlib.across.headlines import HEADLINES
from ltrlib.book.picture import small_picture
from ltrlib.claims.causes import causes, in_words
from ltrlib.claims.claim import Outcome
from ltrlib.claims.verdict import Verdict
from ltrlib.project import chapter_names
from ltrlib.published.names import name

__all__ = ["doors_html", "found_html", "legend_html", "strip_html"]

_DOORS = (
    ("I have a number", "Can I believe it?", "chapters/01-scoreboard.html"),
    ("I compute NDCG", "Which one is it?", "chapters/04-tools.html"),
    ("I am learning", "Start from zero.", "chapters/06-start-here.html"),
    ("I have a method", "Where does it stand?", "chapters/place-your-method.html"),
)


def strip_html(values: Mapping[str, float]) -> str:
    """One bar per group of tools that give the same NDCG, from low to high.

    Parameters
    ----------
    values
        NDCG of one ranking by each tool.

    Examples
    --------
    >>> strip = strip_html({"ranklib": 0.5, "rax": 0.5, "yahoo": 0.78})
    >>> strip.count("<li"), "RankLib</a>, <a" in strip
    (2, True)
    """
    groups: dict[str, list[str]] = {}
    for tool, value in sorted(values.items(), key=lambda item: item[1]):
        groups.setdefault(f"{value:.4f}", []).append(tool)
    rows = []
    for shown, tools in groups.items():
        links = ", ".join(f'<a href="tools/{tool}.html">{html.escape(name("tool", tool))}</a>' for tool in tools)
        rows.append(
            f'<li><span class="bar" style="width: {float(shown) * 100:.1f}%"></span>'
            f'<span class="value">{shown}</span><span class="tools">{links}</span></li>'
        )
    words = f"One ranking of MQ2008, scored by {len(values)} programs. All of them call the result NDCG@10."
    return f'<p class="lead">{words}</p><ul class="strip">{"".join(rows)}</ul>'


def doors_html() -> str:
    """Four ways into the book.

    Examples
    --------
    >>> doors_html().count("<a ")
    4
    """
    links = "".join(
        f'<a class="door" href="{address}"><strong>{who}</strong><span>{question} →</span></a>'
        for who, question, address in _DOORS
    )
    return f'<nav class="doors" aria-label="Ways into the book">{links}</nav>'


def found_html(outcomes: Sequence[Outcome]) -> str:
    """A row per paper: headline, verdicts of what was rerun, verdicts of what was checked by arithmetic.

    Examples
    --------
    >>> found_html([]).count("<tr")
    5
    """
    rows = []
    for headline in HEADLINES:
        of_paper = [one for one in outcomes if one.claim.judges == headline.paper]
        page = chapter_names(headline.paper).get("paper") or next(iter(chapter_names(headline.paper).values()))
        sentence = headline.sentence(outcomes) or _counts(of_paper)
        pictures = "".join(f"<td>{small_picture(of_paper, kind)}</td>" for kind in ("rerun", "arithmetic"))
        rows.append(
            f'<tr><th scope="row"><a href="chapters/{page}.html">{html.escape(headline.called)}</a></th>'
            f"<td>{html.escape(sentence)}</td>{pictures}</tr>"
        )
    head = "".join(f'<th scope="col">{text}</th>' for text in ("paper", "what we found", "rerun", "arithmetic"))
    return (
        f'<table class="found prose"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
        f'<p class="counts-line">{_all_counts(outcomes)}</p>'
    )


def _counts(outcomes: Sequence[Outcome]) -> str:
    return f"Observations: {in_words(causes(outcomes))}."


def _all_counts(outcomes: Sequence[Outcome]) -> str:
    parts = []
    for kind, words in (("rerun", "rerun"), ("arithmetic", "checked by arithmetic"), ("counted", "counted")):
        found = [cause for cause in causes(outcomes) if cause.checked_by == kind]
        address = f"chapters/01-scoreboard.html#checked-{kind}"
        parts.append(f'<a href="{address}">{len(found)} {words}</a> ({in_words(found)})')
    return f"{len(causes(outcomes))} observations: {' · '.join(parts)}."


def legend_html() -> str:
    """The verdicts in one line, each with what it means on hovering.

    Examples
    --------
    >>> legend_html().count("<span")
    7
    """
    marks = " ".join(
        f'<span class="verdict {one.css_class}" title="{html.escape(one.meaning)}">{one.shape} {one.word}</span>'
        for one in Verdict
    )
    return f'<p class="legend">{marks}</p>'
