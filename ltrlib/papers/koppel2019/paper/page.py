"""What the page on the whole paper says first, and how the paper lays out its tables."""

from __future__ import annotations

from collections.abc import Sequence

from ltrlib.claims.claim import Outcome
from ltrlib.claims.rules import Judgement
from ltrlib.published.layout import TableLayout
from ltrlib.published.tables import load_table

__all__ = ["TABLE1", "TABLE2", "summary"]

_OTHER = "Copied from another publication, which scored all queries; see Table 1, two protocols."
_NETWORK = {"mslr": "needs MSLR-WEB10K", "mq2007": "needs MQ2007"}

TABLE1 = TableLayout(
    "koppel2019",
    "table1",
    "Table 1 of the paper. In each cell the printed value, below it ours. In brackets: the standard error of the last "
    "digits, over five folds.",
    {
        f"{data}_{metric}": f"{title} | {head}"
        for data, title in (("mslr", "MSLR-WEB10K"), ("mq2008", "MQ2008"), ("mq2007", "MQ2007"))
        for metric, head in (("ndcg", "NDCG@10"), ("map", "MAP"))
    },
    needs={f"{data}_{metric}": why for data, why in _NETWORK.items() for metric in ("ndcg", "map")},
    row_notes=dict.fromkeys(("ES-Rank", "IESR-Rank", "IESVM-Rank"), _OTHER),
    convention="ndcg@10:the paper's protocol",
)
TABLE2 = TableLayout(
    "koppel2019",
    "table2",
    "Table 2 of the paper: seconds to train on MSLR-WEB10K, as printed.",
    {"seconds": "Seconds", "trained_by": "Trained by"},
    needs={"seconds": "needs MSLR-WEB10K"},
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
    >>> len(summary([claim.check() for claim in claims("koppel2019")]))
    3
    """
    by_id = {outcome.claim.id.removeprefix("koppel2019."): outcome for outcome in outcomes}
    table = load_table("koppel2019", "table1")
    ndcg = _cell(by_id["table1.mq2008-ndcg"], "DirectRanker")
    rescored = by_id["table1.mq2008-other-paper"]
    above = by_id["section1.above-ranknet"]
    same = by_id["table1.mq2008-ndcg"].judgements
    near = sum(one.verdict.severity <= 1 for one in same)
    return [
        f"DirectRanker's NDCG@10 on MQ2008 is {ndcg.published} in Table 1 and {ndcg.value:.3f} in our rerun: "
        f"{_verdict(ndcg)}. The same holds for {near} of the {len(same)} methods of that column.",
        f"Its lead over ES-Rank ({table.text('ES-Rank', 'mq2008_ndcg')} in the same column) comes from the protocol: "
        f"the rows were scored on different queries. Scored alike, the verdict is *{rescored.word}*.",
        f"“Significantly better than RankNet” is *{above.word}* with Table 1 itself, and no run here could use "
        "MSLR-WEB10K, on which the paper's largest differences stand.",
    ]


def _cell(outcome: Outcome, name: str) -> Judgement:
    return next(one for one in outcome.judgements if one.name == name)


def _verdict(judgement: Judgement) -> str:
    return f"it holds, {judgement.verdict.word}" if judgement.verdict.severity <= 2 else f"*{judgement.verdict.word}*"
