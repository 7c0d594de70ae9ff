"""Figure of the chapter on the model of Köppel et al. (2019)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ltrlib.datasets.container import RankingData
    from ltrlib.rankers.directranker import DirectRanker

__all__ = ["order_figure"]

_STEPS = 12
_STRONGEST = 0.9


def order_figure(ranker: DirectRanker, data: RankingData) -> tuple[Figure, str]:
    """Draw the score g of a ranker that was fitted to items in the plane, with their ranks.

    One colour over the ground of the page, stronger where the score is higher: it reads alike in light and dark.

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
    from matplotlib.colors import to_rgba
    from matplotlib.ticker import MaxNLocator

    figure, (axes, scale) = plt.subplots(1, 2, figsize=(4.7, 3.7), gridspec_kw={"width_ratios": (1, 0.05)})
    low, high = data.features.min(axis=0) - 0.6, data.features.max(axis=0) + 0.6
    across, up = (np.linspace(low[i], high[i], 90, dtype=np.float32) for i in (0, 1))
    grid = np.stack(np.meshgrid(across, up), axis=-1)
    g = ranker.predict(grid.reshape(-1, 2)).reshape(grid.shape[:2])
    levels = MaxNLocator(_STEPS).tick_values(float(g.min()), float(g.max()))
    colours = [to_rgba(PALETTE[0], strength) for strength in np.linspace(0.0, _STRONGEST, len(levels) - 1)]
    axes.contourf(across, up, g, levels=levels, colors=colours)
    axes.contour(across, up, g, levels=levels, colors="#808080", linewidths=0.5, linestyles="-")
    # A colour bar of matplotlib is a mesh, which would give the whole figure a light card.
    scale.bar(0, np.diff(levels), bottom=levels[:-1], width=1, color=colours, edgecolor="#808080", linewidth=0.5)
    scale.set(xticks=[], xlim=(-0.5, 0.5), ylim=(levels[0], levels[-1]), ylabel="score g")
    scale.yaxis.tick_right()
    scale.yaxis.set_label_position("right")
    scale.grid(visible=False)
    scale.spines[:].set_visible(False)
    places = data.features.astype(np.float64)
    axes.scatter(places[:, 0], places[:, 1], s=22, color="white", edgecolor="black", zorder=3)
    for here, label in zip(places, data.labels, strict=True):
        # The number stands on the side away from the other items, the nearest above all, so that no two overlap.
        apart = here - places[(places != here).any(axis=1)]
        away = (apart / np.hypot(*apart.T)[:, None] ** 3).sum(axis=0)
        axes.annotate(
            str(label + 1),
            here,
            13 * away / np.hypot(*away),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=9,
            color="#1a1a1a",  # pure black is left out of an SVG, and could not be turned round
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
