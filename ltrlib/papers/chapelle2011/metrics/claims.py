"""Claims of the Yahoo! challenge overview about its two metrics and its normalisation of features."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction
from statistics import fmean, stdev

from ltrlib.claims.cells import Cell, Difference, Measured, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers, RecordedResult
from ltrlib.papers.chapelle2011.challenge import NAMES
from ltrlib.papers.chapelle2011.metrics.cascade import expected_reward, pfound
from ltrlib.papers.chapelle2011.records import BEST, CORRELATION, agreement_by_group
from ltrlib.papers.chapelle2011.sentences import SAID
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record, Table

__all__ = ["claims"]

claims = ClaimList(__name__)


def _not_inverse(paper: Paper) -> tuple[Paper]:
    """The paper if it named the function that it uses."""
    return (paper.with_table(paper["statements"].with_cell("normalised-through", "text", "cumulative distribution")),)


@claims.add(
    "section4.normalisation",
    place="Section 4.3",
    statement="The normalisation brings features into the range 0 to 1 by the {normalised-through}.",
    material=PrintedNumbers("the formula of Section 4.3, on all short lists of values"),
    weight="editorial",
    words=SAID["normalised"],
    otherwise=_not_inverse,
)
def _(paper: Paper) -> list[Cell]:
    less = int(paper.statement("normalised-by").value)

    def normalised(values: tuple[int, ...]) -> list[Fraction]:
        return [Fraction(sum(other < value for other in values), len(values) - less) for value in values]

    lists = [values for size in range(3, 6) for values in itertools.product(range(size), repeat=size)]
    reached = [value for values in lists for value in normalised(values)]
    values = (10, 20, 30)
    shown, function = normalised(values), paper["statements"].text("normalised-through", "text")
    words = ", ".join(f"{float(value):g}" for value in shown)
    return [
        Statement(
            min(reached) >= 0 and max(reached) <= 1,
            f"from {float(min(reached)):g} to {float(max(reached)):g} over {len(lists):,} lists",
            "in the range",
            "range",
        ),
        # An inverse distribution function returns values of the feature, the distribution function shares.
        Statement(
            set(shown) <= (set(values) if function.startswith("inverse") else {Fraction(i, 2) for i in range(3)}),
            f"10, 20, 30 become {words}: shares of smaller values, as the distribution function itself gives",
            f"what the {function} gives",
            "function",
        ),
    ]


def _plain_err(paper: Paper) -> tuple[Paper]:
    """The paper if it called pFound identical to ERR itself."""
    return (paper.with_table(paper["statements"].with_cell("pfound-is", "text", "ERR")),)


@claims.add(
    "section5.pfound",
    place="Section 5.1.1",
    statement="Yandex's pFound is a variant of ERR: {pfound-is}, as we understand the section that the paper names.",
    material=PrintedNumbers("the formulas of pFound and of Algorithm 2, on all lists of up to four labels"),
    proxy="the section of Chapelle et al. (2009) is not at hand; its variant is taken to be a user who may give up",
    words=SAID["pfound"],
    otherwise=_plain_err,
)
def _(paper: Paper) -> Cell:
    divisor = int(paper.statement("err-divisor").value)
    gives_up = paper["statements"].text("pfound-is", "text") != "ERR"
    lists, differ = 0, 0
    for size, share in itertools.product(range(1, 5), (Fraction(1, 2), Fraction(17, 20))):
        for labels in itertools.product(range(5), repeat=size):
            chances = [Fraction(2**label - 1, divisor) for label in labels]
            if gives_up:
                other = expected_reward(chances, share, lambda rank: Fraction(1))
            else:
                other = expected_reward(chances, Fraction(1), lambda rank: Fraction(1, rank))
            lists, differ = lists + 1, differ + (pfound(chances, share) != other)
    witness = f"equal to the chance of ever being satisfied in {lists - differ:,} of {lists:,} cases"
    return Statement(differ == 0, witness, "identical")


@claims.add(
    "figure3.best-differ",
    place="Section 5.3; Figure 3",
    statement="The best submissions by NDCG and by ERR are not the same.",
    words=SAID["best-differ"],
)
def _(paper: Paper) -> Cell:
    table = paper["figure3"]
    best = {}
    for metric in ("err", "ndcg"):
        scores = table.column(metric)
        top = max(number.value for number in scores.values())
        best[metric] = {table.text(rank, "team") for rank, number in scores.items() if number.value == top}
    witness = "; ".join(f"best by {metric.upper()}: {', '.join(sorted(teams))}" for metric, teams in best.items())
    return Statement(not best["err"] & best["ndcg"], witness, "no team is best by both")


@claims.add(
    "section5.kendall",
    place="Section 5.3",
    statement="Kendall correlation of ERR and NDCG over all submissions of track 1: {kendall}.",
    words=SAID["kendall"],
    proxy="only the best scores of the 20 teams of Figure 3 are known, not all submissions of track 1",
)
def _(paper: Paper) -> Cell:
    from scipy.stats import kendalltau

    err, ndcg = ([n.value for n in paper["figure3"].column(metric).values()] for metric in ("err", "ndcg"))
    return Value(paper.statement("kendall"), float(kendalltau(err, ndcg).statistic))


def _leaderboard(paper: Paper) -> list[dict[str, float]]:
    table = paper["figure3"]
    return [{metric: table.number(row, metric).value for metric in ("err", "ndcg")} for row in table.rows]


def _tau(scores: list[tuple[float, float]]) -> Measured:
    """Kendall's tau-b with its jackknife error over the teams."""
    from scipy.stats import kendalltau

    def tau(own: list[tuple[float, float]]) -> float:
        return float(kendalltau(*zip(*own, strict=True)).statistic)

    n = len(scores)
    without = [tau(scores[:team] + scores[team + 1 :]) for team in range(n)]
    variance = (n - 1) / n * sum((one - fmean(without)) ** 2 for one in without)
    return Measured(tau(scores), math.sqrt(variance), n - 1)


