"""Run the study training by training, keep each one, and write the records when all are there."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pandas as pd

from ltrlib.datasets.container import Source
from ltrlib.datasets.registry import real_set
from ltrlib.errors import UsageError
from ltrlib.papers.busafekete2012.metrics.tables import tied_share
from ltrlib.papers.busafekete2012.study.conventions import HALVES, PAPER
from ltrlib.papers.busafekete2012.study.keeping import read_training, write_training
from ltrlib.papers.busafekete2012.study.scores import QUERY_COLUMNS, RUN_COLUMNS, Unit, query_rows
from ltrlib.papers.busafekete2012.study.training import CHOOSING_SEED, LEARNERS, Fitted, seeds_of, train_under
from ltrlib.project import cache_dir
from ltrlib.rankers.cross_validation import Fold, Grid, load_fold
from ltrlib.records.definitions import find_code
from ltrlib.records.record import Record, read_record, write_record

__all__ = ["FOLDS", "SEEDS", "Plan", "Tables", "as_recorded", "modules_of", "read", "record", "run"]

FOLDS = (1, 2, 3, 4, 5)
SEEDS = (1, 2, 3, 4, 5)
SPLIT = ("AdaRank", "LambdaMART")
"""Learners that are also trained under the halves of LETOR's convention: those that look at NDCG, without a seed."""

_METRIC_MODULES = ("convention", "judgments", "engine", "formulas", "kernels", "metric", "notation", "ranking", "tools")
_RANKER_MODULES = {
    "AdaRank": ("adarank",),
    "RankNet": ("neural", "network", "batches"),
    "RankBoost": ("rankboost",),
    "RankSVM": ("ranksvm",),
    "CoordinateAscent": ("coordinate_ascent", "line_search", "ndcg_terms"),
    "LambdaMART": ("lambdamart", "boosting", "lambdas", "ndcg_terms"),
}
_SHARED_MODULES = (
    *(f"ltrlib.metrics.{name}" for name in _METRIC_MODULES),
    *(f"ltrlib.rankers.{name}" for name in ("base", "kernels", "cross_validation", "ranklib")),
    "ltrlib.papers.busafekete2012.study.conventions",
    "ltrlib.papers.busafekete2012.study.training",
)


@dataclass(frozen=True)
class Plan:
    """What to train.

    Parameters
    ----------
    dataset
        A set with folds, or its stand-in.
    learners, folds, seeds
        Which of each; learners that are not random take the first seed alone.
    conventions
        To train under; the halves of LETOR's for the learners in `SPLIT` only.
    changes
        Per learner, parameters other than those of the paper.
    grids
        Per learner, values to try instead of ours.
    scale
        Size of a stand-in.

    Examples
    --------
    >>> plan = Plan("mq2008", learners=("AdaRank",), folds=(1,), conventions=("yahoo", "letor4"))
    >>> [unit.name for unit in plan.units()]
    ['adarank-fold1-seed1-yahoo', 'adarank-fold1-seed1-letor4']
    """

    dataset: str
    learners: Sequence[str] = LEARNERS
    folds: Sequence[int] = FOLDS
    seeds: Sequence[int] = SEEDS
    conventions: Sequence[str] = (*PAPER, *HALVES)
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    grids: Mapping[str, Grid] = field(default_factory=dict)
    scale: float = 1.0

    def units(self) -> Iterator[Unit]:
        """All trainings, fold by fold."""
        for fold in self.folds:
            for learner in self.learners:
                for seed in seeds_of(learner, self.seeds):
                    for convention in self.conventions:
                        if convention in PAPER or learner in SPLIT:
                            yield Unit(learner, fold, seed, convention)


@dataclass(frozen=True, eq=False)
class Tables:
    """Trainings and test queries, with the schemas `RUN_COLUMNS` and `QUERY_COLUMNS`."""

    runs: pd.DataFrame
    queries: pd.DataFrame


