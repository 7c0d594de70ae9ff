"""Claims of the DirectRanker paper that need no training: arithmetic on its tables, its stored results, its data."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

from ltrlib.claims.cells import Cell, Measured, Ours, Statement, Value, with_rounding
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.counts import Counts
from ltrlib.claims.evidence import CountedData, PrintedNumbers
from ltrlib.claims.noise import Family, half_width
from ltrlib.claims.words import TableCells
from ltrlib.papers.koppel2019.sentences import SAID
from ltrlib.published.printed import Bounds, Printed
from ltrlib.published.tables import Paper

__all__ = ["claims", "methods_with_errors", "sigmas"]

claims = ClaimList(__name__)

_STORED = PrintedNumbers("the authors' results per fold, stored in their repository")
_FOLDS = 5
_PAIRS = Family("koppel2019/table1-column", "every two of the five methods that the authors ran, in one column", 10)


def sigmas(paper: Paper, column: str, better: str, worse: str) -> Bounds:
    """Difference of two rows of Table 1 in standard errors of the difference.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> round(sigmas(load_paper("koppel2019"), "mslr_ndcg", "LambdaMart", "DirectRanker").value, 1)
    7.2
    """
    a, b = (paper["table1"].number(method, column) for method in (better, worse))
    return with_rounding(
        lambda x, dx, y, dy: (x - y) / math.hypot(dx, dy), a.bounds, a.error_bounds, b.bounds, b.error_bounds
    )


def methods_with_errors(paper: Paper) -> list[str]:
    """Methods that the authors ran themselves: those with a standard error.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> methods_with_errors(load_paper("koppel2019"))
    ['DirectRanker', 'RankNet', 'ListNet', 'LambdaMart', 'AdaRank']
    """
    table = paper["table1"]
    return [method for method in table.rows if table.number(method, "mslr_ndcg").error is not None]


@claims.add(
    "section5.sigma-lambdamart-ndcg",
    place="Section 5.1; Table 1, MSLR-WEB10K NDCG",
    statement="LambdaMart is above DirectRanker by {lambdamart-ndcg} standard errors in NDCG@10 on MSLR-WEB10K.",
    words=SAID["lambdamart-ndcg"],
)
def _(paper: Paper) -> Cell:
    return Value(paper.statement("lambdamart-ndcg"), sigmas(paper, "mslr_ndcg", "LambdaMart", "DirectRanker"))


@claims.add(
    "section5.sigma-lambdamart-map",
    place="Section 5.1; Table 1, MSLR-WEB10K MAP",
    statement="LambdaMart is above DirectRanker by only {lambdamart-map} standard errors in MAP on MSLR-WEB10K.",
    words=SAID["lambdamart-map"],
)
def _(paper: Paper) -> Cell:
    return Value(paper.statement("lambdamart-map"), sigmas(paper, "mslr_map", "LambdaMart", "DirectRanker"))


@claims.add(
    "section5.sigma-mq2008",
    place="Section 5.1; Table 1, MQ2008 NDCG",
    statement="Best and worst algorithm on MQ2008 are {mq2008-spread} standard errors apart in NDCG@10.",
    words=SAID["mq-insignificant"],
)
def _(paper: Paper) -> Cell:
    scores = {method: paper["table1"].number(method, "mq2008_ndcg").value for method in methods_with_errors(paper)}
    best, worst = max(scores, key=lambda m: scores[m]), min(scores, key=lambda m: scores[m])
    return Value(paper.statement("mq2008-spread"), sigmas(paper, "mq2008_ndcg", best, worst))


def _least_lead(paper: Paper, column: str) -> Bounds:
    """DirectRanker's smallest lead over the other methods with a standard error, LambdaMart aside."""
    others = [method for method in methods_with_errors(paper) if method not in ("DirectRanker", "LambdaMart")]
    return min((sigmas(paper, column, "DirectRanker", other) for other in others), key=lambda lead: lead.value)


@claims.add(
    "section5.sigma-others-ndcg",
    place="Section 5.1; Table 1, MSLR-WEB10K NDCG",
    statement="DirectRanker leads all methods but LambdaMart by at least {others-ndcg} standard errors in NDCG@10.",
    words=SAID["all-others"],
)
def _(paper: Paper) -> Cell:
    return Value(paper.statement("others-ndcg"), _least_lead(paper, "mslr_ndcg"))


@claims.add(
    "section5.sigma-others-map",
    place="Section 5.1; Table 1, MSLR-WEB10K MAP",
    statement="DirectRanker leads all methods but LambdaMart by at least {others-map} standard errors in MAP.",
    weight="editorial",  # the lead is larger than printed, so nothing that is concluded from it changes
    words=SAID["all-others"],
)
def _(paper: Paper) -> Cell:
    return Value(paper.statement("others-map"), _least_lead(paper, "mslr_map"))


