"""Claims of the DirectRanker paper about synthetic data: what was generated, and what its properties do (Figure 2)."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import NormalDist

import numpy as np
import pandas as pd

from ltrlib.claims.cells import Cell, Measured, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers, RecordedResult
from ltrlib.claims.rules import borne_out
from ltrlib.papers.koppel2019.sensitivity.records import TRIALS
from ltrlib.papers.koppel2019.sensitivity.trials import PAIRS, STEPS
from ltrlib.papers.koppel2019.settings import told_and_done
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

__all__ = ["better_side", "claims", "sides", "trend"]

claims = ClaimList(__name__)

_FORMULA = PrintedNumbers("a closed form: the normal distribution function")
_NORMAL = NormalDist()


def _trials(axis: str) -> RecordedResult:
    return RecordedResult(TRIALS[axis].name, TRIALS[axis].columns)


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


def sides(paper: Paper, statement: str, ours: Mapping[str, Measured], name: str = "") -> Statement:
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
    return sides(paper, "classes-by-features", ours)


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
    return sides(paper, "classes-by-size", {"fewer documents": fewer, "more documents": more})


def _mislabelled(sigma: float) -> float:
    """Share of labels that Gaussian noise and rounding to the nearest integer change."""
    return 2 * _NORMAL.cdf(-0.5 / sigma)


def _mislabelled_by_truncation(sigma: float, classes: int) -> float:
    """The same for truncation towards zero and clipping to the labels, as in the code of 2022."""
    top = classes - 1
    kept = [_NORMAL.cdf(1 / sigma) if label == 0 else _NORMAL.cdf(1 / sigma) - _NORMAL.cdf(0) for label in range(top)]
    return 1 - (sum(kept) + 1 - _NORMAL.cdf(0)) / classes


@claims.add(
    "section5.noise-rounding",
    place="Section 5.2; noise as in Section 4.5",
    statement="Share of the documents that the label noise mislabels, at both noise levels.",
    material=_FORMULA,
)
def _(paper: Paper) -> list[Cell]:
    return [
        Value(paper.statement(f"noise-{size}"), _mislabelled(paper.statement(f"noise-{size}-sigma").value), size)
        for size in ("small", "large")
    ]


@claims.add(
    "section5.noise-code",
    place="Section 5.2; noise as in the code of 2022",
    statement="Share of the documents that the label noise mislabels, when the code's truncation replaces rounding.",
    material=_FORMULA,
)
def _(paper: Paper) -> list[Cell]:
    classes = int(paper.statement("synthetic-classes").value)
    return [
        Value(
            paper.statement(f"noise-{size}"),
            _mislabelled_by_truncation(paper.statement(f"noise-{size}-sigma").value, classes),
            size,
        )
        for size in ("small", "large")
    ]


@claims.add(
    "section5.noise-clipped",
    place="Section 5.2; noise as in Section 4.5, labels kept within the classes",
    statement="Share of the documents that the label noise mislabels, when no label leaves the classes.",
    material=_FORMULA,
    proxy="the paper does not say that labels are kept within the classes",
)
def _(paper: Paper) -> list[Cell]:
    classes = int(paper.statement("synthetic-classes").value)
    cells: list[Cell] = []
    for size in ("small", "large"):
        # Beyond either end rounding leads back to the last class, and these two can err on one side only.
        beyond = _NORMAL.cdf(-0.5 / paper.statement(f"noise-{size}-sigma").value)
        cells.append(Value(paper.statement(f"noise-{size}"), beyond * (2 * classes - 2) / classes, size))
    return cells


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


@claims.add(
    "section4.code-2022",
    place="Section 4.5",
    statement="What the paper says about synthetic data is what the authors' code does.",
    material=PrintedNumbers("the authors' code of 2022"),
    proxy="the code of 2019 has no synthetic tests, and that of 2022 may have been changed since",
)
def _(paper: Paper) -> list[Cell]:
    return told_and_done(paper, "code_2022")
