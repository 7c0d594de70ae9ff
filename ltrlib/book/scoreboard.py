"""The table of all claims, which ``_static/scoreboard.js`` lets the reader sort and filter.

Without JavaScript it is a plain table; the style sheet turns its rows into cards on a narrow screen.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from ltrlib.across.conventions.claims import Rescored
from ltrlib.book.output import show_html
from ltrlib.claims.claim import Outcome
from ltrlib.claims.show import RESCORED, badge, link, rescored_anchor
from ltrlib.claims.surprise import surprise
from ltrlib.published.tables import load_paper

__all__ = ["SCOREBOARD", "paper_name", "scoreboard_html", "show_scoreboard"]

SCOREBOARD = "01-scoreboard"
"""The page with all claims."""

_COLUMNS = ("Verdict", "Paper", "Claim", "Published → ours", "Surprise", "Why")
_SORTED_AS_TEXT = ("Claim", "Why")


def paper_name(paper: str) -> str:
    """Authors and year of a paper, as the book calls it.

    Examples
    --------
    >>> paper_name("tax2015")
    'Tax et al. 2015'
    """
    surnames = [name.split()[-1] for name in re.split(r", | and ", load_paper(paper).header.authors)]
    return f"{' and '.join(surnames) if len(surnames) < 3 else f'{surnames[0]} et al.'} {paper[-4:]}"


def scoreboard_html(
    outcomes: Sequence[Outcome], *, rescored: Sequence[Rescored] = (), static: str = "../_static"
) -> str:
    """Return the table, with its script and style sheet.

    Parameters
    ----------
    outcomes
        All checked claims.
    rescored
        Those that can be asked of another tool's NDCG; they say how many tools change the verdict.
    static
        Address of the folder with script and style sheet.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> page = scoreboard_html([claim("tax2015.b6.iwn-even").check()])
    >>> '.html#claim-tax2015-b6-iwn-even"' in page
    True
    """
    papers = list(dict.fromkeys(outcome.claim.paper for outcome in outcomes))
    head = "".join(
        f'<th scope="col" data-kind="{"text" if name in _SORTED_AS_TEXT else "number"}">{name}</th>'
        for name in _COLUMNS
    )
    others = {one.claim.id: _other_tools(one) for one in rescored if one.reason is None}
    body = "\n".join(
        _row(outcome, papers.index(outcome.claim.paper), others.get(outcome.claim.id, "")) for outcome in outcomes
    )
    return (
        f'<link rel="stylesheet" href="{static}/scoreboard.css">\n'
        f'<div class="scoreboard" id="scoreboard"><table><caption>All {len(outcomes)} claims. Each leads to its place '
        f"in the book.</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>\n"
        f'<script src="{static}/scoreboard.js" defer></script>'
    )


def show_scoreboard(outcomes: Sequence[Outcome], *, rescored: Sequence[Rescored] = ()) -> None:
    """Show the table on a page of the book.

    Examples
    --------
    >>> show_scoreboard([])  # doctest: +ELLIPSIS
    {'text/markdown': '````...{raw} html...
    """
    show_html(scoreboard_html(outcomes, rescored=rescored))


def _other_tools(one: Rescored) -> str:
    """How many tools' NDCG change the verdict, with the way to the page that shows it."""
    number, flips = len(one.under), len(one.flips)
    changes = f"another verdict under {flips} of {number}" if flips else f"the same verdict under all {number}"
    address = f"{RESCORED}.html#{rescored_anchor(one.claim.id)}"
    return f'<br><small>Scored by other tools\' NDCG: <a href="{address}">{changes}</a></small>'


def _row(outcome: Outcome, paper: int, more: str) -> str:
    claim = outcome.claim
    differences = [abs(one.difference) for one in outcome.judgements if one.difference is not None]
    score = surprise(outcome)
    title = (
        f'<a href="{link(claim)}">{html.escape(claim.statement)}</a><br>'
        f"<small>{html.escape(claim.place)}<br><code>{claim.id}</code></small>{more}"
    )
    texts = (
        (str(outcome.verdict.severity), badge(outcome)),
        (str(paper), html.escape(paper_name(claim.paper))),
        ("", title),
        (repr(max(differences)) if differences else "", html.escape(_numbers(outcome))),
        (f"{score:.4f}", f"{score:.2f}" if score else ""),
        ("", html.escape(outcome.reason)),
    )
    cells = ""
    for name, (key, text) in zip(_COLUMNS, texts, strict=True):
        sort = f' data-sort="{key}"' if name not in _SORTED_AS_TEXT else ""
        cells += f'<td data-label="{name}"{sort}>{text}</td>'
    return f'<tr data-paper="{claim.paper}" data-verdict="{outcome.verdict.word}">{cells}</tr>'


def _numbers(outcome: Outcome) -> str:
    """Published and ours of a single number; what a statement is about stands in the reason."""
    if len(outcome.judgements) > 1:
        return f"{len(outcome.judgements)} values"
    if not outcome.judgements or outcome.judgements[0].difference is None:
        return ""
    (one,) = outcome.judgements
    return f"{one.published} → {one.ours}"
