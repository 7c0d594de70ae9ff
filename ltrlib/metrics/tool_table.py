"""The presets as a table, tool by tool: what each one does where they differ."""

from __future__ import annotations

import pandas as pd

from ltrlib.metrics.convention import discounts
from ltrlib.metrics.metric import MAP, NDCG
from ltrlib.metrics.tools import TOOLS

__all__ = ["behaviour_table", "in_words"]

_GAIN = {"exp2": "2^label − 1", "linear": "label"}
_IDEAL = {"list": "the ranked list", "judged": "all judged documents"}
_SHORT = {"own": "own length", "zero": "0"}
_TIES = {
    "file": "input order",
    "last": "last first",
    "docid": "document id, descending",
    "docid-ascending": "document id, ascending",
    "average": "averaged",
    "random": "random",
    "worst": "worst case",
    "best": "best case",
}
_DENOMINATOR = {"relevant": "relevant", "cutoff": "min(k, relevant)", "found": "relevant in the top k"}
_ABSENT = {"skip": "left out", "zero": "0"}


def in_words(metric: NDCG) -> dict[str, str]:
    """The choices of an NDCG in words, by the names of the choices.

    Examples
    --------
    >>> in_words(NDCG(gain="linear", empty=1.0, ties="worst"))["ties"]
    'worst case'
    """
    return {
        "gain": _GAIN[metric.gain] if isinstance(metric.gain, str) else ", ".join(f"{g:g}" for g in metric.gain),
        "discount": ", ".join(f"{weight:.4g}" for weight in discounts(metric.discount, 3)),
        "ideal": _IDEAL[metric.ideal],
        "empty": "left out" if metric.empty == "skip" else f"{metric.empty:g}",
        "short": _SHORT[metric.short],
        "ties": _TIES[metric.ties],
        "precision": metric.precision,
    }


def behaviour_table() -> pd.DataFrame:
    """One row per tool, one column per choice, as text, generated from the presets.

    Examples
    --------
    >>> table = behaviour_table()
    >>> table.loc["letor4", ["gain", "discount", "short query"]].tolist()
    ['0, 1, 3', '1, 1, 0.6309', '0']
    """
    rows = {}
    for name, entry in TOOLS.items():
        ndcg, average_precision = entry.template("ndcg", 10), entry.template("map", 10)
        assert isinstance(ndcg, NDCG)  # every preset has one
        words = in_words(ndcg)
        row = {
            "tool": entry.title,
            "version": entry.version,
            "checked": entry.checked,
            "gain": words["gain"],
            "discount": words["discount"],
            "ideal list": words["ideal"],
            "empty query": words["empty"],
            "short query": words["short"],
            "ties": words["ties"],
            "precision": words["precision"],
            "query not in the run": _ABSENT[ndcg.absent] if ndcg.ideal == "judged" else "–",
            "relevant for AP": "–",
            "AP@k divides by": "–",
            "other metrics": ", ".join(family.rstrip("@") for family in entry.families if family != "ndcg"),
            "note": entry.note,
        }
        if isinstance(average_precision, MAP):
            row["relevant for AP"] = f"label ≥ {average_precision.relevant_from}"
            row["AP@k divides by"] = _DENOMINATOR[average_precision.denominator]
        rows[name] = row
    return pd.DataFrame.from_dict(rows, orient="index")
