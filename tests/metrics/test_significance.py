"""Paired tests against SciPy, against full enumeration and against hand-worked corrections."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from ltrlib.errors import UsageError
from ltrlib.metrics.significance import compare, holm, paired_t_test, randomisation_test


@pytest.mark.parametrize("count", [2, 5, 30, 784])
def test_paired_t_test_agrees_with_scipy(count: int) -> None:
    rng = np.random.default_rng(count)
    a, b = rng.random((2, count))
    assert paired_t_test(a, b) == pytest.approx(scipy.stats.ttest_rel(a, b).pvalue, rel=1e-12)


def test_paired_t_test_where_it_has_no_spread() -> None:
    assert paired_t_test([0.5, 0.5], [0.5, 0.5]) == 1.0
    assert paired_t_test([1.0, 1.0], [0.5, 0.5]) == 0.0
    assert math.isnan(paired_t_test([1.0], [0.5]))


@settings(deadline=None, max_examples=40, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8))
def test_the_exact_randomisation_test_enumerates_all_swaps(pairs: list[tuple[int, int]]) -> None:
    differences = [a - b for a, b in pairs]
    observed = abs(sum(differences))
    swaps = [
        abs(sum(sign * d for sign, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(pairs))
    ]
    expected = sum(total >= observed for total in swaps) / len(swaps)
    found = randomisation_test([a / 4 for a, _ in pairs], [b / 4 for _, b in pairs])
    assert found == pytest.approx(expected, abs=1e-15)


def test_the_drawn_randomisation_test_agrees_with_scipy() -> None:
    """SciPy draws other patterns: both must lie within the error of 10,000 rounds."""
    rng = np.random.default_rng(1)
    a = rng.random(200)
    b = a + rng.normal(0.015, 0.08, 200)
    theirs = scipy.stats.permutation_test(
        (a, b), lambda x, y: np.mean(x - y), permutation_type="samples", n_resamples=10_000, rng=2
    ).pvalue
    ours = randomisation_test(a, b)
    assert 0.01 < theirs < 0.5
    assert abs(ours - theirs) < 4 * math.sqrt(theirs * (1 - theirs) / 10_000 * 2)


def test_the_drawn_test_agrees_with_the_exact_one_and_with_itself() -> None:
    """17 queries are drawn, 16 are enumerated; the 17th hardly differs, so both must nearly agree."""
    rng = np.random.default_rng(5)
    d = rng.normal(0.1, 0.3, 16)
    exact = randomisation_test(d, np.zeros(16))
    longer = np.append(d, 1e-9)
    drawn = randomisation_test(longer, np.zeros(17), rounds=20_000)
    assert abs(drawn - exact) < 4 * math.sqrt(exact * (1 - exact) / 20_000)
    assert drawn == randomisation_test(longer, np.zeros(17), rounds=20_000)
    assert drawn != randomisation_test(longer, np.zeros(17), rounds=20_000, seed=1)


def test_the_drawn_test_never_says_zero() -> None:
    assert randomisation_test(np.ones(100), np.zeros(100), rounds=99) == 0.01


def test_equal_rankings_are_not_different() -> None:
    values = np.random.default_rng(0).random(50)
    assert randomisation_test(values, values) == 1.0
    assert paired_t_test(values, values) == 1.0


def test_queries_without_a_value_are_left_out_in_pairs() -> None:
    a, b = [0.1, math.nan, 0.3, 0.9], [0.2, 0.5, math.nan, 0.1]
    assert paired_t_test(a, b) == paired_t_test([0.1, 0.9], [0.2, 0.1])
    assert randomisation_test(a, b) == randomisation_test([0.1, 0.9], [0.2, 0.1])
    with pytest.raises(UsageError, match="cannot be paired"):
        paired_t_test([0.1], [0.1, 0.2])


def test_holm_on_hand_worked_values() -> None:
    """Four p-values: times 4, 3, 2, 1 in rising order, never falling, never above 1."""
    np.testing.assert_allclose(holm([0.01, 0.02, 0.03, 0.04]), [0.04, 0.06, 0.06, 0.06])
    np.testing.assert_allclose(holm([0.5, 0.001]), [0.5, 0.002])
    np.testing.assert_allclose(holm([0.6, 0.7]), [1.0, 1.0])
    np.testing.assert_allclose(holm([0.01, math.nan, 0.04]), [0.02, math.nan, 0.04])
    assert holm([]).size == 0


def test_compare_corrects_over_all_pairs() -> None:
    rng = np.random.default_rng(0)
    base = rng.random(100)
    found = compare({"a": base, "b": base + rng.normal(0.1, 0.1, 100), "c": base + rng.normal(0, 0.1, 100)})
    assert [(pair.first, pair.second, pair.queries) for pair in found] == [
        ("a", "b", 100),
        ("a", "c", 100),
        ("b", "c", 100),
    ]
    assert found[0].difference < 0 < found[2].difference
    np.testing.assert_array_equal([pair.p_t_test_holm for pair in found], holm([pair.p_t_test for pair in found]))
    assert found[0].p_randomisation_holm < 0.05 < found[1].p_randomisation_holm
