"""One of our own runs: a method on one fold of a data set, its test queries scored under every convention."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.across.our_runs.methods import CHOSEN_BY, Method
from ltrlib.across.our_runs.records import METRICS
from ltrlib.datasets.container import RankingData, Source, concatenate
from ltrlib.datasets.quantiles import normal_quantiles
from ltrlib.datasets.registry import real_set
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.ndcg_by_tool import ndcg_by_convention
from ltrlib.metrics.notation import parse
from ltrlib.rankers.cross_validation import Fold, choose, load_fold

__all__ = ["OWN_DATASETS", "OwnDataset", "Unit", "ceilings", "load_own_fold", "run_unit", "scale_per_query"]


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
class Unit:
    """What a method gave on one fold.

    Parameters
    ----------
    queries
        One row per test query: query, the four metrics of Table B.6, and NDCG@10 under each convention, each the mean
        over the seeds; NaN where the tool leaves the query out, or has no gain for the data set's labels.
    fits
        One per seed: what was chosen, validation and test value, and how long it took.
    sources
        The data that it saw.
    """

    queries: pd.DataFrame
    fits: tuple[Mapping[str, Any], ...]
    sources: tuple[Source, ...]


def load_own_fold(entry: OwnDataset, number: int, *, features: str = "scaled") -> Fold:
    """Load a fold with its features in one of two forms.

    Parameters
    ----------
    entry, number
        Data set and fold.
    features
        ``"scaled"``: to [0, 1] within each query as LETOR does, unless they lie there already. ``"normal"``: to normal
        quantiles with standard deviation 1/3, each part by itself, as Köppel et al. (2019) do.

    Examples
    --------
    >>> fold = load_own_fold(OwnDataset("standin/mslr", 5, "mslr", scale=0.002), 1)
    >>> float(fold.train.features.min()), float(fold.train.features.max())
    (0.0, 1.0)
    """
    fold = load_fold(entry.name, number, scale=entry.scale)
    parts = (fold.train, fold.vali, fold.test)
    if features == "normal":
        return Fold(number, *(part.with_features(normal_quantiles(part.features) / np.float32(3)) for part in parts))
    if fold.train.features.min() >= 0 and fold.train.features.max() <= 1:
        return fold
    return Fold(number, *(part.with_features(scale_per_query(part)) for part in parts))


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
    """Choose with the first seed on the validation part, fit with the others at the same point, score the test part.

    Examples
    --------
    >>> from ltrlib.across.our_runs.methods import methods
    >>> entry = OwnDataset("standin/mq2008", 5, "letor4", scale=0.1)
    >>> unit = run_unit(methods()["Best Single Feature"], entry, load_own_fold(entry, 1))
    >>> list(unit.queries.columns[:3]), len(unit.queries)
    (['query', 'NDCG@3', 'NDCG@5'], 16)
    """
    started = time.perf_counter()
    tried = []
    for form, parameters in method.features.items():
        seen = fold if form == "scaled" else load_own_fold(entry, fold.number, features=form)
        ranker = type(method.ranker)(**(method.ranker.get_params() | dict(parameters)))
        fitted, point, value = choose(ranker, seen.train, seen.vali, grid=method.grid, metric=CHOSEN_BY)
        tried.append((value, form, seen, fitted, point))
    # Of equally good ones the first is taken.
    value, form, seen, fitted, point = max(tried, key=lambda one: one[0])
    chosen = _text(point | ({"features": form} if len(tried) > 1 else {}))
    tables, fits = [], []
    for seed in range(1 if entry.standin else method.seeds):
        if seed:
            started = time.perf_counter()
            fitted = type(fitted)(**(fitted.get_params() | {"seed": seed})).fit(seen.train, seen.vali)
            value = evaluate_data(CHOSEN_BY, seen.vali, fitted.predict(seen.vali.features))[CHOSEN_BY].mean
        seconds = time.perf_counter() - started
        tables.append(_scored(entry, seen.test, fitted.predict(seen.test.features)))
        test = float(tables[-1]["NDCG@10"].mean())
        fits.append({"seed": seed, "parameters": chosen, "vali": value, "test": test, "seconds": seconds})
    means = {name: np.mean([table[name] for table in tables], axis=0) for name in tables[0]}
    queries = pd.DataFrame({"query": pd.Series(fold.test.query_ids, dtype="str")} | means)
    return Unit(queries, tuple(fits), tuple(part.source for part in (fold.train, fold.vali, fold.test)))


def _scored(entry: OwnDataset, test: RankingData, scores: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Metrics of Table B.6 and NDCG@10 under each convention, per query."""
    wanted = {name: parse(f"{name.lower()}:{entry.script}") for name in METRICS}
    found = evaluate_data(list(wanted.values()), test, scores)
    by_script = {name: found[metric].per_query for name, metric in wanted.items()}
    return by_script | ndcg_by_convention(test, scores, highest=real_set(entry.name).max_label)


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
    shown = (f"{name} = {value if isinstance(value, str) else format(value, 'g')}" for name, value in point.items())
    return ", ".join(shown) or "none to choose"
