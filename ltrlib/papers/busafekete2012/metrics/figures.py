"""Figures of the chapter on metric conventions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ltrlib.metrics import evaluate
from ltrlib.metrics.tools import TOOLS
from ltrlib.published.names import name as called

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["EXAMPLES", "Example", "curves_by_tool", "examples_by_tool", "explore_examples", "ndcg_tools", "strip"]

DEPTH = 10
_CUTOFFS = (1, 2, 3, 5, 10)  # in the interactive table: ten columns are too narrow for a phone


@dataclass(frozen=True)
class Example:
    """One made-up query: labels and scores in file order."""

    title: str
    labels: tuple[int, ...]
    scores: tuple[float, ...]

    @property
    def words(self) -> str:
        """Labels and scores, for a caption."""
        return f"labels {' '.join(map(str, self.labels))}; scores {' '.join(f'{s:.10g}' for s in self.scores)}"


EXAMPLES = (
    Example("ordinary", (0, 2, 0, 1, 0, 0, 1, 0, 0, 0, 2, 1), tuple(float(s) for s in range(12, 0, -1))),
    Example("nothing relevant", (0,) * 12, tuple(float(s) for s in range(12, 0, -1))),
    Example("short, perfect", (2, 1, 0, 0, 0), (5.0, 4.0, 3.0, 2.0, 1.0)),
    Example("all tied, relevant last", (0, 0, 0, 0, 0, 0, 0, 0, 1, 2), (1.0,) * 10),
    Example("nearly tied", (0,) * 8 + (1, 2), (1.0, *(0.9999999988 - i * 1e-10 for i in range(9)))),
)
"""One query per thing that tools disagree on; all have labels 0 to 2, which every tool takes."""


_READABLE_FIELDS = [[0, "#6b7280"], [1, "#004c80"]]
"""From 0 to 1, dark enough for white text and not glaring on a dark page."""


def ndcg_tools() -> tuple[str, ...]:
    """Names of the tools that have an NDCG.

    Examples
    --------
    >>> {"letor4", "yahoo", "sklearn"} <= set(ndcg_tools())
    True
    """
    return tuple(name for name, tool in TOOLS.items() if tool.template("ndcg", DEPTH))


def _values(example: Example, tool: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    result = evaluate(f"ndcg@1..{DEPTH}:{tool}", example.labels, example.scores, [0, len(example.labels)])
    return np.array([values.mean for values in result.values()])


def explore_examples() -> tuple[Any, str]:
    """Interactive figure: choose a query, see every tool's NDCG at some cut-offs.

    Examples
    --------
    >>> explore_examples()[1].endswith("all tied, relevant last, nearly tied")
    True
    """
    import plotly.graph_objects as go

    tools = ndcg_tools()
    figure = go.Figure()
    for number, example in enumerate(EXAMPLES):
        values = np.array([_values(example, tool)[[k - 1 for k in _CUTOFFS]] for tool in tools])
        figure.add_trace(
            go.Heatmap(
                z=values,
                x=[str(k) for k in _CUTOFFS],
                y=[called("tool", tool) for tool in tools],
                text=[["left out" if np.isnan(v) else f"{v:.3f}" for v in row] for row in values],
                texttemplate="%{text}",
                hovertemplate="%{y}<br>NDCG@%{x} = %{text}<extra></extra>",
                zmin=0,
                zmax=1,
                colorscale=_READABLE_FIELDS,
                textfont={"color": "#ffffff"},
                visible=number == 0,
                showscale=False,
            )
        )
    figure.update_layout(
        title={
            "text": EXAMPLES[0].words,
            "font": {"size": 12},
            "x": 0,
            "xref": "container",
            "y": 0.99,
            "yanchor": "top",
        },
        margin={"l": 10, "r": 10, "t": 64, "b": 50},
        xaxis={"title": "cut-off", "side": "bottom", "type": "category"},
        yaxis={"autorange": "reversed", "automargin": True},
        height=130 + 26 * len(tools),
        updatemenus=[
            {
                "buttons": [
                    {
                        "label": example.title,
                        "method": "update",
                        "args": [
                            {"visible": [other is example for other in EXAMPLES]},
                            {"title.text": example.words},
                        ],
                    }
                    for example in EXAMPLES
                ],
                "x": 0,
                "xanchor": "left",
                "y": 1.01,
                "yanchor": "bottom",
                "direction": "down",
            }
        ],
    )
    alt = (
        f"Table of NDCG at cut-offs {', '.join(map(str, _CUTOFFS))} for {len(tools)} tools, for one of {len(EXAMPLES)} "
        "made-up queries: " + ", ".join(example.title for example in EXAMPLES)
    )
    return figure, alt


def examples_by_tool(k: int = DEPTH) -> tuple[Figure, str]:
    """Static figure: every tool's NDCG@k of every example.

    Examples
    --------
    >>> figure, alt = examples_by_tool()
    >>> "LETOR" in alt
    True
    """
    import matplotlib.pyplot as plt
    import seaborn as sns

    tools = ndcg_tools()
    values = np.array([[_values(example, tool)[k - 1] for example in EXAMPLES] for tool in tools])
    figure, axes = plt.subplots(figsize=(7.2, 0.8 + 0.32 * len(tools)))
    text = np.array([["left out" if np.isnan(v) else f"{v:.4f}" for v in row] for row in values])
    sns.heatmap(
        values,
        annot=text,
        fmt="",
        cmap="Blues",
        vmin=0,
        vmax=1.25,
        cbar=False,
        linewidths=1,
        xticklabels=[example.title.replace(", ", ",\n").replace(" ", "\n", 1) for example in EXAMPLES],
        yticklabels=[TOOLS[tool].title for tool in tools],
        ax=axes,
    )
    axes.xaxis.tick_top()
    axes.tick_params(left=False, top=False)
    axes.set_xticklabels(axes.get_xticklabels(), fontsize=9)
    alt = f"NDCG@{k} of {len(EXAMPLES)} queries under {len(tools)} tools. " + "; ".join(
        f"{TOOLS[tool].title}: {', '.join(row)}" for tool, row in zip(tools, text, strict=True)
    )
    return figure, alt


def curves_by_tool(curves: Mapping[str, pd.DataFrame], *, shares: pd.Series) -> tuple[Figure, str]:
    """Static figure: NDCG against the cut-off, above the share of queries shorter than it.

    Parameters
    ----------
    curves
        For each ranking (its name) the mean NDCG: one row per tool, one column per cut-off. A tool keeps its colour,
        a ranking its line style.
    shares
        Share of queries with fewer documents than the cut-off.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame([[0.7, 0.4]], index=["letor4"], columns=[1, 2])
    >>> figure, alt = curves_by_tool({"perfect": frame}, shares=frame.loc["letor4"])
    >>> alt
    'Mean NDCG at cut-offs 1 to 2. LETOR 4, perfect: 0.7000 at 1, 0.4000 at 2.'
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.labels import label_ends
    from ltrlib.plots.style import PALETTE

    figure, (upper, lower) = plt.subplots(2, 1, sharex=True, figsize=(7.4, 4.4), gridspec_kw={"height_ratios": [4, 1]})
    said, ends = [], []
    for (ranking, frame), dashes in zip(curves.items(), ("-", "--", ":"), strict=False):
        for (tool, curve), colour, marker in zip(frame.iterrows(), PALETTE, "osD^vPX*", strict=False):
            name = f"{called('tool', str(tool))}, {ranking}"
            upper.plot(curve.index, curve.to_numpy(), dashes, color=colour, marker=marker)
            first, last = curve.index[0], curve.index[-1]
            ends.append((last, curve[last], name, colour))
            said.append(f"{name}: " + ", ".join(f"{curve[k]:.4f} at {k}" for k in (first, last)))
    upper.set(ylabel="mean NDCG", ylim=(0, 1.02))
    lower.bar(shares.index, shares.to_numpy(), color="#999999", width=0.6)
    lower.set(xlabel="cut-off k", ylabel="share of\nqueries < k", ylim=(0, 1))
    lower.set_xticks(list(shares.index))
    label_ends(upper, ends)
    return figure, f"Mean NDCG at cut-offs {shares.index[0]} to {shares.index[-1]}. {'; '.join(said)}."


