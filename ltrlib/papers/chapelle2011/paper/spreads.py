"""What the p-values of Table 8 imply: a paired t-test leaves the spread of the differences as its only unknown."""

from __future__ import annotations

import math

from ltrlib.claims.cells import reach
from ltrlib.published.printed import Bounds, Printed
from ltrlib.published.tables import Paper

__all__ = ["implied_spreads", "p_values"]


def p_values(paper: Paper, track: str) -> dict[tuple[int, int], Printed]:
    """The p-values of a track by the two positions that they compare."""
    table = paper["table8"]
    return {
        (int(row[-1]), against): table.number(row, f"against_{against}")
        for row in table.rows
        if row.startswith(f"{track} /")
        for against in range(2, 6)
        if table.text(row, f"against_{against}")
    }


def implied_spreads(paper: Paper, track: str) -> dict[tuple[int, int], Bounds]:
    """For each two positions of a track, the standard deviation of paired ERR differences that Table 8 implies.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> round(implied_spreads(load_paper("chapelle2011"), "1")[1, 2].value, 3)
    0.056
    """
    queries = paper["table2"].number("Queries", f"set{track}_test").value
    spreads: dict[tuple[int, int], Bounds] = {}
    for (first, second), p in p_values(paper, track).items():
        if f"{track} / {second}" in paper["table7"].rows:
            above, below = (paper["table7"].number(f"{track} / {place}", "err") for place in (first, second))
            spreads[first, second] = reach(
                lambda a, b, p: _implied_sd(a - b, p, queries), above.bounds, below.bounds, p.bounds
            )
    return spreads


def _implied_sd(gap: float, p: float, queries: float) -> float:
    """Standard deviation of the paired differences that gives a mean difference this p-value."""
    from scipy.stats import t

    return gap * math.sqrt(queries) / float(t.isf(p / 2, queries - 1))
