"""Figures of the chapter on the rankers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["cost_growth", "epoch_curves"]


def epoch_curves(curves: pd.DataFrame, *, reference: Mapping[str, float]) -> tuple[Figure, str]:
    """Draw the test metric over the epochs of a training, for several outputs and step sizes.

    Parameters
    ----------
    curves
        output, rate, fold, seed, epoch, test.
    reference
        Horizontal lines to compare with, by their names.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"output": "linear", "rate": 1e-5, "fold": 1, "seed": 1, "epoch": [1, 10],
    ...                       "test": [0.4, 0.45]})
    >>> epoch_curves(table, reference={"RankLib": 0.485})[1]
    'Test NDCG@10 over the epochs. Linear output, rate 0.00001: 0.4000 after 1, 0.4500 after 10. RankLib: 0.4850.'
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.style import PALETTE

    figure, axes = plt.subplots(figsize=(7.4, 3.8))
    said = []
    for number, ((output, rate), group) in enumerate(curves.groupby(["output", "rate"])):
        by_seed = group.groupby(["epoch", "seed"])["test"].mean().unstack()
        mean, colour = by_seed.mean(axis=1), PALETTE[number]
        name = f"{output} output, rate {rate:.7f}".rstrip("0")
        axes.plot(mean.index, mean, color=colour, marker="osD^"[number], markersize=4, label=name)
        axes.fill_between(mean.index, by_seed.min(axis=1), by_seed.max(axis=1), color=colour, alpha=0.2, linewidth=0)
        first, last = mean.index[0], mean.index[-1]
        said.append(f"{name.capitalize()}: {mean.iloc[0]:.4f} after {first}, {mean.iloc[-1]:.4f} after {last}")
    for (name, value), dashes in zip(reference.items(), ("--", ":", "-."), strict=False):
        axes.axhline(value, color="#444444", linestyle=dashes, linewidth=1.2, label=name)
        said.append(f"{name}: {value:.4f}")
    axes.set(xscale="log", xlabel="epochs", ylabel="test NDCG@10")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,g}")
    axes.legend(fontsize=8)  # the curves end together: names at their ends would not fit
    return figure, f"Test NDCG@10 over the epochs. {'. '.join(said)}."


def cost_growth(growth: pd.DataFrame) -> tuple[Figure, str]:
    """Draw the time of each ranker over the number of documents, with a line for proportional growth.

    Parameters
    ----------
    growth
        ranker, documents, cpu_seconds.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"ranker": "AdaRank", "documents": [1000, 2000], "cpu_seconds": [1.0, 2.0]})
    >>> cost_growth(table)[1]
    'Processor time over documents. AdaRank: 1.00 s for 1,000, 2.00 s for 2,000.'
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.labels import label_ends
    from ltrlib.plots.style import PALETTE

    figure, axes = plt.subplots(figsize=(7.4, 4.2))
    said, lines = [], []
    for number, (name, group) in enumerate(growth.groupby("ranker", sort=False)):
        colour, mark = PALETTE[number % len(PALETTE)], "osD^vPX*"[number % 8]
        axes.plot(group["documents"], group["cpu_seconds"], color=colour, marker=mark)
        ends = (group.iloc[0], group.iloc[-1])
        lines.append((ends[1]["documents"], ends[1]["cpu_seconds"], str(name), colour))
        said.append(f"{name}: " + ", ".join(f"{one['cpu_seconds']:.2f} s for {one['documents']:,.0f}" for one in ends))
    least, most = growth["documents"].min(), growth["documents"].max()
    lowest = growth["cpu_seconds"].min() * 0.6
    axes.plot([least, most], [lowest, lowest * most / least], color="#666666", linestyle=":")
    lines.append((most, lowest * most / least, "proportional", "#666666"))
    axes.set(xscale="log", yscale="log", xlabel="documents", ylabel="processor time, s")
    sizes = sorted(growth["documents"].unique())
    axes.set_xticks(sizes, labels=[f"{size:,}" for size in sizes])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.minorticks_off()
    label_ends(axes, lines)
    return figure, f"Processor time over documents. {'. '.join(said)}."