def modules_of(learners: Iterable[str]) -> list[str]:
    """Modules whose code decides what these learners come to.

    Examples
    --------
    >>> "ltrlib.rankers.adarank" in modules_of(["AdaRank"]), "ltrlib.rankers.neural" in modules_of(["AdaRank"])
    (True, False)
    """
    own = {f"ltrlib.rankers.{name}" for learner in learners for name in _RANKER_MODULES[learner]}
    return [*_SHARED_MODULES, *sorted(own)]


def run(plan: Plan, *, keep: Path | None = None, say: bool = False) -> Tables:
    """Train what is missing, and score everything.

    Parameters
    ----------
    plan
        What to train.
    keep
        Folder in which each training is kept as soon as it is done, and looked for: a run that was stopped goes on.
        A training is done again when its code, its data or its parameters have changed. None keeps nothing.
    say
        Whether to print a line per training.

    Examples
    --------
    >>> plan = Plan("standin/mq2008", learners=("AdaRank",), folds=(1,), conventions=("yahoo",), scale=0.1)
    >>> tables = run(plan)
    >>> tables.runs["learner"].tolist(), len(tables.queries) > 0
    (['AdaRank'], True)
    """
    if not any(plan.units()):
        raise UsageError(
            f"no training is left: {', '.join(plan.learners)} under {', '.join(plan.conventions)}",
            cure=f"name a learner, a fold, a seed, and {', '.join(PAPER)}; the others are for {', '.join(SPLIT)}",
        )
    runs, queries = [], []
    highest = real_set(plan.dataset).max_label
    for number, of_fold in groupby(plan.units(), key=lambda unit: unit.fold):
        fold = load_fold(plan.dataset, number, scale=plan.scale)
        trainer = _Trainer(plan, fold, keep)
        for (learner, seed), alike in groupby(of_fold, key=lambda unit: (unit.learner, unit.seed)):
            units = list(alike)
            fitted = trainer.fit(learner, seed, [unit.convention for unit in units])
            for unit in units:
                scores = fitted[unit.convention].scores
                runs.append(_run_row(unit, fitted[unit.convention], tied_share(fold.test, scores)))
                queries.append(query_rows(unit, fold.test, scores, highest=highest))
            if say:
                seconds = sum(one.seconds for one in fitted.values())
                print(f"fold {number}  {learner}  seed {seed}  {seconds:.1f} s", flush=True)
    # Values of one query under many trainings are much alike: side by side they take little space.
    order = ["fold", "query", "learner", "trained_under", "seed"]
    return Tables(
        pd.DataFrame(runs, columns=list(RUN_COLUMNS)),
        pd.concat(queries).sort_values(order, kind="stable", ignore_index=True),
    )


class _Trainer:
    """Trains on one fold what is not there yet."""

    def __init__(self, plan: Plan, fold: Fold, keep: Path | None) -> None:
        self._plan, self._fold, self._keep = plan, fold, keep
        self._done: dict[Unit, Fitted] = {}

    def fit(self, learner: str, seed: int, conventions: Sequence[str]) -> dict[str, Fitted]:
        units = {name: Unit(learner, self._fold.number, seed, name) for name in conventions}
        key = self._key(learner)
        for unit in units.values():
            path = self._path(unit)
            if unit not in self._done and path and (kept := read_training(path, key)):
                self._done[unit] = kept
        missing = [name for name, unit in units.items() if unit not in self._done]
        if missing:
            settled = None
            if learner == "RankNet" and seed != CHOOSING_SEED:
                settled = {name: one.parameters for name, one in self.fit(learner, CHOOSING_SEED, missing).items()}
            changes, grid = self._plan.changes.get(learner), self._plan.grids.get(learner)
            new = train_under(missing, learner, self._fold, seed=seed, changes=changes, grid=grid, settled=settled)
            for name, fitted in new.items():
                self._done[units[name]] = fitted
                if path := self._path(units[name]):
                    write_training(path, key, fitted)
        return {name: self._done[unit] for name, unit in units.items()}

    def _path(self, unit: Unit) -> Path | None:
        return None if self._keep is None else self._keep / f"{unit.name}.npz"

    def _key(self, learner: str) -> str:
        """Everything that decides a training but for what the name of its file says."""
        code, plan = find_code(*modules_of([learner])).fingerprint, self._plan
        sources = [asdict(source) for source in _sources(self._fold)]
        return json.dumps([code, plan.changes.get(learner), plan.grids.get(learner), sources], default=str)


