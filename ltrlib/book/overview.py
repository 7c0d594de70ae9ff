"""What the book's first page opens with: counts of verdicts, and the findings that surprise most."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from ltrlib.book.scoreboard import SCOREBOARD, paper_name
from ltrlib.claims.show import badge, count_table, link
from ltrlib.claims.surprise import most_surprising
from ltrlib.claims.verdict import Verdict
from ltrlib.project import chapter_names

if TYPE_CHECKING:
    from ltrlib.claims.claim import Outcome

__all__ = ["counts", "findings", "legend"]


def counts(outcomes: Sequence[Outcome], *, from_root: bool = True) -> pd.DataFrame:
    """Count claims per paper and verdict; papers lead to their pages, numbers to the rows of the scoreboard.

    Parameters
    ----------
    outcomes
        All checked claims.
    from_root
        Whether the table stands on the book's first page, not in a chapter.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> counts([claim("chapelle2011.prizes.sum").check()]).iloc[0, 1]
    '<a href="chapters/01-scoreboard.html#paper-chapelle2011_verdict-exact">1</a>'
    """
    table = count_table(outcomes)
    folder = "chapters/" * from_root

    def number(count: int, **wanted: str) -> str:
        shown = "_".join(f"{name}-{value.replace(' ', '-')}" for name, value in wanted.items())
        return f'<a href="{folder}{SCOREBOARD}.html#{shown}">{count}</a>' if count else "0"

    columns = {"verdict": [*(badge(verdict) for verdict in Verdict), "**all**"]}
    for paper, row in table.iterrows():
        numbers = dict(zip(table.columns, row.tolist(), strict=True))
        cells = [number(numbers[v.word], paper=str(paper), verdict=v.word) for v in Verdict]
        name = f"[{paper_name(str(paper))}]({folder}{next(iter(chapter_names(str(paper)).values()))}.md)"
        columns[name] = [*cells, number(sum(numbers.values()), paper=str(paper))]
    together = [number(sum(table[v.word].tolist()), verdict=v.word) for v in Verdict]
    columns["all"] = [*together, f"**{len(outcomes)}**"]
    return pd.DataFrame(columns, dtype="str")


def findings(outcomes: Sequence[Outcome], number: int = 5, *, from_root: bool = True) -> str:
    """List the most surprising findings as Markdown, each with a link to its place.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> findings([claim("tax2015.b6.iwn-even").check()]).startswith("1. ")
    True
    """
    lines = []
    for place, found in enumerate(most_surprising(outcomes, number), start=1):
        claim = found.claim
        address = link(claim, from_root=from_root)
        said = html.escape(claim.statement)
        lines.append(
            f"{place}. {badge(found.verdict)} {html.escape(paper_name(claim.paper))}, {html.escape(claim.place)}: "
            f'<a href="{address}">{said}</a> Found: {html.escape(found.reason)}.'
        )
    return "\n".join(lines) or "No claim is contradicted."


def legend() -> pd.DataFrame:
    """Explain the verdicts.

    Examples
    --------
    >>> len(legend())
    7
    """
    return pd.DataFrame({"verdict": [badge(verdict) for verdict in Verdict], "meaning": [v.meaning for v in Verdict]})
