"""Train the official baselines of LETOR 4.0 on MQ2008, and variants of them; score each part by LETOR 4.0's script."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.notation import parse
from ltrlib.papers.busafekete2012.official.records import (
    DATASET,
    FITS,
    FOLDS,
    METRICS,
    PARTS,
    PRECISIONS,
    VALUES,
    WRITTEN,
)
from ltrlib.papers.busafekete2012.official.variants import Variant, official_settings, variants
from ltrlib.rankers import RankBoost, ranker_class
from ltrlib.rankers.base import Ranker, linear_scores
from ltrlib.rankers.cross_validation import Fold, load_fold
from ltrlib.rankers.cutting_planes import minimise
from ltrlib.rankers.ranksvm import pair_hinge
from ltrlib.records.making import Piece, Run
from ltrlib.records.observed import remembered

__all__ = ["OFFICIAL", "WRITTEN_THRESHOLDS", "pieces", "score_written", "train"]


@remembered()
def _fold(number: int) -> Fold:
    return load_fold(DATASET, number)


def pieces() -> list[Piece]:
    """One training each."""
    return [
        {"method": one.method, "variant": one.name, "repeat": repeat, "fold": fold}
        for one in variants()
        for repeat in range(one.repeats)
        for fold in FOLDS
    ]


def train(piece: Piece) -> dict[str, pd.DataFrame]:
    """Train one variant on one fold, and score its three parts."""
    (variant,) = (one for one in variants() if (one.method, one.name) == (piece["method"], piece["variant"]))
    fold = _fold(piece["fold"])
    settings = _settings(variant, fold)
    score: Callable[[NDArray[np.float32]], NDArray[np.float64]]
    if variant.ranker == "RankSVM" and piece["repeat"]:
        weights, size = _from_elsewhere(fold, settings, seed=piece["repeat"])
        score, done = partial(_linear, weights), True
    else:
        seed = {"seed": piece["repeat"]} if variant.ranker == "ListNet" else {}
        ranker = ranker_class(variant.ranker)(**settings, **seed)
        ranker.fit(fold.train, None if variant.fixed else fold.vali)
        score, size, done = partial(_predict, ranker), _size(ranker), bool(getattr(ranker, "converged_", True))
    names = {name: parse(text) for name, text in METRICS.items()}
    rows = []
    for part, attribute in PARTS.items():
        data = getattr(fold, attribute)
        found = Evaluator(list(names.values()), data.labels, data.query_offsets)(score(data.features))
        rows += [(part, name, found[metric].mean) for name, metric in names.items()]
    values = pd.DataFrame(rows, columns=["part", "metric", "value"]).assign(**piece)
    fit = pd.DataFrame([{**piece, "settings": json.dumps(settings, sort_keys=True), "size": size, "done": done}])
    return {VALUES.short: values[list(VALUES.columns)], FITS.short: fit}


def _predict(ranker: Ranker, features: NDArray[np.float32]) -> NDArray[np.float64]:
    return ranker.predict(features)


def _linear(weights: NDArray[np.float64], features: NDArray[np.float32]) -> NDArray[np.float64]:
    return linear_scores(features, weights)


def _settings(variant: Variant, fold: Fold) -> dict[str, Any]:
    """Parameters of our class, with what the official files tell of the fold."""
    settings = dict(variant.settings)
    told = official_settings(variant.method, fold.number)
    if variant.fixed == "rounds":
        settings["rounds"] = int(told["rounds"])
    if variant.ranker == "RankSVM":
        cost = float(told["c"]) if variant.fixed == "c" else float(settings["C"])
        settings["C"] = cost * variant.factor / (fold.train.n_queries if variant.per_query else 1)
    return settings


def _from_elsewhere(fold: Fold, settings: dict[str, Any], *, seed: int) -> tuple[NDArray[np.float64], int]:
    """RankSVM-Struct, but the first plane is taken at a random point as far from 0 as the solution is."""
    hinge, start = pair_hinge(fold.train), np.random.default_rng(seed).normal(size=fold.train.n_features)
    pairs, _ = hinge(np.zeros_like(start))
    limits = {"tolerance": settings["tolerance"] * pairs, "max_planes": settings["max_iterations"]}
    length = float(np.linalg.norm(minimise(hinge, np.zeros_like(start), C=settings["C"], **limits).w))
    found = minimise(hinge, start * length / float(np.linalg.norm(start)), C=settings["C"], **limits)
    return found.w, found.n_planes


def _size(ranker: Ranker) -> int:
    for name in ("n_iterations_", "best_round_", "best_epoch_"):
        if hasattr(ranker, name):
            return int(getattr(ranker, name))
    return len(ranker.alpha_) if hasattr(ranker, "alpha_") else 0


OFFICIAL = Run(
    tables=(VALUES, FITS),
    pieces=pieces,
    do=train,
    parameters={"folds": FOLDS, "metrics": list(METRICS.values())},
    needs=(DATASET,),
)

_DIGITS = (3, 4, 5, 6, 7, 8, 9)  # nine tell any two single precision numbers apart
_DECIMALS = 6  # of the features in the files


def _fold_pieces() -> list[Piece]:
    return [{"fold": fold} for fold in FOLDS]


def score_written(piece: Piece) -> dict[str, pd.DataFrame]:
    """Train RankBoost with the official settings, and score each part with thresholds as a file may keep them."""
    fold = _fold(piece["fold"])
    rounds = int(official_settings("RankBoost", fold.number)["rounds"])
    model = RankBoost(rounds=rounds, thresholds=255, stumps="at_least").fit(fold.train)
    names = {name: parse(text) for name, text in METRICS.items()}
    rows = []
    for part, attribute in PARTS.items():
        data = getattr(fold, attribute)
        evaluate = Evaluator(list(names.values()), data.labels, data.query_offsets)
        single = data.features[:, model.feature_]
        features = {"single": single, "double": np.round(single.astype(np.float64), _DECIMALS)}
        for digits in _DIGITS:
            written = np.array([float(f"{threshold:.{digits}g}") for threshold in model.threshold_])
            for precision in PRECISIONS:
                beyond = features[precision] >= written.astype(features[precision].dtype)
                found = evaluate(beyond @ model.alpha_)
                rows += [(digits, precision, part, name, found[metric].mean) for name, metric in names.items()]
    table = pd.DataFrame(rows, columns=["digits", "precision", "part", "metric", "value"]).assign(**piece)
    return {WRITTEN.short: table[list(WRITTEN.columns)]}


WRITTEN_THRESHOLDS = Run(
    tables=(WRITTEN,),
    pieces=_fold_pieces,
    do=score_written,
    parameters={"folds": FOLDS, "digits": list(_DIGITS)},
    needs=(DATASET,),
)
