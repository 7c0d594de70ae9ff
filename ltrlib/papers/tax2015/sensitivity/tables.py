"""One data set left out: how far the methods of Figure 6 move.

What concerns wins is a distribution over the sampled reconstructions, given by its median and by the interval from
its 5 % to its 95 % quantile. What concerns comparisons follows from the presence, which is forced for some methods
and free within bounds for others.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.comparison.bagplot import IN_BAG, OUTLIER, Bagplot
from ltrlib.errors import UsageError
from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.sensitivity.without_dataset import CASES, FIGURE6, points_left, sample_bagplots
from ltrlib.published.tables import load_paper

__all__ = [
    "QUANTILES",
    "bagplots",
    "datasets",
    "moves",
    "moves_table",
    "orders",
    "presence_freedom",
    "short_name",
    "spread_findings",
    "spread_table",
]

QUANTILES = (0.05, 0.5, 0.95)
"""Lower end, middle and upper end of what the samples show."""

Whole: TypeAlias = NDArray[np.int64]


@cache
def orders(record: str = "orders") -> pd.DataFrame:
    """The sampled orders behind Table B.6, as recorded.

    Parameters
    ----------
    record
        ``orders``: all on one presence; ``orders-varied``: each on a presence of its own.
    """
    if record not in records.SAMPLED:
        raise UsageError(
            f"no sampled orders are called {record!r}", where="record", cure=f"one of {', '.join(records.SAMPLED)}"
        )
    return records.SAMPLED[record].read().table


def datasets() -> list[str]:
    """Names of the data sets that carry Table B.6."""
    return sorted(orders()["dataset"].unique())


def short_name(dataset: str) -> str:
    """Abbreviate a data set's name for a figure.

    Examples
    --------
    >>> short_name("LETOR 3.0 TD2003")
    'L3 TD2003'
    """
    return dataset.replace("LETOR ", "L").replace(".0", "").replace("MSLR-WEB", "WEB")


def bagplots(method: str, *, cases: str = "evaluated") -> list[Bagplot]:
    """One bagplot of (IWN, NWN) per sample, as `sample_bagplots` makes them from the recorded orders."""
    return _bagplots(method, cases)


@cache
def _bagplots(method: str, cases: str) -> list[Bagplot]:
    return sample_bagplots(orders(), method, cases=cases)


def moves(method: str, *, cases: str = "evaluated") -> pd.DataFrame:
    """Where a method's point moves when each of its data sets is left out.

    Parameters
    ----------
    method
        A method of Table B.6.
    cases
        One of `CASES`; it decides on the bag.

    Returns
    -------
    pandas.DataFrame
        Columns dataset, iwn, nwn_low, nwn, nwn_high, in_bag, outlier; the last two are shares of samples.

    Examples
    --------
    >>> moves("LARF").set_index("dataset")["iwn"].to_dict()
    {'LETOR 3.0 OHSUMED': 225, 'LETOR 3.0 TD2003': 264, 'LETOR 3.0 TD2004': 269}
    """
    types = np.array([plot.types for plot in bagplots(method, cases=cases)])
    on_its_sets = orders()["dataset"].isin(orders().loc[orders()["method"] == method, "dataset"])
    left = points_left(orders()[on_its_sets])
    rows = []
    for number, (dataset, points) in enumerate(left[(left["method"] == method) & (left["iwn"] > 0)].groupby("dataset")):
        in_bag, outlier = (types[:, number] <= IN_BAG).mean(), (types[:, number] == OUTLIER).mean()
        rows.append((dataset, int(points["iwn"].iloc[0]), *points["nwn"].quantile(list(QUANTILES)), in_bag, outlier))
    return pd.DataFrame(rows, columns=["dataset", "iwn", "nwn_low", "nwn", "nwn_high", "in_bag", "outlier"])


def moves_table(method: str, *, cases: str = "evaluated") -> pd.DataFrame:
    """`moves` as text."""
    found = moves(method, cases=cases)
    return pd.DataFrame(
        {
            "left out": found["dataset"],
            "IWN": found["iwn"].astype(str),
            "NWN": [f"{value:.4f}" for value in found["nwn"]],
            "middle 90 %": [f"{a:.4f}–{b:.4f}" for a, b in zip(found["nwn_low"], found["nwn_high"], strict=True)],
            "in the bag": [f"{share:.0%}" for share in found["in_bag"]],
            "outlier": [f"{share:.0%}" for share in found["outlier"]],
        }
    )


@cache
def presence_freedom() -> pd.DataFrame:
    """How the IWN variance of the methods of Figure 6 depends on which data sets they may have been evaluated on.

    With the numbers of methods per data set given, every choice of data sets that yields a method's printed number of
    data sets and its IWN is tried, metric by metric, except those that the recorded ``cells`` rule out. Not all of
    these fit the other methods too, so the true freedom is at most this.

    Returns
    -------
    pandas.DataFrame
        Columns method, choices, cases, lowest, highest: the number of choices over the four metrics, and the range of
        the IWN variance (divisor n - 1) in both readings of what a point is.

    Examples
    --------
    >>> freedom = presence_freedom().set_index(["method", "cases"])
    >>> int(freedom.loc[("LARF", "evaluated"), "choices"])
    1
    """
    everything = int(load_paper("tax2015").statement("datasets").value)
    rows = []
    for method in FIGURE6:
        options = _dataset_choices(method)
        variances: dict[str, list[float]] = {cases: [] for cases in CASES}
        for choice in product(*options):
            lost = np.sum(choice, axis=0)
            left = lost.sum() - lost
            variances["evaluated"].append(float(left[lost > 0].var(ddof=1)))
            # A data set that no method of the comparison needs changes nothing either.
            unneeded = np.full(everything - left.size, lost.sum())
            variances["all"].append(float(np.append(left, unneeded).var(ddof=1)))
        for cases, found in variances.items():
            rows.append((method, len(found), cases, min(found), max(found)))
    return pd.DataFrame(rows, columns=["method", "choices", "cases", "lowest", "highest"])


def _dataset_choices(method: str) -> list[list[Whole]]:
    """For each metric, the possible losses of IWN per data set left out."""
    from ltrlib.papers.tax2015.hidden.puzzle import presence_puzzle

    rows, cells = records.PUBLISHED_ROWS.read().table, records.CELLS.read().table
    facts = presence_puzzle().facts
    first = orders().query("sample == 0")
    choices = []
    for row in rows[rows["method"] == method].itertuples():
        here = cells[(cells["method"] == method) & (cells["metric"] == row.metric)]
        known = facts[(facts["method"] == method) & (facts["metric"] == row.metric)]["dataset"]
        must = set(here.loc[here["status"] == "always", "dataset"]) | set(known)
        may = [name for name in here.loc[here["status"] != "never", "dataset"] if name not in must]
        size = (first.loc[first["metric"] == row.metric, "dataset"].value_counts() - 1).to_dict()
        wanted = int(str(row.iwn)) - sum(size[name] for name in must)
        fitting = [
            must | set(more)
            for more in combinations(may, int(str(row.datasets)) - len(must))
            if sum(size[name] for name in more) == wanted
        ]
        choices.append([np.array([size[d] if d in chosen else 0 for d in datasets()]) for chosen in fitting])
    return choices


def spread_table() -> pd.DataFrame:
    """The numbers behind Figure 6, as text: one row per quantity, one column per method."""
    spread = records.LEFT_OUT.read().table
    possible = {
        (row.method, row.cases): "the only one" if row.choices == 1 else f"{row.lowest:,.0f}–{row.highest:,.0f}"
        for row in presence_freedom().itertuples()
    }
    columns: dict[str, dict[str, str]] = {}
    for method in FIGURE6:
        own = spread[spread["method"] == method]
        evaluated, every = (own[own["cases"] == cases] for cases in CASES)
        ratio = evaluated["nwn_variance"] / evaluated["nwn_mean"]
        columns[method] = {
            "data sets": str(int(evaluated["points"].iloc[0])),
            "IWN variance": f"{evaluated['iwn_variance'].iloc[0]:,.0f}",
            "… with other data sets": possible[method, "evaluated"],
            "IWN variance, all cases": f"{every['iwn_variance'].iloc[0]:,.0f}",
            "… with other data sets ": possible[method, "all"],
            "NWN variance × 10⁶": _interval(evaluated["nwn_variance"] * 1e6),
            "NWN variance × 10⁶, all cases": _interval(every["nwn_variance"] * 1e6),
            "variance ÷ mean of NWN, × 10⁶": _interval(ratio * 1e6),
            "width of the bag in IWN": _interval(evaluated["bag_iwn"]),
            "height of the bag in NWN × 10³": _interval(evaluated["bag_nwn"] * 1e3),
        }
    return pd.DataFrame(columns).rename_axis("").reset_index()


def _interval(values: pd.Series[float]) -> str:
    low, middle, high = (
        f"{value:,.0f}" if value >= 10 else f"{value:.1f}" for value in values.quantile(list(QUANTILES))
    )
    return middle if low == high else f"{middle} ({low}–{high})"


def spread_findings() -> dict[str, str]:
    """Numbers for the chapter's prose, formatted: how far apart the variances of Figure 6 are.

    Returns
    -------
    dict
        ``<cases>-<iwn or nwn>-among``: the largest factor between two methods other than LRUF and LARF; ``-apart``: the
        smallest between those two and the others; ``-all``: the largest between any two; ``<method>-lost``: the share
        of IWN that one data set costs; ``<cases>-rising``: in how many samples the ratio of variance to mean of NWN
        rises from one panel to the next, fewest to most; ``<cases>-rising-throughout``: in how many over all panels.
    """
    record = records.LEFT_OUT.read().table
    middle = record.groupby(["cases", "method"])[["iwn_variance", "nwn_variance"]].median()
    named, found = ["LRUF", "LARF"], {"samples": str(record["sample"].nunique())}
    for cases in CASES:
        rows = record[record["cases"] == cases]
        ratios = rows.assign(ratio=rows["nwn_variance"] / rows["nwn_mean"]).pivot(
            index="sample", columns="method", values="ratio"
        )
        rises = ratios[list(FIGURE6)].diff(axis=1).iloc[:, 1:] > 0
        found[f"{cases}-rising"] = f"{rises.sum().min()} to {rises.sum().max()}"
        found[f"{cases}-rising-throughout"] = str(int(rises.all(axis=1).sum()))
        for quantity in ("iwn", "nwn"):
            values = middle.loc[cases][f"{quantity}_variance"]
            others = values.drop(named)
            found[f"{cases}-{quantity}-among"] = f"{others.max() / others.min():.1f}"
            found[f"{cases}-{quantity}-apart"] = f"{others.min() / values[named].max():.1f}"
            found[f"{cases}-{quantity}-all"] = f"{values.max() / values.min():.1f}"
    first = points_left(orders().query("sample == 0"))
    for method in named:
        left = first.loc[first["method"] == method, "iwn"]
        # Each data set is missing from one of the sums over the others.
        lost = 1 - left * (len(left) - 1) / left.sum()
        found[f"{method.lower()}-lost"] = f"{lost.min():.0%} to {lost.max():.0%}"
    return found
