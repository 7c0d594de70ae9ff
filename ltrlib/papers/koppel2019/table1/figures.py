"""Figure of the chapter on Table 1 of Köppel et al. (2019)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["methods_figure"]


def methods_figure(table: pd.DataFrame, *, metric: str, random: float) -> tuple[Figure, str]:
    """Draw published and reproduced means with their standard errors; a note tells what a random order scores.

    Parameters
    ----------
    table
        Columns method, source, mean, error.
    metric
        Name of the axis.
    random
        What a random order scores.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> table = pd.DataFrame({"method": ["A", "A"], "source": ["published", "ours"], "mean": [0.7, 0.71],
    ...                       "error": [0.01, 0.01]})
    >>> figure, alt = methods_figure(table, metric="NDCG@10", random=0.5)
    >>> alt
    'NDCG@10 with standard errors over the folds. published: A 0.700. ours: A 0.710. A random order scores 0.500.'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(4.8, 3.0))
    methods = list(dict.fromkeys(table["method"]))
    sources = list(dict.fromkeys(table["source"]))
    words = []
    for number, source in enumerate(sources):
        rows = table[table["source"] == source].set_index("method").reindex(methods)
        at = np.arange(len(methods)) + (number - (len(sources) - 1) / 2) * 0.16
        axes.errorbar(
            at, rows["mean"], rows["error"], fmt="os^D"[number % 4], color=PALETTE[number], capsize=3, label=source
        )
        shown = ", ".join(f"{method} {mean:.3f}" for method, mean in rows["mean"].dropna().items())
        words.append(f"{source}: {shown}.")
    # A line down there would take most of the figure.
    axes.annotate(f"a random order scores {random:.3f} (not shown)", (0.01, 0.03), xycoords="axes fraction", fontsize=9)
    axes.set_xticks(np.arange(len(methods)), methods, fontsize=9)
    axes.set(ylabel=metric)
    axes.grid(visible=False, axis="x")
    axes.margins(y=0.15)
    axes.legend(fontsize=9, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2)
    alt = f"{metric} with standard errors over the folds. {' '.join(words)} A random order scores {random:.3f}."
    return figure, alt
