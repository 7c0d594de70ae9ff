"""Figures of the blind reconstruction: who was evaluated where, how open the orders are, how near they came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["distance_figure", "grades_figure", "presence_map", "profile_figure"]

_ROW_HEIGHT = 0.155


def presence_map(shares: pd.DataFrame, metric: str) -> tuple[Figure, str]:
    """Draw methods against data sets: a square for a forced result, a disc for a possible one, nothing for none.

    The figure is narrow and long, which keeps its type readable on a phone.

    Parameters
    ----------
    shares
        As :func:`ltrlib.papers.tax2015.hidden.presence.presence_shares` returns them.
    metric
        The metric to draw.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> shares = pd.DataFrame(
    ...     {"method": ["A", "B"], "metric": "MAP", "dataset": "d", "share": [1.0, 0.5]}
    ... )
    >>> figure, alt = presence_map(shares, "MAP")
    >>> alt
    'Methods against data sets at MAP: 1 cells have a result in all solutions, 1 in some, 0 in none.'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    here = shares[shares["metric"] == metric]
    table = here.pivot(index="method", columns="dataset", values="share").reindex(columns=here["dataset"].unique())
    table = table.loc[table.sum(axis=1).sort_values(ascending=False, kind="stable").index]
    figure, axes = plt.subplots(figsize=(4.3, 1.5 + _ROW_HEIGHT * len(table)))
    values = table.to_numpy()
    for row in range(0, len(table), 2):
        axes.axhspan(row - 0.5, row + 0.5, color="#f4f4f4", zorder=0)
    always, some = values == 1, (values > 0) & (values < 1)
    y, x = np.nonzero(always)
    axes.scatter(x, y, marker="s", s=30, color=PALETTE[0], label="in all solutions")
    y, x = np.nonzero(some)
    points = axes.scatter(
        x, y, marker="o", s=34, c=values[some], cmap="YlOrBr", vmin=0, vmax=1, edgecolors="#7f3b08", linewidths=0.7
    )
    axes.set_xticks(range(table.shape[1]), [name.replace("LETOR ", "L") for name in table.columns], rotation=90)
    axes.set_yticks(range(len(table)), table.index)
    axes.set(xlim=(-0.6, table.shape[1] - 0.4), ylim=(len(table) - 0.5, -0.5))
    axes.tick_params(labelsize=7, length=0, labeltop=True, labelbottom=False)
    axes.grid(visible=False)
    bar = figure.colorbar(points, ax=axes, orientation="horizontal", fraction=0.02, pad=0.01, aspect=30)
    bar.set_label("share of the solutions with a result (disc); square: all of them", fontsize=7)
    bar.ax.tick_params(labelsize=7)
    numbers = int(always.sum()), int(some.sum()), int((values == 0).sum())
    return figure, (
        f"Methods against data sets at {metric}: {numbers[0]} cells have a result in all solutions, "
        f"{numbers[1]} in some, {numbers[2]} in none."
    )