@claims.add(
    "section5.outperforms-others",
    place="Section 5.1; Table 1, MSLR-WEB10K",
    statement="DirectRanker outperforms every method of Table 1 but LambdaMart on MSLR-WEB10K, in both metrics.",
    weight="central",
    cause="es-rank",
    words=[SAID["all-others"], SAID["outperforms"]],
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for column, metric in (("mslr_ndcg", "NDCG"), ("mslr_map", "MAP")):
        scores = {method: number.value for method, number in paper["table1"].column(column).items()}
        ours = scores.pop("DirectRanker")
        scores.pop("LambdaMart")
        above = {method: score for method, score in scores.items() if score >= ours}
        witness = ", ".join(f"{method} has {score}" for method, score in above.items()) or "no other method is above"
        cells.append(Statement(not above, f"{witness} (DirectRanker {ours})", "no other method is above", metric))
    return cells


@claims.add(
    "section5.mq-insignificant",
    place="Section 5.1; Table 1, MQ2007 and MQ2008",
    statement="The differences between the models on MQ2007 and MQ2008 are insignificant.",
    words=SAID["mq-insignificant"],
    otherwise=lambda paper: (paper.with_table(paper["table1"].with_cell("AdaRank", "mq2008_map", "0.703(9)")),),
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for column in ("mq2008_ndcg", "mq2008_map", "mq2007_ndcg", "mq2007_map"):
        pairs = itertools.permutations(methods_with_errors(paper), 2)
        # Judged by the low end of the range: rounding cannot make a difference significant.
        leads = {pair: sigmas(paper, column, *pair) for pair in pairs}
        (better, worse), lead = max(leads.items(), key=lambda item: item[1].low)
        witness = f"{better} above {worse} by {lead.value:.2f} standard errors ({lead.low:.2f} after rounding)"
        # Two means over five folds each, and the largest of ten differences.
        needed = half_width(1.0, 2 * (_FOLDS - 1), _PAIRS.comparisons)
        witness += f"; significant among ten pairs would be {needed:.2f}"
        cells.append(Statement(lead.low < needed, witness, "no pair differs at the 5% level", column, family=_PAIRS))
    return cells


@claims.add(
    "table2.fastest",
    place="Section 5.1; Table 2",
    statement="DirectRanker trains faster than all other models of Table 2.",
    words=SAID["fastest"],
)
def _(paper: Paper) -> Cell:
    seconds = {method: number.value for method, number in paper["table2"].column("seconds").items()}
    fastest, second = sorted(seconds, key=lambda method: seconds[method])[:2]
    witness = f"{fastest} {seconds[fastest]:g} s, then {second} {seconds[second]:g} s"
    return Statement(fastest == "DirectRanker", witness, "DirectRanker has the smallest time")


def _stored(paper: Paper, cell: str, mean: Ours, error: Ours) -> list[Cell]:
    """Two cells: the mean, and the standard error in brackets.

    The files are what was printed, not another run, so there is no noise in the comparison.
    """
    printed = paper["table1"].number("DirectRanker", cell)
    bracket = Printed.parse(printed.like(printed.error or 0))
    return [Value(replace(printed, error=None), mean, cell), Value(bracket, error, f"{cell}, in brackets")]


@claims.add(
    "table1.stored-ndcg",
    place="Table 1, row DirectRanker, NDCG",
    statement="DirectRanker's NDCG@10 in Table 1 is the mean over five stored folds, its standard error in brackets.",
    material=_STORED,
    words=TableCells("table1", "DirectRanker", "mslr_ndcg"),
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for cell in paper["stored_folds"].rows:
        folds = [paper["stored_folds"].number(cell, f"fold{fold}").bounds for fold in range(1, _FOLDS + 1)]
        mean = with_rounding(lambda *values: sum(values) / len(values), *folds)
        cells += _stored(paper, cell, mean, Measured.over([fold.value for fold in folds]).standard_error)
    return cells


@claims.add(
    "table1.stored-map",
    place="Table 1, row DirectRanker, MAP",
    statement="DirectRanker's MAP in Table 1 is the mean over five stored folds, its standard error in brackets.",
    material=_STORED,
    proxy="the stored files are those of the search for NDCG@10, and the paper made another one for MAP",
    words=[TableCells("table1", "DirectRanker", "mslr_map"), SAID["grid"]],
    otherwise=lambda paper: (paper.with_table(paper["table1"].with_cell("DirectRanker", "mq2008_map", "0.644(13)")),),
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for cell, stored in paper["stored_means"].column("value").items():
        if cell.endswith("_map"):
            cells += _stored(paper, cell, stored.bounds, stored.error_bounds)
    return cells


@claims.add(
    "section4.mq2008-shape",
    place="Section 4.3",
    statement="MQ2008 has {mq-features} features and labels from 0 to {mq-labels}.",
    words=SAID["mq-shape"],
    material=CountedData(("mq2008",)),
)
def _(paper: Paper, mq2008: Counts) -> list[Cell]:
    return [
        Value(paper.statement("mq-features"), mq2008.largest("features"), "features"),
        Value(paper.statement("mq-labels"), max(mq2008.labels()), "highest label"),
    ]


@claims.add(
    "section4.mslr-shape",
    place="Section 4.3",
    statement="MSLR-WEB10K has {mslr-queries} queries, {mslr-features} features and labels from 0 to {mslr-labels}.",
    words=[SAID["mslr-queries"], SAID["mslr-features"], SAID["mslr-labels"]],
    material=CountedData(("mslr-web10k",)),
)
def _(paper: Paper, mslr: Counts) -> list[Cell]:
    return [
        Value(paper.statement("mslr-queries"), mslr.total("queries"), "queries"),
        Value(paper.statement("mslr-features"), mslr.largest("features"), "features"),
        Value(paper.statement("mslr-labels"), max(mslr.labels()), "highest label"),
    ]
