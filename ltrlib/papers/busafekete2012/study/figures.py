"""Figures of the chapter on the NDCG study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ltrlib.papers.busafekete2012.study.learners import CONVENTIONS, CUTOFF, PAPER

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["at_last", "figure1", "figure2", "training_effects"]

# The paper's colours for the training metric, in shades that colour-blind readers can tell apart, each with its own
# mark and line: curves that coincide stay visible.
TRAINED: Mapping[str, Mapping[str, Any]] = {
    "ranklib": {"color": "#000000", "marker": "s", "linestyle": "-", "linewidth": 3.2, "alpha": 0.45, "markersize": 6},
    "yahoo": {"color": "#0072B2", "marker": "o", "linestyle": "--", "linewidth": 1.4, "markersize": 3.5},
    "letor4": {"color": "#D55E00", "marker": "^", "linestyle": "-", "linewidth": 1.4, "markersize": 4},
}
_NUDGE = {"ranklib": 0.0, "yahoo": -0.12, "letor4": 0.12}


def figure1(
    curves: pd.DataFrame,
    *,
    learners: Sequence[str],
    tools: Sequence[str] = ("ranklib", "yahoo", "letor4"),
    height: float = 1.6,
) -> tuple[Figure, str]:
    """Draw the paper's Figure 1: one row per learner, one column per evaluation tool, one curve per training metric.

    Parameters
    ----------
    curves
        As from :func:`ltrlib.papers.busafekete2012.study.results.curves`.
    learners, tools
        Rows and columns.
    height
        Of a row, in inches.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"learner": "AdaRank", "trained_under": "yahoo", "tool": "ranklib", "k": [1, 10],
    ...                       "mean": [0.3, 0.5], "standard_error": 0.02})
    >>> _, alt = figure1(table, learners=["AdaRank"], tools=["ranklib"])
    >>> alt
    'NDCG at cut-offs 1 to 10. AdaRank, evaluated by RANKLIB/TREC at 10: trained under YAHOO 0.5000.'
    """
    import matplotlib.pyplot as plt

    rows, columns = len(learners), len(tools)
    figure, axes = plt.subplots(
        rows, columns, figsize=(2.9 * columns, height * rows + 0.9), sharex=True, sharey=True, squeeze=False
    )
    said = []
    for row, learner in enumerate(learners):
        for column, tool in enumerate(tools):
            panel = axes[row, column]
            values = []
            for under, look in TRAINED.items():
                curve = _one(curves, learner=learner, trained_under=under, tool=tool)
                if curve.empty:
                    continue
                _line(panel, curve, "mean", curve["standard_error"], look, under, _NUDGE[under])
                values.append(f"trained under {CONVENTIONS[under].title} {curve['mean'].iloc[-1]:.4f}")
            if row == 0:
                panel.set_title(f"evaluated by\n{CONVENTIONS[tool].title}")
            if row == rows - 1:
                panel.set_xlabel("cut-off")
            if column == 0:
                panel.set_ylabel(f"{learner}\nmean NDCG", fontsize=9)
            said.append(f"{learner}, evaluated by {CONVENTIONS[tool].title} at {CUTOFF}: {', '.join(values)}")
    axes[0, 0].set_xticks([1, 4, 7, 10])
    _legend_above(figure, axes[0, 0], title="trained under")
    return figure, f"NDCG at cut-offs 1 to {CUTOFF}. {'; '.join(said)}."


def training_effects(effects: pd.DataFrame, *, learners: Sequence[str], against: str = "ranklib") -> tuple[Figure, str]:
    """Draw what training under another convention changes, with paired 95% intervals, on one scale.

    Parameters
    ----------
    effects
        learner, trained_under, k, difference, low, high.
    learners
        One panel each.
    against
        The convention that the differences are to.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"learner": "AdaRank", "trained_under": "letor4", "k": [1, 10],
    ...                       "difference": [0.0, -0.02], "low": [-0.01, -0.03], "high": [0.01, -0.01]})
    >>> training_effects(table, learners=["AdaRank"])[1]
    'Change of NDCG against training under RANKLIB/TREC, at 10: AdaRank under LETOR -0.0200 [-0.0300, -0.0100].'
    """
    import matplotlib.pyplot as plt

    columns = min(2, len(learners))
    rows = -(-len(learners) // columns)
    figure, axes = plt.subplots(
        rows, columns, figsize=(3.6 * columns, 2.3 * rows + 0.4), sharex=True, sharey=True, squeeze=False
    )
    said = []
    for panel, learner in zip(axes.flat, learners, strict=False):
        panel.axhline(0, color="#666666", linewidth=1)
        for under in PAPER:
            curve = _one(effects, learner=learner, trained_under=under)
            if curve.empty or under == against:
                continue
            low, high = curve["difference"] - curve["low"], curve["high"] - curve["difference"]
            _line(panel, curve, "difference", [low, high], TRAINED[under], under, _NUDGE[under])
            last = curve.iloc[-1]
            interval = f"[{last['low']:.4f}, {last['high']:.4f}]"
            said.append(f"{learner} under {CONVENTIONS[under].title} {last['difference']:.4f} {interval}")
        panel.set_title(learner)
    for panel in axes[-1]:
        panel.set_xlabel("cut-off")
    for panel in axes[:, 0]:
        panel.set_ylabel("change of NDCG", fontsize=9)
    axes[0, 0].set_xticks(range(1, CUTOFF + 1))
    _legend_above(figure, axes[0, 0], title=f"trained under (against {CONVENTIONS[against].title})")
    return (
        figure,
        f"Change of NDCG against training under {CONVENTIONS[against].title}, at {CUTOFF}: {'; '.join(said)}.",
    )


def figure2(
    curves: pd.DataFrame, *, learners: Sequence[str], tools: Sequence[str], under: str = "ranklib", columns: int = 2
) -> tuple[Figure, str]:
    """Draw the paper's Figure 2: all learners under each tool, on axes of one height.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"learner": "AdaRank", "trained_under": "ranklib", "tool": "yahoo", "k": [1, 10],
    ...                       "mean": [0.3, 0.5], "standard_error": 0.02})
    >>> figure2(table, learners=["AdaRank"], tools=["yahoo"])[1]
    'NDCG of learners trained under RANKLIB/TREC. By YAHOO at 10: AdaRank 0.5000.'
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.style import PALETTE

    columns = min(columns, len(tools))
    rows = -(-len(tools) // columns)
    figure, axes = plt.subplots(
        rows, columns, figsize=((3.9 if columns < 3 else 3.1) * columns, 3.1 * rows + 0.5), sharex=True, squeeze=False
    )
    own = curves[curves["trained_under"] == under]
    ranges = {
        tool: ((part["mean"] - part["standard_error"]).min(), (part["mean"] + part["standard_error"]).max())
        for tool, part in own[own["learner"].isin(learners)].groupby("tool")
    }
    height = max(high - low for low, high in (ranges[tool] for tool in tools)) * 1.06
    said = []
    for panel, tool in zip(axes.flat, tools, strict=False):
        for number, learner in enumerate(learners):
            curve = _one(own, learner=learner, tool=tool)
            nudge = 0.09 * (number - (len(learners) - 1) / 2)
            look = {"color": PALETTE[number], "marker": "osD^vP"[number], "linewidth": 1.1, "markersize": 3.8}
            _line(panel, curve, "mean", curve["standard_error"], look, learner, nudge)
        middle = sum(ranges[tool]) / 2
        panel.set(title=f"evaluated by {CONVENTIONS[tool].title}", ylim=(middle - height / 2, middle + height / 2))
        last = own[(own["tool"] == tool) & (own["k"] == CUTOFF)].set_index("learner")["mean"]
        said.append(
            f"By {CONVENTIONS[tool].title} at {CUTOFF}: " + ", ".join(f"{one} {last[one]:.4f}" for one in learners)
        )
    for panel in axes[-1]:
        panel.set_xlabel("cut-off")
    for panel in axes[:, 0]:
        panel.set_ylabel("mean NDCG")
    axes[0, 0].set_xticks(range(1, CUTOFF + 1))
    if len(tools) < axes.size:
        spare = axes.flat[-1]
        spare.axis("off")
        axes[-2, -1].tick_params(labelbottom=True)
        spare.legend(*axes[0, 0].get_legend_handles_labels(), loc="center")
    else:
        _legend_above(figure, axes[0, 0])
    return figure, f"NDCG of learners trained under {CONVENTIONS[under].title}. {'. '.join(said)}."


def at_last(curves: pd.DataFrame, *, learners: Sequence[str], tools: Sequence[str]) -> tuple[Figure, str]:
    """Draw all learners at the last cut-off, a panel for each tool, with the paper's error bars.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"learner": ["AdaRank", "RankSVM"], "trained_under": "ranklib", "tool": "yahoo", "k": 10,
    ...                       "mean": [0.3, 0.5], "standard_error": 0.02})
    >>> at_last(table, learners=["AdaRank", "RankSVM"], tools=["yahoo"])[1]
    'NDCG@10 of learners trained under RANKLIB/TREC, best first. By YAHOO: RankSVM 0.5000, AdaRank 0.3000.'
    """
    import matplotlib.pyplot as plt

    from ltrlib.plots.style import PALETTE

    own = curves[(curves["trained_under"] == "ranklib") & (curves["k"] == CUTOFF) & curves["learner"].isin(learners)]
    figure, axes = plt.subplots(1, len(tools), figsize=(3.0 * len(tools), 2.4), sharey=True, squeeze=False)
    order = own[own["tool"] == tools[0]].sort_values("mean")["learner"].tolist()
    widest = max(
        part["mean"].max() - part["mean"].min() + 3 * part["standard_error"].max() for _, part in own.groupby("tool")
    )
    said = []
    for panel, tool, colour in zip(axes[0], tools, PALETTE, strict=False):
        found = own[own["tool"] == tool].set_index("learner").loc[order]
        panel.errorbar(found["mean"], range(len(order)), xerr=found["standard_error"], fmt="o", color=colour, capsize=3)
        middle = (found["mean"].max() + found["mean"].min()) / 2
        panel.set(
            title=f"by {CONVENTIONS[tool].title}", xlim=(middle - widest / 2, middle + widest / 2), xlabel="NDCG@10"
        )
        panel.set_ylim(-0.5, len(order) - 0.5)
        panel.set_yticks(range(len(order)), order)
        best = found["mean"].sort_values(ascending=False)
        said.append(f"By {CONVENTIONS[tool].title}: " + ", ".join(f"{one} {value:.4f}" for one, value in best.items()))
    return figure, f"NDCG@{CUTOFF} of learners trained under RANKLIB/TREC, best first. {'. '.join(said)}."


def _one(table: pd.DataFrame, **fixed: str) -> pd.DataFrame:
    for column, value in fixed.items():
        table = table[table[column] == value]
    return table.sort_values("k")


def _line(
    panel: Any, curve: pd.DataFrame, value: str, error: Any, look: Mapping[str, Any], label: str, nudge: float
) -> None:
    """Draw a curve with error bars; only the bars are moved aside, since moved lines would seem to differ."""
    title = CONVENTIONS[label].title if label in CONVENTIONS else label
    panel.plot(curve["k"], curve[value], label=title, **look)
    bars = {"color": look["color"], "elinewidth": 0.9, "capsize": 1.5, "alpha": 0.55, "fmt": "none"}
    panel.errorbar(curve["k"] + nudge, curve[value], yerr=error, **bars)


def _legend_above(figure: Any, panel: Any, *, title: str | None = None) -> None:
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(handles, labels, title=title, ncols=3, loc="outside upper center", fontsize=9, title_fontsize=9)
