"""Claims of the Yahoo! challenge overview about its two metrics and its normalisation of features."""

from __future__ import annotations

import itertools
from fractions import Fraction

from ltrlib.claims.cells import Cell, Order, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers, RecordedResult
from ltrlib.papers.chapelle2011.challenge import NAMES
from ltrlib.papers.chapelle2011.records import BEST, CORRELATION, agreement
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record, Table

__all__ = ["claims"]

claims = ClaimList(__name__)


@claims.add(
    "section4.normalisation",
    place="Section 4.3",
    statement="The normalisation brings features into the range 0 to 1, and is an inverse cumulative distribution.",
    material=PrintedNumbers("the formula of Section 4.3, on all short lists of values"),
)
def _(paper: Paper) -> list[Cell]:
    less = int(paper.statement("normalised-by").value)

    def normalised(values: tuple[int, ...]) -> list[Fraction]:
        return [Fraction(sum(other < value for other in values), len(values) - less) for value in values]

    lists = [values for size in range(3, 6) for values in itertools.product(range(size), repeat=size)]
    reached = [value for values in lists for value in normalised(values)]
    shown = normalised((10, 20, 30))
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
            set(shown) <= {10, 20, 30},
            f"10, 20, 30 become {words}: shares of smaller values, as the distribution function itself gives",
            "values of the inverse",
            "inverse",
        ),
    ]


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


@claims.add(
    "figure3.best-differ",
    place="Section 5.3; Figure 3",
    statement="The best submissions by NDCG and by ERR are not the same.",
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
    statement="Kendall correlation of ERR and NDCG over all submissions of track 1.",
    proxy="only the best scores of the 20 teams of Figure 3 are known, not all submissions of track 1",
)
def _(paper: Paper) -> Cell:
    from scipy.stats import kendalltau

    err, ndcg = ([n.value for n in paper["figure3"].column(metric).values()] for metric in ("err", "ndcg"))
    return Value(paper.statement("kendall"), float(kendalltau(err, ndcg).statistic))


@claims.add(
    "section5.kendall-zoom",
    place="Section 5.3; Figures 3 and 6",
    statement="Among the best submissions, ERR and NDCG agree less than over all.",
)
def _(paper: Paper) -> Cell:
    from scipy.stats import kendalltau

    err, ndcg = ([n.value for n in paper["figure3"].column(metric).values()] for metric in ("err", "ndcg"))
    best, whole = float(kendalltau(err, ndcg).statistic), paper.statement("kendall").value
    witness = f"tau is {best:.3f} over the {len(err)} teams of Figure 3, {whole} over all submissions"
    return Statement(best < whole, witness, "less agreement among the best")


def _add_agreement(dataset: str, table: Table) -> None:
    @claims.add(
        f"section5.agreement-{dataset.replace('/', '-')}",
        place="Section 5.3; Figure 6",
        statement=f"Among the best rankers, ERR and NDCG agree less than over all: our rankers on {NAMES[dataset]}.",
        material=RecordedResult(table.name, table.columns),
        proxy="these are our rankers, not the submissions of the challenge",
    )
    def _(paper: Paper, record: Record) -> Cell:
        whole, best = (agreement(record.table, best=best) for best in (None, BEST))
        more, less = paper.names("agreement")
        return Order([[more], [less]], {"all submissions": whole, "best submissions": best})


for _dataset, _table in CORRELATION.items():
    _add_agreement(_dataset, _table)