def strip(groups: Mapping[str, Sequence[str]], *, k: int = DEPTH) -> tuple[Figure, str]:
    """Static figure: one bar for each value of NDCG, with the tools that print it.

    Parameters
    ----------
    groups
        Value, as text -> tools, as from :func:`ltrlib.papers.busafekete2012.metrics.page.groups`.
    k
        The cut-off, for the axis.

    Examples
    --------
    >>> strip({"0.5000": ["RankLib", "rax"], "0.7800": ["Yahoo!"]})[1]
    'NDCG@10 of one ranking: 0.5000 by RankLib, rax; 0.7800 by Yahoo!.'
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.style import PALETTE

    figure, axes = plt.subplots(figsize=(8.4, 0.7 + 0.33 * len(groups)))
    for row, (value, tools) in enumerate(groups.items()):
        axes.barh(row, float(value), color=PALETTE[0], height=0.62)
        axes.text(float(value) + 0.008, row, f"{value}  {', '.join(tools)}", va="center", fontsize=9)
    axes.set(xlim=(0, 1.35), yticks=[], xlabel=f"mean NDCG@{k}", xticks=[0, 0.2, 0.4, 0.6, 0.8, 1.0])
    axes.invert_yaxis()
    axes.grid(visible=False)  # the bars carry their values, and lines would cross the names beside them
    axes.spines["left"].set_visible(False)
    said = "; ".join(f"{value} by {', '.join(tools)}" for value, tools in groups.items())
    return figure, f"NDCG@{k} of one ranking: {said}."
