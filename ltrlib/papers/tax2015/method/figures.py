"""Figures of the chapter on the method: what the two readings of Pareto make of the same points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["readings_figure"]


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
