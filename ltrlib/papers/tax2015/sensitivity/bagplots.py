"""Figure 6: its points with their bagplot by the definition, and with that of the program that drew the figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.papers.tax2015.counted import counts
from ltrlib.papers.tax2015.sensitivity.tables import short_name
from ltrlib.papers.tax2015.sensitivity.without_dataset import as_drawn, exact_bagplot, moves
from ltrlib.plots.labels import place_labels
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["bagplot_figure", "bagplot_panels"]


def bagplot_panels(methods: Sequence[str], *, cases: str = "all", columns: int = 2) -> tuple[Figure, str]:
    """Draw Figure 6: one panel per method, all of the same extent for comparing sizes.

    Parameters
    ----------
    methods
        Methods of Figure 6, in reading order.
    cases
        Which points the exact bagplot has.
    columns
        Panels side by side.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, alt = bagplot_panels(["LARF"])
    >>> alt[:61]
    'Bagplots of IWN and NWN without one data set. LARF: with all '
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    rows = -(-len(methods) // columns)
    size = (9.6, 2.5 * rows + 0.5) if columns > 2 else (7.6, 2.75 * rows + 0.5)
    figure, grid = plt.subplots(rows, columns, figsize=size, squeeze=False)
    boxes = {name: _extent(name, cases) for name in methods}
    extent = 1.12 * np.max([high - low for low, high in boxes.values()], axis=0)
    for axes, (name, (low, high)) in zip(grid.flat, boxes.items(), strict=False):
        middle = (low + high) / 2
        axes.set_xlim(middle[0] - extent[0] / 2, middle[0] + extent[0] / 2)
        axes.set_ylim(middle[1] - extent[1] / 2, middle[1] + extent[1] / 2)
        _draw(axes, name, cases)
        # A share cannot exceed 1, though the panels are equally high.
        limits = axes.get_ylim()
        axes.set_yticks([tick for tick in axes.get_yticks() if tick <= 1])
        axes.set_ylim(limits)
        axes.set_title(name, loc="left", fontweight="bold")
    for axes in list(grid.flat)[len(methods) :]:
        axes.set_visible(False)
    for axes in grid[-1]:
        axes.set_xlabel("IWN")
    for axes in grid[:, 0]:
        axes.set_ylabel("NWN")
    figure.legend(handles=_legend(), loc="outside upper center", ncols=3, fontsize=9)
    described = " ".join(_described(name, cases) for name in methods)
    return figure, f"Bagplots of IWN and NWN without one data set. {described}"


def bagplot_figure(method: str, *, cases: str = "evaluated") -> tuple[Figure, str]:
    """Draw the bagplot of any method of Table B.6 with the names of the data sets that are left out.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, alt = bagplot_figure("LARF")
    >>> len(figure.axes[0].texts)
    3
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.4, 4.6))
    low, high = _extent(method, cases)
    margin = 0.12 * (high - low) + 1e-9
    axes.set_xlim(low[0] - margin[0], high[0] + margin[0])
    axes.set_ylim(low[1] - margin[1], high[1] + margin[1])
    _draw(axes, method, cases)
    axes.set(xlabel="IWN", ylabel="NWN")
    axes.set_title(method, loc="left", fontweight="bold")
    figure.legend(handles=_legend(), loc="outside upper center", ncols=3, fontsize=9)
    found = moves(method)
    axes.scatter(found["iwn"], found["nwn"], s=0)
    labels = [short_name(name) for name in found["dataset"]]
    place_labels(axes, found["iwn"].tolist(), found["nwn"].tolist(), labels, [8.5] * len(labels))
    return figure, _described(method, cases)


def _extent(method: str, cases: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    plot, drawn = exact_bagplot(method, cases=cases), as_drawn(method)
    everything = np.vstack([plot.points, plot.loop, plot.bag, [_whole(method)], *drawn.values()])
    return everything.min(axis=0), everything.max(axis=0)


def _whole(method: str) -> tuple[float, float]:
    one = counts()[method, "all"]
    return one.iwn, float(one.nwn)


def _draw(axes: Axes, method: str, cases: str) -> None:
    plot, drawn = exact_bagplot(method, cases=cases), as_drawn(method)
    if len(plot.bag) > 2:
        axes.fill(*plot.bag.T, color=PALETTE[0], alpha=0.35, linewidth=0, zorder=0)
    if drawn:
        for part, style in (("bag", "-"), ("loop", ":")):
            ring = np.vstack([drawn[part], drawn[part][:1]])
            axes.plot(*ring.T, color=PALETTE[1], linestyle=style, linewidth=1.2, zorder=1)
        axes.plot(*drawn["center"].T, marker="x", color=PALETTE[1], markersize=7, linestyle="none", zorder=3)
    axes.plot(*moves(method)[["iwn", "nwn"]].to_numpy().T, "o", markersize=4.5, color="#222222", zorder=3)
    axes.plot(*plot.center, marker="D", markersize=6, color=PALETTE[0], markerfacecolor="white", zorder=4)
    axes.plot(*_whole(method), marker="*", markersize=10, color=PALETTE[2], linestyle="none", zorder=5)


def _legend() -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    def mark(marker: str, colour: str, label: str, size: float, **more: Any) -> Line2D:
        return Line2D([], [], marker=marker, color=colour, markersize=size, linestyle="none", label=label, **more)

    return [
        mark("o", "#222222", "one data set left out", 4.5),
        mark("*", PALETTE[2], "nothing left out", 10),
        Patch(color=PALETTE[0], alpha=0.35, label="bag, by the definition"),
        mark("D", PALETTE[0], "depth median, by the definition", 6, markerfacecolor="white"),
        Line2D([], [], color=PALETTE[1], linewidth=1.2, label="bag (loop dotted), aplpack"),
        mark("x", PALETTE[1], "centre, aplpack", 7),
    ]


def _described(method: str, cases: str) -> str:
    found, plot, drawn = moves(method), exact_bagplot(method, cases=cases), as_drawn(method)
    points = "; ".join(
        f"{dataset} {iwn}, {nwn:.3f}" for dataset, iwn, nwn in found[["dataset", "iwn", "nwn"]].itertuples(index=False)
    )
    iwn, nwn = _whole(method)
    bags = [f"by the definition {_wide(plot.bag)}", *([f"by aplpack {_wide(drawn['bag'])}"] if drawn else [])]
    return f"{method}: with all data sets {iwn:.0f}, {nwn:.3f}; without {points}. Bag {', '.join(bags)}."


def _wide(bag: NDArray[np.float64]) -> str:
    width, height = bag.max(axis=0) - bag.min(axis=0)
    return f"{width:.0f} wide and {height:.3f} high" if width or height else "a point"
