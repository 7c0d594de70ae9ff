"""What the evaluation results behind Table B.6 say to what the reconstruction could only ask."""

from __future__ import annotations

from ltrlib.claims.cells import Cell, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.words import TableCells
from ltrlib.comparison.results import ALL_METRICS
from ltrlib.papers.tax2015.b6 import METRICS
from ltrlib.papers.tax2015.counted import AS_COMPUTED, counts
from ltrlib.papers.tax2015.matrix import results
from ltrlib.papers.tax2015.sentences import SAID
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)


@claims.add(
    "b6.results-exist",
    place="Table B.6, all columns",
    statement="Some results give every row of the table (print errors aside): the 1,050 do, as the study counted.",
    words=TableCells("b6"),
)
def _(paper: Paper) -> list[Cell]:
    printed, ours = paper.corrected("b6"), counts(AS_COMPUTED)
    found: list[Cell] = []
    for metric, column in METRICS.items():
        rows = [method for method in printed.rows if printed.text(method, f"{column}_nwn")]
        wrong = [
            method
            for method in rows
            if not (
                printed.number(method, f"{column}_nwn").agrees(ours[method, metric].nwn)
                and printed.number(method, f"{column}_ds").agrees(ours[method, metric].datasets)
            )
        ]
        found.append(_every_row(rows, wrong, metric))
    wrong = [
        method
        for method in printed.rows
        for one in [ours[method, ALL_METRICS]]
        if not (printed.number(method, "wn").agrees(one.wn) and printed.number(method, "iwn").agrees(one.iwn))
    ]
    return [*found, _every_row(list(printed.rows), wrong, "all metrics")]


def _every_row(rows: list[str], wrong: list[str], name: str) -> Statement:
    witness = f"{len(rows) - len(wrong)} of {len(rows)} rows" + (f", not {', '.join(wrong)}" if wrong else "")
    return Statement(not wrong, witness, "every row", name)


@claims.add(
    "b6.all-datasets",
    place="Abstract; Tables 1 and B.6",
    statement="Results on 20 data sets stand behind the table.",
    words=SAID["title-methods"],
    weight="central",
)
def _(paper: Paper) -> Cell:
    return Value(paper.statement("datasets"), results()["dataset"].nunique())


@claims.add(
    "b6.same-sources",
    place="Tables A.5 and B.6",
    statement="AdaRank-MAP and ListNet have the same sources in Table A.5, so results on the same data sets.",
    cause="source-not-named",
    words=[SAID["sources"], TableCells("a5", column="evaluated_in")],
)
def _(paper: Paper) -> Cell:
    one, other = "AdaRank-MAP", "ListNet"
    sources = {paper["a5"].text(method, "evaluated_in") for method in (one, other)}
    table = results()
    places = {
        m: set(table.loc[table["method"] == m, ["dataset", "metric"]].itertuples(index=False)) for m in (one, other)
    }
    more = "; ".join(
        f"{method} alone has {dataset}, {metric}, from {origin}"
        for method, dataset, metric, origin in table[["method", "dataset", "metric", "origin"]].itertuples(index=False)
        if method in places and (dataset, metric) in places[one] ^ places[other]
    )
    witness = f"sources {' and '.join(sorted(sources))}; {more or 'the same data sets'}"
    return Statement(len(sources) > 1 or not more, witness, "the same data sets")
