"""Claims of the Yahoo! challenge overview about its data sets (Sections 3 and 4)."""

from __future__ import annotations

import itertools

from ltrlib.claims.cells import Cell, Order, Statement, Value, with_rounding
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.counts import Counts, load_parts
from ltrlib.claims.evidence import CountedData, PrintedNumbers
from ltrlib.claims.words import TableCells
from ltrlib.papers.chapelle2011.paper.counted import (
    binary_features,
    fitting,
    label_range,
    reads_as_written,
    table2_total,
)
from ltrlib.papers.chapelle2011.sentences import SAID
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)

_CATBOOST = PrintedNumbers("rows per label of two files of Set 1, counted by CatBoost's makers", checked_by="counted")
_KARAYEV = PrintedNumbers("rows per label of the test file of Set 2, counted by S. Karayev", checked_by="counted")
# Totals per label of both sets together agree to a document; they stand in a README whose repository is not known, so
# nothing rests on them.
_SWAPPED = "table3-columns"
_YAHOO = CountedData(("yahoo-set1", "yahoo-set2"))


@claims.add(
    "table1.queries",
    place="Table 1, row Yahoo!; Table 2",
    statement="The six parts of Table 2 have as many queries together as Table 1 says.",
    words=TableCells("table1", "Yahoo!", "queries"),
)
def _(paper: Paper) -> Cell:
    return Value(paper["table1"].number("Yahoo!", "queries"), table2_total(paper, "Queries"))


@claims.add(
    "table1.documents",
    place="Table 1, row Yahoo!; Table 2",
    statement="The six parts of Table 2 have as many documents together as Table 1 says.",
    words=TableCells("table1", "Yahoo!", "documents"),
)
def _(paper: Paper) -> Cell:
    return Value(paper["table1"].number("Yahoo!", "documents"), table2_total(paper, "Documents"))


@claims.add(
    "section1.sizes",
    place="Section 1; Table 2",
    statement="Both sets together have the queries, documents and features that the introduction names.",
    words=SAID["sizes"],
)
def _(paper: Paper) -> list[Cell]:
    return [
        Value(paper.statement("queries"), table2_total(paper, "Queries"), "queries"),
        Value(paper.statement("documents"), table2_total(paper, "Documents"), "documents"),
        Value(paper.statement("features"), paper["table1"].number("Yahoo!", "features").exact, "features"),
    ]


@claims.add(
    "table2.features",
    place="Table 2, row Features; Section 4.3; Table 1",
    statement="The features of both sets less the {common-features} common ones are all {features}.",
    words=SAID["common-features"],
)
def _(paper: Paper) -> list[Cell]:
    sets = sum(number.exact for number in paper["table2_features"].column("features").values())
    found = sets - paper.statement("common-features").exact
    return [
        Value(paper.statement("features"), found, "Section 4.3"),
        Value(paper["table1"].number("Yahoo!", "features"), found, "Table 1"),
    ]


