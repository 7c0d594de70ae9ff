"""Whether any results can stand behind Table B.6."""

from __future__ import annotations

from ltrlib.claims.cells import Cell, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import RecordedResult
from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.b6 import METRICS, NOTHING, sums_left
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

__all__ = ["claims"]

claims = ClaimList(__name__)

_ORDERS, _ROWS, _PRESENCE = (
    RecordedResult(table.name, table.columns) for table in (records.ORDERS, records.PUBLISHED_ROWS, records.PRESENCE)
)


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
    for metric, column in METRICS.items():
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
        named = "wn" if metric == "all metrics" else f"{METRICS[metric]}_nwn"
        number = sum(bool(printed.text(method, named)) for method in printed.rows)
        witness = f"{number - len(methods)} of {number} rows" + (
            f", not {', '.join(sorted(methods))}" if methods else ""
        )
        found.append(Statement(not methods, witness, "every row", metric))
    return found


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
    for metric, column in METRICS.items():
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


@claims.add(
    "b6.same-sources",
    place="Tables A.5 and B.6",
    statement="AdaRank-MAP and ListNet have the same sources, so the same comparisons.",
)
def _(paper: Paper) -> Cell:
    methods = ("AdaRank-MAP", "ListNet")
    sources = {paper["a5"].text(method, "evaluated_in") for method in methods}
    numbers = {method: paper["b6"].text(method, "iwn") for method in methods}
    witness = f"sources {' and '.join(sorted(sources))}; " + ", ".join(f"{m} has IWN {n}" for m, n in numbers.items())
    return Statement(len(sources) > 1 or len(set(numbers.values())) == 1, witness, "the same IWN")
