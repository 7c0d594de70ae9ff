"""Figure of the chapter on the model of Köppel et al. (2019)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ltrlib.datasets.container import RankingData
    from ltrlib.rankers.directranker import DirectRanker

__all__ = ["order_figure"]


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
    >>> import matplotlib.pyplot as plt
    >>> from ltrlib.papers.koppel2019.model.live import items_in_random_order
    >>> from ltrlib.rankers import DirectRanker
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
    places = data.features.astype(np.float64)
    axes.scatter(places[:, 0], places[:, 1], s=22, color="white", edgecolor="black", zorder=3)
    for here, label in zip(places, data.labels, strict=True):
        # The number stands on the side away from the nearest other item, so that no two overlap.
        away = here - min((other for other in places if (other != here).any()), key=lambda p: np.hypot(*(p - here)))
        axes.annotate(
            str(label + 1),
            here,
            13 * away / np.hypot(*away),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=9,
            color="black",
            bbox={"boxstyle": "circle,pad=0.15", "facecolor": "white", "edgecolor": "none"},
            zorder=4,
        )
    axes.set(xlabel="first feature", ylabel="second feature")
    axes.grid(visible=False)
    wrong = int(np.sum(np.diff(ranker.predict(data.features)[np.argsort(data.labels)]) <= 0))
    alt = (
        f"Contours of the learned score over the plane, and {data.n_docs} items with their ranks from 1 (lowest) to "
        f"{data.n_docs}; neighbours in rank lie anywhere in the plane. "
        f"{'Scores rise with the rank from each item to the next.' if not wrong else f'{wrong} steps fall.'}"
    )
    return figure, alt
