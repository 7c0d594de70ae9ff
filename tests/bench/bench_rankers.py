"""Speed and quality of the rankers on one MQ2008 fold, beside their peers in the same run, and how cost grows.

Everything runs on one thread where that can be set. CPU times are printed beside wall times, because other work on the
machine does not count in them; ratios are of CPU times. A first fit that is not timed pays for compilations that numba
keeps on disk; those of JAX, which depend on the shape of the data, are inside the times.

``python -m tests.bench.bench_rankers --record`` also records both tables, which the book shows.

pyltr 0.2.6 is not among the peers: it needs names that scikit-learn dropped (``sklearn.tree._tree.DTYPE``).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from ltrlib.datasets import RankingData, is_here
from ltrlib.metrics import evaluate_data
from ltrlib.papers.busafekete2012.rankers.tables import GROWTH_COLUMNS, PEER_COLUMNS, RANKLIB
from ltrlib.rankers import (
    GBDT,
    AdaRank,
    CoordinateAscent,
    LambdaMART,
    ListNet,
    RankBoost,
    Ranker,
    RankNet,
    RankSVM,
)
from ltrlib.rankers.cross_validation import Fold, load_fold
from ltrlib.rankers.ranklib import ranklib_defaults
from ltrlib.records.record import write_record

__all__ = ["main"]

METRIC = "ndcg@10:ranklib"
SIZES = (16, 32, 64, 128)  # from 150,000 documents on: what fits into the processor's cache is faster per document


@dataclass(frozen=True)
class Run:
    """What one training took and what it is worth on the test part."""

    wall: float
    cpu: float
    value: float
    note: str = ""


def timed(fold: Fold, train: Callable[[], tuple[Callable[[NDArray[np.float32]], Any], str]]) -> Run:
    """Train, then score the test part."""
    wall, cpu = time.perf_counter(), time.process_time()
    predict, note = train()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    value = evaluate_data(METRIC, fold.test, np.asarray(predict(fold.test.features), np.float64))[METRIC].mean
    return Run(wall, cpu, value, note)


def ours(fold: Fold, ranker: Ranker) -> Run:
    """Train one of our rankers."""

    def train() -> tuple[Callable[[NDArray[np.float32]], Any], str]:
        ranker.fit(fold.train, fold.vali)
        trees = len(getattr(ranker, "vali_score_", ())) if hasattr(ranker, "booster_") else 0
        return ranker.predict, f"{trees} trees" if trees else ""

    return timed(fold, train)


def fastrank(fold: Fold) -> Run:
    """FastRank's coordinate ascent with the defaults that it shares with RankLib: 5 restarts, 25 steps."""
    from fastrank import CDataset, TrainRequest  # type: ignore[import-untyped]

    def dataset(data: RankingData) -> Any:
        query = np.repeat(np.arange(data.n_queries), data.query_sizes)
        return CDataset.from_numpy(data.features, data.labels.astype(np.float64), query)

    known, new = dataset(fold.train), dataset(fold.test)
    request = TrainRequest.coordinate_ascent()
    request.measure = "ndcg@10"
    request.params.quiet = True
    request.params.seed = 1

    def train() -> tuple[Callable[[NDArray[np.float32]], Any], str]:
        model = known.train_model(request)

        def predict(_: NDArray[np.float32]) -> Any:
            scores = new.predict_scores(model)
            return [scores[row] for row in range(len(scores))]

        return predict, "all threads, no validation"

    return timed(fold, train)


def xgboost(fold: Fold) -> Run:
    """XGBoost's rank:ndcg, the trees of LambdaMART's setting."""
    import xgboost as xgb

    known, vali = (
        xgb.DMatrix(data.features, label=data.labels, group=data.query_sizes) for data in (fold.train, fold.vali)
    )
    params = {
        "objective": "rank:ndcg", "eval_metric": "ndcg@10", "eta": 0.1, "max_leaves": 10, "max_depth": 0,
        "grow_policy": "lossguide", "tree_method": "hist", "nthread": 1, "lambdarank_pair_method": "topk",
        "lambdarank_num_pair_per_sample": 10, "verbosity": 0,
    }  # fmt: skip

    def train() -> tuple[Callable[[NDArray[np.float32]], Any], str]:
        model = xgb.train(params, known, 1000, evals=[(vali, "vali")], early_stopping_rounds=100, verbose_eval=False)
        best = (0, model.best_iteration + 1)
        return lambda x: model.predict(xgb.DMatrix(x), iteration_range=best), f"{model.num_boosted_rounds()} trees"

    return timed(fold, train)


def catboost(fold: Fold) -> Run:
    """CatBoost's YetiRank: symmetric trees of 16 leaves."""
    from catboost import CatBoost, Pool

    known, vali = (
        Pool(data.features, data.labels, group_id=np.repeat(np.arange(data.n_queries), data.query_sizes))
        for data in (fold.train, fold.vali)
    )
    model = CatBoost(
        {
            "loss_function": "YetiRank", "eval_metric": "NDCG:top=10", "iterations": 1000, "depth": 4,
            "learning_rate": 0.1, "od_type": "Iter", "od_wait": 100, "thread_count": 1, "random_seed": 0,
            "logging_level": "Silent", "allow_writing_files": False,
        }
    )  # fmt: skip

    def train() -> tuple[Callable[[NDArray[np.float32]], Any], str]:
        model.fit(known, eval_set=vali)
        return model.predict, f"{len(model.get_evals_result()['validation']['NDCG:top=10;type=Base'])} trees"

    return timed(fold, train)


