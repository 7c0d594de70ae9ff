"""The recorded tables behind Figures 2 and 3 of Köppel et al. (2019)."""

from __future__ import annotations

from ltrlib.papers.koppel2019.sensitivity.trials import AXES
from ltrlib.records.record import Table

__all__ = ["OUTPUTS", "RARE", "THRESHOLDS", "TRIALS"]

_RUNS = "ltrlib.papers.koppel2019.sensitivity.runs"
_TRIAL = {
    "variant": "str",
    "classes": "int",
    "features": "int",
    "documents": "int",
    "sigma": "float",
    "limits": "str",
    "output": "str",
    "initial": "str",
    "steps": "int",
    "seed": "int",
}
_FOUND = {
    "ndcg": "float",
    "ndcg_true": "float",
    "best": "float",
    "best_true": "float",
    "perfect": "float",
    "chance": "float",
    "wrong": "float",
    "seconds": "measured",
}

TRIALS = {
    axis: Table(f"koppel2019/sensitivity-{axis}", _TRIAL | _FOUND, maker=f"{_RUNS}:TRIALS") for axis in (*AXES, "open")
}
"""Trials of each axis, and of what the text leaves open. Each row is a trial and what it gave: NDCG@20 of DirectRanker
by the labels as drawn and by the true classes, of the best ranking that the features allow by either, of the order of
the true classes by the labels, and of a random order; the share of wrong test labels; seconds to train."""

OUTPUTS = Table(
    "koppel2019/sensitivity-outputs", {"panel": "str", "label": "int", "score": "float"}, maker=f"{_RUNS}:PANELS"
)
"""The sorted lists of Figure 3: label and network output g of each document, best first."""

THRESHOLDS = Table(
    "koppel2019/sensitivity-thresholds",
    {"panel": "str", "method": "str", "seed": "int", "accuracy": "float", "balanced": "float"},
    maker=f"{_RUNS}:PANELS",
)
"""Share of the test documents whose class is found, over all documents and as the mean over classes."""

RARE = Table(
    "koppel2019/sensitivity-rare",
    {"share": "float", "method": "str", "seed": "int", "auc": "float", "balanced": "float"},
    maker=f"{_RUNS}:RARE",
)
"""Two classes, one rare in the training part: area under the ROC curve, and accuracy as the mean over classes."""
