"""The map of the field's incomparability, and the front before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.across.continued.pool import LATER, TABLE_B6
from ltrlib.across.continued.tables import MAPPED, comparable_pairs, families
from ltrlib.plots.style import ON_COLOUR, PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["front_figure", "map_figure", "map_rows"]

_COLUMNS = {
    "LETOR's tool": "LETOR's tool",
    "RankLib": "RankLib",
    "LightGBM, Yahoo!": "LightGBM,\nYahoo!",
    "evaluation code of CatBoost's benchmarks": "CatBoost's\nbenchmark",
    "TF-Ranking": "TF-\nRanking",
    "gdeval.pl": "gdeval",
    "authors": "the authors'\nown program",
    "not stated": "not\nstated",
}

_COLUMN, _APART = 0.74, 0.22
"""Inches: the least width of a column of the map, and from bubble to bubble in it."""


def map_rows() -> pd.DataFrame:
    """One row per bubble of the map: dataset, column, part, convention, methods, publications, table_b6.

    Data sets with results of one publication only are left out.

    Examples
    --------
    >>> rows = map_rows()
    >>> set(rows["column"]) <= set(_COLUMNS)
    True
    """
    rows = families(kinds=[TABLE_B6, LATER])
    several = rows.groupby("dataset")["publications"].transform("size") > 1
    rows = rows[several & rows["kinds"].groupby(rows["dataset"]).transform(lambda k: k.str.contains(LATER).any())]
    column = [
        name if name in _COLUMNS else "not stated" if name.startswith(("not stated", "allRank")) else "authors"
        for name in rows["convention"]
    ]
    table = rows.assign(column=column, table_b6=rows["kinds"].str.contains(TABLE_B6))
    return table[["dataset", "column", "part", "convention", "methods", "publications", "table_b6"]].reset_index(
        drop=True
    )


def map_figure() -> tuple[Figure, str]:
    """Draw the map: a bubble per group of comparable results, by data set and convention.

    Only results in the same bubble can be compared. Filled: the bubble joins several publications; hollow: one alone.

    Examples
    --------
    >>> figure, alt = map_figure()
    >>> alt.startswith("Map of NDCG@10 results: ")
    True
    >>> import matplotlib.pyplot as plt
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    rows, pairs = map_rows(), comparable_pairs().set_index("dataset")
    sets = [name for name in pairs.index if name in set(rows["dataset"])]
    columns = [name for name in _COLUMNS if name in set(rows["column"])]
    crowd = rows.groupby(["column", "dataset"]).size().groupby("column").max()
    middles, edge = [], 0.0
    for column in columns:
        room = max(_COLUMN, _APART * crowd[column] + 0.15)
        middles.append(edge + room / 2)
        edge += room
    figure, axes = plt.subplots(figsize=(edge + 2.2, 0.9 + 0.62 * len(sets)))
    words = []
    for y, dataset in enumerate(sets[::-1]):
        axes.hlines(y, 0, edge, color="#bbbbbb", linewidth=0.6, zorder=0)
        for x, column in zip(middles, columns, strict=True):
            cell = rows[(rows["dataset"] == dataset) & (rows["column"] == column)].sort_values("methods")
            for place, (methods, joined, b6) in enumerate(
                cell[["methods", "publications", "table_b6"]].itertuples(index=False, name=None)
            ):
                offset = (place - (len(cell) - 1) / 2) * _APART
                colour = PALETTE[0] if b6 else PALETTE[1]
                face = colour if joined > 1 else "#ffffff"
                axes.scatter(
                    x + offset,
                    y,
                    s=105 + 13 * methods,
                    facecolor=face,
                    edgecolor=colour,
                    linewidth=1.6,
                    alpha=0.9 if joined > 1 else 1.0,
                    zorder=2,
                )
                ink = ON_COLOUR if joined > 1 else "#555555"
                axes.text(x + offset, y, str(methods), ha="center", va="center", fontsize=9, color=ink, zorder=3)
        share = pairs.loc[dataset, "comparable"] / pairs.loc[dataset, "pairs"]
        axes.text(edge + 0.35, y, f"{share:.0%}", ha="center", va="center", fontsize=10)
        groups = rows[rows["dataset"] == dataset]
        words.append(f"{dataset} has {len(groups)} groups that cannot be compared, {share:.0%} of the pairs can")
    axes.text(edge + 0.35, len(sets) - 0.55, "comparable", fontsize=9, ha="center", va="bottom")
    axes.set_yticks(range(len(sets)), sets[::-1])
    axes.set_xticks(middles, [_COLUMNS[name] for name in columns])
    axes.grid(visible=False, axis="y")
    axes.tick_params(length=0, labelsize=9)
    axes.set(xlim=(-0.05, edge + 0.75), ylim=(-0.6, len(sets) - 0.3))
    for side in axes.spines.values():
        side.set_visible(False)
    for label, face, border in (
        ("with Table B.6, several publications", PALETTE[0], PALETTE[0]),
        ("Table B.6 alone", "#ffffff", PALETTE[0]),
        ("several later publications", PALETTE[1], PALETTE[1]),
        ("one later publication alone", "#ffffff", PALETTE[1]),
    ):
        axes.scatter([], [], s=90, facecolor=face, edgecolor=border, linewidth=1.6, label=label)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.02), ncols=2, fontsize=9, frameon=False)
    return figure, f"Map of {MAPPED} results: {'; '.join(words)}."


