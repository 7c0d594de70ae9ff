"""Train our rankers with RankLib's default settings on MQ2008, and ListNet as RankLib trains it; measure speed."""

from __future__ import annotations

import pandas as pd

from ltrlib.papers.busafekete2012.rankers import large, speed
from ltrlib.papers.busafekete2012.rankers.listnet_steps import EPOCHS, RATE, Output, training_curve
from ltrlib.papers.busafekete2012.rankers.records import DEFAULTS, GROWTH, LARGE, LISTNET, METRIC, PEERS
from ltrlib.rankers.adarank import AdaRank
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.cross_validation import Fold, cross_validate, load_fold
from ltrlib.rankers.lambdamart import LambdaMART
from ltrlib.rankers.linear import SingleFeature
from ltrlib.rankers.ranklib import ranklib_defaults
from ltrlib.records.making import Piece, Run
from ltrlib.records.observed import remembered

__all__ = [
    "BENCH_GROWTH",
    "BENCH_LARGE",
    "BENCH_PEERS",
    "LISTNET_STEPS",
    "RANKLIB_DEFAULTS",
    "default_pieces",
    "variants",
]

DATASET = "mq2008"
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

# LambdaMART and MART have a seed for sampling alone, which is off: like the rest they run once.
_DRAWN = ("CoordinateAscent", "RankNet", "ListNet")


@remembered()
def _fold(dataset: str, number: int) -> Fold:
    return load_fold(dataset, number)


def variants() -> dict[str, Ranker]:
    """The settings whose effect the page shows, beside those that do as much work as RankLib."""
    return {
        "LambdaMART, normalised": LambdaMART(metric=METRIC, normalise=True),
        "AdaRank, as in its paper": AdaRank(metric=METRIC, weighting="paper"),
        "best single feature": SingleFeature(),
    }


def default_pieces() -> list[Piece]:
    """One training each: first the rankers that run once, then those that run with every seed."""
    names = [*ranklib_defaults(METRIC), *variants()]
    groups = [([name for name in names if name not in _DRAWN], SEEDS[:1]), (_DRAWN, SEEDS)]
    return [
        {"dataset": DATASET, "ranker": ranker, "fold": fold, "seed": seed}
        for rankers, seeds in groups
        for fold in FOLDS
        for ranker in rankers
        for seed in seeds
    ]


def train_default(piece: Piece) -> pd.DataFrame:
    """Train one ranker on one fold with one seed."""
    rankers = ranklib_defaults(METRIC) | variants()
    fold = _fold(piece["dataset"], piece["fold"])
    return cross_validate({piece["ranker"]: rankers[piece["ranker"]]}, [fold], metrics=METRIC, seeds=[piece["seed"]])


RANKLIB_DEFAULTS = Run(
    tables=(DEFAULTS,),
    pieces=default_pieces,
    do=train_default,
    parameters={"metric": METRIC, "folds": FOLDS},
    seeds=SEEDS,
    needs=(DATASET,),
)


def listnet_pieces() -> list[Piece]:
    """One training each."""
    return [
        {"dataset": DATASET, "fold": fold, "output": output, "rate": rate, "seed": seed}
        for fold in FOLDS
        for output, rate in LISTNETS
        for seed in SEEDS
    ]


def train_listnet(piece: Piece) -> pd.DataFrame:
    """Train ListNet in one way, and keep the epochs that are shown."""
    chosen = {name: piece[name] for name in ("output", "rate", "seed")}
    curve = training_curve(_fold(piece["dataset"], piece["fold"]), epochs=LOOKED_AT, metric=METRIC, **chosen)
    return curve[curve["epoch"].isin(SHOWN)].assign(fold=piece["fold"], **chosen)


LISTNET_STEPS = Run(
    tables=(LISTNET,),
    pieces=listnet_pieces,
    do=train_listnet,
    parameters={"metric": METRIC, "folds": FOLDS},
    seeds=SEEDS,
    needs=(DATASET,),
)


def peers_pieces() -> list[Piece]:
    """Each ranker with its peers: what is set in proportion is measured in succession."""
    return [{"ranker": name} for name in speed.timed_rankers()]


def measure_peers(piece: Piece) -> pd.DataFrame:
    """Time one ranker and its peers."""
    return speed.beside_peers(_fold(DATASET, 1), piece["ranker"])


BENCH_PEERS = Run(tables=(PEERS,), pieces=peers_pieces, do=measure_peers, measures=True, needs=(DATASET,))


def growth_pieces() -> list[Piece]:
    """One ranker each, with all numbers of documents."""
    return [{"ranker": name} for name in speed.GROWING]


def measure_growth(piece: Piece) -> pd.DataFrame:
    """Time one ranker on ever more documents."""
    return speed.growth_of(piece["ranker"], _fold(DATASET, 1))


BENCH_GROWTH = Run(tables=(GROWTH,), pieces=growth_pieces, do=measure_growth, measures=True, needs=(DATASET,))


def large_pieces() -> list[Piece]:
    """One ranker each, with both sizes."""
    return [{"ranker": name} for name in large.RANKERS]


def measure_large(piece: Piece) -> pd.DataFrame:
    """Time one ranker on parts as large as those of MSLR-WEB30K, and see how much memory it takes."""
    return large.measure_large(piece["ranker"])


BENCH_LARGE = Run(
    tables=(LARGE,), pieces=large_pieces, do=measure_large, parameters={"threads": 1}, seeds=[0], measures=True
)
