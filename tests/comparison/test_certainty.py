"""Protects what is said about certainty: against tables, other programs, and simulations with a known truth."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap, kendalltau, norm

from ltrlib.comparison import (
    Measured,
    basic_interval,
    bias_corrected_interval,
    friedman,
    friedman_by_permutation,
    hierarchical_test,
    kendall_agreement,
    measured_on_folds,
    percentile_interval,
    shares_won,
    widened_interval,
    widening_factor,
)
from ltrlib.errors import UsageError

# --- intervals ---


def test_the_usual_intervals_are_those_of_scipy() -> None:
    data = np.random.default_rng(1).exponential(size=40)
    theirs = {
        name: bootstrap((data,), np.mean, method=name, n_resamples=4000, rng=np.random.default_rng(0))
        for name in ("percentile", "basic")
    }
    samples = theirs["percentile"].bootstrap_distribution
    for name, ours in (("percentile", percentile_interval(samples)), ("basic", basic_interval(data.mean(), samples))):
        found = theirs[name].confidence_interval
        np.testing.assert_allclose(ours, [found.low, found.high], rtol=1e-12)


def test_the_bias_corrected_interval_undoes_a_known_shift() -> None:
    """If the samples are normal around estimate + b, Efron's interval is that of a normal around estimate - b."""
    samples = norm.ppf((np.arange(20_000) + 0.5) / 20_000) + 0.5
    low, high = bias_corrected_interval(0.0, samples)
    assert (float(low), float(high)) == pytest.approx((-0.5 - 1.96, -0.5 + 1.96), abs=0.01)


def test_intervals_of_many_methods_are_those_of_each() -> None:
    rng = np.random.default_rng(0)
    samples, estimates = rng.random((200, 3)), np.array([0.4, 0.5, 0.6])
    for one in (bias_corrected_interval, basic_interval):
        low, high = one(estimates, samples)
        for i in range(3):
            np.testing.assert_allclose([low[i], high[i]], one(estimates[i], samples[:, i]))


@given(st.lists(st.floats(0, 1), min_size=2, max_size=9))
def test_shares_won_are_counted_pair_by_pair(values: list[float]) -> None:
    by_hand = [sum(other < value for other in values) / (len(values) - 1) for value in values]
    assert shares_won(values).tolist() == by_hand


def test_resampling_pulls_winning_shares_to_the_middle_and_a_widened_interval_still_covers() -> None:
    """Eight methods in a known order, forty queries: where the truth is known, the factor gives what it promises."""
    rng = np.random.default_rng(0)
    true_means = np.linspace(-0.35, 0.35, 8)
    truth = shares_won(true_means)
    estimates, deviations, means, inside = [], [], [], []
    for study in range(600):
        values = true_means + rng.normal(size=(40, 8))
        weights = rng.multinomial(40, np.full(40, 1 / 40), size=120) / 40
        samples, estimate = shares_won(weights @ values), shares_won(values.mean(axis=0))
        if study < 300:
            estimates.append(estimate)
            deviations.append(samples.std(axis=0, ddof=1))
            means.append(samples.mean(axis=0))
            continue
        factor = widening_factor(estimates, deviations, truth)
        low, high = widened_interval(estimate, samples, factor=factor)
        inside.append((low <= truth) & (truth <= high))
    assert np.mean(means, axis=0)[-1] < np.mean(estimates, axis=0)[-1] < truth[-1], "the best fall"
    assert np.mean(means, axis=0)[0] > np.mean(estimates, axis=0)[0] > truth[0], "the worst rise"
    assert np.mean(inside) == pytest.approx(0.95, abs=0.02)


# --- Kendall's tau ---


@pytest.mark.parametrize("n", [5, 8, 11])
def test_tau_and_its_exact_p_are_those_of_scipy(n: int) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.random(n), rng.random(n)
    theirs = kendalltau(x, y, method="exact")
    ours = kendall_agreement(x, y)
    assert (ours.tau, ours.p_value) == pytest.approx((theirs.statistic, theirs.pvalue))


def test_with_ties_p_is_that_of_all_permutations() -> None:
    x, y = np.array([1.0, 1, 2, 3, 4, 5]), np.array([1.0, 2, 2, 3, 5, 4])
    observed = abs(kendalltau(x, y).statistic)
    all_taus = [abs(kendalltau(x, list(order)).statistic) for order in itertools.permutations(y)]
    exact = np.mean([tau >= observed - 1e-12 for tau in all_taus])
    assert kendall_agreement(x, y).p_value == pytest.approx(exact, abs=0.005)


@pytest.mark.parametrize("n", [8, 11])
def test_the_interval_of_tau_covers_the_truth(n: int) -> None:
    """Normal pairs with correlation r have tau = 2/pi asin(r)."""
    rng = np.random.default_rng(n)
    r = 0.5
    truth = 2 / np.pi * np.arcsin(r)
    inside = []
    for _ in range(800):
        x = rng.normal(size=n)
        y = r * x + np.sqrt(1 - r**2) * rng.normal(size=n)
        found = kendall_agreement(x, y)
        inside.append(found.low <= truth <= found.high)
    assert np.mean(inside) == pytest.approx(0.95, abs=0.025)


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(UsageError):
        kendall_agreement([1, 2], [1, 2, 3])