def compare(fold: Fold) -> pd.DataFrame:
    """One fold, RankLib's default settings, each peer below the ranker that it matches."""
    peers: dict[str, dict[str, Callable[[Fold], Run]]] = {
        "CoordinateAscent": {"fastrank 0.8.0": fastrank},
        "LambdaMART": {"xgboost rank:ndcg": xgboost, "catboost YetiRank": catboost},
    }
    rows = []
    print(f"{'':26}{'wall s':>8}{'CPU s':>8}{'test':>8}{'ratio':>8}   RankLib 2.10, given")
    for name, ranker in [*ranklib_defaults().items(), ("RankSVM", RankSVM())]:
        run = ours(fold, ranker)
        low, high = (RANKLIB[name].seconds if name in RANKLIB else None) or (0, 0)
        given = f"{low}-{high} s: {low / run.wall:.0f}-{high / run.wall:.0f} times ours" if high else ""
        print(f"{name:26}{run.wall:8.2f}{run.cpu:8.2f}{run.value:8.4f}{'':8}   {given:30}{run.note}", flush=True)
        rows.append((name, "ltrlib", run.wall, run.cpu, run.value, run.note or "-"))
        for title, peer in peers.get(name, {}).items():
            other = peer(fold)
            ratio = f"{other.cpu / run.cpu:8.1f}"
            print(
                f"  {title:24}{other.wall:8.2f}{other.cpu:8.2f}{other.value:8.4f}{ratio}   {'':30}{other.note}",
                flush=True,
            )
            rows.append((name, title, other.wall, other.cpu, other.value, other.note or "-"))
    return pd.DataFrame(rows, columns=list(PEER_COLUMNS))


def copies(data: RankingData, times: int) -> RankingData:
    """The queries several times over, each copy with a little noise of its own."""
    rng = np.random.default_rng(0)
    x = np.tile(data.features, (times, 1))
    x += rng.normal(scale=1e-3, size=x.shape).astype(np.float32)
    offsets = np.concatenate([[0], np.cumsum(np.tile(data.query_sizes, times))])
    ids = np.array([f"{number}-{query}" for number in range(times) for query in data.query_ids])
    return RankingData(x, np.tile(data.labels, times), offsets, ids, None, data.source)


def growth(train: RankingData) -> pd.DataFrame:
    """CPU time for a fixed number of rounds while the number of queries doubles, and the exponent that fits."""
    rankers: dict[str, Callable[[], Ranker]] = {
        "AdaRank, 100 rounds": lambda: AdaRank(rounds=100, tolerance=None, max_repeats=None),
        "RankBoost, 50 rounds": lambda: RankBoost(rounds=50),
        "CoordinateAscent, 1 pass": lambda: CoordinateAscent(restarts=1, tolerance=1.0),
        "RankSVM, 3 steps": lambda: RankSVM(max_iterations=3, tolerance=1e-9),
        "LambdaMART, 50 trees": lambda: LambdaMART(trees=50),
        "GBDT, 50 trees": lambda: GBDT(trees=50),
        "RankNet, 20 epochs": lambda: RankNet(epochs=20),
        "ListNet, 50 epochs": lambda: ListNet(epochs=50),
    }
    sets = [copies(train, size) for size in SIZES]
    counts = [data.n_docs for data in sets]
    print(f"{'CPU s for documents':26}" + "".join(f"{count:>10,}" for count in counts) + f"{'exponent':>10}")
    rows = []
    for name, make in rankers.items():
        seconds = []
        for data in sets:
            ranker = make()
            if isinstance(ranker, RankNet | ListNet):  # compilation is a constant; leave it out of the curve
                type(ranker)(epochs=1).fit(data)
            started = time.process_time()
            ranker.fit(data)
            seconds.append(time.process_time() - started)
            rows.append((name, data.n_docs, seconds[-1]))
        exponent = np.polyfit(np.log(counts), np.log(seconds), 1)[0]
        print(f"{name:26}" + "".join(f"{second:10.3f}" for second in seconds) + f"{exponent:10.2f}", flush=True)
    return pd.DataFrame(rows, columns=list(GROWTH_COLUMNS))


def main(*, record: bool = False) -> None:
    """Print both tables, and record them if wanted."""
    name = "mq2008" if is_here("mq2008") else "standin/mq2008"
    fold = load_fold(name, 1)
    print(f"{name}, fold 1: {fold.train!r}; test: {METRIC}")
    if name.startswith("standin"):
        print("A stand-in, not the real data: times are comparable, values are not.")
    started = time.perf_counter()
    with threadpool_limits(1):
        for ranker in ranklib_defaults().values():
            short = {key: 1 for key in ("rounds", "epochs", "trees", "restarts") if key in ranker.get_params()}
            type(ranker)(**(ranker.get_params() | short)).fit(fold.test, fold.vali)
        peers = compare(fold)
        print()
        curve = growth(fold.train)
    if record:
        for title, table in (("peers", peers), ("growth", curve)):
            write_record(
                f"busafekete2012/bench-{title}",
                table,
                maker=["ltrlib.rankers.ranklib"],
                wall_time=time.perf_counter() - started,
                data=[part.source for part in (fold.train, fold.vali, fold.test)],
                command="python -m tests.bench.bench_rankers --record",
            )


if __name__ == "__main__":
    main(record="--record" in sys.argv[1:])
