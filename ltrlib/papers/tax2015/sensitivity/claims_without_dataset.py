"""What Section 5.2 says about leaving out a data set.

Points are those of the author: one for each of the twenty data sets, also where the method has no result and nothing
changes. Bags are those of the program that drew Figure 6, which is what the text describes.
"""

from __future__ import annotations

import numpy as np

from ltrlib.claims.cells import Cell, Order, Statement
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.words import TableCells
from ltrlib.papers.tax2015.b6 import COLUMNS
from ltrlib.papers.tax2015.otherwise import cells, names
from ltrlib.papers.tax2015.sensitivity.without_dataset import FIGURE6, drawn_in, figure6_cells, spread
from ltrlib.papers.tax2015.sentences import SAID
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)

_ALIKE = 2
"""Widths that differ by less than this factor are called alike; the text gives no size."""


@claims.add(
    "figure6.points",
    place="Figure 6",
    statement="The 240 numbers behind Figure 6, as the author computed them, follow from the evaluation results.",
    weight="editorial",
    cause="copy-slip-in-figure6",
    words=[SAID["figure6"], TableCells("figure6")],
    otherwise=lambda paper: (paper.with_table(paper.corrected("figure6")),),
)
def _(paper: Paper) -> list[Cell]:
    return figure6_cells(paper)


def _measured(quantity: str) -> dict[str, float]:
    return {method: spread(method, cases="all")[quantity] for method in FIGURE6}


def _low(named: tuple[str, ...], quantity: str) -> list[Cell]:
    values = _measured(quantity)
    limit = min(value for method, value in values.items() if method not in named)
    return [
        Statement(
            values[method] < limit,
            f"{_short(values[method])}, the lowest other {_short(limit)}",
            "lower than any other variance",
            method,
        )
        for method in named
    ]


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 or number == 0 else f"{number:.2g}"


@claims.add(
    "section52.iwn-variance",
    place="Section 5.2 of the preprint; Figure 6",
    statement="Without one data set, the IWN of LRUF and LARF has a lower variance than that of the others.",
    words=SAID["iwn-variance"],
    corrected="the journal's text",
    otherwise=names("low-iwn-variance", "FSMRank; FenchelRank"),
)
def _(paper: Paper) -> list[Cell]:
    return _low(paper.names("low-iwn-variance"), "iwn_variance")


@claims.add(
    "section52.nwn-variance",
    place="Section 5.2 of the journal's text; Figure 6",
    statement="Without one data set, the NWN of LRUF and LARF has a lower variance than that of the others.",
    words=SAID["bags"],
    otherwise=names("low-nwn-variance", "ListNet"),
)
def _(paper: Paper) -> list[Cell]:
    return _low(paper.names("low-nwn-variance"), "nwn_variance")


@claims.add(
    "section52.nwn-variance-others",
    place="Section 5.2 of the journal's text; Figure 6",
    statement="The other NWN variances are alike: they differ by less than those of LRUF and LARF do from them.",
    words=SAID["bags"],
)
def _(paper: Paper) -> Cell:
    named = paper.names("low-nwn-variance")
    values = _measured("nwn_variance")
    others = [value for method, value in values.items() if method not in named]
    among, apart = max(others) / min(others), min(others) / max(values[method] for method in named)
    witness = f"the others differ by a factor of up to {among:.1f}, those two from them by {apart:.1f} or more"
    return Statement(among < apart, witness, "the others are alike")


@claims.add(
    "section52.bags",
    place="Section 5.2 of the journal's text; Figure 6",
    statement="From the leftmost to the rightmost point, which is IWN, the bags are about equally wide.",
    proxy="the text hedges and gives no size; here, none is twice as wide as another",
    words=SAID["bags"],
    otherwise=cells("figure6_aplpack", ("LARF / bag / 1", "x", "9999")),
)
def _(paper: Paper) -> list[Cell]:
    widths = {method: float(np.ptp(drawn_in(paper, method)["bag"][:, 0])) for method in paper.names("figure6-methods")}
    narrowest = min(widths, key=lambda method: widths[method])
    return [
        Statement(
            width < _ALIKE * widths[narrowest],
            f"{_short(width)}, the narrowest is {_short(widths[narrowest])} ({narrowest})",
            "less than twice as wide as the narrowest",
            method,
        )
        for method, width in widths.items()
    ]


@claims.add(
    "section52.variance-to-mean",
    place="Section 5.2; Figure 6",
    statement="From panel to panel of Figure 6 the variance of NWN divided by its mean rises (here in millionths).",
    words=SAID["ratio"],
)
def _(paper: Paper) -> Cell:
    rising = paper.names("figure6-methods")
    variance, mean = _measured("nwn_variance"), _measured("nwn_mean")
    ratios = {method: 1e6 * variance[method] / mean[method] for method in rising}
    return Order([[method] for method in reversed(rising)], ratios)


@claims.add(
    "section52.unique-points",
    place="Section 5.2; Figure 6",
    statement="A method has as many different points as it has data sets with results.",
    words=SAID["unique"],
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for method in paper.names("figure6-methods"):
        own = spread(method, cases="evaluated")
        witness = f"{own['points']:.0f} data sets, {own['distinct']:.0f} different points"
        cells.append(Statement(own["distinct"] == own["points"], witness, "one point per data set", method))
    return cells


@claims.add(
    "section52.fewer-results",
    place="Section 5.2 of the journal's text; Tables 4 and B.6",
    statement="LRUF and LARF have fewer evaluation results than the other optimal methods.",
    words=SAID["fewer"],
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
