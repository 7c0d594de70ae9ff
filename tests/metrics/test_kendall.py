"""Kendall's tau against SciPy, query by query, with ties on both sides."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
import scipy.stats

from ltrlib.errors import UsageError
from ltrlib.metrics import evaluate
from ltrlib.metrics.kendall import kendall_tau


@pytest.mark.parametrize("levels", [2, 5, 1000])
def test_tau_agrees_with_scipy(levels: int) -> None:
    rng = np.random.default_rng(levels)
    offsets = np.concatenate([[0], np.cumsum(rng.integers(0, 60, 200))])
    x, y = rng.integers(0, levels, (2, offsets[-1])).astype(float)
    found = kendall_tau(x, y, offsets)
    for query, (start, stop) in enumerate(pairwise(offsets)):
        undefined = stop - start < 2 or np.ptp(x[start:stop]) == 0 or np.ptp(y[start:stop]) == 0
        expected = math.nan if undefined else scipy.stats.kendalltau(x[start:stop], y[start:stop]).statistic
        assert found[query] == pytest.approx(expected, abs=1e-14, nan_ok=True)


def test_same_and_reversed_orders() -> None:
    order = np.arange(100)
    assert kendall_tau(order, order * 2.5).item() == 1.0
    assert kendall_tau(order, -order).item() == -1.0


def test_tau_as_a_metric_takes_labels_as_the_second_ranking() -> None:
    rng = np.random.default_rng(0)
    labels, scores = rng.integers(0, 3, 40), rng.random(40)
    value = evaluate("tau", labels, scores, [0, 40])["tau"].mean
    assert value == pytest.approx(scipy.stats.kendalltau(scores, labels).statistic, abs=1e-14)
    found = evaluate(["tau", "tau(empty=0)"], [0, 0, 0, 1], [1.0, 2.0, 1.0, 2.0], [0, 2, 4])
    assert math.isnan(found["tau"].per_query[0])
    assert found["tau(empty=0)"].per_query.tolist() == [0.0, 1.0]
    assert (
        evaluate("tau(precision=float32)", [0, 1], [1.0, 1.0 + 1e-12], [0, 2])["tau(precision=float32)"].per_query
        != 1.0
    )


def test_wrong_rankings_are_refused() -> None:
    with pytest.raises(UsageError, match="shapes"):
        kendall_tau([1.0], [1.0, 2.0])
    for first, second in (([1.0, math.nan], [1.0, 2.0]), ([1.0, 2.0], [1.0, math.nan])):
        with pytest.raises(UsageError, match="not a number"):
            kendall_tau(first, second)
