"""What a sweep found: its numbers against a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["sweep_figure"]

_MARKS = "osD^vP*X<>"
_MOST_PANELS = 6
_MOST_LINES = 10


def sweep_figure(rows: pd.DataFrame, *, parameters: Sequence[str], metrics: Sequence[str]) -> tuple[Figure, str]:
    """Draw each metric against the parameter with the most numbers, a line for each setting of the others.

    Parameters
    ----------
    rows
        As :func:`ltrlib.sweeps.table.one_row_per_point` returns them.
    parameters, metrics
        Names of columns; at most six metrics and ten lines are drawn.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> rows = pd.DataFrame({"k": [1, 3], "ndcg": [0.5, 0.75]})
    >>> figure, alt = sweep_figure(rows, parameters=["k"], metrics=["ndcg"])
    >>> alt
    'ndcg against k. 2 points; ndcg from 0.5 to 0.75, highest at k=3.'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    varied = [name for name in parameters if rows[name].nunique() > 1] or list(parameters[:1])
    numeric = [name for name in varied if pd.api.types.is_numeric_dtype(rows[name]) and rows[name].dtype != bool]
    axis = max(numeric or varied, key=lambda name: rows[name].nunique())
    others = [name for name in varied if name != axis]
    metrics = metrics[:_MOST_PANELS]
    across = min(len(metrics), 2)
    down = -(-len(metrics) // across)
    figure, panels = plt.subplots(
        down, across, figsize=(3.7 * across + 0.6, 2.7 * down + 0.5), squeeze=False, layout="constrained"
    )
    groups = list(rows.groupby(others, sort=False)) if others else [((), rows)]
    for panel, metric in zip(panels.flat, metrics, strict=False):
        for number, (setting, part) in enumerate(groups[:_MOST_LINES]):
            part = part.sort_values(axis)
            x = part[axis] if numeric else part[axis].astype("str")
            label = ", ".join(f"{name}={value}" for name, value in zip(others, setting, strict=True))
            colour, mark = PALETTE[number % len(PALETTE)], _MARKS[number % len(_MARKS)]
            panel.plot(x, part[metric], marker=mark, markersize=4, linewidth=1, color=colour, label=label)
        panel.set(xlabel=axis, ylabel=metric)
    for panel in list(panels.flat)[len(metrics) :]:
        panel.set_axis_off()
    if others:
        handles, labels = panels.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return figure, _in_words(rows, axis, others, varied, metrics)


def _in_words(
    rows: pd.DataFrame, axis: str, others: Sequence[str], varied: Sequence[str], metrics: Sequence[str]
) -> str:
    ranges = []
    for metric in metrics:
        if rows[metric].notna().all():
            best = int(rows[metric].to_numpy().argmax())
            where = ", ".join(f"{name}={rows[name].iloc[best]}" for name in varied)
            ranges.append(f"{metric} from {rows[metric].min():.4g} to {rows[metric].max():.4g}, highest at {where}")
    by = f", a line for each {' and '.join(others)}" if others else ""
    return f"{', '.join(metrics)} against {axis}{by}. {len(rows)} points; {'; '.join(ranges)}."
