"""The trainings behind the chapters on DirectRanker, each kept as soon as it is done."""

from __future__ import annotations

import hashlib
import json
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.atomic import new_file
from ltrlib.datasets.container import RankingData
from ltrlib.datasets.loading import digest
from ltrlib.datasets.registry import real_set
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.ndcg_by_tool import ndcg_by_convention
from ltrlib.metrics.notation import parse
from ltrlib.papers.koppel2019.table1.methods import METHODS, VARIANT_BASE, VARIANTS
from ltrlib.papers.koppel2019.table1.protocol import BINARY, GRADED, inner_folds, prepared, scored
from ltrlib.project import cache_dir
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.directranker import DirectRanker
from ltrlib.records.definitions import find_code

__all__ = ["FOLDS", "INNER", "MODULES", "RANKERS", "SEEDS", "compute", "done", "run"]

FOLDS, INNER, SEEDS = range(1, 6), range(1, 6), range(5)

RANKERS = (
    "ltrlib.rankers.adarank",
    "ltrlib.rankers.batches",
    "ltrlib.rankers.boosting",
    "ltrlib.rankers.directranker",
    "ltrlib.rankers.directranker.emphasis",
    "ltrlib.rankers.directranker.pairs",
    "ltrlib.rankers.directranker.training",
    "ltrlib.rankers.lambdamart",
    "ltrlib.rankers.lambdas",
    "ltrlib.rankers.network",
    "ltrlib.rankers.neural",
)
"""Modules that train."""

MODULES = (*RANKERS, "ltrlib.papers.koppel2019.table1.protocol", "ltrlib.datasets.quantiles")
"""Modules that decide the numbers of a training, given its settings."""

Spec = Mapping[str, Any]


@lru_cache(maxsize=16)
def _part(dataset: str, part: str, *, transform: bool, drop: bool) -> RankingData:
    return prepared(dataset, part, transform=transform, drop=drop)


@lru_cache(maxsize=2)
def _inner(dataset: str, fold: int, *, transform: bool) -> list[tuple[RankingData, RankingData]]:
    return list(inner_folds(_part(dataset, f"Fold{fold}/train", transform=transform, drop=True), len(INNER)))


def _ranker(spec: Spec) -> Ranker:
    """The ranker that a training fits, with all of its settings."""
    seed = spec.get("seed", 0)
    if spec["job"] == "emphasis":
        return DirectRanker(**VARIANT_BASE, **VARIANTS[spec["variant"]], seed=seed)
    method = METHODS[spec["method"]]
    if spec["job"] == "collapse":
        changes = {"standardise": spec["normalised"] and not method.transformed}
        return method.at({**method.points[0], **changes}, seed)
    return method.at(_tuples(spec["point"]) if "point" in spec else method.points[0], seed)


def _by_convention(data: RankingData, scores: NDArray[np.float64], kind: str, highest: int) -> dict[str, float]:
    """Mean NDCG@10 under every tool's convention; NaN where the tool has no gain for the labels."""
    values = ndcg_by_convention(data, scores, highest=highest)
    counted = {tool: found[~np.isnan(found)] for tool, found in values.items()}
    return {f"{kind}:{tool}": float(found.mean()) if len(found) else math.nan for tool, found in counted.items()}


def _grid(spec: Spec) -> dict[str, Any]:
    """One point of the grid on one inner fold."""
    transform = METHODS[spec["method"]].transformed
    train, vali = _inner(spec["dataset"], spec["fold"], transform=transform)[spec["inner"] - 1]
    ranker = _ranker(spec).fit(train)
    return scored(vali, ranker.predict(vali.features), BINARY)


def _refit(spec: Spec) -> dict[str, Any]:
    """The chosen point on the whole training part, scored under both protocols, and under every tool's NDCG."""
    transform, dataset, fold = METHODS[spec["method"]].transformed, spec["dataset"], spec["fold"]
    ranker = _ranker(spec).fit(_part(dataset, f"Fold{fold}/train", transform=transform, drop=True))
    kept, whole = (_part(dataset, f"Fold{fold}/test", transform=transform, drop=drop) for drop in (True, False))
    of_kept, of_whole = ranker.predict(kept.features), ranker.predict(whole.features)
    return (
        scored(kept, of_kept, BINARY)
        | scored(whole, of_whole, GRADED)
        | _by_convention(kept, of_kept, "binary", 1)
        | _by_convention(whole, of_whole, "graded", real_set(dataset).max_label)
    )