def profile_figure(table: pd.DataFrame, *, method: str, metric: str) -> tuple[Figure, str]:
    """Draw, for each data set of a method, how its share of wins is distributed over the samples.

    Parameters
    ----------
    table
        As :func:`ltrlib.papers.tax2015.hidden.orders.profile` returns it.
    method, metric
        What it is about.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> table = pd.DataFrame({"0.00": [0.25], "0.50": [0.75]}, index=["d"])
    >>> figure, alt = profile_figure(table, method="A", metric="MAP")
    >>> alt
    'How the share of wins of A at MAP is spread over the samples, by data set: d mostly 0.50 to 1.00.'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    bins = table.shape[1]
    figure, axes = plt.subplots(figsize=(4.6, 1.1 + 0.24 * len(table)))
    image = axes.imshow(table.to_numpy(), aspect="auto", cmap="Blues", vmin=0, extent=(0, 1, len(table) - 0.5, -0.5))
    axes.set_yticks(range(len(table)), [name.replace("LETOR ", "L") for name in table.index])
    axes.set(xlabel=f"share of the possible wins of {method} that are wins")
    axes.tick_params(labelsize=8)
    axes.grid(visible=False)
    bar = figure.colorbar(image, ax=axes, fraction=0.05, pad=0.02)
    bar.set_label("share of samples", fontsize=8)
    bar.ax.tick_params(labelsize=7)
    likely = [
        f"{name} mostly {float(str(table.columns[i])):.2f} to {float(str(table.columns[i])) + 1 / bins:.2f}"
        for name, i in zip(table.index, table.to_numpy().argmax(axis=1), strict=True)
    ]
    return figure, (
        f"How the share of wins of {method} at {metric} is spread over the samples, by data set: {', '.join(likely)}."
    )


def distance_figure(table: pd.DataFrame) -> tuple[Figure, str]:
    """Draw how far the sampled orders are from the true ones on each data set, beside chance and printed NWN.

    Parameters
    ----------
    table
        As :func:`ltrlib.papers.tax2015.hidden.order_grading.order_grades` returns it.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> row = {"metric": "MAP", "dataset": "d", "samples": 0.2, "low": 0.1, "high": 0.3, "chance": 0.4, "by_nwn": 0.1}
    >>> figure, alt = distance_figure(pd.DataFrame([row]))
    >>> alt.partition(": ")[2]
    'nearer than chance in 1 of 1 pairs of data set and metric, nearest on d at MAP (0.20).'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    metrics, names = list(table["metric"].unique()), sorted(table["dataset"].unique())
    figure, grid = plt.subplots(
        2, (len(metrics) + 1) // 2, sharex=True, sharey=True, squeeze=False, figsize=(6.2, 1.6 + 0.36 * len(names))
    )
    for axes, metric in zip(grid.flat, metrics, strict=False):
        part = table[table["metric"] == metric]
        y = [names.index(name) for name in part["dataset"]]
        axes.hlines(y, part["low"], part["high"], color=PALETTE[4], linewidth=3, label="90% of the samples")
        axes.scatter(part["samples"], y, s=14, color=PALETTE[6], zorder=3, label="mean of the samples' distances")
        axes.scatter(part["by_nwn"], y, s=20, marker="D", facecolors="none", edgecolors=PALETTE[1], label="by NWN")
        axes.scatter(part["chance"], y, s=45, marker="|", color=PALETTE[6], label="chance")
        axes.set_title(metric)
        axes.tick_params(labelsize=8)
    for axes in grid.flat[len(metrics) :]:
        axes.set_axis_off()
    axes = grid[0, 0]
    axes.set_yticks(range(len(names)), [name.replace("LETOR ", "L") for name in names])
    axes.set(ylim=(len(names) - 0.5, -0.5))
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, fontsize=8)
    figure.set_layout_engine("constrained", h_pad=0.12)
    for axes in grid[-1]:
        axes.set_xlabel("distance from the true order", fontsize=9)
    nearer, best = table["samples"] < table["chance"], table.sort_values("samples", kind="stable").iloc[0]
    return figure, (
        f"Distance of sampled orders from the true ones: nearer than chance in {nearer.sum()} of {len(table)} pairs of "
        f"data set and metric, nearest on {best['dataset']} at {best['metric']} ({best['samples']:.2f})."
    )


def grades_figure(found: Mapping[str, int], results: int, distances: Mapping[str, float]) -> tuple[Figure, str]:
    """Draw both grades of the reconstruction: results in the right place, and the distance from the true orders.

    Parameters
    ----------
    found
        Kind of solution -> number of results in the right place.
    results
        Number of all results.
    distances
        Way of guessing the orders -> distance from the true ones.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, alt = grades_figure({"recorded": 3}, 4, {"chance": 0.35})
    >>> alt
    'Results in the right place, of 4: recorded 3. Distance from the true orders: chance 0.35.'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 2.4))
    for axes, values, text in ((left, found, "{:,.0f}"), (right, distances, "{:.2f}")):
        places = list(range(len(values)))[::-1]
        axes.barh(places, list(values.values()), color=PALETTE[0], height=0.62)
        axes.set_yticks(places, [f"{name}: {text.format(value)}" for name, value in values.items()])
        axes.grid(visible=False, axis="y")
    left.axvline(results, color="#555555", linewidth=1, zorder=0)
    left.set_title(f"Who was evaluated where: right of {results:,}", loc="left", fontsize=10)
    right.set_title("Who beat whom: mean difference", loc="left", fontsize=10)
    first = ", ".join(f"{name} {value:,}" for name, value in found.items())
    second = ", ".join(f"{name} {value:.2f}" for name, value in distances.items())
    return figure, (f"Results in the right place, of {results:,}: {first}. Distance from the true orders: {second}.")
