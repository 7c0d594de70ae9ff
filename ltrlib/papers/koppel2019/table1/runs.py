"""The runs behind Tables 1 and 2 of Köppel et al. (2019); ``ltrlib record koppel2019/grid`` makes one of them."""

from __future__ import annotations

import json
import math
import resource
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.loading import load
from ltrlib.datasets.registry import real_set
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.ndcg_by_tool import ndcg_by_convention
from ltrlib.metrics.notation import parse
from ltrlib.papers.koppel2019.table1 import records
from ltrlib.papers.koppel2019.table1.methods import METHODS, TIMED, VARIANT_BASE, VARIANTS
from ltrlib.papers.koppel2019.table1.protocol import BINARY, GRADED, inner_folds, prepared, random_order, scored
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.directranker import DirectRanker
from ltrlib.records.making import Done, Piece, Run
from ltrlib.records.observed import remembered

__all__ = [
    "COLLAPSE", "EMPHASIS", "FOLDS", "GRID", "OTHER", "OTHERS", "RANDOM", "REFIT", "TIMES", "chosen_points", "measure",
    "train_first_point", "train_point",
]  # fmt: skip

DATASET, SAMPLE = "mq2008", "mslr-web10k-sample"
EMPHASIS_SETS = ("mq2008", "ohsumed", "clueweb09-ltr")
FOLDS, INNER, SEEDS = range(1, 6), range(1, 6), range(5)
CHOSEN_BY = ("ndcg", "map")
ORDERS = 200

OTHERS = {"standin/mq2007": 1.0, "standin/mslr": 0.03, SAMPLE: 1.0}
"""Data sets that the paper does not have, and the size of each."""

_INNER_FOLDS = {"inner folds": json.dumps({method: len(INNER) for method in METHODS})}


@remembered(16)
def _part(dataset: str, part: str, *, transform: bool, drop: bool) -> RankingData:
    return prepared(dataset, part, transform=transform, drop=drop)


@remembered(len(FOLDS))
def _inner(fold: int, *, transform: bool) -> list[tuple[RankingData, RankingData]]:
    return list(inner_folds(_part(DATASET, f"Fold{fold}/train", transform=transform, drop=True), len(INNER)))


def _by_convention(data: RankingData, scores: NDArray[np.float64], kind: str, highest: int) -> dict[str, float]:
    """Mean NDCG@10 under every tool's convention; NaN where the tool has no gain for the labels."""
    values = ndcg_by_convention(data, scores, highest=highest)
    counted = {tool: found[~np.isnan(found)] for tool, found in values.items()}
    return {f"{kind}:{tool}": float(found.mean()) if len(found) else math.nan for tool, found in counted.items()}


def _plain(point: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(point))


def _tuples(point: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as the rankers take them: JSON has no tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in point.items()}


def _seconds_since(started: float) -> float:
    return round(time.process_time() - started, 3)


# --- The grid: cross-validation inside each training part ---


def _grid_pieces() -> list[Piece]:
    return [
        {"method": name, "point": _plain(point), "fold": fold, "inner": inner}
        for name, method in METHODS.items()
        for inner in INNER
        for point in sorted(method.points, key=lambda point: point.get("hidden", (0,)))
        for fold in FOLDS
    ]


def _train_in_grid(piece: Piece) -> pd.DataFrame:
    """One point on one inner fold."""
    started, method = time.process_time(), METHODS[piece["method"]]
    train, vali = _inner(piece["fold"], transform=method.transformed)[piece["inner"] - 1]
    ranker = method.at(_tuples(piece["point"]), 0).fit(train)
    found = scored(vali, ranker.predict(vali.features), BINARY)
    row = {"method": piece["method"], "parameters": json.dumps(piece["point"])}
    row |= {"fold": piece["fold"], "inner": piece["inner"]} | found | {"seconds": _seconds_since(started)}
    return pd.DataFrame([row])


GRID = Run(tables=(records.GRID,), pieces=_grid_pieces, do=_train_in_grid, parameters=_INNER_FOLDS, seeds=[0])


# --- The chosen points, trained on the whole training part with all seeds ---


def chosen_points(grid: pd.DataFrame, by: str) -> pd.DataFrame:
    """The point with the best mean over the inner folds, for each method and fold; of equals the first.

    Parameters
    ----------
    grid
        The table of the grid.
    by
        ``"ndcg"``, as in the authors' code for both columns, or ``"map"``, as the paper says for the other.

    Examples
    --------
    >>> grid = pd.DataFrame({"method": "A", "fold": 1, "parameters": ["{}", "{}", "[]", "[]"], "ndcg": [1, 2, 2, 3.0]})
    >>> chosen_points(grid, "ndcg").values.tolist()
    [['A', 1, '[]', 2.5]]
    """
    means = grid.groupby(["method", "fold", "parameters"], sort=False)[by].mean().reset_index()
    best = means.groupby(["method", "fold"], sort=False)[by].idxmax()
    return means.loc[best].reset_index(drop=True)


