"""Solutions of the exercises, computed."""

from __future__ import annotations

from ltrlib.across.playground.presets import presets
from ltrlib.metrics.engine import evaluate
from ltrlib.metrics.tools import TOOLS
from ltrlib.papers.tax2015.counted import AS_PRINTED, counts
from ltrlib.published.tables import load_table

__all__ = ["numbers"]


def _one(metric: str, labels: list[int], scores: list[float] | None = None) -> float:
    given = [float(-at) for at in range(len(labels))] if scores is None else scores
    return evaluate(metric, labels, given, [0, len(labels)])[metric].mean


def numbers() -> dict[str, str]:
    """Numbers of the solutions.

    Examples
    --------
    >>> numbers()["ndcg-120"], numbers()["empty-one"]
    ('0.7967', 'Yahoo! challenge script, LightGBM, XGBoost, CatBoost')
    """
    one_for_empty = [tool["short"] for tool in presets()["tools"] if tool["metrics"]["ndcg"]["empty"] == 1.0]
    short = {name: _one(f"ndcg@10:{name}", [2, 0, 0]) for name in ("ranklib", "letor4")}
    tied = {name: _one(f"ndcg@10:{name}", [0, 0, 0, 2], [1.0] * 4) for name in ("catboost", "sklearn")}
    totals = {method: one for (method, metric), one in counts(AS_PRINTED).items() if metric == "all"}
    row = load_table("tax2015", "b6")
    return {
        "ndcg-120": f"{_one('ndcg@3', [1, 2, 0]):.4f}",
        "empty-one": ", ".join(one_for_empty),
        "tools": str(len(TOOLS)),
        "short-ranklib": f"{short['ranklib']:g}",
        "short-letor4": f"{short['letor4']:g}",
        "tied-worst": f"{tied['catboost']:.4f}",
        "tied-average": f"{tied['sklearn']:.4f}",
        "err-2041": f"{_one('err', [2, 0, 4, 1]):.4f}",
        "err-4210": f"{_one('err', [4, 2, 1, 0]):.4f}",
        "sum-iwn": f"{sum(one.iwn for one in totals.values()):,}",
        "lruf-wn": f"{totals['LRUF'].wn}",
        "lruf-iwn": f"{totals['LRUF'].iwn}",
        "lruf-nwn": row.text("LRUF", "nwn"),
        "stump": f"{_one('ndcg@2:catboost', [0, 1, 0, 1], [1, 1, 0, 0]):.4f}",
        "stump-file": f"{_one('ndcg@2:ranklib', [1, 0, 0, 1], [1, 1, 0, 0]):.4f}",
    }
