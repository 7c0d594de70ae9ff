"""Claims of the cross-benchmark comparison's highlights, limitations and conclusion (Sections 6 and 7)."""

from __future__ import annotations

from itertools import pairwise

from ltrlib.claims.cells import Cell, Difference, Measured, Statement
from ltrlib.claims.claim import ClaimList
from ltrlib.papers.tax2015.b6 import descent, listed, methods_above, points_of
from ltrlib.papers.tax2015.otherwise import names
from ltrlib.papers.tax2015.sentences import SAID
from ltrlib.papers.tax2015.sources import studies
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)


@claims.add(
    "section7.order",
    place="Section 7; Table B.6",
    statement="From LRUF to ListNet NWN falls while IWN rises.",
    words=SAID["conclusion-order"],
    weight="central",
)
def _(paper: Paper) -> Cell:
    holds, witness = descent(points_of(paper), paper.names("section7-front"))
    return Statement(holds, witness, "NWN falls while IWN rises")


@claims.add(
    "section7.unbeaten",
    place="Section 7; Table B.6",
    statement="To none of the five methods named is another superior in both NWN and IWN.",
    words=SAID["conclusion"],
    weight="central",
)
def _(paper: Paper) -> list[Cell]:
    points = points_of(paper)
    return [
        Statement(not above, f"above it: {listed(above)}", "no method is above it", method)
        for method in paper.names("section7-front")
        for above in [methods_above(points, method)]
    ]


@claims.add(
    "highlights.most-accurate",
    place="Highlights of the journal; Table B.6",
    statement="Five named methods, short for the front, are the most accurate, with certainty rising in that order.",
    words=SAID["most-accurate"],
    weight="central",
    cause="front-has-more",  # a highlight's shorthand for the front, so no second accusation
    otherwise=names("highlights-best", "LambdaNeuralRank"),
)
def _(paper: Paper) -> list[Cell]:
    points, named = points_of(paper), paper.names("highlights-best")
    least = min(points[method][0] for method in named)
    better = [method for method, (nwn, _) in points.items() if nwn > least and method not in named]
    iwn = [points[method][1] for method in named]
    rising = all(one < other for one, other in pairwise(iwn))
    return [
        Statement(
            not better, f"{len(better)} others have an NWN above {least}", "the highest five by NWN", "most accurate"
        ),
        Statement(rising, ", ".join(f"{number:.0f}" for number in iwn), "IWN rises", "certainty"),
    ]


@claims.add(
    "section6.iwn-studies",
    place="Section 6; Tables A.5 and B.6",
    statement="IWN is loosely related with the number of studies that reported results of a method.",
    words=SAID["iwn-studies"],
)
def _(paper: Paper) -> Cell:
    methods = paper["b6"].rows
    iwn = [paper["b6"].number(method, "iwn").value for method in methods]
    return Difference(
        Measured.kendall(iwn, [len(studies(paper, method)) for method in methods]),
        "higher",
        0.0,
        "a direction; of what is loose no size is given",
        "Kendall's tau is positive",
    )
