"""Protects the comparison over seeds, folds and queries: coverage and size by simulation, special cases by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from ltrlib.errors import UsageError
from ltrlib.metrics.comparing_runs import Fold, compare_groups, compare_runs, estimate
from ltrlib.metrics.significance import holm, paired_t_test

Method = list[Fold]
REPEATS = 400


def draw(
    rng: np.random.Generator,
    *,
    folds: int,
    seeds: int,
    queries: int,
    training: float,
    single: float,
    shift: float = 0.0,
) -> tuple[Method, Method]:
    """Two methods on hard and easy queries; each training moves its whole fold, and each query a little."""
    both: tuple[Method, Method] = ([], [])
    for _ in range(folds):
        hard = rng.normal(0.5, 0.25, queries)
        for method, mean in zip(both, (shift, 0.0), strict=True):
            own = hard + mean + rng.normal(0, 0.05, queries)
            runs = rng.normal(0, training, (seeds, 1)) + rng.normal(0, single, (seeds, queries))
            method.append(own + runs)
    return both


def chance(count: int, share: float) -> tuple[float, float]:
    """Range in which a share of so many trials falls with probability 0.999."""
    low, high = stats.binom.interval(0.999, count, share)
    return low / count, high / count


@pytest.mark.parametrize(
    "design",
    [
        {"folds": 5, "seeds": 5, "queries": 60, "training": 0.01, "single": 0.1},
        {"folds": 1, "seeds": 5, "queries": 200, "training": 0.02, "single": 0.1},
        {"folds": 5, "seeds": 10, "queries": 80, "training": 0.02, "single": 0.02},
        {"folds": 5, "seeds": 3, "queries": 60, "training": 0.0, "single": 0.1},
    ],
)
def test_intervals_contain_the_truth_as_often_as_they_say(design: dict[str, float]) -> None:
    rng = np.random.default_rng(7)
    shift = 0.02
    inside = 0
    for _ in range(REPEATS):
        low, high = estimate(*draw(rng, **design, shift=shift)).interval(0.95)  # type: ignore[arg-type]
        inside += low <= shift <= high
    least, most = chance(REPEATS, 0.95)
    assert least <= inside / REPEATS <= max(most, 0.985)


def test_queries_alone_would_make_the_interval_too_narrow() -> None:
    """The reason for all this: with variable training a paired t-test over queries finds differences that are none."""
    rng = np.random.default_rng(8)
    design = {"folds": 1, "seeds": 5, "queries": 200, "training": 0.02, "single": 0.1}
    ours = plain = 0
    for _ in range(REPEATS):
        a, b = draw(rng, **design)  # type: ignore[arg-type]
        ours += estimate(a, b).p_value() < 0.05
        plain += paired_t_test(a[0].mean(axis=0), b[0].mean(axis=0)) < 0.05
    assert ours / REPEATS <= chance(REPEATS, 0.05)[1]
    assert plain / REPEATS > 0.2


def test_over_a_family_of_true_null_hypotheses_one_error_is_as_rare_as_said() -> None:
    rng = np.random.default_rng(9)
    wrong = 0
    for _ in range(REPEATS):
        hard = rng.normal(0.5, 0.25, 80)
        methods = {
            name: [hard + rng.normal(0, 0.05, 80) + rng.normal(0, 0.01, (4, 1)) + rng.normal(0, 0.05, (4, 80))]
            for name in "abcd"
        }
        wrong += any(one.outcome in ("better", "worse") for one in compare_runs(methods))
    assert wrong / REPEATS <= chance(REPEATS, 0.05)[1]


def test_equivalence_is_claimed_wrongly_no_more_often_than_said() -> None:
    """The true difference is the margin itself: the hardest case that is not equivalent."""
    rng = np.random.default_rng(10)
    design = {"folds": 2, "seeds": 4, "queries": 100, "training": 0.005, "single": 0.05}
    wrong = 0
    for _ in range(REPEATS):
        a, b = draw(rng, **design, shift=0.02)  # type: ignore[arg-type]
        found = compare_runs({"a": a, "b": b}, margin=0.02)[0]
        wrong += found.outcome == "equivalent" or found.small
    assert wrong / REPEATS <= chance(REPEATS, 0.05)[1]


def test_one_run_and_one_fold_is_the_paired_t_test() -> None:
    rng = np.random.default_rng(11)
    a, b = rng.uniform(size=(1, 40)), rng.uniform(size=(1, 40))
    found = compare_runs({"a": [a], "b": [b]})[0]
    assert found.p == pytest.approx(stats.ttest_rel(a[0], b[0]).pvalue, rel=1e-12)
    low, high = stats.ttest_rel(a[0], b[0]).confidence_interval(0.95)
    assert found.estimate.interval(0.95) == pytest.approx((low, high), rel=1e-12)
    assert found.estimate.from_training == 0.0


def test_the_variance_is_that_of_the_two_way_layout() -> None:
    """For one method in one fold: (MS of queries + MS of seeds - MS of the rest) / (queries x seeds)."""
    values = np.random.default_rng(12).uniform(size=(4, 30)) + np.random.default_rng(13).normal(size=(4, 1))
    seeds, queries = values.shape
    rest = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    ms_queries = seeds * values.mean(axis=0).var(ddof=1)
    ms_seeds = queries * values.mean(axis=1).var(ddof=1)
    ms_rest = (rest**2).sum() / ((seeds - 1) * (queries - 1))
    assert estimate([values]).error ** 2 == pytest.approx((ms_queries + ms_seeds - ms_rest) / (seeds * queries))


def test_outcomes_follow_from_the_corrected_tests() -> None:
    rng = np.random.default_rng(14)
    hard = rng.uniform(size=300)
    methods = {
        "good": [hard + 0.1 + rng.normal(0, 0.02, (3, 300))],
        "base": [hard + rng.normal(0, 0.02, (3, 300))],
        "same": [hard + 0.0001 + rng.normal(0, 0.02, (3, 300))],
        "wild": [rng.uniform(size=(3, 300))],
    }
    found = {one.first: one for one in compare_runs(methods, baseline="base", margin=0.01)}
    assert {name: one.outcome for name, one in found.items()} == {
        "good": "better",
        "same": "equivalent",
        "wild": "undecided",
    }
    assert [one.p_holm for one in found.values()] == holm([one.p for one in found.values()]).tolist()
    assert found["good"].effect > 3
    assert found["good"].won + found["good"].tied + found["good"].lost == pytest.approx(1)
    assert compare_runs({"a": methods["base"], "b": methods["base"]}, margin=0.01)[0].outcome == "equivalent"
    assert compare_runs({"a": methods["base"], "b": methods["same"]})[0].outcome == "undecided"
    assert compare_runs({"a": methods["good"], "b": methods["base"]}, margin=0.5)[0].small


def test_groups_are_one_family() -> None:
    rng = np.random.default_rng(15)
    groups = {n: {"a": [rng.uniform(size=(2, 20))], "b": [rng.uniform(size=(2, 20))]} for n in range(5)}
    found = compare_groups(groups)
    single = [compare_runs(groups[n])[0].p for n in range(5)]
    assert [found[n][0].p_holm for n in range(5)] == holm(single).tolist()


def test_a_single_query_has_no_interval() -> None:
    found = compare_runs({"a": [np.array([[0.5]])], "b": [np.array([[0.4]])]}, margin=0.1)[0]
    assert math.isnan(found.p)
    assert math.isnan(found.estimate.interval()[0])
    assert found.outcome == "undecided"


def test_what_does_not_fit_together_is_refused() -> None:
    one, other = [np.ones((1, 3))], [np.ones((1, 4))]
    with pytest.raises(UsageError, match="same queries"):
        compare_runs({"a": one, "b": other})
    with pytest.raises(UsageError, match="not empty"):
        estimate([np.ones((0, 3))])
    with pytest.raises(UsageError, match="no method 'c'"):
        compare_runs({"a": one, "b": one}, baseline="c")
    with pytest.raises(UsageError, match="margin"):
        compare_runs({"a": one, "b": one}, margin=0.0)
    with pytest.raises(UsageError, match="level"):
        compare_runs({"a": one, "b": one}, level=95)
