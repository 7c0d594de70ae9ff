"""Figures of the chapter on the baselines and lessons of the Yahoo! challenge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ltrlib.claims.noise import half_width
from ltrlib.papers.chapelle2011.baselines.figure9 import METHODS, Example
from ltrlib.papers.chapelle2011.challenge import NAMES
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure


__all__ = ["example_figure", "explore_example", "gain_figure", "lesson_figure"]

_DASHES = dict(zip(METHODS, ("-", "--", ":", "-."), strict=True))
# Three borders coincide, and would hide one another: each has a third of the height.
_SPANS = dict(zip(METHODS, ((-1.4, 1.4), (0.55, 1.4), (-0.4, 0.4), (-1.4, -0.55)), strict=True))
_CROSSES = "#D0344B"  # to be seen on white and on black
_BEGIN = 12.0  # where the slider stands at first: nearer, every method is right
_PLOTLY_DASHES = {"-": "solid", "--": "dash", ":": "dot", "-.": "dashdot"}


def example_figure(example: Example) -> tuple[Figure, str]:
    """Redraw the one-dimensional example: points of two classes and the border of each method.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from ltrlib.papers.chapelle2011.baselines.figure9 import loss_example
    >>> figure, alt = example_figure(loss_example())
    >>> "linear regression 2 errors" in alt
    True
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.0, 3.4))
    positive = example.y > 0
    axes.scatter(example.x[positive], example.y[positive], marker="x", color=_CROSSES, s=50, zorder=3)
    axes.scatter(example.x[~positive], example.y[~positive], marker="o", color=PALETTE[0], s=40, zorder=3)
    slope, intercept = example.line
    ends = np.array([example.x.min() - 0.5, example.x.max() + 0.5])
    axes.plot(ends, slope * ends + intercept, color=PALETTE[7], label="regression line")
    for (name, border), colour in zip(example.borders.items(), PALETTE, strict=False):
        title = f"{name}: {example.errors[name]} wrong"
        axes.plot([border] * 2, _SPANS[name], linestyle=_DASHES[name], color=colour, label=title, linewidth=1.8)
    axes.set(xlabel="x", ylabel="target", yticks=[-1, 0, 1], ylim=(-1.6, 2.0))
    axes.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    said = "; ".join(f"{name} {example.errors[name]} errors, border {b:.2f}" for name, b in example.borders.items())
    return figure, f"Points of two classes on a line, {len(example.x)} in all, and the border of each method: {said}."


