"""Figures 1 to 5 to explore: accuracy against certainty, one metric or all, with what the text says of the front."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from ltrlib.papers.tax2015.pareto.tables import FIGURES, MARKS, marked_points
from ltrlib.plots.labels import text_positions
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["explore_fronts"]

_GAP = 2 * "\N{NO-BREAK SPACE}"
"""Between a point and its name."""

_LOOKS = dict(
    zip(
        MARKS,
        (
            ("diamond", PALETTE[0], 10),
            ("circle-open", PALETTE[1], 11),
            ("x", PALETTE[3], 10),
            ("circle", PALETTE[7], 6),
        ),
        strict=True,
    )
)


def explore_fronts(first: str = "all metrics") -> tuple[Figure, str]:
    """Draw Figures 1 to 5 in one: a menu chooses, hovering tells method, source, values and who dominates it.

    Parameters
    ----------
    first
        The key of `FIGURES` that is shown at first.

    Examples
    --------
    >>> figure, alt = explore_fronts()
    >>> [button.label for button in figure.layout.updatemenus[0].buttons][:2]
    ['Figure 5: all metrics', 'Figure 1: NDCG@3']
    """
    import plotly.graph_objects as go

    names = [first, *(name for name in FIGURES if name != first)]
    figure, owners = go.Figure(), []
    for what in names:
        for trace in _traces(what):
            trace.visible = what == first
            figure.add_trace(trace)
            owners.append(what)
    buttons = [
        {
            "label": f"{FIGURES[what][1]}: {what}",
            "method": "update",
            "args": [
                {"visible": [owner == what for owner in owners]},
                {"xaxis.title.text": FIGURES[what][2], "xaxis.range": _with_room(what)},
            ],
        }
        for what in names
    ]
    figure.update_layout(
        xaxis={"title": FIGURES[first][2], "range": _with_room(first)},
        yaxis_title="NWN",
        height=480,
        margin={"l": 50, "r": 10, "t": 20, "b": 50},
        legend={"orientation": "h", "y": -0.2},
        updatemenus=[{"buttons": buttons, "x": 0, "xanchor": "left", "y": 1.16, "yanchor": "top"}],
    )
    return figure, f"Interactive scatter of NWN against {FIGURES[first][2]}, for Figures 1 to 5 of the paper."


def _with_room(what: str) -> list[float]:
    """The range of the horizontal axis, with room for names to the right of the last points."""
    most = float(marked_points(what)["certainty"].max())
    return [-0.04 * most, 1.4 * most]


def _traces(what: str) -> list[Any]:
    import plotly.graph_objects as go

    points = marked_points(what)
    front = points[points["rank"] == 1].sort_values(["certainty", "nwn"], ascending=[True, False])
    line = {"dash": "dot", "color": "#777777"}
    found = [
        go.Scatter(
            x=front["certainty"],
            y=front["nwn"],
            mode="lines+text",
            name="front",
            line=line,
            text=front["method"].map(f"{_GAP}{{}}{_GAP}".format),
            textposition=text_positions(front["certainty"].tolist(), front["nwn"].tolist()),
            cliponaxis=False,
            textfont={"size": 11},
            hoverinfo="skip",
        )
    ]
    for mark, (symbol, colour, size) in _LOOKS.items():
        rows = points[points["mark"] == mark]
        if not len(rows):
            continue
        details = pd.DataFrame(
            {
                "method": rows["method"],
                "described_in": rows["described_in"],
                "family": rows["family"],
                "rank": rows["rank"],
                "strict_rank": rows["strict_rank"],
                "dominated_by": rows["dominated_by"].map(_shortened),
            }
        )
        found.append(
            go.Scatter(
                x=rows["certainty"],
                y=rows["nwn"],
                mode="markers",
                name=mark,
                marker={"symbol": symbol, "color": colour, "size": size},
                customdata=details.to_numpy(),
                hovertemplate=(
                    "<b>%{customdata[0]}</b> (%{customdata[2]})<br>%{customdata[1]}<br>NWN %{y:.4f}, "
                    + FIGURES[what][2]
                    + " %{x}<br>Pareto rank %{customdata[3]} (as the paper defines it %{customdata[4]})<br>"
                    "dominated by: %{customdata[5]}<extra></extra>"
                ),
            )
        )
    return found


def _shortened(names: str) -> str:
    parts = names.split(", ") if names else []
    if not parts:
        return "no method"
    return ", ".join(parts[:4]) + (f" and {len(parts) - 4} more" if len(parts) > 4 else "")
