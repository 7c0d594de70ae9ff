"""What Section 5.2 says about leaving out a data set.

What happens without a data set was never published; claims about it are checked on the sampled reconstructions of the
hidden results. Where the samples differ, a claim is judged by their median, and the witness tells in how many samples
it holds. The paper does not say whether data sets without a result of a method count as cases in which nothing
changes, so both readings are checked.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ltrlib.claims.cells import Cell, Measured, Order, Statement
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import RecordedResult
from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.b6 import COLUMNS
from ltrlib.papers.tax2015.sensitivity.without_dataset import CASES
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

__all__ = ["claims"]

claims = ClaimList(__name__)

_LEFT_OUT = RecordedResult(records.LEFT_OUT.name, records.LEFT_OUT.columns)
_WORDS = {"evaluated": "own data sets", "all": "all data sets"}
_VERY_LOW = 2
"""A variance is very low if it is less than the others by this factor, and widths that differ by less are alike."""


def _variances(record: Record, cases: str, quantity: str) -> pd.DataFrame:
    """One row per sample, one column per method."""
    rows = record.table[record.table["cases"] == cases]
    return rows.pivot(index="sample", columns="method", values=quantity)


def _very_low(record: Record, named: tuple[str, ...], quantity: str) -> list[Cell]:
    cells: list[Cell] = []
    for cases in CASES:
        table = _variances(record, cases, quantity)
        others = table.drop(columns=list(named))
        for method in named:
            own, lowest = table[method], others.min(axis=1)
            middle, limit = float(own.median()), float(others.median().min())
            often = int((own * _VERY_LOW < lowest).sum())
            witness = (
                f"{_short(middle)}, the lowest other {_short(limit)}; less than half in {often} of {len(own)} samples"
            )
            published = "less than half of any other variance"
            cells.append(Statement(middle * _VERY_LOW < limit, witness, published, f"{method}, {_WORDS[cases]}"))
    return cells


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


@claims.add(
    "section52.iwn-variance",
    place="Section 5.2 of the preprint; Figure 6",
    statement="Without one data set, the IWN of LRUF and LARF has a very low variance: less than half of any other.",
    material=_LEFT_OUT,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return _very_low(record, paper.names("low-iwn-variance"), "iwn_variance")


@claims.add(
    "section52.nwn-variance",
    place="Section 5.2 of the journal's text; Figure 6",
    statement="Without one data set, the NWN of LRUF and LARF has a low variance: less than half of any other.",
    material=_LEFT_OUT,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return _very_low(record, paper.names("low-nwn-variance"), "nwn_variance")


@claims.add(
    "section52.nwn-variance-others",
    place="Section 5.2 of the journal's text; Figure 6",
    statement="The other NWN variances are alike: they differ by less than those of LRUF and LARF do from them.",
    material=_LEFT_OUT,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    named = list(paper.names("low-nwn-variance"))
    cells: list[Cell] = []
    for cases in CASES:
        middle = _variances(record, cases, "nwn_variance").median()
        others = middle.drop(index=named)
        among, apart = others.max() / others.min(), others.min() / middle[named].max()
        witness = f"the others differ by a factor of up to {among:.1f}, those two from them by {apart:.1f} or more"
        cells.append(Statement(bool(among < apart), witness, "the others are alike", _WORDS[cases]))
    return cells


def _widths(paper: Paper, record: Record, quantity: str) -> list[Cell]:
    middle = _variances(record, "evaluated", quantity).median()[list(paper.names("figure6-methods"))]
    narrowest = middle.min()
    return [
        Statement(
            bool(width < _VERY_LOW * narrowest),
            f"{_short(width)}, the narrowest is {_short(narrowest)} ({middle.idxmin()})",
            "less than twice as wide as the narrowest",
            str(method),
        )
        for method, width in middle.items()
    ]


@claims.add(
    "section52.bag-iwn",
    place="Section 5.2 of the journal's text; Figure 6",
    statement="From end to end the bags are about equally wide; taken as IWN: none is twice as wide as another.",
    material=_LEFT_OUT,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return _widths(paper, record, "bag_iwn")


@claims.add(
    "section52.bag-nwn",
    place="Section 5.2 of the preprint; Figure 6",
    statement="From end to end the bags are about equally wide; taken as NWN: none is twice as wide as another.",
    material=_LEFT_OUT,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    return _widths(paper, record, "bag_nwn")


@claims.add(
    "section52.variance-to-mean",
    place="Section 5.2; Figure 6",
    statement="From panel to panel of Figure 6 the variance of NWN divided by its mean rises.",
    material=_LEFT_OUT,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    rising = paper.names("figure6-methods")
    cells: list[Cell] = []
    for cases in CASES:
        ratios = _variances(record, cases, "nwn_variance") / _variances(record, cases, "nwn_mean")
        # The samples are what is possible, not repeated measurements: their whole spread is the uncertainty. It is
        # far from symmetric, except for the logarithm.
        logs = np.log10(ratios)
        ours = {m: Measured(float(logs[m].mean()), float(logs[m].std()), len(logs) - 1) for m in rising}
        cells.append(Order([[method] for method in reversed(rising)], ours, f"log10, {_WORDS[cases]}"))
    return cells


@claims.add(
    "section52.unique-points",
    place="Section 5.2; Figure 6",
    statement="A method has as many different points as it has data sets with results.",
    material=_LEFT_OUT,
)
def _(paper: Paper, record: Record) -> list[Cell]:
    cells: list[Cell] = []
    for method in paper.names("figure6-methods"):
        different, points = (_variances(record, "evaluated", name)[method] for name in ("distinct", "points"))
        often = int((different == points).sum())
        witness = f"{points.median():.0f} data sets, as many different points in {often} of {len(points)} samples"
        cells.append(Statement(bool(different.median() == points.median()), witness, "one point per data set", method))
    return cells


@claims.add(
    "section52.fewer-results",
    place="Section 5.2 of the journal's text; Tables 4 and B.6",
    statement="LRUF and LARF have fewer evaluation results than the other optimal methods.",
)
def _(paper: Paper) -> list[Cell]:
    named, table = paper.names("fewer-results"), paper["b6"]
    results = {
        m: sum(int(table.text(m, f"{name}_ds") or 0) for name in COLUMNS) for m in (*named, *paper["table4"].rows)
    }
    fewest = min(number for method, number in results.items() if method not in named)
    return [
        Statement(results[m] < fewest, f"{results[m]} results, the others {fewest} or more", "fewer results", m)
        for m in named
    ]
