"""Ranks of methods under every tool's NDCG."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ltrlib.across.conventions.orders import headed
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["rank_figure"]


def rank_figure(ranks: pd.DataFrame) -> tuple[Figure, str]:
    """Draw the rank of each method under each convention, a line per method.

    Parameters
    ----------
    ranks
        One row per method (the index), one column per convention; 1 is best.

    Examples
    --------
    >>> figure, alt = rank_figure(pd.DataFrame({"letor4": [1.0, 2.0], "yahoo": [2.0, 1.0]}, index=["A", "B"]))
    >>> alt
    'Rank of 2 methods by NWN under 2 conventions. Methods whose rank changes: A, B.'
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.6, 0.8 + 0.36 * len(ranks)))
    places = np.arange(ranks.shape[1])
    moving = [method for method in ranks.index if ranks.loc[method].nunique() > 1]
    for number, method in enumerate(ranks.index):
        moves = method in moving
        colour = PALETTE[number % 6] if moves else "#999999"
        # The colours come round after six methods: then the line is dashed and its markers are hollow.
        again = moves and number >= 6
        line, face = ("--", "none") if again else ("-", colour)
        width = (1.4 if again else 1.8) if moves else 1.0
        marker = "osD^vP"[number % 6]
        axes.plot(
            places,
            ranks.loc[method],
            line,
            color=colour,
            marker=marker,
            markerfacecolor=face,
            linewidth=width,
            markersize=5,
        )
    for rank, alike in ranks.iloc[:, -1].groupby(ranks.iloc[:, -1]):
        end, names = (float(places[-1]), float(str(rank))), ", ".join(map(str, alike.index))
        axes.annotate(names, end, (7, 0), textcoords="offset points", va="center", fontsize=9)
    axes.set_xticks(
        places,
        [headed(str(column)) for column in ranks.columns],
        rotation=40,
        ha="right",
        rotation_mode="anchor",
        fontsize=9,
    )
    axes.set(ylabel="rank by NWN")
    axes.set_yticks(range(1, len(ranks) + 1))
    axes.grid(visible=False, axis="y")
    axes.invert_yaxis()
    axes.set_xlim(-0.3, places[-1] + 4.4)
    names = ", ".join(map(str, moving)) or "none"
    return (
        figure,
        f"Rank of {len(ranks)} methods by NWN under {ranks.shape[1]} conventions. Methods whose rank changes: {names}.",
    )
