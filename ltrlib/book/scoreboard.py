"""All claims of all papers, which ``_static/claims.js`` lets the reader filter and sort; without it all are shown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ltrlib.across.conventions.rescoring import Rescored
from ltrlib.book.claim_rows import MOST_CELLS, claim_row
from ltrlib.book.output import show_html
from ltrlib.claims.claim import Outcome
from ltrlib.claims.show import RESCORED, rescored_anchor
from ltrlib.claims.surprise import surprise
from ltrlib.published.tables import load_paper

__all__ = ["SCOREBOARD", "paper_name", "scoreboard_html", "show_scoreboard"]

SCOREBOARD = "01-scoreboard"
"""The page with all claims."""


_OTHERS = {"letor4": "LETOR 4.0 baselines", "liu2011": "Liu 2011"}


def paper_name(paper: str) -> str:
    """Authors and year of a publication, as the book calls it.

    Examples
    --------
    >>> paper_name("tax2015")
    'Tax et al. 2015'
    >>> paper_name("letor4")
    'LETOR 4.0 baselines'
    """
    if paper in _OTHERS:
        return _OTHERS[paper]
    surnames = [name.split()[-1] for name in re.split(r", | and ", load_paper(paper).header.authors)]
    return f"{' and '.join(surnames) if len(surnames) < 3 else f'{surnames[0]} et al.'} {paper[-4:]}"


def scoreboard_html(outcomes: Sequence[Outcome], *, rescored: Sequence[Rescored] = ()) -> str:
    """Return the list, one line per claim.

    Parameters
    ----------
    outcomes
        All checked claims.
    rescored
        Those that can be asked of another tool's NDCG; they say how many tools change the verdict.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> page = scoreboard_html([claim("tax2015.b6.iwn-even").check()])
    >>> '.html#claim-tax2015-b6-iwn-even"' in page
    True
    """
    others = {one.claim.id: _other_tools(one) for one in rescored if one.reason is None}
    rows = "\n".join(
        claim_row(
            outcome,
            more=others.get(outcome.claim.id, ""),
            data={"paper-name": paper_name(outcome.claim.judges), "surprise": f"{surprise(outcome):.4f}"},
            paper=paper_name(outcome.claim.judges),
            most=MOST_CELLS,
        )
        for outcome in sorted(outcomes, key=lambda one: one.claim.weight.rank)
    )
    return f'<div class="claims" id="scoreboard" data-filters="">\n{rows}\n</div>'


def show_scoreboard(outcomes: Sequence[Outcome], *, rescored: Sequence[Rescored] = ()) -> None:
    """Show the list on a page of the book.

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
    return f'<p>Scored by other tools\' NDCG: <a href="{address}">{changes}</a>.</p>\n'
