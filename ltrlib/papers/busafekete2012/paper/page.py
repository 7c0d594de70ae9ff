"""What the page on the whole paper says first, and how the paper groups the tools."""

from __future__ import annotations

from collections.abc import Sequence

from ltrlib.claims.claim import Outcome
from ltrlib.claims.rules import Judgement
from ltrlib.claims.verdict import Verdict
from ltrlib.published.layout import TableLayout
from ltrlib.published.tables import load_table

__all__ = ["TOOLS", "summary"]

_ROWS = load_table("busafekete2012", "tools").rows
_WHO = "Probably RANKLIB is meant: the sentence counts three tools here, and YAHOO alone makes up group 2."

TOOLS = TableLayout(
    "busafekete2012",
    "tools",
    "Section 3 of the paper: what each tool is said to score, and below it what it computes, for a list without a "
    "relevant document and for two documents at cut-off 4.",
    {"empty_query": "Query without relevant documents", "short_query": "Query shorter than the cut-off"},
    row_names={row: "Group {}: {}".format(*row.split(" / ")) for row in _ROWS},
    row_notes={"1 / YAHOO": _WHO},
    as_printed={(row, "short_query"): "as at its own length" for row in _ROWS if not row.startswith("3 /")},
    corner="Tool",
    convention="ndcg@4:letor3, ndcg@4:yahoo, ndcg@4:trec_eval, ndcg@4:letor4, ndcg@4:mslr",
)


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """The answer in three sentences, with the numbers of the checked claims.

    Parameters
    ----------
    outcomes
        All checked claims of the paper.

    Examples
    --------
    >>> from ltrlib.claims.registry import claims
    >>> len(summary([claim.check() for claim in claims("busafekete2012")]))
    3
    """
    by_id = {outcome.claim.id.removeprefix("busafekete2012."): outcome for outcome in outcomes}
    bias = by_id["figure1.additive-bias"].judgements[0]
    # Once per fold, and over draws of the training queries: the second has the luck of training in its intervals.
    taught, drawn = (by_id[name].judgements for name in ("figure1.letor-training", "section5.letor-teaching"))
    most = max((*taught, *drawn), key=_allowed_loss)
    ahead = by_id["figure2.coordinate-ascent-best"]
    return [
        f"The tools disagree as the paper says. On MQ2008, YAHOO gives every model an NDCG {bias.value:.2f} above "
        f"RANKLIB's (the paper: “around {bias.published}”), and LETOR's falls where queries are shorter than the "
        "cut-off.",
        "The paper finds that training with LETOR's NDCG makes rankers significantly worse. We cannot reproduce that "
        f"for any of the {_count(len(taught))} learners that use NDCG in training. A loss of an error bar is ruled out "
        f"for {_excluded(taught)} if each is trained once per fold, and over draws of the training queries for "
        f"{_excluded(drawn)}; the largest loss that any of these intervals allows is {_allowed_loss(most):.3f} "
        f"({most.name}).",
        f"Whether CoordinateAscent is slightly ahead under every tool is *{ahead.word}*: its lead is smaller than the "
        "noise of MQ2008. The paper's figures print no numbers, so we check what its text says about them.",
    ]


def _count(number: int) -> str:
    return {2: "two", 3: "three", 4: "four"}.get(number, str(number))


def _excluded(judgements: Sequence[Judgement]) -> str:
    learners = [one.name for one in judgements if one.verdict is Verdict.NOT_REPRODUCED]
    return " and ".join(learners) + (" only" if len(learners) == 1 else "") if learners else "none"


def _allowed_loss(judgement: Judgement) -> float:
    assert judgement.interval is not None
    return -judgement.interval[0]
