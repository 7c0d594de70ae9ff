"""Bagplots of hidden results: where the bag may be, over all samples, and never one reconstruction as a fact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.comparison.bagplot import Bagplot
from ltrlib.plots.labels import place_labels
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["MethodMoves", "bag_coverage", "bagplot_figure", "bagplot_panels"]

_LEVELS = (0.05, 0.5, 0.95)
_SHADES = ("#cfe3f1", "#7fb5d9", "#2f7fb8")
_CENTRE = PALETTE[1]
_GRID = 140


@dataclass(frozen=True, eq=False)
class MethodMoves:
    """What the figures show of a method.

    Parameters
    ----------
    plots
        One bagplot of (IWN, NWN) per sample.
    moves
        As :func:`ltrlib.papers.tax2015.sensitivity.tables.moves` returns them.
    everything
        IWN and NWN with nothing left out.
    """

    plots: Sequence[Bagplot]
    moves: pd.DataFrame
    everything: tuple[float, float]


def bag_coverage(plots: Sequence[Bagplot], x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of bagplots whose bag covers each place of a grid.

    Parameters
    ----------
    plots
        The bagplots.
    x, y
        Coordinates of the grid's columns and rows.

    Examples
    --------
    >>> from ltrlib.comparison.bagplot import bagplot
    >>> plots = [bagplot([[0, 0], [4, 0], [4, 4], [0, 4], [2, 2 + shift]]) for shift in (0, 0.2)]
    >>> bag_coverage(plots, np.array([2.0, 9.0]), np.array([2.1])).tolist()
    [[1.0, 0.0]]
    """
    from matplotlib.path import Path

    places = np.column_stack([axis.ravel() for axis in np.meshgrid(x, y)])
    covered = np.zeros(len(places))
    for plot in plots:
        if len(plot.bag) > 2:
            covered += Path(plot.bag).contains_points(places)
    return covered.reshape(y.size, x.size) / len(plots)


def bagplot_panels(methods: Mapping[str, MethodMoves]) -> tuple[Figure, str]:
    """Draw Figure 6: one panel per method, all of the same extent for comparing sizes.

    Parameters
    ----------
    methods
        What to draw, in reading order.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from ltrlib.papers.tax2015.sensitivity.tables import bagplots, moves
    >>> shown = {name: MethodMoves(bagplots(name), moves(name), (379, 0.987)) for name in ("LARF",)}
    >>> figure, alt = bagplot_panels(shown)
    >>> alt[:56]
    'Bagplots of IWN and NWN without one data set. LARF: with'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    rows = (len(methods) + 1) // 2
    figure, grid = plt.subplots(rows, 2, figsize=(7.6, 2.75 * rows + 0.5), squeeze=False)
    boxes = {name: _extent(one) for name, one in methods.items()}
    width = 1.12 * max(right - left for left, right, _, _ in boxes.values())
    height = 1.12 * max(top - bottom for _, _, bottom, top in boxes.values())
    for axes, (name, one) in zip(grid.flat, methods.items(), strict=False):
        left, right, bottom, top = boxes[name]
        middle = (left + right) / 2, (bottom + top) / 2
        axes.set_xlim(middle[0] - width / 2, middle[0] + width / 2)
        axes.set_ylim(middle[1] - height / 2, middle[1] + height / 2)
        _draw(axes, one)
        axes.set_title(name, loc="left", fontweight="bold")
    for axes in list(grid.flat)[len(methods) :]:
        axes.set_visible(False)
    for axes in grid[-1]:
        axes.set_xlabel("IWN")
    for axes in grid[:, 0]:
        axes.set_ylabel("NWN")
    figure.legend(handles=_legend(), loc="outside upper center", ncols=3, fontsize=9)
    return figure, "Bagplots of IWN and NWN without one data set. " + " ".join(
        _described(name, one) for name, one in methods.items()
    )


def bagplot_figure(name: str, one: MethodMoves, labels: Sequence[str]) -> tuple[Figure, str]:
    """Draw the bagplot of one method with the names of the data sets that are left out.

    Parameters
    ----------
    name
        The method.
    one
        What to draw.
    labels
        Names of the data sets, in the order of ``one.moves``.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from ltrlib.papers.tax2015.sensitivity.tables import bagplots, moves
    >>> one = MethodMoves(bagplots("LARF"), moves("LARF"), (379, 0.987))
    >>> figure, alt = bagplot_figure("LARF", one, ["a", "b", "c"])
    >>> len(figure.axes[0].texts)
    3
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.4, 4.6))
    left, right, bottom, top = _extent(one)
    axes.set_xlim(left - 0.12 * (right - left), right + 0.12 * (right - left))
    axes.set_ylim(bottom - 0.1 * (top - bottom), top + 0.1 * (top - bottom))
    _draw(axes, one)
    axes.set(xlabel="IWN", ylabel="NWN")
    axes.set_title(name, loc="left", fontweight="bold")
    figure.legend(handles=_legend(), loc="outside upper center", ncols=3, fontsize=9)
    iwn, nwn = one.moves["iwn"].tolist(), one.moves["nwn"].tolist()
    # Labels keep clear of what is drawn as a collection: here of points along the bars, and of the other marks.
    for share in np.linspace(0, 1, 12):
        axes.scatter(iwn, one.moves["nwn_low"] + share * (one.moves["nwn_high"] - one.moves["nwn_low"]), s=0)
    marks = np.array([one.everything, np.median([plot.center for plot in one.plots], axis=0)])
    axes.scatter(marks[:, 0], marks[:, 1], s=0)
    place_labels(axes, iwn, nwn, list(labels), [8.5] * len(labels))
    return figure, _described(name, one)


