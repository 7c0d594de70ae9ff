"""Figures of the chapter on the official baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["differences", "what_it_takes"]

_MARKS = "osD^v"


def differences(both: pd.DataFrame, methods: tuple[str, ...], metrics: tuple[str, ...]) -> tuple[Figure, str]:
    """Draw ours minus official on the test parts: one panel per method, one mark per fold at each metric.

    Parameters
    ----------
    both
        method, repeat, fold, metric, difference; repeats are drawn as their mean, with a bar over their range.
    methods, metrics
        Panels, and places on the axis.

    Examples
    --------
    >>> import pandas as pd
    >>> both = pd.DataFrame({"method": "RankBoost", "repeat": 0, "fold": [1, 2], "metric": "MAP",
    ...                      "difference": [0.0, 0.002]})
    >>> differences(both, ("RankBoost",), ("MAP",))[1]
    'Ours minus official by metric and fold. RankBoost: from +0.0000 to +0.0020, mean +0.0010.'
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.style import PALETTE

    figure, panels = plt.subplots(len(methods), 1, figsize=(7.2, 1.5 * len(methods) + 0.9), sharex=True, squeeze=False)
    said = []
    for axes, method in zip(panels[:, 0], methods, strict=True):
        own = both[both["method"] == method]
        for number, (_, group) in enumerate(own.groupby("fold")):
            found = group.groupby("metric")["difference"].agg(["mean", "min", "max"]).reindex(list(metrics)).dropna()
            x = [metrics.index(metric) + 0.13 * (number - 2) for metric in found.index]
            colour = PALETTE[number % len(PALETTE)]
            axes.vlines(x, found["min"], found["max"], color=colour, linewidth=0.8, alpha=0.6)
            axes.plot(x, found["mean"], _MARKS[number % 5], color=colour, markersize=3.2, label=f"fold {number + 1}")
        axes.axhline(0.0, color="#444444", linewidth=0.8)
        axes.set_title(method, fontsize=9, loc="left", pad=2)
        axes.margins(y=0.15)
        gaps = own.groupby(["fold", "metric"])["difference"].mean()
        said.append(f"{method}: from {gaps.min():+.4f} to {gaps.max():+.4f}, mean {gaps.mean():+.4f}")
    last = panels[-1, 0]
    last.set_xticks(range(len(metrics)), labels=list(metrics), rotation=70, fontsize=7)
    panels[0, 0].legend(fontsize=7, ncol=5, loc="lower center", bbox_to_anchor=(0.5, 1.15))
    figure.supylabel("ours minus official", fontsize=9)
    return figure, f"Ours minus official by metric and fold. {'. '.join(said)}."


def what_it_takes(found: pd.DataFrame, methods: tuple[str, ...]) -> tuple[Figure, str]:
    """Draw the mean absolute difference of each variant to the official numbers, one panel per method.

    Parameters
    ----------
    found
        method, variant, mean_gap, equal, numbers.
    methods
        Panels.

    Examples
    --------
    >>> import pandas as pd
    >>> found = pd.DataFrame({"method": "RankBoost", "variant": ["as official", "10 thresholds"],
    ...                       "mean_gap": [0.0002, 0.004], "equal": [124, 4], "numbers": 140})
    >>> what_it_takes(found, ("RankBoost",))[1]
    'Mean absolute difference to the official numbers. RankBoost: as official 0.0002, 10 thresholds 0.0040.'
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.style import PALETTE

    sizes = [int((found["method"] == method).sum()) for method in methods]
    figure, panels = plt.subplots(
        len(methods),
        1,
        figsize=(7.0, 0.27 * sum(sizes) + 0.75 * len(methods)),
        height_ratios=sizes,
        sharex=True,
        squeeze=False,
    )
    said = []
    for number, (axes, method) in enumerate(zip(panels[:, 0], methods, strict=True)):
        own = found[found["method"] == method].sort_values("mean_gap", ascending=False)
        axes.barh(own["variant"], own["mean_gap"], color=PALETTE[number], height=0.6)
        rows = own.to_dict("records")
        for place, row in enumerate(rows):
            axes.annotate(
                f"{row['mean_gap']:.4f}, {row['equal']} of {row['numbers']} equal",
                (row["mean_gap"], place),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
            )
        axes.set_title(method, fontsize=9, loc="left", pad=2)
        axes.tick_params(axis="y", labelsize=8)
        axes.grid(visible=False)
        axes.margins(x=0.36)
        said.append(f"{method}: " + ", ".join(f"{row['variant']} {row['mean_gap']:.4f}" for row in rows[::-1]))
    panels[-1, 0].set_xlabel("mean absolute difference to the official numbers")
    return figure, f"Mean absolute difference to the official numbers. {'. '.join(said)}."
