"""Which definition of the front Section 4 follows: the one that it prints, or the usual one.

Printed: a method is optimal unless another has a higher NWN *and* more data sets. Usual: equal on one axis and better
on the other is enough to dominate. The other modules judge each sentence by the definition that serves it better; that
none serves all is said here, once.
"""

from __future__ import annotations

from collections.abc import Callable

from ltrlib.claims.cells import Cell, Statement
from ltrlib.claims.claim import ClaimList
from ltrlib.papers.tax2015.b6 import NDCG, Points, front_as_defined, front_of, points_of
from ltrlib.papers.tax2015.sentences import SAID
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)


def _broken(paper: Paper, definition: Callable[[Points], set[str]]) -> list[str]:
    """Sections whose statements on the NDCG fronts do not hold with a definition of the front."""
    front = {metric: definition(points_of(paper, metric)) for metric in NDCG}
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
    words=SAID["definition"],
    cause="two-definitions",
)
def _(paper: Paper) -> Cell:
    broken = {"usual": _broken(paper, front_of), "as printed": _broken(paper, front_as_defined)}
    witness = "; ".join(f"{name}: broken in {', '.join(where) or 'no section'}" for name, where in broken.items())
    return Statement(not all(broken.values()), witness, "one definition serves all")
