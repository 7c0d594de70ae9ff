"""Friedman, Nemenyi and the Bayesian signed-rank test: equal to their peers, to printed examples, and to reason."""

from __future__ import annotations

import math

import baycomp  # type: ignore[import-untyped]
import numpy as np
import pandas as pd
import pytest
import scikit_posthocs  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import friedmanchisquare

from ltrlib.comparison.ranking_tests import bayesian_signed_rank, friedman, mean_ranks, nemenyi, nemenyi_distance
from ltrlib.comparison.winning import winning_numbers
from ltrlib.errors import UsageError

# Few distinct values, so that ties occur.
TABLES = arrays(
    np.float64,
    st.tuples(st.integers(2, 12), st.integers(3, 8)),
    elements=st.integers(0, 6).map(lambda value: value / 8),
)

# Table 6 of Demšar (2006): AUC of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf on 14 data sets. Its ranks tell two equal
# printed values of the 13th row apart, so one has a further digit here.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def test_the_worked_example_of_demsar() -> None:
    """Mean ranks, statistics and critical distance as printed in the paper's section 3.2.4."""
    assert mean_ranks(DEMSAR).round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    result = friedman(DEMSAR)
    # The paper does not correct for ties: 9.28 and 3.69; corrected, both are a little larger.
    ranks = mean_ranks(DEMSAR)
    uncorrected = 12 * 14 / (4 * 5) * (sum(ranks**2) - 4 * 25 / 4)
    assert uncorrected == pytest.approx(9.28, abs=0.005)
    assert result.statistic > uncorrected
    assert nemenyi_distance(4, 14) == pytest.approx(1.25, abs=0.005)
    assert nemenyi_distance(4, 14, level=0.1) == pytest.approx(1.12, abs=0.005)


@given(TABLES)
def test_friedman_is_scipys(table: np.ndarray) -> None:
    result = friedman(table)
    if (table == table[:, :1]).all():
        assert (result.statistic, result.p_value) == (0.0, 1.0)
        return
    expected = friedmanchisquare(*table.T)
    assert result.statistic == pytest.approx(expected.statistic, abs=1e-9)
    assert result.p_value == pytest.approx(expected.pvalue, abs=1e-9)


@settings(max_examples=10, deadline=None)
@given(TABLES)
def test_nemenyi_is_that_of_scikit_posthocs(table: np.ndarray) -> None:
    expected = scikit_posthocs.posthoc_nemenyi_friedman(table).to_numpy()
    np.testing.assert_allclose(nemenyi(table), expected, atol=1e-6)


@settings(max_examples=10, deadline=None)
@given(TABLES)
def test_nemenyi_distance_is_where_the_p_value_is_the_level(table: np.ndarray) -> None:
    n, k = table.shape
    ranks, p_values = mean_ranks(table), nemenyi(table)
    distance = nemenyi_distance(k, n)
    far = np.abs(ranks[:, None] - ranks[None, :])
    assert (p_values[far > distance + 1e-6] < 0.05).all()
    assert (p_values[far < distance - 1e-6] > 0.05).all()


@pytest.mark.parametrize("equal_within", [0.0, 0.01, 0.05])
@pytest.mark.parametrize("seed", range(4))
def test_signed_rank_probabilities_are_those_of_baycomp(equal_within: float, seed: int) -> None:
    generator = np.random.default_rng(seed)
    first = generator.random(9)
    second = first + generator.normal(0.01, 0.04, 9).round(2)
    ours = bayesian_signed_rank(first, second, equal_within=equal_within, samples=20_000, seed=seed)
    peer = baycomp.SignedRankTest.probs(first, second, equal_within, nsamples=20_000, random_state=seed)
    expected = (peer[0], peer[1], peer[2]) if equal_within else (peer[0], 0.0, peer[1])
    # Both draw at random: five standard errors of a share of 20,000 and 20,000 samples.
    assert tuple(ours) == pytest.approx(expected, abs=5 * math.sqrt(0.5 / 20_000))


@given(st.lists(st.integers(-8, 8), min_size=1, max_size=9), st.integers(0, 4))
@settings(max_examples=30, deadline=None)
def test_signed_rank_is_fair_to_both_sides(differences: list[int], width: int) -> None:
    first, second = np.array(differences) / 16, np.zeros(len(differences))
    one = bayesian_signed_rank(first, second, equal_within=width / 32, samples=4000)
    other = bayesian_signed_rank(second, first, equal_within=width / 32, samples=4000)
    assert sum(one) == pytest.approx(1)
    assert one.first == pytest.approx(other.second, abs=0.05)


def test_signed_rank_of_clear_cases() -> None:
    assert bayesian_signed_rank([0.5] * 8, [0.1] * 8, samples=2000).first > 0.99
    assert bayesian_signed_rank([0.5] * 8, [0.5001] * 8, equal_within=0.01, samples=2000).equal > 0.99


@given(TABLES)
def test_nwn_of_a_dense_table_without_ties_is_the_mean_rank(table: np.ndarray) -> None:
    """NWN = (methods − mean rank) / (methods − 1): on complete results both order the methods alike."""
    n, k = table.shape
    spread = table + np.arange(k) * 1e-6 + np.arange(n)[:, None] * 1e-9
    results = pd.DataFrame(
        [(f"m{j}", f"d{i}", "MAP", spread[i, j] / 2) for i in range(n) for j in range(k)],
        columns=["method", "dataset", "metric", "value"],
    )
    nwn = winning_numbers(results).query("metric == 'all'").set_index("method")["nwn"]
    expected = (k - mean_ranks(spread)) / (k - 1)
    np.testing.assert_allclose(nwn.to_numpy(), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: friedman([[1.0, 2.0], [1.0, 2.0]]), "needs three"),
        (lambda: friedman([1.0, 2.0, 3.0]), "a table of shape"),
        (lambda: nemenyi([[0.1, math.nan, 0.3], [0.1, 0.2, 0.3]]), "a value is missing"),
        (lambda: bayesian_signed_rank([1.0], [1.0, 2.0]), "cannot be paired"),
        (lambda: bayesian_signed_rank([1.0], [1.0], equal_within=-1), "must not be negative"),
    ],
)
def test_bad_input_is_refused(call: object, what: str) -> None:
    with pytest.raises(UsageError, match=what):
        call()  # type: ignore[operator]
