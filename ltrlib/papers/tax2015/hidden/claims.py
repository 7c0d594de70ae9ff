"""Winning numbers where the results behind them are published, and whether any results can stand behind Table B.6."""

from __future__ import annotations

from ltrlib.claims.cells import Cell, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers, RecordedResult
from ltrlib.comparison.winning import winning_numbers
from ltrlib.papers.tax2015.sensitivity.without_metric import NOTHING, PUBLISHED_ROWS, sums_left
from ltrlib.published.tables import Paper, load_table
from ltrlib.records.record import Record

__all__ = ["claims"]

claims = ClaimList(__name__)

_LIU = PrintedNumbers("Tables 11.1 and 11.8 of Liu (2011)", own=True)
# Printed values are rounded, so what they do not show is no contradiction.
_LIU_ROUNDED = PrintedNumbers("Tables 11.1 and 11.8 of Liu (2011)")
_LIU_COLUMNS = {
    "NDCG@1": "ndcg1",
    "NDCG@3": "ndcg3",
    "NDCG@10": "ndcg10",
    "P@1": "p1",
    "P@3": "p3",
    "P@10": "p10",
    "MAP": "map",
}
_LETOR3_SETS = 7

_ORDERS = RecordedResult(
    "tax2015/orders", {"sample": "int", "metric": "str", "dataset": "str", "method": "str", "wins": "int"}
)
_ROWS = RecordedResult("tax2015/published-rows", PUBLISHED_ROWS)
_PRESENCE = RecordedResult("tax2015/presence", {"method": "str", "metric": "str", "dataset": "str"})
_METRICS = {"NDCG@3": "ndcg3", "NDCG@5": "ndcg5", "NDCG@10": "ndcg10", "MAP": "map"}


def _liu_totals() -> dict[str, dict[str, int]]:
    table = load_table("liu2011", "winning_numbers")
    return {m: {method: int(table.text(method, c)) for method in table.rows} for m, c in _LIU_COLUMNS.items()}


def _wins_on_td2003() -> dict[str, dict[str, int]]:
    raw = load_table("liu2011", "evaluation_results").wide().astype({"value": float})
    counted = winning_numbers(raw[raw["source"] == "liu2011 Table 11.1"])
    return {
        str(metric): dict(zip(part["method"], part["wn"].tolist(), strict=True))
        for metric, part in counted.groupby("metric")
        if metric in _LIU_COLUMNS
    }


