"""Claims of the Yahoo! challenge overview about its baselines and the lessons drawn from them."""

from __future__ import annotations

import pandas as pd

from ltrlib.claims.cells import Cell, Difference, Measured, Order, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers, RecordedResult
from ltrlib.claims.noise import Claimed, Family
from ltrlib.claims.words import TableCells
from ltrlib.papers.chapelle2011.challenge import METRICS, NAMES, is_yahoo
from ltrlib.papers.chapelle2011.oracle.gains import small_gap
from ltrlib.papers.chapelle2011.records import BASELINES, LESSON, TRANSFER, baseline_queries, ranking_gain
from ltrlib.papers.chapelle2011.sentences import SAID
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record, Table

__all__ = ["BASELINE_METHODS", "claims", "table5_cells"]

claims = ClaimList(__name__)

_MARGIN = "half of the gap between the winner and the GBDT baseline, which the paper calls rather small"

BASELINE_METHODS = ("BM25F-SD", "RankSVM", "GBDT")
"""The rows of Table 5."""


def _recorded(table: Table) -> RecordedResult:
    return RecordedResult(table.name, table.columns)


@claims.add(
    "table5.order",
    place="Table 5",
    statement="GBDT beats RankSVM and RankSVM beats BM25F-SD, in both metrics and on both parts.",
    words=TableCells("table5"),
)
def _(paper: Paper) -> list[Cell]:
    return [
        Order(
            [["GBDT"], ["RankSVM"], ["BM25F-SD"]], {m: n.exact for m, n in paper["table5"].column(name).items()}, name
        )
        for name in ("valid_err", "valid_ndcg", "test_err", "test_ndcg")
    ]


def table5_cells(paper: Paper, table: pd.DataFrame) -> list[Value]:
    """Pair every number of Table 5 with ours and its standard error over queries.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> rows = [(m, p, n, 0.5, 0.01, 100) for m in BASELINE_METHODS for p in ("valid", "test") for n in ("ERR", "NDCG")]
    >>> table = pd.DataFrame(rows, columns=["method", "part", "metric", "value", "standard_error", "queries"])
    >>> [cell.name for cell in table5_cells(load_paper("chapelle2011"), table)][:2]
    ['BM25F-SD, valid, ERR', 'BM25F-SD, valid, NDCG']
    """
    columns = (table[name].tolist() for name in ("method", "part", "metric", "value", "standard_error", "queries"))
    ours = {(method, part, metric): numbers for method, part, metric, *numbers in zip(*columns, strict=True)}
    found = []
    for method in BASELINE_METHODS:
        for part in ("valid", "test"):
            for metric in METRICS:
                mean, error, queries = ours[method, part, metric]
                published = paper["table5"].number(method, f"{part}_{metric.lower()}")
                measured = Measured(mean, error, queries - 1)
                found.append(Value(published, measured, f"{method}, {part}, {metric}", better="higher"))
    return found


