"""What else to know about each tool, in sentences for its page.

The presets have the same in short form. They are part of the code behind most records, so their words stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["NOTES"]

_XGBOOST = (
    "Without a cut-off it cuts at 32. Its map and pre refuse labels other than 0 and 1; our preset counts labels of 1 "
    "and more as relevant. If queries have weights, ndcg still counts an empty query as 1, with a weight of 1."
)

NOTES: Mapping[str, str] = {
    "letor3": "It prints nothing for ranks beyond the end of a list, but its mean divides by the number of all "
    "queries, so such a list counts 0.",
    "letor4": "The script stops on files with Windows line endings (CRLF). Its precision was checked against its "
    "source only.",
    "mslr": "This is the LETOR 4.0 script for five labels; its MAP and precision count documents from label 2 on as "
    "relevant. Its precision was checked against its source only.",
    "yahoo": "The script takes ranks instead of scores, so the caller decides about ties. Another family of its copies "
    "gives empty queries 0.5.",
    "ranklib": "RankLib keeps the ideal list by query id: if an id occurs twice in one file, the second query gets the "
    "ideal list of the first. The option -hr drops empty queries when the file is read.",
    "trec_eval": "Version 8.1 has no NDCG, and version 10.0 compares scores in float64. With the option -c, queries "
    "that are missing from the run count as 0. P and MRR were checked through pytrec_eval.",
    "lightgbm": "The gains can be set (label_gain), and a score of NaN is read as 0. If queries have weights, NDCG "
    "still counts an empty query as 1, with a weight of 1.",
    "xgboost": _XGBOOST,
    "xgboost-": _XGBOOST,
    "catboost": "With type=Exp the gain is 2^label − 1, and with denominator=Position the discount is 1 / rank. NDCG "
    "and recall give empty queries 1; the other metrics give them 0. Its ERR takes labels as probabilities and is left "
    "out here.",
    "sklearn": "It refuses a query with only one document. With ignore_ties=True, documents with equal scores are "
    "taken last first in short lists, and in any order in long ones.",
    "pytrec_eval": "This is the code of trec_eval 9, called from Python. It takes no negative labels.",
    "ir_measures": "It hands its measures on to other libraries. RR with a cut-off goes to one that breaks ties by "
    "ascending document id and compares scores in float64; ERR goes to gdeval, which rounds to 5 decimals. "
    "nDCG(dcg='exp-log2') has the gain 2^label − 1 and compares scores in float64.",
    "ranx": "Its ndcg_burges has the gain 2^label − 1. Its RBP weighs documents by their labels, and its bpref is NaN "
    "where no judged document is non-relevant. Its sort is not stable: beyond 15 documents the order of ties is "
    "arbitrary. A query that is missing from the run is an error, or counts 0 with make_comparable=True.",
    "rax": "It computes in float32 throughout and leaves documents with the score −inf unranked. With a random key it "
    "shuffles ties.",
    "tf_ranking": "It shuffles ties, so its value changes from run to run; our preset gives the expected value.",
    "torchmetrics": "Its option empty_target_action says what an empty query scores: 0 with neg, the default, and 1 "
    "with pos; skip leaves the query out. Its other metrics do not count relevant documents whose score is 0 or less, "
    "and are left out here.",
}
"""By the name of the preset."""
