"""Where in the book a claim stands: its page and the anchor of its row there."""

from __future__ import annotations

__all__ = ["PAGES", "SCOREBOARD", "anchor", "link", "page_of"]

SCOREBOARD = "01-scoreboard"
"""The page with all claims."""

PAGES = {
    "tax2015": "10-tax2015-paper",
    "busafekete2012": "20-busafekete2012-metrics",
    "chapelle2011": "30-chapelle2011-paper",
    "koppel2019": "40-koppel2019-paper",
}
"""The page that shows all claims of a paper: whatever claim is added has its row there."""

_NEARER = {
    "tax2015.b6.": "12-tax2015-audit",
    "tax2015.table4.": "12-tax2015-audit",
    "tax2015.a5.": "12-tax2015-audit",
    "tax2015.section4": "13-tax2015-pareto",
    "tax2015.abstract.front": "13-tax2015-pareto",
}
"""Pages that treat some claims of a paper, by the beginning of the id; the longest counts."""


def page_of(claim: str) -> str:
    """Name of the page on which a claim is treated, without folder and ending.

    Examples
    --------
    >>> page_of("tax2015.b6.nwn"), page_of("chapelle2011.prizes.sum")
    ('12-tax2015-audit', '30-chapelle2011-paper')
    """
    nearer = [start for start in _NEARER if claim.startswith(start)]
    return _NEARER[max(nearer, key=len)] if nearer else PAGES[claim.partition(".")[0]]


def anchor(claim: str) -> str:
    """Id of the claim's row on every page that shows it.

    Examples
    --------
    >>> anchor("tax2015.b6.nwn")
    'claim-tax2015-b6-nwn'
    """
    return "claim-" + claim.replace(".", "-")


def link(claim: str, *, from_root: bool = False) -> str:
    """Address of a claim's row, from another chapter or from the book's first page.

    Examples
    --------
    >>> link("tax2015.b6.nwn"), link("tax2015.b6.nwn", from_root=True)
    ('12-tax2015-audit.html#claim-tax2015-b6-nwn', 'chapters/12-tax2015-audit.html#claim-tax2015-b6-nwn')
    """
    return f"{'chapters/' * from_root}{page_of(claim)}.html#{anchor(claim)}"
