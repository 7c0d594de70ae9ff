"""Where in the book a claim stands: its page and the anchor of its row there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ltrlib.claims.claim import Claim

__all__ = ["PAGES", "RESCORED", "SCOREBOARD", "anchor", "link", "page_of", "rescored_anchor"]

SCOREBOARD = "01-scoreboard"
"""The page with all claims."""

RESCORED = "61-another-convention"
"""The page with the claims under every convention."""

PAGES = {
    "tax2015": "10-tax2015-paper",
    "busafekete2012": "20-busafekete2012-metrics",
    "chapelle2011": "30-chapelle2011-paper",
    "koppel2019": "40-koppel2019-paper",
}
"""The page that shows the claims of a paper: whatever claim is added has its row there."""

_OF_MODULE = {"ltrlib.papers.busafekete2012.study.claims": "22-busafekete2012-study"}
"""Modules whose claims the paper's page leaves to another page."""

_NEARER = {
    "tax2015.letor3.": "11-tax2015-method",
    "tax2015.b6.": "12-tax2015-audit",
    "tax2015.table4.": "12-tax2015-audit",
    "tax2015.a5.": "12-tax2015-audit",
    "tax2015.section4": "13-tax2015-pareto",
    "tax2015.abstract.front": "13-tax2015-pareto",
    "tax2015.section5": "15-tax2015-sensitivity",
}
"""Pages that treat some claims of a paper, by the beginning of the id; the longest counts."""


def page_of(claim: Claim) -> str:
    """Name of the page on which a claim is treated, without folder and ending.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> page_of(claim("tax2015.b6.nwn")), page_of(claim("chapelle2011.prizes.sum"))
    ('12-tax2015-audit', '30-chapelle2011-paper')
    """
    if page := _OF_MODULE.get(claim.compare.__module__):
        return page
    nearer = [start for start in _NEARER if claim.id.startswith(start)]
    return _NEARER[max(nearer, key=len)] if nearer else PAGES[claim.paper]


def anchor(claim: str) -> str:
    """Id of the claim's row on every page that shows it.

    Examples
    --------
    >>> anchor("tax2015.b6.nwn")
    'claim-tax2015-b6-nwn'
    """
    return "claim-" + claim.replace(".", "-")


def rescored_anchor(claim: str) -> str:
    """Id of the claim's row on the page `RESCORED`.

    Examples
    --------
    >>> rescored_anchor("tax2015.b6.nwn")
    'rescored-tax2015-b6-nwn'
    """
    return "rescored-" + claim.replace(".", "-")


def link(claim: Claim, *, from_root: bool = False) -> str:
    """Address of a claim's row, from another chapter or from the book's first page.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> link(claim("tax2015.b6.nwn")), link(claim("tax2015.b6.nwn"), from_root=True)
    ('12-tax2015-audit.html#claim-tax2015-b6-nwn', 'chapters/12-tax2015-audit.html#claim-tax2015-b6-nwn')
    """
    return f"{'chapters/' * from_root}{page_of(claim)}.html#{anchor(claim.id)}"