def _refit_pieces() -> list[Piece]:
    """What the grid chose; a point that both metrics chose is trained once."""
    grid = records.GRID.read().table
    chosen: dict[tuple[str, str, int], list[str]] = {}
    for by in CHOSEN_BY:
        for row in chosen_points(grid, by).to_dict("records"):
            chosen.setdefault((row["method"], row["parameters"], row["fold"]), []).append(by)
    return [
        {"chosen_by": by, "method": method, "point": json.loads(parameters), "fold": fold, "seed": seed}
        for (method, parameters, fold), by in chosen.items()
        for seed in (SEEDS if METHODS[method].seeded else (0,))
    ]


def train_point(dataset: str, name: str, point: Mapping[str, Any], *, fold: int, seed: int) -> dict[str, float]:
    """One point of a method on a whole training part, scored under both protocols and under every tool's NDCG."""
    method = METHODS[name]
    train = _part(dataset, f"Fold{fold}/train", transform=method.transformed, drop=True)
    ranker = method.at(_tuples(point), seed).fit(train)
    kept, whole = (
        _part(dataset, f"Fold{fold}/test", transform=method.transformed, drop=drop) for drop in (True, False)
    )
    of_kept, of_whole = ranker.predict(kept.features), ranker.predict(whole.features)
    return (
        scored(kept, of_kept, BINARY)
        | scored(whole, of_whole, GRADED)
        | _by_convention(kept, of_kept, "binary", 1)
        | _by_convention(whole, of_whole, "graded", real_set(dataset).max_label)
    )


def _refit(piece: Piece) -> pd.DataFrame:
    started = time.process_time()
    found = train_point(DATASET, piece["method"], piece["point"], fold=piece["fold"], seed=piece["seed"])
    row = {"method": piece["method"], "parameters": json.dumps(piece["point"]), "fold": piece["fold"]}
    row |= {"seed": piece["seed"]} | found | {"seconds": _seconds_since(started)}
    return pd.DataFrame([{"chosen_by": by} | row for by in piece["chosen_by"]])


def _refit_in_order(done: Sequence[Done]) -> dict[str, pd.DataFrame]:
    rows = pd.concat([one.tables[records.REFIT.short] for one in done], ignore_index=True)
    order = {"method": list(METHODS), "chosen_by": list(CHOSEN_BY)}
    by = [*order, "fold", "seed"]
    ranks = rows[by].assign(**{name: rows[name].map(known.index) for name, known in order.items()})
    return {records.REFIT.short: rows.loc[ranks.sort_values(by).index]}


REFIT = Run(
    tables=(records.REFIT,),
    pieces=_refit_pieces,
    do=_refit,
    join=_refit_in_order,
    after=(records.GRID,),
    parameters=_INNER_FOLDS,
    seeds=list(SEEDS),
)


# --- Pairs weighted by the change of NDCG ---


def _emphasis_pieces() -> list[Piece]:
    return [
        {"dataset": dataset, "variant": variant, "fold": fold, "seed": seed}
        for dataset in EMPHASIS_SETS
        for variant in VARIANTS
        for fold in FOLDS
        for seed in SEEDS
    ]


def _train_variant(piece: Piece) -> pd.DataFrame:
    """One way to weight pairs, trained on graded labels and all queries; NDCG@10 of each test query."""
    train, test = (
        _part(piece["dataset"], f"Fold{piece['fold']}/{part}", transform=True, drop=False) for part in ("train", "test")
    )
    ranker = DirectRanker(**VARIANT_BASE, **VARIANTS[piece["variant"]], seed=piece["seed"]).fit(train)
    metric = parse(GRADED["ndcg_all"])
    values = evaluate_data(metric, test, ranker.predict(test.features))[metric].per_query
    return pd.DataFrame({**piece, "query": test.query_ids.tolist(), "ndcg": np.round(values, 12)})


def _mean_over_seeds(done: Sequence[Done]) -> dict[str, pd.DataFrame]:
    rows = pd.concat([one.tables[records.EMPHASIS.short] for one in done], ignore_index=True)
    places = ["dataset", "variant", "fold", "query"]
    return {records.EMPHASIS.short: rows.groupby(places, sort=False)["ndcg"].mean().reset_index()}


EMPHASIS = Run(
    tables=(records.EMPHASIS,), pieces=_emphasis_pieces, do=_train_variant, join=_mean_over_seeds, seeds=list(SEEDS)
)


# --- Networks on features without normalisation ---


