"""Claims of the DirectRanker paper that stand in its sentences: its theorem, its tables, its data and its code."""

from __future__ import annotations

import math
from statistics import NormalDist

from ltrlib.claims.cells import Cell, Measured, Order, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.counts import Counts
from ltrlib.claims.evidence import CountedData, PrintedNumbers, RecordedResult
from ltrlib.claims.rules import CONFIDENCE
from ltrlib.papers.koppel2019.paper.claims_tables import methods_with_errors, sigmas
from ltrlib.papers.koppel2019.table1.times import TIME_COLUMNS
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

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
_FORMULA = PrintedNumbers("a closed form: the normal distribution function")
_CODE_2019 = PrintedNumbers("the authors' code of 2019")
_CODE_2022 = PrintedNumbers("the authors' code of 2022")
_UNSTATED = ("not stated", "arbitrary")


@claims.add(
    "section3.theorem1",
    place="Section 3, Theorem 1",
    statement="The network is reflexive, antisymmetric and transitive, whatever its weights.",
    material=PrintedNumbers("20 networks with random weights, and all pairs and triples of 30 documents for each"),
)
def _(paper: Paper) -> Cell:
    from ltrlib.papers.koppel2019.model.tables import broken_conditions

    found = broken_conditions().set_index("removed").loc["none"]
    kept = {name for name in ("I", "II", "III") if found[name] == 0}
    witness = ", ".join(f"({name}) is broken by {found[name]:.0%}" for name in ("I", "II", "III"))
    return Statement(kept == set(paper.names("theorem1")), witness, "conditions (I) to (III)")


@claims.add(
    "section3.ranknet",
    place="Section 3",
    statement="With the output tanh(x/2) DirectRanker's output is RankNet's probability, but for its range.",
    material=PrintedNumbers("both functions at differences of scores from -20 to 20"),
)
def _(paper: Paper) -> Cell:
    divisor = paper.statement("ranknet-activation").value
    differences = [step / 10 for step in range(-200, 201)]
    apart = max(abs((1 + math.tanh(x / divisor)) / 2 - 1 / (1 + math.exp(-x))) for x in differences)
    return Statement(apart < 1e-12, f"they differ by at most {apart:.1g}", "equivalent")


@claims.add(
    "section2.lambdamart-better",
    place="Section 2; Table 1",
    statement="LambdaMART usually outperforms RankNet.",
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
)
def _(paper: Paper) -> Cell:
    printed = {method: paper["table2"].number(method, "seconds") for method in ("LambdaMART", "RankNet")}
    ours = {m: Measured(n.value, n.standard_error or 0.0, _FOLDS - 1) for m, n in printed.items()}
    return Order([["LambdaMART"], ["RankNet"]], ours, "seconds")


