"""The Pareto front without a data set: how often each method is on it, over the sampled reconstructions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ltrlib.plots.labels import place_labels
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["explore_without", "front_heatmap", "front_without"]


def front_heatmap(shares: pd.DataFrame, short: Mapping[str, str]) -> tuple[Figure, str]:
    """Draw in which share of the samples a method is on the Pareto front, by data set left out.

    Parameters
    ----------
    shares
        Columns method, left_out, share.
    short
        Short names of what is left out, in the order of the rows.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> table = pd.DataFrame({"method": ["A", "A"], "left_out": ["nothing", "d"], "share": [1.0, 0.25]})
    >>> figure, alt = front_heatmap(table, {"nothing": "nothing", "d": "d"})
    >>> alt
    'Share of samples in which a method is on the front, by data set left out. A: nothing 100 %, d 25 %.'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    wide = shares.pivot(index="left_out", columns="method", values="share")
    wide = wide.loc[list(short), list(dict.fromkeys(shares["method"]))]
    rows, columns = wide.shape
    figure, axes = plt.subplots(figsize=(0.38 * columns + 1.4, 0.28 * rows + 1.5))
    axes.imshow(wide, cmap="Blues", vmin=0, vmax=1.25, aspect="auto")
    for (row, column), share in np.ndenumerate(wide.to_numpy()):
        if share > 0:
            text = "●" if share == 1 else "<1" if share < 0.01 else ">99" if share > 0.99 else f"{100 * share:.0f}"
            axes.text(
                column, row, text, ha="center", va="center", fontsize=8, color="white" if share > 0.7 else "#222222"
            )
    axes.set_xticks(range(columns), list(wide.columns), rotation=60, ha="left", rotation_mode="anchor", fontsize=9)
    axes.set_yticks(range(rows), list(short.values()), fontsize=9)
    axes.xaxis.tick_top()
    axes.set_xticks(np.arange(columns + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(rows + 1) - 0.5, minor=True)
    axes.grid(visible=False, which="major")
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="both", length=0)
    axes.set_ylabel("left out")
    for spine in axes.spines.values():
        spine.set_visible(False)
    described = []
    for method, column in zip(wide.columns, wide.to_numpy().T, strict=True):
        cells = [f"{word} {100 * share:.0f} %" for word, share in zip(short.values(), column, strict=True) if share]
        described.append(f"{method}: {', '.join(cells)}.")
    return figure, f"Share of samples in which a method is on the front, by data set left out. {' '.join(described)}"


def front_without(points: pd.DataFrame, *, left_out: str) -> tuple[Figure, str]:
    """Draw NWN over IWN of all methods without a data set; who is ever on the front is labelled.

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
    >>> alt[:64]
    'NWN against IWN of 86 methods without AOL. On the front: LARF in'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.4, 5.0))
    for label, rows, symbol, colour in _by_share(points):
        reach = np.abs(rows[["nwn_low", "nwn_high"]].to_numpy().T - rows["nwn"].to_numpy())
        form, size = ("o", 3.0) if symbol == "circle" else ("D", 5.5)
        axes.errorbar(
            rows["iwn"],
            rows["nwn"],
            yerr=reach,
            fmt=form,
            markersize=size,
            markerfacecolor="white" if symbol == "diamond-open" else colour,
            color=colour,
            elinewidth=0.7,
            label=label,
        )
    axes.set(xlabel="IWN", ylabel="NWN", ylim=(-0.04, 1.1))
    axes.margins(x=0.08)
    axes.legend(fontsize=8.5, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    axes.scatter(points["iwn"], points["nwn"], s=0)
    ever = points[points["share"] > 0].sort_values("iwn")
    names = [
        n if share == 1 else f"{n} ({_percent(share)})" for n, share in zip(ever["method"], ever["share"], strict=True)
    ]
    place_labels(axes, ever["iwn"].tolist(), ever["nwn"].tolist(), names, [8.5] * len(ever))
    found = ", ".join(f"{n} in {_percent(share)}" for n, share in zip(ever["method"], ever["share"], strict=True))
    return figure, f"NWN against IWN of {len(points)} methods without {left_out}. On the front: {found} of the samples."


def _percent(share: float) -> str:
    return "less than 1 %" if share < 0.01 else "over 99 %" if 0.99 < share < 1 else f"{100 * share:.0f} %"


def _by_share(points: pd.DataFrame) -> list[tuple[str, pd.DataFrame, str, str]]:
    """Points by how often they are on the front: in words, with a symbol and a colour."""
    always, never = points["share"] == 1, points["share"] == 0
    return [
        ("never on the front", points[never], "circle", PALETTE[7]),
        ("in some samples", points[~always & ~never], "diamond-open", PALETTE[1]),
        ("in every sample", points[always], "diamond", PALETTE[0]),
    ]


def explore_without(points: pd.DataFrame, *, left_out: str) -> tuple[Any, str]:
    """Interactive front without a data set: NWN over IWN with the samples' interval, and how often on the front.

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
    for label, rows, symbol, colour in _by_share(points):
        figure.add_trace(
            go.Scatter(
                x=rows["iwn"],
                y=rows["nwn"],
                error_y={
                    "array": rows["nwn_high"] - rows["nwn"],
                    "arrayminus": rows["nwn"] - rows["nwn_low"],
                    "thickness": 1,
                    "width": 0,
                },
                mode="markers",
                name=label,
                marker={"symbol": symbol, "color": colour, "size": 6 if symbol == "circle" else 9},
                customdata=rows[["method", "nwn_low", "nwn_high", "share"]].to_numpy(),
                hovertemplate=(
                    "<b>%{customdata[0]}</b><br>IWN %{x}, NWN %{y:.4f} (%{customdata[1]:.4f} to %{customdata[2]:.4f})"
                    "<br>on the front in %{customdata[3]:.0%} of the samples<extra></extra>"
                ),
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
