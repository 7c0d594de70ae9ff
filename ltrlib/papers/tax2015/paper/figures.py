"""Figures 1 to 5 as the paper has them, with the fronts that its text names and those that follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from ltrlib.papers.tax2015.b6 import METRICS
from ltrlib.papers.tax2015.counted import print_of
from ltrlib.papers.tax2015.pareto.tables import FIGURES, MARKS, marked_points
from ltrlib.plots.labels import place_labels
from ltrlib.plots.style import PALETTE
from ltrlib.published.tables import load_paper

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["compared_fronts", "front_points", "misprinted_points", "points_of_metrics"]

_LOOKS = dict(
    zip(
        MARKS, (("D", PALETTE[0], 34), ("o", PALETTE[1], 40), ("X", PALETTE[3], 44), (".", PALETTE[7], 16)), strict=True
    )
)

_TITLES = {what: f"{figure}: {what}" for what, (_, figure, _) in FIGURES.items()}
_LABEL_SIZE = 8.5
_MISPRINT = "as misprinted in Table B.6"


def front_points(what: str) -> pd.DataFrame:
    """Return the points of a figure, each with its mark.

    Parameters
    ----------
    what
        A key of `FIGURES`.

    Returns
    -------
    DataFrame
        figure, method, certainty, nwn, mark (a key of `MARKS`).

    Examples
    --------
    >>> front_points("NDCG@5").set_index("method").loc[["LARF", "CoList"], "mark"].tolist()
    ['on the front, named in the text', 'on the front, not named']
    """
    found = marked_points(what).assign(figure=FIGURES[what][1])
    return found[["figure", "method", "certainty", "nwn", "mark"]]


def points_of_metrics() -> pd.DataFrame:
    """Return the points of Figures 1 to 4, one below the other.

    Examples
    --------
    >>> points_of_metrics()["figure"].unique().tolist()
    ['Figure 1', 'Figure 2', 'Figure 3', 'Figure 4']
    """
    return pd.concat([front_points(metric) for metric in METRICS], ignore_index=True)


def misprinted_points(what: str) -> pd.DataFrame:
    """Return the points that an error of the print moves: as printed, and where they belong.

    Returns
    -------
    DataFrame
        method, certainty, nwn (as printed), true_certainty, true_nwn.

    Examples
    --------
    >>> misprinted_points("NDCG@3")["method"].tolist()
    ['FocusedBoost', 'FocusedSVM', 'FSM^SVM', 'RankELM (pairwise)']
    """
    paper = load_paper("tax2015")
    column = METRICS.get(what)
    x, y = (f"{column}_ds", f"{column}_nwn") if column else ("iwn", "nwn")
    sides = [[table.column(name) for name in (x, y)] for table in (print_of(paper), paper.corrected("b6"))]
    rows = []
    for method in sides[0][0]:
        printed, true = ([values[method].value for values in side] for side in sides)
        if printed != true:
            rows.append((method, *printed, *true))
    return pd.DataFrame(rows, columns=["method", "certainty", "nwn", "true_certainty", "true_nwn"])


def compared_fronts(*whats: str) -> tuple[Figure, str]:
    """Draw figures of the paper, one panel each: every method, the front, and what the text says of it.

    Parameters
    ----------
    whats
        Keys of `FIGURES`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, alt = compared_fronts("all metrics")
    >>> alt[:76]
    'Figure 5, NWN against IWN of 87 methods. On the front and named in the text:'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    rows, columns = (len(whats) + 1) // 2, min(len(whats), 2)
    size = (9.4, 4.3 * rows) if columns > 1 else (7.4, 3.9)
    figure, grid = plt.subplots(rows, columns, figsize=size, squeeze=False)
    for axes, what in zip(grid.flat, whats, strict=False):
        _panel(axes, what, title=len(whats) > 1)
    handles = {label: one for axes in grid.flat for one, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    labels = [label for label in (*MARKS, _MISPRINT) if label in handles]
    figure.legend([handles[label] for label in labels], labels, loc="outside upper center", ncols=3, fontsize=9)
    return figure, " ".join(_described(what) for what in whats)


def _panel(axes: Axes, what: str, *, title: bool) -> None:
    found = front_points(what)
    for mark, (marker, colour, size) in reversed(_LOOKS.items()):
        rows = found[found["mark"] == mark]
        if len(rows):
            hollow = {"facecolors": "none", "edgecolors": colour, "linewidths": 1.6} if marker == "o" else {"c": colour}
            axes.scatter(rows["certainty"], rows["nwn"], marker=marker, s=size, label=mark, **hollow)
    for x, y, true_x, true_y in misprinted_points(what).drop(columns="method").to_numpy(dtype=float).tolist():
        axes.plot([x, true_x], [y, true_y], color="#777777", linewidth=0.8)
        axes.scatter([x], [y], marker="+", s=40, color="#555555", label=_MISPRINT)
    on = found["mark"].isin(MARKS[:2])
    front = found[on].sort_values(["certainty", "nwn"], ascending=[True, False])
    axes.plot(front["certainty"], front["nwn"], color="#777777", linewidth=0.9, linestyle="--", zorder=0)
    axes.set(xlabel=FIGURES[what][2], ylabel="NWN", ylim=(-0.06, 1.14))
    axes.set_xlim(-0.08 * found["certainty"].max(), 1.18 * found["certainty"].max())
    if title:
        axes.set_title(_TITLES[what], loc="left", fontweight="bold")
    wanted = found[found["mark"] != MARKS[3]]
    x, y, names = (wanted[name].tolist() for name in ("certainty", "nwn", "method"))
    place_labels(axes, x, y, names, [_LABEL_SIZE] * len(names))


def _described(what: str) -> str:
    found = front_points(what)
    parts = [f"{FIGURES[what][1]}, NWN against {FIGURES[what][2]} of {len(found)} methods."]
    for mark, words in zip(
        MARKS, ("On the front and named in the text", "On it, not named", "Named, not on it"), strict=False
    ):
        parts += _listed(words, found.loc[found["mark"] == mark, "method"].tolist())
    return " ".join(parts)


def _listed(words: str, methods: Sequence[str]) -> list[str]:
    return [f"{words}: {', '.join(methods)}."] if methods else []
