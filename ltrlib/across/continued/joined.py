"""The one table in which results can be joined: Table B.6, later results and our own runs by LETOR's tool."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from ltrlib.across.continued.measures import METRICS
from ltrlib.across.continued.pool import FAMILY, LATER, OURS, TABLE_B6, pool
from ltrlib.comparison.pareto import add_pareto_ranks, dominators
from ltrlib.comparison.results import ALL_METRICS
from ltrlib.comparison.winning import IwnRule, winning_numbers

__all__ = ["Joined", "join_results", "joined", "what_changes"]


def join_results(
    *,
    without_doubts: Collection[str] = (),
    kinds: Collection[str] = (TABLE_B6, LATER, OURS),
    among: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """List the results behind Table B.6, and those of other kinds that share a family with some of them.

    A later result joins if data set, part, metric and measure are those of results in Table B.6. What has no stated
    convention shares its measure with nothing, so nothing is joined there.

    Parameters
    ----------
    without_doubts, kinds, among
        As for :func:`ltrlib.across.continued.pool.pool`.

    Examples
    --------
    >>> table = join_results()
    >>> sorted(set(table.loc[table["kind"] != "Table B.6", "dataset"]))
    ['LETOR 3.0 OHSUMED', 'LETOR 4.0 MQ2007', 'LETOR 4.0 MQ2008']
    """
    table = pool(without_doubts=without_doubts, kinds={TABLE_B6, *kinds}, among=among)
    table = table[table["metric"].isin(METRICS)]
    base = set(table.loc[table["kind"] == TABLE_B6, FAMILY].itertuples(index=False, name=None))
    joins = [family in base for family in table[FAMILY].itertuples(index=False, name=None)]
    return table[joins].reset_index(drop=True)


@dataclass(frozen=True, eq=False)
class Joined:
    """Winning numbers over joined results.

    Parameters
    ----------
    results
        One row per result, with at least method, dataset, metric, value, kind.
    winning
        Winning numbers with Pareto ranks, per method and metric and over all.
    """

    results: pd.DataFrame
    winning: pd.DataFrame

    def rows(self) -> pd.DataFrame:
        """Return one row per method in the form of Table B.6, by falling NWN.

        Columns method, kind, for each metric its NWN and number of data sets (``NDCG@3 sets``), then WN, IWN, NWN,
        place (by NWN; equal ones share), Pareto rank and dominated by.
        """
        return self._rows.copy()

    @cached_property
    def _rows(self) -> pd.DataFrame:
        whole = self.winning[self.winning["metric"] == ALL_METRICS].set_index("method")
        kinds = self.results.drop_duplicates("method").set_index("method")["kind"]
        table = pd.DataFrame({"method": whole.index, "kind": kinds.reindex(whole.index).to_numpy()})
        for metric in METRICS:
            part = self.winning[self.winning["metric"] == metric].set_index("method").reindex(whole.index)
            table[metric] = part["nwn"].to_numpy()
            table[f"{metric} sets"] = part["datasets"].fillna(0).astype(int).to_numpy()
        for title, name in (("WN", "wn"), ("IWN", "iwn"), ("NWN", "nwn"), ("Pareto rank", "pareto_rank")):
            table[title] = whole[name].to_numpy()
        table["place"] = table["NWN"].rank(ascending=False, method="min").astype("Int64")
        table["dominated by"] = ""
        counted = table.index[table["NWN"].notna()]
        above = dominators(table.loc[counted, "IWN"].to_numpy(), table.loc[counted, "NWN"].to_numpy())
        names = table.loc[counted, "method"].to_numpy()
        table.loc[counted, "dominated by"] = [", ".join(names[who]) for who in above]
        return table.sort_values(["NWN", "IWN"], ascending=False, kind="stable", ignore_index=True)

    def front(self) -> set[str]:
        """Name the methods on the Pareto front over all metrics."""
        return set(self._front)

    @cached_property
    def _front(self) -> frozenset[str]:
        whole = self.winning[self.winning["metric"] == ALL_METRICS]
        return frozenset(whole.loc[whole["pareto_rank"] == 1, "method"])


def joined(results: pd.DataFrame, *, iwn: IwnRule = "formula") -> Joined:
    """Count joined results.

    Parameters
    ----------
    results
        As :func:`join_results` returns them, or with further rows.
    iwn
        The rule of IWN.

    Examples
    --------
    >>> table = joined(join_results(kinds=["Table B.6"]), iwn="reached").rows().set_index("method")
    >>> table.loc["ListNet", ["WN", "IWN", "place"]].tolist()
    [461, 931, 49]
    """
    return Joined(results, add_pareto_ranks(winning_numbers(results, iwn=iwn)))


def what_changes(before: Joined, after: Joined) -> pd.DataFrame:
    """Compare the rows of the methods that stand in both tables.

    Returns
    -------
    pandas.DataFrame
        One row per method of the first table: method, and WN, IWN, NWN, place and front before and after; ``changed``
        if WN or IWN differs, ``on`` and ``off`` if it came onto the front or left it.

    Examples
    --------
    >>> table = what_changes(joined(join_results(kinds=["Table B.6"])), joined(join_results()))
    >>> len(table), bool(table["changed"].any())
    (87, True)
    """
    sides = []
    for side, suffix in ((before, "before"), (after, "after")):
        rows = side.rows().set_index("method")
        kept = rows[["WN", "IWN", "NWN", "place"]].assign(front=rows["Pareto rank"].eq(1).fillna(False))
        sides.append(kept.add_suffix(f" {suffix}"))
    table = sides[0].join(sides[1], how="left").reset_index()
    table["changed"] = (table["WN before"] != table["WN after"]) | (table["IWN before"] != table["IWN after"])
    on, was = table["front after"].fillna(False).astype(bool), table["front before"].astype(bool)
    return table.assign(on=on & ~was, off=was & ~on)
