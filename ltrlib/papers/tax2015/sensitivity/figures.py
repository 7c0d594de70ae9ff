"""How far methods spread when a data set is left out, and the Pareto front without one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from ltrlib.papers.tax2015.sensitivity.without_dataset import CASES, FIGURE6, spread
from ltrlib.plots.labels import place_labels
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["explore_without", "front_without", "spread_figure"]


def spread_figure() -> tuple[Figure, str]:
    """Draw the variances of IWN and NWN over the data sets left out, of each method of Figure 6.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, alt = spread_figure()
    >>> alt[:34]
    'Variances over all 20 cases. IWN: '
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, grid = plt.subplots(1, 2, figsize=(7.4, 2.9), sharey=True)
    places = list(range(len(FIGURE6)))[::-1]
    parts = []
    for axes, quantity, scale, label, ticks in zip(
        grid,
        ("iwn", "nwn"),
        (1, 1e6),
        ("variance of IWN", "variance of NWN, in millionths"),
        ((600, 1000, 1500, 2500), (5, 20, 100, 500)),
        strict=True,
    ):
        for cases, filled in zip(CASES, ("none", PALETTE[0]), strict=True):
            values = [scale * spread(method, cases=cases)[f"{quantity}_variance"] for method in FIGURE6]
            words = "all 20 cases" if cases == "all" else "data sets with a result of the method"
            axes.scatter(values, places, s=42, facecolors=filled, edgecolors=PALETTE[0], label=words)
            if cases == "all":
                listed = ", ".join(f"{m} {value:,.0f}" for m, value in zip(FIGURE6, values, strict=True))
                parts.append(f"{quantity.upper()}: {listed}.")
        axes.set_xscale("log")
        axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        axes.minorticks_off()
        axes.set_xlabel(label)
        axes.set_yticks(places, FIGURE6)
    figure.legend(*grid[0].get_legend_handles_labels(), loc="outside upper center", ncols=2, fontsize=9)
    return figure, f"Variances over all 20 cases. {' '.join(parts)}"


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
