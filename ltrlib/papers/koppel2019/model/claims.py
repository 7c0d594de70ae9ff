"""Claims of the DirectRanker paper about the model itself: its theorem, and RankNet as a special case."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

from ltrlib.claims.cells import Cell, Statement
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers
from ltrlib.papers.koppel2019.model.theorems import LEVELS, kept_properties, level_distances, misrepresented
from ltrlib.papers.koppel2019.sentences import SAID
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)

_POINTS = 60
_ITEMS = 5
_LEVELS, _LINES = 9, 4000


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
    witness = "violated: " + ", ".join(f"({name}) in {found[name]:.0%} of cases" for name in ("I", "II", "III"))
    return Statement(kept == set(paper.names("theorem1")), witness, "conditions (I) to (III)")


@claims.add(
    "section3.theorem2",
    place="Section 3, Theorem 2",
    statement="Every countable set has an order with the three properties; here, the whole grid of the plane.",
    words=SAID["theorem2"],
    material=PrintedNumbers(f"the order of the proof on the first {_POINTS} points of the grid, all pairs and triples"),
)
def _(paper: Paper) -> Cell:
    kept = kept_properties(_POINTS)
    witness = f"{', '.join(sorted(kept)) or 'none'} in every pair and triple"
    return Statement(kept == set(paper.names("theorem2")), witness, "reflexive, antisymmetric and transitive")


@claims.add(
    "section3.theorem3",
    place="Section 3, Theorem 3",
    statement="Some function represents any order on separate points: the proof's construction, on all small orders.",
    words=SAID["theorem3"],
    material=PrintedNumbers(f"all orders, with ties, of up to {_ITEMS} items, in all orders of arrival"),
)
def _(paper: Paper) -> Cell:
    step, between = (paper.statement(f"theorem3-{what}").exact for what in ("step", "between"))
    wrong, tried = misrepresented(_ITEMS, Fraction(step), Fraction(between))
    return Statement(wrong == 0, f"{wrong} of {tried} orders come out wrong", "the scores represent the order")


@claims.add(
    "section3.theorem4",
    place="Section 3, Theorem 4",
    statement="A continuous function represents an order whose better and worse points are open sets: four examples.",
    words=SAID["theorem4"],
    material=PrintedNumbers("the proof's distances between level lines, for four orders on the open unit square"),
    otherwise=lambda paper: (paper.with_table(paper["statements"].with_cell("theorem4-positive", "text", "worse")),),
)
def _(paper: Paper) -> list[Cell]:
    sign = 1 if paper["statements"].text("theorem4-positive", "text") == "better" else -1
    cells: list[Cell] = []
    for order in LEVELS:
        scores = [sign * g for g in level_distances(order, _LEVELS, _LINES)]
        rising = sum(higher > lower for lower, higher in pairwise(scores))
        witness = f"the score rises in {rising} of {_LEVELS - 1} steps up"
        cells.append(Statement(rising == _LEVELS - 1, witness, "a score that rises with the order", order))
    return cells


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
