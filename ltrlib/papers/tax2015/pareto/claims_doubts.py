"""Whether the abstract's front depends on results that can be doubted."""

from __future__ import annotations

from ltrlib.claims.cells import Cell, Statement
from ltrlib.claims.claim import ClaimList
from ltrlib.papers.tax2015.otherwise import names
from ltrlib.papers.tax2015.pareto.combinations import every_combination
from ltrlib.papers.tax2015.sentences import SAID
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)


@claims.add(
    "abstract.front-under-doubt",
    place="Abstract; the results behind Table B.6",
    statement="The six methods are Pareto optimal whichever of the doubtful results are moved or left out.",
    words=SAID["front"],
    proxy="no doubt is known to be right",
    cause="doubtful-results",
    otherwise=names("abstract-front", "ListNet; SmoothRank; FenchelRank"),
)
def _(paper: Paper) -> list[Cell]:
    doubts = every_combination()
    cells: list[Cell] = []
    for method in paper.names("abstract-front"):
        witness = f"off the front in {doubts.off(method):,} of {len(doubts.on_front):,} combinations of the doubts"
        cells.append(Statement(not doubts.off(method), witness, "optimal in each", method))
    return cells
