"""Figures of the chapter on what learners are taught by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ltrlib.papers.busafekete2012.teaching.plans import LEARNERS, LESSONS
from ltrlib.papers.busafekete2012.teaching.tables import TITLES, Found
from ltrlib.plots.labels import label_ends
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["changes_figure", "weights_figure"]

_SHORT = {"letor4": "LETOR", "short": "short queries score 0", "yahoo": "YAHOO", "no empty": "without empty queries"}
_MARKS = {"letor4": "o", "short": "s", "yahoo": "^", "no empty": "D"}
_COLOURS = dict(zip(_SHORT, PALETTE, strict=False))


def changes_figure(found: Mapping[str, Found]) -> tuple[Figure, str]:
    """Draw each change with its interval, each sample as a dot, and the margin as a band; a panel per data set.

    Parameters
    ----------
    found
        By the name of the data set.
    """
    import matplotlib.pyplot as plt

    lines = {
        dataset: sorted(
            ((one.learner, one.taught) for one in each.changes),
            key=lambda line: (LEARNERS.index(line[0]), list(_SHORT).index(line[1])),
        )
        for dataset, each in found.items()
    }
    rows = [len(one) for one in lines.values()]
    # One above the other and less than 500 pixels wide, to fit a phone.
    figure, axes = plt.subplots(
        len(found), 1, figsize=(4.6, 0.27 * sum(rows) + 0.9 * len(found)), height_ratios=rows, squeeze=False
    )
    said = []
    for panel, (dataset, each) in zip(axes[:, 0], found.items(), strict=True):
        title, own = TITLES[dataset], lines[dataset]
        panel.axvspan(-each.margin, each.margin, color="#d9d9d9", alpha=0.6, zorder=0, label="margin")
        panel.axvline(0, color="black", linewidth=0.8)
        for one in each.changes:
            place = own.index((one.learner, one.taught))
            jitter = np.random.default_rng(place).uniform(-0.18, 0.18, len(one.by_sample))
            colour = _COLOURS[one.taught]
            panel.scatter(one.by_sample, place + jitter, s=7, color=colour, alpha=0.35, linewidths=0)
            low, high = one.measured.interval()
            panel.plot([low, high], [place, place], color=colour, linewidth=1.6)
            panel.plot(one.value, place, marker=_MARKS[one.taught], color=colour, markersize=7, markeredgecolor="white")
            said.append(f"{title}, {one.learner}, {LESSONS[one.taught]}: {one.value:+.4f} ({low:+.4f} to {high:+.4f})")
        panel.set(xlabel="change of NDCG@10 (RANKLIB)", title=title)
        panel.locator_params(axis="x", nbins=5)
        firsts = {learner: own.index((learner, lesson)) for learner, lesson in reversed(own)}
        names = [f"{who}: {_SHORT[how]}" if firsts[who] == row else _SHORT[how] for row, (who, how) in enumerate(own)]
        panel.set_yticks(range(len(own)), names, fontsize=9)
        panel.set_ylim(len(own) - 0.5, -0.5)
    return figure, "Change of NDCG@10 when taught by another measure than RANKLIB's. " + "; ".join(said) + "."


def weights_figure(weights: pd.DataFrame) -> tuple[Figure, str]:
    """Draw the share of AdaRank's query weight that lies on empty queries, round by round, one line per fold.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> rows = [("ranklib", 1, 1, 0.25), ("ranklib", 1, 2, 0.5), ("yahoo", 1, 1, 0.25), ("yahoo", 1, 2, 0.125)]
    >>> figure, alt = weights_figure(pd.DataFrame(rows, columns=["taught", "fold", "round", "empty"]))
    >>> alt
    'Share of the query weight on empty queries, fold by fold. RANKLIB: 25% to 50%. YAHOO: 25% to 12%.'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.0, 3.4))
    said, lines = [], []
    for (taught, own), colour, dashes in zip(weights.groupby("taught", sort=False), PALETTE, ("-", "--"), strict=False):
        name = LESSONS[str(taught)]
        for _, line in own.groupby("fold"):
            axes.plot(line["round"], line["empty"], dashes, color=colour)
        last = own.sort_values("round").iloc[-1]
        lines.append((last["round"], last["empty"], f"taught by {name}", colour))
        ends = own.sort_values("round").groupby("fold")["empty"].agg(["first", "last"]).mean()
        said.append(f"{name}: {ends['first']:.0%} to {ends['last']:.0%}")
    axes.set(xlabel="round of AdaRank", ylabel="weight on empty queries", ylim=(0, None), xscale="log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    label_ends(axes, lines, fontsize=9)
    return figure, "Share of the query weight on empty queries, fold by fold. " + ". ".join(said) + "."
