"""Figures of our own runs: NWN with intervals over queries, and bagplots."""

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

__all__ = ["bagplots", "interval_figure"]

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
