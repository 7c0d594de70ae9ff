"""Figures of the chapter on the oracle and the signed lesson."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ltrlib.claims.cells import Measured
from ltrlib.papers.chapelle2011.challenge import NAMES
from ltrlib.papers.chapelle2011.oracle.gains import printed_gain, small_gap
from ltrlib.papers.chapelle2011.oracle.plans import GROUPS
from ltrlib.papers.chapelle2011.oracle.tables import Gains
from ltrlib.plots.style import PALETTE
from ltrlib.published.tables import load_paper

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["gains_figure", "signed_figure"]


def gains_figure(gains: Gains) -> tuple[Figure, str]:
    """Draw the oracle's gain over each group, with the printed one as a line; a panel per data set."""
    import matplotlib.pyplot as plt

    printed = printed_gain(load_paper("chapelle2011"))
    # One above the other and less than 500 pixels wide, to fit a phone.
    figure, axes = plt.subplots(len(gains), 1, figsize=(4.6, 2.1 * len(gains) + 0.5), sharex=True, squeeze=False)
    said = [f"printed: {printed:.1%}"]
    for panel, (dataset, groups) in zip(axes[:, 0], gains.items(), strict=True):
        panel.axvline(printed, color="black", linestyle="--", linewidth=1)
        for place, (group, found) in enumerate(groups.items()):
            colour = PALETTE[1] if group == "rankers" else PALETTE[0]
            low, high = found.measured.interval()
            panel.plot([low, high], [place, place], color=colour, linewidth=1.6)
            mark = "D" if group == "rankers" else "o"
            panel.plot(found.gain, place, mark, color=colour, markersize=7, markeredgecolor="white")
            said.append(f"{NAMES[dataset]}, {GROUPS[group]}: {found.gain:.1%} ({low:.1%} to {high:.1%})")
        panel.set_yticks(
            range(len(groups)), [GROUPS[group].replace(", each from ", ",\neach from ") for group in groups], fontsize=9
        )
        panel.set_title(NAMES[dataset], fontsize=10)
        panel.set_ylim(len(groups) - 0.5, -0.5)
    axes[0][0].set_xlim(0, None)
    axes[0][0].xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes[-1][0].set_xlabel(f"oracle's gain in ERR (dashed: {printed:.1%}, the paper's)", loc="right")
    return figure, "What an oracle gains over the best member of each group. " + "; ".join(said) + "."


def signed_figure(found: Mapping[str, Mapping[str, Measured]]) -> tuple[Figure, str]:
    """Draw what ranking losses gain with each class of functions, with the margin as a band; a panel per data set."""
    import matplotlib.pyplot as plt

    gap, said = small_gap(load_paper("chapelle2011")), []
    titles = {"linear": "linear", "trees": "trees", "difference": "linear less trees"}
    figure, axes = plt.subplots(1, len(found), figsize=(8.2, 2.4), sharey=True)
    for panel, (dataset, gains) in zip(axes, found.items(), strict=True):
        margin = gap * gains["level"].value
        panel.axvspan(-margin, margin, color="#d9d9d9", alpha=0.6, zorder=0)
        panel.axvline(0, color="black", linewidth=0.8)
        for place, (name, title) in enumerate(titles.items()):
            low, high = gains[name].interval()
            panel.plot([low, high], [place, place], color=PALETTE[place], linewidth=1.6)
            panel.plot(gains[name].value, place, "o", color=PALETTE[place], markersize=7, markeredgecolor="white")
            said.append(f"{NAMES[dataset]}, {title}: {gains[name].value:+.4f} ({low:+.4f} to {high:+.4f})")
        panel.set_yticks(range(len(titles)), list(titles.values()), fontsize=9)
        panel.set(title=NAMES[dataset], xlabel="gain over squared loss, NDCG@10", ylim=(len(titles) - 0.5, -0.5))
    return figure, "What ranking losses gain over squared loss. " + "; ".join(said) + "."