def _turned_round(paper: Paper) -> tuple[Paper]:
    """A leaderboard on which the first ten teams have their NDCG in the opposite order, and the others in order."""
    table = paper["figure3"]
    rows, ndcg = table.rows, sorted((n.text for n in table.column("ndcg").values()), reverse=True)
    half = len(rows) // 2
    for row, text in zip(rows, [*ndcg[:half][::-1], *ndcg[half:]], strict=True):
        table = table.with_cell(row, "ndcg", text)
    return (paper.with_table(table),)


@claims.add(
    "section5.kendall-zoom",
    place="Section 5.3; Figures 3 and 6",
    statement="Among the best submissions, ERR and NDCG agree less than among others: the teams of Figure 3.",
    words=SAID["best-differ"],
    proxy="only the best scores of 20 teams are known, not all submissions of track 1",
    otherwise=_turned_round,
)
def _(paper: Paper) -> Cell:
    # A narrower range of scores lowers tau whatever the metrics, so the best teams are not set against all
    # submissions, but against as many teams of nearly as narrow a range: the first and the second ten of Figure 3.
    scores = [(row["err"], row["ndcg"]) for row in _leaderboard(paper)]
    half = len(scores) // 2
    best, others = (_tau(group) for group in (scores[:half], scores[half:]))
    error = math.hypot(best.standard_error, others.standard_error)
    return Difference(
        Measured(best.value - others.value, error, half - 1),
        "lower",
        0.0,
        "the paper gives no size",
        "the metrics differ more among the best submissions",
        quantity="change of Kendall's tau from the others to the best",
    )


def _opposed(paper: Paper, record: Record) -> tuple[Paper, Record]:
    """Measurements in which NDCG follows ERR, but for the best rankers, which it puts in the opposite order."""
    table = record.table.sort_values("err", ascending=False, kind="stable")
    ndcg = table["ndcg"].sort_values(ascending=False).tolist()
    return paper, replace(record, table=table.assign(ndcg=[*ndcg[:BEST][::-1], *ndcg[BEST:]]))


def _add_agreement(dataset: str, table: Table) -> None:
    @claims.add(
        f"section5.agreement-{dataset.replace('/', '-')}",
        place="Section 5.3; Figure 6",
        statement=f"Among the best rankers, ERR and NDCG agree less than among others: ours on {NAMES[dataset]}.",
        material=RecordedResult(table.name, table.columns),
        proxy="these are our rankers, not the submissions of the challenge",
        otherwise=_opposed,
        words=SAID["best-differ"],
    )
    def _(paper: Paper, record: Record) -> Cell:
        # Fewer rankers of nearly one quality agree less than many of all qualities, whatever the metrics. So the best
        # stand beside as many others of nearly one quality.
        best, *others = agreement_by_group(record.table, BEST)
        more, _ = paper.names("agreement")
        # One group against the mean of the others: its own chance is that of a single group.
        spread = Measured.one_more(others, stdev(others), len(others) - 1)
        return Difference(
            replace(spread, value=best - spread.value),
            "lower" if more == "all submissions" else "higher",
            0.0,
            "the paper gives no size",
            "the metrics agree less among the best",
            quantity="change of Kendall's tau from the others to the best",
        )


for _dataset, _table in CORRELATION.items():
    _add_agreement(_dataset, _table)
