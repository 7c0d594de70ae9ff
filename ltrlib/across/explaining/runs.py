"""Trains the rankers of the rankings, explains every two tools, and identifies every tool's number."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.across.explaining.records import BY_RANK, CUTOFF, MATCHES, NONE, PARTS, RANKINGS
from ltrlib.datasets.container import RankingData, concatenate
from ltrlib.datasets.loading import load
from ltrlib.errors import UsageError
from ltrlib.metrics.candidate_values import mean_of
from ltrlib.metrics.case import Case, make_case
from ltrlib.metrics.contributions import parts_at
from ltrlib.metrics.explaining import explain_case
from ltrlib.metrics.explanation import Explanation
from ltrlib.metrics.explanation_text import choice_words
from ltrlib.metrics.identifying import identify_case
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.telling_apart import next_number
from ltrlib.metrics.tools import TOOLS
from ltrlib.rankers import LambdaMART, SingleFeature
from ltrlib.rankers.base import Ranker
from ltrlib.records.making import Piece, Run

__all__ = ["RANKED", "ranking"]

_FOLDS = tuple(f"Fold{number}" for number in range(1, 6))
_CURVES = (("lightgbm", "sklearn"), ("letor4", "ranklib"))
_SETTINGS = {"trees": 100, "leaves": 31, "min_leaf": 50, "learning_rate": 0.1}  # of LightGBM's own example
_DIGITS = 4


def ranking(name: str) -> Case:
    """Train, and score documents that the ranker has not seen."""
    data, scores = _scored(name)
    return make_case(data.labels, scores, data.query_offsets, query_ids=data.query_ids.tolist(), doc_ids=data.doc_ids)


def _scored(name: str) -> tuple[RankingData, NDArray[np.float64]]:
    dataset = RANKINGS[name]
    if dataset == "lightgbm-example":
        test = load(dataset, "test")
        return test, _lambdamart().fit(load(dataset, "train")).predict(test.features)
    ranker: Ranker = SingleFeature() if name.startswith("one feature") else _lambdamart()
    parts, scores = [], []
    for fold in _FOLDS:
        test = load(dataset, f"{fold}/test")
        scores.append(ranker.fit(load(dataset, f"{fold}/train")).predict(test.features))
        parts.append(test)
    return concatenate(parts), np.concatenate(scores)


def _lambdamart() -> LambdaMART:
    return LambdaMART(lambdas="lightgbm", metric=f"ndcg@{CUTOFF}:lightgbm", seed=0, **_SETTINGS)  # type: ignore[arg-type]


def _pieces() -> Sequence[Piece]:
    return [{"ranking": name} for name in RANKINGS]


def _do(piece: Piece) -> dict[str, pd.DataFrame]:
    name = piece["ranking"]
    case = ranking(name)
    metrics = _tools(case)
    parts, curves = [], []
    for first, second in combinations(metrics, 2):
        found = explain_case(metrics[first], metrics[second], case, top=0)
        parts += _parts(name, first, second, found, case)
        if {first, second} in map(set, _CURVES):
            curves += [
                {"ranking": name, "first": first, "second": second, "k": k, "cause": cause, "part": part}
                for k, at_rank in found.by_rank.items()
                for cause, part in at_rank.items()
            ]
    matches = [row for tool, metric in metrics.items() for row in _matches(name, tool, metric, case)]
    return {"parts": pd.DataFrame(parts), "by_rank": pd.DataFrame(curves), "matches": pd.DataFrame(matches)}


def _tools(case: Case) -> dict[str, Metric]:
    """NDCG of each tool that has gains for these labels."""
    found = {}
    for name, tool in TOOLS.items():
        metric = tool.template("ndcg", CUTOFF)
        assert metric is not None  # every preset has one
        try:
            case.values([metric])
        except UsageError:
            continue
        found[name] = metric
    return found


def _parts(name: str, first: str, second: str, found: Explanation, case: Case) -> list[dict[str, object]]:
    rows = []
    for cause in found.causes:
        example = NONE
        if cause.most_in is not None:
            rank = parts_at(found.first, found.second, case.only(cause.most_in))
            example = f"{found.query_ids[cause.most_in]}, from rank {rank}"
        rows.append(
            {
                "ranking": name,
                "first": first,
                "second": second,
                "value_first": found.means[0],
                "value_second": found.means[1],
                "cause": cause.name,
                "choice_first": choice_words(cause.choice, cause.first),
                "choice_second": choice_words(cause.choice, cause.second),
                "part": cause.part,
                "lowest": cause.lowest,
                "highest": cause.highest,
                "touched": cause.queries,
                "queries": found.n_queries,
                "example": example,
            }
        )
    return rows


def _matches(name: str, tool: str, metric: Metric, case: Case) -> list[dict[str, object]]:
    printed = f"{mean_of(case.values([metric])[metric]):.{_DIGITS}f}"
    found = identify_case(printed, case)
    following = next_number(found)
    return [
        {
            "ranking": name,
            "tool": tool,
            "printed": printed,
            "metric": str(match.metric),
            "preprocessing": match.preprocessing or NONE,
            "value": match.value,
            "group": match.group,
            "by_chance": found.by_chance,
            "tried": found.tried,
            "next": NONE if following is None else str(following.metric),
        }
        for match in found.matches
    ]


RANKED = Run(
    tables=(PARTS, BY_RANK, MATCHES),
    pieces=_pieces,
    do=_do,
    parameters={"cutoff": CUTOFF, "digits": _DIGITS, "LambdaMART": _SETTINGS},
    seeds=(0,),
    needs=("mq2008", "lightgbm-example"),
)
