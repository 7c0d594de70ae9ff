"""Claims of the Yahoo! challenge overview that experiments can test: metrics, baselines, lessons."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pandas as pd

from ltrlib.claims.cells import Cell, Measured, Order, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers, RecordedResult
from ltrlib.papers.chapelle2011.records import BASELINES, CORRELATION, LESSON, record_name
from ltrlib.papers.chapelle2011.summaries import agreement, clear_gains, ranges
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

__all__ = ["BASELINE_METHODS", "claims", "table5_cells"]

claims = ClaimList(__name__)

BASELINE_METHODS = ("BM25F-SD", "RankSVM", "GBDT")
"""The rows of Table 5."""

_METRICS = ("ERR", "NDCG")
_BEST = 20  # as many as Figure 3 shows
_REAL = {"mq2008": "MQ2008", "ohsumed": "OHSUMED", "mslr-web10k-sample": "the MSLR sample"}
_NAMES = {"standin/yahoo-set1": "the stand-in of Set 1", **_REAL}


@claims.add(
    "algorithm2.closed-form",
    place="Section 5.1.1, Algorithm 2 and equation 2",
    statement="ERR is the expected reciprocal rank at which the user of the cascade model stops.",
    material=PrintedNumbers("the users of all lists of four documents, followed step by step in exact arithmetic"),
)
def _(paper: Paper) -> Cell:
    from ltrlib.metrics import evaluate

    divisor = paper.statement("err-divisor").exact
    lists = list(itertools.product(range(5), repeat=4))
    expected = []
    for labels in lists:
        reading, total = Fraction(1), Fraction(0)
        for rank, label in enumerate(labels, start=1):
            satisfied = (2**label - 1) / divisor
            total += reading * satisfied / rank
            reading *= 1 - satisfied
        expected.append(float(total))
    offsets = range(0, 4 * len(lists) + 1, 4)
    scores = [float(-rank) for _ in lists for rank in range(4)]
    ours = evaluate("err:yahoo", [label for labels in lists for label in labels], scores, offsets)["err:yahoo"]
    largest = max(abs(a - b) for a, b in zip(expected, ours.per_query.tolist(), strict=True))
    witness = f"over {len(lists)} lists the two differ by at most {largest:.1e}"
    return Statement(largest < 1e-12, witness, "equation 2 is the expectation of Algorithm 2")


def _add_agreement(dataset: str) -> None:
    @claims.add(
        f"section5.agreement-{dataset.replace('/', '-')}",
        place="Section 5.3; Figure 6",
        statement=f"Among the best rankers, ERR and NDCG agree less than over all: our rankers on {_NAMES[dataset]}.",
        material=RecordedResult(record_name("correlation", dataset), CORRELATION),
        proxy="these are our rankers, not the submissions of the challenge",
    )
    def _(paper: Paper, record: Record) -> Cell:
        whole, best = (agreement(record.table, best=best) for best in (None, _BEST))
        more, less = paper.names("agreement")
        return Order([[more], [less]], {"all submissions": whole, "best submissions": best})


for _dataset in _NAMES:
    _add_agreement(_dataset)


def table5_cells(paper: Paper, table: pd.DataFrame) -> list[Value]:
    """Pair every number of Table 5 with ours and its standard error over queries.

    Parameters
    ----------
    paper
        The published numbers.
    table
        As :data:`ltrlib.papers.chapelle2011.records.BASELINES` says.

    Examples
    --------
    >>> import pandas as pd
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
            for metric in _METRICS:
                mean, error, queries = ours[method, part, metric]
                published = paper["table5"].number(method, f"{part}_{metric.lower()}")
                measured = Measured(mean, error, queries - 1)
                found.append(Value(published, measured, f"{method}, {part}, {metric}", better="higher"))
    return found


@claims.add(
    "table5.values",
    place="Table 5",
    statement="ERR and NDCG of the three baselines on the validation and test part of Set 1.",
    material=RecordedResult(record_name("baselines", "yahoo-set1"), BASELINES),
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return [*table5_cells(paper, record.table)]


@claims.add(
    "table5.order-standin",
    place="Table 5",
    statement="GBDT beats RankSVM and RankSVM beats BM25F-SD on the test part: the three on the stand-in.",
    material=RecordedResult(record_name("baselines", "standin/yahoo-set1"), BASELINES),
)
def _(paper: Paper, record: Record) -> list[Cell]:
    cells: list[Cell] = []
    for metric in _METRICS:
        printed = paper["table5"].column(f"test_{metric.lower()}")
        order = sorted(printed, key=lambda method: -printed[method].value)
        rows = record.table[(record.table["part"] == "test") & (record.table["metric"] == metric)]
        numbers = zip(rows["value"].tolist(), rows["standard_error"].tolist(), rows["queries"].tolist(), strict=True)
        ours = [Measured(value, error, queries - 1) for value, error, queries in numbers]
        cells.append(Order([[method] for method in order], dict(zip(rows["method"], ours, strict=True)), metric))
    return cells


@claims.add(
    "figure9.example",
    place="Section 6.3; Figure 9",
    statement="With linear functions squared loss fails where a classification loss succeeds; a stump makes up for it.",
    material=PrintedNumbers("points on a line like those drawn in Figure 9"),
)
def _(paper: Paper) -> Cell:
    from ltrlib.papers.chapelle2011.baselines.figure9 import loss_example

    errors = loss_example().errors
    fails = [name for name, number in errors.items() if number]
    witness = ", ".join(f"{name}: {number} wrong" for name, number in errors.items())
    return Statement(fails == list(paper.names("figure9-fails")), witness, "only linear regression fails")


def _add_lesson(dataset: str) -> None:
    slug = dataset.replace("/", "-")
    material = RecordedResult(record_name("lesson", dataset), LESSON)

    @claims.add(
        f"section6.loss-matters-{slug}",
        place="Section 6.3",
        statement=f"The smaller the class of functions, the more the loss matters: range of NDCG on {_NAMES[dataset]}.",
        material=material,
    )
    def _(paper: Paper, record: Record) -> Cell:
        return Order([[name] for name in paper.names("loss-matters")], ranges(record.table, "NDCG"))

    @claims.add(
        f"section6.squared-loss-{slug}",
        place="Section 6.3",
        statement=f"With trees, squared loss is sufficient: no ranking loss is better by more than noise on "
        f"{_NAMES[dataset]}.",
        material=material,
    )
    def _(paper: Paper, record: Record) -> Cell:
        gains = clear_gains(record.table, "NDCG")
        enough = [functions for functions, losses in gains.items() if not losses]
        witness = "; ".join(f"{name}: {', '.join(losses) or 'none'} clearly better" for name, losses in gains.items())
        (functions,) = paper.names("squared-loss-suffices")
        return Statement(functions in enough, witness, "no loss is clearly better with trees")


for _dataset in _NAMES:
    _add_lesson(_dataset)
