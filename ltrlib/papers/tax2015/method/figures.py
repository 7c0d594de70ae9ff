"""Figures of the chapter on the method: what the two readings of Pareto make of the same points, and the cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["growth_figure", "readings_figure"]


def readings_figure(points: pd.DataFrame) -> tuple[Figure, str]:
    """Draw the points of a small comparison and mark who is on the front, in which reading.

    Parameters
    ----------
    points
        As :func:`ltrlib.papers.tax2015.method.worked_example.readings` returns them.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from ltrlib.papers.tax2015.method.worked_example import readings
    >>> figure, alt = readings_figure(readings("NDCG@10"))
    >>> alt
    'NWN against number of data sets of 5 methods. On the front in both readings: A, E; only in the strict one: B.'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    both = points["usual rank"] == 1
    strict = (points["strict rank"] == 1) & ~both
    kinds = (
        ("on the front in both readings", both, "o", PALETTE[0]),
        ("on the front in the strict reading only", strict, "s", PALETTE[1]),
        ("dominated in both", ~both & ~strict, "x", PALETTE[7]),
    )
    figure, axes = plt.subplots(figsize=(4.4, 3.4))
    for label, chosen, marker, colour in kinds:
        axes.scatter(points["datasets"][chosen], points["nwn"][chosen], marker=marker, color=colour, s=60, label=label)
    for row in points.itertuples():
        axes.annotate(str(row.method), (row.datasets, row.nwn), xytext=(8, 4), textcoords="offset points")
    axes.set(xlabel="number of data sets", ylabel="NWN", ylim=(-0.06, 1.1), xlim=(0.7, points["datasets"].max() + 0.4))
    axes.set_xticks(range(1, int(points["datasets"].max()) + 1))
    axes.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.45, 1.0))
    names = [", ".join(points["method"][chosen]) for chosen in (both, strict)]
    return figure, (
        f"NWN against number of data sets of {len(points)} methods. "
        f"On the front in both readings: {names[0]}; only in the strict one: {names[1]}."
    )


def growth_figure(times: pd.DataFrame) -> tuple[Figure, str]:
    """Draw measured seconds against the number of results, with a line of slope one through the last point.

    Parameters
    ----------
    times
        As :func:`ltrlib.papers.tax2015.method.tables.growth` returns them.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> times = pd.DataFrame({"results": [1_000, 10_000], "comparisons": [1, 1], "seconds": [0.01, 0.1]})
    >>> figure, alt = growth_figure(times)
    >>> alt
    'Seconds against number of results: 0.01 s for 1,000, 0.1 s for 10,000.'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(4.4, 3.0))
    x, y = times["results"].to_numpy(dtype=np.float64), times["seconds"].to_numpy()
    axes.loglog(x, y[-1] * x / x[-1], linestyle="--", color=PALETTE[7], label="in proportion to the results")
    axes.loglog(x, y, marker="o", color=PALETTE[0], label="measured")
    axes.set(xlabel="results in the table", ylabel="seconds")
    axes.legend(fontsize=8)
    each = ", ".join(f"{seconds:.2g} s for {results:,}" for results, _, seconds in times.itertuples(index=False))
    return figure, f"Seconds against number of results: {each}."