@claims.add(
    "section4.small-parts",
    place="Section 4.3; Table 2",
    statement="The validation part of Set 1 and the training part of Set 2 were kept small.",
    words=[SAID["small-validation"], SAID["small-training"]],
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for name, small in (("set1", "valid"), ("set2", "train")):
        sizes = {part: paper["table2"].number("Queries", f"{name}_{part}").value for part in ("train", "valid", "test")}
        witness = f"{sizes[small] / sum(sizes.values()):.0%} of the queries"
        cells.append(Statement(sizes[small] == min(sizes.values()), witness, "no part is smaller", f"{name} {small}"))
    return cells


@claims.add(
    "section4.documents-per-query",
    place="Section 4.1; Table 2",
    statement="The mean number of documents per query over both sets.",
    words=SAID["documents"],
)
def _(paper: Paper) -> Cell:
    return Value(
        paper.statement("documents-per-query"), table2_total(paper, "Documents") / table2_total(paper, "Queries")
    )


@claims.add(
    "table3.sums",
    place="Table 3",
    statement="The shares of the five labels add up to the whole in each set.",
    words=TableCells("table3"),
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for column in ("set1", "set2"):
        total = with_rounding(lambda *shares: sum(shares), *(n.bounds for n in paper["table3"].column(column).values()))
        holds = total.low <= 1 <= total.high
        witness = f"the shares add up to {total.value:.2%}, and rounding allows {total.low:.3%} to {total.high:.3%}"
        cells.append(Statement(holds, witness, "the shares are those of all documents", column))
    return cells


@claims.add(
    "table3.few-perfect",
    place="Section 4.1; Table 3",
    statement="Very few documents are perfect: it is the rarest label in both sets.",
    words=SAID["few-perfect"],
)
def _(paper: Paper) -> list[Cell]:
    return [
        Order(
            [["0", "1", "2", "3"], ["4"]],
            {label: n.exact for label, n in paper["table3"].column(column).items()},
            column,
        )
        for column in ("set1", "set2")
    ]


def _exchanged(paper: Paper) -> tuple[Paper]:
    """Table 3 with its two columns exchanged."""
    table = paper["table3"]
    for label in table.rows:
        first, second = (paper["table3"].text(label, column) for column in ("set1", "set2"))
        table = table.with_cell(label, "set1", second).with_cell(label, "set2", first)
    return (paper.with_table(table),)


@claims.add(
    "table3.set1-labels",
    place="Table 3, column SET 1",
    statement="The distribution of the labels in Set 1.",
    material=_CATBOOST,
    cause=_SWAPPED,
    words=SAID["labels"],
    otherwise=_exchanged,
)
def _(paper: Paper) -> list[Cell]:
    table = paper["table3"]
    return [Value(table.number(label, "set1"), label_range(paper, label), f"label {label}") for label in table.rows]


@claims.add(
    "table3.columns-swapped",
    place="Table 3, columns SET 1 and SET 2",
    statement="The column headed SET 1, not the one headed SET 2, fits the files of Set 1.",
    material=_CATBOOST,
    cause=_SWAPPED,
    words=SAID["labels"],
)
def _(paper: Paper) -> Cell:
    fits = {column: len(fitting(paper, column)) for column in ("set1", "set2")}
    witness = (
        f"whatever the uncounted validation part holds, {fits['set1']} of 5 shares under SET 1 are possible for Set 1 "
        f"and {fits['set2']} of 5 under SET 2"
    )
    return Statement(fits["set1"] == 5 and fits["set2"] < 5, witness, "the columns are headed as they should be")


@claims.add(
    "table3.set2-column",
    place="Table 3, columns SET 1 and SET 2",
    statement="The column headed SET 2, not the one headed SET 1, fits the test file of Set 2.",
    material=_KARAYEV,
    cause=_SWAPPED,
    words=[SAID["labels"], TableCells("table3")],
    otherwise=_exchanged,
)
def _(paper: Paper) -> Cell:
    # The test part is a random sample of the set's queries (Section 4.3), so it has the set's shares but for chance.
    counts = paper["set2_counts"]
    rows = counts.number("set2.test", "rows").value
    shares = {label: counts.number("set2.test", f"label{label}").value / rows for label in paper["table3"].rows}
    gaps = {
        column: max(abs(printed.value - shares[label]) for label, printed in paper["table3"].column(column).items())
        for column in ("set1", "set2")
    }
    witness = (
        f"the shares of the test file are at most {100 * gaps['set1']:.1f} points from the column SET 1 and up to "
        f"{100 * gaps['set2']:.1f} points from SET 2"
    )
    return Statement(gaps["set2"] < gaps["set1"], witness, "the columns are headed as they should be")


@claims.add(
    "table2.set1-documents",
    place="Table 2, row Documents, SET 1",
    statement="The documents of the training and test part of Set 1.",
    material=_CATBOOST,
    words=TableCells("table2", "Documents"),
)
def _(paper: Paper) -> list[Cell]:
    counts = paper["catboost_counts"]
    labels = [f"label{label}" for label in range(5)]
    return [
        Value(
            paper["table2"].number("Documents", f"set1_{part}"),
            int(sum(counts.number(f"set1.{part}", label).exact for label in labels)),
            part,
        )
        for part in ("train", "test")
    ]


@claims.add(
    "section4.large-queries-elsewhere",
    place="Section 4.1",
    statement="Some queries have more than a hundred documents.",
    material=_CATBOOST,
    words=SAID["documents"],
)
def _(paper: Paper) -> Cell:
    largest = {part: number.value for part, number in paper["catboost_counts"].column("largest_query").items()}
    witness = ", ".join(f"the largest query of {part} has {size:.0f} documents" for part, size in largest.items())
    limit = paper.statement("large-queries").value
    return Statement(max(largest.values()) > limit, witness, f"some queries have more than {limit:.0f} documents")


@claims.add(
    "table2.sizes",
    place="Table 2",
    statement="Queries and documents of the three parts of both sets.",
    material=_YAHOO,
    words=TableCells("table2"),
)
def _(paper: Paper, set1: Counts, set2: Counts) -> list[Cell]:
    return [
        Value(paper["table2"].number(row, f"{name}_{part}"), counts.per_part(row.lower())[part], f"{row} {name} {part}")
        for row, (name, counts), part in itertools.product(
            ("Queries", "Documents"), (("set1", set1), ("set2", set2)), ("train", "valid", "test")
        )
    ]


@claims.add(
    "table3.labels",
    place="Table 3",
    statement="The distribution of the labels in both sets.",
    material=_YAHOO,
    words=[SAID["labels"], TableCells("table3")],
)
def _(paper: Paper, set1: Counts, set2: Counts) -> list[Cell]:
    return [
        Value(number, counts.labels().get(int(label), 0) / counts.total("documents"), f"{column} label {label}")
        for column, counts in (("set1", set1), ("set2", set2))
        for label, number in paper["table3"].column(column).items()
    ]


@claims.add(
    "section4.large-queries",
    place="Section 4.1",
    statement="Some queries have more than a hundred documents.",
    material=_YAHOO,
    words=SAID["documents"],
)
def _(paper: Paper, set1: Counts, set2: Counts) -> Cell:
    limit = paper.statement("large-queries").value
    largest = max(set1.largest("largest query"), set2.largest("largest query"))
    witness = f"the largest query has {largest} documents"
    return Statement(largest > limit, witness, f"some queries have more than {limit:.0f} documents")


@claims.add(
    "figure2.binary-features",
    place="Section 4.2; Figure 2",
    statement="There are {binary-features} binary features.",
    material=_YAHOO,
    words=SAID["binary"],
)
def _(paper: Paper, set1: Counts, set2: Counts) -> Cell:
    # Values per feature are in no count by others, so this waits for the licensed files.
    parts = [data for name in _YAHOO.datasets for data in load_parts(name).values()]
    return Value(paper.statement("binary-features"), binary_features(parts))


def _without_qid(paper: Paper) -> tuple[Paper]:
    """A format in which the query's number stands alone."""
    form = paper["table4"].text("line", "form").replace("qid:", "")
    return (paper.with_table(paper["table4"].with_cell("line", "form", form)),)


@claims.add(
    "table4.format",
    place="Section 4.3; Table 4",
    statement="Table 4 is the format of SVM-light, and its labels are those of Table 3.",
    material=PrintedNumbers("lines of the form of Table 4, read by a reader of SVM-light files"),
    words=[SAID["format"], TableCells("table4")],
    otherwise=_without_qid,
)
def _(paper: Paper) -> list[Cell]:
    line = paper["table4"].text("line", "form")
    labels = paper["table4"].text("relevance", "form").split(" | ")
    read = reads_as_written(line, labels)
    witness = f"{len(labels)} lines are read {'as they were written' if read else 'otherwise, or not at all'}"
    listed = sorted(paper["table3"].rows)
    return [
        Statement(read, witness, "the format of SVM-light", "format"),
        Statement(sorted(labels) == listed, f"{', '.join(labels)} beside {', '.join(listed)}", "the same", "labels"),
    ]
