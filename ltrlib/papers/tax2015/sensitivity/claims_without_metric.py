"""What Section 5.1 says about leaving out a metric; Table 4 from the evaluation results and from Table B.6."""

from __future__ import annotations

from itertools import combinations

from ltrlib.claims.cells import Cell, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.words import TableCells
from ltrlib.papers.tax2015.b6 import COLUMNS, METRICS, NDCG, Points, listed, methods_above
from ltrlib.papers.tax2015.sensitivity.without_metric import table4_cells, table4_cells_from_b6
from ltrlib.papers.tax2015.sentences import SAID
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)

_TITLES = {column: metric for metric, column in METRICS.items()}


@claims.add(
    "table4.from-b6",
    place="Table 4; Table B.6",
    statement="All numbers of Table 4 follow from Table B.6 alone.",
    words=TableCells("table4"),
)
def _(paper: Paper) -> list[Cell]:
    return table4_cells_from_b6(paper)


@claims.add(
    "table4.from-results",
    place="Table 4",
    statement="All numbers of Table 4 follow from the 1,050 evaluation results.",
    words=TableCells("table4"),
)
def _(paper: Paper) -> list[Cell]:
    return table4_cells(paper)


@claims.add(
    "section5.scope",
    place="Section 5; Table 4; Figure 6",
    statement="The sensitivity analysis covers the methods to which the text restricts it.",
    words=SAID["scope"],
    cause="larf-in-or-out",
)
def _(paper: Paper) -> Cell:
    named, shown = set(paper.names("sensitivity-scope")), set(paper["table4"].rows)
    return Statement(named == shown, f"in Table 4 but not named: {listed(shown - named)}", "the same methods")


def _table4(paper: Paper, left_out: str) -> Points:
    table = paper["table4"]
    return {m: (table.number(m, f"{left_out}_nwn").value, table.number(m, f"{left_out}_iwn").value) for m in table.rows}


@claims.add(
    "section51.fsmrank",
    place="Section 5.1; Table 4",
    statement="Without MAP, LRUF is above FSMRank on both axes.",
    words=SAID["left-out"],
)
def _(paper: Paper) -> Cell:
    (method,) = paper.names("leave-out-fsmrank")
    above = methods_above(_table4(paper, "no_map"), method)
    return Statement("LRUF" in above, f"above {method}: {listed(above)}", "LRUF is above")


@claims.add(
    "section51.fenchelrank",
    place="Section 5.1; Table 4",
    statement="Without NDCG@3, and without NDCG@5, FSMRank is above FenchelRank on both axes.",
    words=SAID["left-out"],
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
    words=SAID["orders"],
)
def _(paper: Paper) -> Cell:
    every = _table4(paper, "all")
    changed = set()
    for left_out in COLUMNS:
        points = _table4(paper, f"no_{left_out}")
        for a, b in combinations(points, 2):
            for axis in (0, 1):
                if (points[a][axis] > points[b][axis]) != (every[a][axis] > every[b][axis]):
                    changed.add((left_out, *sorted((a, b))))
    named = {("map", "FSMRank", "LRUF"), ("ndcg3", "FSMRank", "FenchelRank"), ("ndcg5", "FSMRank", "FenchelRank")}
    witness = "; ".join(f"without {_TITLES[metric]}: {a} and {b}" for metric, a, b in sorted(changed))
    return Statement(changed == named, f"changed: {witness or 'none'}", "the three named changes only")


def _the_other_way_round(paper: Paper) -> tuple[Paper]:
    """Table 4 with a higher IWN and a lower NWN without MAP, for each method."""
    table = paper["table4"]
    for method in table.rows:
        table = table.with_cell(method, "no_map_iwn", "1000").with_cell(method, "no_map_nwn", "0.0001")
    return (paper.with_table(table),)


@claims.add(
    "section51.map-change",
    place="Section 5.1; Table 4",
    statement="For every method the largest increase in IWN and the largest decrease in NWN come from leaving out MAP.",
    # Two words are exchanged: IWN cannot rise when results go, and the next sentences say that NWN rises.
    weight="editorial",
    words=SAID["map-change"],
    otherwise=_the_other_way_round,
)
def _(paper: Paper) -> list[Cell]:
    return [
        *_largest_change(paper, axis=1, sign=1, what="increase in IWN"),
        *_largest_change(paper, axis=0, sign=-1, what="decrease in NWN"),
    ]


def _largest_change(paper: Paper, axis: int, sign: int, what: str) -> list[Cell]:
    every = _table4(paper, "all")
    cells: list[Cell] = []
    for method in every:
        changes = {left: _table4(paper, f"no_{left}")[method][axis] - every[method][axis] for left in COLUMNS}
        largest = max(changes, key=lambda left: sign * changes[left])
        holds = largest == "map" and sign * changes["map"] > 0
        witness = ", ".join(f"without {_TITLES[left]} {change:+.4g}" for left, change in changes.items())
        cells.append(Statement(holds, witness, f"leaving out MAP brings the largest {what}", f"{method}, {what[-3:]}"))
    return cells


@claims.add(
    "section51.fsmrank-gain",
    place="Section 5.1; Table 4",
    statement="FSMRank's NWN rises by almost 0.1 without MAP.",
    words=SAID["gain"],
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
    words=SAID["gain"],
)
def _(paper: Paper) -> Cell:
    every = _table4(paper, "all")
    changes = {
        (method, left): abs(_table4(paper, f"no_{left}")[method][0] - every[method][0])
        for method in every
        for left in COLUMNS
    }
    method, left = max(changes, key=lambda key: changes[key])
    witness = f"{method} without {_TITLES[left]}: {changes[method, left]:.4f}"
    return Statement((method, left) == ("FSMRank", "map"), witness, "FSMRank without MAP")


@claims.add(
    "section51.higher-without-map",
    place="Section 5.1; Tables 4 and B.6",
    statement="Every optimal method has a higher NWN without MAP, and of the others a smaller share has.",
    words=SAID["higher"],
)
def _(paper: Paper) -> list[Cell]:
    table = paper["table4"]
    cells: list[Cell] = []
    for method in table.rows:
        before, after = (table.number(method, f"{name}_nwn") for name in ("all", "no_map"))
        cells.append(Statement(after.value > before.value, f"{before} to {after}", "NWN rises without MAP", method))
    # NWN over all metrics is a weighted mean: it rises without MAP exactly if it is above the NWN at MAP.
    rows = paper.corrected("b6")
    both = [m for m in rows.rows if rows.text(m, "map_nwn") and any(rows.text(m, f"{n}_nwn") for n in NDCG)]
    others = [method for method in both if method not in table.rows]
    rising = [m for m in others if rows.number(m, "nwn").value > rows.number(m, "map_nwn").value]
    share = sum(bool(cell.holds) for cell in cells if isinstance(cell, Statement)) / len(cells)
    witness = f"NWN rises for {len(rising)} of {len(others)} other methods too"
    cells.append(Statement(len(rising) / len(others) < share, witness, "a smaller share of the others", "others"))
    return cells
