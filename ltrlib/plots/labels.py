"""Labels for points and lines that do not cover one another."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.transforms import Bbox

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["label_ends", "place_labels", "text_positions"]

_DISTANCES = (7, 14, 24, 36, 50)
_NEAR, _CLOSE, _FAR = 0.06, 0.2, 0.5  # shares of the axes: points that near would share their place for a name
_NEXT = {
    "top right": "middle right",
    "middle right": "bottom right",
    "bottom right": "bottom right",
    "bottom left": "top right",
}
_DIRECTIONS = tuple(i * pi / 8 for i in (1, 15, 3, 13, 0, 8, 7, 9, 5, 11, 4, 12, 2, 14, 6, 10))


def place_labels(
    axes: Axes, x: Sequence[float], y: Sequence[float], texts: Sequence[str], sizes: Sequence[float]
) -> int:
    """Write a label beside each point, near it where there is room; a thin line leads to those farther off.

    Parameters
    ----------
    axes
        Already drawn with its final limits.
    x, y
        The points to label, in data coordinates.
    texts, sizes
        The labels and their font sizes.

    Returns
    -------
    int
        Number of labels that found no free place and cover something.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, axes = plt.subplots()
    >>> _ = axes.scatter([0, 1, 1], [0, 1, 1.01])
    >>> place_labels(axes, [0, 1, 1], [0, 1, 1.01], ["one", "two", "three"], [8, 8, 8])
    0
    >>> plt.close(figure)
    """
    figure = axes.figure
    figure.canvas.draw()
    frame = axes.get_window_extent()
    pixels_per_point = figure.dpi / 72
    centres = axes.transData.transform(list(zip(x, y, strict=True)))
    taken = [Bbox.from_bounds(cx - 4, cy - 4, 8, 8) for cx, cy in _all_points(axes)]
    crowded = 0
    # The points with the most neighbours choose first: the others have more places to go to.
    order = sorted(range(len(texts)), key=lambda i: -sum(abs(centres[i] - c).max() < 60 for c in centres))
    for i in order:
        label = axes.annotate(
            texts[i],
            (x[i], y[i]),
            xytext=(0, 0),
            textcoords="offset points",
            fontsize=sizes[i],
            ha="center",
            va="center",
        )
        box = label.get_window_extent()
        best: tuple[float, float, float, Bbox] | None = None
        for distance in _DISTANCES:
            for angle in _DIRECTIONS:
                # From the point's edge to the nearest edge of the text, so that wide labels do not cover the point.
                dx = distance * pixels_per_point * cos(angle) + box.width / 2 * _sign(cos(angle))
                dy = distance * pixels_per_point * sin(angle) + box.height / 2 * _sign(sin(angle))
                moved = Bbox.from_bounds(
                    centres[i][0] + dx - box.width / 2, centres[i][1] + dy - box.height / 2, box.width, box.height
                )
                if not (
                    frame.x0 <= moved.x0 and moved.x1 <= frame.x1 and frame.y0 <= moved.y0 and moved.y1 <= frame.y1
                ):
                    continue
                overlap = sum(_overlap(moved, other) for other in taken)
                if best is None or overlap < best[0]:
                    best = (overlap, dx, dy, moved)
            if best is not None and best[0] == 0:
                break
        if best is None:
            crowded += 1
            continue
        overlap, dx, dy, moved = best
        crowded += overlap > 0
        taken.append(moved)
        label.set_position((dx / pixels_per_point, dy / pixels_per_point))
        if max(abs(dx) - box.width / 2, abs(dy) - box.height / 2) > 16 * pixels_per_point:
            corner = axes.transData.inverted().transform((centres[i][0] + dx, centres[i][1] + dy))
            axes.plot([x[i], corner[0]], [y[i], corner[1]], color="#aaaaaa", linewidth=0.6, zorder=0)
    return int(crowded)


def label_ends(axes: Axes, ends: Sequence[tuple[float, float, str, str]], *, fontsize: float = 8) -> None:
    """Write each line's name to the right of its last point; names that would meet are moved apart.

    Parameters
    ----------
    axes
        With all lines drawn and its final limits in y.
    ends
        Of each line: x and y of its last point, its name, its colour.
    fontsize
        Of the names.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, axes = plt.subplots()
    >>> label_ends(axes, [(1, 0.50, "below", "#000000"), (1, 0.51, "above", "#000000")])
    >>> low, high = (text.get_position()[1] for text in axes.texts)
    >>> bool(high - low > 5)
    True
    >>> plt.close(figure)
    """
    figure = axes.figure
    figure.canvas.draw()
    points_per_pixel = 72 / figure.dpi
    ordered = sorted(ends, key=lambda end: end[1])
    true = np.array([axes.transData.transform(end[:2])[1] for end in ordered]) * points_per_pixel
    gap, placed = 1.3 * fontsize, true.copy()
    for _ in range(200):
        missing = gap - np.diff(placed)
        push = np.where(missing > 0.01, missing, 0) / 2
        placed[:-1] -= push
        placed[1:] += push
    for (x, y, name, colour), offset in zip(ordered, placed - true, strict=True):
        axes.annotate(
            name,
            (x, y),
            xytext=(14, offset),
            textcoords="offset points",
            fontsize=fontsize,
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "linewidth": 0.8,
                "shrinkA": 1,
                "shrinkB": 4,
                "relpos": (0, 0.5),
            },
        )


def text_positions(x: Sequence[float], y: Sequence[float]) -> list[str]:
    """Where Plotly writes the names of a falling front's points: mostly to the upper right, where no point can be.

    Parameters
    ----------
    x, y
        The points from left to right; the axis must leave room for names to the right of the last ones.

    Examples
    --------
    >>> text_positions([1, 400, 450, 930, 940, 950], [1.0, 0.99, 0.98, 0.5, 0.32, 0.30])
    ['top right', 'bottom left', 'top right', 'top right', 'top right', 'middle right']
    """
    found: list[str] = []
    for i, (here, height) in enumerate(zip(x, y, strict=True)):
        level = i > 0 and abs(y[i - 1] - height) < _NEAR * max(y)
        if level and here - x[i - 1] < _CLOSE * max(x):
            found.append(_NEXT[found[-1]])
        else:
            found.append("bottom left" if level and here - x[i - 1] < _FAR * max(x) else "top right")
    return found


def _all_points(axes: Axes) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for collection in axes.collections:
        offsets = np.asarray(collection.get_offsets(), dtype=float)
        if offsets.size:
            found += [tuple(p) for p in axes.transData.transform(offsets)]
    return found


def _overlap(one: Bbox, other: Bbox) -> float:
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return float(max(width, 0.0) * max(height, 0.0))


def _sign(value: float) -> float:
    return 0.0 if abs(value) < 1e-9 else (1.0 if value > 0 else -1.0)
