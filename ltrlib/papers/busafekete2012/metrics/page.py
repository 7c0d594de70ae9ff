"""What the chapter on metric conventions says: one ranking under every tool, in a summary, tables and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.metrics import bias
from ltrlib.metrics.tool_table import behaviour_table
from ltrlib.papers.busafekete2012.metrics import tables
from ltrlib.published.names import name

__all__ = ["Rankings", "groups", "how_tools_differ"]

_PASSING = ("gain is", "rank 2 is", "ties ", "scores compared")  # mentioned in passing by the paper, or not at all


@dataclass(frozen=True)
class Rankings:
    """Two rankings of one data set, and the cut-off at which they are scored.

    Parameters
    ----------
    dataset
        Its key.
    data
        All queries.
    scores
        Of the ranking that the page is about.
    tied_scores
        Of a ranking with many ties.
    cutoff
        Of the comparisons.

    Examples
    --------
    >>> from ltrlib.datasets.loading import load
    >>> data = load("standin/mq2008", "Fold1/test")
    >>> rankings = Rankings("standin/mq2008", data, data.features[:, 3], data.features[:, 4].round(1), 10)
    >>> len(rankings.summary), rankings.numbers()["empty-share"] == rankings.numbers()["gap"], rankings.chip("yahoo")
    (3, True, 'ndcg@10:yahoo')
    """

    dataset: str
    data: RankingData
    scores: NDArray[np.float64]
    tied_scores: NDArray[np.float64]
    cutoff: int

    def chip(self, tool: str) -> str:
        """Whose NDCG stands in a table, at the cut-off of this run."""
        return f"ndcg@{self.cutoff}:{tool}"

    @cached_property
    def by_tool(self) -> pd.DataFrame:
        """Mean NDCG under every tool, at every cut-off."""
        return tables.score_under_tools(self.data, self.scores)

    @cached_property
    def perfect(self) -> pd.DataFrame:
        """What a perfect ranking scores under three tools."""
        return bias.perfect_scores(self.data.labels, self.data.query_offsets, ["ranklib", "yahoo", "letor4"])

    @property
    def curves(self) -> Mapping[str, pd.DataFrame]:
        """NDCG against the cut-off under three tools: of a perfect ranking, and of ours."""
        return {"perfect ranking": self.perfect, "ridge": self.by_tool.loc[self.perfect.index]}

    @property
    def short(self) -> pd.Series:
        """Share of queries with fewer documents than each cut-off."""
        return bias.short_shares(self.data.query_offsets)

    @cached_property
    def _changed(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        first, second = (
            tables.change_one_choice(self.data, scores, k=self.cutoff) for scores in (self.scores, self.tied_scores)
        )
        return first, second

    def choices(self) -> pd.DataFrame:
        """One choice changed at a time, from RankLib's NDCG: what that does to both rankings, and who chooses so."""
        first, second = self._changed
        return pd.DataFrame(
            {
                "choice": first["choice"],
                "ridge": first["change"].map("{:+.4f}".format),
                "queries": first["queries changed"].map("{:.1%}".format),
                "one feature": second["change"].map("{:+.4f}".format),
                "its queries": second["queries changed"].map("{:.1%}".format),
                "who": first["tools"],
            }
        )

    def values(self) -> pd.DataFrame:
        """NDCG of the ranking at a few cut-offs, the lowest tool first; as text."""
        order = self._at(self.cutoff).sort_values(kind="stable").index
        shown = {"tool": [name("tool", str(tool)) for tool in order]}
        for k in sorted({1, 3, 5, self.cutoff}):
            shown[f"NDCG@{k}"] = [f"{value:.4f}" for value in self._at(k).loc[order]]
        return pd.DataFrame(shown)

    def _at(self, k: int) -> pd.Series:
        return self.by_tool[k]

    def numbers(self) -> dict[str, str]:
        """Numbers of the prose, by the names under which it quotes them."""
        k, queries = self.cutoff, self.data.n_queries
        at, perfect = self._at(k), self.perfect[k]
        empty = bias.empty_share(self.data.labels, self.data.query_offsets)
        thresholds = tables.relevance_thresholds(self.data, self.scores)
        first, second = self._changed
        unnamed = [
            abs(change)
            for one in (first, second)
            for choice, change in zip(one["choice"], one["change"], strict=True)
            if choice.startswith(_PASSING)
        ]
        tied = dict(zip(second["choice"], second["mean"], strict=True))
        return {
            "lowest": f"{at.min():.4f}",
            "highest": f"{at.max():.4f}",
            "tools": f"{len(at)}",
            "distinct": f"{at.round(4).nunique()}",
            "empty": f"{round(empty * queries)} of {queries}",
            "empty-share": f"{empty:.4f}",
            "gap": f"{at['yahoo'] - at['ranklib']:.4f}",
            "short": f"{round(self.short[k] * queries)} of {queries}",
            "perfect-letor": f"{perfect['letor4']:.4f}",
            "perfect-ranklib": f"{perfect['ranklib']:.4f}",
            "largest-unnamed": f"{max(unnamed):.4f}",
            "tied-ridge": f"{tables.tied_share(self.data, self.scores):.1%}",
            "tied-feature": f"{tables.tied_share(self.data, self.tied_scores):.1%}",
            "feature-average": f"{tied['ties averaged']:.4f}",
            "feature-worst": f"{tied['ties in the worst order']:.4f}",
            "map-1": f"{thresholds[1]:.4f}",
            "map-2": f"{thresholds[2]:.4f}",
        }

    @property
    def summary(self) -> list[str]:
        """The chapter in three sentences."""
        found, called = self.numbers(), name("data", self.dataset)
        return [
            f"Score one ranking of {called} with {found['tools']} tools, and you get {found['distinct']} different "
            f"NDCG@{self.cutoff}, from {found['lowest']} to {found['highest']}.",
            f"Two cases make most of the difference, as the paper says: {found['empty']} queries have no relevant "
            f"document, and {found['short']} have fewer documents than the cut-off.",
            "The rest comes from gain, discount, ties and the precision of scores; in the two rankings that we tried, "
            f"none of these moves the mean by more than {found['largest-unnamed']}.",
        ]


def groups(values: pd.Series) -> dict[str, list[str]]:
    """Tools by the value that they give at four digits, the lowest first.

    Examples
    --------
    >>> groups(pd.Series({"yahoo": 0.78, "ranklib": 0.5, "rax": 0.5}))
    {'0.5000': ['RankLib', 'rax'], '0.7800': ['Yahoo!']}
    """
    found: dict[str, list[str]] = {}
    for tool, value in values.sort_values(kind="stable").items():
        found.setdefault(f"{value:.4f}", []).append(name("tool", str(tool)))
    return found


def how_tools_differ(columns: Sequence[str]) -> pd.DataFrame:
    """Some columns of what every tool does, with plain words for how that was checked.

    Examples
    --------
    >>> set(how_tools_differ(["tool", "checked"])["checked"]) <= set(_CHECKED.values())
    True
    """
    behaviour = behaviour_table()[list(columns)]
    return behaviour.replace({"checked": _CHECKED}) if "checked" in behaviour else behaviour


_CHECKED = {
    "golden": "recorded output",
    "live": "the installed program",
    "documented": "documentation only",
}