@claims.add(
    "letor3.wins",
    place="Liu (2011), Table 11.8, the winning numbers that Section 3 generalises",
    statement="In each metric, seven methods on seven data sets win at most as often as there are pairs.",
    material=_LIU,
)
def _(_: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for metric, totals in _liu_totals().items():
        pairs = _LETOR3_SETS * len(totals) * (len(totals) - 1) // 2
        wins = sum(totals.values())
        witness = f"{wins} wins and {pairs - wins} ties make {pairs} pairs"
        cells.append(Statement(wins <= pairs, witness, "no more wins than pairs", metric))
    return cells


@claims.add(
    "letor3.td2003",
    place="Liu (2011), Tables 11.1 and 11.8",
    statement="The wins counted on TD2003 are part of the total; the other six data sets can make up the rest.",
    material=_LIU,
)
def _(_: Paper) -> list[Cell]:
    counted = _wins_on_td2003()
    cells: list[Cell] = []
    for metric, totals in _liu_totals().items():
        most = (_LETOR3_SETS - 1) * (len(totals) - 1)
        for method, total in totals.items():
            here = counted[metric][method]
            witness = f"{here} on TD2003, {total} in all"
            cells.append(Statement(here <= total <= here + most, witness, "part of the total", f"{method}, {metric}"))
    return cells


@claims.add(
    "letor3.ties",
    place="Liu (2011), Tables 11.1 and 11.8",
    statement="Where the totals leave no room for a tie, the results printed for TD2003 show none.",
    material=_LIU_ROUNDED,
)
def _(_: Paper) -> list[Cell]:
    counted = _wins_on_td2003()
    cells: list[Cell] = []
    for metric, totals in _liu_totals().items():
        pairs = len(totals) * (len(totals) - 1) // 2
        if sum(totals.values()) == _LETOR3_SETS * pairs:
            ties = pairs - sum(counted[metric].values())
            witness = f"{ties} tied pair(s) at the three printed decimals, so wins were counted before rounding"
            cells.append(Statement(ties == 0, witness if ties else "no tie", "no tie", metric))
    return cells


@claims.add(
    "b6.results-exist",
    place="Table B.6, all columns",
    statement="Some results give every number of the table: each row comes out as printed in each reconstruction.",
    material=_ORDERS,
)
def _(paper: Paper, orders: Record) -> list[Cell]:
    printed = paper.corrected("b6")
    cells = orders.table
    cells = cells.assign(iwn=cells.groupby(["sample", "metric", "dataset"])["method"].transform("size") - 1)
    rows = cells.groupby(["sample", "metric", "method"]).agg(
        wn=("wins", "sum"), iwn=("iwn", "sum"), ds=("wins", "size")
    )
    wrong: dict[str, set[str]] = {}
    for metric, column in _METRICS.items():
        wrong[metric] = set()
        for method, *ours in (
            rows.xs(metric, level="metric").reset_index("method").drop_duplicates().itertuples(index=False)
        ):
            wins, possible, datasets = ours
            nwn, sets = (printed.number(method, f"{column}_{what}") for what in ("nwn", "ds"))
            if not (nwn.agrees(wins / possible) and sets.agrees(datasets)):
                wrong[metric].add(method)
    totals = rows.groupby(["sample", "method"])[["wn", "iwn"]].sum().reset_index("method").drop_duplicates()
    wrong["all metrics"] = {
        method
        for method, wins, possible in totals.itertuples(index=False)
        if not (printed.number(method, "wn").agrees(wins) and printed.number(method, "iwn").agrees(possible))
    }
    found: list[Cell] = []
    for metric, methods in wrong.items():
        named = "wn" if metric == "all metrics" else f"{_METRICS[metric]}_nwn"
        number = sum(bool(printed.text(method, named)) for method in printed.rows)
        witness = f"{number - len(methods)} of {number} rows" + (
            f", not {', '.join(sorted(methods))}" if methods else ""
        )
        found.append(Statement(not methods, witness, "every row", metric))
    return found


@claims.add(
    "b6.whole-wins",
    place="Table B.6, all columns; Section 3",
    statement="In each row that was read safely, whole wins and comparisons per metric give all NWN, WN and IWN.",
)
def _(paper: Paper) -> list[Cell]:
    # Corrected cells were chosen so that whole numbers fit; their rows would prove nothing.
    corrected = {place.rpartition(" / ")[0] for place in paper["b6_corrections"].rows}
    possible = sums_left(paper, NOTHING)
    return [
        Statement(method in possible, "some fit" if method in possible else "none fit", "some fit", method)
        for method in paper["b6"].rows
        if method not in corrected
    ]


@claims.add(
    "b6.metric-pairs",
    place="Table B.6; Section 3",
    statement="In each metric the IWN add up to an even number, and the wins to at most half of it.",
    material=_ROWS,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    every, table = sums_left(paper, NOTHING), paper.corrected("b6")
    columns = (record.table[name].tolist() for name in ("metric", "method", "wn", "iwn"))
    resolved = {(metric, method): (wn, iwn) for metric, method, wn, iwn in zip(*columns, strict=True)}
    cells: list[Cell] = []
    for metric, column in _METRICS.items():
        without = sums_left(paper, metric)
        wins = comparisons = 0
        for method, sums in every.items():
            if not table.text(method, f"{column}_nwn"):
                continue
            left = without.get(method, [(0, 0)])
            # Where several whole numbers print alike: those that the other rows and Table 4 leave.
            only = (sums[0][0] - left[0][0], sums[0][1] - left[0][1])
            own = only if len(left) == 1 else resolved[metric, method]
            wins, comparisons = wins + own[0], comparisons + own[1]
        witness = f"IWN add up to {comparisons:,}, WN to {wins:,}"
        holds = comparisons % 2 == 0 and 2 * wins <= comparisons
        cells.append(Statement(holds, witness, "an even number, and no more wins than pairs", metric))
    return cells


@claims.add(
    "b6.all-datasets",
    place="Abstract; Tables 1 and B.6",
    statement="Results on 20 data sets stand behind the table.",
    material=_PRESENCE,
    proxy="one of many sets of results that give the table; others could use a further data set",
)
def _(paper: Paper, presence: Record) -> Cell:
    return Value(paper.statement("datasets"), presence.table["dataset"].nunique())
