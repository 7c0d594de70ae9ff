"""The quick learners on resampled training queries; ``ltrlib record busafekete2012/teaching-mq2008-runs`` makes one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.loading import load
from ltrlib.metrics.engine import evaluate_data
from ltrlib.papers.busafekete2012.study.learners import CUTOFF, metric_of
from ltrlib.papers.busafekete2012.study.training import ranker_of
from ltrlib.papers.busafekete2012.teaching import records
from ltrlib.papers.busafekete2012.teaching.plans import (
    BASELINE,
    CHANGES,
    LEARNERS,
    MEANINGFUL,
    PLANS,
    SAMPLES,
    Plan,
    lessons_for,
)
from ltrlib.papers.busafekete2012.teaching.resampling import draw_counts, empty_queries, resample, without_empty
from ltrlib.papers.busafekete2012.teaching.weights import query_weights
from ltrlib.rankers.adarank import AdaRank
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.cross_validation import Fold, load_fold
from ltrlib.rankers.neural import NeuralRanker
from ltrlib.records.making import Done, Piece, Run
from ltrlib.records.observed import remembered

__all__ = ["BOOTSTRAP", "FOLLOWED", "run_of", "taught", "train_sample"]

_SETS = range(1, 6)
_JUDGES = ("ranklib", "letor4")
_PLACE = ["learner", "taught", "fold", "query"]


@remembered()
def _fold(dataset: str, number: int, scale: float) -> Fold:
    return load_fold(dataset, number, scale=scale)


@remembered(1)
def _sets(dataset: str, scale: float) -> list[RankingData]:
    """The five sets of queries that training, validation and test parts are made of."""
    return [load(dataset, f"Fold{number}/test", scale=scale) for number in _SETS]


def _drawn(dataset: str, number: int, scale: float, sample: int) -> Fold:
    """A fold whose training and validation queries were drawn anew; the test part stays."""
    fold = _fold(dataset, number, scale)
    counts = draw_counts(_sets(dataset, scale), sample)
    return Fold(number, resample(fold.train, counts), resample(fold.vali, counts), fold.test)


def taught(learner: str, lessons: Sequence[str], fold: Fold, *, seed: int, plan: Plan) -> dict[str, Ranker]:
    """Train one learner under several lessons; those that only choose RankNet's epoch share one training."""
    changes = dict(CHANGES.get(learner, {})) | dict(plan.changes.get(learner, {}))
    found: dict[str, Ranker] = {}
    conventions = [lesson for lesson in lessons if lesson != MEANINGFUL]
    first = ranker_of(learner, metric_of(BASELINE), seed=seed, changes=changes)
    if isinstance(first, NeuralRanker):
        fits = first.fit_each(fold.train, fold.vali, [metric_of(lesson) for lesson in conventions])
        found |= dict(zip(conventions, fits, strict=True))
    else:
        for lesson in conventions:
            ranker = ranker_of(learner, metric_of(lesson), seed=seed, changes=changes)
            found[lesson] = ranker.fit(fold.train, fold.vali)
    if MEANINGFUL in lessons:
        ranker = ranker_of(learner, metric_of(BASELINE), seed=seed, changes=changes)
        found[MEANINGFUL] = ranker.fit(without_empty(fold.train), without_empty(fold.vali))
    return found


def train_sample(piece: Piece) -> dict[str, pd.DataFrame]:
    """All learners on one sample of one fold, under all lessons."""
    plan = PLANS[piece["dataset"]]
    fold = _drawn(plan.dataset, piece["fold"], plan.scale, piece["sample"])
    metrics = {name: metric_of(name, CUTOFF) for name in _JUDGES}
    runs, queries = [], []
    for learner in LEARNERS:
        fits = taught(learner, lessons_for(learner, plan.lessons), fold, seed=piece["sample"], plan=plan)
        for lesson, ranker in fits.items():
            results = evaluate_data(list(metrics.values()), fold.test, ranker.predict(fold.test.features))
            values = {name: results[metric].per_query for name, metric in metrics.items()}
            row = {"learner": learner, "taught": lesson, "fold": piece["fold"], "sample": piece["sample"]}
            means = {name: float(found.mean()) for name, found in values.items()}
            runs.append(row | {"queries": fold.test.n_queries, "size": _size(ranker)} | means)
            queries.append(
                pd.DataFrame(
                    row
                    | {"query": fold.test.query_ids.astype(object), "documents": fold.test.query_sizes}
                    | {"empty": empty_queries(fold.test), "ranklib": values["ranklib"]}
                )
            )
    return {"runs": pd.DataFrame(runs), "queries": pd.concat(queries, ignore_index=True)}


