"""Claims of the DirectRanker paper about neighbours in sorted lists (Figure 3) and about rare classes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd

from ltrlib.claims.cells import Cell, Difference, Measured
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import RecordedResult
from ltrlib.papers.koppel2019.sensitivity.claims_figure2 import apart
from ltrlib.papers.koppel2019.sensitivity.peaks import neighbour_outputs
from ltrlib.papers.koppel2019.sensitivity.records import OUTPUTS, RARE, THRESHOLDS
from ltrlib.papers.koppel2019.sentences import SAID
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

__all__ = ["claims", "neighbours"]

claims = ClaimList(__name__)

_OUTPUTS, _THRESHOLDS, _RARE = (RecordedResult(table.name, table.columns) for table in (OUTPUTS, THRESHOLDS, RARE))
_SAMPLE = "trained and shown on the first 5,000 rows of the training and the test file, not on the whole fold"


def neighbours(table: pd.DataFrame) -> tuple[dict[str, Measured], Measured]:
    """Outputs between neighbours of a sorted list where the class changes and where not, and how well they tell it.

    Returns
    -------
    dict
        Mean output at a change of class and within a class.
    Measured
        Chance that an output at a change exceeds one within a class: the area under the ROC curve, with the standard
        error of Hanley and McNeil (1982).

    Examples
    --------
    >>> table = pd.DataFrame({"label": [1, 1, 0, 0, 1], "score": [5.0, 4.9, 2.0, 1.9, 0.5]})
    >>> means, auc = neighbours(table)
    >>> round(means["change of class"].value, 3), round(means["same class"].value, 3), auc.value
    (0.75, 0.05, 1.0)
    """
    from scipy.stats import rankdata

    outputs, change = neighbour_outputs(table["score"].to_numpy()), np.diff(table["label"].to_numpy()) != 0
    means = {"change of class": Measured.over(outputs[change]), "same class": Measured.over(outputs[~change])}
    positive, negative = int(change.sum()), int((~change).sum())
    area = float((rankdata(outputs)[change].sum() - positive * (positive + 1) / 2) / (positive * negative))
    variance = area * (1 - area) + (positive - 1) * (area / (2 - area) - area**2)
    variance += (negative - 1) * (2 * area**2 / (1 + area) - area**2)
    error = math.sqrt(variance / (positive * negative))
    return means, Measured(area, error, min(positive, negative) - 1)


@claims.add(
    "section5.peaks-synthetic",
    place="Section 5.3; Figure 3a",
    statement="In a sorted synthetic list the output peaks where the relevance class changes.",
    material=_OUTPUTS,
    words=SAID["peaks"],
)
def _(paper: Paper, record: Record) -> Cell:
    table = record.table
    return _peaks(paper, "figure3-peaks", table[table["panel"] == "synthetic"])


def _peaks(paper: Paper, statement: str, table: pd.DataFrame, name: str = "") -> Difference:
    """Chance that an output at a change of class exceeds one within a class, against one half: no peaks at all."""
    area = neighbours(table)[1]
    said = paper["statements"].text(statement, "text").replace("; ", " > ")
    above = Measured(area.value - 0.5, area.standard_error, area.degrees)
    return Difference(above, "higher", 0.0, "the paper gives a direction and no size", said, name)


def _mslr(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return {str(panel): rows for panel, rows in table.groupby("panel") if panel != "synthetic"}


def _separated(paper: Paper, record: Record) -> tuple[Paper, Record]:
    """The same sorted lists with a large step at every change of class, and small ones elsewhere."""
    table = record.table
    steps = np.where(table["label"] == table["label"].shift(), 0.01, 1.0)
    return paper, replace(record, table=table.assign(score=-np.cumsum(steps)))


@claims.add(
    "section5.peaks-mslr",
    place="Section 5.3; Figures 3b and 3c",
    statement="In a sorted query of MSLR-WEB10K the output peaks where the relevance class changes.",
    material=_OUTPUTS,
    words=SAID["peaks-mslr"],
    proxy=_SAMPLE,
    otherwise=_separated,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return [_peaks(paper, "figure3-mslr", rows, panel) for panel, rows in _mslr(record.table).items()]


@claims.add(
    "section5.peaks-less",
    place="Section 5.3; Figure 3",
    statement="The peaks are less pronounced on MSLR-WEB10K than on synthetic data.",
    material=_OUTPUTS,
    words=SAID["peaks-mslr"],
    proxy=_SAMPLE,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    table = record.table
    synthetic = neighbours(table[table["panel"] == "synthetic"])[1]
    return [
        apart(paper, "figure3-less", {"synthetic data": synthetic, "MSLR-WEB10K": neighbours(rows)[1]}, panel)
        for panel, rows in _mslr(table).items()
    ]


@claims.add(
    "section5.peaks-binarised",
    place="Section 5.3; Figure 3c",
    statement="Even with binarised labels the peaks separate the classes relatively well: better than chance.",
    material=_THRESHOLDS,
    words=SAID["peaks-binarised"],
    proxy=_SAMPLE,
)
def _(paper: Paper, record: Record) -> Cell:
    table = record.table[record.table["panel"] == "mslr binarised"]
    peaks = Measured.over(table[table["method"].str.startswith("peaks")]["balanced"].tolist())
    return apart(paper, "figure3-binarised", {"cut at the peaks": peaks, "chance": Measured(0.5, 0.0, peaks.degrees)})


@claims.add(
    "section5.rare-class",
    place="Section 5.3",
    statement="With a rare class the many pairs could be an advantage over a plain classifier.",
    material=_RARE,
    words=SAID["rare"],
    proxy="the paper expects this and reports no test; ours has two classes and ten features",
)
def _(paper: Paper, record: Record) -> list[Cell]:
    rarest = record.table[record.table["share"] == record.table["share"].min()]
    return [
        apart(
            paper,
            "rare-class",
            {str(method): Measured.over(rows[value].tolist()) for method, rows in rarest.groupby("method")},
            name,
        )
        for value, name in (("auc", "area under the ROC curve"), ("balanced", "accuracy as the mean over classes"))
    ]
