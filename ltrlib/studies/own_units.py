"""One of our own runs: a method fitted on one fold of a data set, its test queries scored under every convention."""

from __future__ import annotations

import ast
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData, Source, concatenate
from ltrlib.datasets.registry import real_set
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.metric import NDCG, Metric
from ltrlib.metrics.names import parse
from ltrlib.metrics.tools import TOOLS
from ltrlib.project import ROOT
from ltrlib.provenance import fingerprint
from ltrlib.rankers import (
    GBDT,
    AdaRank,
    CoordinateAscent,
    DirectRanker,
    LambdaMART,
    LinearRegression,
    ListNet,
    RandomForest,
    RankBoost,
    Ranker,
    RankNet,
    RankSVM,
    Ridge,
    SingleFeature,
)
from ltrlib.rankers.protocol import Fold, Grid, choose, load_fold
from ltrlib.studies.own_record import METRICS, K, conventions

__all__ = [
    "CHOSEN_BY",
    "OWN_DATASETS",
    "Method",
    "OwnDataset",
    "Unit",
    "ceilings",
    "load_own_fold",
    "methods",
    "run_unit",
    "scale_per_query",
]

CHOSEN_BY = "ndcg@10:ranklib"
"""What methods are trained for and parameters are chosen by, on every data set."""

_MODULES = ("ltrlib.metrics.engine", "ltrlib.rankers.protocol")
_VERSION = 1  # of this module's part in the numbers: raise it to run everything again


@dataclass(frozen=True)
class OwnDataset:
    """A data set of our own runs.

    Parameters
    ----------
    name
        As :func:`ltrlib.datasets.load` knows it.
    folds
        How many folds are run; each query is tested at most once.
    script
        The evaluation script that came with the collection: it scores the metrics of Table B.6.
    scale
        Size of a stand-in.

    Examples
    --------
    >>> OwnDataset("standin/mslr", 1, "mslr", scale=0.01).standin
    True
    """

    name: str
    folds: int
    script: str
    scale: float = 1.0

    @property
    def standin(self) -> bool:
        """Whether it only resembles the real set."""
        return self.name.startswith("standin/")


OWN_DATASETS = (
    OwnDataset("mq2008", 5, "letor4"),
    OwnDataset("ohsumed", 5, "letor3"),
    OwnDataset("clueweb09-ltr", 5, "mslr"),
    OwnDataset("mslr-web10k-sample", 1, "mslr"),
    OwnDataset("lightgbm-example", 1, "mslr"),
    OwnDataset("standin/mq2007", 1, "letor4", scale=0.25),
    OwnDataset("standin/mslr", 1, "mslr", scale=0.01),
    OwnDataset("standin/yahoo-set1", 1, "mslr", scale=0.01),
    OwnDataset("standin/yahoo-set2", 1, "mslr", scale=0.05),
)
"""Every data set that can be had without a licence, then stand-ins for those that cannot, made smaller."""


@dataclass(frozen=True, eq=False)
class Method:
    """A ranker with its settings, and the values that are tried on the validation part.

    Parameters
    ----------
    ranker
        With its parameters.
    grid
        Values to try.
    family
        Pointwise, pairwise or listwise.

    Examples
    --------
    >>> methods()["RankSVM"].family
    'pairwise'
    """

    ranker: Ranker
    family: str
    grid: Grid

    @property
    def modules(self) -> tuple[str, ...]:
        """The code that decides its numbers."""
        return (*_MODULES, *_with_imports(type(self.ranker).__module__))

    def key(self, fold: Fold) -> str:
        """Text that changes with the settings, the code or the data."""
        sources = [part.source for part in (fold.train, fold.vali, fold.test)]
        return f"{_VERSION} {self.ranker!r} {dict(self.grid)!r} {sources} {fingerprint(self.modules)}"


@cache
def _with_imports(module: str) -> tuple[str, ...]:
    """A ranker's module and those of the same package that it builds on."""
    found: dict[str, None] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            source = (ROOT / Path(*name.split("."))).with_suffix(".py").read_text(encoding="utf-8")
            imports = (node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom))
            waiting += [other for other in imports if other and other.startswith("ltrlib.rankers.")]
    return tuple(found)


def methods() -> dict[str, Method]:
    """Every ranker of ltrlib, by the name that Table B.6 gives it where it has one.

    They work as hard as RankLib's with its default settings, and linear ones try penalties.

    Examples
    --------
    >>> list(methods())[:3]
    ['Best Single Feature', 'Linear Regression', 'Ridge Regression']
    """
    powers = [10.0**power for power in range(-3, 4)]
    return {
        "Best Single Feature": Method(SingleFeature(metric=CHOSEN_BY), "pointwise", {}),
        "Linear Regression": Method(LinearRegression(), "pointwise", {}),
        "Ridge Regression": Method(Ridge(), "pointwise", {"alpha": powers}),
        "RandomForest": Method(RandomForest(trees=100), "pointwise", {}),
        "MART": Method(GBDT(metric=CHOSEN_BY, trees=1000, patience=100), "pointwise", {}),
        "RankSVM": Method(RankSVM(), "pairwise", {"C": powers}),
        "RankBoost": Method(RankBoost(metric=CHOSEN_BY), "pairwise", {}),
        "RankNet": Method(RankNet(metric=CHOSEN_BY), "pairwise", {}),
        "DirectRanker": Method(DirectRanker(metric=CHOSEN_BY), "pairwise", {}),
        "ListNet": Method(ListNet(metric=CHOSEN_BY), "listwise", {}),
        "AdaRank-NDCG": Method(AdaRank(metric=CHOSEN_BY), "listwise", {}),
        "CA": Method(CoordinateAscent(metric=CHOSEN_BY), "listwise", {}),
        "LambdaMART": Method(LambdaMART(metric=CHOSEN_BY, trees=1000, patience=100), "listwise", {}),
    }


