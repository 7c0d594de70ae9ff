"""Figures of the chapter on the same features for all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import pandas as pd

from ltrlib.claims.cells import Measured
from ltrlib.papers.koppel2019.features.comparisons import printed_error
from ltrlib.papers.koppel2019.features.plans import DATASETS, METHODS
from ltrlib.papers.koppel2019.features.tables import PROTOCOL, SHORT, TITLES, forms_of
from ltrlib.plots.style import PALETTE
from ltrlib.published.tables import load_paper

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ltrlib.records.record import Record

__all__ = ["means_figure", "pairs_figure", "show_means"]

_MARKS = dict(zip(METHODS, ("o", "s", "^"), strict=True))


def means_figure(runs: pd.DataFrame) -> tuple[Figure, str]:
    """Draw NDCG@10 of each network on each form of the features: every seed, and their mean; a panel per data set.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> rows = [(m, "raw", d, 1, s, 10, 0.5) for m in METHODS for d in DATASETS for s in (0, 1)]
    >>> table = pd.DataFrame(rows, columns=["method", "form", "dataset", "split", "seed", "queries", "ndcg"])
    >>> figure, alt = means_figure(table)
    >>> alt.split(";")[0]
    'NDCG@10 of three networks by form of the features. MQ2008, raw: DirectRanker 0.500'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(DATASETS), figsize=(7.6, 3.9))
    said = []
    forms = forms_of(runs)
    weighted = runs.assign(total=runs["ndcg"] * runs["queries"])
    sums = weighted.groupby(["dataset", "form", "method", "seed"])[["total", "queries"]].sum()
    values = sums["total"] / sums["queries"]
    for panel, dataset in zip(axes, DATASETS, strict=True):
        for place, form in enumerate(forms):
            for shift, (method, colour) in enumerate(zip(METHODS, PALETTE, strict=False)):
                own = values[dataset, form, method]
                x = place + 0.22 * (shift - 1)
                panel.scatter([x] * len(own), own, s=10, color=colour, alpha=0.4, linewidths=0)
                label = method if place == 0 else None
                panel.plot(
                    x, own.mean(), _MARKS[method], color=colour, markersize=8, markeredgecolor="white", label=label
                )
                said.append(f"{TITLES[dataset]}, {SHORT[form]}: {method} {own.mean():.3f}")
        panel.set_xticks(range(len(forms)), [SHORT[form].replace(" ", "\n") for form in forms])
        panel.set(title=TITLES[dataset], ylabel="NDCG@10")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, fontsize=9, loc="outside upper left", ncols=len(METHODS))
    return figure, "NDCG@10 of three networks by form of the features. " + "; ".join(said) + "."


def show_means(show_figure: Callable[..., None], found: Mapping[str, Record]) -> None:
    """Show the networks on each form of the features, if they are recorded."""
    if "runs" in found:
        figure, alt = means_figure(found["runs"].table)
        caption = (
            "NDCG@10 of three networks by the form of their features, under the paper's protocol. "
            "Small marks: seeds. Large: their mean. The two panels have different scales."
        )
        name = "fig-koppel2019-same-features"
        show_figure(figure, name=name, caption=caption, alt=alt, on=found["runs"], convention=PROTOCOL)


def pairs_figure(changes: Mapping[tuple[str, str], Measured]) -> tuple[Figure, str]:
    """Draw what each other choice of pairs or output changes, with the margin as a band; a panel per data set."""
    import matplotlib.pyplot as plt

    paper, said = load_paper("koppel2019"), []
    figure, axes = plt.subplots(1, len(DATASETS), figsize=(7.6, 2.6), sharey=True)
    for panel, dataset in zip(axes, DATASETS, strict=True):
        margin = printed_error(paper, dataset)
        panel.axvspan(-margin, margin, color="#d9d9d9", alpha=0.6, zorder=0)
        panel.axvline(0, color="black", linewidth=0.8)
        panel.locator_params(axis="x", nbins=5)
        own = [(other, change) for (where, other), change in changes.items() if where == dataset]
        for place, (other, change) in enumerate(own):
            low, high = change.interval()
            panel.plot([low, high], [place, place], color=PALETTE[place], linewidth=1.6)
            panel.plot(change.value, place, "o", color=PALETTE[place], markersize=7, markeredgecolor="white")
            said.append(f"{TITLES[dataset]}, {other}: {change.value:+.4f} ({low:+.4f} to {high:+.4f})")
        panel.set_yticks(range(len(own)), [other for other, _ in own])
        panel.set(title=TITLES[dataset], xlabel="change of NDCG@10")
    axes[0].set_ylim(len(own) - 0.5, -0.5)
    return figure, "Change of DirectRanker's NDCG@10 against the authors' pairs and output. " + "; ".join(said) + "."
