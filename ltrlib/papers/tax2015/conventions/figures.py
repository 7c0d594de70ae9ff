"""Figures of the chapter on conventions and noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["bounds_figure", "levels_figure", "noise_figure"]


def levels_figure(results: pd.DataFrame, bands: pd.DataFrame, titles: Mapping[str, str]) -> tuple[Figure, str]:
    """Draw printed NDCG on MQ2008 over the cut-off, on the levels of our learners by tool.

    Parameters
    ----------
    results
        method, metric, value.
    bands
        tool, k, lowest, highest.
    titles
        The tools by their titles.
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.style import PALETTE

    figure, axes = plt.subplots(figsize=(4.8, 3.8))
    said = []
    for number, (tool, title) in enumerate(titles.items()):
        own = bands[bands["tool"] == tool].sort_values("k")
        places = range(len(own))
        axes.fill_between(places, own["lowest"] - 0.006, own["highest"] + 0.006, color=PALETTE[number], alpha=0.3)
        last = own.iloc[-1]
        middle = (last["lowest"] + last["highest"]) / 2
        axes.text(len(own) - 0.93, middle, title, fontsize=9, va="center", color=PALETTE[number])
        said.append(f"{title} at 10: {last['lowest']:.3f} to {last['highest']:.3f}")
    ticks = [f"NDCG@{k}" for k in sorted(set(bands["k"]))]
    for method in sorted(set(results["method"])):
        line = results[results["method"] == method]
        in_order = sorted(zip(map(ticks.index, line["metric"]), line["value"], strict=True))
        axes.plot(*zip(*in_order, strict=True), color="#666666", marker="o", markersize=3, linewidth=0.6)
    at_ten = results.loc[results["metric"] == ticks[-1], "value"]
    axes.set_xticks(range(len(ticks)), labels=ticks)
    axes.set(ylabel="NDCG on MQ2008", ylim=(0.15, 0.85), xlim=(-0.1, len(ticks) - 0.1))
    words = f"Printed results at 10: {len(at_ten)} between {at_ten.min():.3f} and {at_ten.max():.3f}"
    return figure, f"NDCG on MQ2008 by cut-off. {words}. Levels of our learners: {'; '.join(said)}."


def bounds_figure(bounds: pd.DataFrame, methods: tuple[str, ...]) -> tuple[Figure, str]:
    """Draw NWN of methods with the range that it can take if open comparisons turn.

    Parameters
    ----------
    bounds
        method, iwn, nwn, lowest, highest.
    methods
        Whom to show.
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.style import PALETTE

    own = bounds[bounds["method"].isin(list(methods))].sort_values("nwn", ignore_index=True)
    figure, axes = plt.subplots(figsize=(4.8, 0.3 * len(own) + 0.9))
    axes.hlines(own.index, own["lowest"], own["highest"], color=PALETTE[0], linewidth=3, alpha=0.5)
    axes.plot(own["nwn"], own.index, "o", color=PALETTE[0])
    axes.set_yticks(own.index, labels=list(own["method"]))
    axes.set(xlabel="NWN over all metrics", xlim=(0, 1.03))
    said = [f"{r['method']} {r['nwn']:.2f} ({r['lowest']:.2f} to {r['highest']:.2f})" for r in own.to_dict("records")]
    return figure, f"NWN and its range if open comparisons turn: {', '.join(said)}."


def noise_figure(aware: pd.DataFrame) -> tuple[Figure, str]:
    """Draw NWN of the official baselines among themselves, plain and with wins beyond noise only.

    Parameters
    ----------
    aware
        method, nwn, nwn_beyond.
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.style import PALETTE

    own = aware.sort_values("nwn", ignore_index=True)
    figure, axes = plt.subplots(figsize=(4.8, 0.34 * len(own) + 1.2))
    axes.hlines(own.index, own["nwn_beyond"], own["nwn"], color="#999999", linewidth=1)
    axes.plot(own["nwn"], own.index, "o", color=PALETTE[0], label="every difference wins")
    axes.plot(own["nwn_beyond"], own.index, "D", color=PALETTE[1], label="only beyond the 95% interval")
    axes.set_yticks(own.index, labels=list(own["method"]))
    axes.set(xlabel="NWN among the five, LETOR 4.0", xlim=(-0.03, 1))
    figure.legend(*axes.get_legend_handles_labels(), fontsize=9, loc="outside upper center")
    said = [f"{r['method']} {r['nwn']:.2f}, beyond noise {r['nwn_beyond']:.2f}" for r in own.to_dict("records")]
    return figure, f"NWN of the official baselines among themselves: {'; '.join(said)}."
