"""Figures of the chapter on the leaderboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["leaderboard_figure", "spread_figure"]


def spread_figure(spreads: pd.DataFrame) -> tuple[Figure, str]:
    """Draw the deviation that each p-value implies, with the range that rounding leaves open.

    Parameters
    ----------
    spreads
        As :func:`ltrlib.papers.chapelle2011.leaderboard.tables.spreads` returns them.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from ltrlib.papers.chapelle2011.leaderboard.tables import spreads
    >>> figure, alt = spread_figure(spreads())
    >>> alt[:58]
    'Implied standard deviation of the paired ERR differences. '
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, sharey=True, figsize=(8.4, 2.8), width_ratios=[10, 6])
    said = []
    for panel, (track, rows), colour, marker in zip(axes, spreads.groupby("track"), PALETTE, "os", strict=False):
        ends = [rows["spread"] - rows["low"], rows["high"] - rows["spread"]]
        panel.errorbar(rows["pair"], rows["spread"], yerr=ends, fmt=marker, color=colour, capsize=3)
        panel.set(title=f"track {track}", xlabel="positions compared", ylim=(0, 1.2 * spreads["high"].max()))
        panel.tick_params(axis="x", labelsize=8)
        values = ", ".join(f"{pair} {value:.3f}" for pair, value in zip(rows["pair"], rows["spread"], strict=True))
        said.append(f"Track {track}: {values}")
    axes[0].set_ylabel("implied deviation of ERR")
    return figure, f"Implied standard deviation of the paired ERR differences. {'. '.join(said)}."


def leaderboard_figure(board: pd.DataFrame, *, moved: int = 3) -> tuple[Figure, str]:
    """Draw the twenty teams by ERR and NDCG, each with its places by both.

    Parameters
    ----------
    board
        As :func:`ltrlib.papers.chapelle2011.leaderboard.tables.leaderboard` returns it.
    moved
        Teams that move at least so many places are drawn in colour.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from ltrlib.papers.chapelle2011.leaderboard.tables import leaderboard
    >>> figure, alt = leaderboard_figure(leaderboard())
    >>> "yareg (15 to 12)" in alt
    True
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.0, 4.8))
    for team, first, second in zip(board["team"], board["place"], board["place_by_ndcg"], strict=True):
        colour = PALETTE[1] if abs(first - second) >= moved else PALETTE[7]
        axes.plot([0, 1], [first, second], color=colour, marker="o", markersize=4, linewidth=1.4)
        axes.text(-0.03, first, f"{team}  {first}", ha="right", va="center", fontsize=8)
    for place in sorted(set(board["place_by_ndcg"].tolist())):
        teams = ", ".join(board.loc[board["place_by_ndcg"] == place, "team"])
        axes.text(1.03, place, f"{place}  {teams}", ha="left", va="center", fontsize=8)
    axes.set(xlim=(-0.75, 1.75), xticks=[0, 1], xticklabels=["place by ERR", "place by NDCG"], yticks=[])
    axes.invert_yaxis()
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)
    axes.spines["bottom"].set_visible(False)
    far = board[board["moved"].abs() >= moved]
    said = ", ".join(
        f"{t} ({a} to {b})" for t, a, b in zip(far["team"], far["place"], far["place_by_ndcg"], strict=True)
    )
    return figure, f"Places of {len(board)} teams by ERR and by NDCG. Those that move {moved} places or more: {said}."
