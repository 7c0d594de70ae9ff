"""How far ERR and NDCG agree about which ranker is better (Chapelle and Chang 2011, section 5.3 and Figure 6)."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.loading import load
from ltrlib.datasets.normalise import normalise_by_rank
from ltrlib.datasets.registry import real_set
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.ndcg_by_tool import ndcg_by_convention
from ltrlib.papers.chapelle2011.records import CORRELATION, record_name
from ltrlib.progress import progress
from ltrlib.rankers.cross_validation import load_fold
from ltrlib.rankers.gbdt import GBDT
from ltrlib.rankers.linear import Ridge, SingleFeature
from ltrlib.records.record import Record, write_record

__all__ = ["DATASETS", "KINDS", "load_pair", "population", "record_correlation"]

DATASETS = ("standin/yahoo-set1", "mq2008", "ohsumed", "mslr-web10k-sample")
KINDS = ("one feature", "linear", "trees")
TRAINING_SCALE = 0.03
COUNT = 100
SEED = 2011

_ERR, _NDCG = "err:yahoo", "ndcg@10:yahoo"
_MODULES = (
    "ltrlib.datasets.normalise",
    "ltrlib.datasets.standins",
    "ltrlib.metrics.engine",
    "ltrlib.metrics.ndcg_by_tool",
    "ltrlib.rankers.base",
    "ltrlib.rankers.boosting",
    "ltrlib.rankers.gbdt",
    "ltrlib.rankers.linear",
    "ltrlib.papers.chapelle2011.metrics.runs",
)


def population(train: RankingData, judged: RankingData, *, count: int = COUNT, seed: int = SEED) -> pd.DataFrame:
    """Score many rankers of different quality: single features, linear models and trees from random parts of the data.

    Each linear or tree model sees a random number of features and of queries, drawn evenly on a logarithmic scale, so
    that poor, middling and good rankers all occur; the trees also vary in number and size.

    Parameters
    ----------
    train, judged
        What to learn from, and what to score.
    count
        Rankers of each kind.
    seed
        Decides all draws.

    Examples
    --------
    >>> from ltrlib.datasets.loading import load
    >>> train, judged = (load("standin/mq2008", part) for part in ("Fold1/train", "Fold1/vali"))
    >>> population(train, judged, count=2)["kind"].tolist()
    ['one feature', 'one feature', 'linear', 'linear', 'trees', 'trees']
    """
    evaluator = Evaluator([_ERR, _NDCG], judged.labels, judged.query_offsets)
    highest = real_set(judged.source.name).max_label
    rng = np.random.default_rng(seed)
    rows = []
    for kind, details, scores in progress(
        _scored(train, judged, count, rng), total=count * len(KINDS), what="rankers", unit="ranker"
    ):
        result = evaluator(scores)
        by_tool = pd.DataFrame(ndcg_by_convention(judged, scores, highest=highest)).mean()
        rows.append((kind, details, result[_ERR].mean, result[_NDCG].mean, *by_tool.tolist()))
    return pd.DataFrame(rows, columns=list(CORRELATION))


def _scored(
    train: RankingData, judged: RankingData, count: int, rng: np.random.Generator
) -> Iterator[tuple[str, str, NDArray[np.float64]]]:
    varying = np.flatnonzero(train.features.max(axis=0) > train.features.min(axis=0))
    for feature in rng.choice(varying, min(count, len(varying)), replace=False):
        ranker = SingleFeature(feature=int(feature)).fit(train)
        yield KINDS[0], f"feature {feature + 1}", ranker.predict(judged.features)
    for kind in KINDS[1:]:
        for _ in range(count):
            features = np.sort(rng.choice(varying, _log_uniform(rng, 2, len(varying)), replace=False))
            queries = np.sort(rng.choice(train.n_queries, _log_uniform(rng, 10, train.n_queries), replace=False))
            part = train.select_queries(queries)
            part = part.with_features(np.ascontiguousarray(part.features[:, features]))
            details = f"{len(features)} features, {len(queries)} queries"
            model: Ridge | GBDT = Ridge(alpha=10.0)
            if kind == "trees":
                size: dict[str, Any] = {"trees": _log_uniform(rng, 1, 200), "leaves": _log_uniform(rng, 2, 20)}
                model = GBDT(**size, min_leaf=5)
                details += f", {size['trees']} trees of {size['leaves']} leaves"
            yield kind, details, model.fit(part).predict(judged.features[:, features])


def _log_uniform(rng: np.random.Generator, low: int, high: int) -> int:
    return round(math.exp(rng.uniform(math.log(low), math.log(high)))) if high > low else high


def load_pair(dataset: str) -> tuple[RankingData, RankingData]:
    """Load what to learn from and what to score: the validation part of the challenge's set, else a test part.

    Of the stand-in the training part is small and the validation part whole, with as many queries as the paper's.

    Examples
    --------
    >>> train, judged = load_pair("standin/mq2008")
    >>> train.n_queries, judged.n_queries
    (471, 156)
    """
    if dataset == "standin/yahoo-set1":
        return load(dataset, "train", scale=TRAINING_SCALE), load(dataset, "valid")
    fold = load_fold(dataset, 1)
    if dataset == "yahoo-set1":
        return fold.train, fold.vali
    if fold.train.features.max() > 1:
        train, test = normalise_by_rank([fold.train, fold.test])
        return train, test
    return fold.train, fold.test


def record_correlation(dataset: str) -> Record:
    """Score the population on one data set and record it."""
    started = time.perf_counter()
    train, judged = load_pair(dataset)
    return write_record(
        record_name("correlation", dataset),
        population(train, judged),
        data=[train.source, judged.source],
        maker=_MODULES,
        parameters={"count": COUNT, "queries": judged.n_queries},
        seeds=[SEED],
        wall_time=time.perf_counter() - started,
        command=f"python -m ltrlib.papers.chapelle2011.metrics.runs {dataset}",
    )


def main(arguments: Sequence[str]) -> None:
    """Record the data sets named; without a name, all."""
    for dataset in arguments or DATASETS:
        print(record_correlation(dataset).describe())


if __name__ == "__main__":
    main(sys.argv[1:])