def explore_example(examples: Mapping[float, Example]) -> tuple[Any, str]:
    """Interactive version: a slider moves the far points.

    Parameters
    ----------
    examples
        By the place where the far points begin.

    Examples
    --------
    >>> from ltrlib.papers.chapelle2011.baselines.figure9 import loss_example
    >>> figure, alt = explore_example({far: loss_example(far) for far in (3.0, 12.0)})
    >>> len(figure.layout.sliders[0].steps)
    2
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    traces = 2 + len(METHODS)
    begin = min(examples, key=lambda far: abs(far - _BEGIN))
    for far, example in examples.items():
        shown = far == begin
        for positive, symbol, colour in ((True, "x", _CROSSES), (False, "circle", PALETTE[0])):
            own = (example.y > 0) == positive
            figure.add_trace(
                go.Scatter(
                    x=example.x[own],
                    y=example.y[own],
                    mode="markers",
                    visible=shown,
                    marker={"symbol": symbol, "color": colour, "size": 10},
                    name="class 1" if positive else "class −1",
                )
            )
        for (name, border), colour in zip(example.borders.items(), PALETTE, strict=False):
            figure.add_trace(
                go.Scatter(
                    x=[border, border],
                    y=_SPANS[name],
                    mode="lines",
                    visible=shown,
                    line={"color": colour, "dash": _PLOTLY_DASHES[_DASHES[name]]},
                    name=f"{name}: {example.errors[name]} wrong",
                )
            )
    steps = [
        {
            "label": f"{far:g}",
            "method": "update",
            "args": [{"visible": [place // traces == number for place in range(len(figure.data))]}],
        }
        for number, far in enumerate(examples)
    ]
    figure.update_layout(
        sliders=[
            {
                "steps": steps,
                "active": list(examples).index(begin),
                "currentvalue": {"prefix": "far points begin at "},
                "pad": {"t": 40},
            }
        ],
        xaxis={"title": "x", "range": [-1, max(examples) + 3]},
        yaxis={"title": "target", "tickvals": [-1, 1], "range": [-1.6, 1.6]},
        height=480,
        margin={"l": 50, "r": 10, "t": 90, "b": 40},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
    )
    return figure, f"Interactive example with a slider for where the far points begin: {', '.join(map(str, examples))}."


def lesson_figure(tables: Mapping[str, pd.DataFrame], *, metric: str) -> tuple[Figure, str]:
    """Draw what pairwise and listwise losses gain over squared loss, for linear functions and for trees.

    Parameters
    ----------
    tables
        As :func:`ltrlib.papers.chapelle2011.records.lesson_table` says, by data set.
    metric
        ``"NDCG"`` or ``"ERR"``.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> rows = [(f, l, "NDCG", 0.01, 0.005, 43) for f in ("linear", "trees") for l in ("pairwise", "listwise")]
    >>> table = pd.DataFrame(rows, columns=["functions", "loss", "metric", "gain", "gain_error", "queries"])
    >>> figure, alt = lesson_figure({"a": table}, metric="NDCG")
    >>> alt
    'Gain in NDCG over squared loss. a: linear pairwise +0.0100 ± 0.0101, linear listwise +0.0100 ± 0.0101,
    trees pairwise +0.0100 ± 0.0101, trees listwise +0.0100 ± 0.0101.'
    >>> plt.close(figure)
    """
    titles = {NAMES.get(name, name): _rows(table, metric) for name, table in tables.items()}
    return _gain_panels(titles, f"gain in {metric} over squared loss", f"Gain in {metric} over squared loss")


def _rows(table: pd.DataFrame, metric: str) -> list[tuple[str, float, float]]:
    wanted = table[(table["metric"] == metric) & (table["loss"] != "pointwise")]
    names = wanted["functions"] + " " + wanted["loss"]
    return list(zip(names, wanted["gain"].tolist(), _halves(wanted), strict=True))


def _halves(table: pd.DataFrame) -> list[float]:
    """Half the interval of each gain, over queries."""
    halves: list[float] = half_width(table["gain_error"].to_numpy(), table["queries"].to_numpy() - 1).tolist()
    return halves


def gain_figure(table: pd.DataFrame, *, metric: str) -> tuple[Figure, str]:
    """Draw what a second training set gains over the local one.

    Parameters
    ----------
    table
        As :func:`ltrlib.papers.chapelle2011.records.transfer_table` says.
    metric
        ``"NDCG"`` or ``"ERR"``.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> rows = [("ridge", "both", "NDCG", 0.01, 0.005, 43)]
    >>> table = pd.DataFrame(rows, columns=["ranker", "training", "metric", "gain", "gain_error", "queries"])
    >>> gain_figure(table, metric="NDCG")[1]
    'Gain in NDCG over Set 2 alone. ridge: both +0.0100 ± 0.0101.'
    >>> plt.close("all")
    """
    panels = {}
    wanted = table[(table["metric"] == metric) & (table["training"] != "Set 2 alone")]
    for ranker, rows in wanted.groupby("ranker", sort=False):
        panels[str(ranker)] = list(zip(rows["training"], rows["gain"].tolist(), _halves(rows), strict=True))
    return _gain_panels(panels, f"gain in {metric}", f"Gain in {metric} over Set 2 alone")


def _gain_panels(panels: Mapping[str, list[tuple[str, float, float]]], label: str, subject: str) -> tuple[Figure, str]:
    import matplotlib.pyplot as plt

    columns = min(2, len(panels))
    lines = -(-len(panels) // columns)
    most = max(len(rows) for rows in panels.values())
    figure, axes = plt.subplots(
        lines, columns, figsize=(7.6, lines * (0.9 + 0.42 * most)), squeeze=False, sharex=True, sharey=True
    )
    said = []
    for panel, (name, rows) in zip(axes.flat, panels.items(), strict=False):
        for place, (title, gain, half) in enumerate(rows):
            colour, marker = (PALETTE[1], "^") if title.startswith("trees") else (PALETTE[0], "o")
            panel.errorbar(gain, place, xerr=half, fmt=marker, color=colour, capsize=3)
        panel.axvline(0, color="#777777", linewidth=1)
        panel.set_yticks(range(len(rows)), [row[0] for row in rows], fontsize=9)
        panel.set_title(name, fontsize=10)
        said.append(f"{name}: " + ", ".join(f"{title} {gain:+.4f} ± {half:.4f}" for title, gain, half in rows))
    axes.flat[0].set_ylim(most - 0.5, -0.5)
    for panel in axes.flat[len(panels) :]:
        panel.set_visible(False)
    figure.supxlabel(f"{label} (95% interval over queries)", fontsize=9)
    return figure, f"{subject}. {'; '.join(said)}."
