"""What the text says about the evidence behind the fronts: studies, data sets, opponents, agreement (Section 4)."""

from __future__ import annotations

from itertools import combinations

from ltrlib.claims.cells import Cell, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.papers.tax2015.b6 import (
    COLUMNS,
    NDCG,
    NOTHING,
    front_as_defined,
    front_of,
    listed,
    on_fronts,
    points_of,
    sums_left,
)
from ltrlib.papers.tax2015.otherwise import cells
from ltrlib.papers.tax2015.sentences import SAID
from ltrlib.papers.tax2015.sources import letor_datasets, official, studies
from ltrlib.published.printed import Printed
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)


@claims.add(
    "section41.one-study",
    place="Section 4.1; Table A.5",
    statement="The results of six named methods come from one study each.",
    words=SAID["one-study"],
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
    words=SAID["two-studies"],
)
def _(paper: Paper) -> Cell:
    return Value(paper.statement("fenchelrank-studies"), len(studies(paper, "FenchelRank")))


@claims.add(
    "section41.official",
    place="Section 4.1; Tables A.5, B.6 and 1",
    statement="SmoothRank and ListNet have as many data sets as the LETOR collections of which they are baselines.",
    words=SAID["official"],
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
    words=SAID["near-one"],
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
    place="Section 4.1; NDCG@3",
    statement="LambdaNeuralRank beats all other methods on AOL, and CoList on Yahoo Set 2.",
    words=SAID["perfect3"],
    otherwise=cells("results", ("CoList / Yahoo Set 2 / NDCG@3", "value", "0.1")),
)
def _(paper: Paper) -> list[Cell]:
    at_3 = paper["results"].wide().query("metric == 'NDCG@3'")
    found: list[Cell] = []
    for method, dataset in zip(paper.names("ndcg3-perfect"), ("AOL", "Yahoo Set 2"), strict=True):
        values = {
            name: Printed.parse(text).value
            for name, text in at_3.loc[at_3["dataset"] == dataset, ["method", "value"]].itertuples(index=False)
        }
        own = values.pop(method)
        beaten = sum(own > value for value in values.values())
        witness = f"higher than {beaten} of {len(values)} other method{'s' if len(values) > 1 else ''} on {dataset}"
        found.append(Statement(beaten == len(values), witness, "all others are beaten", method))
    return found


@claims.add(
    "section42.single-change",
    place="Section 4.2; Table B.6",
    statement="OWPC is the only difference between the fronts at NDCG@3 and NDCG@5.",
    words=SAID["owpc"],
)
def _(paper: Paper) -> Cell:
    changed = front_of(points_of(paper, "ndcg3")) ^ front_of(points_of(paper, "ndcg5"))
    return Statement(changed == set(paper.names("single-changes")), f"on one only: {listed(changed)}", "OWPC only")


def _as_at_ndcg3(paper: Paper) -> tuple[Paper]:
    """The MAP columns of Table B.6 with the numbers of NDCG@3: then MAP agrees with NDCG as NDCG does with itself."""
    table = paper["b6"]
    for method in table.rows:
        for name in ("nwn", "ds"):
            table = table.with_cell(method, f"map_{name}", paper["b6"].text(method, f"ndcg3_{name}"))
    return (paper.with_table(table),)


@claims.add(
    "section44.agreement",
    place="Section 4.4; Table B.6",
    statement="Any two NDCG cut-offs share more of their fronts than any of them shares with MAP.",
    words=SAID["agreement"],
    otherwise=_as_at_ndcg3,
)
def _(paper: Paper) -> list[Cell]:
    found: list[Cell] = []
    for definition, front in {"usual": front_of, "as printed": front_as_defined}.items():
        fronts = {metric: front(points_of(paper, metric)) for metric in COLUMNS}
        shared = {
            pair: len(fronts[pair[0]] & fronts[pair[1]]) / len(fronts[pair[0]] | fronts[pair[1]])
            for pair in combinations(COLUMNS, 2)
        }
        least = min(share for pair, share in shared.items() if "map" not in pair)
        most = max(share for pair, share in shared.items() if "map" in pair)
        witness = f"shared among NDCG at least {least:.0%}, with MAP at most {most:.0%}"
        found.append(Statement(least > most, witness, "NDCG agrees with NDCG, MAP differs", f"front {definition}"))
    return found


@claims.add(
    "section44.many-results",
    place="Section 4.4; Table B.6, MAP",
    statement="The data set on which RankDE wins at MAP has many results: more than the mean data set.",
    words=SAID["rankde"],
    otherwise=cells("statements", ("datasets", "text", "10")),
)
def _(paper: Paper) -> list[Cell]:
    results = sum(datasets for _, datasets in points_of(paper, "map").values())
    mean = results / paper.statement("datasets").value
    cells: list[Cell] = []
    for method in paper.names("map-perfect"):
        least = min(_comparisons(paper, method, "MAP")) + 1
        cells.append(Statement(least > mean, f"{least} results, the mean is {mean:.1f}", "many results", method))
    return cells


def _place(paper: Paper, method: str, metric: str) -> tuple[int, int]:
    """Place of a method by its NWN at a metric, and the number of methods there."""
    points = points_of(paper, metric)
    return 1 + sum(nwn > points[method][0] for nwn, _ in points.values()), len(points)


@claims.add(
    "section44.low-at-map",
    place="Section 4.4; Table B.6",
    statement="By NWN, SmoothRank and ListNet have a lower place among the methods at MAP than at each NDCG cut-off.",
    words=SAID["low-at-map"],
)
def _(paper: Paper) -> list[Cell]:
    found: list[Cell] = []
    for method in paper.names("map-low"):
        places = {metric: _place(paper, method, metric) for metric in COLUMNS}
        share = {metric: place / number for metric, (place, number) in places.items()}
        witness = ", ".join(f"{metric} {place} of {number}" for metric, (place, number) in places.items())
        holds = all(share["map"] > share[metric] for metric in NDCG)
        found.append(Statement(holds, witness, "a lower place at MAP", method))
    return found


@claims.add(
    "section44.not-top",
    place="Section 4.4; Table B.6, MAP",
    statement="Given their NWN at MAP, RankBoost and RankSVM are not among the best: they are in the lower half.",
    words=SAID["not-top"],
)
def _(paper: Paper) -> list[Cell]:
    found: list[Cell] = []
    for method in paper.names("map-majority"):
        place, number = _place(paper, method, "map")
        found.append(Statement(place > number / 2, f"place {place} of {number} by NWN", "not at the top", method))
    return found


@claims.add(
    "section45.ndcg-weight",
    place="Section 4.5; Table B.6",
    statement="For no method do the NDCG cut-offs together weigh more than three times as much as MAP.",
    words=SAID["weight"],
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
    words=SAID["off-front"],
)
def _(paper: Paper) -> Cell:
    return Value(paper.statement("ndcg10-lac-mr-or"), paper["b6"].number("LAC-MR-OR", "ndcg10_ds").exact)


@claims.add(
    "section45.larf-fronts",
    place="Section 4.5; Table B.6",
    statement="LARF is on the front of each of the four metrics.",
    words=SAID["larf"],
)
def _(paper: Paper) -> list[Cell]:
    return on_fronts(paper, paper.names("larf-fronts"), COLUMNS)
