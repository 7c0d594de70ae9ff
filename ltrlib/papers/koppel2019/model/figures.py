"""Figures of the chapters on DirectRanker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ltrlib.datasets.container import RankingData
from ltrlib.plots.style import PALETTE
from ltrlib.rankers.directranker import DirectRanker

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["methods_figure", "order_figure"]


def order_figure(ranker: DirectRanker, data: RankingData) -> tuple[Figure, str]:
    """Draw the score g of a ranker that was fitted to items in the plane, with their ranks.

    Parameters
    ----------
    ranker
        Fitted on two features.
    data
        The items; the label is the rank from below.

    Examples
    --------
    >>> from ltrlib.papers.koppel2019.model.tables import items_in_random_order
    >>> import matplotlib.pyplot as plt
    >>> data = items_in_random_order(4)
    >>> figure, alt = order_figure(DirectRanker(hidden=(20,), steps=100).fit(data), data)
    >>> alt[:30]
    'Contours of the learned score '
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(5.6, 4.4))
    low, high = data.features.min(axis=0) - 0.6, data.features.max(axis=0) + 0.6
    across, up = (np.linspace(low[i], high[i], 120, dtype=np.float32) for i in (0, 1))
    grid = np.stack(np.meshgrid(across, up), axis=-1)
    g = ranker.predict(grid.reshape(-1, 2)).reshape(grid.shape[:2])
    filled = axes.contourf(across, up, g, levels=24, cmap="viridis")
    figure.colorbar(filled, ax=axes, label="score g")
    axes.scatter(data.features[:, 0], data.features[:, 1], s=240, color="white", edgecolor="black", zorder=3)
    for (x, y), label in zip(data.features, data.labels, strict=True):
        axes.text(x, y, str(label + 1), ha="center", va="center", fontsize=9, zorder=4)
    axes.set(xlabel="first feature", ylabel="second feature")
    axes.grid(visible=False)
    wrong = int(np.sum(np.diff(ranker.predict(data.features)[np.argsort(data.labels)]) <= 0))
    alt = (
        f"Contours of the learned score over the plane, and {data.n_docs} items with their ranks from 1 (lowest) to "
        f"{data.n_docs}; neighbours in rank lie anywhere in the plane. "
        f"{'Scores rise with the rank from each item to the next.' if not wrong else f'{wrong} steps fall.'}"
    )
    return figure, alt


def methods_figure(table: pd.DataFrame, *, metric: str, random: float) -> tuple[Figure, str]:
    """Draw published and reproduced means with their standard errors, and the level of a random order.

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

    figure, axes = plt.subplots(figsize=(7.0, 3.4))
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
    axes.axhline(random, color="#777777", linestyle="--", linewidth=1, label="random order")
    axes.set_xticks(np.arange(len(methods)), methods)
    axes.set(ylabel=metric)
    axes.grid(visible=False, axis="x")
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    alt = f"{metric} with standard errors over the folds. {' '.join(words)} A random order scores {random:.3f}."
    return figure, alt
