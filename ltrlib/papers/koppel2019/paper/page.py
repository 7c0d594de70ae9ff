"""What the page on the whole paper says first, and how the paper lays out its tables."""

from __future__ import annotations

from collections.abc import Sequence

from ltrlib.claims.claim import Outcome
from ltrlib.claims.verdict import Verdict
from ltrlib.papers.koppel2019.features.comparisons import half_lead
from ltrlib.papers.koppel2019.paper.claims_tables import methods_with_errors
from ltrlib.papers.koppel2019.table1.records import REFIT
from ltrlib.papers.koppel2019.table1.tables import fold_means
from ltrlib.published.layout import TableLayout
from ltrlib.published.tables import load_paper

__all__ = ["IN_WORDS", "TABLE1", "TABLE2", "summary"]

_OTHER = "Taken by the authors from another paper, which seems to have scored all queries; see Table 1, two protocols."
_NETWORK = {"mslr": "needs MSLR-WEB10K", "mq2007": "needs MQ2007"}
_BOTH = ("ndcg", "map")

TABLE1 = TableLayout(
    "koppel2019",
    "table1",
    "Table 1 of the paper: each cell has the printed value, and below it what we found. In brackets: the standard "
    "error in the last digits, over folds in print, over repeated trainings or folds in ours.",
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
    paper = load_paper("koppel2019")
    table = paper["table1"]
    ndcg = next(one for one in by_id["table1.mq2008-ndcg"].judgements if one.name == "DirectRanker")
    folds = by_id["table1.mq2008-folds"].judgements
    near = sum(one.verdict.severity <= Verdict.SAME_CONCLUSION.severity for one in folds)
    alike = sum(fold_means(REFIT.read().table, "DirectRanker", "ndcg_all")) / len(folds)
    above = by_id["section5.outperforms-others"]
    trained = [method for method in methods_with_errors(paper) if method not in ("DirectRanker", "LambdaMart")]
    stored = next(one for one in by_id["section5.lead-stored-folds"].judgements if one.name == "RankNet")
    beaten = [
        method
        for method in trained
        if all(table.number("DirectRanker", f"mslr_{m}").value > table.number(method, f"mslr_{m}").value for m in _BOTH)
    ]
    return [
        f"On MQ2008 DirectRanker's NDCG@10 is {ndcg.published} in Table 1 and {ndcg.value:.3f} in our rerun: "
        f"{IN_WORDS[ndcg.verdict]}. On {_of(near, len(folds))} folds the result that the authors stored is within the "
        "noise of one training.",
        f"ES-Rank, with {table.text('ES-Rank', 'mq2008_ndcg')} in the same column, was probably scored by another "
        "protocol: on graded labels and all queries. Scored that way, DirectRanker has "
        f"{alike:.3f}.",
        "Section 5.1 says that on MSLR-WEB10K DirectRanker “outperforms all other methods” but LambdaMART. It beats "
        f"{_of(len(beaten), len(trained))} others that the authors trained. For all of Table 1 the sentence is "
        f"*{above.word}*: ES-Rank has a MAP of {table.text('ES-Rank', 'mslr_map')} there, DirectRanker "
        f"{table.text('DirectRanker', 'mslr_map')}. And its lead of {2 * half_lead(paper, 'RankNet'):.3f} over RankNet "
        f"is {stored.value:.3f} in the authors' later results, where RankNet's features are transformed, too.",
    ]


def _of(some: int, total: int) -> str:
    """So many of a few, before their name: ``all 5`` or ``4 of the 5``."""
    return f"all {total}" if some == total else f"{some} of the {total}"


IN_WORDS = {
    Verdict.EXACT: "it holds, to the last digit",
    Verdict.WITHIN_NOISE: "it holds within noise",
    Verdict.SAME_CONCLUSION: "near enough for the same conclusion",
    Verdict.UNDECIDED: "no sign of a difference, but five folds are too few to call the two equal",
    Verdict.NOT_COMPARABLE: "the two cannot be compared",
    Verdict.NOT_REPRODUCED: "it does not reproduce",
    Verdict.INCONSISTENT: "the paper contradicts itself",
}
"""What a verdict says about a number that was run again."""
