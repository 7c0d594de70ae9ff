"""One data set left out: how far the methods of Figure 6 move, and who stays on the Pareto front.

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
from ltrlib.comparison.pareto import pareto_front
from ltrlib.errors import UsageError
from ltrlib.published.tables import load_paper
from ltrlib.records import read_record
from ltrlib.studies.leave_metric_out import NOTHING, PUBLISHED_ROWS
from ltrlib.studies.left_out import CASES, FIGURE6, ORDERS, SPREAD, points_left, sample_bagplots

__all__ = [
    "QUANTILES",
    "bagplots",
    "datasets",
    "findings",
    "front_shares",
    "front_summary",
    "moves",
    "moves_table",
    "orders",
    "points_without",
    "presence_freedom",
    "short_name",
    "spread_table",
]

QUANTILES = (0.05, 0.5, 0.95)
"""Lower end, middle and upper end of what the samples show."""

Whole: TypeAlias = NDArray[np.int64]
Shares: TypeAlias = NDArray[np.float64]


@cache
def orders() -> pd.DataFrame:
    """The sampled orders behind Table B.6, as recorded.

    Examples
    --------
    >>> orders()["sample"].nunique()
    200
    """
    return read_record("tax2015/orders", ORDERS).table


def datasets() -> list[str]:
    """Names of the data sets that carry Table B.6.

    Examples
    --------
    >>> len(datasets())
    19
    """
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
    """One bagplot of (IWN, NWN) per sample, as `sample_bagplots` makes them from the recorded orders.

    Examples
    --------
    >>> len(bagplots("LARF"))
    200
    """
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
    from ltrlib.comparison.reconstruct.tax2015 import presence_puzzle

    rows = read_record("tax2015/published-rows", PUBLISHED_ROWS).table
    cells = read_record("tax2015/cells", dict.fromkeys(("method", "metric", "dataset", "status"), "str")).table
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
    """The numbers behind Figure 6, as text: spread of IWN and of NWN when one data set is left out.

    Examples
    --------
    >>> spread_table()["method"].tolist()
    ['LARF', 'LRUF', 'FSMRank', 'FenchelRank', 'SmoothRank', 'ListNet']
    """
    spread = read_record("tax2015/left-out", SPREAD).table
    freedom = presence_freedom()
    possible = {
        (row.method, row.cases): "only this" if row.choices == 1 else f"{row.lowest:,.0f} to {row.highest:,.0f}"
        for row in freedom.itertuples()
    }
    rows = []
    for method in FIGURE6:
        own = spread[spread["method"] == method]
        evaluated, every = (own[own["cases"] == cases] for cases in CASES)
        rows.append(
            {
                "method": method,
                "sets": str(int(evaluated["points"].iloc[0])),
                "IWN variance": f"{evaluated['iwn_variance'].iloc[0]:,.0f}",
                "possible": possible[method, "evaluated"],
                "over 20 cases": f"{every['iwn_variance'].iloc[0]:,.0f}",
                "possible ": possible[method, "all"],
                "NWN variance × 10⁶": _interval(evaluated["nwn_variance"] * 1e6),
                "÷ NWN mean × 10⁶": _interval(evaluated["nwn_variance"] / evaluated["nwn_mean"] * 1e6),
                "bag, IWN": _interval(evaluated["bag_iwn"]),
                "bag, NWN × 10³": _interval(evaluated["bag_nwn"] * 1e3),
            }
        )
    return pd.DataFrame(rows)


def _interval(values: pd.Series[float]) -> str:
    low, middle, high = (
        f"{value:,.0f}" if value >= 10 else f"{value:.1f}" for value in values.quantile(list(QUANTILES))
    )
    return middle if low == high else f"{middle} ({low} to {high})"


@cache
def _won_and_possible() -> tuple[Whole, Whole, list[str]]:
    """Wins by sample, method and data set, comparisons by method and data set, and the names of the methods."""
    table = orders()
    others = table.groupby(["sample", "metric", "dataset"])["wins"].transform("size") - 1
    summed = table.assign(others=others).groupby(["sample", "method", "dataset"])[["wins", "others"]].sum()
    wide = summed.unstack("dataset", fill_value=0)
    methods = list(dict.fromkeys(wide.index.get_level_values("method")))
    shape = (table["sample"].nunique(), len(methods), len(datasets()))
    won, possible = (wide[name].to_numpy().reshape(shape) for name in ("wins", "others"))
    return won, possible[0], methods


def _left(left_out: str) -> tuple[Shares, Whole, NDArray[np.bool_]]:
    """NWN by sample and method, IWN by method, and who is on the front, of the methods with something left."""
    won, possible, _ = _won_and_possible()
    names = datasets()
    if left_out not in (NOTHING, *names):
        raise UsageError(f"no data set {left_out!r}", where="leave_out", cure=f"nothing, or one of {', '.join(names)}")
    kept = np.array([name != left_out for name in names])
    iwn = possible[:, kept].sum(axis=1)
    some = iwn > 0
    nwn = np.full(won.shape[:2], np.nan)
    nwn[:, some] = won[:, :, kept].sum(axis=2)[:, some] / iwn[some]
    front = np.zeros(nwn.shape, dtype=bool)
    front[:, some] = [pareto_front(iwn[some], values[some]) for values in nwn]
    return nwn, iwn, front


@cache
def front_shares() -> pd.DataFrame:
    """In which share of the samples a method is on the Pareto front (usual reading) without a data set.

    Returns
    -------
    pandas.DataFrame
        Columns method, left_out, share, for each method that is ever on the front and each data set, and with
        left_out ``nothing``; methods are in rising order of IWN.

    Examples
    --------
    >>> shares = front_shares().set_index(["method", "left_out"])["share"]
    >>> float(shares["LRUF", "nothing"])
    1.0
    """
    _, possible, methods = _won_and_possible()
    shares = {left_out: _left(left_out)[2].mean(axis=0) for left_out in (NOTHING, *datasets())}
    order = np.argsort(possible.sum(axis=1), kind="stable")
    ever = [i for i in order if any(share[i] > 0 for share in shares.values())]
    rows = [(methods[i], left_out, float(share[i])) for i in ever for left_out, share in shares.items()]
    return pd.DataFrame(rows, columns=["method", "left_out", "share"])


def front_summary() -> pd.DataFrame:
    """How stable each member of the front is, as text: with nothing left out, and over the data sets left out.

    Examples
    --------
    >>> front_summary().columns.tolist()[:3]
    ['method', 'named in the paper', 'nothing left out']
    """
    paper = load_paper("tax2015")
    named = {*paper.names("abstract-front"), *paper.names("section45-front")}
    rows = []
    for method, own in front_shares().groupby("method", sort=False):
        share = own.set_index("left_out")["share"]
        left = share.drop(NOTHING)
        worst = ", ".join(short_name(name) for name in left.index[left == left.min()])
        rows.append(
            {
                "method": method,
                "named in the paper": "yes" if method in named else "no",
                "nothing left out": f"{share[NOTHING]:.1%}",
                "always": str((left == 1).sum()),
                "sometimes": str(((left > 0) & (left < 1)).sum()),
                "never": str((left == 0).sum()),
                "lowest share": f"{left.min():.1%}",
                "without": worst if (left == left.min()).sum() <= 3 else f"{(left == left.min()).sum()} sets",
            }
        )
    return pd.DataFrame(rows)


def points_without(left_out: str) -> pd.DataFrame:
    """NWN and IWN of all methods without a data set, over the samples.

    Parameters
    ----------
    left_out
        A data set, or ``nothing``.

    Returns
    -------
    pandas.DataFrame
        Columns method, iwn, nwn_low, nwn, nwn_high, share: of the samples in which the method is on the front.

    Examples
    --------
    >>> int(points_without("LETOR 3.0 OHSUMED").set_index("method").loc["LARF", "iwn"])
    225
    """
    nwn, iwn, front = _left(left_out)
    some = iwn > 0
    low, middle, high = np.quantile(nwn[:, some], QUANTILES, axis=0)
    names = [name for name, kept in zip(_won_and_possible()[2], some, strict=True) if kept]
    columns = {"iwn": iwn[some], "nwn_low": low, "nwn": middle, "nwn_high": high, "share": front[:, some].mean(axis=0)}
    return pd.DataFrame({"method": names, **columns})


def findings() -> dict[str, str]:
    """Numbers for the chapter's prose, formatted.

    Examples
    --------
    >>> findings()["samples"]
    '200'
    """
    record = read_record("tax2015/left-out", SPREAD).table
    middle = record.groupby(["cases", "method"])[["iwn_variance", "nwn_variance"]].median()
    named, found = ["LRUF", "LARF"], {"samples": str(record["sample"].nunique())}
    for cases in CASES:
        for quantity in ("iwn", "nwn"):
            values = middle.loc[cases][f"{quantity}_variance"]
            others = values.drop(named)
            found[f"{cases}-{quantity}-among"] = f"{others.max() / others.min():.1f}"
            found[f"{cases}-{quantity}-apart"] = f"{others.min() / values[named].max():.1f}"
            found[f"{cases}-{quantity}-all"] = f"{values.max() / values.min():.1f}"
    iwn = points_without(NOTHING).set_index("method")["iwn"]
    for method in named:
        everything = iwn[method]
        lost = [1 - left / everything for left in moves(method)["iwn"]]
        found[f"{method.lower()}-lost"] = f"{min(lost):.0%} to {max(lost):.0%}"
    shares = front_shares()
    lowest = shares.groupby("method")["share"].min()
    found["steady"] = ", ".join(lowest.index[lowest == 1])
    found["ever"] = str(len(lowest))
    before = set(shares.loc[(shares["left_out"] == NOTHING) & (shares["share"] == 1), "method"])
    same = [
        name
        for name, rows in shares[shares["left_out"] != NOTHING].groupby("left_out")
        if set(rows.loc[rows["share"] == 1, "method"]) == before and set(rows["share"]) <= {0.0, 1.0}
    ]
    found["sets"] = str(len(datasets()))
    found["sets-without-effect"] = str(len(same))
    return found


def moves_table(method: str, *, cases: str = "evaluated") -> pd.DataFrame:
    """`moves` as text.

    Examples
    --------
    >>> moves_table("LARF").columns.tolist()
    ['left out', 'IWN', 'NWN', 'middle 90 %', 'in the bag', 'outlier']
    """
    found = moves(method, cases=cases)
    return pd.DataFrame(
        {
            "left out": found["dataset"],
            "IWN": found["iwn"].astype(str),
            "NWN": [f"{value:.4f}" for value in found["nwn"]],
            "middle 90 %": [f"{a:.4f} to {b:.4f}" for a, b in zip(found["nwn_low"], found["nwn_high"], strict=True)],
            "in the bag": [f"{share:.0%}" for share in found["in_bag"]],
            "outlier": [f"{share:.0%}" for share in found["outlier"]],
        }
    )
