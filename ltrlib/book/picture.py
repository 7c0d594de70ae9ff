"""The verdict picture: one square per observation, a row for each way of checking."""

from __future__ import annotations

import html
from collections.abc import Sequence

from ltrlib.claims.causes import Cause, causes
from ltrlib.claims.claim import Outcome
from ltrlib.claims.show import anchor, page_of

__all__ = ["ROWS", "small_picture", "verdict_picture"]

ROWS = {
    "rerun": "rerun by us",
    "rerun on other data": "rerun on other data",
    "counted": "counted in the data",
    "arithmetic": "the paper's own arithmetic",
    "not public": "not public",
}
"""Ways of checking, as the picture calls them, from the hardest to the easiest."""


def _square(cause: Cause, address: str) -> str:
    lead, verdict = cause.lead, cause.verdict
    words = f"{cause.word}: {lead.claim.statement}"
    if len(cause.outcomes) > 1:
        words += f" ({len(cause.outcomes)} claims of one cause)"
    words = html.escape(words)
    weight = f" {cause.weight.value}"
    return (
        f'<a class="square {verdict.css_class}{weight}" href="{address}{anchor(lead.claim.id)}" '
        f'title="{words}" aria-label="{words}">{verdict.shape}</a>'
    )


def verdict_picture(outcomes: Sequence[Outcome], *, here: bool = True, folder: str = "") -> str:
    """Draw all verdicts of a paper as squares that lead to their claims.

    Parameters
    ----------
    outcomes
        Checked claims.
    here
        Whether the claims stand on the same page.
    folder
        Way to ``chapters/``, if they do not.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> drawn = verdict_picture([claim("tax2015.b6.iwn-even").check()])
    >>> drawn.count('class="square'), "own arithmetic" in drawn
    (1, True)
    """
    rows = []
    for kind, words in ROWS.items():
        groups = _sorted(outcomes, kind)
        if not groups:
            continue
        squares = ""
        for group in groups:
            if group.is_slip and "slips" not in squares:
                squares += '<span class="slips">slips of the pen</span>'
            squares += _square(group, "#" if here else f"{folder}{page_of(group.lead.claim)}.html#")
        rows.append(f"<dt>{words} <span class='total'>{len(groups)}</span></dt><dd>{squares}</dd>")
    return f'<dl class="verdict-picture">{"".join(rows)}</dl>'


def small_picture(outcomes: Sequence[Outcome], kind: str) -> str:
    """The same in small, for one way of checking and without links: a strip for the front page.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> small_picture([claim("tax2015.b6.iwn-even").check()], "arithmetic").count("<i")
    1
    """
    # A slip of the pen has no place beside a conclusion that failed; the line of counts below has it.
    worst = [cause.verdict for cause in _sorted(outcomes, kind) if not cause.is_slip]
    if not worst:
        return "–"
    counts = html.escape(", ".join(f"{worst.count(verdict)} {verdict.word}" for verdict in dict.fromkeys(worst)))
    marks = "".join(f'<i class="{verdict.css_class}">{verdict.shape}</i>' for verdict in worst)
    return f'<span class="small-picture" role="img" aria-label="{counts}" title="{counts}">{marks}</span>'


def _sorted(outcomes: Sequence[Outcome], kind: str) -> list[Cause]:
    """Causes checked in one way, the best verdict first, slips of the pen last."""
    found = [cause for cause in causes(outcomes) if cause.checked_by == kind]
    return sorted(found, key=lambda cause: (cause.is_slip, cause.verdict.severity, cause.weight.rank))