def _collapse_pieces() -> list[Piece]:
    return [
        {"method": method, "normalised": alike, "train": train, "test": test, "seed": seed}
        for method in ("RankNet", "ListNet", "DirectRanker")
        for alike in (False, True)
        for train, test in (("train", "test"), ("test", "train"))
        for seed in SEEDS
    ]


def _train_on_sample(piece: Piece) -> pd.DataFrame:
    """A network on features as they are, or brought to one scale; trained on one part, scored on the other."""
    method = METHODS[piece["method"]]
    transform = piece["normalised"] and method.transformed
    train, test = (_part(SAMPLE, piece[role], transform=transform, drop=True) for role in ("train", "test"))
    standardise = {"standardise": piece["normalised"] and not method.transformed}
    ranker = method.at({**method.points[0], **standardise}, piece["seed"]).fit(train)
    scores = ranker.predict(test.features)
    return pd.DataFrame([{**piece, **scored(test, scores, BINARY), **_by_convention(test, scores, "binary", 1)}])


COLLAPSE = Run(tables=(records.COLLAPSE,), pieces=_collapse_pieces, do=_train_on_sample, seeds=list(SEEDS))


# --- Data that the paper does not have ---


def _other_pieces() -> list[Piece]:
    return [{"dataset": name, "scale": scale, "method": method} for name, scale in OTHERS.items() for method in METHODS]


def train_first_point(dataset: str, name: str, *, fold: int = 1, scale: float = 1.0) -> dict[str, float]:
    """A method at its first point on any data set, under both protocols."""
    method = METHODS[name]
    prefix = f"Fold{fold}/" if "/" in next(iter(real_set(dataset).parts)) else ""
    train = prepared(dataset, f"{prefix}train", transform=method.transformed, scale=scale)
    ranker = method.at(method.points[0], 0).fit(train)
    found: dict[str, float] = {}
    for drop, metrics in ((True, BINARY), (False, GRADED)):
        test = prepared(dataset, f"{prefix}test", transform=method.transformed, drop=drop, scale=scale)
        found |= scored(test, ranker.predict(test.features), metrics)
    return found


def _train_on_other(piece: Piece) -> pd.DataFrame:
    found = train_first_point(piece["dataset"], piece["method"], scale=piece["scale"])
    return pd.DataFrame([{"dataset": piece["dataset"], "method": piece["method"], "fold": 1} | found])


OTHER = Run(
    tables=(records.OTHER,),
    pieces=_other_pieces,
    do=_train_on_other,
    parameters={"scales": json.dumps(OTHERS)},
    seeds=[0],
)


# --- Random orders ---


def _random_pieces() -> list[Piece]:
    parts = [*((DATASET, f"Fold{fold}/test") for fold in FOLDS), (SAMPLE, "train"), (SAMPLE, "test")]
    return [{"dataset": dataset, "part": part} for dataset, part in parts]


def _score_at_random(piece: Piece) -> pd.DataFrame:
    kept, whole = (prepared(piece["dataset"], piece["part"], transform=False, drop=drop) for drop in (True, False))
    counts = {"queries": whole.n_queries, "kept": kept.n_queries}
    found = random_order(kept, BINARY, rounds=ORDERS) | random_order(whole, GRADED, rounds=ORDERS)
    return pd.DataFrame([{**piece, **counts, **found}])


RANDOM = Run(
    tables=(records.RANDOM,), pieces=_random_pieces, do=_score_at_random, parameters={"orders": ORDERS}, seeds=[0]
)


# --- Table 2: training times ---


def measure(ranker: Ranker, data: RankingData) -> dict[str, float]:
    """Processor and wall seconds of one training; compilation is inside, reading and preparing the data are not."""
    cpu, wall = time.process_time(), time.perf_counter()
    ranker.fit(data)
    return {"cpu_seconds": time.process_time() - cpu, "wall_seconds": time.perf_counter() - wall}


@remembered()
def _as_large_as_mslr() -> RankingData:
    data = load("standin/mslr", "Fold1/train")
    # As in the protocol: labels from 2 up are relevant.
    return data.with_labels((data.labels >= 2).astype(np.int32))


def _timed_pieces() -> list[Piece]:
    return [{"method": method} for method in TIMED]


def _time_training(piece: Piece) -> pd.DataFrame:
    ranker, parameter = TIMED[piece["method"]]
    row: dict[str, str | float] = {"method": piece["method"], "settings": repr(ranker)}
    row["work"] = f"{ranker.get_params()[parameter]} {parameter}"
    row |= measure(ranker, _as_large_as_mslr())
    row["peak_gb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return pd.DataFrame([row])


TIMES = Run(
    tables=(records.TIMES,),
    pieces=_timed_pieces,
    do=_time_training,
    parameters={"threads": 1},
    seeds=[0],
    measures=True,
)