def front_figure(before: pd.DataFrame, after: pd.DataFrame) -> tuple[Figure, str]:
    """Draw how the rows of Table B.6 move when later results and ours are joined, with both fronts.

    Parameters
    ----------
    before, after
        As :meth:`ltrlib.across.continued.joined.Joined.rows` returns them.
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.labels import place_labels

    figure, axes = plt.subplots(figsize=(8.4, 5.2))
    old, new = (rows[rows["NWN"].notna()].set_index("method") for rows in (before, after))
    shared = [name for name in old.index if name in new.index]
    for name in shared:
        ends = [(side.loc[name, "IWN"], side.loc[name, "NWN"]) for side in (old, new)]
        axes.plot(*zip(*ends, strict=True), color="#bbbbbb", linewidth=0.8, zorder=0)
    axes.scatter(old["IWN"], old["NWN"], s=14, color="#999999", label="Table B.6", zorder=1)
    looks = {
        TABLE_B6: ("o", 0, "the same methods, continued"),
        LATER: ("D", 3, "later"),
        "our runs": ("s", 2, "our runs"),
    }
    for kind, (marker, colour, label) in looks.items():
        some = new[new["kind"] == kind]
        axes.scatter(some["IWN"], some["NWN"], s=28, marker=marker, color=PALETTE[colour], label=label, zorder=2)
    drawn = [rows[rows["Pareto rank"] == 1].sort_values("IWN") for rows in (old, new)]
    for front, ink, style in zip(drawn, ("#999999", PALETTE[0]), (":", "--"), strict=True):
        axes.plot(front["IWN"], front["NWN"], color=ink, linestyle=style, linewidth=1.1, zorder=1)
    fronts = [set(rows.index[rows["Pareto rank"] == 1]) for rows in (old, new)]
    named = new.loc[[name for name in new.index if name in fronts[0] | fronts[1]]]
    labels = [
        f"{name} (leaves)" if name not in fronts[1] else f"{name} (joins)" if name not in fronts[0] else str(name)
        for name in named.index
    ]
    axes.set(xlabel="IWN: comparisons that the method took part in", ylabel="NWN: share won", ylim=(-0.04, 1.1))
    axes.set_xlim(-0.06 * new["IWN"].max(), 1.18 * new["IWN"].max())
    kept_free = axes.scatter(*_along(drawn[1]["IWN"], drawn[1]["NWN"]), s=0)
    place_labels(axes, named["IWN"].tolist(), named["NWN"].tolist(), labels, [9.0] * len(labels))
    kept_free.remove()
    axes.legend(fontsize=9, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=4, frameon=False)
    leaves, joins = (", ".join(sorted(one)) or "nobody" for one in (fronts[0] - fronts[1], fronts[1] - fronts[0]))
    alt = f"NWN against IWN before and after continuing: {leaves} leave the front, {joins} join it, "
    return figure, alt + f"{len(fronts[0] & fronts[1])} stay; {len(new)} rows in all."


def _along(x: pd.Series, y: pd.Series) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points on a drawn line, close enough that no label fits between them."""
    steps = np.linspace(0, len(x) - 1, 60 * len(x))
    return np.interp(steps, range(len(x)), x), np.interp(steps, range(len(x)), y)