@claims.add(
    "table5.values",
    place="Table 5",
    statement="ERR and NDCG of the three baselines on the validation and test part of Set 1.",
    material=_recorded(BASELINES["yahoo-set1"]),
    words=TableCells("table5"),
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return [*table5_cells(paper, record.table)]


@claims.add(
    "table5.order-standin",
    place="Table 5",
    statement="GBDT beats RankSVM and RankSVM beats BM25F-SD on the test part: the three on the stand-in.",
    material=_recorded(baseline_queries("standin/yahoo-set1")),
    words=TableCells("table5"),
)
def _(paper: Paper, record: Record) -> list[Cell]:
    family = Family("chapelle2011/baselines", "three baselines with each other, in both metrics", 6)
    cells: list[Cell] = []
    for metric in METRICS:
        printed = paper["table5"].column(f"test_{metric.lower()}")
        order = sorted(printed, key=lambda method: -printed[method].value)
        scores = record.table.pivot(index="query", columns="method", values=metric)
        cells.append(
            Order.by_query(
                [[method] for method in order],
                {method: scores[method].tolist() for method in order},
                metric,
                family=family,
            )
        )
    return cells


@claims.add(
    "section6.small-gap",
    place="Section 6.3; Tables 5 and 7",
    statement="The gap between the winner and the regression baseline GBDT is small, beside that of GBDT to RankSVM.",
    words=SAID["small-gap"],
)
def _(paper: Paper) -> Cell:
    winner = paper["table7"].number("1 / 1", "err").value
    gbdt, ranksvm = (paper["table5"].number(method, "test_err").value for method in ("GBDT", "RankSVM"))
    witness = f"{winner - gbdt:.5f} ({winner / gbdt - 1:.1%}) beside {gbdt - ranksvm:.5f} ({gbdt / ranksvm - 1:.1%})"
    return Statement(0 < winner - gbdt < gbdt - ranksvm, witness, "the gap to GBDT is the smaller one")


@claims.add(
    "section6.small-gap-ndcg",
    place="Section 6.3; Table 5 and Figure 3",
    statement="In NDCG on the validation part, too, the gap from GBDT to the winner is smaller than that to RankSVM.",
    words=SAID["small-gap"],
)
def _(paper: Paper) -> Cell:
    winner = paper["figure3"].number("1", "ndcg").value
    gbdt, ranksvm = (paper["table5"].number(method, "valid_ndcg").value for method in ("GBDT", "RankSVM"))
    witness = f"{winner - gbdt:.5f} ({winner / gbdt - 1:.1%}) beside {gbdt - ranksvm:.5f} ({gbdt / ranksvm - 1:.1%})"
    return Statement(0 < winner - gbdt < gbdt - ranksvm, witness, "the gap to GBDT is the smaller one")


def _add_lesson(dataset: str, material: RecordedResult) -> None:
    slug, name = dataset.replace("/", "-"), NAMES[dataset]
    other = None if is_yahoo(dataset) else name  # a stand-in is labelled as such, by its record

    def gain(paper: Paper, record: Record, what: str, claimed: Claimed, published: str) -> Cell:
        (functions,) = paper.names(what)
        rows = record.table[(record.table["metric"] == "NDCG") & (record.table["functions"] == functions)]
        level = float(rows.loc[rows["loss"] == "pointwise", "mean"].iloc[0])
        estimate = ranking_gain(record.table, "NDCG", functions)
        return Difference(estimate, claimed, small_gap(paper) * level, _MARGIN, published, functions)

    @claims.add(
        f"section6.loss-matters-{slug}",
        place="Section 6.3",
        statement=f"With linear functions, ranking losses gain over squared loss: NDCG on {name}.",
        material=material,
        weight="central",
        cause="first-lesson",
        words=SAID["gains"],
        other_data=other,
    )
    def _(paper: Paper, record: Record) -> Cell:
        return gain(paper, record, "loss-matters", "higher", "a loss tuned for ranking brings substantial gains")

    @claims.add(
        f"section6.squared-loss-{slug}",
        place="Section 6.3",
        statement=f"With trees, squared loss is sufficient: ranking losses gain nothing that matters on {name}.",
        material=material,
        weight="central",
        cause="first-lesson",
        words=SAID["squared-loss"],
        other_data=other,
    )
    def _(paper: Paper, record: Record) -> Cell:
        return gain(paper, record, "squared-loss-suffices", "not higher", "squared loss optimization is sufficient")


for _dataset, _table in LESSON.items():
    _add_lesson(_dataset, _recorded(_table))


@claims.add(
    "section6.loss-elsewhere",
    place="Section 6.3",
    statement="With trees the choice of the loss is secondary: on Set 1 it moves NDCG less than linear against trees.",
    material=PrintedNumbers("results on Set 1 that the CatBoost project published"),
    proxy="the best of a grid, chosen on the test file",
    words=SAID["secondary"],
)
def _(paper: Paper) -> list[Cell]:
    later = {tuple(row.split(" / ")[-2:]): number for row, number in paper["later_results"].column("value").items()}
    classes = paper["table5"].number("GBDT", "test_ndcg").value - paper["table5"].number("RankSVM", "test_ndcg").value
    cells: list[Cell] = []
    for library, loss in (("CatBoost", "YetiRank"), ("XGBoost", "LambdaMART")):
        ranking, squared = (later[f"{library} {name}", "NDCG@10"].value for name in (loss, "RMSE"))
        witness = f"{loss} {ranking:.4f}, squared loss {squared:.4f}; GBDT is {classes:.4f} above RankSVM"
        cells.append(Statement(abs(ranking - squared) < classes, witness, "of secondary importance", library))
    return cells


claims.add_unchecked(
    "section6.transfer",
    place="Section 6.3",
    statement="No competitor of track 2 clearly beat learning from the local data alone.",
    needs="the competitors' results without the other country's data",
    words=SAID["transfer"],
)


@claims.add(
    "section6.transfer-standin",
    place="Section 6.3",
    statement="No use of the other country's data clearly beats learning from the local data alone: on the stand-in.",
    material=_recorded(TRANSFER),
    words=SAID["transfer"],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    rows = record.table[(record.table["metric"] == "ERR") & record.table["training"].isin(paper.names("transfer-ways"))]
    family = Family("chapelle2011/transfer", "each use of Set 1 with each ranker, beside Set 2 alone", len(rows))
    return [
        Difference(
            Measured(row["gain"], row["gain_error"], row["queries"] - 1),
            "not higher",
            small_gap(paper) * (row["mean"] - row["gain"]),
            _MARGIN,
            "nothing clearly outperforms the local data alone",
            f"{row['ranker']}, {row['training']}",
            family,
        )
        for row in rows.to_dict("records")
    ]