@claims.add(
    "section1.above-ranknet",
    place="Section 1; Table 1",
    statement="DirectRanker performs significantly better than RankNet.",
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for column, words in _COLUMNS.items():
        lead = sigmas(paper, column, "DirectRanker", "RankNet")
        witness = f"{lead.value:.2f} standard errors (up to {lead.high:.2f} within rounding)"
        cells.append(Statement(lead.high > _CLEAR, witness, "significantly better", words))
    return cells


@claims.add(
    "section1.above-ranknet-later",
    place="Section 1; Table 1, MSLR-WEB10K NDCG",
    statement="DirectRanker performs significantly better than RankNet: both in the authors' later code.",
    material=PrintedNumbers("the authors' results of 2022, stored in their repository"),
)
def _(paper: Paper) -> Cell:
    ours, ranknet = (
        paper["later_results"].number(f"rewrite 2022 / {method} / mslr_ndcg", "value")
        for method in ("DirectRanker", "RankNet")
    )
    lead = (ours.value - ranknet.value) / (ours.standard_error or math.inf)
    witness = f"DirectRanker {ours}, RankNet {ranknet}: {lead:+.2f} standard errors of the former"
    return Statement(lead > _CLEAR, witness, "significantly better")


@claims.add(
    "section5.mslr-significant",
    place="Section 5.1; Table 1, MSLR-WEB10K",
    statement="On MSLR-WEB10K the results differ significantly.",
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
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for column, words in _COLUMNS.items():
        ours, other = (paper["table1"].number(method, column) for method in ("DirectRanker", "ES-Rank"))
        cells.append(Statement(ours.value >= other.value, f"{ours} beside {other}", "at least as good", words))
    return cells


@claims.add(
    "section4.mq-smaller",
    place="Section 4.3",
    statement="MQ2008 is much smaller than MSLR-WEB10K: less than a tenth of its queries.",
    material=CountedData(("mq2008",)),
)
def _(paper: Paper, mq2008: Counts) -> Cell:
    queries, others = mq2008.total("queries"), paper.statement("mslr-queries").value
    return Statement(queries * _ORDER < others, f"{queries} queries beside {others:,.0f}", "much smaller")


@claims.add(
    "section5.noise-clipped",
    place="Section 5.2; noise as in Section 4.5, labels kept within the classes",
    statement="Share of the documents that the label noise mislabels, when no label leaves the classes.",
    material=_FORMULA,
    proxy="the paper does not say that labels are kept within the classes",
)
def _(paper: Paper) -> list[Cell]:
    classes = int(paper.statement("synthetic-classes").value)
    cells: list[Cell] = []
    for size in ("small", "large"):
        # Beyond either end rounding leads back to the last class, so that these two can err on one side only.
        beyond = _NORMAL.cdf(-0.5 / paper.statement(f"noise-{size}-sigma").value)
        cells.append(Value(paper.statement(f"noise-{size}"), beyond * (2 * classes - 2) / classes, size))
    return cells


@claims.add(
    "table2.ranknet-order",
    place="Section 5.1; Table 2",
    statement="Training RankNet takes as long as DirectRanker, to an order of magnitude.",
    proxy="the sentence is about a second RankNet, whose time is not printed; Table 2 has RankLib's",
)
def _(paper: Paper) -> Cell:
    ours, ranknet = (paper["table2"].number(method, "seconds").value for method in ("DirectRanker", "RankNet"))
    return Statement(ranknet < _ORDER * ours, f"{ranknet / ours:.1f} times as long", "of the same order")


@claims.add(
    "table2.ranknet-order-runs",
    place="Section 5.1",
    statement="Training RankNet takes as long as DirectRanker, to an order of magnitude: both in this book's code.",
    material=RecordedResult("koppel2019/times", TIME_COLUMNS),
)
def _(paper: Paper, times: Record) -> Cell:
    seconds = times.table.set_index("method")["cpu_seconds"]
    first, second = paper.names("same-order")
    ratio = float(seconds[second] / seconds[first])
    return Statement(1 / _ORDER < ratio < _ORDER, f"{second} takes {ratio:.1f} times as long", "of the same order")


def _told_and_done(paper: Paper, column: str) -> list[Cell]:
    """One cell per setting that the paper states: the code's words must contain the paper's."""
    table = paper["settings"]
    cells: list[Cell] = []
    for item in table.rows:
        told, done = table.text(item, "paper"), table.text(item, column)
        if told not in _UNSTATED and done:
            cells.append(Statement(told in done, f"the code: {done}", told, item))
    return cells


@claims.add(
    "section4.code-2019",
    place="Sections 3 and 4.4",
    statement="What the paper says about training is what the authors' code did.",
    material=_CODE_2019,
)
def _(paper: Paper) -> list[Cell]:
    return _told_and_done(paper, "code_2019")


@claims.add(
    "section4.code-2022",
    place="Section 4.5",
    statement="What the paper says about synthetic data is what the authors' code does.",
    material=_CODE_2022,
    proxy="the code of 2019 has no synthetic tests, and that of 2022 may have been changed since",
)
def _(paper: Paper) -> list[Cell]:
    return _told_and_done(paper, "code_2022")


@claims.add(
    "section4.same-method",
    place="Section 4.4; Table 1",
    statement="RankLib's learners were trained and tested as DirectRanker was: Table 1 beside the authors' later logs.",
    material=PrintedNumbers("the authors' RankLib logs of 2022, stored in their repository"),
    proxy="the logs are later than Table 1, on labels as they are and all queries",
)
def _(paper: Paper) -> list[Cell]:
    logs = paper["ranklib_logs"]
    names = {"LambdaMART": "LambdaMart", "MSLR-WEB10K": "mslr", "NDCG@10": "ndcg"}
    cells: list[Cell] = []
    for row in logs.rows:
        method, dataset, metric = (names.get(word, word) for word in row.split(" / "))
        folds = [logs.number(row, f"fold{fold}").value for fold in range(1, _FOLDS + 1)]
        published = paper["table1"].number(method, f"{dataset.lower()}_{metric.lower()}")
        cells.append(Value(published, Measured.over(folds), row.replace(" / ", ", ")))
    return cells
