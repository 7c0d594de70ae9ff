"""Our own runs: every ranker on every data set that we have, its test queries scored under every convention."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.across.our_runs import records
from ltrlib.across.our_runs.methods import CHOSEN_BY, Method, methods
from ltrlib.across.our_runs.records import METRICS, mean_values
from ltrlib.across.our_runs.resampling import simulated_studies
from ltrlib.datasets.container import RankingData, concatenate
from ltrlib.datasets.features import normal_quantiles, scale_per_query
from ltrlib.datasets.registry import real_set
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.ndcg_by_tool import ndcg_by_convention
from ltrlib.metrics.notation import parse
from ltrlib.rankers.cross_validation import Fold, choose, load_fold
from ltrlib.records.making import Done, Piece, Run
from ltrlib.records.observed import remembered

__all__ = [
    "CEILINGS",
    "COVERAGE",
    "OUR_DATASETS",
    "TRAININGS",
    "OurDataset",
    "load_our_fold",
    "train",
]


@dataclass(frozen=True)
class OurDataset:
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
    """

    name: str
    folds: int
    script: str
    scale: float = 1.0

    @property
    def standin(self) -> bool:
        """Whether it only resembles the real set."""
        return self.name.startswith("standin/")


OUR_DATASETS = (
    OurDataset("mq2008", 5, "letor4"),
    OurDataset("ohsumed", 5, "letor3"),
    OurDataset("clueweb09-ltr", 5, "mslr"),
    OurDataset("mslr-web10k-sample", 1, "mslr"),
    OurDataset("lightgbm-example", 1, "mslr"),
    OurDataset("standin/mq2007", 1, "letor4", scale=0.25),
    OurDataset("standin/mslr", 1, "mslr", scale=0.01),
    OurDataset("standin/yahoo-set1", 1, "mslr", scale=0.01),
    OurDataset("standin/yahoo-set2", 1, "mslr", scale=0.05),
)
"""Every data set that can be had without a licence, then stand-ins for those that cannot, made smaller."""


@remembered(maxsize=2)
def load_our_fold(entry: OurDataset, number: int, *, features: str = "scaled") -> Fold:
    """Load a fold with its features in one of two forms.

    Parameters
    ----------
    entry, number
        Data set and fold.
    features
        ``"scaled"``: to [0, 1] within each query as LETOR does, unless they lie there already. ``"normal"``: to normal
        quantiles with standard deviation 1/3, each part by itself, as Köppel et al. (2019) do.
    """
    fold = load_fold(entry.name, number, scale=entry.scale)
    parts = (fold.train, fold.vali, fold.test)
    if features == "normal":
        return Fold(number, *(part.with_features(normal_quantiles(part.features) / np.float32(3)) for part in parts))
    if fold.train.features.min() >= 0 and fold.train.features.max() <= 1:
        return fold
    return Fold(number, *(part.with_features(scale_per_query(part)) for part in parts))


def train(method: Method, entry: OurDataset, fold: Fold) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Choose with the first seed on the validation part, fit with the others at the same point, score the test part.

    Returns
    -------
    tuple of pandas.DataFrame
        One row per test query: the four metrics of Table B.6 and NDCG@10 under each convention, each the mean over the
        seeds; NaN where the tool leaves the query out, or has no gain for the data set's labels. And one row per seed:
        what was chosen, validation and test value, and how long it took.
    """
    started = time.perf_counter()
    tried = []
    for form, parameters in method.features.items():
        seen = fold if form == "scaled" else load_our_fold(entry, fold.number, features=form)
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
    return queries, pd.DataFrame(fits)


def _scored(entry: OurDataset, test: RankingData, scores: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Metrics of Table B.6 and NDCG@10 under each convention, per query."""
    wanted = _of_b6(entry)
    found = evaluate_data(list(wanted.values()), test, scores)
    by_script = {name: found[metric].per_query for name, metric in wanted.items()}
    return by_script | ndcg_by_convention(test, scores, highest=real_set(entry.name).max_label)


def _of_b6(entry: OurDataset) -> dict[str, Any]:
    return {name: parse(f"{name.lower()}:{entry.script}") for name in METRICS}


def _text(point: Mapping[str, Any]) -> str:
    shown = (f"{name} = {value if isinstance(value, str) else format(value, 'g')}" for name, value in point.items())
    return ", ".join(shown) or "none to choose"


def _trainings() -> Sequence[Piece]:
    return [
        {"dataset": entry.name, "fold": number, "method": title}
        for entry in OUR_DATASETS
        for number in range(1, entry.folds + 1)
        for title in methods()
    ]


def _entry(name: str) -> OurDataset:
    return next(entry for entry in OUR_DATASETS if entry.name == name)


def _train(piece: Piece) -> dict[str, pd.DataFrame]:
    """Train one method on one fold."""
    entry, method = _entry(piece["dataset"]), methods()[piece["method"]]
    queries, fits = train(method, entry, load_our_fold(entry, piece["fold"]))
    return {
        "queries": queries.assign(**piece),
        "fits": fits.assign(**piece, family=method.family, queries=len(queries)),
    }


def _with_means(done: Sequence[Done]) -> dict[str, pd.DataFrame]:
    queries, fits = (pd.concat([one.tables[name] for one in done], ignore_index=True) for name in ("queries", "fits"))
    return {"queries": queries, "fits": fits, "values": mean_values(queries)}


def _datasets() -> Sequence[Piece]:
    return [{"dataset": entry.name} for entry in OUR_DATASETS]


def _ceiling(piece: Piece) -> pd.DataFrame:
    """Score a perfect ranking of all test queries of a data set under the collection's script."""
    entry = _entry(piece["dataset"])
    folds = (load_fold(entry.name, number, scale=entry.scale) for number in range(1, entry.folds + 1))
    data = concatenate([fold.test for fold in folds])
    wanted = _of_b6(entry)
    result = evaluate_data(list(wanted.values()), data, data.labels.astype(np.float64))
    values = [result[metric].mean for metric in wanted.values()]
    return pd.DataFrame({"dataset": entry.name, "script": entry.script, "metric": list(wanted), "value": values})


_REAL = tuple(entry.name for entry in OUR_DATASETS if not entry.standin)

TRAININGS = Run(
    tables=(records.QUERIES, records.VALUES, records.FITS),
    pieces=_trainings,
    do=_train,
    join=_with_means,
    parameters={"chosen by": CHOSEN_BY},
    seeds=range(5),
    needs=_REAL,
)
_STUDIES, _SAMPLES, _SEEDS = 40, 300, range(10)


def _simulate(piece: Piece) -> pd.DataFrame:
    """Draw studies with one seed from the real data sets."""
    queries = records.QUERIES.read().table
    real = queries[~queries["dataset"].str.startswith("standin/")]
    found = simulated_studies(real, studies=_STUDIES, samples=_SAMPLES, seed=piece["seed"])
    return found.assign(seed=piece["seed"])


def _seeds() -> Sequence[Piece]:
    return [{"seed": seed} for seed in _SEEDS]


COVERAGE = Run(
    tables=(records.COVERAGE,),
    pieces=_seeds,
    do=_simulate,
    after=(records.QUERIES,),
    parameters={"studies per seed": _STUDIES, "samples per study": _SAMPLES},
    seeds=_SEEDS,
)
CEILINGS = Run(tables=(records.CEILINGS,), pieces=_datasets, do=_ceiling, needs=_REAL)
