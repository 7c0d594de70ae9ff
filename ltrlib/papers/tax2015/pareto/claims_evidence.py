"""What the text says about the evidence behind the fronts: studies, data sets, opponents, agreement (Section 4)."""

from __future__ import annotations

from itertools import combinations

from ltrlib.claims.cells import Cell, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.papers.tax2015.b6 import (
    COLUMNS,
    NDCG,
    NOTHING,
    front_of,
    listed,
    methods_above,
    on_fronts,
    points_of,
    sums_left,
)
from ltrlib.papers.tax2015.sources import letor_datasets, official, studies
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)


@claims.add(
    "section41.one-study",
    place="Section 4.1; Table A.5",
    statement="The results of six named methods come from one study each.",
)
def _(paper: Paper) -> list[Cell]:
    return [
        Statement(len(found) == 1, f"from {', '.join(found)}", "one study", method)
        for method in paper.names("one-study")
        for found in [studies(paper, method)]
    ]


@claims.add(
    "section41.two-studies",
    place="Section 4.1; Table A.5",
    statement="The results of FenchelRank come from two studies.",
    proxy="Table A.5 lists the sources of all four metrics, and the sentence stands in the section on NDCG@3",
)
def _(paper: Paper) -> Cell:
    return Value(paper.statement("fenchelrank-studies"), len(studies(paper, "FenchelRank")))


