"""Time of our rankers and of their peers on one fold, and how it grows with the number of documents.

Everything runs on one thread where that can be set. Processor times do not count what else the machine does; ratios
are of processor times. A first fit that is not timed pays for compilations that numba keeps on disk; those of JAX,
which depend on the shape of the data, are inside the times.

pyltr 0.2.6 is not among the peers: it needs names that scikit-learn dropped (``sklearn.tree._tree.DTYPE``).
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from ltrlib.datasets.container import RankingData
from ltrlib.errors import LtrlibError
from ltrlib.metrics.engine import evaluate_data
from ltrlib.papers.busafekete2012.rankers.records import GROWTH, METRIC, PEERS
from ltrlib.rankers.adarank import AdaRank
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.coordinate_ascent import CoordinateAscent
from ltrlib.rankers.cross_validation import Fold
from ltrlib.rankers.gbdt import GBDT
from ltrlib.rankers.lambdamart import LambdaMART
from ltrlib.rankers.neural import ListNet, RankNet
from ltrlib.rankers.rankboost import RankBoost
from ltrlib.rankers.ranklib import ranklib_defaults
from ltrlib.rankers.ranksvm import RankSVM

__all__ = ["GROWING", "SIZES", "beside_peers", "copies", "growth_of", "timed_rankers"]

SIZES = (16, 32, 64, 128)
"""How many copies of the training part: from 150,000 documents on, because less fits into the processor's cache."""

Predict: TypeAlias = Callable[[NDArray[np.float32]], Any]


@dataclass(frozen=True)
class Timed:
    """What one training took and what it is worth on the test part."""

    wall: float
    cpu: float
    value: float
    note: str


def _timed(fold: Fold, train: Callable[[], tuple[Predict, str]]) -> Timed:
    wall, cpu = time.perf_counter(), time.process_time()
    predict, note = train()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    value = evaluate_data(METRIC, fold.test, np.asarray(predict(fold.test.features), np.float64))[METRIC].mean
    return Timed(wall, cpu, value, note)


def _ours(fold: Fold, ranker: Ranker) -> Timed:
    def train() -> tuple[Predict, str]:
        ranker.fit(fold.train, fold.vali)
        trees = len(getattr(ranker, "vali_score_", ())) if hasattr(ranker, "booster_") else 0
        return ranker.predict, f"{trees} trees" if trees else "-"

    return _timed(fold, train)


