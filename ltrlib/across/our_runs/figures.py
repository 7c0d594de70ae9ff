"""The figure of our own runs: NWN with intervals over queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["interval_figure"]


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
    'NWN with 95% intervals over queries: A 0.800 (0.700 to 0.900), B 0.200 (0.100 to 0.300).'
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(4.8, 0.7 + 0.32 * len(standings)))
    places = np.arange(len(standings))[::-1]
    axes.hlines(places, standings["low"], standings["high"], color=PALETTE[0], linewidth=3, alpha=0.5)
    axes.plot(standings["nwn"], places, "o", color=PALETTE[0])
    axes.set_yticks(places, standings["method"].tolist())
    axes.set(xlabel="NWN over all data sets and metrics", xlim=(-0.02, 1.02))
    rows = standings[["method", "nwn", "low", "high"]].itertuples(index=False, name=None)
    parts = ", ".join(f"{method} {nwn:.3f} ({low:.3f} to {high:.3f})" for method, nwn, low, high in rows)
    return figure, f"NWN with 95% intervals over queries: {parts}."
