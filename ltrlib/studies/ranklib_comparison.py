"""Our rankers beside RankLib's with its default settings on MQ2008, and what explains the differences.

``python -m ltrlib.studies.ranklib_comparison`` records both tables; it takes about ten minutes on one core.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from ltrlib.rankers.adarank import AdaRank
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.lambdamart import LambdaMART
from ltrlib.rankers.linear import SingleFeature
from ltrlib.rankers.protocol import Fold, cross_validate, load_fold, summarise
from ltrlib.rankers.settings import ranklib_defaults
from ltrlib.records import Record, read_record, write_record
from ltrlib.studies.listnet_steps import EPOCHS, RATE, training_curve

__all__ = [
    "RANKLIB",
    "Reference",
    "against_ranklib",
    "listnet_curves",
    "main",
    "read_defaults",
    "read_listnet",
    "variants",
]

METRIC = "ndcg@10:ranklib"
FOLDS = (1, 2, 3, 4, 5)
SEEDS = (1, 2, 3, 4, 5)
RATES = (RATE, 10 * RATE, 100 * RATE)
LOOKED_AT = (1, 2, 5, *range(10, EPOCHS + 1, 10))
NEAR = 0.010

DEFAULT_COLUMNS = {
    "dataset": "str",
    "ranker": "str",
    "seed": "int",
    "fold": "int",
    "parameters": "str",
    "metric": "str",
    "value": "float",
    "standard_error": "float",
    "queries": "int",
    "vali": "float",
    "seconds": "float",
}
PEER_COLUMNS = {
    "ranker": "str",
    "program": "str",
    "wall_seconds": "float",
    "cpu_seconds": "float",
    "ndcg": "float",
    "note": "str",
}
GROWTH_COLUMNS = {"ranker": "str", "documents": "int", "cpu_seconds": "float"}
LISTNET_COLUMNS = {"rate": "float", "fold": "int", "seed": "int", "epoch": "int", "vali": "float", "test": "float"}


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


def variants() -> dict[str, Ranker]:
    """The settings whose effect the page shows, beside those that do as much work as RankLib.

    Examples
    --------
    >>> list(variants())
    ['LambdaMART, normalised', 'AdaRank, as in its paper', 'best single feature']
    """
    return {
        "LambdaMART, normalised": LambdaMART(metric=METRIC, normalise=True),
        "AdaRank, as in its paper": AdaRank(metric=METRIC, weighting="paper"),
        "best single feature": SingleFeature(),
    }


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


def listnet_curves(folds: Sequence[Fold], *, seeds: Sequence[int], epochs: Sequence[int]) -> pd.DataFrame:
    """ListNet trained as RankLib trains it, with its step size and with larger ones.

    Examples
    --------
    >>> curves = listnet_curves([load_fold("standin/mq2008", 1, scale=0.05)], seeds=[1], epochs=[1, 2])
    >>> len(curves), list(curves.columns) == list(LISTNET_COLUMNS)
    (6, True)
    """
    parts = [
        training_curve(fold, rate=rate, epochs=epochs, seed=seed).assign(rate=rate, fold=fold.number, seed=seed)
        for fold in folds
        for rate in RATES
        for seed in seeds
    ]
    return pd.concat(parts, ignore_index=True)[list(LISTNET_COLUMNS)]


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


def main() -> int:
    """Record both tables."""
    folds = [load_fold("mq2008", number) for number in FOLDS]
    sources = [part.source for fold in folds for part in (fold.train, fold.vali, fold.test)]
    rankers = "adarank base batches boosting coordinate_ascent gbdt kernels lambdamart lambdas line_search linear"
    rankers += " ndcg_terms network neural protocol rankboost settings"
    for name, modules in (
        ("ranklib-defaults", [f"ltrlib.rankers.{module}" for module in rankers.split()]),
        ("listnet-steps", ["ltrlib.studies.listnet_steps", "ltrlib.rankers.protocol"]),
    ):
        started = time.perf_counter()
        if name == "listnet-steps":
            table = listnet_curves(folds, seeds=SEEDS, epochs=LOOKED_AT)
        else:
            # What is not random runs once; LambdaMART and MART have a seed only for sampling, which is off.
            every = ranklib_defaults(METRIC) | variants()
            fixed = {
                key: ranker for key, ranker in every.items() if key not in ("RankNet", "ListNet", "CoordinateAscent")
            }
            drawn = {key: ranker for key, ranker in every.items() if key not in fixed}
            parts = [
                cross_validate(group, folds, metrics=METRIC, seeds=s) for group, s in ((fixed, [1]), (drawn, SEEDS))
            ]
            table = pd.concat(parts, ignore_index=True).astype({"queries": "int64"})
        record = write_record(
            f"busafekete2012/{name}",
            table,
            modules=[*modules, "ltrlib.studies.ranklib_comparison"],
            wall_time=time.perf_counter() - started,
            data=[replace(source) for source in sources],
            parameters={"metric": METRIC, "folds": list(FOLDS)},
            seeds=list(SEEDS),
            command="python -m ltrlib.studies.ranklib_comparison",
        )
        print(record.describe(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
