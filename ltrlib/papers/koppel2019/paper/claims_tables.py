"""Claims of the DirectRanker paper that need no training: arithmetic on its tables, its stored results, its data."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from statistics import NormalDist

from ltrlib.claims.cells import Cell, Measured, Ours, Statement, Value, reach
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.counts import Counts
from ltrlib.claims.evidence import CountedData, PrintedNumbers
from ltrlib.published.printed import Bounds, Printed
from ltrlib.published.tables import Paper

__all__ = ["claims", "methods_with_errors", "sigmas"]

claims = ClaimList(__name__)

_STORED = PrintedNumbers("the authors' results per fold, stored in their repository")
_FOLDS = 5
_NORMAL = NormalDist()


def sigmas(paper: Paper, column: str, better: str, worse: str) -> Bounds:
    """Difference of two rows of Table 1 in standard errors of the difference.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> round(sigmas(load_paper("koppel2019"), "mslr_ndcg", "LambdaMart", "DirectRanker").value, 1)
    7.2
    """
    a, b = (paper["table1"].number(method, column) for method in (better, worse))
    return reach(lambda x, dx, y, dy: (x - y) / math.hypot(dx, dy), a.bounds, a.error_bounds, b.bounds, b.error_bounds)


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
    statement="LambdaMart is above DirectRanker by so many standard errors.",
)
def _(paper: Paper) -> Cell:
    return Value(paper.statement("lambdamart-ndcg"), sigmas(paper, "mslr_ndcg", "LambdaMart", "DirectRanker"))


@claims.add(
    "section5.sigma-lambdamart-map",
    place="Section 5.1; Table 1, MSLR-WEB10K MAP",
    statement="LambdaMart is above DirectRanker by so many standard errors.",
)
def _(paper: Paper) -> Cell:
    return Value(paper.statement("lambdamart-map"), sigmas(paper, "mslr_map", "LambdaMart", "DirectRanker"))


@claims.add(
    "section5.sigma-mq2008",
    place="Section 5.1; Table 1, MQ2008 NDCG",
    statement="Best and worst algorithm on MQ2008 are so many standard errors apart.",
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
    statement="DirectRanker is above all methods but LambdaMart by at least so many standard errors.",
)
def _(paper: Paper) -> Cell:
    return Value(paper.statement("others-ndcg"), _least_lead(paper, "mslr_ndcg"))


@claims.add(
    "section5.sigma-others-map",
    place="Section 5.1; Table 1, MSLR-WEB10K MAP",
    statement="DirectRanker is above all methods but LambdaMart by at least so many standard errors.",
)
def _(paper: Paper) -> Cell:
    return Value(paper.statement("others-map"), _least_lead(paper, "mslr_map"))


@claims.add(
    "section5.outperforms-others",
    place="Section 5.1; Table 1, MSLR-WEB10K",
    statement="DirectRanker outperforms every method of Table 1 but LambdaMart, in both metrics.",
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
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for column in ("mq2008_ndcg", "mq2008_map", "mq2007_ndcg", "mq2007_map"):
        pairs = itertools.permutations(methods_with_errors(paper), 2)
        # Judged by the low end of the range: rounding cannot make a difference significant.
        leads = {pair: sigmas(paper, column, *pair) for pair in pairs}
        (better, worse), lead = max(leads.items(), key=lambda item: item[1].low)
        witness = f"{better} above {worse} by {lead.value:.2f} standard errors ({lead.low:.2f} after rounding)"
        holds = lead.low < _NORMAL.inv_cdf(0.975)
        cells.append(Statement(holds, witness, "no pair differs at the 5 % level", column))
    return cells


@claims.add(
    "table2.fastest",
    place="Section 5.1; Table 2",
    statement="DirectRanker trains faster than all other models.",
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
    statement="Mean over the five folds, and its standard error in brackets.",
    material=_STORED,
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for cell in paper["stored_folds"].rows:
        folds = [paper["stored_folds"].number(cell, f"fold{fold}").bounds for fold in range(1, _FOLDS + 1)]
        mean = reach(lambda *values: sum(values) / len(values), *folds)
        cells += _stored(paper, cell, mean, Measured.over([fold.value for fold in folds]).standard_error)
    return cells


@claims.add(
    "table1.stored-map",
    place="Table 1, row DirectRanker, MAP",
    statement="Mean over the five folds, and its standard error in brackets.",
    material=_STORED,
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
    statement="MQ2008 has so many features, and labels up to this one.",
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
    statement="MSLR-WEB10K has so many queries and features, and labels up to this one.",
    material=CountedData(("mslr-web10k",)),
)
def _(paper: Paper, mslr: Counts) -> list[Cell]:
    return [
        Value(paper.statement("mslr-queries"), mslr.total("queries"), "queries"),
        Value(paper.statement("mslr-features"), mslr.largest("features"), "features"),
        Value(paper.statement("mslr-labels"), max(mslr.labels()), "highest label"),
    ]


@claims.add(
    "section4.irregular-queries",
    place="Section 4.4",
    statement="The data have queries without relevant documents, and queries with fewer documents than the cut-off.",
    material=CountedData(("mq2008",)),
)
def _(paper: Paper, mq2008: Counts) -> list[Cell]:
    queries, empty = mq2008.total("queries"), mq2008.total("empty queries")
    cutoff = int(paper.statement("short-queries").value)
    short = mq2008.total(f"shorter than {cutoff}")
    return [
        Statement(empty > 0, f"{empty} of {queries} queries", "some queries have no relevant document", "empty"),
        Statement(
            short > 0, f"{short} of {queries} queries", f"some queries have fewer than {cutoff} documents", "short"
        ),
    ]
