"""What the text says about one metric at a time (Sections 4.1 to 4.4)."""

from __future__ import annotations

from ltrlib.claims.cells import Cell, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.papers.tax2015.b6 import (
    COLUMNS,
    NDCG,
    Points,
    front_as_defined,
    front_of,
    listed,
    methods_above,
    on_fronts,
    points_of,
)
from ltrlib.papers.tax2015.otherwise import names
from ltrlib.papers.tax2015.sentences import SAID
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)


def _falls(points: Points, methods: tuple[str, ...]) -> Cell:
    rows = [points[method] for method in methods]
    holds = rows == sorted(rows, key=lambda row: -row[0]) and [y for _, y in rows] == sorted(y for _, y in rows)
    witness = ", ".join(f"{method} {x} on {y:.0f}" for method, (x, y) in zip(methods, rows, strict=True))
    return Statement(holds, witness, "NWN falls while the number of data sets rises")


def _perfect(paper: Paper, metric: str, statement: str, name: str = "") -> Cell:
    found = {method for method, (nwn, _) in points_of(paper, metric).items() if nwn == 1.0}
    named = set(paper.names(statement))
    return Statement(named <= found, f"NWN 1 at {metric}: {listed(found)}", f"among them {listed(named)}", name)


def _single(paper: Paper, metric: str, statement: str, name: str) -> Cell:
    datasets = {method: points_of(paper, metric)[method][1] for method in paper.names(statement)}
    witness = ", ".join(f"{method} on {number:.0f}" for method, number in datasets.items())
    return Statement(set(datasets.values()) == {1.0}, witness, "one data set each", name)


@claims.add(
    "section41.perfect",
    place="Section 4.1; Table B.6, NDCG@3",
    statement="LambdaNeuralRank and CoList have the NWN 1.0, each on one data set.",
    words=SAID["perfect3"],
)
def _(paper: Paper) -> list[Cell]:
    return [_perfect(paper, "ndcg3", "ndcg3-perfect", "NWN"), _single(paper, "ndcg3", "ndcg3-perfect", "data sets")]


@claims.add(
    "section41.descent",
    place="Section 4.1; Table B.6, NDCG@3",
    statement="From FenchelRank to ListNet NWN falls while the number of data sets rises.",
    words=SAID["descent3"],
    otherwise=names("ndcg3-descent", "ListNet; DCMP; SmoothRank; OWPC; FenchelRank"),
)
def _(paper: Paper) -> Cell:
    return _falls(points_of(paper, "ndcg3"), paper.names("ndcg3-descent"))


@claims.add(
    "section41.front",
    place="Section 4.1; Table B.6, NDCG@3",
    statement="The nine methods discussed are the Pareto front at NDCG@3.",
    words=(SAID["definition"], SAID["perfect3"], SAID["near-one"], SAID["descent3"]),
)
def _(paper: Paper) -> Cell:
    front, named = front_of(points_of(paper, "ndcg3")), set(paper.names("ndcg3-front"))
    return Statement(front == named, f"differing: {listed(front ^ named)}", "the front")


@claims.add(
    "section41.three-datasets",
    place="Section 4.1; NDCG@3",
    statement="LARF and LRUF are evaluated on three of the LETOR 3.0 data sets.",
    words=SAID["near-one"],
)
def _(paper: Paper) -> list[Cell]:
    at_3 = paper["results"].wide().query("metric == 'NDCG@3' and dataset.str.startswith('LETOR 3.0')")
    number = paper.statement("ndcg3-letor3-datasets")
    return [Value(number, int((at_3["method"] == method).sum()), method) for method in paper.names("better-evidence")]


@claims.add(
    "section41.near-one",
    place="Section 4.1; Table B.6, NDCG@3",
    statement="LARF and LRUF have an NWN near 1.0.",
    words=SAID["near-one"],
)
def _(paper: Paper) -> list[Cell]:
    near = paper.statement("ndcg3-near-one")
    return [Value(near, paper["b6"].number(m, "ndcg3_nwn").exact, m) for m in paper.names("better-evidence")]