@dataclass(frozen=True, eq=False)
class Unit:
    """What one fit gave.

    Parameters
    ----------
    queries
        One row per test query: query, the four metrics of Table B.6, and NDCG@10 under each convention; NaN where
        the tool leaves the query out, or has no gain for the data set's labels.
    fit
        What was chosen, its validation value, and how long it took.
    sources
        The data that it saw.
    """

    queries: pd.DataFrame
    fit: Mapping[str, Any]
    sources: tuple[Source, ...]


def load_own_fold(entry: OwnDataset, number: int) -> Fold:
    """Load a fold, features scaled to [0, 1] within each query as LETOR does, unless they lie there already.

    Examples
    --------
    >>> fold = load_own_fold(OwnDataset("standin/mslr", 5, "mslr", scale=0.002), 1)
    >>> float(fold.train.features.min()), float(fold.train.features.max())
    (0.0, 1.0)
    """
    fold = load_fold(entry.name, number, scale=entry.scale)
    if fold.train.features.min() >= 0 and fold.train.features.max() <= 1:
        return fold
    return Fold(number, *(part.with_features(scale_per_query(part)) for part in (fold.train, fold.vali, fold.test)))


def scale_per_query(data: RankingData) -> NDArray[np.float32]:
    """Scale each feature to [0, 1] within each query; one that is constant there becomes 0.

    Examples
    --------
    >>> data = RankingData(np.array([[3, 1], [5, 1], [4, 1]], np.float32), np.zeros(3, np.int32), np.array([0, 3]),
    ...                    np.array(["a"]), None, Source("example"))
    >>> scale_per_query(data).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.5, 0.0]]
    """
    features, starts = np.asarray(data.features, np.float64), data.query_offsets[:-1]
    low = np.repeat(np.minimum.reduceat(features, starts), data.query_sizes, axis=0)
    width = np.repeat(np.maximum.reduceat(features, starts), data.query_sizes, axis=0) - low
    scaled = np.divide(features - low, width, out=np.zeros_like(features), where=width > 0)
    return np.asarray(scaled, np.float32)


def run_unit(method: Method, entry: OwnDataset, fold: Fold) -> Unit:
    """Fit on the training part, choose on the validation part, score the test part.

    Examples
    --------
    >>> entry = OwnDataset("standin/mq2008", 5, "letor4", scale=0.1)
    >>> unit = run_unit(methods()["Best Single Feature"], entry, load_own_fold(entry, 1))
    >>> list(unit.queries.columns[:3]), len(unit.queries)
    (['query', 'NDCG@3', 'NDCG@5'], 16)
    """
    started = time.perf_counter()
    fitted, point, value = choose(method.ranker, fold.train, fold.vali, grid=method.grid, metric=CHOSEN_BY)
    seconds = time.perf_counter() - started
    wanted: dict[str, Metric] = {name: parse(f"{name.lower()}:{entry.script}") for name in METRICS}
    highest = real_set(entry.name).max_label
    for tool in conventions():
        metric = TOOLS[tool].template("ndcg", K)
        if isinstance(metric, NDCG) and (isinstance(metric.gain, str) or len(metric.gain) > highest):
            wanted[tool] = metric
    result = evaluate_data(list(wanted.values()), fold.test, fitted.predict(fold.test.features))
    columns = {name: result[metric].per_query for name, metric in wanted.items()}
    missing = np.full(fold.test.n_queries, math.nan)
    queries = pd.DataFrame(
        {"query": pd.Series(fold.test.query_ids, dtype="str")}
        | {name: columns.get(name, missing) for name in (*METRICS, *conventions())}
    )
    fit = {"parameters": _text(point), "vali": value, "seconds": seconds}
    return Unit(queries, fit, tuple(part.source for part in (fold.train, fold.vali, fold.test)))


def ceilings(entry: OwnDataset, tests: Sequence[RankingData]) -> pd.DataFrame:
    """What a perfect ranking of all test queries scores under the collection's script.

    Examples
    --------
    >>> entry = OwnDataset("standin/mq2008", 5, "letor4", scale=0.1)
    >>> table = ceilings(entry, [load_own_fold(entry, 1).test])
    >>> table["metric"].tolist(), bool((table["value"] < 1).all())
    (['NDCG@3', 'NDCG@5', 'NDCG@10', 'MAP'], True)
    """
    data = concatenate(tests)
    wanted = {name: parse(f"{name.lower()}:{entry.script}") for name in METRICS}
    result = evaluate_data(list(wanted.values()), data, data.labels.astype(np.float64))
    rows = [(entry.name, entry.script, name, result[metric].mean) for name, metric in wanted.items()]
    table = pd.DataFrame(rows, columns=["dataset", "script", "metric", "value"])
    return table.astype({"dataset": "str", "script": "str", "metric": "str"})


def _text(point: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value:g}" for name, value in point.items()) or "none to choose"
