"""What the chapter reads and says: the study of one data set, its summary, and the numbers of the prose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from ltrlib.papers.busafekete2012.study import results, tables
from ltrlib.papers.busafekete2012.study.learners import CUTOFF
from ltrlib.papers.busafekete2012.study.plans import PLANS
from ltrlib.papers.busafekete2012.study.records import Tables, queries_of, runs_of
from ltrlib.published.names import name
from ltrlib.records.record import Record
from ltrlib.sweeps.reported import record_metric

__all__ = ["Study", "elsewhere", "elsewhere_data", "elsewhere_numbers", "report"]

_PAPER = ("ranklib", "yahoo", "letor4")


@dataclass(frozen=True)
class Study:
    """The study of one data set: trainings, test queries, and who is compared.

    Parameters
    ----------
    found
        Trainings and test queries.
    on
        The record behind it, or the data set that was trained on now.
    learners
        Which learners to show.

    Examples
    --------
    >>> from ltrlib.papers.busafekete2012.study.plans import Plan
    >>> study = Study(*tables.recorded(Plan("mq2008")), tables.FIGURE2)
    >>> len(study.summary), study.first_four[0], study.numbers()["short-share"]
    (3, 'AdaRank', '51%')
    """

    found: Tables
    on: Record | str
    learners: Sequence[str]

    @property
    def queries(self) -> pd.DataFrame:
        """NDCG of each test query."""
        return self.found.queries

    @property
    def first_four(self) -> list[str]:
        """Learners of Figure 1 that are among those to show."""
        return [one for one in tables.FIGURE1 if one in self.learners]

    @property
    def boosted(self) -> list[str]:
        """Learners for which LETOR's convention was taken apart."""
        return [one for one in ("AdaRank", "LambdaMART") if one in self.learners]

    @property
    def effects(self) -> pd.DataFrame:
        """What another tool's NDCG in training changes."""
        return tables.effects(self.queries, self.first_four)

    @property
    def curves(self) -> pd.DataFrame:
        """Mean NDCG of each learner and training, under each tool and at each cut-off."""
        return results.curves(self.queries)

    @property
    def choices(self) -> pd.DataFrame:
        """What the validation parts chose."""
        return tables.choices(self.found.runs[self.found.runs["trained_under"].isin(_PAPER)])

    @property
    def summary(self) -> list[str]:
        """The chapter in three sentences."""
        at = self.curves.query("k == @CUTOFF and trained_under == 'ranklib'").pivot(
            index="learner", columns="tool", values="mean"
        )
        added, taken = at["yahoo"] - at["ranklib"], at["ranklib"] - at["letor4"]
        last = self.effects.query("k == @CUTOFF")
        letor, yahoo = (last[last["trained_under"] == under] for under in ("letor4", "yahoo"))
        clear = ((letor["low"] > 0) | (letor["high"] < 0)).sum()
        same = [one for one, share in zip(yahoo["learner"], yahoo["differing"], strict=True) if share == 0]
        return [
            f"As judges the tools differ as the paper says: YAHOO adds {added.mean():.3f} to every learner's "
            f"NDCG@{CUTOFF}, and LETOR takes {taken.min():.3f} to {taken.max():.3f} away.",
            "As teachers they hardly do: trained with LETOR's NDCG, a learner changes by "
            f"{letor['difference'].min():+.4f} to {letor['difference'].max():+.4f}, and {clear or 'none'} of the "
            f"{len(letor)} changes can be told from zero.",
            f"YAHOO's NDCG teaches {_listed(same)} exactly what RANKLIB's teaches. Their models are the same, as they "
            "must be.",
        ]

    def numbers(self) -> dict[str, str]:
        """Numbers of the prose, by the names under which it quotes them."""
        queries, runs, effects = self.queries, self.found.runs, self.effects
        tested = tables.significance(queries, self.first_four)
        by_pair = tested.set_index(["learner", "trained under"])
        found = {}
        for learner in tables.FIGURE1:
            found[f"{learner.lower()}-yahoo"] = by_pair["change"].get((learner, "YAHOO"), "–")
            found[f"{learner.lower()}-yahoo-differ"] = by_pair["queries that differ"].get((learner, "YAHOO"), "–")
        looks, clear, where = tables.beyond_zero(effects)
        letor = effects[(effects["trained_under"] == "letor4") & (effects["k"] == CUTOFF)]
        once = queries.drop_duplicates("query")
        short = once["documents"] < CUTOFF
        bars = results.curves(queries, tools=["ranklib"], cutoffs=[CUTOFF])["standard_error"]
        tied = runs[runs["trained_under"] == "ranklib"].groupby("learner")["tied"].mean()
        epochs = runs["size"][runs["learner"] == "RankNet"]
        smallest = tested[["p, t-test", "p, randomisation"]].astype(float).to_numpy().min()
        lengths = results.short_and_long(queries, self.learners)
        return found | {
            "looks": f"{looks}",
            "clear": f"{clear}",
            "where": where,
            "smallest-p": f"{smallest:.2f}",
            "most-lost": f"{-letor['low'].min():.4f}",
            "short-share": f"{short.mean():.0%}",
            "short-documents": f"{once['documents'][short].sum() / once['documents'].sum():.0%}",
            "bar": f"{bars.mean():.4f}",
            "tied-lambdamart": f"{tied.get('LambdaMART', float('nan')):.0%}",
            "tied-rankboost": f"{tied.get('RankBoost', float('nan')):.0%}",
            "last-epoch": "–" if epochs.empty else f"{epochs.max()}",
            "short-queries": f"{lengths['short_queries'].iloc[0]}",
            "long-queries": f"{lengths['long_queries'].iloc[0]}",
        }

    def by_tool(self) -> pd.DataFrame:
        """NDCG@10 by tool, and by RANKLIB on short and on long queries with something relevant; as text."""
        shown = tables.tool_table(self.queries, list(self.learners), tools=[*_PAPER, "trec"]).set_index("learner")
        lengths = results.short_and_long(self.queries, list(self.learners)).set_index("learner")
        for length in ("short", "long"):
            shown[f"{length} queries"] = lengths[length].map("{:.4f}".format)
        return shown.drop(columns="spread over seeds").reset_index()


