"""Claims of the cross-benchmark comparison about all metrics together, and with one left out (Sections 4.5, 5.1)."""

from __future__ import annotations

from itertools import combinations

from ltrlib.claims.cells import Cell, Order, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.papers.tax2015.audit.claims import METRICS
from ltrlib.papers.tax2015.b6 import NDCG, Points, front_of, listed, methods_above, on_fronts, points_of
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)


@claims.add(
    "abstract.front",
    place="Abstract; Table B.6",
    statement="Six named methods are the Pareto front over all metrics.",
)
def _(paper: Paper) -> Cell:
    front, named = front_of(points_of(paper)), set(paper.names("abstract-front"))
    witness = f"not on the front: {listed(named - front)}; on it but not named: {listed(front - named)}"
    return Statement(front == named, witness, "the front")


@claims.add(
    "abstract.front-order",
    place="Abstract; Table B.6",
    statement="The six methods are named in increasing order of NWN and decreasing order of IWN.",
)
def _(paper: Paper) -> Cell:
    names = paper.names("abstract-front")
    rows = [points_of(paper)[method] for method in names]
    holds = rows == sorted(rows) and [y for _, y in rows] == sorted((y for _, y in rows), reverse=True)
    witness = ", ".join(f"{method} {x} / {y:.0f}" for method, (x, y) in zip(names, rows, strict=True))
    return Statement(holds, witness, "NWN rises while IWN falls")


@claims.add(
    "section45.front",
    place="Section 4.5; Table B.6",
    statement="Five named methods are those to which no other is superior in both IWN and NWN.",
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
)
def _(paper: Paper) -> Cell:
    abstract, section = set(paper.names("abstract-front")), set(paper.names("section45-front"))
    return Statement(abstract == section, f"only in one: {listed(abstract ^ section)}", "the same methods")


@claims.add(
    "section45.rank2",
    place="Section 4.5; Table B.6",
    statement="LARF, IPRank, DCMP and the RankSVM variants each have exactly one method above them on both axes.",
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
)
def _(paper: Paper) -> Cell:
    points, named = points_of(paper), set(paper.names("section45-rank2"))
    others = [method for method in points if len(methods_above(points, method)) == 1 and method not in named]
    return Statement(not others, f"others: {listed(others)}", "no others")


@claims.add(
    "section45.only-lruf",
    place="Section 4.5; Table B.6",
    statement="LRUF is the only method on the front of each metric and of all together.",
)
def _(paper: Paper) -> Cell:
    fronts = [front_of(points_of(paper, metric)) for metric in (*METRICS, None)]
    everywhere, named = set.intersection(*fronts), set(paper.names("section45-everywhere"))
    return Statement(everywhere == named, f"on all five fronts: {listed(everywhere)}", f"only {listed(named)}")


@claims.add(
    "section45.ndcg-fronts",
    place="Section 4.5; Table B.6",
    statement="FenchelRank, FSMRank, SmoothRank and ListNet are on the front at each NDCG cut-off.",
)
def _(paper: Paper) -> list[Cell]:
    return on_fronts(paper, paper.names("section45-ndcg"), NDCG)


@claims.add(
    "section45.map-optima-off-front",
    place="Section 4.5; Table B.6",
    statement="LAC-MR-OR and RE-QR are not on the front over all metrics.",
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
)
def _(paper: Paper) -> Cell:
    named, whole = paper.names("defined-by"), front_of(points_of(paper))
    fronts = {metric: front_of(points_of(paper, metric)) for metric in METRICS}
    shared = {metric: len(whole & front) / len(whole | front) for metric, front in fronts.items()}
    return Order([list(named), [metric for metric in METRICS if metric not in named]], shared)


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
    above = methods_above(_table4(paper, "no_map"), method)
    return Statement("LRUF" in above, f"above {method}: {listed(above)}", "LRUF is above")


@claims.add(
    "section51.fenchelrank",
    place="Section 5.1; Table 4",
    statement="Without NDCG@3, and without NDCG@5, FSMRank is above FenchelRank on both axes.",
)
def _(paper: Paper) -> list[Cell]:
    (method,) = paper.names("leave-out-fenchelrank")
    cells: list[Cell] = []
    for left_out in ("no_ndcg3", "no_ndcg5"):
        above = methods_above(_table4(paper, left_out), method)
        cells.append(Statement("FSMRank" in above, f"above: {listed(above)}", "FSMRank is above", left_out))
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
def _(paper: Paper) -> list[Cell]:
    table, almost = paper["table4"], paper.statement("leave-out-gain")
    gain = table.number("FSMRank", "no_map_nwn").exact - table.number("FSMRank", "all_nwn").exact
    return [
        Value(almost, gain, "rise"),
        Statement(gain < almost.exact, f"{float(gain):.4f}", f"below {almost}", "almost"),
    ]


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
