"""Claims of the DirectRanker paper that need the same features for all, or another choice of pairs."""

from __future__ import annotations

from ltrlib.claims.cells import Cell, Difference, Measured, Statement
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers, RecordedResult
from ltrlib.claims.noise import Claimed
from ltrlib.claims.words import Sentence
from ltrlib.papers.koppel2019.features.comparisons import half_lead, paired, printed_error, stored_lead
from ltrlib.papers.koppel2019.features.records import METHOD_QUERIES, METHOD_RUNS, PAIR_QUERIES, PAIR_RUNS, SPREADS
from ltrlib.papers.koppel2019.sentences import SAID
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

__all__ = ["claims"]

claims = ClaimList(__name__)

_TEXT = "koppel2019-directranker"
_METHODS = RecordedResult(METHOD_RUNS.name, METHOD_RUNS.columns)
_PAIRS = RecordedResult(PAIR_RUNS.name, PAIR_RUNS.columns)
_SPREADS = RecordedResult(SPREADS.name, SPREADS.columns)
_ERROR = "the standard error that Table 1 prints for DirectRanker"
_SAMPLE = "the first rows of two files of MSLR-WEB10K, not its five folds"


def _lead(runs: Record, rival: str, dataset: str) -> Measured:
    sides = ({"method": method, "form": "authors"} for method in ("DirectRanker", rival))
    return paired(runs.table, METHOD_QUERIES.read().table, *sides, dataset=dataset)


@claims.add(
    "section4.normal-third",
    place="Section 4.4",
    statement="After the transform the features are normal with a standard deviation of one third.",
    material=_SPREADS,
    cause="feature-transform",
    words=Sentence(
        _TEXT, "Section 4.4", "features are following a normal distribution with standard deviation", "70c1f8023330"
    ),
)
def _(paper: Paper, spreads: Record) -> list[Cell]:
    table = spreads.table[spreads.table["dataset"] == "mq2008"]
    # Averaged ranks give one third to every feature that varies; a constant one cannot have it.
    varying = table[table["form"] == "averaged"].set_index("part")["close"]
    return [
        Statement(
            bool(row["close"] >= varying[row["part"]]),
            f"{row['close']} of the {varying[row['part']]} features that vary are within a tenth of 1/3; over all "
            f"values it is {row['sd']:.2f}, and {row['clipped']:.0%} of the values sit at a clipped end",
            "each feature has a standard deviation of 1/3",
            str(row["part"]),
        )
        for _, row in table[table["form"] == "authors"].iterrows()
    ]


def _as_later_folds(paper: Paper) -> tuple[Paper]:
    """Table 1 if its two networks had the level of the authors' later folds."""
    table = paper["table1"].with_cell("RankNet", "mslr_ndcg", "0.433(7)").with_cell("ListNet", "mslr_ndcg", "0.434(5)")
    return (paper.with_table(table),)


@claims.add(
    "section5.lead-stored-folds",
    place="Section 5.1; Table 1, MSLR-WEB10K NDCG",
    statement="DirectRanker is far ahead of RankNet ({table1/RankNet/mslr_ndcg}) and ListNet "
    "({table1/ListNet/mslr_ndcg}); here against the authors' later networks, which got transformed features, too.",
    material=PrintedNumbers("the authors' stored folds: DirectRanker's of 2019, its rivals' of 2022"),
    weight="central",
    cause="lead-over-ranknet",
    words=[SAID["all-others"], SAID["enhanced"]],
    otherwise=_as_later_folds,
)
def _(paper: Paper) -> list[Cell]:
    # The rivals are of later code: deeper networks, the transform fitted on the training file, short queries dropped.
    # Elsewhere that commit is not comparable. Here it is asked only whether half of a lead of 0.28 is left, and the
    # learners that the authors logged with it (section4.same-method) lie below Table 1 on this set, not above it.
    return [
        Difference(
            stored_lead(paper, rival).measured,
            "much higher",
            half_lead(paper, rival),
            "half of the printed lead",
            f"DirectRanker is ahead of {rival} by {2 * half_lead(paper, rival):.3f}",
            rival,
        )
        for rival in ("RankNet", "ListNet")
    ]


@claims.add(
    "section5.lead-same-features",
    place="Section 5.1; Table 1, MSLR-WEB10K NDCG",
    statement="DirectRanker is far ahead of RankNet and ListNet; here with the same transformed features for all.",
    material=_METHODS,
    proxy=_SAMPLE,
    weight="central",
    cause="lead-over-ranknet",
    words=[SAID["all-others"], SAID["enhanced"]],
)
def _(paper: Paper, runs: Record) -> list[Cell]:
    return [
        Difference(
            _lead(runs, rival, "mslr-web10k-sample"),
            "much higher",
            half_lead(paper, rival),
            "half of the printed lead",
            f"DirectRanker is ahead of {rival} by {2 * half_lead(paper, rival):.3f}",
            rival,
        )
        for rival in ("RankNet", "ListNet")
    ]


@claims.add(
    "section1.pairwise-competitive",
    place="Section 1, contribution 3",
    statement="A pairwise network is not behind a listwise one: DirectRanker and ListNet on MQ2008, same features.",
    material=_METHODS,
    weight="central",
    words=Sentence(_TEXT, "Section 1", "pairwise methods can still be competitive", "3bfbbb87d16a"),
)
def _(paper: Paper, runs: Record) -> Cell:
    return Difference(
        _lead(runs, "ListNet", "mq2008"),
        "not lower",
        printed_error(paper, "mq2008"),
        _ERROR,
        "pairwise methods are competitive with listwise ones",
    )


def _pairing(paper: Paper, runs: Record, first: str, second: str, claimed: Claimed, published: str) -> Difference:
    queries = PAIR_QUERIES.read().table
    change = paired(runs.table, queries, {"pairing": first}, {"pairing": second}, dataset="mq2008")
    return Difference(change, claimed, printed_error(paper, "mq2008"), _ERROR, published)


@claims.add(
    "section3.neighbours-enough",
    place="Section 3 (ii)",
    statement="Pairs of neighbouring classes are enough: on MQ2008 pairs of all classes bring nothing more.",
    material=_PAIRS,
    words=Sentence(
        _TEXT, "Section 3", "not necessary to compare very relevant and very irrelevant documents", "3b05cdd822fe"
    ),
)
def _(paper: Paper, runs: Record) -> Cell:
    said = "very relevant and very irrelevant documents need not be compared directly"
    return _pairing(paper, runs, "all classes", "neighbours", "not higher", said)


@claims.add(
    "section3.equal-pairs",
    place="Section 3 (iii)",
    statement="Nothing is lost, and perhaps something gained, by leaving out pairs of equal class.",
    material=_PAIRS,
    words=Sentence(_TEXT, "Section 3", "more freedom to find an optimal solution", "a94516928305"),
)
def _(paper: Paper, runs: Record) -> Cell:
    said = "leaving out pairs of equal class frees the optimiser and may help"
    return _pairing(paper, runs, "neighbours", "equal classes too", "not lower", said)


@claims.add(
    "section3.identity-general",
    place="Section 3",
    statement="Taking the identity as output activation loses nothing; on MQ2008, against tanh.",
    material=_PAIRS,
    words=Sentence(_TEXT, "Section 3", "without loss of generality", "7281c106f72b"),
)
def _(paper: Paper, runs: Record) -> Cell:
    return _pairing(paper, runs, "identity", "neighbours", "equal", "the activation can be chosen freely")
