"""Winning numbers that Liu (2011) prints for LETOR 3.0, counted again as far as the results behind them are printed."""

from __future__ import annotations

from ltrlib.claims.cells import Cell, Statement
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers
from ltrlib.claims.words import TableCells
from ltrlib.papers.tax2015.method.liu import DATASETS, published_wins, wins_on_td2003
from ltrlib.papers.tax2015.sentences import SAID
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)

_LIU = PrintedNumbers("Tables 11.1 and 11.8 of Liu (2011)", own=True)


@claims.add(
    "letor3.wins",
    place="Liu (2011), Table 11.8, the winning numbers that Section 3 generalises",
    statement="In each metric, seven methods on seven data sets win at most as often as there are pairs.",
    material=_LIU,
    words=[SAID["winning"], TableCells("winning_numbers", paper="liu2011")],
)
def _(_: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for metric, totals in published_wins().items():
        pairs = DATASETS * len(totals) * (len(totals) - 1) // 2
        wins = sum(totals.values())
        witness = f"{wins} wins and {pairs - wins} ties make {pairs} pairs"
        cells.append(Statement(wins <= pairs, witness, "no more wins than pairs", metric))
    return cells


@claims.add(
    "letor3.td2003",
    place="Liu (2011), Tables 11.1 and 11.8",
    statement="The wins counted on TD2003 are part of the total; the other six data sets can make up the rest.",
    material=_LIU,
    words=[TableCells("winning_numbers", paper="liu2011"), TableCells("evaluation_results", paper="liu2011")],
)
def _(_: Paper) -> list[Cell]:
    counted = wins_on_td2003()
    cells: list[Cell] = []
    for metric, totals in published_wins().items():
        most = (DATASETS - 1) * (len(totals) - 1)
        for method, total in totals.items():
            here = counted[metric][method]
            witness = f"{here} on TD2003, {total} in all"
            cells.append(Statement(here <= total <= here + most, witness, "part of the total", f"{method}, {metric}"))
    return cells