@claims.add(
    "section42.perfect",
    place="Section 4.2; Table B.6, NDCG@5",
    statement="LambdaNeuralRank has the NWN 1.0, from one data set again.",
    words=SAID["perfect5"],
)
def _(paper: Paper) -> list[Cell]:
    return [_perfect(paper, "ndcg5", "ndcg5-perfect", "NWN"), _single(paper, "ndcg5", "ndcg5-perfect", "data sets")]


@claims.add(
    "section42.descent",
    place="Section 4.2; Table B.6, NDCG@5",
    statement="From LARF to ListNet the number of data sets rises while NWN falls.",
    words=SAID["descent5"],
)
def _(paper: Paper) -> Cell:
    return _falls(points_of(paper, "ndcg5"), paper.names("ndcg5-descent"))


@claims.add(
    "section42.owpc",
    place="Section 4.2; Table B.6",
    statement="OWPC is unbeaten on both axes at NDCG@5, but not at NDCG@3.",
    words=SAID["owpc"],
    weight="editorial",
)
def _(paper: Paper) -> Cell:
    (method,) = paper.names("ndcg5-owpc")
    fronts = {metric: front_of(points_of(paper, metric)) for metric in ("ndcg3", "ndcg5")}
    where = [metric for metric, front in fronts.items() if method in front]
    evaluated = paper["b6"].text(method, "ndcg5_nwn") or "not evaluated"
    witness = f"on the front of {listed(where)}; at NDCG@5 it is {evaluated}"
    return Statement(where == ["ndcg5"], witness, "on the front of ndcg5 only")


@claims.add(
    "section43.perfect",
    place="Section 4.3; Table B.6, NDCG@10",
    statement="LambdaMART and LambdaNeuralRank have the NWN 1.0, each on one data set.",
    words=SAID["perfect10"],
)
def _(paper: Paper) -> list[Cell]:
    return [
        _perfect(paper, "ndcg10", "ndcg10-perfect", "NWN"),
        _single(paper, "ndcg10", "ndcg10-perfect", "data sets"),
    ]


@claims.add(
    "section43.front",
    place="Section 4.3; Table B.6, NDCG@10",
    statement="Six named methods are on the front at NDCG@10.",
    words=SAID["shared"],
)
def _(paper: Paper) -> list[Cell]:
    return on_fronts(paper, paper.names("ndcg10-front-shared"), ("ndcg10",))


@claims.add(
    "section43.shared-fronts",
    place="Section 4.3; Table B.6",
    statement="The same six methods are on the fronts at NDCG@3 and NDCG@5, at least as Section 4 defines them.",
    words=SAID["shared"],
    cause="two-definitions",
    otherwise=names("ndcg10-front-shared", "LARF; LRUF; SmoothRank; ListNet"),
)
def _(paper: Paper) -> list[Cell]:
    return on_fronts(paper, paper.names("ndcg10-front-shared"), ("ndcg3", "ndcg5"), front_as_defined)


@claims.add(
    "section43.dcmp",
    place="Section 4.3; Table B.6",
    statement="DCMP is on the fronts at NDCG@3 and NDCG@5, but not at NDCG@10.",
    words=SAID["dcmp"],
)
def _(paper: Paper) -> Cell:
    (method,) = paper.names("ndcg10-off-front")
    where = [metric for metric in NDCG if method in front_of(points_of(paper, metric))]
    return Statement(where == ["ndcg3", "ndcg5"], f"on the front of {listed(where)}", "on two fronts of three")


@claims.add(
    "section44.perfect",
    place="Section 4.4; Table B.6, MAP",
    statement="RankDE has the NWN 1.0, on one data set.",
    words=SAID["rankde"],
)
def _(paper: Paper) -> list[Cell]:
    return [_perfect(paper, "map", "map-perfect", "NWN"), _single(paper, "map", "map-perfect", "data sets")]


