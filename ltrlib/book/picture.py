"""The verdict picture: one square per observation, a row for each way of checking."""

from __future__ import annotations

import html
from collections.abc import Sequence

from ltrlib.claims.claim import Outcome
from ltrlib.claims.show import anchor, page_of

__all__ = ["ROWS", "checked_by", "small_picture", "verdict_picture"]

ROWS = {
    "rerun": "rerun by us",
    "rerun on other data": "rerun on other data",
    "counted": "counted in the data",
    "arithmetic": "the paper's own arithmetic",
    "not public": "not public",
}
"""Ways of checking, as the picture calls them, from the hardest to the easiest."""


def checked_by(outcome: Outcome) -> str:
    """How a claim was checked.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> checked_by(claim("tax2015.b6.iwn-even").check())
    'arithmetic'
    """
    kinds = {"PrintedNumbers": "arithmetic", "RecordedResult": "rerun", "CountedData": "counted"}
    return kinds.get(type(outcome.claim.material).__name__, "not public")


def observations(outcomes: Sequence[Outcome]) -> list[list[Outcome]]:
    """Claims that are one observation together; each has one square.

    Examples
    --------
    >>> observations([])
    []
    """
    return [[outcome] for outcome in outcomes]


def _square(found: Sequence[Outcome], address: str) -> str:
    worst = max(found, key=lambda one: one.verdict.severity)
    words = f"{worst.verdict.word}: {worst.claim.statement}"
    if len(found) > 1:
        words += f" (and {len(found) - 1} more of the same cause)"
    return (
        f'<a class="square {worst.verdict.css_class}" href="{address}{anchor(worst.claim.id)}" '
        f'title="{html.escape(words)}" aria-label="{html.escape(words)}">{worst.verdict.shape}</a>'
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
        groups = observations([one for one in outcomes if checked_by(one) == kind])
        if not groups:
            continue
        groups.sort(key=lambda group: max(one.verdict.severity for one in group))
        squares = "".join(
            _square(group, "#" if here else f"{folder}{page_of(group[0].claim)}.html#") for group in groups
        )
        rows.append(f"<dt>{words}</dt><dd>{squares}<span class='total'>{len(groups)}</span></dd>")
    return f'<dl class="verdict-picture">{"".join(rows)}</dl>'


def small_picture(outcomes: Sequence[Outcome], kind: str) -> str:
    """The same in small, for one way of checking and without links: a strip for the front page.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> small_picture([claim("tax2015.b6.iwn-even").check()], "arithmetic").count("<i")
    1
    """
    groups = observations([one for one in outcomes if checked_by(one) == kind])
    worst = sorted(
        (max((one.verdict for one in group), key=lambda v: v.severity) for group in groups), key=lambda v: v.severity
    )
    counts = html.escape(", ".join(f"{worst.count(verdict)} {verdict.word}" for verdict in dict.fromkeys(worst)))
    marks = "".join(f'<i class="{verdict.css_class}">{verdict.shape}</i>' for verdict in worst)
    return f'<span class="small-picture" role="img" aria-label="{counts}" title="{counts}">{marks}</span>'
