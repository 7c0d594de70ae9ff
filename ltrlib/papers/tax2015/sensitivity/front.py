"""Who stays on the Pareto front when one data set is left out, over the sampled reconstructions.

The samples of the record ``orders`` share one presence. Those of ``orders-varied`` have one each: both who was
evaluated where and who won vary as far as Table B.6 allows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.comparison.pareto import pareto_front
from ltrlib.errors import UsageError
from ltrlib.papers.tax2015.b6 import NOTHING
from ltrlib.papers.tax2015.sensitivity.tables import QUANTILES, datasets, orders, short_name
from ltrlib.published.tables import load_paper

__all__ = ["Fronts", "front_findings", "front_shares", "front_summary", "fronts_without", "points_without"]


@dataclass(frozen=True, eq=False)
class Fronts:
    """All methods without a data set, by sample.

    Parameters
    ----------
    methods
        Their names, those with nothing left too.
    iwn
        Comparisons left, by sample and method.
    nwn
        By sample and method; NaN where nothing is left.
    on_front
        By sample and method; the usual reading.
    """

    methods: list[str]
    iwn: NDArray[np.int64]
    nwn: NDArray[np.float64]
    on_front: NDArray[np.bool_]


@cache
def _won_and_possible(record: str) -> tuple[NDArray[np.int64], NDArray[np.int64], list[str]]:
    """Wins and comparisons by sample, method and data set, and the names of the methods."""
    table = orders(record)
    others = table.groupby(["sample", "metric", "dataset"])["wins"].transform("size") - 1
    summed = table.assign(others=others).groupby(["sample", "method", "dataset"])[["wins", "others"]].sum()
    wide = summed.unstack("dataset", fill_value=0)
    methods = list(dict.fromkeys(wide.index.get_level_values("method")))
    shape = (table["sample"].nunique(), len(methods), len(datasets()))
    won, possible = (wide[name].to_numpy().reshape(shape) for name in ("wins", "others"))
    return won, possible, methods


def fronts_without(left_out: str, *, record: str = "orders") -> Fronts:
    """Compute the front of every sample without a data set.

    Parameters
    ----------
    left_out
        A data set, or ``nothing``.
    record
        One of :data:`ltrlib.papers.tax2015.records.SAMPLED`.

    Examples
    --------
    >>> fronts_without("AOL").on_front.shape
    (200, 87)
    """
    won, possible, methods = _won_and_possible(record)
    names = datasets()
    if left_out not in (NOTHING, *names):
        raise UsageError(f"no data set {left_out!r}", where="leave_out", cure=f"nothing, or one of {', '.join(names)}")
    kept = np.array([name != left_out for name in names])
    wins, iwn = won[:, :, kept].sum(axis=2), possible[:, :, kept].sum(axis=2)
    nwn = np.full(wins.shape, np.nan)
    np.divide(wins, iwn, out=nwn, where=iwn > 0)
    front = np.zeros(nwn.shape, dtype=bool)
    for sample, some in enumerate(iwn > 0):
        front[sample, some] = pareto_front(iwn[sample, some], nwn[sample, some])
    return Fronts(methods, iwn, nwn, front)


@cache
def front_shares(record: str = "orders") -> pd.DataFrame:
    """In which share of the samples a method is on the Pareto front (usual reading) without a data set.

    Parameters
    ----------
    record
        One of :data:`ltrlib.papers.tax2015.records.SAMPLED`.

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
    fronts = {left_out: fronts_without(left_out, record=record) for left_out in (NOTHING, *datasets())}
    shares = {left_out: found.on_front.mean(axis=0) for left_out, found in fronts.items()}
    methods = fronts[NOTHING].methods
    order = np.argsort(fronts[NOTHING].iwn[0], kind="stable")
    ever = [i for i in order if any(share[i] > 0 for share in shares.values())]
    rows = [(methods[i], left_out, float(share[i])) for i in ever for left_out, share in shares.items()]
    return pd.DataFrame(rows, columns=["method", "left_out", "share"])


def front_summary(record: str = "orders") -> pd.DataFrame:
    """How stable each member of the front is, as text: with nothing left out, and over the data sets left out."""
    paper = load_paper("tax2015")
    named = {*paper.names("abstract-front"), *paper.names("section45-front")}
    rows = []
    for method, own in front_shares(record).groupby("method", sort=False):
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
                "without": worst if (left == left.min()).sum() <= 2 else f"{(left == left.min()).sum()} sets",
            }
        )
    return pd.DataFrame(rows)


def points_without(left_out: str, *, record: str = "orders") -> pd.DataFrame:
    """NWN and IWN of all methods without a data set, over the samples.

    Parameters
    ----------
    left_out
        A data set, or ``nothing``.
    record
        One of :data:`ltrlib.papers.tax2015.records.SAMPLED`.

    Returns
    -------
    pandas.DataFrame
        Columns method, iwn (the median), nwn_low, nwn, nwn_high, and share, of the samples in which the method is on
        the front.

    Examples
    --------
    >>> int(points_without("LETOR 3.0 OHSUMED").set_index("method").loc["LARF", "iwn"])
    225
    """
    found = fronts_without(left_out, record=record)
    some: NDArray[np.bool_] = np.all(found.iwn > 0, axis=0)
    low, middle, high = np.quantile(found.nwn[:, some], QUANTILES, axis=0)
    names = [name for name, kept in zip(found.methods, some, strict=True) if kept]
    values = {"iwn": np.median(found.iwn[:, some], axis=0), "nwn_low": low, "nwn": middle, "nwn_high": high}
    return pd.DataFrame({"method": names, **values, "share": found.on_front[:, some].mean(axis=0)})


def front_findings(record: str = "orders") -> dict[str, str]:
    """Numbers for the chapter's prose, formatted: who never leaves the front, and for which data sets nothing changes.

    Examples
    --------
    >>> front_findings()["steady"]
    'ListNet'
    """
    shares = front_shares(record)
    lowest = shares.groupby("method")["share"].min()
    wide = shares.pivot(index="left_out", columns="method", values="share")
    same = (wide.drop(index=NOTHING) == wide.loc[NOTHING]).all(axis=1)
    return {
        "steady": ", ".join(map(str, lowest.index[lowest == 1])),
        "ever": str(len(lowest)),
        "front-samples": str(orders(record)["sample"].nunique()),
        "sets": str(len(same)),
        "sets-without-effect": str(same.sum()),
    }
