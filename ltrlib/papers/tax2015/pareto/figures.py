"""Figures 1 to 5 of the cross-benchmark comparison: accuracy against certainty, with the Pareto optima labelled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from ltrlib.plots.labels import place_labels
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["explore_front", "front_figure"]

_MARKS = {"listwise": "o", "pairwise": "s", "pointwise": "^", "groupwise": "D", "not known to us": "."}
_SYMBOLS = {"listwise": "circle", "pairwise": "square", "pointwise": "triangle-up", "groupwise": "diamond"}
_COLOURS = dict(zip(_MARKS, (PALETTE[0], PALETTE[1], PALETTE[2], PALETTE[3], PALETTE[7]), strict=True))


def front_figure(
    points: pd.DataFrame, *, axis: str, second: bool = False, also: tuple[str, ...] = ()
) -> tuple[Figure, str]:
    """Draw NWN against certainty with the Pareto optima labelled.

    Parameters
    ----------
    points
        As :func:`ltrlib.papers.tax2015.pareto.tables.points` returns them.
    axis
        Name of the horizontal axis.
    second
        Whether to label, in smaller type, what the paper calls Rank-2 optima: one method is better on both axes.
    also
        Further methods to label, such as baselines.

    Examples
    --------
    >>> from ltrlib.papers.tax2015.pareto.tables import points
    >>> import matplotlib.pyplot as plt
    >>> figure, alt = front_figure(points("NDCG@3"), axis="number of data sets")
    >>> alt[:48]
    'NWN against number of data sets of 56 methods. P'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.4, 5.2))
    for family, marker in _MARKS.items():
        rows = points[points["family"] == family]
        if len(rows):
            axes.scatter(rows["certainty"], rows["nwn"], marker=marker, s=26, color=_COLOURS[family], label=family)
    front = points[points["rank"] == 1].sort_values("certainty")
    axes.plot(front["certainty"], front["nwn"], color="#777777", linewidth=0.9, linestyle="--", zorder=0)
    axes.set(xlabel=axis, ylabel="NWN", ylim=(-0.06, 1.12))
    axes.margins(x=0.08)
    axes.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=5)
    once_beaten = points["strictly_dominated_by"].map(lambda names: len(names.split(", ")) if names else 0) == 1
    wanted = points[(points["rank"] == 1) | (once_beaten & second) | points["method"].isin(also)]
    place_labels(
        axes,
        wanted["certainty"].tolist(),
        wanted["nwn"].tolist(),
        wanted["method"].tolist(),
        [9.0 if rank == 1 else 7.0 for rank in wanted["rank"]],
    )
    optima = ", ".join(
        f"{m} ({c:g}, {n:.4f})" for m, c, n in front[["method", "certainty", "nwn"]].itertuples(index=False)
    )
    return figure, f"NWN against {axis} of {len(points)} methods. Pareto optima, from left to right: {optima}."


def explore_front(points: pd.DataFrame, *, axis: str) -> tuple[Any, str]:
    """Interactive version: hovering tells method, source, values and who dominates it."""
    import plotly.graph_objects as go

    figure = go.Figure()
    for family in _MARKS:
        rows = points[points["family"] == family]
        if not len(rows):
            continue
        details = rows[["method", "described_in", "rank", "strict_rank", "dominated_by"]].copy()
        details["dominated_by"] = details["dominated_by"].map(_shortened)
        figure.add_trace(
            go.Scatter(
                x=rows["certainty"],
                y=rows["nwn"],
                mode="markers",
                name=family,
                marker={"symbol": _SYMBOLS.get(family, "x-thin-open"), "color": _COLOURS[family], "size": 9},
                customdata=details.to_numpy(),
                hovertemplate=(
                    "<b>%{customdata[0]}</b><br>%{customdata[1]}<br>NWN %{y:.4f}, "
                    + axis
                    + " %{x}<br>Pareto rank %{customdata[2]} (strict reading %{customdata[3]})<br>"
                    "dominated by: %{customdata[4]}<extra></extra>"
                ),
            )
        )
    front = points[points["rank"] == 1].sort_values("certainty")
    figure.add_trace(
        go.Scatter(
            x=front["certainty"], y=front["nwn"], mode="lines", name="front", line={"dash": "dot", "color": "#777777"}
        )
    )
    figure.update_layout(
        xaxis_title=axis,
        yaxis_title="NWN",
        height=480,
        margin={"l": 50, "r": 10, "t": 20, "b": 50},
        legend={"orientation": "h", "y": -0.2},
    )
    return figure, f"Interactive scatter of NWN against {axis} for {len(points)} methods, by family."


def _shortened(names: str) -> str:
    parts = names.split(", ") if names else []
    if not parts:
        return "no method"
    return ", ".join(parts[:4]) + (f" and {len(parts) - 4} more" if len(parts) > 4 else "")
