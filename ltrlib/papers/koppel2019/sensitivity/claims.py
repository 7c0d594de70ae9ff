"""Claims of the DirectRanker paper about data properties (Section 5.2) and neighbours in sorted lists (Section 5.3)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from ltrlib.claims.cells import Cell, Measured, Statement
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import RecordedResult
from ltrlib.claims.rules import borne_out
from ltrlib.papers.koppel2019.sensitivity.cuts import neighbour_outputs
from ltrlib.papers.koppel2019.sensitivity.peaks import ACCURACY_COLUMNS, OUTPUT_COLUMNS, RARE_COLUMNS
from ltrlib.papers.koppel2019.sensitivity.trials import COLUMNS, PAIRS, STEPS
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

__all__ = ["better_side", "claims", "neighbours", "trend"]

claims = ClaimList(__name__)


def _trials(axis: str) -> RecordedResult:
    return RecordedResult(f"koppel2019/sensitivity-{axis}", COLUMNS)


_SAMPLE = "trained and shown on the first 5,000 rows of the training and the test file, not on the whole fold"
_OUTPUTS = RecordedResult("koppel2019/sensitivity-outputs", OUTPUT_COLUMNS)


def _measured(table: pd.DataFrame, by: str, value: str = "ndcg") -> dict[str, Measured]:
    """Mean over the data sets with its standard error, at each point in ascending order."""
    return {f"{point:,.10g}": Measured.over(rows[value].tolist()) for point, rows in table.groupby(by)}


def trend(points: Mapping[str, Measured]) -> str:
    """Whether values increase, decrease, or do neither beyond their noise.

    Examples
    --------
    >>> trend({"1": Measured(0.5, 0.01, 4), "2": Measured(0.8, 0.01, 4), "3": Measured(0.79, 0.01, 4)})
    'increases'
    """
    falls, rises = borne_out(list(points), points), borne_out(list(points)[::-1], points)
    return "neither" if rises == falls else "increases" if rises else "decreases"


def _trends(paper: Paper, statement: str, table: pd.DataFrame, by: str, line: str) -> list[Cell]:
    """One cell per line of a figure: does NDCG@20 go the way that the paper says."""
    said, cells = paper["statements"].text(statement, "text"), []
    for value, rows in table.groupby(line):
        points = _measured(rows, by)
        # Five of them are enough to read: both ends, and what lies between at equal distances.
        shown = [list(points.items())[i] for i in np.unique(np.linspace(0, len(points) - 1, 5).round().astype(int))]
        witness = f"{trend(points)}: " + ", ".join(f"{one.value:.3f} at {name}" for name, one in shown)
        cells.append(Statement(trend(points) == said, witness, f"NDCG@20 {said}", f"{value:g} {line}"))
    return list[Cell](cells)


@claims.add(
    "section5.classes",
    place="Section 5.2; Figure 2a",
    statement="NDCG@20 decreases with the number of relevance classes.",
    material=_trials("classes"),
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return _trends(paper, "figure2-classes", record.table, "classes", "features")


@claims.add(
    "section5.features",
    place="Section 5.2; Figure 2b",
    statement="NDCG@20 increases with the number of features.",
    material=_trials("features"),
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return _trends(paper, "figure2-features", record.table, "features", "classes")


@claims.add(
    "section5.size",
    place="Section 5.2; Figure 2d",
    statement="NDCG@20 increases with the size of the training set.",
    material=_trials("size"),
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return _trends(paper, "figure2-size", record.table, "documents", "features")


def better_side(ours: Mapping[str, Measured]) -> str:
    """Name of the side that is larger beyond noise; empty if none is.

    Examples
    --------
    >>> better_side({"A": Measured(0.5, 0.01, 4), "B": Measured(0.8, 0.01, 4)})
    'B'
    """
    first, second = ours
    for better, worse in ((first, second), (second, first)):
        if not borne_out([worse, better], ours):
            return better
    return ""


def _sides(paper: Paper, statement: str, ours: Mapping[str, Measured], name: str = "") -> Statement:
    """Of two sides, the paper names the larger one first."""
    said = paper["statements"].text(statement, "text")
    found = better_side(ours)
    values = ", ".join(f"{side} {one.value:.3f} ± {one.standard_error:.3f}" for side, one in ours.items())
    witness = f"{values}; {found or 'neither'} is larger beyond noise"
    return Statement(found == said.partition("; ")[0], witness, said.replace("; ", " > "), name)


@claims.add(
    "section5.classes-by-features",
    place="Section 5.2; Figure 2b",
    statement="The loss by many classes can be counteracted by more features.",
    material=_trials("features"),
)
def _(paper: Paper, record: Record) -> Cell:
    fewer, twice = (_measured(rows, "features") for _, rows in record.table.groupby("classes"))
    # From the fewest features that both lines have to the most.
    least, most = next(iter(twice)), list(twice)[-1]
    ours = {"fewer of both": fewer[least], "twice the classes and more features": twice[most]}
    return _sides(paper, "classes-by-features", ours)


@claims.add(
    "section5.classes-by-size",
    place="Section 5.2; Figure 2d",
    statement="The loss by many classes can be counteracted by a larger training set.",
    material=_trials("open"),
    proxy=f"the paper does not say how long it trained; our steps draw {2 * STEPS * PAIRS:,} documents",
)
def _(paper: Paper, record: Record) -> Cell:
    table, usual = record.table, record.table.iloc[0]
    alike = np.logical_and.reduce([table[name] == usual[name] for name in ("output", "initial", "steps")])
    fewer, more = _measured(table[alike], "documents").values()
    return _sides(paper, "classes-by-size", {"fewer documents": fewer, "more documents": more})


def _noise(table: pd.DataFrame, *, variant: str = "text", limits: str = "open", value: str = "ndcg") -> pd.DataFrame:
    """Mean and standard error by noise level of one line."""
    rows = table[(table["variant"] == variant) & (table["limits"] == limits)]
    found = _measured(rows, "sigma", value).values()
    return pd.DataFrame({"mean": [one.value for one in found]}, index=sorted(set(rows["sigma"])))


def _at(line: pd.DataFrame, sigma: float) -> float:
    return float(np.interp(sigma, line.index, line["mean"]))


_READINGS = {
    "labels as rounded": {},
    "labels kept within the classes": {"limits": "classes"},
    "scored by the true classes": {"value": "ndcg_true"},
}


@claims.add(
    "section5.small-noise",
    place="Section 5.2; Figure 2c",
    statement="NDCG@20 falls less up to the smaller noise level than from there to the larger one.",
    material=_trials("noise"),
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return [_drops(paper, _noise(record.table, **reading), name) for name, reading in _READINGS.items()]


@claims.add(
    "section5.small-noise-code",
    place="Section 5.2; noise as in the code of 2022",
    statement="The same, when the code's truncation replaces rounding.",
    material=_trials("noise"),
)
def _(paper: Paper, record: Record) -> Cell:
    return _drops(paper, _noise(record.table, variant="code2022"), "")


def _drops(paper: Paper, line: pd.DataFrame, name: str) -> Statement:
    small, large = (paper.statement(f"noise-{size}-sigma").value for size in ("small", "large"))
    first, second = _at(line, 0.0) - _at(line, small), _at(line, small) - _at(line, large)
    witness = f"falls by {first:.3f} up to {small:g}, by {second:.3f} from there to {large:g}"
    return Statement(first < second, witness, "a marginal loss first, a significant one beyond", name)


def _not_below(paper: Paper, table: pd.DataFrame, **reading: str) -> Statement:
    sigma, limit = paper.statement("noise-large-sigma").value, paper.statement("noise-large-ndcg")
    value = _at(_noise(table, **reading), sigma)
    perfect = _at(_noise(table, **{**reading, "value": "perfect"}), sigma)
    ceiling = "" if reading.get("value") else f"; the order of the true classes itself scores {perfect:.3f}"
    return Statement(value >= limit.value, f"{value:.3f}{ceiling}", f"at least {limit}")


@claims.add(
    "section5.large-noise",
    place="Section 5.2; Figure 2c, labels as rounded",
    statement="At the larger noise level NDCG@20 does not drop below this.",
    material=_trials("noise"),
)
def _(paper: Paper, record: Record) -> Cell:
    return _not_below(paper, record.table)


@claims.add(
    "section5.large-noise-clipped",
    place="Section 5.2; Figure 2c, labels kept within the classes",
    statement="At the larger noise level NDCG@20 does not drop below this.",
    material=_trials("noise"),
)
def _(paper: Paper, record: Record) -> Cell:
    return _not_below(paper, record.table, limits="classes")


@claims.add(
    "section5.large-noise-true",
    place="Section 5.2; Figure 2c, scored by the true classes",
    statement="At the larger noise level NDCG@20 does not drop below this.",
    material=_trials("noise"),
)
def _(paper: Paper, record: Record) -> Cell:
    return _not_below(paper, record.table, value="ndcg_true")


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
)
def _(paper: Paper, record: Record) -> Cell:
    table = record.table
    return _sides(paper, "figure3-peaks", neighbours(table[table["panel"] == "synthetic"])[0])


def _mslr(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return {str(panel): rows for panel, rows in table.groupby("panel") if panel != "synthetic"}


@claims.add(
    "section5.peaks-mslr",
    place="Section 5.3; Figures 3b and 3c",
    statement="In a sorted query of MSLR-WEB10K the output peaks where the relevance class changes.",
    material=_OUTPUTS,
    proxy=_SAMPLE,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return [_sides(paper, "figure3-mslr", neighbours(rows)[0], panel) for panel, rows in _mslr(record.table).items()]


@claims.add(
    "section5.peaks-less",
    place="Section 5.3; Figure 3",
    statement="The peaks are less pronounced on MSLR-WEB10K than on synthetic data.",
    material=_OUTPUTS,
    proxy=_SAMPLE,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    table = record.table
    synthetic = neighbours(table[table["panel"] == "synthetic"])[1]
    return [
        _sides(paper, "figure3-less", {"synthetic data": synthetic, "MSLR-WEB10K": neighbours(rows)[1]}, panel)
        for panel, rows in _mslr(table).items()
    ]


@claims.add(
    "section5.peaks-binarised",
    place="Section 5.3; Figure 3c",
    statement="Even with binarised labels the peaks separate the classes relatively well: better than chance.",
    material=RecordedResult("koppel2019/sensitivity-thresholds", ACCURACY_COLUMNS),
    proxy=_SAMPLE,
)
def _(paper: Paper, record: Record) -> Cell:
    table = record.table[record.table["panel"] == "mslr binarised"]
    peaks = Measured.over(table[table["method"].str.startswith("peaks")]["balanced"].tolist())
    return _sides(paper, "figure3-binarised", {"cut at the peaks": peaks, "chance": Measured(0.5, 0.0, peaks.degrees)})


@claims.add(
    "section5.rare-class",
    place="Section 5.3",
    statement="With a rare class the pairs could be an advantage, because there are so many of them.",
    material=RecordedResult("koppel2019/sensitivity-rare", RARE_COLUMNS),
    proxy="the paper expects this and reports no test; ours has two classes and ten features",
)
def _(paper: Paper, record: Record) -> list[Cell]:
    rarest = record.table[record.table["share"] == record.table["share"].min()]
    return [
        _sides(
            paper,
            "rare-class",
            {str(method): Measured.over(rows[value].tolist()) for method, rows in rarest.groupby("method")},
            name,
        )
        for value, name in (("auc", "area under the ROC curve"), ("balanced", "accuracy as the mean over classes"))
    ]
