"""The page on a whole paper, "does it hold?": answer, verdict picture, the paper's tables, all its claims.

The chapter has the headings and the prose; each part is one call. What is particular to a paper stands in its room
``paper``: a module ``page`` with ``summary(outcomes)`` and the layouts of the tables.
"""

from __future__ import annotations

from collections.abc import Sequence

from ltrlib.book.claim_rows import claims_html
from ltrlib.book.output import show_html, show_summary
from ltrlib.book.paper_table import show_paper_table
from ltrlib.book.picture import verdict_picture
from ltrlib.claims.causes import causes, in_words
from ltrlib.claims.claim import Outcome
from ltrlib.claims.registry import claims
from ltrlib.published.layout import TableLayout

__all__ = ["check_paper", "show_all_claims", "show_answer", "show_tables"]


def check_paper(paper: str | None = None, room: str | None = None) -> list[Outcome]:
    """Check all claims, those of a paper, or those of one of its chapters, in the order of the book.

    A claim that judges another publication's numbers counts neither for nor against the paper: it stands in its chapter
    and among all claims, not on the paper's page.

    Examples
    --------
    >>> len(check_paper("koppel2019")) > len(check_paper("koppel2019", "model")) > 0
    True
    """
    found = claims(paper, room)
    own_only = paper is not None and room is None
    return [claim.check() for claim in found if not own_only or claim.judges == paper]


def show_answer(outcomes: Sequence[Outcome], *sentences: str, convention: str = "") -> None:
    """Show the three sentences of the answer, and all verdicts as one picture.

    Parameters
    ----------
    outcomes
        All checked claims of the paper.
    sentences
        The answer; its numbers are computed by the room's ``page.summary``.
    convention
        Whose NDCG the answer names, as for :func:`ltrlib.book.output.show_summary`.

    Examples
    --------
    >>> show_answer([], "It holds.")  # doctest: +ELLIPSIS
    {'text/markdown': '::::{div} summary...
    """
    show_summary(*sentences, convention=convention)
    show_html(verdict_picture(outcomes) + counts_line(outcomes))


def counts_line(outcomes: Sequence[Outcome]) -> str:
    """How many observations were checked, and how many hold.

    Examples
    --------
    >>> counts_line([])
    '<p class="counts-line">0 observations: none.</p>'
    """
    found = causes(outcomes)
    more = f", made of {len(outcomes)} claims" if len(outcomes) > len(found) else ""
    return f'<p class="counts-line">{len(found)} observations{more}: {in_words(found)}.</p>'


def show_tables(outcomes: Sequence[Outcome], *layouts: TableLayout) -> None:
    """Show tables of the paper, with ours and the verdict in each cell.

    Examples
    --------
    >>> show_tables([])
    """
    for layout in layouts:
        show_paper_table(layout, outcomes)


def show_all_claims(outcomes: Sequence[Outcome], *, name: str, verdict: str = "all") -> None:
    """Show all claims of the paper, one line each, the heaviest first, with filters.

    Parameters
    ----------
    outcomes
        All checked claims of the paper.
    name
        Id of the list.
    verdict
        Show only those with this verdict.

    Examples
    --------
    >>> show_all_claims([], name="tab-example-claims")  # doctest: +ELLIPSIS
    {'text/markdown': '````...{raw} html...
    """
    ordered = sorted(outcomes, key=lambda one: one.claim.weight.rank)
    ordered = [one for one in ordered if verdict in ("all", one.verdict.word)]
    show_html(claims_html(ordered, name=name, filters=True))
