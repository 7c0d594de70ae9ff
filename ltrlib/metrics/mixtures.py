"""Mixtures of two metrics: some choices of the one, the rest of the other, and what switching a choice is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics.case import Case
from ltrlib.metrics.metric import Metric

__all__ = ["Chosen", "evaluate_mixtures", "mixtures_of", "shapley", "whole_mean"]

_NEEDS_JUDGED = ("ideal", "absent")

Chosen = frozenset[str]


def mixtures_of(first: Metric, second: Metric, choices: Sequence[str]) -> dict[Chosen, Metric]:
    """The metric for each set of choices that are made as the first makes them, the others as the second."""
    bare = replace(second, tool=None)
    return {
        frozenset(chosen): replace(bare, **{name: getattr(first, name) for name in chosen})
        for size in range(len(choices) + 1)
        for chosen in combinations(choices, size)
    }


def evaluate_mixtures(
    mixtures: Mapping[Chosen, Metric], case: Case, depths: Sequence[int | None], choices: Sequence[str]
) -> tuple[dict[Chosen, NDArray[np.float64]], dict[int | None, dict[Chosen, NDArray[np.float64]]]]:
    """Values per query of each mixture, and its mean (as an array of one) at each depth."""
    # Where nothing but the ranked documents is known, two choices cannot matter: half the work each.
    idle = {name for name in choices if name in _NEEDS_JUDGED and case.judged is None and case.sizes.all()}
    groups: dict[tuple[str, str], list[Chosen]] = {}
    for chosen, metric in mixtures.items():
        if not chosen & idle:
            groups.setdefault((metric.ties, metric.precision), []).append(chosen)
    values: dict[Chosen, NDArray[np.float64]] = {}
    by_depth: dict[int | None, dict[Chosen, NDArray[np.float64]]] = {depth: {} for depth in depths}
    for group in groups.values():
        wanted = {(chosen, k): replace(mixtures[chosen], k=k) for chosen in group for k in depths}
        wanted |= {(chosen, mixtures[chosen].k): mixtures[chosen] for chosen in group}
        found = case.values(dict.fromkeys(wanted.values()))
        for (chosen, k), metric in wanted.items():
            if k == mixtures[chosen].k:
                values[chosen] = found[metric]
            if k in by_depth:
                by_depth[k][chosen] = np.array([whole_mean(found[metric], metric)])
    for chosen in mixtures:
        if chosen & idle:
            values[chosen] = values[chosen - idle]
            for at_depth in by_depth.values():
                at_depth[chosen] = at_depth[chosen - idle]
    return values, by_depth


def whole_mean(values: NDArray[np.float64], metric: Metric) -> float:
    """Mean of the queries that count; an error where none does."""
    counted = values[~np.isnan(values)]
    if not counted.size:
        raise UsageError(f"{metric} leaves out every query, so it has no mean")
    return math.fsum(counted.tolist()) / counted.size


def shapley(values: Mapping[Chosen, NDArray[np.float64]], choices: Sequence[str], name: str) -> NDArray[np.float64]:
    """Mean over all orders of switching of what switching ``name`` changes."""
    count = len(choices)
    total = np.zeros(next(iter(values.values())).shape)
    for chosen, before in values.items():
        if name not in chosen:
            weight = 1.0 / (count * math.comb(count - 1, len(chosen)))
            total += weight * (values[chosen | {name}] - before)
    return total
