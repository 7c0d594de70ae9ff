"""Train the paper's learners under the NDCG of each tool, and score their rankings under all tools."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import pandas as pd

from ltrlib.datasets.registry import real_set
from ltrlib.errors import UsageError
from ltrlib.papers.busafekete2012.metrics.tables import tied_share
from ltrlib.papers.busafekete2012.study.learners import PAPER, SPLIT
from ltrlib.papers.busafekete2012.study.plans import CHOOSING_SEED, PLANS, Plan, Training
from ltrlib.papers.busafekete2012.study.records import Tables, queries_of, runs_of
from ltrlib.papers.busafekete2012.study.scores import query_rows
from ltrlib.papers.busafekete2012.study.training import Fitted, train_under
from ltrlib.rankers.cross_validation import Fold, load_fold
from ltrlib.records.making import Done, Piece, Run
from ltrlib.records.observed import remembered

__all__ = ["STUDY", "run", "run_of", "train"]

# Values of one query under many trainings are much alike: side by side they take little space.
_SIDE_BY_SIDE = ["fold", "query", "learner", "trained_under", "seed"]


def train(piece: Piece) -> dict[str, pd.DataFrame]:
    """Train one part of a plan; the keys of the piece are the fields of the plan."""
    part = Plan(**piece)
    (number,), (learner,) = part.folds, part.learners
    fold, highest = _fold(part.dataset, number, part.scale), real_set(part.dataset).max_label
    runs, queries = [], []
    for seed, fitted in _fitted(part, fold).items():
        for convention, one in fitted.items():
            training = Training(learner, number, seed, convention)
            runs.append(_run_row(training, one, tied_share(fold.test, one.scores)))
            queries.append(query_rows(training, fold.test, one.scores, highest=highest))
    of_runs, of_queries = runs_of(part.dataset), queries_of(part.dataset)
    return {
        of_runs.short: of_runs.typed(pd.DataFrame(runs, columns=list(of_runs.columns))),
        of_queries.short: of_queries.typed(pd.concat(queries)),
    }


@remembered()
def _fold(dataset: str, number: int, scale: float) -> Fold:
    return load_fold(dataset, number, scale=scale)


def _fitted(part: Plan, fold: Fold) -> dict[int, dict[str, Fitted]]:
    """What each seed came to, under each convention."""
    (learner,) = part.learners
    fit = partial(
        train_under, part.conventions, learner, fold, changes=part.changes.get(learner), grid=part.grids.get(learner)
    )
    if learner != "RankNet":
        return {seed: fit(seed=seed) for seed in part.seeds}
    first = fit(seed=CHOOSING_SEED)
    settled = {name: one.parameters for name, one in first.items()}
    return {seed: first if seed == CHOOSING_SEED else fit(seed=seed, settled=settled) for seed in part.seeds}


def _run_row(training: Training, fitted: Fitted, tied: float) -> tuple[Any, ...]:
    parameters = json.dumps(dict(fitted.parameters))
    done = (parameters, fitted.size, fitted.vali, tied, round(fitted.seconds, 3))
    return (training.learner, training.convention, training.fold, training.seed, *done)


def join(done: Sequence[Done]) -> dict[str, pd.DataFrame]:
    """Trainings one below the other; test queries sorted."""
    return _joined([one.tables for one in done])


def _joined(parts: Sequence[Mapping[str, pd.DataFrame]]) -> dict[str, pd.DataFrame]:
    tables = {name: pd.concat([part[name] for part in parts], ignore_index=True) for name in parts[0]}
    return {
        name: table.sort_values(_SIDE_BY_SIDE, kind="stable", ignore_index=True) if "query" in table else table
        for name, table in tables.items()
    }


def run(plan: Plan) -> Tables:
    """Train a plan here and now, without keeping anything.

    Examples
    --------
    >>> plan = Plan("standin/mq2008", learners=("AdaRank",), folds=(1,), conventions=("yahoo",), scale=0.1)
    >>> run(plan).runs["learner"].tolist()
    ['AdaRank']
    """
    parts = [train(asdict(part)) for part in plan.parts()]
    if not parts:
        raise UsageError(
            f"nothing to train: {', '.join(plan.learners)} under {', '.join(plan.conventions)}",
            cure=f"name a learner, a fold, a seed, and {', '.join(PAPER)}; the others are for {', '.join(SPLIT)}",
        )
    tables = _joined(parts)
    return Tables(tables[runs_of(plan.dataset).short], tables[queries_of(plan.dataset).short])


def _pieces(plan: Plan) -> list[Piece]:
    return [asdict(part) for part in plan.parts()]


def run_of(plan: Plan) -> Run:
    """How the two tables of a plan are recorded."""
    return Run(
        tables=(runs_of(plan.dataset), queries_of(plan.dataset)),
        pieces=partial(_pieces, plan),
        do=train,
        join=join,
        parameters={name: value for name, value in asdict(plan).items() if name != "seeds"},
        seeds=plan.seeds,
        needs=(plan.dataset,),
    )


STUDY = tuple(run_of(plan) for plan in PLANS.values())