def report(queries: pd.DataFrame) -> None:
    """Keep the means at the last cut-off where a sweep looks for them."""
    found = results.curves(queries, tools=["ranklib", "yahoo", "letor4", "trec"], cutoffs=[CUTOFF])
    for row in found.to_dict("records"):
        learner, under, tool = row["learner"].lower(), row["trained_under"], row["tool"]
        record_metric(f"busafekete2012.{learner}-under-{under}-by-{tool}", row["mean"])


def elsewhere(datasets: Sequence[str] = tuple(PLANS)) -> pd.DataFrame:
    """NDCG@10 by RANKLIB of every learner on every recorded data set; as text.

    Examples
    --------
    >>> elsewhere(["mq2008"]).columns.tolist()
    ['learner', 'MQ2008']
    """
    columns = {}
    for dataset in datasets:
        queries = queries_of(dataset).read().table
        shown = tables.tool_table(queries, list(queries["learner"].unique()), tools=["ranklib"])
        columns[name("data", dataset)] = shown.set_index("learner").iloc[:, 0]
    return pd.DataFrame(columns).rename_axis("learner").reset_index()


def elsewhere_numbers(datasets: Sequence[str] = tuple(PLANS)) -> dict[str, str]:
    """Numbers of the prose on other data sets."""
    found: dict[str, str] = {}
    first = {}
    for dataset in datasets:
        queries, runs = queries_of(dataset).read().table, runs_of(dataset).read().table
        order = tables.tool_table(queries, list(queries["learner"].unique()), tools=["ranklib"])["learner"]
        first[dataset] = order.iloc[0]
        ahead, tried = results.seeds_ahead(queries, "RankNet", "CoordinateAscent")
        found |= {
            f"last-{dataset}": order.iloc[-1],
            f"queries-{dataset}": f"{queries['query'].nunique()}",
            f"ahead-{dataset}": f"{ahead} of {tried}",
            f"epochs-{dataset}": f"{runs['size'][runs['learner'] == 'RankNet'].max()}",
        }
    others = [dataset for dataset in datasets if dataset != "mq2008"]
    by_learner = {one: [name("data", other) for other in others if first[other] == one] for one in first.values()}
    said = [f"{one} on {_listed(where)}" for one, where in by_learner.items() if where]
    return found | {"first-elsewhere": _listed(said)}


def elsewhere_data(datasets: Sequence[str] = tuple(PLANS)) -> list[Record]:
    """The records behind :func:`elsewhere`."""
    return [queries_of(dataset).read() for dataset in datasets]


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names) or "nobody"
