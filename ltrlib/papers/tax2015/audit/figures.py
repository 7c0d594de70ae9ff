"""The one place at which the two rules of IWN differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["tie_figure"]


def tie_figure(table: pd.DataFrame) -> tuple[Figure, str]:
    """Draw the values of the data set on which methods tie for first, each with its number of wins.

    Parameters
    ----------
    table
        As :func:`ltrlib.papers.tax2015.audit.tables.tie_for_first` returns it.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from ltrlib.papers.tax2015.audit.tables import tie_for_first
    >>> figure, alt = tie_figure(tie_for_first())
    >>> alt
    '11 methods by value; 2 share the first place with 9 wins each, where 10 other methods could be beaten.'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt
    from matplotlib.ticker import MaxNLocator

    best, others = int(table["wins"].max()), len(table) - 1
    first = table["wins"] == best
    figure, axes = plt.subplots(figsize=(4.8, 0.27 * len(table) + 0.9))
    places = list(range(len(table)))[::-1]
    axes.scatter(table["value"], places, s=34, color=[PALETTE[1] if one else PALETTE[0] for one in first])
    for place, value, wins in zip(places, table["value"], table["wins"], strict=True):
        axes.annotate(f"{wins} wins", (value, place), (8, 0), textcoords="offset points", va="center", fontsize=9)
    axes.set_yticks(places, table["method"])
    axes.set(xlabel="NDCG@10 as published", ylim=(-0.7, len(table) - 0.3))
    axes.margins(x=0.08)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.set_xlim(right=axes.get_xlim()[1] + 0.17 * (table["value"].max() - table["value"].min()))
    return figure, (
        f"{len(table)} methods by value; {int(first.sum())} share the first place with {best} wins each, where "
        f"{others} other methods could be beaten."
    )
