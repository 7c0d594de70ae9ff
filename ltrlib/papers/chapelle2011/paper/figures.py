"""The figure of the page on the whole paper: Table 3 beside the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ltrlib.papers.chapelle2011.paper.counted import label_range
from ltrlib.plots.style import PALETTE
from ltrlib.published.tables import Paper, load_paper

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["label_shares", "swapped_figure"]


def label_shares(paper: Paper | None = None) -> pd.DataFrame:
    """Shares of the labels: as printed under both headings, and in the files of Set 1, with what one file leaves open.

    Examples
    --------
    >>> label_shares().columns.tolist()
    ['grade', 'set1', 'set2', 'counted', 'low', 'high']
    """
    import pandas as pd

    paper = paper or load_paper("chapelle2011")
    table = paper["table3"]
    rows = []
    for label in table.rows:
        share = label_range(paper, label)
        printed = (table.number(label, column).value for column in ("set1", "set2"))
        rows.append((table.text(label, "grade"), *printed, share.value, share.low, share.high))
    return pd.DataFrame(rows, columns=["grade", "set1", "set2", "counted", "low", "high"])


def swapped_figure(shares: pd.DataFrame) -> tuple[Figure, str]:
    """Draw each label's share as printed under SET 1 and under SET 2, and as counted in the files of Set 1.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, alt = swapped_figure(label_shares())
    >>> "Perfect: printed 1.7% and 1.9%, counted 1.9%" in alt
    True
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.4, 2.9))
    rows = range(len(shares))
    ends = [shares["counted"] - shares["low"], shares["high"] - shares["counted"]]
    axes.errorbar(
        shares["counted"],
        rows,
        xerr=ends,
        fmt="none",
        ecolor=PALETTE[5],
        elinewidth=7,
        alpha=0.6,
        label="possible for Set 1, by two counted files",
    )
    axes.plot(shares["set1"], rows, "X", color=PALETTE[1], markersize=9, linestyle="none", label="printed under SET 1")
    axes.plot(shares["set2"], rows, "o", color=PALETTE[0], markersize=8, linestyle="none", label="printed under SET 2")
    axes.set(xlabel="share of the documents", yticks=list(rows), yticklabels=shares["grade"], xlim=(0, 0.55))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_ylim(len(shares) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower left", ncols=2, fontsize=9)
    said = "; ".join(
        f"{one.grade}: printed {one.set1:.1%} and {one.set2:.1%}, counted {one.counted:.1%}"
        for one in shares.itertuples()
    )
    return figure, f"Shares of the labels under SET 1 and SET 2, and counted in the files of Set 1. {said}."
