"""Claims of the DirectRanker paper about the model itself: its theorem, and RankNet as a special case."""

from __future__ import annotations

import math

from ltrlib.claims.cells import Cell, Statement
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers
from ltrlib.papers.koppel2019.sentences import SAID
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)


@claims.add(
    "section3.theorem1",
    place="Section 3, Theorem 1",
    statement="The network is reflexive, antisymmetric and transitive, whatever its weights.",
    weight="central",
    words=[SAID["theorem1"], SAID["order"]],
    material=PrintedNumbers("20 networks with random weights, and all pairs and triples of 30 documents for each"),
)
def _(paper: Paper) -> Cell:
    from ltrlib.papers.koppel2019.model.live import broken_conditions

    found = broken_conditions().set_index("removed").loc["none"]
    kept = {name for name in ("I", "II", "III") if found[name] == 0}
    witness = ", ".join(f"({name}) is broken by {found[name]:.0%}" for name in ("I", "II", "III"))
    return Statement(kept == set(paper.names("theorem1")), witness, "conditions (I) to (III)")


@claims.add(
    "section3.ranknet",
    place="Section 3",
    statement="With the output tanh(x/2) DirectRanker's output is RankNet's probability, but for its range.",
    words=SAID["ranknet"],
    material=PrintedNumbers("both functions at differences of scores from -20 to 20"),
)
def _(paper: Paper) -> Cell:
    divisor = paper.statement("ranknet-activation").value
    differences = [step / 10 for step in range(-200, 201)]
    apart = max(abs((1 + math.tanh(x / divisor)) / 2 - 1 / (1 + math.exp(-x))) for x in differences)
    return Statement(apart < 1e-12, f"they differ by at most {apart:.1g}", "equivalent")
