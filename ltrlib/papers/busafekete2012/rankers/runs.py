"""Train our rankers with RankLib's default settings on MQ2008, and ListNet as RankLib trains it.

``python -m ltrlib.papers.busafekete2012.rankers.runs`` records both tables; it takes about five minutes on one core.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

import pandas as pd

from ltrlib.papers.busafekete2012.rankers.listnet_steps import EPOCHS, RATE, Output, training_curve
from ltrlib.rankers.adarank import AdaRank
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.cross_validation import Fold, cross_validate, load_fold
from ltrlib.rankers.lambdamart import LambdaMART
from ltrlib.rankers.linear import SingleFeature
from ltrlib.rankers.ranklib import ranklib_defaults
from ltrlib.records.record import write_record

__all__ = ["DEFAULT_COLUMNS", "LISTNET_COLUMNS", "METRIC", "default_runs", "listnet_curves", "main", "variants"]

METRIC = "ndcg@10:ranklib"
FOLDS = (1, 2, 3, 4, 5)
SEEDS = (1, 2, 3, 4, 5)
LISTNETS: tuple[tuple[Output, float], ...] = (
    ("logistic", RATE),
    ("logistic", 10 * RATE),
    ("logistic", 100 * RATE),
    ("linear", RATE),
)
LOOKED_AT = (1, 2, 5, *range(10, EPOCHS + 1, 10))
SHOWN = (1, 2, 5, 10, 20, 50, 100, 200, 300, 500, 700, 1000, 1200, EPOCHS)

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
LISTNET_COLUMNS = {
    "output": "str",
    "rate": "float",
    "fold": "int",
    "seed": "int",
    "epoch": "int",
    "vali": "float",
    "test": "float",
}


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


def listnet_curves(folds: Sequence[Fold], *, seeds: Sequence[int], epochs: Sequence[int] = LOOKED_AT) -> pd.DataFrame:
    """ListNet trained as RankLib trains it; with larger steps; and with a linear output.

    Examples
    --------
    >>> curves = listnet_curves([load_fold("standin/mq2008", 1, scale=0.05)], seeds=[1], epochs=[1, 2])
    >>> len(curves), list(curves.columns) == list(LISTNET_COLUMNS)
    (8, True)
    """
    parts = []
    for fold in folds:
        for output, rate in LISTNETS:
            for seed in seeds:
                curve = training_curve(fold, output=output, rate=rate, epochs=epochs, seed=seed)
                parts.append(curve.assign(output=output, rate=rate, fold=fold.number, seed=seed))
    table = pd.concat(parts, ignore_index=True)[list(LISTNET_COLUMNS)]
    return table[table["epoch"].isin(SHOWN)].reset_index(drop=True)


def default_runs(folds: Sequence[Fold], *, seeds: Sequence[int]) -> pd.DataFrame:
    """Rankers with RankLib's settings, and the variants, on each fold; the random ones with each seed.

    Examples
    --------
    >>> default_runs([], seeds=[1]).empty
    True
    """
    rankers = ranklib_defaults(METRIC) | variants()
    # LambdaMART and MART have a seed for sampling alone, which is off: like the rest they run once.
    drawn = {name: ranker for name, ranker in rankers.items() if name in ("RankNet", "ListNet", "CoordinateAscent")}
    fixed = {name: ranker for name, ranker in rankers.items() if name not in drawn}
    parts = [cross_validate(fixed, folds, metrics=METRIC, seeds=seeds[:1])]
    parts.append(cross_validate(drawn, folds, metrics=METRIC, seeds=seeds))
    return pd.concat(parts, ignore_index=True)


def main() -> int:
    """Record both tables."""
    folds = [load_fold("mq2008", number) for number in FOLDS]
    rankers = "adarank base batches boosting coordinate_ascent gbdt kernels lambdamart lambdas line_search linear"
    rankers += " cross_validation ndcg_terms network neural rankboost ranklib"
    jobs: dict[str, tuple[Callable[[], pd.DataFrame], list[str]]] = {
        "ranklib-defaults": (
            lambda: default_runs(folds, seeds=SEEDS),
            [f"rankers.{module}" for module in rankers.split()],
        ),
        "listnet-steps": (
            lambda: listnet_curves(folds, seeds=SEEDS),
            ["rankers.cross_validation", "papers.busafekete2012.rankers.listnet_steps"],
        ),
    }
    for name, (make, modules) in jobs.items():
        started = time.perf_counter()
        table = make()
        record = write_record(
            f"busafekete2012/{name}",
            table,
            maker=[f"ltrlib.{module}" for module in (*modules, "papers.busafekete2012.rankers.runs")],
            wall_time=time.perf_counter() - started,
            data=[part.source for fold in folds for part in (fold.train, fold.vali, fold.test)],
            parameters={"metric": METRIC, "folds": list(FOLDS)},
            seeds=list(SEEDS),
            command="python -m ltrlib.papers.busafekete2012.rankers.runs",
        )
        print(record.describe(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
