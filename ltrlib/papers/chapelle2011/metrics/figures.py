"""Figures of the chapter on ERR, NDCG, the cascade users and the normalisation by rank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.papers.chapelle2011.records import agreement
from ltrlib.plots.style import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["agreement_figure", "explore_agreement", "normalisation_figure", "stops_figure"]

_MARKERS = {"one feature": "o", "linear": "s", "trees": "^"}
_SYMBOLS = {"one feature": "circle", "linear": "square", "trees": "triangle-up"}
_COLOURS = dict(zip(_MARKERS, PALETTE, strict=False))


def stops_figure(stops: NDArray[np.float64], formula: NDArray[np.float64]) -> tuple[Figure, str]:
    """Draw where simulated users stop, and each query's simulated mean beside the closed form.

    Parameters
    ----------
    stops
        As :func:`ltrlib.papers.chapelle2011.metrics.cascade.simulate_cascade` returns them.
    formula
        ERR of each query.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, alt = stops_figure(np.array([[1.0, 0.5], [0.0, 0.0]]), np.array([0.7, 0.1]))
    >>> alt
    'Share of users who stop at rank 1: 25.0%, rank 2: 25.0%; 50.0% never stop. Simulated against exact ERR of 2 queries
    lies on the diagonal, correlation 1.0000.'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(7.4, 3.6))
    ranks = np.rint(1 / stops[stops > 0]).astype(int)
    shares = np.bincount(ranks, minlength=11)[1:11] / stops.size
    never = float(np.mean(stops == 0))
    left.bar(range(1, 11), shares, color=PALETTE[0])
    left.bar([12], [never], color=PALETTE[7])
    left.set_xticks([*range(1, 11), 12], [*map(str, range(1, 11)), "never"])
    left.set(xlabel="rank at which a user stops", ylabel="share of users")
    means = stops.mean(axis=1)
    right.scatter(formula, means, s=8, alpha=0.4, color=PALETTE[0])
    right.plot([0, 1], [0, 1], color=PALETTE[1], linewidth=1)
    right.set(xlabel="ERR of a query, closed form", ylabel="ERR of the query, mean over its users")
    left.grid(visible=False, axis="x")
    first = ", ".join(f"rank {rank}: {share:.1%}" for rank, share in enumerate(shares[:3], start=1) if share)
    correlation = float(np.corrcoef(formula, means)[0, 1])
    alt = (
        f"Share of users who stop at {first}; {never:.1%} never stop. Simulated against exact ERR of {len(formula)} "
        f"queries lies on the diagonal, correlation {correlation:.4f}."
    )
    return figure, alt