@claims.add(
    "section44.lac-mr-or",
    place="Section 4.4; Table B.6",
    statement="LAC-MR-OR has more data sets at MAP than at NDCG, as many as ListNet, and a higher NWN.",
    words=SAID["lac-mr-or"],
)
def _(paper: Paper) -> Cell:
    (method,) = paper.names("map-equal-certainty")
    points = points_of(paper, "map")
    (nwn, datasets), (other_nwn, other_datasets) = points[method], points["ListNet"]
    ndcg = max(points_of(paper, metric).get(method, (0.0, 0.0))[1] for metric in NDCG)
    witness = f"{nwn} on {datasets:.0f} (NDCG {ndcg:.0f}), ListNet {other_nwn} on {other_datasets:.0f}"
    return Statement(datasets == other_datasets > ndcg and nwn > other_nwn, witness, "as certain, and more accurate")


@claims.add(
    "section44.smoothrank",
    place="Section 4.4; Table B.6, MAP",
    statement="SmoothRank's NWN and number of data sets at MAP; it is no Pareto optimum there.",
    words=SAID["smoothrank"],
)
def _(paper: Paper) -> list[Cell]:
    above = methods_above(points_of(paper, "map"), "SmoothRank")
    off = "SmoothRank" not in front_of(points_of(paper, "map"))
    return [
        Value(paper.statement("map-smoothrank-nwn"), paper["b6"].number("SmoothRank", "map_nwn").exact, "NWN"),
        Value(
            paper.statement("map-smoothrank-datasets"), paper["b6"].number("SmoothRank", "map_ds").exact, "data sets"
        ),
        Statement(off, f"higher on both axes: {listed(above)}", "not on the front", "front"),
    ]


@claims.add(
    "section44.majority",
    place="Section 4.4; Table B.6, MAP",
    statement="RankBoost and RankSVM are evaluated on the majority of the data sets.",
    words=SAID["not-top"],
)
def _(paper: Paper) -> list[Cell]:
    every = paper.statement("datasets").value
    cells: list[Cell] = []
    for method in paper.names("map-majority"):
        number = paper["b6"].number(method, "map_ds").value
        cells.append(Statement(number > every / 2, f"{number:.0f} of {every:.0f}", "more than half", method))
    return cells


@claims.add(
    "section44.few-datasets",
    place="Section 4.4; Table B.6, MAP",
    statement="LARF and LRUF have a higher NWN at MAP than any method with more data sets, on fewer than the mean.",
    words=SAID["few"],
)
def _(paper: Paper) -> list[Cell]:
    points = points_of(paper, "map")
    mean = sum(datasets for _, datasets in points.values()) / len(points)
    cells: list[Cell] = []
    for method in paper.names("better-evidence"):
        nwn, datasets = points[method]
        above = methods_above(points, method)
        witness = f"{nwn} on {datasets:.0f}, the mean method has {mean:.1f}; better with more: {listed(above)}"
        cells.append(Statement(not above and datasets < mean, witness, "accurate, on few data sets", method))
    return cells


@claims.add(
    "section44.best-at-map",
    place="Sections 4.4 and 4.5; Table B.6, MAP",
    statement="RE-QR and LAC-MR-OR are among the best at MAP, on several data sets.",
    words=(SAID["re-qr-best"], SAID["best-at-map"]),
)
def _(paper: Paper) -> list[Cell]:
    points = points_of(paper, "map")
    front = front_of(points)
    cells: list[Cell] = []
    for method in (*paper.names("map-only"), *paper.names("map-equal-certainty")):
        nwn, datasets = points[method]
        witness = f"{nwn} on {datasets:.0f} data sets, {'on' if method in front else 'off'} the front"
        cells.append(Statement(method in front and datasets > 1, witness, "on the front", method))
    return cells


@claims.add(
    "section44.re-qr",
    place="Section 4.4; Table B.6",
    statement="RE-QR has no NDCG result.",
    words=SAID["re-qr"],
)
def _(paper: Paper) -> Cell:
    (method,) = paper.names("map-only")
    found = [metric for metric in COLUMNS if method in points_of(paper, metric)]
    return Statement(found == ["map"], f"results at: {listed(found)}", "results at MAP only")
