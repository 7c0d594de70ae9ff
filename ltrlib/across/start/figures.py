"""Pictures of the pages for beginners."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from ltrlib.across.start.example import DOCUMENTS, LABELS, SCORES
from ltrlib.plots.style import PALETTE
from ltrlib.published.names import name

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["folds_figure", "ranking_figure", "ways_figure"]

_SHADES = ("#e2e6ea", "#9ecae1", "#0a5f96")
_INK, _LIGHT = "#0b1a28", "#f5faff"
"""No greys: those follow the page's light and dark, and would leave the fields on which they stand."""


def ranking_figure() -> tuple[Figure, str]:
    """The made-up query as its ranker orders it, and the best order below; the bluer, the more relevant."""
    ranked = [int(at) for at in np.argsort(-np.array(SCORES), kind="stable")]
    best = [int(at) for at in np.argsort(-np.array(LABELS), kind="stable")]
    figure, panels = plt.subplots(2, 1, figsize=(4.7, 4.4))
    for axes, order, title in zip(panels, (ranked, best), ("the ranker's order", "the best order"), strict=True):
        for rank, at in enumerate(order):
            axes.barh(rank, 1, color=_SHADES[LABELS[at]], height=0.85)
            colour = _LIGHT if LABELS[at] == 2 else _INK
            axes.text(0.02, rank, f"{rank + 1}  {DOCUMENTS[at]}  (label {LABELS[at]})", va="center", color=colour)
        axes.invert_yaxis()
        axes.set_axis_off()
        axes.set_title(title, loc="left")
    labels = ", ".join(str(LABELS[at]) for at in ranked)
    return figure, f"Six documents in the order of a ranker, with labels {labels} from the top, and the best order."


def ways_figure(table: pd.DataFrame) -> tuple[Figure, str]:
    """Test NDCG@10 of the three ways to learn, with 95% intervals over queries, and of a random order."""
    figure, axes = plt.subplots(figsize=(4.7, 2.2))
    places = np.arange(len(table))
    axes.errorbar(table["NDCG@10"], places, xerr=table["half"], fmt="o", color=PALETTE[0], capsize=4)
    names = ["" if ranker == "random" else _called(ranker) for ranker in table["ranker"]]
    for place, (value, ranker) in enumerate(zip(table["NDCG@10"], names, strict=True)):
        axes.annotate(ranker, (value, place), (0, 5), textcoords="offset points", ha="center", va="bottom", fontsize=9)
    axes.set_yticks(places, list(table["way"]))
    axes.set_ylim(len(table) - 0.6, -0.6)
    axes.set_xlabel("NDCG@10 on the test queries")
    values = "; ".join(
        f"{way}{f' ({ranker})' if ranker else ''} {value:.3f}"
        for way, ranker, value in zip(table["way"], names, table["NDCG@10"], strict=True)
    )
    return figure, f"NDCG@10 with 95% intervals: {values}."


def folds_figure(table: pd.DataFrame) -> tuple[Figure, str]:
    """The difference between two rankers on each fold and on all, with 95% intervals."""
    figure, axes = plt.subplots(figsize=(4.7, 2.4))
    places = np.arange(len(table))
    half = table["±"]
    axes.errorbar(table["difference"], places, xerr=half, fmt="o", color=PALETTE[0], capsize=4)
    axes.axvline(0, color="#555555", linewidth=1)
    axes.set_yticks(places, list(table["test part"]))
    axes.invert_yaxis()
    first, second = table.columns[2], table.columns[3]
    axes.set_xlabel(f"NDCG@10 of {_called(first)} minus that of {_called(second)}")
    last = table.iloc[-1]
    return figure, (
        f"Differences of five folds, and of all together: {last['difference']:+.4f} "
        f"with an interval of plus or minus {last['±']:.4f}."
    )


def _called(ranker: str) -> str:
    """Display name of a ranker of these pages."""
    return name("method", ranker.lower())