@claims.add(
    "section41.official",
    place="Section 4.1; Tables A.5, B.6 and 1",
    statement="SmoothRank and ListNet have as many data sets as the LETOR collections of which they are baselines.",
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for method in paper.names("official-baselines"):
        named, expected = official(paper, method), letor_datasets(paper, method)
        counts = {int(text) for name in COLUMNS if (text := paper["b6"].text(method, f"{name}_ds"))}
        witness = f"{', '.join(map(str, sorted(counts)))} data sets; {', '.join(named) or 'no collection'}: {expected}"
        cells.append(Statement(counts == {expected}, witness, "the collections' data sets", method))
    return cells


def _comparisons(paper: Paper, method: str, metric: str) -> list[int]:
    """Every IWN that a method can have at a metric."""
    (every,) = {possible for _, possible in sums_left(paper, NOTHING, [method])[method]}
    return [every - possible for _, possible in sums_left(paper, metric, [method])[method]]


@claims.add(
    "section41.better-evidence",
    place="Section 4.1; Table B.6, NDCG@3",
    statement="LARF and LRUF meet more other methods per data set than LambdaNeuralRank and CoList.",
)
def _(paper: Paper) -> list[Cell]:
    datasets = paper["b6"].column("ndcg3_ds")
    most = max(
        max(_comparisons(paper, method, "NDCG@3")) / datasets[method].value for method in paper.names("ndcg3-perfect")
    )
    cells: list[Cell] = []
    for method in paper.names("better-evidence"):
        mean = min(_comparisons(paper, method, "NDCG@3")) / datasets[method].value
        cells.append(Statement(mean > most, f"{mean:.0f} per data set, those at most {most:.0f}", "more", method))
    return cells


@claims.add(
    "section41.opponents",
    place="Section 4.1; Table B.6, NDCG@3",
    statement="LambdaNeuralRank and CoList each beat other methods, in the plural, on their data set.",
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for method in paper.names("ndcg3-perfect"):
        # Where several whole numbers fit the row, the largest: then a single opponent is beyond doubt.
        most = max(_comparisons(paper, method, "NDCG@3"))
        cells.append(Statement(most > 1, f"at most {most} other method(s) there", "more than one", method))
    return cells


@claims.add(
    "section42.single-change",
    place="Section 4.2; Table B.6",
    statement="OWPC is the only difference between the fronts at NDCG@3 and NDCG@5.",
)
def _(paper: Paper) -> Cell:
    changed = front_of(points_of(paper, "ndcg3")) ^ front_of(points_of(paper, "ndcg5"))
    return Statement(changed == set(paper.names("single-changes")), f"on one only: {listed(changed)}", "OWPC only")


@claims.add(
    "section44.agreement",
    place="Section 4.4; Table B.6",
    statement="Any two NDCG cut-offs share more of their fronts than any of them does with MAP, and more than half.",
)
def _(paper: Paper) -> list[Cell]:
    fronts = {metric: front_of(points_of(paper, metric)) for metric in COLUMNS}
    with_map = max(len(fronts[m] & fronts["map"]) / len(fronts[m] | fronts["map"]) for m in NDCG)
    cells: list[Cell] = []
    for one, other in combinations(NDCG, 2):
        both, either = len(fronts[one] & fronts[other]), len(fronts[one] | fronts[other])
        witness = f"{both} of {either} methods shared; with MAP at most {with_map:.0%}"
        cells.append(Statement(both / either > max(with_map, 0.5), witness, "highly in agreement", f"{one}, {other}"))
    return cells


@claims.add(
    "section44.many-results",
    place="Section 4.4; Table B.6, MAP",
    statement="The data set on which RankDE wins at MAP has many results: more than the mean data set.",
)
def _(paper: Paper) -> list[Cell]:
    results = sum(datasets for _, datasets in points_of(paper, "map").values())
    mean = results / paper.statement("datasets").value
    cells: list[Cell] = []
    for method in paper.names("map-perfect"):
        least = min(_comparisons(paper, method, "MAP")) + 1
        cells.append(Statement(least > mean, f"{least} results, the mean is {mean:.1f}", "many results", method))
    return cells


@claims.add(
    "section44.low-at-map",
    place="Section 4.4; Table B.6",
    statement="SmoothRank and ListNet have a lower NWN at MAP than at any NDCG cut-off.",
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for method in paper.names("map-low"):
        nwn = {metric: paper["b6"].number(method, f"{metric}_nwn") for metric in COLUMNS}
        holds = all(nwn["map"].value < nwn[metric].value for metric in NDCG)
        witness = ", ".join(f"{metric} {number}" for metric, number in nwn.items())
        cells.append(Statement(holds, witness, "lower at MAP", method))
    return cells


@claims.add(
    "section44.not-top",
    place="Sections 4 and 4.4; Table B.6, MAP",
    statement="RankBoost and RankSVM are not among the best at MAP, by the paper's own measure: the front.",
)
def _(paper: Paper) -> list[Cell]:
    points = points_of(paper, "map")
    front = front_of(points)
    return [
        Statement(m not in front, f"better on both axes: {listed(methods_above(points, m))}", "off the front", m)
        for m in paper.names("map-majority")
    ]


@claims.add(
    "section45.ndcg-weight",
    place="Section 4.5; Table B.6",
    statement="For no method do the NDCG cut-offs together weigh more than three times as much as MAP.",
)
def _(paper: Paper) -> Cell:
    limit = paper.statement("ndcg-weight").value
    without = sums_left(paper, "MAP")
    ratios = {}
    for method, sums in sums_left(paper, NOTHING).items():
        if paper["b6"].text(method, "map_nwn") and method in without:
            every = sums[0][1]
            # The smallest that the whole numbers behind the row allow.
            ratios[method] = min(possible / (every - possible) for _, possible in without[method])
    most = max(ratios, key=lambda method: ratios[method])
    over = [method for method, ratio in ratios.items() if ratio > limit]
    witness = f"at most {ratios[most]:.2f} times ({most}); more than {limit:.0f} times: {listed(over)}"
    return Statement(not over, witness, f"up to {limit:.0f} times")


@claims.add(
    "section45.lac-mr-or-datasets",
    place="Section 4.5; Table B.6, NDCG@10",
    statement="LAC-MR-OR is evaluated on two data sets at NDCG@10.",
)
def _(paper: Paper) -> Cell:
    return Value(paper.statement("ndcg10-lac-mr-or"), paper["b6"].number("LAC-MR-OR", "ndcg10_ds").exact)


@claims.add(
    "section45.larf-fronts",
    place="Section 4.5; Table B.6",
    statement="LARF is on the front of each of the four metrics.",
)
def _(paper: Paper) -> list[Cell]:
    return on_fronts(paper, paper.names("larf-fronts"), COLUMNS)
