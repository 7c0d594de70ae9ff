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
_WHO = "RANKLIB must be meant: the sentence counts three tools here, and YAHOO is group 2 alone."

TOOLS = TableLayout(
    "busafekete2012",
    "tools",
    "Section 3 of the paper: what each tool scores. Below: what the tool computes, for a list without a relevant "
    "document, and for two documents at cut-off 4.",
    {"empty_query": "Query without relevant documents", "short_query": "Query shorter than the cut-off"},
    row_names={row: "Group {}: {}".format(*row.split(" / ")) for row in _ROWS},
    row_notes={"1 / YAHOO": _WHO},
    as_printed={(row, "short_query"): "as at its own length" for row in _ROWS if not row.startswith("3 /")},
    corner="Tool",
    convention="ndcg@10:letor3, ndcg@10:yahoo, ndcg@10:trec_eval, ndcg@10:letor4, ndcg@10:mslr",
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
    taught = by_id["figure1.letor-training"].judgements
    ruled_out = [one.name for one in taught if one.verdict is Verdict.NOT_REPRODUCED]
    most = max(taught, key=_allowed_loss)
    ahead = by_id["figure2.coordinate-ascent-best"]
    return [
        f"The tools disagree as the paper says: on MQ2008 YAHOO's NDCG is {bias.value:.2f} above RANKLIB's for every "
        f"model (“around {bias.published}”), and LETOR's falls where queries are shorter than the cut-off.",
        "That LETOR's NDCG is a bad teacher could not be reproduced: none of the three learners that use NDCG gets "
        f"significantly worse, and for {' and '.join(ruled_out) or 'none'} a loss as large as an error bar is ruled "
        f"out. The largest loss that the intervals allow is {_allowed_loss(most):.3f} ({most.name}).",
        f"That coordinate ascent is slightly ahead by every tool is *{ahead.word}*: the lead is smaller than the noise "
        "of MQ2008. The figures print no numbers, so only what the text says of them can be checked.",
    ]


def _allowed_loss(judgement: Judgement) -> float:
    assert judgement.interval is not None
    return -judgement.interval[0]
