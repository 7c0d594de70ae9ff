"""Claims of the NDCG study that need trained rankers: what Figures 1 and 2 are said to show."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pandas as pd

from ltrlib.claims.cells import Cell, Conclusion, Order, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import RecordedResult
from ltrlib.papers.busafekete2012.study.learners import CUTOFF, PAPER
from ltrlib.papers.busafekete2012.study.records import queries_of, runs_of
from ltrlib.papers.busafekete2012.study.results import JUDGE, curves, paired_differences, per_query
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

__all__ = ["CARRIED_OVER", "claims"]

claims = ClaimList(__name__)

_QUERIES = RecordedResult(queries_of("mq2008").name, queries_of("mq2008").columns)
_RUNS = RecordedResult(runs_of("mq2008").name, runs_of("mq2008").columns)
_LEVEL = 0.05
_ROUNDING = 1e-9
_SELDOM = 0.1

CARRIED_OVER = (
    "figure1.training-metric-matters",
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


def _said(row: pd.Series) -> str:
    return f"{row['difference']:+.4f} [{row['low']:+.4f}, {row['high']:+.4f}], p = {row['p_t_test_holm']:.2g}"


@claims.add(
    "figure1.additive-bias",
    place="Section 5, Figure 1",
    statement="The YAHOO tool adds the same to RANKLIB's NDCG of every model, around 0.25.",
    material=_QUERIES,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    queries = record.table
    shift = queries[f"yahoo@{CUTOFF}"] - queries[f"ranklib@{CUTOFF}"]
    by_fold = shift.groupby([queries[name] for name in ("learner", "trained_under", "seed", "fold")]).mean()
    means = by_fold.groupby(["learner", "trained_under", "seed"]).mean().to_numpy()
    gap = paper.statement("empty-yahoo").value - paper.statement("empty-ranklib").value
    off = float((shift - gap * queries["empty"]).abs().max())
    higher = Conclusion("the YAHOO tool gives higher values", lambda value: value > 0)
    witness = f"in {means.size} models no query departs by more than {off:.1g} from {gap:g} if empty, else nothing"
    return [
        Value(paper.statement("yahoo-minus-ranklib"), float(means.mean()), "how much", conclusion=higher),
        Statement(off < _ROUNDING, witness, _finding(paper, "additive-bias"), "the same for all"),
    ]


@claims.add(
    "figure1.letor-fall",
    place="Section 5, Figure 1",
    statement="By the LETOR tool every learner loses around 0.25 or more at the cut-offs 8 to 10.",
    material=_QUERIES,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    loss = paper.statement("ranklib-minus-letor")
    first, last = (int(paper.statement(f"letor-{end}-cutoff").value) for end in ("first", "last"))
    found = curves(record.table, tools=["ranklib", "letor4"], cutoffs=range(first, last + 1))
    own = found[(found["trained_under"] == "ranklib") & found["learner"].isin(paper.names("figure1-learners"))]
    means = own.pivot(index=["k", "learner"], columns="tool", values="mean")
    lost = means["ranklib"] - means["letor4"]
    sizes = record.table.drop_duplicates("query")["documents"]
    cells: list[Cell] = []
    for k in range(first, last + 1):
        least, most = lost[k].min(), lost[k].max()
        witness = f"the loss is {least:.4f} to {most:.4f}; {(sizes < k).mean():.1%} of the queries are shorter"
        cells.append(Statement(bool(least >= loss.bounds.low), witness, f"a loss of {loss}", f"cut-off {k}"))
    return cells


@claims.add(
    "figure1.training-metric-matters",
    place="Section 5, Figure 1",
    statement="For AdaRank, LambdaMART and CoordinateAscent the metric used in training changes the learnt model.",
    material=_QUERIES,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    cells: list[Cell] = []
    for learner in paper.names("ndcg-learners"):
        pairs = [((learner, a), (learner, b)) for a, b in (PAPER[:2], PAPER[1:])]
        share = paired_differences(record.table, pairs)["differing"]
        words = f"queries with another NDCG@{CUTOFF}: YAHOO or RANKLIB {share[0]:.1%}, RANKLIB or LETOR {share[1]:.1%}"
        cells.append(Statement(bool(share.max() > 0), words, _finding(paper, "training-metric-matters"), learner))
    return cells


@claims.add(
    "figure1.letor-training",
    place="Section 5, Figure 1",
    statement="Trained under LETOR, AdaRank, LambdaMART and CoordinateAscent are significantly worse (paired t-test).",
    material=_QUERIES,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    found = paired_differences(
        record.table, [((one, "letor4"), (one, "ranklib")) for one in paper.names("ndcg-learners")]
    )
    published = _finding(paper, "letor-worst-for-training")
    return [
        Statement(
            bool(row["difference"] < 0 and row["p_t_test_holm"] < _LEVEL),
            f"NDCG@{CUTOFF} changes by {_said(row)}",
            published,
            row["learner"],
        )
        for _, row in found.iterrows()
    ]


@claims.add(
    "figure1.letor-training-error-bars",
    place="Section 5, Figure 1, footnote 15",
    statement="Training under LETOR is worse by more than the error bars, which is how the paper reads significance.",
    material=_QUERIES,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    found = _at_last(record.table, [JUDGE])
    cells: list[Cell] = []
    for learner in paper.names("ndcg-learners"):
        (mean, error), (other, its_error) = (found[learner, under, JUDGE] for under in ("ranklib", "letor4"))
        gap, bars = mean - other, error + its_error
        witness = f"{other:.4f} against {mean:.4f}, a gap of {gap:.4f}; the two bars together are {bars:.4f}"
        published = _finding(paper, "letor-worst-for-training")
        cells.append(Statement(gap > bars, witness, published, learner))
    return cells


@claims.add(
    "figure1.ranknet-unaffected",
    place="Section 5, Figure 1",
    statement="RankNet is not affected by the training metric.",
    material=_QUERIES,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    use_ndcg = paper.names("ndcg-learners")
    cells: list[Cell] = []
    for learner in (one for one in paper.names("figure1-learners") if one not in use_ndcg):
        found = paired_differences(
            record.table, [((learner, under), (learner, "ranklib")) for under in ("yahoo", "letor4")]
        )
        holds = bool((found["p_t_test_holm"] >= _LEVEL).all())
        witness = "; ".join(f"{row['trained_under']}: {_said(row)}" for _, row in found.iterrows())
        cells.append(Statement(holds, witness, _finding(paper, "training-metric-matters"), learner))
    return cells


@claims.add(
    "figure1.yahoo-slightly-better",
    place="Section 5, Figure 1",
    statement="Trained under YAHOO, AdaRank and LambdaMART are slightly better than under RANKLIB.",
    material=_QUERIES,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    learners = paper.names("yahoo-better-learners")
    found = paired_differences(record.table, [((one, "yahoo"), (one, "ranklib")) for one in learners])
    return [
        Statement(
            bool(row["difference"] > _ROUNDING),
            f"{_said(row)}; {row['differing']:.1%} of the queries differ",
            _finding(paper, "yahoo-slightly-better"),
            row["learner"],
        )
        for _, row in found.iterrows()
    ]


@claims.add(
    "figure1.yahoo-best",
    place="Section 5, Figure 1",
    statement="Training under YAHOO gives equal or better models than under the other tools.",
    material=_QUERIES,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    learners = paper.names("figure1-learners")
    pairs = [((one, "yahoo"), (one, other)) for one in learners for other in ("ranklib", "letor4")]
    found = paired_differences(record.table, pairs)
    cells: list[Cell] = []
    for learner in learners:
        own = found[found["learner"] == learner]
        worse = (own["difference"] < 0) & (own["p_t_test_holm"] < _LEVEL)
        witness = "; ".join(f"against {row['against_under']} {_said(row)}" for _, row in own.iterrows())
        cells.append(Statement(not worse.any(), witness, _finding(paper, "yahoo-best-for-training"), learner))
    return cells


@claims.add(
    "figure2.coordinate-ascent-best",
    place="Section 5, Figure 2",
    statement="CoordinateAscent is slightly ahead of all other learners, whichever tool evaluates.",
    material=_QUERIES,
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
    statement="RankBoost, RankSVM and LambdaMART perform very close to each other.",
    material=_QUERIES,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    close = paper.names("close-learners")
    pairs = [((a, "ranklib"), (b, "ranklib")) for a, b in combinations(close, 2)]
    found = paired_differences(record.table, pairs)
    return [
        Statement(
            bool(row["p_t_test_holm"] >= _LEVEL),
            _said(row),
            _finding(paper, "three-close"),
            f"{row['learner']} and {row['against']}",
        )
        for _, row in found.iterrows()
    ]


@claims.add(
    "figure2.order-changes",
    place="Section 5, Figure 2",
    statement="The order of RankBoost, RankSVM and LambdaMART depends on the tool that evaluates.",
    material=_QUERIES,
)
def _(paper: Paper, record: Record) -> Cell:
    found = _at_last(record.table, PAPER)
    close = paper.names("close-learners")
    orders = {tool: sorted(close, key=lambda one: -found[one, "ranklib", tool][0]) for tool in PAPER}
    witness = "; ".join(f"by {tool} {' > '.join(order)}" for tool, order in orders.items())
    return Statement(len(set(map(tuple, orders.values()))) > 1, witness, _finding(paper, "letor-reorders"))


@claims.add(
    "figure2.rankboost-short",
    place="Section 5, Figure 2",
    statement="On short queries RankBoost is slightly ahead of RankSVM and LambdaMART.",
    material=_QUERIES,
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
)
def _(paper: Paper, record: Record) -> Cell:
    first, *others = paper.names("close-learners")
    found = {one: float(per_query(record.table, one, "ranklib", tool="letor4").mean()) for one in (first, *others)}
    behind = found[first] <= max(found[one] for one in others)
    witness = ", ".join(f"{one} {value:.4f}" for one, value in found.items())
    return Statement(behind, witness, _finding(paper, "rankboost-short-lists"))


@claims.add(
    "figure2.adarank-behind",
    place="Section 5, Figure 2",
    statement="AdaRank stays behind CoordinateAscent, RankBoost, RankSVM and LambdaMART.",
    material=_QUERIES,
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
)
def _(paper: Paper, record: Record) -> list[Cell]:
    found = _at_last(record.table, ["ranklib", "trec"])
    cells: list[Cell] = []
    for learner in paper.names("figure2-learners"):
        (mean, error), (other, _) = (found[learner, "ranklib", tool] for tool in ("ranklib", "trec"))
        witness = f"TREC minus RANKLIB is {other - mean:+.4f}, the standard error {error:.4f}"
        cells.append(Statement(abs(other - mean) < error, witness, _finding(paper, "tools-equivalent"), learner))
    return cells
