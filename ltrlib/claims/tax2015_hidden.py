"""Winning numbers where the results behind them are published, and whether any results can stand behind Table B.6."""

from __future__ import annotations

from ltrlib.claims.claim import ClaimList
from ltrlib.claims.compare import Cell, Statement
from ltrlib.claims.material import PrintedNumbers, RecordedResult
from ltrlib.comparison.winning import winning_numbers
from ltrlib.published.tables import Paper, load_table
from ltrlib.records import Record

__all__ = ["claims"]

claims = ClaimList("tax2015")

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
