"""Who is on a Pareto front, by what is left out: one picture for many fronts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["front_grid"]


def front_grid(fronts: pd.DataFrame, short: Mapping[str, str], *, axis: str = "left out") -> tuple[Figure, str]:
    """Draw who is on the Pareto front, by what is left out.

    Parameters
    ----------
    fronts
        One row per thing left out, one column per method; whether it is on the front.
    short
        Short names of the rows.
    axis
        What the rows are.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, alt = front_grid(pd.DataFrame({"A": [True, False]}, index=["nothing", "d"]), {"d": "D"})
    >>> alt
    'Who is on the front, by what is left out. A: not without D.'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.style import PALETTE

    rows, columns = fronts.shape
    names = [short.get(name, name) for name in fronts.index]
    longest = max(map(len, [*names, axis]))
    figure, axes = plt.subplots(figsize=(0.24 * columns + 0.065 * longest + 0.5, 0.26 * rows + 1.4))
    for row in range(0, rows, 2):
        axes.axhspan(row - 0.5, row + 0.5, color="#e3e3e3", alpha=0.4, linewidth=0, zorder=0)
    on_front = fronts.to_numpy(dtype=bool)
    for marker, size, colour, wanted in (("s", 105, PALETTE[0], on_front), (".", 10, "#999999", ~on_front)):
        y, x = np.nonzero(wanted)
        axes.scatter(x, y, marker=marker, s=size, color=colour, linewidths=0)
    axes.set_xticks(range(columns), list(fronts.columns), rotation=60, ha="left", rotation_mode="anchor", fontsize=9)
    axes.set_yticks(range(rows), names, fontsize=9)
    axes.set(xlim=(-0.6, columns - 0.4), ylim=(rows - 0.5, -0.5))
    axes.xaxis.tick_top()
    axes.grid(visible=False)
    axes.tick_params(which="both", length=0)
    axes.annotate(axis, (0, 1), (-7, 5), "axes fraction", "offset points", ha="right", fontsize=9, fontstyle="italic")
    for spine in axes.spines.values():
        spine.set_visible(False)
    described = []
    for method in fronts.columns:
        off = [name for name, on in zip(names, fronts[method], strict=True) if not on]
        words = "always" if not off else f"not without {', '.join(off)}"
        if 2 * len(off) > rows:
            words = f"only without {', '.join(name for name in names if name not in off)}"
        described.append(f"{method}: {words}.")
    return figure, f"Who is on the front, by what is left out. {' '.join(described)}"
