"""Draw a bagplot with matplotlib, in the colours and the style that are in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ltrlib.comparison.bagplot import Bagplot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_bagplot"]


def draw_bagplot(bagplot: Bagplot, axes: Axes, *, label: str | None = None, color: str | None = None) -> None:
    """Draw bag, loop, centre and points into ``axes``.

    The bag is dark, the loop around it light, the centre a white diamond, an outlier an open circle: shapes tell
    what colour tells. The fence is not drawn, as its authors advise.

    Parameters
    ----------
    bagplot
        What to draw.
    axes
        Where to draw it.
    label
        The name in the legend.
    color
        The one colour of the drawing; without it, the next one of the style's cycle.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from ltrlib.comparison.bagplot import bagplot
    >>> axes = Figure().subplots()
    >>> draw_bagplot(bagplot([[0, 0], [2, 0], [1, 2], [1, 1], [9, 9]]), axes, label="LRUF")
    >>> axes.get_legend_handles_labels()[1]
    ['LRUF']
    """
    # An empty line asks the axes for the next colour; fill() has a cycle of its own.
    chosen = axes.plot([], [], color=color)[0].get_color() if color is None else color
    outlying = bagplot.outliers
    inside = [i for i in range(len(bagplot.points)) if i not in set(outlying.tolist())]
    for polygon, alpha, name in ((bagplot.loop, 0.2, None), (bagplot.bag, 0.5, label)):
        axes.fill(polygon[:, 0], polygon[:, 1], facecolor=chosen, edgecolor=chosen, alpha=alpha, label=name)
    axes.plot(*bagplot.points[inside].T, linestyle="none", marker=".", color=chosen)
    axes.plot(*bagplot.points[outlying].T, linestyle="none", marker="o", markerfacecolor="none", color=chosen)
    axes.plot(*bagplot.center, linestyle="none", marker="D", markerfacecolor="white", markeredgecolor=chosen, zorder=3)