def _peer(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise LtrlibError(
            f"{name} is not installed, which our rankers are compared with",
            cure="install requirements-peers.lock, as make bench does",
        ) from None


def _fastrank(fold: Fold) -> Timed:
    """FastRank's coordinate ascent with the defaults that it shares with RankLib: 5 restarts, 25 steps."""
    fastrank = _peer("fastrank")

    def dataset(data: RankingData) -> Any:
        query = np.repeat(np.arange(data.n_queries), data.query_sizes)
        return fastrank.CDataset.from_numpy(data.features, data.labels.astype(np.float64), query)

    known, new = dataset(fold.train), dataset(fold.test)
    request = fastrank.TrainRequest.coordinate_ascent()
    request.measure = "ndcg@10"
    request.params.quiet = True
    request.params.seed = 1

    def train() -> tuple[Predict, str]:
        model = known.train_model(request)

        def predict(_: NDArray[np.float32]) -> Any:
            scores = new.predict_scores(model)
            return [scores[row] for row in range(len(scores))]

        return predict, "all threads, no validation"

    return _timed(fold, train)


def _xgboost(fold: Fold) -> Timed:
    """XGBoost's rank:ndcg, the trees of LambdaMART's setting."""
    xgb = _peer("xgboost")
    known, vali = (
        xgb.DMatrix(data.features, label=data.labels, group=data.query_sizes) for data in (fold.train, fold.vali)
    )
    params = {
        "objective": "rank:ndcg", "eval_metric": "ndcg@10", "eta": 0.1, "max_leaves": 10, "max_depth": 0,
        "grow_policy": "lossguide", "tree_method": "hist", "nthread": 1, "lambdarank_pair_method": "topk",
        "lambdarank_num_pair_per_sample": 10, "verbosity": 0,
    }  # fmt: skip

    def train() -> tuple[Predict, str]:
        model = xgb.train(params, known, 1000, evals=[(vali, "vali")], early_stopping_rounds=100, verbose_eval=False)
        best = (0, model.best_iteration + 1)
        return lambda x: model.predict(xgb.DMatrix(x), iteration_range=best), f"{model.num_boosted_rounds()} trees"

    return _timed(fold, train)


def _catboost(fold: Fold) -> Timed:
    """CatBoost's YetiRank: symmetric trees of 16 leaves."""
    catboost = _peer("catboost")
    known, vali = (
        catboost.Pool(data.features, data.labels, group_id=np.repeat(np.arange(data.n_queries), data.query_sizes))
        for data in (fold.train, fold.vali)
    )
    model = catboost.CatBoost(
        {
            "loss_function": "YetiRank", "eval_metric": "NDCG:top=10", "iterations": 1000, "depth": 4,
            "learning_rate": 0.1, "od_type": "Iter", "od_wait": 100, "thread_count": 1, "random_seed": 0,
            "logging_level": "Silent", "allow_writing_files": False,
        }
    )  # fmt: skip

    def train() -> tuple[Predict, str]:
        model.fit(known, eval_set=vali)
        return model.predict, f"{len(model.get_evals_result()['validation']['NDCG:top=10;type=Base'])} trees"

    return _timed(fold, train)


_PEERS: Mapping[str, Mapping[str, Callable[[Fold], Timed]]] = {
    "CoordinateAscent": {"fastrank 0.8.0": _fastrank},
    "LambdaMART": {"xgboost rank:ndcg": _xgboost, "catboost YetiRank": _catboost},
}


def timed_rankers() -> dict[str, Ranker]:
    """The rankers whose time is measured: RankLib's with its default settings, and RankSVM."""
    return {**ranklib_defaults(METRIC), "RankSVM": RankSVM()}


def _warm_up(ranker: Ranker, train: RankingData, vali: RankingData | None = None) -> None:
    """Train once as it will be timed: what is interpreted while there is little to do gets loaded on the way."""
    type(ranker)(**ranker.get_params()).fit(train, vali)


def beside_peers(fold: Fold, name: str) -> pd.DataFrame:
    """Time one ranker, then the peers that it matches."""
    ranker = timed_rankers()[name]
    with threadpool_limits(1):
        _warm_up(ranker, fold.train, fold.vali)
        found = {"ltrlib": _ours(fold, ranker)} | {title: peer(fold) for title, peer in _PEERS.get(name, {}).items()}
    rows = [(name, program, one.wall, one.cpu, one.value, one.note) for program, one in found.items()]
    return pd.DataFrame(rows, columns=list(PEERS.columns))


GROWING: Mapping[str, Ranker] = {
    "AdaRank, 100 rounds": AdaRank(rounds=100, tolerance=None, max_repeats=None),
    "RankBoost, 50 rounds": RankBoost(rounds=50),
    "CoordinateAscent, 1 pass": CoordinateAscent(restarts=1, tolerance=1.0),
    "RankSVM, 3 steps": RankSVM(max_iterations=3, tolerance=1e-9),
    "LambdaMART, 50 trees": LambdaMART(trees=50),
    "GBDT, 50 trees": GBDT(trees=50),
    "RankNet, 20 epochs": RankNet(epochs=20),
    "ListNet, 50 epochs": ListNet(epochs=50),
}
"""Rankers with a fixed number of rounds, whose time is measured on ever more documents."""


def copies(data: RankingData, times: int) -> RankingData:
    """The queries several times over, each copy with a little noise of its own."""
    rng = np.random.default_rng(0)
    x = np.tile(data.features, (times, 1))
    x += rng.normal(scale=1e-3, size=x.shape).astype(np.float32)
    offsets = np.concatenate([[0], np.cumsum(np.tile(data.query_sizes, times))])
    ids = np.array([f"{number}-{query}" for number in range(times) for query in data.query_ids])
    return RankingData(x, np.tile(data.labels, times), offsets, ids, None, data.source)


def growth_of(name: str, fold: Fold, sizes: tuple[int, ...] = SIZES) -> pd.DataFrame:
    """Time one ranker on ever more copies of the training part."""
    rows: list[tuple[str, int, float]] = []
    with threadpool_limits(1):
        for size in sizes:
            data, ranker = copies(fold.train, size), type(GROWING[name])(**GROWING[name].get_params())
            if not rows:
                _warm_up(ranker, data)
            elif isinstance(ranker, RankNet | ListNet):  # each size is compiled: a constant to be left out of the curve
                type(ranker)(epochs=1).fit(data)
            started = time.process_time()
            ranker.fit(data)
            rows.append((name, data.n_docs, time.process_time() - started))
    return pd.DataFrame(rows, columns=list(GROWTH.columns))
