"""Real data against stand-in: labels, documents per query, feature quantiles, and how well simple rankers do.

The parameter files hold a recorded comparison: a data card shows it also where the real data are not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from ltrlib.datasets.container import RankingData, concatenate
from ltrlib.datasets.loading import is_here, load
from ltrlib.datasets.standins import DEFAULT_SEED, generate, names
from ltrlib.datasets.standins.counts import FOLD_SECTIONS
from ltrlib.datasets.standins.recipe import read_recipe
from ltrlib.datasets.standins.yahoo import BM25F
from ltrlib.datasets.statistics import count
from ltrlib.errors import RecordError
from ltrlib.metrics import Evaluator, evaluate
from ltrlib.published import load_table
from ltrlib.published.names import name as display_name

__all__ = ["Comparison", "compare", "difficulty", "measure_real", "measure_standin"]

Measures = dict[str, Any]
Splits = list[tuple[RankingData, RankingData]]

# Named as in the parameter files of the stand-ins.
_SIZE_LEVELS = {"smallest": 0.0, "5 %": 0.05, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "95 %": 0.95, "largest": 1.0}
_VALUE_LEVELS = {"5 %": 0.05, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "95 %": 0.95}
_SHOWN = {
    "standin/mq2008": (3, 15, 23, 29, 39, 45),
    "standin/mq2007": (3, 15, 23, 29, 39, 45),
    "standin/mslr": (11, 16, 98, 110, 130, 136),
    "standin/yahoo-set1": (1, 100, 250, 400, BM25F, 680),
    "standin/yahoo-set2": (1, 100, 250, 400, BM25F, 680),
}
_REAL = {"standin/mq2008": "mq2008", "standin/mq2007": "mq2007", "standin/mslr": "mslr-web10k-sample"}
_SAMPLE_SCALE = 0.0086  # as many queries of the MSLR stand-in as the real sample has


@dataclass(frozen=True, eq=False)
class Comparison:
    """Tables of a data card, with a column for the real set and one for its stand-in.

    Parameters
    ----------
    labels
        Share of each label.
    queries
        Queries, documents, shares of empty and short queries, quantiles of the documents per query.
    features
        Quantiles of six features.
    ndcg
        Mean NDCG@10 of three simple rankers on the test parts; with it the mean and the standard deviation over
        stand-ins from other seeds.

    Examples
    --------
    >>> compare("standin/mq2008").labels.loc["2"].tolist()
    [0.06121, 0.06121]
    """

    labels: pd.DataFrame
    queries: pd.DataFrame
    features: pd.DataFrame
    ndcg: pd.DataFrame

    def shown(self, table: str) -> pd.DataFrame:
        """One of the tables with what its rows are about as the first column."""
        found: pd.DataFrame = getattr(self, table)
        return (found if found.index.names[0] else found.rename_axis("what")).reset_index()


def compare(name: str) -> Comparison:
    """Return the recorded comparison of a stand-in with the real set, as tables.

    Columns of the real set are empty where only published facts were at hand. For the first Yahoo! set they hold what
    its paper printed for feature 637, a linear ranker (RankSVM) and boosted trees, trained on ten times the queries.

    Parameters
    ----------
    name
        Name of the stand-in.

    Examples
    --------
    >>> tables = compare("standin/mq2008")
    >>> tables.ndcg.columns.tolist()
    ['real', 'stand-in', 'difference', 'other seeds', 'their spread']
    """
    recorded = read_recipe(name).comparison
    if not recorded:
        raise RecordError("no comparison is recorded", where=name, cure="make it with ltrlib.across.standins.make")
    real, standin = recorded["real"], recorded["standin"]
    if name == "standin/yahoo-set1":
        real = {"ndcg": _printed_baselines()}
    return Comparison(
        labels=_side_by_side(real, standin, "labels"),
        queries=_side_by_side(real, standin, "queries"),
        features=_feature_table(real, standin),
        ndcg=_ndcg_table(real, standin),
    )


def difficulty() -> pd.DataFrame:
    """How well three simple rankers do on every stand-in and on the real sets, as far as these are known."""
    tables = [
        compare(name).ndcg.rename_axis("ranker").reset_index().assign(**{"data set": display_name("data", name)})
        for name in names()
    ]
    return pd.concat(tables)[["data set", "ranker", "real", "stand-in", "difference", "other seeds", "their spread"]]


def _printed_baselines() -> dict[str, list[float]]:
    table = load_table("chapelle2011", "table5")
    methods = {f"feature {BM25F}": "BM25F-SD", "ridge regression": "RankSVM", "boosted trees": "GBDT"}
    return {ranker: [table.number(method, "test_ndcg").value] for ranker, method in methods.items()}


def measure_real(name: str) -> Measures:
    """Measure the real set behind a stand-in; empty when it is not on this machine.

    Parameters
    ----------
    name
        Name of the stand-in.

    Examples
    --------
    >>> measure_real("standin/yahoo-set1")  # what its paper printed is kept with the published numbers
    {}
    """
    real = _REAL.get(name)
    if real is None or not is_here(real):
        return {}
    if real == "mslr-web10k-sample":
        data = concatenate([load(real, part) for part in ("train", "test")])
        dealt = [data.select_queries(slice(i, None, 5)) for i in range(5)]
        return _measure(name, data, _leave_one_out(dealt))
    data = concatenate([load(real, part) for part in FOLD_SECTIONS.values()])
    return _measure(name, data, _folds(lambda part: load(real, part)))


def measure_standin(name: str, *, seed: int = DEFAULT_SEED, other_seeds: int = 5) -> Measures:
    """Measure a stand-in in the same way, its rankers also on stand-ins from other seeds.

    Parameters
    ----------
    name
        Name of the stand-in.
    seed
        Its seed.
    other_seeds
        How many of the following seeds to try.
    """
    files = read_recipe(name).files
    every = list(FOLD_SECTIONS.values()) if "Fold1/test" in files else list(files)
    scale = 1.0 if "mq200" in name else 0.1
    data = concatenate([generate(name, part, scale=scale, seed=seed) for part in every])
    measures = _measure(name, data, _standin_splits(name, seed))
    seeds = [_ndcg(name, _standin_splits(name, other)) for other in range(seed + 1, seed + 1 + other_seeds)]
    measures["other seeds"] = {ranker: [_mean(found[ranker]) for found in seeds] for ranker in measures["ndcg"]}
    return measures


def _standin_splits(name: str, seed: int) -> Splits:
    if name == "standin/mslr":
        parts = FOLD_SECTIONS.values()
        return _leave_one_out([generate(name, part, scale=_SAMPLE_SCALE, seed=seed) for part in parts])
    if "yahoo" in name:  # as many queries as Set 2 has, to save time
        size = 0.1 if name == "standin/yahoo-set1" else 1.0
        return [(generate(name, "train", scale=size, seed=seed), generate(name, "test", scale=0.3, seed=seed))]
    return _folds(lambda part: generate(name, part, seed=seed))


def _folds(get: Callable[[str], RankingData]) -> Splits:
    return [(get(f"Fold{fold}/train"), get(f"Fold{fold}/test")) for fold in range(1, 6)]


def _leave_one_out(groups: list[RankingData]) -> Splits:
    return [(concatenate([other for other in groups if other is not test]), test) for test in groups]


def _measure(name: str, data: RankingData, splits: Splits) -> Measures:
    counts = count(data)
    return {
        "labels": {str(label): round(rows / counts.rows, 5) for label, rows in counts.labels.items()},
        "queries": {
            "queries": counts.queries,
            "documents": counts.rows,
            "share without a relevant document": round(counts.empty / counts.queries, 4),
            "share with fewer than 10 documents": round(counts.shorter[10] / counts.queries, 4),
            **{f"documents, {level}": size for level, size in _quantiles(counts.query_sizes, _SIZE_LEVELS).items()},
        },
        "features": {
            str(column): {
                "share of zeros": round(float(np.mean(data.features[:, column - 1] == 0)), 3),
                **_quantiles(data.features[:, column - 1], _VALUE_LEVELS),
            }
            for column in _SHOWN[name]
        },
        "ndcg": _ndcg(name, splits),
    }


def _quantiles(values: NDArray[Any], levels: dict[str, float]) -> dict[str, float]:
    found = np.quantile(values.astype(np.float64), list(levels.values()))
    return {level: float(f"{value:.4g}") for level, value in zip(levels, found, strict=True)}


def _ndcg(name: str, splits: Splits) -> dict[str, list[float]]:
    """NDCG@10 of each ranker on each test part; a query without a relevant document counts 0 (Yahoo!: 1)."""
    metric = "ndcg@10:yahoo" if "yahoo" in name else "ndcg@10"
    rankers: dict[str, Callable[[RankingData, RankingData], NDArray[Any]]] = {
        f"feature {BM25F}" if "yahoo" in name else "best single feature": _single_feature,
        "ridge regression": _linear,
        "boosted trees": _trees,
    }
    scores: dict[str, list[float]] = {ranker: [] for ranker in rankers}
    for train, test in splits:
        for ranker, predict in rankers.items():
            found = evaluate(metric, test.labels, predict(train, test), test.query_offsets)
            scores[ranker].append(round(float(found[metric].mean), 5))
    return scores


def _single_feature(train: RankingData, test: RankingData) -> NDArray[np.float32]:
    """Rank by the feature that ranks the training part best; of Yahoo! by the one that the paper took."""
    if train.n_features >= BM25F:
        return test.features[:, BM25F - 1]
    evaluator = Evaluator("ndcg@10", train.labels, train.query_offsets)
    found = [evaluator(column)["ndcg@10"].mean for column in train.features.T]
    return test.features[:, int(np.argmax(found))]


def _linear(train: RankingData, test: RankingData) -> NDArray[np.float64]:
    from sklearn.linear_model import Ridge

    centre, spread = train.features.mean(axis=0, dtype=np.float64), train.features.std(axis=0, dtype=np.float64)
    spread[spread == 0] = 1
    with threadpool_limits(1):
        model = Ridge(alpha=100.0).fit((train.features - centre) / spread, train.labels)
        return np.asarray(model.predict((test.features - centre) / spread))


def _trees(train: RankingData, test: RankingData) -> NDArray[np.float64]:
    from sklearn.ensemble import HistGradientBoostingRegressor

    large = train.n_docs > 20_000
    model = HistGradientBoostingRegressor(
        max_iter=200 if large else 100,
        learning_rate=0.1 if large else 0.05,
        max_leaf_nodes=15,
        early_stopping=False,
        random_state=0,
    )
    # On a busy machine a second thread makes this many times slower.
    with threadpool_limits(1):
        return np.asarray(model.fit(train.features, train.labels).predict(test.features))


def _mean(values: list[float]) -> float:
    return round(float(np.mean(values)), 5)


def _side_by_side(real: Measures, standin: Measures, key: str) -> pd.DataFrame:
    table = pd.DataFrame({"real": real.get(key, {}), "stand-in": standin[key]}, index=list(standin[key]))
    return table.rename(index=_shown)


def _feature_table(real: Measures, standin: Measures) -> pd.DataFrame:
    rows = {}
    for column, quantiles in standin["features"].items():
        rows[column, "real"] = real.get("features", {}).get(column, {})
        rows[column, "stand-in"] = quantiles
    index = pd.MultiIndex.from_tuples(list(rows), names=["feature", "data"])
    table = pd.DataFrame(list(rows.values()), index=index, columns=["share of zeros", *_VALUE_LEVELS])
    return table.rename(columns=_shown)


def _shown(level: str) -> str:
    return level.replace(" %", "%")


def _ndcg_table(real: Measures, standin: Measures) -> pd.DataFrame:
    table = pd.DataFrame(index=list(standin["ndcg"]))
    table["real"] = pd.Series({ranker: _mean(folds) for ranker, folds in real.get("ndcg", {}).items()}, dtype=float)
    table["stand-in"] = pd.Series({ranker: _mean(folds) for ranker, folds in standin["ndcg"].items()})
    table["difference"] = table["stand-in"] - table["real"]
    others = pd.DataFrame(standin["other seeds"])
    table["other seeds"], table["their spread"] = others.mean(), others.std()
    return table