def _run_row(unit: Unit, fitted: Fitted, tied: float) -> tuple[Any, ...]:
    parameters = json.dumps(dict(fitted.parameters))
    done = (parameters, fitted.size, fitted.vali, tied, round(fitted.seconds, 3))
    return (unit.learner, unit.convention, unit.fold, unit.seed, *done)


def _sources(fold: Fold) -> list[Source]:
    return [part.source for part in (fold.train, fold.vali, fold.test)]


def record(plan: Plan, *, command: str, folder: Path | None = None) -> list[Record]:
    """Run the plan, keeping each training under the cache folder, and record both tables.

    Parameters
    ----------
    plan
        What to train.
    command
        What to type to do this again.
    folder
        Where records go; ``data/results/`` if not given.

    Examples
    --------
    >>> import tempfile
    >>> plan = Plan("standin/mq2008", learners=("AdaRank",), folds=(1,), conventions=("yahoo",), scale=0.1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [one.name for one in record(plan, command="", folder=Path(folder))]  # doctest: +ELLIPSIS
    fold 1  AdaRank  seed 1  ... s
    ['busafekete2012/standin-mq2008-runs', 'busafekete2012/standin-mq2008-queries']
    """
    started = time.perf_counter()
    tables = run(plan, keep=cache_dir() / "ndcg-study" / plan.dataset, say=True)
    sources = [
        source for number in plan.folds for source in _sources(load_fold(plan.dataset, number, scale=plan.scale))
    ]
    # A run that goes on takes less time than the work: the sum of the parts is what it costs.
    seconds = max(time.perf_counter() - started, float(tables.runs["seconds"].sum()))
    parameters = {name: value for name, value in asdict(plan).items() if name != "seeds"}
    return [
        write_record(
            record_name(plan.dataset, what),
            table,
            maker=[*modules_of(plan.learners), *more],
            wall_time=seconds,
            data=sources,
            parameters=parameters,
            seeds=list(plan.seeds),
            command=command,
            form="csv" if what == "runs" else "parquet",
            folder=folder,
        )
        for what, table, more in (
            ("runs", tables.runs, []),
            ("queries", tables.queries, ["ltrlib.metrics.ndcg_by_tool", "ltrlib.papers.busafekete2012.study.scores"]),
        )
    ]


def record_name(dataset: str, what: str) -> str:
    """Name of a record of the study.

    Examples
    --------
    >>> record_name("mq2008", "runs")
    'busafekete2012/mq2008-runs'
    """
    return f"busafekete2012/{dataset.replace('/', '-')}-{what}"


def read(dataset: str, what: str) -> Record:
    """Read a record of the study: ``runs`` or ``queries``.

    Examples
    --------
    >>> read("mq2008", "runs").table["fold"].nunique()
    5
    """
    return read_record(record_name(dataset, what), RUN_COLUMNS if what == "runs" else QUERY_COLUMNS)


def as_recorded(plan: Plan, record: Record) -> Plan:
    """The plan with the settings, other than the paper's, that a record was made with.

    Examples
    --------
    >>> thin = {"parameters": {"changes": {"CoordinateAscent": {"restarts": 5}}, "grids": {}}}
    >>> as_recorded(Plan("ohsumed"), Record("example", pd.DataFrame(), thin)).changes
    {'CoordinateAscent': {'restarts': 5}}
    """
    settings = record.provenance["parameters"]
    return replace(plan, changes=settings["changes"], grids=settings["grids"])