def _extent(one: MethodMoves) -> tuple[float, float, float, float]:
    iwn = [*one.moves["iwn"], one.everything[0]]
    corners = np.concatenate([plot.bag for plot in one.plots])
    low, high = np.quantile(corners[:, 1], (0.02, 0.98))
    nwn = [*one.moves["nwn_low"], *one.moves["nwn_high"], one.everything[1], low, high]
    return min(iwn), max(iwn), min(nwn), max(nwn)


def _draw(axes: Axes, one: MethodMoves) -> None:
    """Shade by the share of samples whose bag is there; a bar per data set; the centres' middle and spread."""
    x, y = np.linspace(*axes.get_xlim(), _GRID), np.linspace(*axes.get_ylim(), _GRID)
    share = bag_coverage(one.plots, x, y)
    if share.max() > 0:
        axes.contourf(x, y, share, levels=[*_LEVELS, 1.001], colors=list(_SHADES), zorder=-1)
    moves = one.moves
    reach = np.abs(moves[["nwn_low", "nwn_high"]].to_numpy().T - moves["nwn"].to_numpy())
    axes.errorbar(
        moves["iwn"], moves["nwn"], yerr=reach, fmt="o", markersize=4.5, color="#222222", elinewidth=1, zorder=3
    )
    centres = np.array([plot.center for plot in one.plots])
    low, middle, high = np.quantile(centres, _LEVELS, axis=0)
    axes.errorbar(
        float(middle[0]),
        float(middle[1]),
        xerr=[[middle[0] - low[0]], [high[0] - middle[0]]],
        yerr=[[middle[1] - low[1]], [high[1] - middle[1]]],
        fmt="D",
        markersize=6,
        markerfacecolor="white",
        color=_CENTRE,
        elinewidth=1.6,
        zorder=4,
    )
    # A share cannot exceed 1, though the panels are equally high.
    axes.set_yticks([tick for tick in axes.get_yticks() if tick <= 1])
    axes.set_ylim(y[0], y[-1])
    axes.plot(*one.everything, marker="*", markersize=11, color=PALETTE[2], linestyle="none", zorder=4)


def _legend() -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    words = ("5 %", "half", "95 %")
    marks = [
        Line2D([], [], marker="o", color="#222222", markersize=4.5, linewidth=1, label="one data set left out"),
        Line2D(
            [],
            [],
            marker="D",
            color=_CENTRE,
            markerfacecolor="white",
            markersize=6,
            linewidth=1.6,
            label="depth median",
        ),
        Line2D([], [], marker="*", color=PALETTE[2], markersize=10, linestyle="none", label="nothing left out"),
    ]
    patches = [
        Patch(color=shade, label=f"in the bag in ≥ {word} of samples")
        for shade, word in zip(_SHADES, words, strict=True)
    ]
    # Matplotlib fills a legend column by column.
    return [item for pair in zip(marks, patches, strict=True) for item in pair]


def _described(name: str, one: MethodMoves) -> str:
    points = "; ".join(
        f"{dataset} {iwn}, {nwn:.3f} ({low:.3f} to {high:.3f})"
        for dataset, iwn, low, nwn, high in one.moves[["dataset", "iwn", "nwn_low", "nwn", "nwn_high"]].itertuples(
            index=False
        )
    )
    iwn, nwn = one.everything
    return f"{name}: with all data sets {iwn:.0f}, {nwn:.3f}; without {points}."