def _emphasis(spec: Spec) -> dict[str, Any]:
    """One way to weight pairs, trained on graded labels and all queries; NDCG@10 of each test query."""
    dataset, fold = spec["dataset"], spec["fold"]
    train, test = (_part(dataset, f"Fold{fold}/{part}", transform=True, drop=False) for part in ("train", "test"))
    ranker = _ranker(spec).fit(train)
    metric = parse(GRADED["ndcg_all"])
    values = evaluate_data(metric, test, ranker.predict(test.features))[metric].per_query
    return {"queries": test.query_ids.tolist(), "ndcg": np.round(values, 12).tolist()}


def _collapse(spec: Spec) -> dict[str, Any]:
    """A network on features as they are, or brought to one scale; trained on one part, scored on the other."""
    transform = spec["normalised"] and METHODS[spec["method"]].transformed
    train, test = (_part(spec["dataset"], spec[role], transform=transform, drop=True) for role in ("train", "test"))
    scores = _ranker(spec).fit(train).predict(test.features)
    return scored(test, scores, BINARY) | _by_convention(test, scores, "binary", 1)


def _other(spec: Spec) -> dict[str, Any]:
    """The first point of a method on any data set, under both protocols."""
    transform, dataset, scale = METHODS[spec["method"]].transformed, spec["dataset"], spec["scale"]
    prefix = f"Fold{spec['fold']}/" if "/" in next(iter(real_set(dataset).parts)) else ""
    found: dict[str, Any] = {}
    ranker = _ranker(spec).fit(prepared(dataset, f"{prefix}train", transform=transform, scale=scale))
    for drop, metrics in ((True, BINARY), (False, GRADED)):
        test = prepared(dataset, f"{prefix}test", transform=transform, drop=drop, scale=scale)
        found |= scored(test, ranker.predict(test.features), metrics)
    return found


_JOBS: dict[str, Callable[[Spec], dict[str, Any]]] = {
    "grid": _grid,
    "refit": _refit,
    "emphasis": _emphasis,
    "collapse": _collapse,
    "other": _other,
}


def _tuples(point: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as the rankers take them: JSON has no tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in point.items()}


def compute(spec: Spec) -> dict[str, Any]:
    """Do one training, and say how long it took.

    Examples
    --------
    >>> spec = {"job": "refit", "dataset": "standin/mq2008", "method": "AdaRank", "point": {}, "fold": 1, "seed": 0}
    >>> list(compute(spec))[:4]
    ['ndcg', 'map', 'ndcg_all', 'map_all']
    """
    started = time.process_time()
    return _JOBS[spec["job"]](spec) | {"seconds": round(time.process_time() - started, 3)}


@cache
def _state(dataset: str) -> str:
    # A stand-in follows from its name and the code.
    return (dataset if dataset.startswith("standin/") else digest(dataset)) + find_code(*MODULES).fingerprint


def _path(spec: Spec, folder: Path | None) -> Path:
    folder = cache_dir() / "directranker" if folder is None else folder
    key = json.dumps(spec, sort_keys=True) + repr(_ranker(spec)) + _state(spec["dataset"])
    return folder / f"{spec['job']}-{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"


def done(specs: Sequence[Spec], *, folder: Path | None = None) -> list[dict[str, Any] | None]:
    """Results of the trainings that are done, and None for the others.

    Examples
    --------
    >>> spec = {"job": "refit", "dataset": "standin/mq2008", "method": "AdaRank", "point": {}, "fold": 1, "seed": -1}
    >>> done([spec])
    [None]
    """
    paths = [_path(spec, folder) for spec in specs]
    return [json.loads(path.read_text()) if path.exists() else None for path in paths]


def run(specs: Sequence[Spec], *, minutes: float = float("inf"), folder: Path | None = None) -> int:
    """Do the trainings that are not done yet, in order, until the time is up; return how many are left.

    Examples
    --------
    >>> run([], minutes=1)
    0
    """
    started, left = time.monotonic(), 0
    for spec in specs:
        path = _path(spec, folder)
        if path.exists():
            continue
        if time.monotonic() - started > 60 * minutes:
            left += 1
            continue
        result = compute(spec)
        path.parent.mkdir(parents=True, exist_ok=True)
        with new_file(path) as file:
            file.write(json.dumps(result).encode())
        print({**spec, **{k: v for k, v in result.items() if not isinstance(v, list)}}, file=sys.stderr, flush=True)
    return left