def agreement_figure(scores: Mapping[str, pd.DataFrame]) -> tuple[Figure, str]:
    """Draw NDCG against ERR of many rankers, one panel per data set, with Kendall's tau.

    Parameters
    ----------
    scores
        For each data set columns kind, err, ndcg.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> frame = pd.DataFrame({"kind": ["linear", "trees"], "err": [0.1, 0.2], "ndcg": [0.5, 0.6]})
    >>> figure, alt = agreement_figure({"a": frame})
    >>> alt
    'NDCG against ERR of many rankers. a: 2 rankers, tau 1.000.'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    taus = {name: agreement(table) for name, table in scores.items()}
    height = 3.3 * -(-len(scores) // 2)
    figure, axes = plt.subplots(-(-len(scores) // 2), 2, figsize=(7.4, height), squeeze=False)
    for panel, (name, table) in zip(axes.flat, scores.items(), strict=False):
        for kind, marker in _MARKERS.items():
            rows = table[table["kind"] == kind]
            panel.scatter(rows["err"], rows["ndcg"], s=12, marker=marker, alpha=0.6, color=_COLOURS[kind], label=kind)
        panel.set(title=f"{name}\ntau = {taus[name]:.3f}", xlabel="ERR", ylabel="NDCG")
    for panel in axes.flat[len(scores) :]:
        panel.set_visible(False)
    figure.legend(*axes.flat[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=9)
    said = "; ".join(f"{name}: {len(table)} rankers, tau {taus[name]:.3f}" for name, table in scores.items())
    return figure, f"NDCG against ERR of many rankers. {said}."


def explore_agreement(scores: Mapping[str, pd.DataFrame]) -> tuple[Any, str]:
    """Interactive version: choose the data set, hover over a ranker, drag to zoom on the best.

    Examples
    --------
    >>> frame = pd.DataFrame({"kind": ["linear"], "details": ["x"], "err": [0.1], "ndcg": [0.5]})
    >>> figure, alt = explore_agreement({"a": frame, "b": frame})
    >>> [trace.visible for trace in figure.data]
    [True, True, True, False, False, False]
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    for number, table in enumerate(scores.values()):
        for kind, symbol in _SYMBOLS.items():
            rows = table[table["kind"] == kind]
            figure.add_trace(
                go.Scatter(
                    x=rows["err"],
                    y=rows["ndcg"],
                    mode="markers",
                    name=kind,
                    visible=number == 0,
                    marker={"symbol": symbol, "size": 7, "color": _COLOURS[kind], "opacity": 0.7},
                    customdata=rows[["details"]].to_numpy(),
                    hovertemplate="%{customdata[0]}<br>ERR %{x:.4f}<br>NDCG %{y:.4f}<extra></extra>",
                )
            )
    buttons = [
        {
            "label": name,
            "method": "update",
            "args": [
                {"visible": [place // len(_SYMBOLS) == number for place in range(len(figure.data))]},
                {"xaxis.autorange": True, "yaxis.autorange": True},
            ],
        }
        for number, name in enumerate(scores)
    ]
    figure.update_layout(
        xaxis_title="ERR",
        yaxis_title="NDCG",
        height=460,
        margin={"l": 60, "r": 10, "t": 60, "b": 50},
        legend={"orientation": "h", "y": -0.2},
        updatemenus=[{"buttons": buttons, "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"}],
    )
    return figure, f"Interactive scatter of NDCG against ERR of many rankers, on one of {', '.join(scores)}."


def normalisation_figure(
    raw: NDArray[np.float32], ranks: NDArray[np.float32], quantiles: NDArray[np.float64]
) -> tuple[Figure, str]:
    """Draw raw values against their ranks by strict counting and by scikit-learn's quantiles.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, alt = normalisation_figure(np.array([0, 0, 1], np.float32), np.array([0, 0, 1], np.float32),
    ...                                    np.array([0.0, 0.0, 1.0]))
    >>> alt
    'Normalised against raw value of 2 distinct values; the two curves differ by at most 0.0000.'
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    distinct, places = np.unique(raw, return_index=True)
    figure, axes = plt.subplots(figsize=(6.6, 3.2))
    axes.plot(distinct, ranks[places], marker="o", markersize=4, color=PALETTE[0])
    axes.plot(distinct, quantiles[places], marker="s", markersize=4, linestyle="--", color=PALETTE[1])
    ways = ((ranks, "strict counting (section 4.3)", (12, -14)), (quantiles, "scikit-learn", (-12, 10)))
    apart = int(np.abs(ranks - quantiles)[places].argmax())
    for values, title, offset in ways:
        spot = (distinct[apart], values[places][apart])
        side = "left" if offset[0] > 0 else "right"
        axes.annotate(title, spot, xytext=offset, textcoords="offset points", ha=side, fontsize=9)
    axes.set(xlabel="raw value", ylabel="normalised value", ylim=(-0.03, 1.03))
    if distinct.min() >= 0 and distinct.max() > 20:
        axes.set_xscale("symlog")
    gap = float(np.abs(ranks - quantiles).max())
    alt = (
        f"Normalised against raw value of {len(distinct)} distinct values; the two curves differ by at most {gap:.4f}."
    )
    return figure, alt
