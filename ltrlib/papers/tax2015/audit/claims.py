"""Table B.6 counted again from its evaluation results, and laws of arithmetic that Tables A.5, B.6 and 4 must obey."""

from __future__ import annotations

import re
from fractions import Fraction

from ltrlib.claims.cells import Cell, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.words import TableCells
from ltrlib.papers.tax2015.b6 import COLUMNS, METRICS, front_of, listed, points_of, row_splits
from ltrlib.papers.tax2015.counted import AS_COMPUTED, AS_PRINTED, counts, front_of_results, print_of
from ltrlib.papers.tax2015.matrix import results
from ltrlib.papers.tax2015.sentences import SAID
from ltrlib.papers.tax2015.sources import letor_datasets, only_official
from ltrlib.published.tables import Paper, Table

__all__ = ["claims"]

claims = ClaimList(__name__)


def _without_errors(paper: Paper) -> tuple[Paper]:
    """The paper with Table B.6 printed as it follows from the results."""
    errata, right = paper["b6_errata"], paper.corrected("b6")
    for place in errata.rows:
        method, _, column = place.rpartition(" / ")
        errata = errata.with_cell(place, "printed", right.text(method, column))
    return (paper.with_table(errata),)


def _by_formula(paper: Paper, *, with_itself: bool = False) -> tuple[Paper]:
    """The paper with IWN computed by its own formula; by its letter, a method is compared with itself too."""
    (paper,) = _without_errors(paper)
    table, own = paper["b6"], results()["method"].value_counts()
    for method in table.rows:
        iwn = counts(AS_PRINTED)[method, "all"].iwn + (int(own[method]) if with_itself else 0)
        table = table.with_cell(method, "iwn", str(iwn))
    return (paper.with_table(table),)


@claims.add(
    "b6.nwn",
    place="Table B.6, columns WN, IWN, NWN; Section 3",
    statement="NWN is WN divided by IWN, in each row.",
    words=SAID["nwn"],
    weight="editorial",
    cause="errors-of-the-print",
    otherwise=_without_errors,
)
def _(paper: Paper) -> list[Cell]:
    table = print_of(paper)
    return [
        Value(number, table.number(method, "wn").exact / table.number(method, "iwn").exact, method)
        for method, number in table.column("nwn").items()
    ]


@claims.add(
    "b6.single-metric",
    place="Table B.6; Section 3",
    statement="A method evaluated in one metric only has the same NWN there and over all metrics.",
    words=[SAID["nwn"], TableCells("b6", column="nwn")],
)
def _(paper: Paper) -> list[Cell]:
    table = paper["b6"]
    cells: list[Cell] = []
    for method in table.rows:
        filled = [metric for metric in COLUMNS if table.text(method, f"{metric}_nwn")]
        if len(filled) == 1:
            cells.append(Value(table.number(method, "nwn"), table.number(method, f"{filled[0]}_nwn").exact, method))
    return cells


@claims.add(
    "b6.nwn-between",
    place="Table B.6; Section 3",
    statement="NWN over all metrics is a weighted mean, so it lies between the smallest and largest of the metrics.",
    words=[SAID["nwn"], TableCells("b6", column="nwn")],
)
def _(paper: Paper) -> list[Cell]:
    table = print_of(paper)
    cells: list[Cell] = []
    for method in table.rows:
        parts = [table.number(method, f"{m}_nwn") for m in COLUMNS if table.text(method, f"{m}_nwn")]
        if len(parts) > 1:
            low, high = min(part.bounds.low for part in parts), max(part.bounds.high for part in parts)
            cross = table.number(method, "nwn")
            witness = f"{cross} beside {', '.join(map(str, parts))}"
            cells.append(Statement(cross.overlaps(low, high), witness, "NWN lies between its metrics", method))
    return cells


@claims.add(
    "b6.whole-wins",
    place="Table B.6, all columns; Section 3",
    statement="In each row, whole wins and comparisons per metric give all NWN, WN and IWN.",
    weight="editorial",
    cause="errors-of-the-print",
    otherwise=_without_errors,
    words=[SAID["nwn"], TableCells("b6")],
)
def _(paper: Paper) -> list[Cell]:
    table = print_of(paper)
    possible = {method: bool(row_splits(table, method)) for method in table.rows}
    return [Statement(fit, "some fit" if fit else "none fit", "some fit", method) for method, fit in possible.items()]


@claims.add(
    "b6.iwn-even",
    place="Table B.6, column IWN; Section 3",
    # The printed sum runs over the method itself too; nobody could then reach the NWN of 1 that the table has.
    statement="By the formula, without comparing a method with itself, all IWN add up to an even number.",
    words=SAID["normalised"],
    cause="rule-of-iwn",
)
def _(paper: Paper) -> Cell:
    total = sum(int(number.exact) for number in paper["b6"].column("iwn").values())
    return Statement(total % 2 == 0, f"the sum is {total:,}", "the sum is even")


