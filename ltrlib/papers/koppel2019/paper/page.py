"""What the page on the whole paper says first, and how the paper lays out its tables."""

from __future__ import annotations

from collections.abc import Sequence

from ltrlib.claims.claim import Outcome
from ltrlib.claims.verdict import Verdict
from ltrlib.papers.koppel2019.table1.records import REFIT
from ltrlib.papers.koppel2019.table1.tables import fold_means
from ltrlib.published.layout import TableLayout
from ltrlib.published.tables import load_table

__all__ = ["TABLE1", "TABLE2", "summary"]

_OTHER = (
    "Copied from another publication, which by the level of its numbers scored all queries; see Table 1, two protocols."
)
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
    ndcg = next(one for one in by_id["table1.mq2008-ndcg"].judgements if one.name == "DirectRanker")
    folds = by_id["table1.mq2008-folds"].judgements
    near = sum(one.verdict.severity <= Verdict.SAME_CONCLUSION.severity for one in folds)
    alike = sum(fold_means(REFIT.read().table, "DirectRanker", "ndcg_all")) / len(folds)
    above = by_id["section5.outperforms-others"]
    return [
        f"DirectRanker's NDCG@10 on MQ2008 is {ndcg.published} in Table 1 and {ndcg.value:.3f} in our rerun: "
        f"{_IN_WORDS[ndcg.verdict]}. Fold by fold, {near} of {len(folds)} of the authors' stored results are within "
        "noise.",
        f"Its lead over ES-Rank ({table.text('ES-Rank', 'mq2008_ndcg')} in the same column) seems to be one of "
        "protocols: the level of those numbers suggests graded labels and all queries. Scored so, DirectRanker has "
        f"{alike:.3f}.",
        f"That it beats every method but LambdaMART on MSLR-WEB10K is *{above.word}*: in MAP it has "
        f"{table.text('DirectRanker', 'mslr_map')} and ES-Rank {table.text('ES-Rank', 'mslr_map')}. "
        "No run here could use that data set.",
    ]


_IN_WORDS = {
    Verdict.EXACT: "it holds, to the last digit",
    Verdict.WITHIN_NOISE: "it holds within noise",
    Verdict.SAME_CONCLUSION: "near enough for the same conclusion",
    Verdict.UNDECIDED: "nothing speaks against it, but five folds are too few to call the two equal",
    Verdict.NOT_COMPARABLE: "the two cannot be compared",
    Verdict.NOT_REPRODUCED: "it does not reproduce",
    Verdict.INCONSISTENT: "the paper contradicts itself",
}
