"""What Tax et al. conclude, asked again of their table continued with the results that came after it."""

from __future__ import annotations

from ltrlib.across.continued.joined import Joined, join_results, joined, what_changes
from ltrlib.across.continued.pool import LATER, OURS, TABLE_B6, with_our_runs
from ltrlib.claims.cells import Cell, Difference, Measured, Statement
from ltrlib.claims.claim import ClaimList, Otherwise
from ltrlib.claims.evidence import PrintedNumbers, RecordedResult
from ltrlib.papers.tax2015.b6 import Points, descent, listed, methods_above
from ltrlib.papers.tax2015.otherwise import names
from ltrlib.papers.tax2015.sentences import SAID
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

__all__ = ["claims"]

claims = ClaimList(__name__, chapter="60-table-b6-continued")

_PUBLISHED = PrintedNumbers("the study's results and those published elsewhere by the same measure")
_LATER = "results that the study did not have"
_OUR_RUNS = RecordedResult("own/queries", dataset=("mq2008", "ohsumed"))


def _named_otherwise(statement: str, others: str) -> Otherwise:
    """The change of the names in a sentence, for claims that also take a record."""

    def otherwise(paper: Paper, *inputs: object) -> tuple[object, ...]:
        return (*names(statement, others)(paper), *inputs)

    return otherwise


def _continued(record: Record | None = None) -> Joined:
    if record is None:
        return joined(join_results(kinds=[LATER]))
    return joined(join_results(kinds=[LATER, OURS], among=with_our_runs(record)))


def _points(table: Joined) -> Points:
    rows = table.rows().dropna(subset="NWN")
    return {
        str(method): (float(nwn), float(iwn))
        for method, nwn, iwn in rows[["method", "NWN", "IWN"]].itertuples(index=False)
    }


def _unbeaten(paper: Paper, points: Points) -> list[Cell]:
    return [
        Statement(not above, f"above it: {listed(above)}", "no method is above it", method)
        for method in paper.names("abstract-front")
        for above in [methods_above(points, method)]
    ]


@claims.add(
    "continued.unbeaten",
    place="Abstract, Section 7; results published until 2024",
    statement="With the later results joined, still none is superior in both NWN and IWN to any of the six methods.",
    material=_PUBLISHED,
    weight="central",
    cause="front-continued",
    words=[SAID["front"], SAID["conclusion"]],
    other_data=_LATER,
    otherwise=names("abstract-front", "LRUF"),
)
def _(paper: Paper) -> list[Cell]:
    return _unbeaten(paper, _points(_continued()))


@claims.add(
    "continued.unbeaten-by-ours",
    place="Abstract, Section 7; results until 2024 and our runs",
    statement="With our own runs joined as well, still none is superior in both NWN and IWN to any of the six methods.",
    material=_OUR_RUNS,
    weight="central",
    cause="front-continued",
    words=[SAID["front"], SAID["conclusion"]],
    other_data=_LATER,
    otherwise=_named_otherwise("abstract-front", "LRUF"),
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return _unbeaten(paper, _points(_continued(record)))


@claims.add(
    "continued.order",
    place="Section 7; results published until 2024",
    statement="With the later results joined, NWN still falls and IWN still rises from LRUF to ListNet.",
    material=_PUBLISHED,
    weight="central",
    cause="front-continued",
    words=SAID["conclusion-order"],
    other_data=_LATER,
    otherwise=names("section7-front", "ListNet; LRUF"),
)
def _(paper: Paper) -> Cell:
    holds, witness = descent(_points(_continued()), paper.names("section7-front"))
    return Statement(holds, witness, "NWN falls while IWN rises")


@claims.add(
    "continued.certainty",
    place="Abstract; results published until 2024",
    statement="IWN tells how certain an NWN is: the higher it was, the less NWN moves when later results join.",
    material=_PUBLISHED,
    weight="central",
    words=SAID["certainty"],
    other_data=_LATER,
)
def _(paper: Paper) -> Cell:
    changes = what_changes(joined(join_results(kinds=[TABLE_B6])), _continued())
    met = changes[changes["changed"]]
    iwn = [paper["b6"].number(method, "iwn").value for method in met["method"]]
    return Difference(
        Measured.kendall(iwn, (met["NWN after"] - met["NWN before"]).abs().tolist()),
        "lower",
        0.0,
        "a direction; the abstract gives no size",
        "Kendall's tau between IWN and the change of NWN is negative",
    )


@claims.add(
    "continued.promising",
    place="Sections 4.5 and 7; results published until 2024",
    statement="Promising methods keep their promise: where they meet later ones, NWN stays above most of the front's.",
    material=_PUBLISHED,
    weight="central",
    words=[SAID["promising"], SAID["near-perfect"]],
    other_data=_LATER,
    otherwise=names("section45-near-perfect", "RankSVM; ListNet"),
)
def _(paper: Paper) -> list[Cell]:
    after, front = _continued(), paper.names("section45-front")
    changes = what_changes(joined(join_results(kinds=[TABLE_B6])), after)
    met, points = set(changes.loc[changes["changed"], "method"]), _points(after)
    cells: list[Cell] = []
    for method in paper.names("section45-near-perfect"):
        if method in met:
            nwn, iwn = points[method]
            better = sum(nwn > points[other][0] for other in front)
            witness = f"NWN {nwn:.3f} of {iwn:.0f} is above {better} of {len(front)}"
            cells.append(Statement(better > len(front) / 2, witness, "promising", method))
    return cells
