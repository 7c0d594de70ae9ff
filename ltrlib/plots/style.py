"""One look for every figure: readable in print, on a phone, for colour-blind readers, in dark mode."""

from __future__ import annotations

import matplotlib as mpl
import matplotlib.pyplot as plt
import seaborn as sns

__all__ = ["ON_COLOUR", "PALETTE", "apply"]

# Okabe & Ito (2008): distinguishable with every common kind of colour blindness.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#999999")

ON_COLOUR = "#fffffe"
"""White on a coloured field, which stays white in dark mode, where the greys of a figure are turned round."""


def apply() -> None:
    """Set matplotlib's defaults for the book.

    Greys and black text become the page's own when a figure is drawn into it (:mod:`ltrlib.book.svg`).

    Examples
    --------
    >>> apply()
    >>> mpl.rcParams["svg.fonttype"]
    'none'
    """
    sns.set_theme(context="notebook", style="whitegrid", palette=list(PALETTE))
    mpl.rcParams.update(
        {
            "figure.figsize": (7.0, 4.2),
            "figure.dpi": 110,
            "figure.constrained_layout.use": True,
            "savefig.facecolor": "white",
            "font.size": 10,
            "axes.titlesize": 11,
            "axes.labelsize": 10,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "grid.color": "#e3e3e3",
            "legend.frameon": False,
            "svg.fonttype": "none",
            "svg.hashsalt": "ltrlib",
        }
    )
    plt.close("all")
