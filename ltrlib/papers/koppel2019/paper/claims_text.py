"""Claims of the DirectRanker paper that stand in its sentences, about its tables and its data."""

from __future__ import annotations

from statistics import NormalDist

from ltrlib.claims.cells import Cell, Measured, Order, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers
from ltrlib.claims.rules import CONFIDENCE
from ltrlib.papers.koppel2019.paper.claims_tables import methods_with_errors, sigmas
from ltrlib.papers.koppel2019.sentences import SAID
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)

_NORMAL = NormalDist()
_CLEAR = _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
_ORDER = 10  # of the same order: less than ten times as much
_FOLDS = 5
_COLUMNS = {
    f"{dataset}_{metric}": f"{title}, {metric.upper()}"
    for dataset, title in (("mslr", "MSLR-WEB10K"), ("mq2008", "MQ2008"), ("mq2007", "MQ2007"))
    for metric in ("ndcg", "map")
}


@claims.add(
    "section2.lambdamart-better",
    place="Section 2; Table 1",
    statement="LambdaMART usually outperforms RankNet: in more than half of the columns of Table 1.",
    words=SAID["lambdamart-better"],
)
def _(paper: Paper) -> Cell:
    table = paper["table1"]
    better = [
        words
        for column, words in _COLUMNS.items()
        if table.number("LambdaMart", column).value > table.number("RankNet", column).value
    ]
    witness = f"in {len(better)} of {len(_COLUMNS)} columns: {'; '.join(better)}"
    return Statement(len(better) > len(_COLUMNS) / 2, witness, "usually")


@claims.add(
    "section2.lambdamart-slower",
    place="Section 2; Table 2",
    statement="LambdaMART is more demanding to train than RankNet, as Table 2 is cited for.",
    words=SAID["lambdamart-slower"],
)
def _(paper: Paper) -> Cell:
    printed = {method: paper["table2"].number(method, "seconds") for method in ("LambdaMART", "RankNet")}
    ours = {m: Measured(n.value, n.standard_error or 0.0, _FOLDS - 1) for m, n in printed.items()}
    return Order([["LambdaMART"], ["RankNet"]], ours, "seconds")


@claims.add(
    "section1.above-ranknet",
    place="Section 1; Table 1, MSLR-WEB10K",
    statement="DirectRanker performs significantly better than RankNet on MSLR-WEB10K, by the numbers of Table 1.",
    weight="central",
    cause="lead-over-ranknet",
    words=SAID["enhanced"],
    otherwise=lambda paper: (paper.with_table(paper["table1"].with_cell("DirectRanker", "mslr_ndcg", "0.158(4)")),),
)
def _(paper: Paper) -> list[Cell]:
    # The paper calls MQ2007 and MQ2008 inconclusive, so the sentence is about the third set.
    cells: list[Cell] = []
    for column in ("mslr_ndcg", "mslr_map"):
        words = _COLUMNS[column]
        lead = sigmas(paper, column, "DirectRanker", "RankNet")
        witness = f"{lead.value:.2f} standard errors (up to {lead.high:.2f} within rounding)"
        cells.append(Statement(lead.high > _CLEAR, witness, "significantly better", words))
    return cells


@claims.add(
    "section5.mslr-significant",
    place="Section 5.1; Table 1, MSLR-WEB10K",
    statement="On MSLR-WEB10K the results differ significantly.",
    words=SAID["mslr-differs"],
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for column in ("mslr_ndcg", "mslr_map"):
        scores = {method: paper["table1"].number(method, column).value for method in methods_with_errors(paper)}
        best, worst = max(scores, key=lambda m: scores[m]), min(scores, key=lambda m: scores[m])
        lead = sigmas(paper, column, best, worst)
        witness = f"{best} is above {worst} by {lead.value:.0f} standard errors"
        cells.append(Statement(lead.low > _CLEAR, witness, "a significant difference", _COLUMNS[column]))
    return cells


@claims.add(
    "section6.es-rank",
    place="Section 6; Table 1",
    statement="DirectRanker matches or outperforms ES-Rank.",
    weight="central",
    cause="es-rank",
    words=SAID["es-rank"],
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for column, words in _COLUMNS.items():
        ours, other = (paper["table1"].number(method, column) for method in ("DirectRanker", "ES-Rank"))
        cells.append(Statement(ours.value >= other.value, f"{ours} beside {other}", "at least as good", words))
    return cells


@claims.add(
    "table2.ranknet-order",
    place="Section 5.1; Table 2",
    statement="Training RankNet takes as long as DirectRanker, to an order of magnitude.",
    cause="training-times-of-one-order",
    words=SAID["same-order"],
    proxy="the sentence is about a second RankNet, whose time is not printed; Table 2 has RankLib's",
)
def _(paper: Paper) -> Cell:
    ours, ranknet = (paper["table2"].number(method, "seconds").value for method in ("DirectRanker", "RankNet"))
    return Statement(ranknet < _ORDER * ours, f"{ranknet / ours:.1f} times as long", "of the same order")


def _logged(paper: Paper) -> dict[str, tuple[str, str, list[float]]]:
    """For each row of the logs: method and column of Table 1, and the five folds."""
    logs = paper["ranklib_logs"]
    names = {"LambdaMART": "LambdaMart", "MSLR-WEB10K": "mslr", "NDCG@10": "ndcg"}
    found = {}
    for row in logs.rows:
        method, dataset, metric = (names.get(word, word) for word in row.split(" / "))
        folds = [logs.number(row, f"fold{fold}").value for fold in range(1, _FOLDS + 1)]
        found[row] = method, f"{dataset.lower()}_{metric.lower()}", folds
    return found


def _as_logged(paper: Paper) -> tuple[Paper]:
    """Table 1 if it had the numbers of the later logs."""
    table = paper["table1"]
    for method, column, folds in _logged(paper).values():
        ours = Measured.over(folds)
        table = table.with_cell(method, column, f"{ours.value:.3f}({round(1000 * ours.standard_error)})")
    return (paper.with_table(table),)


@claims.add(
    "section4.same-method",
    place="Section 4.4; Table 1",
    statement="RankLib's learners were trained and tested as DirectRanker was: Table 1 beside the authors' later logs.",
    words=SAID["same-method"],
    material=PrintedNumbers("the authors' RankLib logs of 2022, stored in their repository"),
    proxy="the logs are later than Table 1, on labels as they are and all queries",
    otherwise=_as_logged,
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for row, (method, column, folds) in _logged(paper).items():
        published = paper["table1"].number(method, column)
        cells.append(
            Value(
                published,
                Measured.over(folds),
                row.replace(" / ", ", "),
                margin=published.standard_error,
                margin_source="the standard error that Table 1 prints",
            )
        )
    return cells
