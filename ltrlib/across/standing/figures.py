"""A user's methods among the others: NWN against IWN, as in Figure 5 of Tax et al. (2015)."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import pandas as pd

from ltrlib.across.continued.pool import LATER, OURS, TABLE_B6
from ltrlib.across.standing.standing import YOURS
from ltrlib.plots.labels import text_positions
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["interactive_figure", "static_figure"]

_LOOKS = {
    TABLE_B6: ("circle", "o", PALETTE[0], 8),
    LATER: ("diamond", "D", PALETTE[3], 9),
    OURS: ("square", "s", PALETTE[2], 9),
    YOURS: ("star", "*", PALETTE[1], 17),
}


_MOST_LABELS = 40  # more would only cover each other
_GAP = 2 * "\N{NO-BREAK SPACE}"  # between a point and its name


def _plain(name: str) -> str:
    """A name in a figure of Plotly, which would read ``<b>`` and ``<a href=…>`` in it as markup."""
    return html.escape(name, quote=False)


def _with_room(x: pd.Series) -> list[float]:
    """The range of an axis with room for names to the right of the last points."""
    return [-0.04 * float(x.max()), 1.4 * float(x.max())]


def interactive_figure(rows: pd.DataFrame) -> Any:
    """Draw the interactive Figure 5: NWN against IWN, the user's methods as stars.

    Parameters
    ----------
    rows
        As :meth:`ltrlib.across.continued.joined.Joined.rows` returns them.
    """
    import plotly.graph_objects as go

    rows = rows[rows["NWN"].notna()]
    figure = go.Figure()
    front = rows[rows["Pareto rank"] == 1].sort_values("IWN")
    figure.add_trace(
        go.Scatter(
            x=front["IWN"].tolist(),
            y=front["NWN"].tolist(),
            mode="lines+text",
            name="Pareto front",
            text=[
                "" if kind == YOURS else f"{_GAP}{_plain(name)}{_GAP}"
                for name, kind in zip(front["method"], front["kind"], strict=True)
            ],
            textposition=text_positions(front["IWN"].tolist(), front["NWN"].tolist()),
            cliponaxis=False,
            textfont={"size": 11},
            line={"dash": "dot", "color": "#777777"},
            hoverinfo="skip",
        )
    )
    for kind, (symbol, _, colour, size) in _LOOKS.items():
        some = rows[rows["kind"] == kind]
        if some.empty:
            continue
        above = [names if len(names) < 80 else f"{len(names.split(', '))} methods" for names in some["dominated by"]]
        names = [_plain(name) for name in some["method"]]
        named = kind == YOURS and len(names) <= _MOST_LABELS
        figure.add_trace(
            go.Scatter(
                x=some["IWN"].tolist(),
                y=some["NWN"].tolist(),
                mode="markers+text" if named else "markers",
                text=names if named else None,
                textposition="top center",
                name=kind,
                marker={"symbol": symbol, "color": colour, "size": size},
                customdata=[
                    list(one) for one in zip(names, some["place"], [_plain(a) or "nobody" for a in above], strict=True)
                ],
                hovertemplate=(
                    "<b>%{customdata[0]}</b><br>NWN %{y:.4f} (place %{customdata[1]}), IWN %{x}<br>"
                    "dominated by: %{customdata[2]}<extra></extra>"
                ),
            )
        )
    figure.update_layout(
        template="plotly_white",
        xaxis={"title": "IWN: number of comparisons", "range": _with_room(rows["IWN"])},
        yaxis_title="NWN: share won",
        height=430,
        margin={"l": 50, "r": 10, "t": 20, "b": 50},
        legend={"orientation": "h", "y": -0.2},
    )
    return figure


def static_figure(rows: pd.DataFrame, *, also: tuple[str, ...] = ()) -> tuple[Figure, str]:
    """Draw NWN against IWN with the Pareto front and the user's methods labelled.

    Parameters
    ----------
    rows
        As :meth:`ltrlib.across.continued.joined.Joined.rows` returns them.
    also
        Further methods to label.

    Examples
    --------
    >>> rows = pd.DataFrame({"method": ["A", "Mine (yours)"], "IWN": [8, 4], "NWN": [0.2, 0.9],
    ...                      "kind": ["Table B.6", "yours"], "Pareto rank": [1, 1]})
    >>> static_figure(rows)[1]
    'NWN against IWN of 2 methods. Yours: Mine (yours) (4, 0.9000). Pareto front: A, Mine (yours).'
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.labels import place_labels

    rows = rows[rows["NWN"].notna()]
    figure, axes = plt.subplots(figsize=(7.4, 5.0))
    for kind, (_, marker, colour, size) in _LOOKS.items():
        some = rows[rows["kind"] == kind]
        if len(some):
            axes.scatter(some["IWN"], some["NWN"], marker=marker, s=size**2 / 2, color=colour, label=kind, alpha=0.85)
    front = rows[rows["Pareto rank"] == 1].sort_values("IWN")
    axes.plot(front["IWN"], front["NWN"], color="#777777", linewidth=0.9, linestyle="--", zorder=0)
    axes.set(xlabel="IWN: comparisons that the method took part in", ylabel="NWN: share won", ylim=(-0.06, 1.12))
    axes.margins(x=0.1)
    axes.legend(fontsize=9, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4)
    named = rows[(rows["Pareto rank"] == 1) | (rows["kind"] == YOURS) | rows["method"].isin(also)]
    labels = named["method"].tolist()
    place_labels(axes, named["IWN"].tolist(), named["NWN"].tolist(), labels, [9.0] * len(labels))
    mine = rows[rows["kind"] == YOURS][["method", "IWN", "NWN"]].itertuples(index=False, name=None)
    yours = ", ".join(f"{method} ({iwn:g}, {nwn:.4f})" for method, iwn, nwn in mine)
    optima = ", ".join(sorted(front["method"]))
    words = f"NWN against IWN of {len(rows)} methods."
    words += f" Yours: {yours}." if yours else ""
    return figure, f"{words} Pareto front: {optima}."
