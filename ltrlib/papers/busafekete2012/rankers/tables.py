"""Our rankers beside RankLib's with its default settings on MQ2008, and beside their peers in speed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ltrlib.papers.busafekete2012.rankers.runs import DEFAULT_COLUMNS, LISTNET_COLUMNS
from ltrlib.rankers.cross_validation import summarise
from ltrlib.records.record import Record, read_record

__all__ = [
    "GROWTH_COLUMNS",
    "NEAR",
    "PEER_COLUMNS",
    "RANKLIB",
    "Reference",
    "against_ranklib",
    "growth_exponents",
    "read_defaults",
    "read_growth",
    "read_listnet",
    "read_peers",
    "speed_table",
]

NEAR = 0.010
"""A difference of NDCG@10 that needs no explanation."""

PEER_COLUMNS = {
    "ranker": "str",
    "program": "str",
    "wall_seconds": "float",
    "cpu_seconds": "float",
    "ndcg": "float",
    "note": "str",
}
GROWTH_COLUMNS = {"ranker": "str", "documents": "int", "cpu_seconds": "float"}


@dataclass(frozen=True)
class Reference:
    """What RankLib 2.10 reached and took.

    Parameters
    ----------
    ndcg
        Mean test NDCG@10 over the five folds of MQ2008, by its own metric, all queries counted.
    seconds
        From the quickest to the slowest training on one fold, on a machine of the kind that the records name.

    Examples
    --------
    >>> RANKLIB["AdaRank"].ndcg
    0.495
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


def against_ranklib(table: pd.DataFrame) -> pd.DataFrame:
    """Our means over folds and seeds beside RankLib's.

    Returns
    -------
    DataFrame
        ranker, ours, standard_error (over queries, in quadrature over folds), seed_spread, seconds (of a training),
        ranklib, difference, near (whether within 0.010).

    Examples
    --------
    >>> rows = [("d", "AdaRank", 1, 1, "{}", "m", 0.499, 0.03, 9, 0.5, 0.1)]
    >>> found = against_ranklib(pd.DataFrame(rows, columns=list(DEFAULT_COLUMNS)))
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


def read_defaults() -> Record:
    """Read what our rankers reach with RankLib's settings.

    Examples
    --------
    >>> "AdaRank" in set(read_defaults().table["ranker"])
    True
    """
    return read_record("busafekete2012/ranklib-defaults", DEFAULT_COLUMNS)


def read_listnet() -> Record:
    """Read the curves of ListNet.

    Examples
    --------
    >>> int(read_listnet().table["epoch"].max())
    1500
    """
    return read_record("busafekete2012/listnet-steps", LISTNET_COLUMNS)


def read_peers() -> Record:
    """Read the times of our rankers and of their peers, as ``tests/bench/bench_rankers.py`` recorded them.

    Examples
    --------
    >>> "ltrlib" in set(read_peers().table["program"])
    True
    """
    return read_record("busafekete2012/bench-peers", PEER_COLUMNS)


def read_growth() -> Record:
    """Read how the times grow with the number of documents.

    Examples
    --------
    >>> bool((read_growth().table["cpu_seconds"] > 0).all())
    True
    """
    return read_record("busafekete2012/bench-growth", GROWTH_COLUMNS)


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
    >>> speed_table(pd.DataFrame(rows, columns=list(PEER_COLUMNS))).iloc[:, 2:].values.tolist()
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
