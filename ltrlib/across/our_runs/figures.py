"""Figures of our own runs: NWN with intervals over queries, bagplots, ranks under conventions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ltrlib.across.our_runs.tables import Bootstrap
from ltrlib.comparison.bagplot import bagplot
from ltrlib.comparison.drawing import draw_bagplot
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["bagplots", "interval_figure", "rank_figure", "standing_figure"]

_NDCG = ("NDCG@3", "NDCG@5", "NDCG@10")


def interval_figure(standings: pd.DataFrame) -> tuple[Figure, str]:
    """Draw each method's NWN with its interval, the highest on top.

    Parameters
    ----------
    standings
        As :func:`ltrlib.across.our_runs.tables.standings` returns them.

    Examples
    --------
    >>> table = pd.DataFrame({"method": ["A", "B"], "nwn": [0.8, 0.2], "low": [0.7, 0.1], "high": [0.9, 0.3]})
    >>> interval_figure(table)[1]
    'NWN with 95 % intervals over queries: A 0.800 (0.700 to 0.900), B 0.200 (0.100 to 0.300).'
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.0, 0.5 + 0.32 * len(standings)))
    places = np.arange(len(standings))[::-1]
    axes.hlines(places, standings["low"], standings["high"], color=PALETTE[0], linewidth=3, alpha=0.5)
    axes.plot(standings["nwn"], places, "o", color=PALETTE[0])
    axes.set_yticks(places, standings["method"].tolist())
    axes.set(xlabel="NWN over all data sets and metrics", xlim=(-0.02, 1.02))
    rows = standings[["method", "nwn", "low", "high"]].itertuples(index=False, name=None)
    parts = ", ".join(f"{method} {nwn:.3f} ({low:.3f} to {high:.3f})" for method, nwn, low, high in rows)
    return figure, f"NWN with 95 % intervals over queries: {parts}."


def bagplots(sampled: Bootstrap, methods: list[str], *, samples: int = 100) -> tuple[Figure, str]:
    """Draw one bagplot per method: NWN at the NDCG metrics against NWN at MAP, over the samples.

    Parameters
    ----------
    sampled
        Resampled winning numbers.
    methods
        Which ones; four are readable.
    samples
        How many of the samples are drawn; more cost more and show no more.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> sampled = Bootstrap(("A", "B"), ("d",), rng.random((50, 1, 2, 4)))
    >>> bagplots(sampled, ["A", "B"])[1][:62]
    'Bagplots over 50 samples of queries, NWN at NDCG and at MAP: A'
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 5.0))
    across, up = sampled.over(_NDCG)[:samples], sampled.over(["MAP"])[:samples]
    centres = []
    for method, colour in zip(methods, PALETTE, strict=False):
        place = sampled.methods.index(method)
        drawn = bagplot(np.column_stack([across[:, place], up[:, place]]))
        draw_bagplot(drawn, axes, label=method, color=colour)
        centres.append(f"{method} around ({drawn.center[0]:.2f}, {drawn.center[1]:.2f})")
    axes.set(xlabel="NWN at NDCG@3, NDCG@5 and NDCG@10", ylabel="NWN at MAP")
    axes.legend(fontsize=8, loc="lower right")
    return figure, f"Bagplots over {len(up)} samples of queries, NWN at NDCG and at MAP: {', '.join(centres)}."


def standing_figure(points: pd.DataFrame) -> tuple[Figure, str]:
    """Draw NWN against IWN with the Pareto front and the user's methods labelled, for print.

    Parameters
    ----------
    points
        As :meth:`ltrlib.across.standing.standing.Standing.points` returns them.

    Examples
    --------
    >>> points = pd.DataFrame({"method": ["A", "Mine (yours)"], "certainty": [8, 4], "nwn": [0.2, 0.9],
    ...                        "family": ["published", "yours"], "rank": [1, 1]})
    >>> standing_figure(points)[1]
    'NWN against IWN of 2 methods. Yours: Mine (yours) (4, 0.9000). Pareto front: A, Mine (yours).'
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.labels import place_labels

    figure, axes = plt.subplots(figsize=(7.4, 5.0))
    for kind, marker, colour, size in (("published", "o", 0, 30), ("our runs", "s", 2, 30), ("yours", "*", 1, 160)):
        rows = points[points["family"] == kind]
        axes.scatter(rows["certainty"], rows["nwn"], marker=marker, s=size, color=PALETTE[colour], label=kind)
    front = points[points["rank"] == 1].sort_values("certainty")
    axes.plot(front["certainty"], front["nwn"], color="#777777", linewidth=0.9, linestyle="--", zorder=0)
    axes.set(xlabel="IWN", ylabel="NWN", ylim=(-0.06, 1.12))
    axes.margins(x=0.1)
    axes.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    named = points[(points["rank"] == 1) | (points["family"] == "yours")]
    labels = named["method"].tolist()
    place_labels(axes, named["certainty"].tolist(), named["nwn"].tolist(), labels, [8.5] * len(labels))
    mine = points[points["family"] == "yours"][["method", "certainty", "nwn"]].itertuples(index=False, name=None)
    yours = ", ".join(f"{method} ({certainty:g}, {nwn:.4f})" for method, certainty, nwn in mine)
    optima = ", ".join(sorted(front["method"]))
    return figure, f"NWN against IWN of {len(points)} methods. Yours: {yours}. Pareto front: {optima}."


def rank_figure(ranks: pd.DataFrame) -> tuple[Figure, str]:
    """Draw the rank of each method under each convention, a line per method.

    Parameters
    ----------
    ranks
        One row per method (the index), one column per convention; 1 is best.

    Examples
    --------
    >>> figure, alt = rank_figure(pd.DataFrame({"letor4": [1.0, 2.0], "yahoo": [2.0, 1.0]}, index=["A", "B"]))
    >>> alt
    'Rank of 2 methods by NWN under 2 conventions. Methods whose rank changes: A, B.'
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8.0, 0.8 + 0.36 * len(ranks)))
    places = np.arange(ranks.shape[1])
    moving = [method for method in ranks.index if ranks.loc[method].nunique() > 1]
    for number, method in enumerate(ranks.index):
        moves = method in moving
        colour = PALETTE[number % 6] if moves else "#999999"
        marker = "osD^vP"[number % 6]
        axes.plot(places, ranks.loc[method], color=colour, marker=marker, linewidth=1.8 if moves else 1.0, markersize=5)
    for rank, alike in ranks.iloc[:, -1].groupby(ranks.iloc[:, -1]):
        end, names = (float(places[-1]), float(str(rank))), ", ".join(map(str, alike.index))
        axes.annotate(names, end, (7, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set_xticks(places, [str(column) for column in ranks.columns], rotation=30, ha="right", fontsize=8)
    axes.set(ylabel="rank by NWN")
    axes.invert_yaxis()
    axes.set_xlim(-0.3, places[-1] + 3.4)
    names = ", ".join(map(str, moving)) or "none"
    return (
        figure,
        f"Rank of {len(ranks)} methods by NWN under {ranks.shape[1]} conventions. Methods whose rank changes: {names}.",
    )