# --- Friedman by permutation ---


def test_three_methods_on_three_sets_as_tabulated() -> None:
    """All 216 arrangements: perfect agreement has 6/216 = 0.028, as in Friedman's own table."""
    perfect = [[1.0, 2, 3]] * 3
    assert friedman_by_permutation(perfect, samples=60_000) == pytest.approx(6 / 216, abs=0.003)


def test_any_small_table_gives_the_share_of_all_arrangements() -> None:
    table = np.array([[3.0, 2, 1], [3, 1, 2], [2, 3, 1]])
    observed = friedman(table).statistic
    orders = list(itertools.permutations([1.0, 2, 3]))
    every = [friedman(rows).statistic for rows in itertools.product(orders, repeat=3)]
    exact = np.mean([statistic >= observed - 1e-9 for statistic in every])
    assert friedman_by_permutation(table, samples=60_000) == pytest.approx(exact, abs=0.01)


def test_under_the_null_hypothesis_p_is_uniform_with_five_sets_and_thirteen_methods() -> None:
    rng = np.random.default_rng(0)
    p = [friedman_by_permutation(rng.random((5, 13)), samples=400, seed=seed) for seed in range(300)]
    assert np.mean(np.array(p) <= 0.05) == pytest.approx(0.05, abs=0.03)
    assert np.mean(p) == pytest.approx(0.5, abs=0.05)


def test_weights_decide_which_sets_speak() -> None:
    table = np.array([[1.0, 2, 3, 4]] * 6 + [[4.0, 3, 2, 1]] * 6)
    alone = friedman_by_permutation(table, weights=[1.0] * 6 + [0.0] * 6)
    assert alone < 0.01
    assert friedman_by_permutation(table) > 0.9, "the two halves cancel"


# --- the hierarchical test ---


def test_probabilities_are_those_of_brute_force_integration() -> None:
    """The t likelihood itself, integrated over each data set's own difference, instead of a mixture of normals."""
    from scipy.stats import t as student

    measured = [
        Measured(0.02, 0.01, 4),
        Measured(0.035, 0.02, 4),
        Measured(-0.005, 0.012, 49),
        Measured(0.01, 0.008, 4),
    ]
    values, errors = (np.array([one[i] for one in measured]) for i in range(2))
    scale = np.sqrt(values.var() + (errors**2).mean())
    means = np.linspace(values.mean() - 8 * scale, values.mean() + 8 * scale, 81)
    spreads = np.linspace(0, 10 * scale, 120)[1:]
    z = np.linspace(-6, 6, 121)
    log = np.zeros((means.size, spreads.size))
    for one in measured:
        own = means[:, None, None] + spreads[None, :, None] * z
        likelihood = student.pdf((one.difference - own) / one.error, one.freedom)
        log += np.log((likelihood * norm.pdf(z)).sum(axis=2))
    weights = np.exp(log - log.max())
    expected = (weights * norm.sf(0, means[:, None], spreads[None])).sum() / weights.sum()
    assert hierarchical_test(measured).first == pytest.approx(expected, abs=0.01)


def test_probabilities_are_calibrated() -> None:
    """When it says 80%, the first method is better on the next data set in about 80% of the cases."""
    rng = np.random.default_rng(1)
    said, came = [], []
    for _ in range(300):
        mean, spread = rng.normal(scale=0.02), abs(rng.normal(scale=0.02)) + 0.002
        true = rng.normal(mean, spread, size=6)
        folds = true[:5, None] + rng.normal(scale=0.02, size=(5, 5))
        said.append(hierarchical_test([measured_on_folds(row) for row in folds]).first)
        came.append(true[5] > 0)
    told, right = np.array(said), np.array(came)
    for low, high in ((0.0, 0.3), (0.3, 0.7), (0.7, 1.0)):
        part = (told >= low) & (told < high)
        assert right[part].mean() == pytest.approx(told[part].mean(), abs=0.12), (low, high)


def test_swapping_the_methods_swaps_the_answer() -> None:
    measured = [Measured(0.02, 0.01, 4), Measured(0.05, 0.02, 4)]
    one = hierarchical_test(measured, equal_within=0.01)
    other = hierarchical_test([Measured(-d, e, f) for d, e, f in measured], equal_within=0.01)
    assert one.first == pytest.approx(other.second)
    assert one.equal == pytest.approx(other.equal)


def test_correlated_folds_say_less() -> None:
    folds = [0.01, 0.02, 0.015, 0.012, 0.018]
    assert measured_on_folds(folds, correlation=0.2).error > 1.4 * measured_on_folds(folds).error


def test_one_data_set_is_refused() -> None:
    with pytest.raises(UsageError, match="data sets"):
        hierarchical_test([Measured(0.1, 0.1, 4)])
