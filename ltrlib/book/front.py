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

_PICTURES = {"rerun": "what we reran", "arithmetic": "its own arithmetic"}
_WAYS = {
    "rerun": "rerun",
    "rerun on other data": "rerun on data that the paper did not use",
    "counted": "counted in the data",
    "arithmetic": "checked by arithmetic",
    "not public": "beyond checking, because what they need is not public",
}


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
            f'<li><span class="tools">{links}</span><span class="track">'
            f'<span class="bar" style="width: {float(shown) * 100:.1f}%"></span>'
            f'<span class="value">{shown}</span></span></li>'
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
        f'<a class="door" href="{address}"><strong>{who}</strong><span>{question}&nbsp;→</span></a>'
        for who, question, address in _DOORS
    )
    return f'<nav class="doors" aria-label="Ways into the book">{links}</nav>'


def found_html(outcomes: Sequence[Outcome]) -> str:
    """A row per paper with its headline and the verdicts of what was rerun and of its arithmetic; below, all counts.

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
        pictures = "".join(
            f'<td data-label="{words}">{small_picture(of_paper, kind)}</td>' for kind, words in _PICTURES.items()
        )
        rows.append(
            f'<tr><th scope="row"><a href="chapters/{page}.html">{html.escape(headline.called)}</a></th>'
            f"<td>{html.escape(sentence)}</td>{pictures}</tr>"
        )
    heads = ("paper", "what we found", *_PICTURES.values())
    head = "".join(f'<th scope="col">{text}</th>' for text in heads)
    return (
        f'<table class="found prose"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
        f"{legend_html()}{_all_counts(outcomes)}"
    )


def _counts(outcomes: Sequence[Outcome]) -> str:
    return f"Observations: {in_words(causes(outcomes))}."


def _all_counts(outcomes: Sequence[Outcome]) -> str:
    """One line per way of checking, from the hardest to the easiest; together they are all observations."""
    lines = []
    every = causes(outcomes)
    for kind, words in _WAYS.items():
        found = [cause for cause in every if cause.checked_by == kind]
        if not found:
            continue
        link = f'<a href="chapters/01-scoreboard.html#checked-{kind.replace(" ", "-")}">{len(found)} {words}</a>'
        lines.append(f"<li>{link}{'' if kind == 'not public' else f': {in_words(found)}'}</li>")
    return (
        '<p class="counts-line">A mark is one observation; slips of the pen and other ways of checking have none here. '
        f"Claims that rest on the same numbers share one: {len(outcomes)} claims make {len(every)}.</p>"
        f'<ul class="counts-line">{"".join(lines)}</ul>'
    )


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
