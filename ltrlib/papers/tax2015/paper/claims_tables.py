"""What title, abstract and Section 2 say of the methods, data sets and studies that were collected."""

from __future__ import annotations

from ltrlib.claims.cells import Cell, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.words import TableCells
from ltrlib.papers.tax2015.b6 import listed
from ltrlib.papers.tax2015.otherwise import names
from ltrlib.papers.tax2015.sentences import SAID
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)


@claims.add(
    "title.methods",
    place="Title; Tables A.5 and B.6",
    statement="As many methods are listed as the title says, the same in both tables.",
    words=SAID["title-methods"],
    weight="central",
)
def _(paper: Paper) -> list[Cell]:
    a5, b6 = set(paper["a5"].rows), set(paper["b6"].rows)
    return [
        Value(paper.statement("methods"), len(a5), "Table A.5"),
        Value(paper.statement("methods"), len(b6), "Table B.6"),
        Statement(a5 == b6, f"only in one: {sorted(a5 ^ b6) or 'none'}", "the same methods", "names"),
    ]


@claims.add(
    "abstract.datasets",
    place="Abstract; Table 1; Section 5.2",
    statement="Table 1 has as many data sets and collections as abstract and text say.",
    words=(SAID["title-methods"], SAID["datasets"]),
    weight="central",
)
def _(paper: Paper) -> list[Cell]:
    table = paper["table1"]
    return [
        Value(paper.statement("datasets"), table.number("Total", "datasets").exact, "data sets"),
        Value(paper.statement("collections"), len(table.rows) - 1, "collections"),
    ]


@claims.add(
    "table1.total",
    place="Table 1",
    statement="The data sets of the collections add up to the total.",
    words=TableCells("table1", column="datasets"),
)
def _(paper: Paper) -> Cell:
    sizes = {name: number.exact for name, number in paper["table1"].column("datasets").items()}
    total = paper["table1"].number("Total", "datasets")
    return Value(total, sum(sizes.values()) - sizes["Total"])


@claims.add(
    "section2.collections",
    place="Section 2.1; Table 1",
    statement="Each collection of Table 1 was searched for, LETOR 2.0 by the paper that it shares with LETOR 1.0.",
    otherwise=names("collections-without-paper", "LETOR 4.0; Yandex Internet Mathematics 2009 contest"),
    words=(SAID["collections"], SAID["collections-without"]),
)
def _(paper: Paper) -> Cell:
    searched = {name for kind in ("with", "without") for name in paper.names(f"collections-{kind}-paper")}
    # Table 2 has one row, and one paper, for "LETOR 1.0 & 2.0".
    for row in paper["table2"].rows:
        first, _, second = row.partition(" & ")
        if second and first in searched:
            searched.add(f"{first.rpartition(' ')[0]} {second}")
    missing = set(paper["table1"].rows) - {"Total"} - searched
    return Statement(not missing, f"not searched for: {listed(missing)}", "all were searched for")


@claims.add(
    "exclusions.once",
    place="Section 2.1 of the preprint",
    statement="Each study that was left out is listed once.",
    words=SAID["excluded-baselines"],
    weight="editorial",
    corrected="the journal's text",
)
def _(paper: Paper) -> Cell:
    times = paper["exclusions"].column("times_listed")
    several = [study for study, number in times.items() if number.value != 1]
    return Statement(not several, f"listed more than once: {listed(several)}", "one mention each")