def _per_metric(paper: Paper) -> list[tuple[str, str, str]]:
    """Method, metric and column of each filled place of Table B.6 as printed."""
    table = print_of(paper)
    return [(m, metric, name) for m in table.rows for metric, name in METRICS.items() if table.text(m, f"{name}_nwn")]


@claims.add(
    "b6.recomputed-nwn",
    place="Table B.6, columns NWN",
    statement="Every NWN follows from the 1,050 evaluation results, as the study counted: per metric and over all.",
    words=SAID["raw-nwn"],
    weight="editorial",
    cause="errors-of-the-print",
    otherwise=_without_errors,
)
def _(paper: Paper) -> list[Cell]:
    table, ours = print_of(paper), counts(AS_COMPUTED)
    cells: list[Cell] = [
        Value(table.number(method, f"{column}_nwn"), ours[method, metric].nwn, f"{method}, {metric}")
        for method, metric, column in _per_metric(paper)
    ]
    return cells + [Value(table.number(method, "nwn"), ours[method, "all"].nwn, method) for method in table.rows]


@claims.add(
    "b6.recomputed-iwn",
    place="Table B.6, columns WN and IWN",
    statement="Every WN and IWN follows from the 1,050 evaluation results, IWN being the highest WN reached.",
    words=[TableCells("b6", column="wn"), TableCells("b6", column="iwn")],
)
def _(paper: Paper) -> list[Cell]:
    table, ours = print_of(paper), counts(AS_COMPUTED)
    return [
        Value(table.number(method, name), getattr(ours[method, "all"], name), f"{method}, {name.upper()}")
        for method in table.rows
        for name in ("wn", "iwn")
    ]


@claims.add(
    "b6.recomputed-datasets",
    place="Table B.6, columns #ds",
    statement="Every number of data sets follows from the 1,050 evaluation results.",
    weight="editorial",
    cause="errors-of-the-print",
    words=[
        TableCells("b6", column="ndcg3_ds"),
        TableCells("b6", column="ndcg5_ds"),
        TableCells("b6", column="ndcg10_ds"),
        TableCells("b6", column="map_ds"),
    ],
    otherwise=_without_errors,
)
def _(paper: Paper) -> list[Cell]:
    table, ours = print_of(paper), counts(AS_COMPUTED)
    return [
        Value(table.number(method, f"{column}_ds"), ours[method, metric].datasets, f"{method}, {metric}")
        for method, metric, column in _per_metric(paper)
    ]


@claims.add(
    "b6.iwn-formula",
    place="Table B.6, column IWN; Section 3",
    statement="IWN follows from the 1,050 evaluation results by the formula: the number of other methods.",
    words=SAID["normalised"],
    cause="rule-of-iwn",
    otherwise=_by_formula,
)
def _(paper: Paper) -> list[Cell]:
    table, ours = print_of(paper), counts(AS_PRINTED)
    return [Value(table.number(method, "iwn"), ours[method, "all"].iwn, method) for method in table.rows]


@claims.add(
    "b6.iwn-own-comparison",
    place="Section 3, the sum that defines IWN; Table B.6",
    statement="IWN follows by the letter of the printed sum, in which a method is also compared with itself (k = i).",
    words=SAID["normalised"],
    weight="editorial",  # the sentence before the formula says what is meant: the wins that are possible
    otherwise=lambda paper: _by_formula(paper, with_itself=True),
)
def _(paper: Paper) -> list[Cell]:
    table, others = print_of(paper), counts(AS_PRINTED)
    own = results()["method"].value_counts()
    return [Value(table.number(m, "iwn"), others[m, "all"].iwn + int(own[m]), m) for m in table.rows]


@claims.add(
    "b6.front-of-either-rule",
    place="Table B.6; Section 3",
    statement="The Pareto front over all metrics is that of the printed table, whichever rule counts IWN.",
    words=[SAID["front"], TableCells("b6", column="iwn")],
)
def _(paper: Paper) -> list[Cell]:
    printed = front_of(points_of(paper))
    cells: list[Cell] = []
    for rule in (AS_COMPUTED, AS_PRINTED):
        ours = front_of_results(results(), rule=rule)
        witness = f"on one only: {listed(ours ^ printed)}"
        cells.append(Statement(ours == printed, witness, "the same front", rule))
    return cells


@claims.add(
    "b6.wins",
    place="Table B.6, columns WN and IWN; Section 3",
    statement="Of each pair of results at most one wins, so all wins are at most half of all comparisons.",
    words=[SAID["winning"], TableCells("b6", column="wn")],
)
def _(paper: Paper) -> Cell:
    wins, comparisons = (sum(int(n.exact) for n in paper["b6"].column(name).values()) for name in ("wn", "iwn"))
    return Statement(2 * wins <= comparisons, f"{wins:,} wins, {comparisons:,} / 2 pairs", "wins do not exceed pairs")