def _size(ranker: Ranker) -> int:
    """Rounds, trees or epochs up to the one that was kept; of coordinate ascent, which restart."""
    for attribute, offset in (("best_round_", 0), ("n_trees_", 0), ("best_epoch_", 0), ("best_restart_", 1)):
        if hasattr(ranker, attribute):
            return int(getattr(ranker, attribute)) + offset
    return 0


def _mean_over_samples(dataset: str, done: Sequence[Done]) -> dict[str, pd.DataFrame]:
    runs, queries = (pd.concat([one.tables[name] for one in done], ignore_index=True) for name in ("runs", "queries"))
    by_query = queries.groupby(_PLACE, sort=False)
    means = by_query.agg(
        documents=("documents", "first"), empty=("empty", "first"), ranklib=("ranklib", "mean")
    ).reset_index()
    # Values of one query under many lessons are much alike: side by side they take little space.
    means = means.sort_values(["fold", "query", "learner", "taught"], kind="stable", ignore_index=True)
    return {records.runs_of(dataset).short: runs, records.queries_of(dataset).short: means}


def _pieces(plan: Plan) -> list[Piece]:
    return [
        {"dataset": plan.dataset, "fold": fold, "sample": sample}
        for sample in range(1, SAMPLES + 1)
        for fold in plan.folds
    ]


def run_of(plan: Plan) -> Run:
    """How the two tables of a plan are recorded."""
    return Run(
        tables=(records.runs_of(plan.dataset), records.queries_of(plan.dataset)),
        pieces=partial(_pieces, plan),
        do=train_sample,
        join=partial(_mean_over_samples, plan.dataset),
        parameters={"samples": SAMPLES, "scale": plan.scale, "lessons": list(plan.lessons), "folds": list(plan.folds)},
        seeds=list(range(1, SAMPLES + 1)),
        needs=() if plan.dataset.startswith("standin/") else (plan.dataset,),
    )


BOOTSTRAP = tuple(run_of(plan) for plan in PLANS.values())


# --- What AdaRank's weights do ---

FOLLOWED_UNDER = ("ranklib", "yahoo")


def _followed_pieces() -> list[Piece]:
    return [{"taught": lesson, "fold": fold} for lesson in FOLLOWED_UNDER for fold in _SETS]


def _follow(piece: Piece) -> pd.DataFrame:
    """AdaRank on one training part as it is: where the weight of its queries goes."""
    fold = _fold("mq2008", piece["fold"], 1.0)
    ranker = ranker_of("AdaRank", metric_of(piece["taught"]), seed=0).fit(fold.train, fold.vali)
    assert isinstance(ranker, AdaRank)
    empty = empty_queries(fold.train)
    short = ~empty & (fold.train.query_sizes < CUTOFF)
    weights = query_weights(ranker, fold.train)[:-1]

    def share(which: NDArray[np.bool_]) -> NDArray[np.float64]:
        return np.asarray(weights[:, which].sum(axis=1), np.float64)

    number = np.arange(1, len(weights) + 1)
    shares = {"empty": share(empty), "short": share(short), "rest": share(~empty & ~short)}
    return pd.DataFrame({**piece, "round": number, "kept": number <= ranker.best_round_, **shares})


FOLLOWED = Run(tables=(records.WEIGHTS,), pieces=_followed_pieces, do=_follow, needs=("mq2008",))
