"""How far ERR and NDCG agree about which ranker is better (Chapelle and Chang 2011, section 5.3 and Figure 6)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.features import normalise_by_rank
from ltrlib.datasets.loading import load
from ltrlib.datasets.registry import real_set
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.ndcg_by_tool import ndcg_by_convention
from ltrlib.papers.chapelle2011 import records
from ltrlib.papers.chapelle2011.challenge import METRICS
from ltrlib.progress import progress
from ltrlib.rankers.cross_validation import load_fold
from ltrlib.rankers.gbdt import GBDT
from ltrlib.rankers.linear import Ridge, SingleFeature
from ltrlib.records.making import Piece, Run
from ltrlib.records.observed import remembered

__all__ = ["CORRELATION", "KINDS", "Draw", "correlation_run", "draw", "load_pair", "score_rankers"]

KINDS = ("one feature", "linear", "trees")
TRAINING_SCALE = 0.03
COUNT = 100
SEED = 2011


@dataclass(frozen=True, eq=False)
class Draw:
    """What one ranker of the population learns from, and how large its model is.

    Parameters
    ----------
    kind
        One of `KINDS`.
    features, queries
        Places of what it sees; a single feature needs no queries.
    size
        Number of trees and of leaves, for trees.
    """

    kind: str
    features: NDArray[np.int64]
    queries: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    size: dict[str, Any] = field(default_factory=dict)

    @property
    def details(self) -> str:
        """The same in words."""
        if self.kind == KINDS[0]:
            return f"feature {self.features[0] + 1}"
        words = f"{len(self.features)} features, {len(self.queries)} queries"
        return words + (f", {self.size['trees']} trees of {self.size['leaves']} leaves" if self.size else "")

    def scores(self, train: RankingData, judged: RankingData) -> NDArray[np.float64]:
        """Train the ranker, and let it score the documents."""
        if self.kind == KINDS[0]:
            return SingleFeature(feature=int(self.features[0])).fit(train).predict(judged.features)
        part = train.select_queries(self.queries)
        part = part.with_features(np.ascontiguousarray(part.features[:, self.features]))
        model = GBDT(**self.size, min_leaf=5) if self.size else Ridge(alpha=10.0)
        return model.fit(part).predict(judged.features[:, self.features])


def draw(train: RankingData, *, count: int = COUNT, seed: int = SEED) -> list[Draw]:
    """Draw many rankers of different quality: single features, linear models and trees from random parts of the data.

    The numbers of features and of queries that a linear or tree model sees are drawn evenly on a logarithmic scale:
    poor, middling and good rankers all occur. The trees also vary in number and size.

    Parameters
    ----------
    train
        What to learn from.
    count
        Rankers of each kind; of single features no more than there are.
    seed
        Decides all draws.

    Examples
    --------
    >>> [one.kind for one in draw(load("standin/mq2008", "Fold1/train"), count=2)]
    ['one feature', 'one feature', 'linear', 'linear', 'trees', 'trees']
    """
    rng = np.random.default_rng(seed)
    varying = np.flatnonzero(train.features.max(axis=0) > train.features.min(axis=0))
    single = rng.choice(varying, min(count, len(varying)), replace=False)
    found = [Draw(KINDS[0], single[place : place + 1]) for place in range(len(single))]
    for kind in KINDS[1:]:
        for _ in range(count):
            features = np.sort(rng.choice(varying, _log_uniform(rng, 2, len(varying)), replace=False))
            queries = np.sort(rng.choice(train.n_queries, _log_uniform(rng, 10, train.n_queries), replace=False))
            size = {}
            if kind == "trees":
                size = {"trees": _log_uniform(rng, 1, 200), "leaves": _log_uniform(rng, 2, 20)}
            found.append(Draw(kind, features, queries, size))
    return found


def _log_uniform(rng: np.random.Generator, low: int, high: int) -> int:
    return round(math.exp(rng.uniform(math.log(low), math.log(high)))) if high > low else high


def _judged_part(dataset: str) -> str:
    """The part that is scored: the validation part of the challenge's set, as in the paper, else a test part."""
    real = real_set(dataset)
    role = "vali" if real.name == "yahoo-set1" else "test"
    return next(part.name for part in real.parts.values() if part.role == role)


@remembered()
def load_pair(dataset: str) -> tuple[RankingData, RankingData]:
    """Load what to learn from and what to score; raw feature values are normalised by rank.

    Of the challenge's stand-in the training part is small and the validation part whole, with as many queries as the
    paper's.

    Examples
    --------
    >>> train, judged = load_pair("standin/mq2008")
    >>> train.n_queries, judged.n_queries
    (471, 156)
    """
    if dataset == "standin/yahoo-set1":
        return load(dataset, "train", scale=TRAINING_SCALE), load(dataset, _judged_part(dataset))
    fold = load_fold(dataset, 1)
    if dataset == "yahoo-set1":
        return fold.train, fold.vali
    if fold.train.features.max() > 1:
        train, test = normalise_by_rank([fold.train, fold.test])
        return train, test
    return fold.train, fold.test


def score_rankers(piece: Piece) -> pd.DataFrame:
    """Score the rankers of one kind on one data set; one row per ranker."""
    train, judged = load_pair(piece["dataset"])
    evaluator = Evaluator(list(METRICS.values()), judged.labels, judged.query_offsets)
    highest = real_set(piece["dataset"]).max_label
    chosen = [one for one in draw(train, count=piece["count"], seed=piece["seed"]) if one.kind == piece["kind"]]
    rows = []
    for one in progress(chosen, what=f"rankers: {piece['kind']}", unit="ranker"):
        scores = one.scores(train, judged)
        result = evaluator(scores)
        by_tool = pd.DataFrame(ndcg_by_convention(judged, scores, highest=highest)).mean()
        err, ndcg = (result[metric].mean for metric in METRICS.values())
        rows.append((one.kind, one.details, err, ndcg, *by_tool.tolist()))
    return pd.DataFrame(rows, columns=list(records.correlation_table(piece["dataset"]).columns))


def _pieces(dataset: str, count: int, seed: int) -> list[Piece]:
    return [{"dataset": dataset, "kind": kind, "count": count, "seed": seed} for kind in KINDS]


def correlation_run(dataset: str, *, count: int = COUNT, seed: int = SEED) -> Run:
    """How the agreement of the two metrics is recorded on a data set or stand-in."""
    return Run(
        tables=(records.correlation_table(dataset),),
        pieces=partial(_pieces, dataset, count, seed),
        do=score_rankers,
        parameters={"count": count, "queries": real_set(dataset).part(_judged_part(dataset)).expected.queries},
        seeds=[seed],
        needs=() if dataset.startswith("standin/") else (dataset,),
    )


CORRELATION = tuple(correlation_run(dataset) for dataset in records.CORRELATION)
