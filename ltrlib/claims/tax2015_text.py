"""Claims of the cross-benchmark comparison's text that Tables 4, A.5 and B.6 confirm or contradict."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from ltrlib.claims.claim import ClaimList
from ltrlib.claims.compare import Cell, Statement, Value
from ltrlib.claims.tax2015 import METRICS
from ltrlib.comparison.pareto import dominators, pareto_front
from ltrlib.published.tables import Paper

claims = ClaimList("tax2015")

Points = Mapping[str, tuple[float, float]]
"""Accuracy (NWN) and certainty (number of data sets, or IWN) of each method."""

_NDCG = ("ndcg3", "ndcg5", "ndcg10")


def _points(paper: Paper, metric: str | None = None) -> Points:
    """The points of a figure: NWN over data sets for one metric, NWN over IWN for all; corrected cells."""
    table = paper.corrected("b6")
    names = ("nwn", "iwn") if metric is None else (f"{metric}_nwn", f"{metric}_ds")
    accuracy, certainty = (table.column(name) for name in names)
    return {method: (accuracy[method].value, certainty[method].value) for method in accuracy}


def _above(points: Points, method: str) -> list[str]:
    """Methods that are higher on both axes."""
    names = list(points)
    above = dominators(*zip(*points.values(), strict=True), reading="strict")
    return [names[i] for i in above[names.index(method)]]


def _front(points: Points) -> set[str]:
    """The Pareto front, as usually defined: equal on one axis and better on the other is enough to dominate."""
    on_front = pareto_front(*zip(*points.values(), strict=True))
    return {method for method, on in zip(points, on_front, strict=True) if on}


def _listed(methods: set[str] | list[str]) -> str:
    return ", ".join(sorted(methods)) or "none"


def _on_fronts(paper: Paper, methods: tuple[str, ...], metrics: tuple[str | None, ...]) -> list[Cell]:
    """One statement per method: it is on the front of each metric."""
    fronts = {metric: _front(_points(paper, metric)) for metric in metrics}
    cells: list[Cell] = []
    for method in methods:
        off = [metric or "all metrics" for metric, front in fronts.items() if method not in front]
        cells.append(Statement(not off, f"off the front of: {_listed(off)}", "on each front", method))
    return cells


def _falls(points: Points, methods: tuple[str, ...]) -> Cell:
    rows = [points[method] for method in methods]
    holds = rows == sorted(rows, key=lambda row: -row[0]) and [y for _, y in rows] == sorted(y for _, y in rows)
    witness = ", ".join(f"{method} {x} on {y:.0f}" for method, (x, y) in zip(methods, rows, strict=True))
    return Statement(holds, witness, "NWN falls while the number of data sets rises")


def _perfect(paper: Paper, metric: str, statement: str, name: str = "") -> Cell:
    found = {method for method, (nwn, _) in _points(paper, metric).items() if nwn == 1.0}
    named = set(paper.names(statement))
    return Statement(named <= found, f"NWN 1 at {metric}: {_listed(found)}", f"among them {_listed(named)}", name)


def _single(paper: Paper, metric: str, statement: str, name: str) -> Cell:
    datasets = {method: _points(paper, metric)[method][1] for method in paper.names(statement)}
    witness = ", ".join(f"{method} on {number:.0f}" for method, number in datasets.items())
    return Statement(set(datasets.values()) == {1.0}, witness, "one data set each", name)


@claims.add(
    "section41.perfect",
    place="Section 4.1; Table B.6, NDCG@3",
    statement="LambdaNeuralRank and CoList have the NWN 1.0, each on one data set.",
)
def _(paper: Paper) -> list[Cell]:
    return [_perfect(paper, "ndcg3", "ndcg3-perfect", "NWN"), _single(paper, "ndcg3", "ndcg3-perfect", "data sets")]


@claims.add(
    "section41.descent",
    place="Section 4.1; Table B.6, NDCG@3",
    statement="From FenchelRank to ListNet NWN falls while the number of data sets rises.",
)
def _(paper: Paper) -> Cell:
    return _falls(_points(paper, "ndcg3"), paper.names("ndcg3-descent"))


@claims.add(
    "section41.front",
    place="Section 4.1; Table B.6, NDCG@3",
    statement="The nine methods discussed are the Pareto front at NDCG@3.",
)
def _(paper: Paper) -> Cell:
    front, named = _front(_points(paper, "ndcg3")), set(paper.names("ndcg3-front"))
    return Statement(front == named, f"differing: {_listed(front ^ named)}", "the front")


@claims.add(
    "section41.three-datasets",
    place="Section 4.1; Table B.6, NDCG@3",
    statement="LARF and LRUF are evaluated on three data sets.",
)
def _(paper: Paper) -> list[Cell]:
    number = paper.statement("ndcg3-letor3-datasets")
    return [Value(number, paper["b6"].number(method, "ndcg3_ds").exact, method) for method in ("LARF", "LRUF")]


@claims.add(
    "section42.perfect",
    place="Section 4.2; Table B.6, NDCG@5",
    statement="LambdaNeuralRank has the NWN 1.0.",
)
def _(paper: Paper) -> Cell:
    return _perfect(paper, "ndcg5", "ndcg5-perfect")


@claims.add(
    "section42.descent",
    place="Section 4.2; Table B.6, NDCG@5",
    statement="From LARF to ListNet the number of data sets rises while NWN falls.",
)
def _(paper: Paper) -> Cell:
    return _falls(_points(paper, "ndcg5"), paper.names("ndcg5-descent"))


@claims.add(
    "section42.owpc",
    place="Section 4.2; Table B.6",
    statement="OWPC is unbeaten on both axes at NDCG@5, but not at NDCG@3.",
)
def _(paper: Paper) -> Cell:
    (method,) = paper.names("ndcg5-owpc")
    fronts = {metric: _front(_points(paper, metric)) for metric in ("ndcg3", "ndcg5")}
    where = [metric for metric, front in fronts.items() if method in front]
    evaluated = paper["b6"].text(method, "ndcg5_nwn") or "not evaluated"
    witness = f"on the front of {_listed(where)}; at NDCG@5 it is {evaluated}"
    return Statement(where == ["ndcg5"], witness, "on the front of ndcg5 only")


@claims.add(
    "section43.perfect",
    place="Section 4.3; Table B.6, NDCG@10",
    statement="LambdaMART and LambdaNeuralRank have the NWN 1.0.",
)
def _(paper: Paper) -> Cell:
    return _perfect(paper, "ndcg10", "ndcg10-perfect")


@claims.add(
    "section43.front",
    place="Section 4.3; Table B.6, NDCG@10",
    statement="Six named methods are on the front at NDCG@10.",
)
def _(paper: Paper) -> list[Cell]:
    return _on_fronts(paper, paper.names("ndcg10-front-shared"), ("ndcg10",))


@claims.add(
    "section43.shared-fronts",
    place="Section 4.3; Table B.6",
    statement="The same six methods are on the fronts at NDCG@3 and NDCG@5.",
)
def _(paper: Paper) -> list[Cell]:
    return _on_fronts(paper, paper.names("ndcg10-front-shared"), ("ndcg3", "ndcg5"))


@claims.add(
    "section43.dcmp",
    place="Section 4.3; Table B.6",
    statement="DCMP is on the fronts at NDCG@3 and NDCG@5, but not at NDCG@10.",
)
def _(paper: Paper) -> Cell:
    (method,) = paper.names("ndcg10-off-front")
    where = [metric for metric in _NDCG if method in _front(_points(paper, metric))]
    return Statement(where == ["ndcg3", "ndcg5"], f"on the front of {_listed(where)}", "on two fronts of three")


@claims.add(
    "section44.perfect",
    place="Section 4.4; Table B.6, MAP",
    statement="RankDE has the NWN 1.0, on one data set.",
)
def _(paper: Paper) -> list[Cell]:
    return [_perfect(paper, "map", "map-perfect", "NWN"), _single(paper, "map", "map-perfect", "data sets")]


@claims.add(
    "section44.lac-mr-or",
    place="Section 4.4; Table B.6",
    statement="LAC-MR-OR has more data sets at MAP than at NDCG, as many as ListNet, and a higher NWN.",
)
def _(paper: Paper) -> Cell:
    (method,) = paper.names("map-equal-certainty")
    points = _points(paper, "map")
    (nwn, datasets), (other_nwn, other_datasets) = points[method], points["ListNet"]
    ndcg = max(_points(paper, metric).get(method, (0.0, 0.0))[1] for metric in _NDCG)
    witness = f"{nwn} on {datasets:.0f} (NDCG {ndcg:.0f}), ListNet {other_nwn} on {other_datasets:.0f}"
    return Statement(datasets == other_datasets > ndcg and nwn > other_nwn, witness, "as certain, and more accurate")


@claims.add(
    "section44.smoothrank",
    place="Section 4.4; Table B.6, MAP",
    statement="SmoothRank's NWN and number of data sets at MAP; it is no Pareto optimum there.",
)
def _(paper: Paper) -> list[Cell]:
    above = _above(_points(paper, "map"), "SmoothRank")
    off = "SmoothRank" not in _front(_points(paper, "map"))
    return [
        Value(paper.statement("map-smoothrank-nwn"), paper["b6"].number("SmoothRank", "map_nwn").exact, "NWN"),
        Value(
            paper.statement("map-smoothrank-datasets"), paper["b6"].number("SmoothRank", "map_ds").exact, "data sets"
        ),
        Statement(off, f"higher on both axes: {_listed(above)}", "not on the front", "front"),
    ]


@claims.add(
    "section44.majority",
    place="Section 4.4; Table B.6, MAP",
    statement="RankBoost and RankSVM are evaluated on the majority of the data sets.",
)
def _(paper: Paper) -> list[Cell]:
    every = paper.statement("datasets").value
    cells: list[Cell] = []
    for method in paper.names("map-majority"):
        number = paper["b6"].number(method, "map_ds").value
        cells.append(Statement(number > every / 2, f"{number:.0f} of {every:.0f}", "more than half", method))
    return cells


@claims.add("section44.re-qr", place="Section 4.4; Table B.6", statement="RE-QR has no NDCG result.")
def _(paper: Paper) -> Cell:
    (method,) = paper.names("map-only")
    found = [metric for metric in METRICS if method in _points(paper, metric)]
    return Statement(found == ["map"], f"results at: {_listed(found)}", "results at MAP only")


@claims.add(
    "abstract.front",
    place="Abstract; Table B.6",
    statement="Six named methods are the Pareto front over all metrics.",
)
def _(paper: Paper) -> Cell:
    front, named = _front(_points(paper)), set(paper.names("abstract-front"))
    witness = f"not on the front: {_listed(named - front)}; on it but not named: {_listed(front - named)}"
    return Statement(front == named, witness, "the front")


@claims.add(
    "abstract.front-order",
    place="Abstract; Table B.6",
    statement="The six methods are named in increasing order of NWN and decreasing order of IWN.",
)
def _(paper: Paper) -> Cell:
    names = paper.names("abstract-front")
    rows = [_points(paper)[method] for method in names]
    holds = rows == sorted(rows) and [y for _, y in rows] == sorted((y for _, y in rows), reverse=True)
    witness = ", ".join(f"{method} {x} / {y:.0f}" for method, (x, y) in zip(names, rows, strict=True))
    return Statement(holds, witness, "NWN rises while IWN falls")


@claims.add(
    "section45.front",
    place="Section 4.5; Table B.6",
    statement="Five named methods are those to which no other is superior in both IWN and NWN.",
)
def _(paper: Paper) -> Cell:
    points, named = _points(paper), set(paper.names("section45-front"))
    front = {method for method in points if not _above(points, method)}
    witness = f"not unbeaten: {_listed(named - front)}; unbeaten but not named: {_listed(front - named)}"
    return Statement(front == named, witness, "exactly these methods")


@claims.add(
    "section45.same-front",
    place="Abstract; Section 4.5",
    statement="Abstract and Section 4.5 name the same Pareto front.",
)
def _(paper: Paper) -> Cell:
    abstract, section = set(paper.names("abstract-front")), set(paper.names("section45-front"))
    return Statement(abstract == section, f"only in one: {_listed(abstract ^ section)}", "the same methods")


@claims.add(
    "section45.rank2",
    place="Section 4.5; Table B.6",
    statement="LARF, IPRank, DCMP and the RankSVM variants each have exactly one method above them on both axes.",
)
def _(paper: Paper) -> list[Cell]:
    points = _points(paper)
    cells: list[Cell] = []
    for method in paper.names("section45-rank2"):
        above = _above(points, method)
        cells.append(Statement(len(above) == 1, f"above it: {_listed(above)}", "one method is above it", method))
    return cells


@claims.add(
    "section45.rank2-complete",
    place="Section 4.5; Table B.6",
    statement="No other method has exactly one method above it on both axes.",
)
def _(paper: Paper) -> Cell:
    points, named = _points(paper), set(paper.names("section45-rank2"))
    others = [method for method in points if len(_above(points, method)) == 1 and method not in named]
    return Statement(not others, f"others: {_listed(others)}", "no others")


@claims.add(
    "section45.only-lruf",
    place="Section 4.5; Table B.6",
    statement="LRUF is the only method on the front of each metric and of all together.",
)
def _(paper: Paper) -> Cell:
    fronts = [_front(_points(paper, metric)) for metric in (*METRICS, None)]
    everywhere, named = set.intersection(*fronts), set(paper.names("section45-everywhere"))
    return Statement(everywhere == named, f"on all five fronts: {_listed(everywhere)}", f"only {_listed(named)}")


@claims.add(
    "section45.ndcg-fronts",
    place="Section 4.5; Table B.6",
    statement="FenchelRank, FSMRank, SmoothRank and ListNet are on the front at each NDCG cut-off.",
)
def _(paper: Paper) -> list[Cell]:
    return _on_fronts(paper, paper.names("section45-ndcg"), _NDCG)


@claims.add(
    "section45.map-optima-off-front",
    place="Section 4.5; Table B.6",
    statement="LAC-MR-OR and RE-QR are not on the front over all metrics.",
)
def _(paper: Paper) -> list[Cell]:
    front = _front(_points(paper))
    methods = (*paper.names("map-equal-certainty"), *paper.names("map-only"))
    return [
        Statement(m not in front, f"above it: {_listed(_above(_points(paper), m))}", "off the front", m)
        for m in methods
    ]


@claims.add(
    "section45.near-perfect",
    place="Section 4.5; Table B.6",
    statement="Six named methods have a higher NWN, and a lower IWN, than most of the front's methods.",
)
def _(paper: Paper) -> list[Cell]:
    points = _points(paper)
    front = paper.names("section45-front")
    cells: list[Cell] = []
    for method in paper.names("section45-near-perfect"):
        nwn, iwn = points[method]
        better = sum(nwn > points[other][0] for other in front)
        lower = all(iwn < points[other][1] for other in front)
        witness = f"NWN {nwn} above {better} of {len(front)}, IWN {iwn:.0f}"
        cells.append(Statement(lower and better > len(front) / 2, witness, "accurate, but uncertain", method))
    return cells


def _table4(paper: Paper, left_out: str) -> Points:
    table = paper["table4"]
    return {m: (table.number(m, f"{left_out}_nwn").value, table.number(m, f"{left_out}_iwn").value) for m in table.rows}


@claims.add(
    "section51.fsmrank",
    place="Section 5.1; Table 4",
    statement="Without MAP, LRUF is above FSMRank on both axes.",
)
def _(paper: Paper) -> Cell:
    (method,) = paper.names("leave-out-fsmrank")
    above = _above(_table4(paper, "no_map"), method)
    return Statement("LRUF" in above, f"above {method}: {_listed(above)}", "LRUF is above")


@claims.add(
    "section51.fenchelrank",
    place="Section 5.1; Table 4",
    statement="Without NDCG@3, and without NDCG@5, FSMRank is above FenchelRank on both axes.",
)
def _(paper: Paper) -> list[Cell]:
    (method,) = paper.names("leave-out-fenchelrank")
    cells: list[Cell] = []
    for left_out in ("no_ndcg3", "no_ndcg5"):
        above = _above(_table4(paper, left_out), method)
        cells.append(Statement("FSMRank" in above, f"above: {_listed(above)}", "FSMRank is above", left_out))
    return cells


@claims.add(
    "section51.other-orders",
    place="Section 5.1; Table 4",
    statement="All other orders of the methods on both axes stay as they are when one metric is left out.",
)
def _(paper: Paper) -> Cell:
    every = _table4(paper, "all")
    changed = set()
    for left_out in METRICS:
        points = _table4(paper, f"no_{left_out}")
        for a, b in combinations(points, 2):
            for axis in (0, 1):
                if (points[a][axis] > points[b][axis]) != (every[a][axis] > every[b][axis]):
                    changed.add((left_out, *sorted((a, b))))
    named = {("map", "FSMRank", "LRUF"), ("ndcg3", "FSMRank", "FenchelRank"), ("ndcg5", "FSMRank", "FenchelRank")}
    witness = "; ".join(f"without {metric}: {a} and {b}" for metric, a, b in sorted(changed))
    return Statement(changed == named, f"changed: {witness or 'none'}", "the three named changes only")


@claims.add(
    "section51.map-iwn",
    place="Section 5.1; Table 4",
    statement="For every method the largest increase in IWN comes from leaving out MAP.",
)
def _(paper: Paper) -> list[Cell]:
    return _largest_change(paper, axis=1, sign=1, what="increase in IWN")


@claims.add(
    "section51.map-nwn",
    place="Section 5.1; Table 4",
    statement="For every method the largest decrease in NWN comes from leaving out MAP.",
)
def _(paper: Paper) -> list[Cell]:
    return _largest_change(paper, axis=0, sign=-1, what="decrease in NWN")


def _largest_change(paper: Paper, axis: int, sign: int, what: str) -> list[Cell]:
    every = _table4(paper, "all")
    cells: list[Cell] = []
    for method in every:
        changes = {left: _table4(paper, f"no_{left}")[method][axis] - every[method][axis] for left in METRICS}
        largest = max(changes, key=lambda left: sign * changes[left])
        holds = largest == "map" and sign * changes["map"] > 0
        witness = ", ".join(f"without {left} {change:+.4g}" for left, change in changes.items())
        cells.append(Statement(holds, witness, f"leaving out MAP brings the largest {what}", method))
    return cells


@claims.add(
    "section51.fsmrank-gain",
    place="Section 5.1; Table 4",
    statement="FSMRank's NWN rises by almost 0.1 without MAP.",
)
def _(paper: Paper) -> Cell:
    table = paper["table4"]
    gain = table.number("FSMRank", "no_map_nwn").exact - table.number("FSMRank", "all_nwn").exact
    return Value(paper.statement("leave-out-gain"), gain)


@claims.add(
    "section51.largest-deviation",
    place="Section 5.1; Table 4",
    statement="That rise of FSMRank is the largest change of NWN in Table 4.",
)
def _(paper: Paper) -> Cell:
    every = _table4(paper, "all")
    changes = {
        (method, left): abs(_table4(paper, f"no_{left}")[method][0] - every[method][0])
        for method in every
        for left in METRICS
    }
    method, left = max(changes, key=lambda key: changes[key])
    witness = f"{method} without {left}: {changes[method, left]:.4f}"
    return Statement((method, left) == ("FSMRank", "map"), witness, "FSMRank without MAP")
