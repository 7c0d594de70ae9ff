"""Metrics of rankings: declared conventions, the presets of known tools, one fast engine.

>>> from ltrlib.metrics import evaluate
>>> labels, scores, query_offsets = [1, 2, 0, 0, 1], [3.0, 2.0, 1.0, 5.0, 4.0], [0, 3, 5]
>>> result = evaluate(["ndcg@2", "ndcg@10:letor4", "map"], labels, scores, query_offsets)
>>> result["ndcg@2"].per_query.round(4), round(result["map"].mean, 4)
(array([0.7967, 0.6309]), 0.75)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ltrlib.extras import lazy_names

if TYPE_CHECKING:
    from ltrlib.metrics.engine import Evaluation, Evaluator, MetricValues, evaluate, evaluate_data
    from ltrlib.metrics.explaining import explain
    from ltrlib.metrics.explanation import Explanation
    from ltrlib.metrics.frames import QueryEvaluation, evaluate_frame, evaluate_groups, evaluate_run
    from ltrlib.metrics.identification import Identification
    from ltrlib.metrics.identifying import identify
    from ltrlib.metrics.metric import DCG, ERR, MAP, MRR, NDCG, KendallTau, MeanNDCG, Metric, P
    from ltrlib.metrics.notation import parse, parse_many
    from ltrlib.metrics.retrieval import (
        RBP,
        Bpref,
        F,
        InfAP,
        Judged,
        NumQ,
        NumRel,
        NumRelRet,
        NumRet,
        Recall,
        RPrec,
        Success,
    )
    from ltrlib.metrics.tool_table import behaviour_table
    from ltrlib.metrics.tools import TOOLS

__all__ = [
    "Bpref",
    "DCG",
    "ERR",
    "Evaluation",
    "Evaluator",
    "Explanation",
    "F",
    "Identification",
    "InfAP",
    "Judged",
    "KendallTau",
    "MAP",
    "MRR",
    "MeanNDCG",
    "Metric",
    "MetricValues",
    "NDCG",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "QueryEvaluation",
    "RBP",
    "RPrec",
    "Recall",
    "Success",
    "TOOLS",
    "behaviour_table",
    "evaluate",
    "evaluate_data",
    "evaluate_frame",
    "evaluate_groups",
    "evaluate_run",
    "explain",
    "identify",
    "parse",
    "parse_many",
]

_HOMES = {
    "tool_table": ("behaviour_table",),
    "engine": ("Evaluation", "Evaluator", "MetricValues", "evaluate", "evaluate_data"),
    "explaining": ("explain",),
    "explanation": ("Explanation",),
    "frames": ("QueryEvaluation", "evaluate_frame", "evaluate_groups", "evaluate_run"),
    "identification": ("Identification",),
    "identifying": ("identify",),
    "metric": ("DCG", "ERR", "MAP", "MRR", "NDCG", "KendallTau", "MeanNDCG", "Metric", "P"),
    "notation": ("parse", "parse_many"),
    "retrieval": (
        *("RBP", "Bpref", "F", "InfAP", "Judged", "NumQ", "NumRel", "NumRelRet", "NumRet", "RPrec", "Recall"),
        "Success",
    ),
    "tools": ("TOOLS",),
}

__getattr__ = lazy_names(__name__, _HOMES)
