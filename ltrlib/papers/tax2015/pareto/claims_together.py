"""What the text says about all metrics together (abstract and Section 4.5)."""

from __future__ import annotations

from ltrlib.claims.cells import Cell, Order, Statement
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.words import TableCells
from ltrlib.comparison.results import ALL_METRICS
from ltrlib.papers.tax2015.b6 import (
    COLUMNS,
    METRICS,
    NDCG,
    descent,
    front_as_defined,
    front_of,
    listed,
    methods_above,
    on_fronts,
    points_of,
)
from ltrlib.papers.tax2015.counted import front_of_results
from ltrlib.papers.tax2015.matrix import results
from ltrlib.papers.tax2015.otherwise import names
from ltrlib.papers.tax2015.sentences import SAID
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)


@claims.add(
    "figures.fronts-from-results",
    place="Figures 1 to 5; Table B.6",
    statement="The Pareto fronts of the printed table are those of the 1,050 evaluation results.",
    words=[SAID["definition"], TableCells("b6")],
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for metric, column in {**METRICS, ALL_METRICS: None}.items():
        printed, ours = front_of(points_of(paper, column)), front_of_results(results(), metric)
        witness = f"on one only: {listed(printed ^ ours)}"
        cells.append(Statement(printed == ours, witness, "the same front", metric))
    return cells


@claims.add(
    "abstract.front",
    place="Abstract; Table B.6",
    statement="Six named methods are the Pareto front over all metrics.",
    words=SAID["front"],
    weight="central",
    cause="front-has-more",
)
def _(paper: Paper) -> Cell:
    front, named = front_of(points_of(paper)), set(paper.names("abstract-front"))
    witness = f"not on the front: {listed(named - front)}; on it but not named: {listed(front - named)}"
    return Statement(front == named, witness, "the front")


@claims.add(
    "abstract.front-order",
    place="Abstract; Table B.6",
    statement="The six methods are named in increasing order of NWN and decreasing order of IWN.",
    words=SAID["front"],
    weight="central",
)
def _(paper: Paper) -> Cell:
    holds, witness = descent(points_of(paper), paper.names("abstract-front")[::-1])
    return Statement(holds, f"in reverse, {witness}", "NWN rises while IWN falls")


@claims.add(
    "section45.front",
    place="Section 4.5; Table B.6",
    statement="Five named methods are those to which no other is superior in both IWN and NWN.",
    words=SAID["unbeaten"],
    cause="front-has-more",
)
def _(paper: Paper) -> Cell:
    points, named = points_of(paper), set(paper.names("section45-front"))
    front = {method for method in points if not methods_above(points, method)}
    witness = f"not unbeaten: {listed(named - front)}; unbeaten but not named: {listed(front - named)}"
    return Statement(front == named, witness, "exactly these methods")


@claims.add(
    "section45.same-front",
    place="Abstract; Section 4.5",
    statement="Abstract and Section 4.5 name the same Pareto front.",
    words=(SAID["front"], SAID["unbeaten"]),
    weight="central",
    cause="larf-in-or-out",
)
def _(paper: Paper) -> Cell:
    abstract, section = set(paper.names("abstract-front")), set(paper.names("section45-front"))
    return Statement(abstract == section, f"only in one: {listed(abstract ^ section)}", "the same methods")


@claims.add(
    "section45.rank2",
    place="Section 4.5; Table B.6",
    statement="LARF, IPRank, DCMP and the RankSVM variants each have exactly one method above them on both axes.",
    words=(SAID["rank2"], SAID["rank2-means"]),
    cause="larf-in-or-out",
)
def _(paper: Paper) -> list[Cell]:
    points = points_of(paper)
    cells: list[Cell] = []
    for method in paper.names("section45-rank2"):
        above = methods_above(points, method)
        cells.append(Statement(len(above) == 1, f"above it: {listed(above)}", "one method is above it", method))
    return cells


@claims.add(
    "section45.rank2-complete",
    place="Section 4.5; Table B.6",
    statement="No other method has exactly one method above it on both axes.",
    words=(SAID["rank2"], SAID["rank2-means"]),
)
def _(paper: Paper) -> Cell:
    points, named = points_of(paper), set(paper.names("section45-rank2"))
    others = [method for method in points if len(methods_above(points, method)) == 1 and method not in named]
    return Statement(not others, f"others: {listed(others)}", "no others")


@claims.add(
    "section45.only-lruf",
    place="Section 4.5; Table B.6",
    statement="LRUF is the only method on the front of each metric and of all together.",
    words=SAID["only-lruf"],
    cause="larf-in-or-out",
)
def _(paper: Paper) -> Cell:
    fronts = [front_of(points_of(paper, metric)) for metric in (*COLUMNS, None)]
    everywhere, named = set.intersection(*fronts), set(paper.names("section45-everywhere"))
    return Statement(everywhere == named, f"on all five fronts: {listed(everywhere)}", f"only {listed(named)}")


@claims.add(
    "section45.ndcg-fronts",
    place="Section 4.5; Table B.6",
    statement="FenchelRank, FSMRank, SmoothRank and ListNet are on each NDCG front, as Section 4 defines it.",
    words=SAID["by-ndcg"],
    cause="two-definitions",
    otherwise=names("section45-ndcg", "DCMP; ListNet"),
)
def _(paper: Paper) -> list[Cell]:
    return on_fronts(paper, paper.names("section45-ndcg"), NDCG, front_as_defined)


@claims.add(
    "section45.map-optima-off-front",
    place="Section 4.5; Table B.6",
    statement="LAC-MR-OR and RE-QR are not on the front over all metrics.",
    words=SAID["off-front"],
)
def _(paper: Paper) -> list[Cell]:
    front = front_of(points_of(paper))
    methods = (*paper.names("map-equal-certainty"), *paper.names("map-only"))
    return [
        Statement(m not in front, f"above it: {listed(methods_above(points_of(paper), m))}", "off the front", m)
        for m in methods
    ]


@claims.add(
    "section45.near-perfect",
    place="Section 4.5; Table B.6",
    statement="Six named methods have a higher NWN, and a lower IWN, than most of the front's methods.",
    words=SAID["near-perfect"],
)
def _(paper: Paper) -> list[Cell]:
    points = points_of(paper)
    front = paper.names("section45-front")
    cells: list[Cell] = []
    for method in paper.names("section45-near-perfect"):
        nwn, iwn = points[method]
        better = sum(nwn > points[other][0] for other in front)
        lower = all(iwn < points[other][1] for other in front)
        witness = f"NWN {nwn} above {better} of {len(front)}, IWN {iwn:.0f}"
        cells.append(Statement(lower and better > len(front) / 2, witness, "accurate, but uncertain", method))
    return cells


@claims.add(
    "section45.defined-by-ndcg",
    place="Section 4.5; Table B.6",
    statement="The front over all metrics shares more with the front of each NDCG cut-off than with that of MAP.",
    words=SAID["by-ndcg"],
)
def _(paper: Paper) -> Cell:
    named, whole = paper.names("defined-by"), front_of(points_of(paper))
    fronts = {metric: front_of(points_of(paper, metric)) for metric in COLUMNS}
    shared = {metric: len(whole & front) / len(whole | front) for metric, front in fronts.items()}
    return Order([list(named), [metric for metric in COLUMNS if metric not in named]], shared)
