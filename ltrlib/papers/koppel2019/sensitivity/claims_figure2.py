"""Claims of the DirectRanker paper about synthetic data: what was generated, and what its properties do (Figure 2)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pandas as pd

from ltrlib.claims.cells import Cell, Difference, Measured, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers, RecordedResult
from ltrlib.claims.noise import Claimed, any_of, decide
from ltrlib.papers.koppel2019.sensitivity.records import TRIALS
from ltrlib.papers.koppel2019.sensitivity.trials import PAIRS, STEPS
from ltrlib.papers.koppel2019.sentences import SAID
from ltrlib.papers.koppel2019.settings import told_and_done
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

__all__ = ["apart", "claims"]

claims = ClaimList(__name__)

_FORMULA = PrintedNumbers("a closed form: the normal distribution function")
_NORMAL = NormalDist()
_NO_SIZE = "the paper gives a direction and no size"


def _trials(axis: str) -> RecordedResult:
    return RecordedResult(TRIALS[axis].name, TRIALS[axis].columns)


def _by_set(table: pd.DataFrame, value: str = "ndcg") -> list[float]:
    """One value per data set, in the order of the seeds by which they were generated."""
    return [float(one) for one in table.sort_values("seed")[value]]


def _ends(paper: Paper, statement: str, table: pd.DataFrame, by: str, line: str) -> list[Cell]:
    """One cell per line of a figure: NDCG@20 at the last point against the first, data set by data set."""
    said = paper["statements"].text(statement, "text")
    claimed: Claimed = "higher" if said == "increases" else "lower"
    cells: list[Cell] = []
    for value, rows in table.groupby(line):
        first, last = rows[by].min(), rows[by].max()
        at = {point: _by_set(rows[rows[by] == point]) for point in (last, first)}
        cells.append(
            Difference(
                Measured.paired(at[last], at[first]),
                claimed,
                0.0,
                _NO_SIZE,
                f"NDCG@20 {said} from {first:,} to {last:,} {by}",
                f"{value:g} {line}",
            )
        )
    return cells


@claims.add(
    "section5.classes",
    place="Section 5.2; Figure 2a",
    statement="NDCG@20 decreases as the number of relevance classes grows.",
    material=_trials("classes"),
    words=SAID["classes"],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return _ends(paper, "figure2-classes", record.table, "classes", "features")


@claims.add(
    "section5.features",
    place="Section 5.2; Figure 2b",
    statement="NDCG@20 increases with the number of features.",
    material=_trials("features"),
    words=SAID["degrade"],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return _ends(paper, "figure2-features", record.table, "features", "classes")


@claims.add(
    "section5.size",
    place="Section 5.2; Figure 2d",
    statement="NDCG@20 increases with the size of the training set.",
    material=_trials("size"),
    words=SAID["degrade"],
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return _ends(paper, "figure2-size", record.table, "documents", "features")


def apart(paper: Paper, statement: str, ours: Mapping[str, Measured], name: str = "") -> Difference:
    """Of two sides that were measured apart, the paper names the larger one first."""
    said = paper["statements"].text(statement, "text")
    larger, _, smaller = said.partition("; ")
    one, other = ours[larger], ours[smaller]
    error = math.hypot(one.standard_error, other.standard_error)
    degrees = min(side.degrees for side in (one, other) if side.standard_error > 0)
    estimate = Measured(one.value - other.value, error, degrees)
    return Difference(estimate, "higher", 0.0, _NO_SIZE, said.replace("; ", " > "), name)


@claims.add(
    "section5.classes-by-features",
    place="Section 5.2; Figure 2b",
    statement="The loss from many classes can be counteracted by more features: they help at twice the classes.",
    material=_trials("features"),
    cause="loss-compensated",
    words=SAID["counteracted"],
)
def _(paper: Paper, record: Record) -> Cell:
    twice = record.table[record.table["classes"] == record.table["classes"].max()]
    usual, most = paper.statement("synthetic-features").value, twice["features"].max()
    at = {point: _by_set(twice[twice["features"] == point]) for point in (most, _nearest(twice["features"], usual))}
    return Difference(
        Measured.paired(*at.values()), "higher", 0.0, _NO_SIZE, f"NDCG@20 is higher with {most:g} features", "more"
    )


def _nearest(values: pd.Series[float], wanted: float) -> float:
    return float(values.iloc[int((values - wanted).abs().to_numpy().argmin())])


@claims.add(
    "section6.classes-compensated",
    place="Section 6; Figure 2b",
    statement="The loss from doubling the classes can be compensated by more features: NDCG@20 is as before.",
    material=_trials("features"),
    weight="central",
    cause="loss-compensated",
    words=SAID["compensated"],
)
def _(paper: Paper, record: Record) -> Cell:
    fewer, twice = (rows for _, rows in record.table.groupby("classes"))
    usual = paper.statement("synthetic-features").value
    before = _by_set(fewer[fewer["features"] == _nearest(fewer["features"], usual)])
    loss = np.mean(before) - np.mean(_by_set(twice[twice["features"] == _nearest(twice["features"], usual)]))
    after = _by_set(twice[twice["features"] == twice["features"].max()])
    return Difference(
        Measured.paired(after, before),
        "not lower",
        float(abs(loss)) / 2,
        "half of the loss by twice the classes",
        "as good as with half the classes",
    )


@claims.add(
    "section5.classes-by-size",
    place="Section 5.2; Figure 2d",
    statement="The loss from many classes can be counteracted by a larger training set.",
    material=_trials("open"),
    proxy=f"the paper does not say how long it trained; our steps draw {2 * STEPS * PAIRS:,} documents",
    cause="loss-compensated",
    words=SAID["counteracted"],
    otherwise=lambda paper, record: (paper, _helped(record)),
)
def _(paper: Paper, record: Record) -> Cell:
    table, usual = record.table, record.table.iloc[0]
    alike = np.logical_and.reduce([table[name] == usual[name] for name in ("output", "initial", "steps")])
    fewer, more = (_by_set(rows) for _, rows in table[alike].groupby("documents"))
    return Difference(
        Measured.paired(more, fewer),
        "higher",
        0.0,
        _NO_SIZE,
        "NDCG@20 at the most classes is higher with more documents",
    )


def _helped(record: Record) -> Record:
    """The same record, had more documents helped."""
    table = record.table
    return replace(record, table=table.assign(ndcg=table["ndcg"] + 0.1 * (table["documents"] > STEPS * PAIRS / 5)))


def _mislabelled(sigma: float) -> float:
    """Share of labels that Gaussian noise and rounding to the nearest integer change."""
    return 2 * _NORMAL.cdf(-0.5 / sigma)


@claims.add(
    "section5.noise-rounding",
    place="Section 5.2; noise as in Section 4.5",
    statement="Label noise of {noise-small-sigma} mislabels {noise-small} of the documents, noise of "
    "{noise-large-sigma} {noise-large}.",
    words=[SAID["small-noise"], SAID["large-noise"], SAID["rounding"]],
    material=_FORMULA,
)
def _(paper: Paper) -> list[Cell]:
    return [
        Value(paper.statement(f"noise-{size}"), _mislabelled(paper.statement(f"noise-{size}-sigma").value), size)
        for size in ("small", "large")
    ]


def _noise(table: pd.DataFrame, sigma: float, *, limits: str = "open", value: str = "ndcg") -> list[float]:
    """NDCG@20 of each data set at one noise level, between the two levels that were run if it lies between them."""
    rows = table[(table["variant"] == "text") & (table["limits"] == limits)]
    wide = rows.pivot(index="seed", columns="sigma", values=value)
    return [float(np.interp(sigma, wide.columns.to_numpy(), line)) for line in wide.to_numpy()]


_READINGS = {
    "labels as rounded": {},
    "labels kept within the classes": {"limits": "classes"},
    "scored by the true classes": {"value": "ndcg_true"},
}


@claims.add(
    "section5.small-noise",
    place="Section 5.2; Figure 2c",
    statement="NDCG@20 falls less up to a noise of {noise-small-sigma} than from there to {noise-large-sigma}, under "
    "at least one reading of how labels were made and scored.",
    material=_trials("noise"),
    words=SAID["small-noise"],
)
def _(paper: Paper, record: Record) -> Cell:
    small, large = (paper.statement(f"noise-{size}-sigma").value for size in ("small", "large"))
    found, words = [], []
    for name, reading in _READINGS.items():
        none, some, much = (np.array(_noise(record.table, sigma, **reading)) for sigma in (0.0, small, large))
        first, second = none - some, some - much
        found.append(decide(Measured.paired(second.tolist(), first.tolist()).interval(), "higher", 0.0))
        words.append(f"{name}: {first.mean():.3f}, then {second.mean():.3f}")
    return Statement(any_of(found), "; ".join(words), "a marginal loss first, a significant one beyond")


@claims.add(
    "section5.large-noise",
    place="Section 5.2; Figure 2c",
    statement="With {noise-large} of the labels wrong NDCG@20 does not drop below {noise-large-ndcg}, under at least "
    "one reading of how labels were made and scored.",
    material=_trials("noise"),
    words=SAID["large-noise"],
    otherwise=lambda paper, record: (
        paper.with_table(paper["statements"].with_cell("noise-large-ndcg", "text", "0.99")),
        record,
    ),
)
def _(paper: Paper, record: Record) -> Cell:
    sigma, limit = paper.statement("noise-large-sigma").value, paper.statement("noise-large-ndcg")
    found, words = [], []
    for name, reading in _READINGS.items():
        ours = Measured.over(_noise(record.table, sigma, **reading))
        low, high = ours.interval()
        found.append(decide((low - limit.value, high - limit.value), "not lower", 0.0))
        words.append(f"{name}: {ours.value:.3f}")
    perfect = float(np.mean(_noise(record.table, sigma, value="perfect")))
    words[0] += f", where even the order of the true classes scores {perfect:.3f}"
    return Statement(any_of(found), "; ".join(words), f"at least {limit}")


def _as_coded(paper: Paper) -> Paper:
    """The same paper, had it described the later code."""
    table = paper["settings"]
    for item in table.rows:
        if table.text(item, "code_2022"):
            table = table.with_cell(item, "paper", table.text(item, "code_2022"))
    return paper.with_table(table)


@claims.add(
    "section4.code-2022",
    place="Section 4.5",
    statement="What the paper says about synthetic data is what the authors' later code does.",
    words=SAID["synthetic"],
    otherwise=lambda paper: (_as_coded(paper),),
    material=PrintedNumbers("the authors' code of 2022"),
    proxy="the code of 2019 has no synthetic tests, and that of 2022 may have been changed since",
)
def _(paper: Paper) -> list[Cell]:
    return told_and_done(paper, "code_2022")
