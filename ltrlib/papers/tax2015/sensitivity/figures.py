"""The Pareto front without a data set: who is on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from ltrlib.plots.labels import place_labels
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["explore_without", "front_without"]


def front_without(points: pd.DataFrame, *, left_out: str) -> tuple[Figure, str]:
    """Draw NWN over IWN of all methods without a data set; who is on the front is labelled.

    Parameters
    ----------
    points
        As :func:`ltrlib.papers.tax2015.sensitivity.front.points_without` returns them.
    left_out
        Name of the data set.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from ltrlib.papers.tax2015.sensitivity.front import points_without
    >>> figure, alt = front_without(points_without("AOL"), left_out="AOL")
    >>> alt[:62]
    'NWN against IWN of 86 methods without AOL. On the front: LARF,'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.4, 5.0))
    front, others = points[points["on_front"]].sort_values("iwn"), points[~points["on_front"]]
    axes.scatter(others["iwn"], others["nwn"], s=12, color=PALETTE[7], label="not on the front")
    axes.scatter(front["iwn"], front["nwn"], s=32, marker="D", color=PALETTE[0], label="on the front")
    axes.plot(front["iwn"], front["nwn"], color="#777777", linewidth=0.9, linestyle="--", zorder=0)
    axes.set(xlabel="IWN", ylabel="NWN", ylim=(-0.04, 1.1))
    axes.margins(x=0.08)
    axes.legend(fontsize=8.5, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    place_labels(axes, front["iwn"].tolist(), front["nwn"].tolist(), front["method"].tolist(), [8.5] * len(front))
    found = ", ".join(front["method"])
    return figure, f"NWN against IWN of {len(points)} methods without {left_out}. On the front: {found}."


def explore_without(points: pd.DataFrame, *, left_out: str) -> tuple[Any, str]:
    """Interactive front without a data set: hovering tells the method and its values.

    Parameters
    ----------
    points
        As :func:`ltrlib.papers.tax2015.sensitivity.front.points_without` returns them.
    left_out
        Name of the data set.

    Examples
    --------
    >>> from ltrlib.papers.tax2015.sensitivity.front import points_without
    >>> figure, alt = explore_without(points_without("AOL"), left_out="AOL")
    >>> alt
    'Interactive scatter of NWN against IWN of 86 methods without AOL.'
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    on = points["on_front"]
    for label, rows, symbol, colour, size in (
        ("not on the front", points[~on], "circle", PALETTE[7], 6),
        ("on the front", points[on], "diamond", PALETTE[0], 9),
    ):
        figure.add_trace(
            go.Scatter(
                x=rows["iwn"],
                y=rows["nwn"],
                mode="markers",
                name=label,
                marker={"symbol": symbol, "color": colour, "size": size},
                customdata=rows[["method"]].to_numpy(),
                hovertemplate="<b>%{customdata[0]}</b><br>IWN %{x}, NWN %{y:.4f}<extra></extra>",
            )
        )
    figure.update_layout(
        xaxis_title="IWN",
        yaxis_title="NWN",
        height=480,
        margin={"l": 50, "r": 10, "t": 20, "b": 50},
        legend={"orientation": "h", "y": -0.2},
    )
    return figure, f"Interactive scatter of NWN against IWN of {len(points)} methods without {left_out}."