@claims.add(
    "b6.letor-baselines",
    place="Tables A.5, B.6 and 1",
    statement="Where Table A.5 names official LETOR results only, it names all sources: there are no more data sets.",
    cause="source-not-named",
    words=[SAID["officially"], TableCells("a5", column="evaluated_in")],
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for method in paper["a5"].rows:
        if only_official(paper, method):
            limit = letor_datasets(paper, method)
            counts = {m: paper["b6"].text(method, f"{m}_ds") for m in COLUMNS}
            holds = all(int(count or 0) <= limit for count in counts.values())
            witness = ", ".join(f"{metric} {count or 'none'}" for metric, count in counts.items())
            cells.append(
                Statement(holds, f"{witness} of {limit} data sets", "no more data sets than LETOR has", method)
            )
    return cells


@claims.add(
    "a5.exclusions",
    place="Section 2.1; Table A.5",
    statement="No study that was left out is a source of evaluation results.",
    words=SAID["excluded"],
)
def _(paper: Paper) -> Cell:
    used = " ".join(paper["a5"].text(method, "evaluated_in") for method in paper["a5"].rows)
    found = []
    for study in paper["exclusions"].rows:
        authors, _, year = study.rstrip(")").rpartition(" (")
        # A reference may name several years: "Volkovs and Zemel (2009, 2013)", "Lai et al. (2013a,b)".
        years = re.findall(rf"(?:^|; | ){re.escape(authors)} \(([^)]*)\)", used)
        if any(year in re.split(", ?", text) for text in years):
            found.append(f"{study} (reason {paper['exclusions'].text(study, 'reason')})")
    return Statement(not found, f"left out and used: {', '.join(found) or 'none'}", "no excluded study is used")


@claims.add(
    "table4.all",
    place="Tables 4 and B.6",
    statement="Table 4 repeats NWN and IWN of Table B.6 where nothing is left out.",
    words=[TableCells("table4", column="all_nwn"), TableCells("table4", column="all_iwn")],
)
def _(paper: Paper) -> list[Cell]:
    return [
        Value(paper["table4"].number(method, f"all_{name}"), paper["b6"].number(method, name).exact, f"{method} {name}")
        for method in paper["table4"].rows
        for name in ("nwn", "iwn")
    ]


def _metric_iwn(table4: Table, method: str) -> dict[str, int]:
    """IWN per metric: what is missing when that metric is left out."""
    every = table4.number(method, "all_iwn").exact
    return {metric: int(every - table4.number(method, f"no_{metric}_iwn").exact) for metric in COLUMNS}


@claims.add(
    "table4.iwn",
    place="Table 4, columns IWN",
    statement="What the four metrics take away one at a time adds up to the IWN over all metrics.",
    words=[SAID["table4"], TableCells("table4")],
)
def _(paper: Paper) -> list[Cell]:
    table = paper["table4"]
    return [
        Value(table.number(method, "all_iwn"), sum(_metric_iwn(table, method).values()), method)
        for method in table.rows
    ]


def _metric_wins(paper: Paper, method: str) -> dict[str, int]:
    """Wins per metric: the whole number whose share of IWN is nearest to the printed NWN."""
    return {
        metric: round(paper["b6"].number(method, f"{metric}_nwn").exact * iwn)
        for metric, iwn in _metric_iwn(paper["table4"], method).items()
    }


@claims.add(
    "table4.metric-nwn",
    place="Tables 4 and B.6",
    statement="NWN of each metric in Table B.6 is a whole number of wins over the IWN that Table 4 implies.",
    words=[SAID["table4"], TableCells("table4")],
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for method in paper["table4"].rows:
        iwn, wins = _metric_iwn(paper["table4"], method), _metric_wins(paper, method)
        for metric in COLUMNS:
            published = paper["b6"].number(method, f"{metric}_nwn")
            cells.append(Value(published, Fraction(wins[metric], iwn[metric]), f"{method} {metric}"))
    return cells


@claims.add(
    "table4.wins",
    place="Tables 4 and B.6",
    statement="The wins per metric add up to the WN of Table B.6.",
    words=[SAID["table4"], TableCells("table4")],
)
def _(paper: Paper) -> list[Cell]:
    return [
        Value(paper["b6"].number(method, "wn"), sum(_metric_wins(paper, method).values()), method)
        for method in paper["table4"].rows
    ]


@claims.add(
    "table4.nwn",
    place="Table 4, columns NWN",
    statement="NWN with one metric left out follows from the wins and IWN of the other three.",
    words=[SAID["table4"], TableCells("table4")],
)
def _(paper: Paper) -> list[Cell]:
    table = paper["table4"]
    cells: list[Cell] = []
    for method in table.rows:
        iwn, wins = _metric_iwn(table, method), _metric_wins(paper, method)
        for left_out in COLUMNS:
            ours = Fraction(sum(wins.values()) - wins[left_out], sum(iwn.values()) - iwn[left_out])
            cells.append(Value(table.number(method, f"no_{left_out}_nwn"), ours, f"{method} without {left_out}"))
    return cells
