"""Figures of the chapter on DirectRanker's sensitivity: Figures 2 and 3 of Köppel et al. (2019)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from ltrlib.papers.koppel2019.sensitivity.peaks import cut_at_peaks, neighbour_outputs, smoothed
from ltrlib.papers.koppel2019.sensitivity.tables import summary
from ltrlib.papers.koppel2019.sensitivity.trials import AXES
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["NOISE_LINES", "axes_figure", "neighbours_figure", "noise_figure"]

_MARKERS = "osD^v"
_TITLES = {
    "classes": ("(a) relevance classes", "number of classes"),
    "features": ("(b) features", "number of features"),
    "noise": ("(c) noise on the labels", "standard deviation σ"),
    "size": ("(d) training documents", "number of documents"),
}
NOISE_LINES: Mapping[str, tuple[str, str]] = {
    "rounded": ("text", "open"),
    "rounded, kept within the classes": ("text", "classes"),
    "truncated, kept within (code of 2022)": ("code2022", "open"),
}
"""Ways to make a noisy label whole again: variant and limits of the trials."""


def axes_figure(tables: Mapping[str, pd.DataFrame]) -> tuple[Figure, str]:
    """Figure 2: NDCG@20 along the four axes, between a random order and the best that the features allow.

    Parameters
    ----------
    tables
        Trials by axis, as recorded.

    Examples
    --------
    >>> trials = pd.DataFrame({"variant": "text", "limits": "open", "classes": [2, 2, 9, 9], "features": 70,
    ...                        "ndcg": [0.9, 0.8, 0.7, 0.6], "best": 1.0, "chance": 0.3})
    >>> axes_figure({"classes": trials})[1]
    'NDCG@20 of DirectRanker. (a) relevance classes, 70 features: 0.850 at 2, 0.650 at 9.'
    """
    import matplotlib.pyplot as plt
    from matplotlib.layout_engine import ConstrainedLayoutEngine
    from matplotlib.lines import Line2D

    # Room between the rows, or the titles below touch the labels above.
    figure, grid = plt.subplots(2, 2, figsize=(7.6, 5.5), sharey=True, layout=ConstrainedLayoutEngine(h_pad=0.08))
    said = []
    for axes, (axis, table) in zip(grid.flat, tables.items(), strict=False):
        title, label = _TITLES[axis]
        table = table[(table["variant"] == "text") & (table["limits"] == "open")]
        line = "classes" if axis == "features" else "features"
        for (value, rows), colour, marker in zip(table.groupby(line), PALETTE, _MARKERS, strict=False):
            name = f"{value:g} {line}"
            points = summary(rows, [AXES[axis][0]]).sort_values(AXES[axis][0])
            _draw_line(axes, points, AXES[axis][0], name, colour, marker)
            values = _some(points)[[AXES[axis][0], "ndcg"]].itertuples(index=False, name=None)
            said.append(f"{title}, {name}: {', '.join(f'{y:.3f} at {x:,.10g}' for x, y in values)}")
        axes.set(title=title, xlabel=label, ylim=(0, 1.04))
        if axis == "size":
            axes.set_xscale("log")
        axes.legend(fontsize=8, loc="lower left" if axis in ("classes", "noise") else "lower right")
    for axes in grid[:, 0]:
        axes.set_ylabel("NDCG@20")
    styles: tuple[tuple[Literal["-", "--", ":"], str], ...]
    styles = (("-", "DirectRanker"), ("--", "best possible order"), (":", "random order"))
    handles = [Line2D([], [], color="#333333", linestyle=style, linewidth=1.2, label=words) for style, words in styles]
    figure.legend(handles=handles, fontsize=9, loc="outside lower center", ncols=3)
    for axes in list(grid.flat)[len(tables) :]:
        axes.set_visible(False)
    return figure, f"NDCG@20 of DirectRanker. {'; '.join(said)}."


def _some(points: pd.DataFrame) -> pd.DataFrame:
    """Five points of a line, spread over it with both ends: enough for the text that stands for the figure."""
    return points.iloc[np.unique(np.linspace(0, len(points) - 1, 5).round().astype(int))]


def _draw_line(axes: Axes, points: pd.DataFrame, name: str, label: str, colour: str, marker: str) -> None:
    axes.errorbar(
        points[name],
        points["ndcg"],
        points["error"],
        color=colour,
        marker=marker,
        markersize=3.5,
        capsize=2,
        linewidth=1.2,
        label=label,
    )
    axes.plot(points[name], points["best"], color=colour, linestyle="--", linewidth=1)
    axes.plot(points[name], points["chance"], color=colour, linestyle=":", linewidth=1)


def noise_figure(table: pd.DataFrame, *, limit: float) -> tuple[Figure, str]:
    """Draw what label noise does, by how labels are made whole again: scored by these labels, and by the true classes.

    Parameters
    ----------
    table
        Trials of the axis ``"noise"``.
    limit
        The value below which NDCG@20 does not drop, as published.

    Examples
    --------
    >>> trials = pd.DataFrame({"variant": "text", "limits": "open", "sigma": [0.0, 0.0], "ndcg": [0.9, 0.8],
    ...                        "ndcg_true": [0.9, 0.8], "perfect": 1.0})
    >>> noise_figure(trials, limit=0.5)[1]
    'NDCG@20 against label noise. Labels rounded: 0.850 at 0 (true classes 0.850, perfect order 1.000).'
    """
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(7.6, 3.4), sharey=True)
    said = []
    for (name, (variant, limits)), colour, marker in zip(NOISE_LINES.items(), PALETTE, _MARKERS, strict=False):
        rows = table[(table["variant"] == variant) & (table["limits"] == limits)]
        if not len(rows):
            continue
        rows = rows.sort_values("sigma", kind="stable")
        labels = summary(rows, ["sigma"], ("ndcg", "perfect"))
        classes = summary(rows, ["sigma"], ("ndcg_true",))
        style: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 3.5, "capsize": 2, "linewidth": 1.2}
        left.errorbar(labels["sigma"], labels["ndcg"], labels["error"], label=name, **style)
        left.plot(labels["sigma"], labels["perfect"], color=colour, linestyle="--", linewidth=1)
        right.errorbar(classes["sigma"], classes["ndcg_true"], classes["error"], **style)
        values = _some(labels.assign(true=classes["ndcg_true"]))[["sigma", "ndcg", "true", "perfect"]]
        points = ", ".join(
            f"{y:.3f} at {x:g} (true classes {t:.3f}, perfect order {p:.3f})"
            for x, y, t, p in values.itertuples(index=False, name=None)
        )
        said.append(f"Labels {name}: {points}")
    left.axhline(limit, color="#555555", linewidth=1, linestyle="-.")
    left.annotate(
        f"paper: {limit:.2f}",
        (0.12, limit),  # where no line comes near
        (0, 3),
        textcoords="offset points",
        fontsize=9,
    )
    left.set(title="scored by the noisy labels", xlabel="standard deviation σ", ylabel="NDCG@20", ylim=(0.4, 1.02))
    right.set(title="scored by the true classes", xlabel="standard deviation σ")
    figure.legend(fontsize=9, loc="outside lower center", ncols=3)
    return figure, f"NDCG@20 against label noise. {'; '.join(said)}."


def neighbours_figure(table: pd.DataFrame, titles: Mapping[str, str]) -> tuple[Figure, str]:
    """Figure 3: output between neighbours of three sorted lists, with the network output g by class beside it.

    Parameters
    ----------
    table
        Lists as recorded: panel, label and score, best first.
    titles
        Panels, and what they show.

    Examples
    --------
    >>> scores = np.concatenate([np.linspace(5, 4, 20), np.linspace(1, 0, 20)])
    >>> table = pd.DataFrame({"panel": "a", "label": np.repeat([1, 0], 20), "score": scores})
    >>> neighbours_figure(table, {"a": "two clouds"})[1]
    'two clouds: 40 documents; the list is cut after document 20.'
    """
    import matplotlib.pyplot as plt

    figure, grid = plt.subplots(
        len(titles), 2, figsize=(7.6, 1.9 * len(titles)), gridspec_kw={"width_ratios": [3, 1.3]}, squeeze=False
    )
    said, shown = [], {}
    for (left, right), (panel, title), letter in zip(grid, titles.items(), "abc", strict=False):
        rows = table[table["panel"] == panel]
        labels, scores = rows["label"].to_numpy(), rows["score"].to_numpy()
        outputs = neighbour_outputs(scores)
        cuts = len(scores) - np.searchsorted(np.sort(scores), cut_at_peaks(scores, int(labels.max()) + 1))
        places = np.arange(1, len(outputs) + 1)
        for one, colour, marker in _by_class(labels):
            here = labels[:-1] == one
            shown[one] = left.scatter(places[here], outputs[here], s=11, color=colour, marker=marker)
            right.scatter(
                np.full(int((labels == one).sum()), one) + _spread(labels == one),
                scores[labels == one],
                s=5,
                color=colour,
                marker=marker,
            )
        left.plot(places, smoothed(outputs), color="#777777", linewidth=1)
        for cut in cuts:
            left.axvline(cut + 0.5, color="#333333", linewidth=0.9, linestyle="--", zorder=0)
        left.set_title(f"({letter}) {title}", loc="left")
        left.set(xlabel="place n in the sorted list", ylabel="r(dₙ, dₙ₊₁)")
        right.set(xlabel="class", ylabel="output g", xticks=np.unique(labels))
        after = " and ".join(str(cut) for cut in sorted(cuts)) or "no"
        said.append(f"{title}: {len(scores)} documents; the list is cut after document {after}")
    classes = sorted(shown)
    names = [f"class {one}" for one in classes]
    figure.legend([shown[one] for one in classes], names, fontsize=9, loc="outside lower center", ncols=5)
    return figure, "; ".join(said) + "."


def _by_class(labels: np.ndarray[Any, np.dtype[np.int64]]) -> list[tuple[int, str, str]]:
    return [(int(one), PALETTE[i], _MARKERS[i]) for i, one in enumerate(np.unique(labels))]


def _spread(members: np.ndarray[Any, np.dtype[np.bool_]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Sideways places that keep the points of one class apart."""
    return np.random.default_rng(0).uniform(-0.3, 0.3, int(members.sum()))
