"""A user's methods among the others: NWN against IWN, as in Figure 5 of Tax et al. (2015)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from ltrlib.across.standing.standing import OURS, PUBLISHED, YOURS, Standing
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["interactive_figure", "static_figure"]

_SYMBOLS = {YOURS: ("star", PALETTE[1], 16), PUBLISHED: ("circle", PALETTE[0], 9), OURS: ("square", PALETTE[2], 9)}


def interactive_figure(standing: Standing) -> Any:
    """Draw the interactive Figure 5: NWN against IWN, the user's methods as stars."""
    import plotly.graph_objects as go

    points = standing.points()
    figure = go.Figure()
    for kind, (symbol, colour, size) in _SYMBOLS.items():
        rows = points[points["family"] == kind]
        details = rows[["method", "described_in", "rank", "dominated_by"]].replace("", "nobody")
        figure.add_trace(
            go.Scatter(
                x=rows["certainty"].tolist(),
                y=rows["nwn"].tolist(),
                mode="markers+text" if kind == YOURS else "markers",
                text=rows["method"].tolist() if kind == YOURS else None,
                textposition="top center",
                name=kind,
                marker={"symbol": symbol, "color": colour, "size": size},
                customdata=details.to_numpy().tolist(),
                hovertemplate=(
                    "<b>%{customdata[0]}</b><br>%{customdata[1]}<br>NWN %{y:.4f}, IWN %{x}<br>"
                    "Pareto rank %{customdata[2]}, dominated by: %{customdata[3]}<extra></extra>"
                ),
            )
        )
    front = points[points["rank"] == 1].sort_values("certainty")
    figure.add_trace(
        go.Scatter(
            x=front["certainty"].tolist(),
            y=front["nwn"].tolist(),
            mode="lines",
            name="Pareto front",
            line={"dash": "dot", "color": "#777777"},
        )
    )
    figure.update_layout(
        template="plotly_white",
        xaxis_title="IWN: comparisons that the method took part in",
        yaxis_title="NWN: share of them that it won",
        height=480,
        margin={"l": 50, "r": 10, "t": 20, "b": 50},
        legend={"orientation": "h", "y": -0.2},
    )
    return figure


def static_figure(points: pd.DataFrame) -> tuple[Figure, str]:
    """Draw NWN against IWN with the Pareto front and the user's methods labelled, for print.

    Parameters
    ----------
    points
        As :meth:`ltrlib.across.standing.standing.Standing.points` returns them.

    Examples
    --------
    >>> points = pd.DataFrame({"method": ["A", "Mine (yours)"], "certainty": [8, 4], "nwn": [0.2, 0.9],
    ...                        "family": ["published", "yours"], "rank": [1, 1]})
    >>> static_figure(points)[1]
    'NWN against IWN of 2 methods. Yours: Mine (yours) (4, 0.9000). Pareto front: A, Mine (yours).'
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.labels import place_labels

    figure, axes = plt.subplots(figsize=(7.4, 5.0))
    for kind, marker, colour, size in ((PUBLISHED, "o", 0, 30), (OURS, "s", 2, 30), (YOURS, "*", 1, 160)):
        rows = points[points["family"] == kind]
        axes.scatter(rows["certainty"], rows["nwn"], marker=marker, s=size, color=PALETTE[colour], label=kind)
    front = points[points["rank"] == 1].sort_values("certainty")
    axes.plot(front["certainty"], front["nwn"], color="#777777", linewidth=0.9, linestyle="--", zorder=0)
    axes.set(xlabel="IWN", ylabel="NWN", ylim=(-0.06, 1.12))
    axes.margins(x=0.1)
    axes.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    named = points[(points["rank"] == 1) | (points["family"] == YOURS)]
    labels = named["method"].tolist()
    place_labels(axes, named["certainty"].tolist(), named["nwn"].tolist(), labels, [8.5] * len(labels))
    mine = points[points["family"] == YOURS][["method", "certainty", "nwn"]].itertuples(index=False, name=None)
    yours = ", ".join(f"{method} ({certainty:g}, {nwn:.4f})" for method, certainty, nwn in mine)
    optima = ", ".join(sorted(front["method"]))
    return figure, f"NWN against IWN of {len(points)} methods. Yours: {yours}. Pareto front: {optima}."
