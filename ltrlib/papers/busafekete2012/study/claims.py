"""Claims of the NDCG study that need trained rankers: what Figures 1 and 2 are said to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pandas as pd

from ltrlib.claims.cells import Cell, Conclusion, Difference, Measured, Order, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import RecordedResult
from ltrlib.claims.noise import Family, any_of, decide
from ltrlib.papers.busafekete2012.sentences import SAID
from ltrlib.papers.busafekete2012.study.learners import CUTOFF, PAPER
from ltrlib.papers.busafekete2012.study.records import queries_of, runs_of
from ltrlib.papers.busafekete2012.study.results import JUDGE, curves, per_query, values
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

__all__ = ["CARRIED_OVER", "claims"]

claims = ClaimList(__name__)

_QUERIES = RecordedResult(queries_of("mq2008").name, queries_of("mq2008").columns)
_RUNS = RecordedResult(runs_of("mq2008").name, runs_of("mq2008").columns)
_BAR = "the error bar that footnote 15 defines, of the model trained under RANKLIB"
_TRAINING = Family("busafekete2012/training", "four learners, each trained under two of the three tools", 8)
_CLOSE = Family("busafekete2012/close", "every two of RankBoost, RankSVM and LambdaMART", 3)
_ROUNDING = 1e-9
_SELDOM = 0.1

CARRIED_OVER = (
    "figure1.letor-training",
    "figure1.ranknet-unaffected",
    "figure1.yahoo-slightly-better",
    "figure1.yahoo-best",
    "figure2.coordinate-ascent-best",
    "figure2.three-close",
    "figure2.order-changes",
    "figure2.adarank-behind",
)
"""Claims that can be asked of other data sets too."""


def _finding(paper: Paper, name: str) -> str:
    return paper["findings"].text(name, "about")


def _at_last(queries: pd.DataFrame, tools: Sequence[str]) -> dict[tuple[str, str, str], tuple[float, float]]:
    """Mean and error at the last cut-off, by (learner, trained_under, tool)."""
    found = curves(queries, tools=tools, cutoffs=[CUTOFF])
    keys = found[["learner", "trained_under", "tool"]].itertuples(index=False, name=None)
    values = found[["mean", "standard_error"]].itertuples(index=False, name=None)
    return dict(zip(keys, values, strict=True))


@claims.add(
    "figure1.additive-bias",
    place="Section 5, Figure 1",
    statement="The YAHOO tool adds the same to RANKLIB's NDCG of every model, around {yahoo-minus-ranklib}.",
    material=_QUERIES,
    weight="central",
    cause="additive-bias",
    words=SAID["solely"],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    queries = record.table
    shift = queries[f"yahoo@{CUTOFF}"] - queries[f"ranklib@{CUTOFF}"]
    by_fold = shift.groupby([queries[name] for name in ("learner", "trained_under", "seed", "fold")]).mean()
    means = by_fold.groupby(["learner", "trained_under", "seed"]).mean().to_numpy()
    gap = paper.statement("empty-yahoo").value - paper.statement("empty-ranklib").value
    off = float((shift - gap * queries["empty"]).abs().max())
    higher = Conclusion("the YAHOO tool gives higher values", lambda value: value > 0)
    apart = f"within {off:.1g}" if off else "exactly"
    witness = (
        f"in all {means.size} models it adds {gap:g} to a query without relevant documents and 0 to others, {apart}"
    )
    return [
        Value(paper.statement("yahoo-minus-ranklib"), float(means.mean()), "how much", conclusion=higher),
        Statement(off < _ROUNDING, witness, _finding(paper, "additive-bias"), "the same for all"),
    ]


@claims.add(
    "figure1.letor-fall",
    place="Section 5, Figure 1",
    statement="By the LETOR tool every learner's NDCG falls between the cut-offs {letor-first-cutoff} and "
    "{letor-last-cutoff}, to a loss of around {ranklib-minus-letor} or more.",
    material=_QUERIES,
    cause="letor-fall",
    words=SAID["degrade"],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    # The sentence describes a range; what is asked is where the fall has led at its end.
    loss = paper.statement("ranklib-minus-letor")
    first, last = (int(paper.statement(f"letor-{end}-cutoff").value) for end in ("first", "last"))
    found = curves(record.table, tools=["ranklib", "letor4"], cutoffs=range(first, last + 1))
    own = found[(found["trained_under"] == "ranklib") & found["learner"].isin(paper.names("figure1-learners"))]
    means = own.pivot(index=["learner", "k"], columns="tool", values="mean")
    lost = means["ranklib"] - means["letor4"]
    cells: list[Cell] = []
    for learner in paper.names("figure1-learners"):
        losses = lost[learner]
        witness = "the loss is " + ", ".join(f"{losses[k]:.3f} at {k}" for k in range(first, last + 1))
        cells.append(Statement(bool(losses[last] >= loss.bounds.low), witness, f"a loss of {loss} or more", learner))
    return cells


def _paired(record: Record, first: tuple[str, str], second: tuple[str, str], tool: str = JUDGE) -> Measured:
    """NDCG of the first training minus that of the second, query by query; each a learner and a tool."""
    one, other = (per_query(record.table, *training, tool=tool) for training in (first, second))
    one, other = one.align(other)
    return Measured.paired(one.tolist(), other.tolist())


def _error_bar(record: Record, learner: str) -> float:
    """What the paper draws as error bar (footnote 15): it calls a difference significant by it."""
    return _at_last(record.table, [JUDGE])[learner, "ranklib", JUDGE][1]


@claims.add(
    "figure1.letor-training",
    place="Section 5, Figure 1, footnote 15",
    statement="Trained under LETOR instead of RANKLIB, AdaRank, LambdaMART and CoordinateAscent are significantly "
    "worse: by more than the error bars of the figure.",
    material=_QUERIES,
    weight="central",
    cause="letor-teaches-badly",
    words=[SAID["letor-worse"], SAID["training"]],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return [
        Difference(
            _paired(record, (one, "letor4"), (one, "ranklib")),
            "much lower",
            _error_bar(record, one),
            _BAR,
            _finding(paper, "letor-worst-for-training"),
            one,
            _TRAINING,
        )
        for one in paper.names("ndcg-learners")
    ]


@claims.add(
    "figure1.ranknet-unaffected",
    place="Section 5, Figure 1; Section 6",
    statement="RankNet, which does not use NDCG in training, is not affected by the training metric.",
    material=_QUERIES,
    words=[SAID["training"], SAID["false-order"]],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    others = [one for one in paper.names("figure1-learners") if one not in paper.names("ndcg-learners")]
    return [
        Difference(
            _paired(record, (one, under), (one, "ranklib")),
            "equal",
            _error_bar(record, one),
            _BAR,
            _finding(paper, "training-metric-matters"),
            f"{one}, {under}",
            _TRAINING,
        )
        for one in others
        for under in ("yahoo", "letor4")
    ]


@claims.add(
    "figure1.yahoo-slightly-better",
    place="Section 5, Figure 1",
    statement="Trained under YAHOO, AdaRank and LambdaMART, the two examples given, are slightly better than under "
    "RANKLIB.",
    material=_QUERIES,
    cause="yahoo-slightly-better",
    words=SAID["slightly"],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    # "In some cases", and the sentence refers to the curves of these two. For LambdaMART the two tools give the same
    # gradients and the same choice of trees (chapter 22 has the proof), so its cell has no chance in it.
    return [
        Difference(
            _paired(record, (one, "yahoo"), (one, "ranklib")),
            "higher",
            0.0,
            "the paper says slightly and gives no size",
            _finding(paper, "yahoo-slightly-better"),
            one,
            _TRAINING,
        )
        for one in paper.names("yahoo-better-learners")
    ]


@claims.add(
    "figure1.yahoo-best",
    place="Section 5, Figure 1",
    statement="Training under YAHOO gives equal or better models than under the other tools.",
    material=_QUERIES,
    weight="central",
    words=SAID["best-metric"],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return [
        Difference(
            _paired(record, (one, "yahoo"), (one, other)),
            "not lower",
            _error_bar(record, one),
            _BAR,
            _finding(paper, "yahoo-best-for-training"),
            f"{one}, against {other}",
            _TRAINING,
        )
        for one in paper.names("figure1-learners")
        for other in ("ranklib", "letor4")
    ]


@claims.add(
    "section6.empty-no-impact",
    place="Section 6, second suggestion",
    statement="Queries without relevant documents have no impact on evaluation: within a tool they add the same to "
    "every method.",
    material=_QUERIES,
    words=SAID["no-impact"],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    empty = record.table[record.table["empty"]]
    cells: list[Cell] = []
    for tool in PAPER:
        scores = values(empty, tool, CUTOFF)
        spread = float(scores.max() - scores.min())
        witness = f"over {empty['query'].nunique()} such queries and all models their scores differ by {spread:.1g}"
        cells.append(Statement(spread < _ROUNDING, witness, "the same for all methods", f"by {tool}"))
    return cells


@claims.add(
    "figure2.coordinate-ascent-best",
    place="Section 5, Figure 2",
    statement="CoordinateAscent is slightly ahead of all other learners, whichever tool evaluates.",
    material=_QUERIES,
    words=SAID["ascent"],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    first, *others = paper.names("figure2-learners")
    return [
        Order.by_query(
            [[first], others],
            {one: per_query(record.table, one, "ranklib", tool=tool).tolist() for one in (first, *others)},
            name=f"by {tool}",
        )
        for tool in PAPER
    ]


@claims.add(
    "figure2.three-close",
    place="Section 5, Figure 2",
    statement="RankBoost, RankSVM and LambdaMART perform very close to each other: within the figure's error bars.",
    material=_QUERIES,
    words=SAID["close"],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return [
        Difference(
            _paired(record, (a, "ranklib"), (b, "ranklib")),
            "equal",
            _error_bar(record, a),
            _BAR,
            _finding(paper, "three-close"),
            f"{a} and {b}",
            _CLOSE,
        )
        for a, b in combinations(paper.names("close-learners"), 2)
    ]


def _turned(record: Record, learner: str) -> Record:
    """The same record, had a learner been far ahead by RANKLIB and far behind by LETOR."""
    table, own = record.table, (record.table["learner"] == learner).astype(float)
    moved = {f"{tool}@{CUTOFF}": sign * 0.1 * own for tool, sign in (("ranklib", 1), ("letor4", -1))}
    return replace(record, table=table.assign(**{name: table[name] + change for name, change in moved.items()}))


@claims.add(
    "figure2.order-changes",
    place="Section 5, Figure 2; Section 6",
    statement="The order of RankBoost, RankSVM and LambdaMART depends on the tool: one pair is told apart one way by "
    "RANKLIB and the other way by LETOR.",
    material=_QUERIES,
    weight="central",
    words=[SAID["short-sets"], SAID["false-order"]],
    otherwise=lambda paper, record: (paper, _turned(record, paper.names("close-learners")[0])),
)
def _(paper: Paper, record: Record) -> Cell:
    found, words = [], []
    for a, b in combinations(paper.names("close-learners"), 2):
        one, other = (_paired(record, (a, "ranklib"), (b, "ranklib"), tool) for tool in ("ranklib", "letor4"))
        signs = [decide(each.interval(comparisons=_CLOSE.comparisons), "higher", 0.0) for each in (one, other)]
        found.append(None if None in signs else signs[0] != signs[1])
        words.append(f"{a} less {b}: {one.value:+.4f} by RANKLIB, {other.value:+.4f} by LETOR")
    return Statement(any_of(found), "; ".join(words), _finding(paper, "letor-reorders"), family=_CLOSE)


@claims.add(
    "figure2.rankboost-short",
    place="Section 5, Figure 2",
    statement="On short queries RankBoost is slightly ahead of RankSVM and LambdaMART.",
    material=_QUERIES,
    words=SAID["short-sets"],
)
def _(paper: Paper, record: Record) -> Cell:
    short = record.table[(record.table["documents"] < CUTOFF) & ~record.table["empty"]]
    first, *others = paper.names("close-learners")
    return Order.by_query(
        [[first], others], {one: per_query(short, one, "ranklib").tolist() for one in (first, *others)}
    )


@claims.add(
    "figure2.rankboost-letor",
    place="Section 5, Figure 2",
    statement="Evaluated by the LETOR tool, RankBoost is no longer ahead of RankSVM and LambdaMART.",
    material=_QUERIES,
    words=SAID["short-sets"],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    first, *others = paper.names("close-learners")
    return [
        Difference(
            _paired(record, (first, "ranklib"), (other, "ranklib"), "letor4"),
            "not higher",
            _error_bar(record, first),
            _BAR,
            _finding(paper, "rankboost-short-lists"),
            f"against {other}",
            _CLOSE,
        )
        for other in others
    ]


@claims.add(
    "figure2.adarank-behind",
    place="Section 5, Figure 2",
    statement="AdaRank stays behind CoordinateAscent, RankBoost, RankSVM and LambdaMART.",
    material=_QUERIES,
    words=SAID["adarank-low"],
)
def _(paper: Paper, record: Record) -> Cell:
    *ahead, last = paper.names("adarank-behind")
    scores = {one: per_query(record.table, one, "ranklib").tolist() for one in (*ahead, last)}
    return Order.by_query([ahead, [last]], scores)


@claims.add(
    "section5.ties-rare",
    place="Section 5",
    statement="Documents of one query seldom get the same score (read as: at most one in ten does).",
    material=_RUNS,
    words=SAID["ties"],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    shares = record.table[record.table["trained_under"] == "ranklib"].groupby("learner")["tied"].mean().to_dict()
    return [
        Statement(
            shares[one] <= _SELDOM, f"{shares[one]:.1%} of the documents are tied", _finding(paper, "ties-rare"), one
        )
        for one in paper.names("figure2-learners")
    ]


@claims.add(
    "section5.tools-equivalent",
    place="Section 5",
    statement="With exponential gains RANKLIB and TREC are equivalent: the order of ties matters less than the error.",
    material=_QUERIES,
    words=SAID["equivalent"],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return [
        Difference(
            _mean_difference(record, learner),
            "equal",
            _error_bar(record, learner),
            _BAR,
            _finding(paper, "tools-equivalent"),
            learner,
        )
        for learner in paper.names("figure2-learners")
    ]


def _mean_difference(record: Record, learner: str) -> Measured:
    """TREC's NDCG of the same ranking minus RANKLIB's, query by query."""
    one, other = (per_query(record.table, learner, "ranklib", tool=tool) for tool in ("trec", "ranklib"))
    return Measured.paired(one.tolist(), other.tolist())
