"""Our rankers beside RankLib's with its default settings on MQ2008, and beside their peers in speed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ltrlib.errors import RecordError
from ltrlib.papers.busafekete2012.rankers.records import LARGE
from ltrlib.records.record import Record

__all__ = [
    "NEAR",
    "RANKLIB",
    "Reference",
    "against_ranklib",
    "growth_exponents",
    "large_caption",
    "large_said",
    "large_table",
    "recorded_large",
    "speed_table",
    "summarise",
]

NEAR = 0.010
"""A difference of NDCG@10 that needs no explanation."""

_NEARLY_PROPORTIONAL = 1.1
_FOREST = "RandomForest"


@dataclass(frozen=True)
class Reference:
    """What RankLib 2.10 reached and took.

    Parameters
    ----------
    ndcg
        Mean test NDCG@10 over the five folds of MQ2008, by its own metric, all queries counted.
    seconds
        From the quickest to the slowest training on one fold, on a machine of the kind that the records name.
    """

    ndcg: float
    seconds: tuple[int, int] | None = None


RANKLIB = {
    "AdaRank": Reference(0.495, (4, 19)),
    "RankBoost": Reference(0.500, (12, 36)),
    "LambdaMART": Reference(0.505, (4, 8)),
    "CoordinateAscent": Reference(0.504, (39, 53)),
    "MART": Reference(0.504),
    "RankNet": Reference(0.490, (21, 34)),
    "ListNet": Reference(0.485, (30, 44)),
}
"""Measured with RankLib 2.10 and its default settings."""


def summarise(table: pd.DataFrame) -> pd.DataFrame:
    """Mean over folds and seeds, with the standard errors over queries averaged in quadrature over the folds.

    Returns
    -------
    DataFrame
        One row per data set, ranker and metric: ``mean``, ``standard_error``, ``seed_spread`` (standard deviation over
        seeds of the mean over folds), ``seeds``, ``folds``, ``seconds`` (mean of a fit).

    Examples
    --------
    >>> table = pd.DataFrame({"dataset": "d", "ranker": "r", "metric": "map", "seed": 0, "fold": [1, 2],
    ...                       "value": [0.4, 0.6], "standard_error": [0.03, 0.04], "seconds": [1.0, 3.0]})
    >>> summarise(table)[["mean", "standard_error"]].values.tolist()
    [[0.5, 0.025]]
    """
    rows = []
    for keys, group in table.groupby(["dataset", "ranker", "metric"], sort=False):
        by_seed = group.groupby("seed")["value"].mean()
        by_fold = group.groupby("fold")["standard_error"].mean()
        rows.append(
            dict(zip(("dataset", "ranker", "metric"), keys, strict=True))
            | {
                "mean": by_seed.mean(),
                "standard_error": math.sqrt((by_fold**2).sum()) / len(by_fold),
                "seed_spread": by_seed.std(ddof=1) if len(by_seed) > 1 else math.nan,
                "seeds": len(by_seed),
                "folds": len(by_fold),
                "seconds": group["seconds"].mean(),
            }
        )
    return pd.DataFrame(rows)


def against_ranklib(table: pd.DataFrame) -> pd.DataFrame:
    """Our means over folds and seeds beside RankLib's.

    Returns
    -------
    DataFrame
        ranker, ours, standard_error (over queries, in quadrature over folds), seed_spread, seconds (of a training),
        ranklib, difference, near (whether within 0.010).

    Examples
    --------
    >>> table = pd.DataFrame({"dataset": "d", "ranker": ["AdaRank"], "metric": "m", "seed": 1, "fold": 1,
    ...                       "value": 0.499, "standard_error": 0.03, "seconds": 0.1})
    >>> found = against_ranklib(table)
    >>> found[["ranklib", "near"]].values.tolist(), round(float(found["difference"][0]), 3)
    ([[0.495, True]], 0.004)
    """
    found = summarise(table)
    ours = found[found["ranker"].isin(RANKLIB)].reset_index(drop=True)
    theirs = ours["ranker"].map({name: reference.ndcg for name, reference in RANKLIB.items()})
    difference = ours["mean"] - theirs
    return pd.DataFrame(
        {
            "ranker": ours["ranker"],
            "ours": ours["mean"],
            "standard_error": ours["standard_error"],
            "seed_spread": ours["seed_spread"],
            "seconds": ours["seconds"],
            "ranklib": theirs,
            "difference": difference,
            "near": difference.abs() <= NEAR,
        }
    )


def growth_exponents(growth: pd.DataFrame) -> pd.Series:
    """Exponent of documents that fits the times of each ranker; 1 is proportional.

    Examples
    --------
    >>> table = pd.DataFrame({"ranker": "r", "documents": [10, 100], "cpu_seconds": [1.0, 10.0]})
    >>> growth_exponents(table).round(6).to_dict()
    {'r': 1.0}
    """
    return pd.Series(
        {
            name: float(np.polyfit(np.log(group["documents"]), np.log(group["cpu_seconds"]), 1)[0])
            for name, group in growth.groupby("ranker", sort=False)
        }
    )


def speed_table(peers: pd.DataFrame) -> pd.DataFrame:
    """Times of our rankers, with their peers below them and RankLib's times beside; as text.

    Examples
    --------
    >>> rows = [("AdaRank", "ltrlib", 0.5, 0.4, 0.49, "-"), ("AdaRank", "other", 2.0, 2.0, 0.48, "-")]
    >>> table = pd.DataFrame(rows, columns=["ranker", "program", "wall_seconds", "cpu_seconds", "ndcg", "note"])
    >>> speed_table(table).iloc[:, 2:].values.tolist()
    [['0.40', '', '4 to 19', '0.4900'], ['2.00', '5.0', '', '0.4800']]
    """
    own = peers[peers["program"] == "ltrlib"].set_index("ranker")["cpu_seconds"].to_dict()
    rows = []
    for row in peers.to_dict("records"):
        ours = row["program"] == "ltrlib"
        seconds = RANKLIB[row["ranker"]].seconds if ours and row["ranker"] in RANKLIB else None
        rows.append(
            {
                "ranker": row["ranker"] if ours else "",
                "program": row["program"],
                "processor time, s": f"{row['cpu_seconds']:.2f}",
                "ratio": "" if ours else f"{row['cpu_seconds'] / own[row['ranker']]:.1f}",
                "RankLib, s": f"{seconds[0]} to {seconds[1]}" if seconds else "",
                "test NDCG@10": f"{row['ndcg']:.4f}",
            }
        )
    return pd.DataFrame(rows)


def large_table(large: pd.DataFrame) -> pd.DataFrame:
    """Time, growth and peak memory of every ranker on the largest training part, as text.

    Examples
    --------
    >>> rows = [("Ridge", 100, 1.0, 0.5, 0.2), ("Ridge", 400, 4.0, 1.0, 0.7)]
    >>> table = pd.DataFrame(rows, columns=["ranker", "documents", "cpu_seconds", "data_gb", "peak_gb"])
    >>> large_table(table).values.tolist()
    [['Ridge', '4.0', '1.00', '0.7']]
    """
    most = large[large["documents"] == large["documents"].max()]
    slopes = growth_exponents(large)
    return pd.DataFrame(
        {
            "ranker": most["ranker"],
            "processor time, s": most["cpu_seconds"].map("{:.1f}".format),
            "exponent of growth": most["ranker"].map(slopes).map("{:.2f}".format),
            "peak memory, GB": most["peak_gb"].map("{:.1f}".format),
        }
    ).reset_index(drop=True)


def recorded_large() -> Record | None:
    """The measurements on 2.3 million documents, where they were made: they take half an hour and 9 GB.

    Examples
    --------
    >>> record = recorded_large()
    >>> record is None or "peak_gb" in record.table
    True
    """
    try:
        return LARGE.read()
    except RecordError:
        return None


def large_caption(record: Record) -> str:
    """What the table of :func:`large_table` shows."""
    return (
        f"Every ranker on {record.table['documents'].max():,} generated documents of 136 features, as many as "
        "MSLR-WEB30K has for training: each in a process of its own, on one thread, with a fixed number of rounds. The "
        "exponent is that with which the time grows from a quarter of the queries to all of them. Measured on "
        f"{record.provenance['machine']['cpu']}, {record.provenance['made'][:10]}."
    )


def large_said(large: pd.DataFrame) -> str:
    """Which rankers take more than nearly proportional time, and why the forest must.

    Examples
    --------
    >>> rows = [("Ridge", 10_000, 1.0), ("Ridge", 40_000, 4.0)]
    >>> large_said(pd.DataFrame(rows, columns=["ranker", "documents", "cpu_seconds"]))
    'All rankers keep the exponent within 1.1.'
    """
    slopes = growth_exponents(large).rename(lambda name: str(name).split(",")[0]).sort_values(ascending=False)
    over = slopes[slopes > _NEARLY_PROPORTIONAL]
    if over.empty:
        return f"All rankers keep the exponent within {_NEARLY_PROPORTIONAL}."
    named = [f"{name} ({slope:.2f})" for name, slope in over.items()]
    within = len(slopes) - len(over)
    said = (
        f"{within} of the {len(slopes)} rankers {'keeps' if within == 1 else 'keep'} the exponent within "
        f"{_NEARLY_PROPORTIONAL}; "
        f"{' and '.join([', '.join(named[:-1]), named[-1]] if named[:-1] else named)} "
        f"{'do' if named[:-1] else 'does'} not."
    )
    if _FOREST not in over:
        return said
    few, many = large["documents"].min(), large["documents"].max()
    sorting = 1 + 2 * math.log(math.log(many) / math.log(few)) / math.log(many / few)
    return (
        f"{said} {_FOREST} cannot: its trees are deep and split exactly, so each node sorts its documents anew. That "
        f"takes n log² n steps for n documents, which between these two sizes is an exponent of {sorting:.2f}."
    )
