"""Fronts of the cross-benchmark comparison by the definition that its Section 4 prints, beside the usual one.

Printed: a method is optimal unless another has a higher NWN *and* more data sets. Usual: equal on one axis and better
on the other is enough to dominate. The other modules take the usual definition, which the figures seem to follow.
"""

from __future__ import annotations

from collections.abc import Callable

from ltrlib.claims.cells import Cell, Statement
from ltrlib.claims.claim import ClaimList
from ltrlib.papers.tax2015.b6 import COLUMNS, NDCG, front_of, listed, methods_above, points_of
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)

_PLACE = "Section 4, the definition"


def _as_defined(paper: Paper, metric: str | None) -> set[str]:
    points = points_of(paper, metric)
    return {method for method in points if not methods_above(points, method)}


def _usual(paper: Paper, metric: str | None) -> set[str]:
    return front_of(points_of(paper, metric))


@claims.add(
    "section41.front-as-defined",
    place=f"{_PLACE}, and 4.1; Table B.6, NDCG@3",
    statement="The nine methods discussed are those that the printed definition makes optimal at NDCG@3.",
)
def _(paper: Paper) -> Cell:
    front, named = _as_defined(paper, "ndcg3"), set(paper.names("ndcg3-front"))
    witness = f"not optimal: {listed(named - front)}; optimal but not named: {listed(front - named)}"
    return Statement(front == named, witness, "exactly these methods")


@claims.add(
    "section42.single-change-as-defined",
    place=f"{_PLACE}, and 4.2; Table B.6",
    statement="By the printed definition OWPC is the only difference between the fronts at NDCG@3 and NDCG@5.",
)
def _(paper: Paper) -> Cell:
    changed = _as_defined(paper, "ndcg3") ^ _as_defined(paper, "ndcg5")
    return Statement(changed == set(paper.names("single-changes")), f"on one only: {listed(changed)}", "OWPC only")


def _on_fronts_as_defined(paper: Paper, statement: str, metrics: tuple[str, ...]) -> list[Cell]:
    fronts = {metric: _as_defined(paper, metric) for metric in metrics}
    cells: list[Cell] = []
    for method in paper.names(statement):
        off = [metric for metric, front in fronts.items() if method not in front]
        cells.append(Statement(not off, f"off the front of: {listed(off)}", "on each front", method))
    return cells


@claims.add(
    "section43.shared-fronts-as-defined",
    place=f"{_PLACE}, and 4.3; Table B.6",
    statement="By the printed definition six named methods are on the fronts at NDCG@3, NDCG@5 and NDCG@10.",
)
def _(paper: Paper) -> list[Cell]:
    return _on_fronts_as_defined(paper, "ndcg10-front-shared", NDCG)


@claims.add(
    "section45.ndcg-fronts-as-defined",
    place=f"{_PLACE}, and 4.5; Table B.6",
    statement="By the printed definition FenchelRank, FSMRank, SmoothRank and ListNet are on each NDCG front.",
)
def _(paper: Paper) -> list[Cell]:
    return _on_fronts_as_defined(paper, "section45-ndcg", NDCG)


@claims.add(
    "section45.only-lruf-as-defined",
    place=f"{_PLACE}, and 4.5; Table B.6",
    statement="By the printed definition LRUF is the only method on the front of each metric and of all together.",
)
def _(paper: Paper) -> Cell:
    everywhere = set.intersection(*(_as_defined(paper, metric) for metric in (*COLUMNS, None)))
    named = set(paper.names("section45-everywhere"))
    return Statement(everywhere == named, f"on all five fronts: {listed(everywhere)}", f"only {listed(named)}")


def _broken(paper: Paper, fronts: Callable[[Paper, str | None], set[str]]) -> list[str]:
    """Sections whose statements on the NDCG fronts do not hold with a definition of the front."""
    front = {metric: fronts(paper, metric) for metric in NDCG}
    everywhere = set.intersection(*front.values())
    kept = {
        "4.1": front["ndcg3"] == set(paper.names("ndcg3-front")),
        "4.2": front["ndcg3"] ^ front["ndcg5"] == set(paper.names("single-changes")),
        "4.3": set(paper.names("ndcg10-front-shared")) <= everywhere,
        "4.5": set(paper.names("section45-ndcg")) <= everywhere,
    }
    return [section for section, holds in kept.items() if not holds]


@claims.add(
    "section4.one-definition",
    place="Sections 4.1 to 4.5; Table B.6",
    statement="One definition of the front, the printed or the usual, serves what each section says of NDCG.",
)
def _(paper: Paper) -> Cell:
    broken = {"usual": _broken(paper, _usual), "as printed": _broken(paper, _as_defined)}
    witness = "; ".join(f"{name}: broken in {', '.join(where) or 'no section'}" for name, where in broken.items())
    return Statement(not all(broken.values()), witness, "one definition serves all")
