"""The tools' presets as plain values, for the script of the playground: exported, never written twice."""

from __future__ import annotations

from typing import Any

from ltrlib.metrics.metric import NDCG, Metric
from ltrlib.metrics.tool_table import in_words
from ltrlib.metrics.tools import TOOLS, Tool

__all__ = ["EXAMPLES", "FAMILIES", "presets"]

FAMILIES = ("ndcg", "err", "map")
"""The metrics that the playground computes."""

EXAMPLES = {
    "an ordinary query": {"labels": "2 0 1 0 2 0 0 1 0 0 0 1", "scores": "9 8 7 6 5 4 3 2 1 0 -1 -2", "k": "10"},
    "nothing relevant": {"labels": "0 0 0 0 0 0 0 0 0 0 0 0", "scores": "9 8 7 6 5 4 3 2 1 0 -1 -2", "k": "10"},
    "a short list": {"labels": "0 2 1", "scores": "0.9 0.7 0.1", "k": "10"},
    "equal scores": {"labels": "0 1 2 0 1 0 0 2 0 0", "scores": "3 3 3 2 2 2 1 1 1 1", "k": "5"},
    "equal in float32": {
        "labels": "0 2 0 0 0 1 0 0 0 0",
        "scores": "1 0.9999999988 0.5 0.4 0.3 0.2 0.1 0 0 0",
        "k": "10",
    },
}
"""Lists on which tools agree or part, each for another reason."""


def presets() -> dict[str, Any]:
    """Return what the script needs of each tool, in the order of the presets.

    Examples
    --------
    >>> xgboost = next(tool for tool in presets()["tools"] if tool["name"] == "xgboost")
    >>> xgboost["metrics"]["ndcg"]["empty"], xgboost["metrics"]["err"], xgboost["default_k"]
    (1.0, None, 32)
    """
    return {"tools": [_tool(tool) for tool in TOOLS.values()], "examples": EXAMPLES}


def _tool(tool: Tool) -> dict[str, Any]:
    ndcg = tool.template("ndcg", 10)
    assert isinstance(ndcg, NDCG)  # every preset has one
    return {
        "name": tool.name,
        "short": tool.title.partition(" (")[0],
        "page": f"../tools/{tool.name}.html",
        "default_k": tool.default_k,
        "metrics": _rules(tool.metrics),
        "with_cutoff": _rules(tool.with_cutoff),
        "words": in_words(ndcg),
    }


def _rules(metrics: tuple[Metric, ...]) -> dict[str, dict[str, Any] | None]:
    found = {metric.family: metric for metric in reversed(metrics)}
    return {family: _choices(found[family]) if family in found else None for family in FAMILIES}


def _choices(metric: Metric) -> dict[str, Any]:
    return {name: getattr(metric, name) for name in metric.choices_of_family()}
