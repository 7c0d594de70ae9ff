"""How sweeps and a full rerun of the book scale with the number of workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from ltrlib.across.rerun.tables import SweepModel
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["speedup_figure"]

_SIZES = (8, 40, 400)
_STEPS = (1, 2, 4, 8, 16, 32, 64, 128)
_STYLES = (("o", "-"), ("s", "--"), ("D", "-."))


def speedup_figure(model: SweepModel, measured: pd.DataFrame) -> tuple[Figure, str]:
    """Draw the speed-up of sweeps of several sizes, as modelled, with what was measured.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> measured = pd.DataFrame({"workers": [1, 2], "points": [8, 8], "seconds": [80.0, 40.0]})
    >>> figure, alt = speedup_figure(SweepModel(10.0, 1.0, 0.0), measured)
    >>> alt[-54:]
    '400 points: 100.0 times. Measured at two workers: 2.0.'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(4.8, 3.9))
    axes.plot(_STEPS, _STEPS, color="#999999", linewidth=0.8, label="ideal")
    for number, (size, (mark, line)) in enumerate(zip(_SIZES, _STYLES, strict=True)):
        values = [model.speedup(size, workers) for workers in _STEPS]
        axes.plot(_STEPS, values, line, marker=mark, markersize=4, color=PALETTE[number], label=f"{size} points, model")
    times = measured.groupby("workers")["seconds"].median()
    speedup = float(times[1] / times[2])
    axes.plot([1, 2], [1, speedup], "*", markersize=13, color="black", label="measured")
    axes.set(xlabel="workers", ylabel="times faster than one worker", xscale="log", yscale="log")
    axes.set_xticks(_STEPS, [str(step) for step in _STEPS])
    axes.set_yticks(_STEPS, [str(step) for step in _STEPS])
    axes.minorticks_off()
    axes.legend(fontsize=9, frameon=True, facecolor="white", edgecolor="none", framealpha=1)
    most = "; ".join(f"{size} points: {model.speedup(size, _STEPS[-1]):.1f} times" for size in _SIZES)
    alt = (
        f"Speed-up against workers, 1 to {_STEPS[-1]}, both axes logarithmic. Lines leave the ideal and become flat "
        f"when every point has its worker. With {_STEPS[-1]} workers, {most}. Measured at two workers: {speedup:.1f}."
    )
    return figure, alt
