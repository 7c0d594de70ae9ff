"""Pictures of differences taken apart: step by step, tool by tool, rank by rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from ltrlib.across.explaining import tables
from ltrlib.metrics.tools import TOOLS
from ltrlib.plots.style import PALETTE
from ltrlib.published.names import name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["rank_figure", "steps_figure", "tools_figure"]

_SHOWN = ("LambdaMART on MQ2008", "LightGBM on its own example")
_HATCHES = ("", "//", "..", "xx", "\\\\", "++", "oo")


def steps_figure(first: str, second: str) -> tuple[Figure, str]:
    """From the second tool's number to the first one's, cause by cause, on two data sets."""
    rankings = [one for one in _SHOWN if len(tables.pair(one, first, second))]
    parts = {ranking: _that_change(tables.pair(ranking, first, second)) for ranking in rankings}
    heights = [len(rows) + 2 for rows in parts.values()]
    figure, panels = plt.subplots(
        len(rankings), 1, figsize=(4.8, 0.36 * sum(heights) + 0.9), height_ratios=heights, squeeze=False, sharex=True
    )
    said = []
    for axes, (ranking, rows) in zip(panels[:, 0], parts.items(), strict=True):
        at = start = float(tables.pair(ranking, first, second)["value_second"].iloc[0])
        names = [name("tool", second)]
        axes.barh(0, at, color="#bbbbbb")
        _value(axes, at, 0, f"{at:.4f}")
        for place, (cause, part) in enumerate(zip(rows["cause"], rows["part"], strict=True), start=1):
            axes.barh(place, part, left=at, color=PALETTE[0] if part >= 0 else PALETTE[1])
            _value(axes, max(at, at + part), place, f"{part:+.4f}".replace("-", "−"))
            at += part
            names.append(cause)
        axes.barh(len(names), at, color="#777777")
        _value(axes, at, len(names), f"{at:.4f}")
        names.append(name("tool", first))
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.set_title(ranking, loc="left")
        axes.set_xlim(0, 1)
        axes.grid(visible=False, axis="y")
        steps = "".join(f"{cause} {part:+.4f}, " for cause, part in zip(rows["cause"], rows["part"], strict=True))
        said.append(f"{ranking}: {names[0]} {start:.4f}, then {steps}{names[-1]} {at:.4f}")
    panels[-1, 0].set_xlabel("mean NDCG@10")
    return figure, ". ".join(said) + "."


def _that_change(rows: pd.DataFrame) -> pd.DataFrame:
    """Only the causes that change a query."""
    return rows[rows["touched"] > 0]


def _value(axes: Axes, x: float, y: float, text: str) -> None:
    """A number a little to the right of the end of its bar."""
    axes.annotate(text, (x, y), (5, 0), textcoords="offset points", va="center", fontsize=9)


def tools_figure(ranking: str, base: str) -> tuple[Figure, str]:
    """Every tool's difference from one of them, as bars that are stacked cause by cause."""
    table = tables.against(ranking, base)
    shown = [str(cause) for cause in table if table[cause].abs().max() >= 5e-4]
    figure, axes = plt.subplots(figsize=(4.8, 0.28 * len(table) + 1.4))
    places = np.arange(len(table))
    up, down = np.zeros(len(table)), np.zeros(len(table))
    for number, cause in enumerate(shown):
        values = table[cause].to_numpy()
        left = np.where(values >= 0, up, down)
        drawn = axes.barh(places, values, left=left, label=cause, edgecolor="white", linewidth=0.4)
        for bar in drawn:
            bar.set(facecolor=PALETTE[number % len(PALETTE)], hatch=_HATCHES[number % len(_HATCHES)])
        up, down = up + np.maximum(values, 0), down + np.minimum(values, 0)
    axes.plot(table.sum(axis=1), places, "k|", markersize=14, markeredgewidth=1.6, label="sum")
    axes.axvline(0, color="#555555", linewidth=0.8)
    axes.set_yticks(places, [name("tool", str(one)) for one in table.index])
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(f"difference from {name('tool', base)} in mean NDCG@10")
    axes.legend(fontsize=9, loc="upper left")
    most = table.sum(axis=1)
    alt = (
        f"Bars for {len(table)} tools, from {TOOLS[str(most.index[0])].title} ({most.iloc[0]:+.4f}) to "
        f"{TOOLS[str(most.index[-1])].title} ({most.iloc[-1]:+.4f}), stacked by {', '.join(shown)}."
    )
    return figure, alt


def rank_figure(ranking: str, first: str, second: str) -> tuple[Figure, str]:
    """Parts of the difference at each cut-off."""
    table = tables.by_rank(ranking, first, second)
    shown: pd.DataFrame = table.loc[:, table.abs().max() > 0]
    figure, axes = plt.subplots(figsize=(4.8, 3.2))
    for number, cause in enumerate(shown):
        mark = "osD^v*"[number % 6]
        axes.plot(shown.index, shown[cause], marker=mark, markersize=4, color=PALETTE[number], label=cause)
    axes.plot(table.index, table.sum(axis=1), "k--", linewidth=1, label="difference")
    axes.axhline(0, color="#555555", linewidth=0.8)
    axes.set(xlabel="cut-off k", ylabel=f"{name('tool', first)} − {name('tool', second)}")
    axes.set_xticks(list(table.index))
    axes.legend(fontsize=9)
    last = ", ".join(f"{cause} {shown[cause].iloc[-1]:+.4f}" for cause in shown)
    return figure, f"Parts of the difference at cut-offs 1 to {table.index[-1]}; at the last: {last}."
