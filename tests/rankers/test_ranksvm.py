"""RankSVM against scikit-learn on explicit pairs, and its calculus against differences."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.svm import LinearSVC

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError
from ltrlib.rankers import RankSVM
from tests.helpers.rankers import learnable, make


def differences(data: RankingData) -> NDArray[np.float64]:
    """Features of better less worse document, for all pairs."""
    x = data.features.astype(np.float64)
    return np.array(
        [
            x[i] - x[j]
            for start, stop in itertools.pairwise(data.query_offsets)
            for i in range(start, stop)
            for j in range(start, stop)
            if data.labels[i] > data.labels[j]
        ]
    )


def objective(w: NDArray[np.float64], pairs: NDArray[np.float64], C: float) -> float:
    return 0.5 * float(w @ w) + C * float((np.maximum(0.0, 1.0 - pairs @ w) ** 2).sum())


@pytest.mark.parametrize("C", [1e-4, 0.01, 1.0, 200.0])
def test_optimum_equals_that_of_linear_svc_on_explicit_pairs(C: float) -> None:
    """LinearSVC minimises ½‖w‖² + C Σ max(0, 1 − y w·x)²; the pairs, half of them turned round, are its two classes."""
    data = learnable(3, n_queries=15, top_label=3)
    pairs = differences(data)
    sign = np.where(np.arange(len(pairs)) % 2, 1.0, -1.0)
    svc = LinearSVC(C=C, fit_intercept=False, dual=False, tol=1e-10, max_iter=100_000).fit(pairs * sign[:, None], sign)
    ranker = RankSVM(C=C, tolerance=1e-10).fit(data)
    assert ranker.converged_
    np.testing.assert_allclose(ranker.weights_, svc.coef_[0], rtol=1e-5, atol=1e-7)
    assert ranker.objective_ == pytest.approx(objective(ranker.weights_, pairs, C), rel=1e-10)
    assert ranker.objective_ <= objective(svc.coef_[0], pairs, C) * (1 + 1e-9)


@pytest.mark.parametrize("C", [0.001, 0.05, 2.0])
def test_the_plain_hinge_equals_that_of_linear_svc_on_explicit_pairs(C: float) -> None:
    """LinearSVC with hinge minimises ½‖w‖² + C Σ max(0, 1 − y w·x) by coordinates of the dual; ours by planes."""
    data = learnable(3, n_queries=15, top_label=3)
    pairs = differences(data)
    sign = np.where(np.arange(len(pairs)) % 2, 1.0, -1.0)
    svc = LinearSVC(C=C, loss="hinge", fit_intercept=False, tol=1e-8, max_iter=1_000_000).fit(
        pairs * sign[:, None], sign
    )
    ranker = RankSVM(C=C, loss="hinge", tolerance=1e-9, max_iterations=1000).fit(data)
    assert ranker.converged_
    np.testing.assert_allclose(ranker.weights_, svc.coef_[0], atol=2e-3)

    def plain(w: NDArray[np.float64]) -> float:
        return 0.5 * float(w @ w) + C * float(np.maximum(0.0, 1.0 - pairs @ w).sum())

    assert ranker.objective_ == pytest.approx(plain(ranker.weights_), rel=1e-10)
    assert ranker.objective_ <= plain(svc.coef_[0]) * (1 + 1e-7)


def test_the_plain_hinge_stops_within_its_tolerance_of_the_optimum() -> None:
    """Known up to 0.001 per pair: the objective is at most C · 0.001 · pairs above its minimum, and not at it."""
    data = learnable(5)
    rough, exact = (RankSVM(C=0.5, loss="hinge", tolerance=t, max_iterations=1000).fit(data) for t in (1e-3, 1e-9))
    allowed = 0.5 * 1e-3 * len(differences(data))
    assert 0 < rough.objective_ - exact.objective_ <= allowed
    assert rough.n_iterations_ < exact.n_iterations_


def test_planes_that_run_out_are_reported() -> None:
    ranker = RankSVM(C=10.0, loss="hinge", tolerance=1e-9, max_iterations=3).fit(learnable(5))
    assert not ranker.converged_
    assert ranker.n_iterations_ == 3


def test_a_loss_that_is_not_known_is_refused() -> None:
    with pytest.raises(UsageError, match="choose squared or hinge"):
        RankSVM(loss="logistic").fit(learnable(0))  # type: ignore[arg-type]


def test_the_optimum_has_no_slope_in_any_direction() -> None:
    """Central differences of the objective over explicit pairs, at the solution and away from it."""
    data = learnable(4, n_queries=10)
    pairs = differences(data)
    w = RankSVM(C=0.5, tolerance=1e-10).fit(data).weights_
    step = 1e-6
    for axis in np.eye(len(w)):
        slope = (objective(w + step * axis, pairs, 0.5) - objective(w - step * axis, pairs, 0.5)) / (2 * step)
        assert abs(slope) < 1e-4 * objective(0 * w, pairs, 0.5)


def test_default_tolerance_is_near_the_optimum() -> None:
    data = learnable(5)
    rough, exact = RankSVM(C=1.0).fit(data), RankSVM(C=1.0, tolerance=1e-12).fit(data)
    assert rough.objective_ == pytest.approx(exact.objective_, rel=1e-5)
    assert rough.n_iterations_ < 20


def test_order_of_queries_and_constants_per_query_do_not_matter() -> None:
    """Only differences within a query count: a query's features may be shifted together, queries may be swapped."""
    data = learnable(6)
    expected = RankSVM(C=1.0, tolerance=1e-8).fit(data).weights_
    order = np.random.default_rng(0).permutation(data.n_queries)
    np.testing.assert_allclose(RankSVM(tolerance=1e-8).fit(data.select_queries(order)).weights_, expected, rtol=1e-6)
    shift = np.repeat(np.random.default_rng(1).integers(-3, 3, data.n_queries), data.query_sizes)[:, None]
    x = np.round(data.features * 64) / np.float32(64)
    plain = RankSVM(tolerance=1e-8).fit(data.with_features(x)).weights_
    shifted = RankSVM(tolerance=1e-8).fit(data.with_features(x + shift.astype(np.float32))).weights_
    np.testing.assert_allclose(shifted, plain, rtol=1e-6)


def test_label_values_matter_only_by_their_order() -> None:
    data = learnable(7)
    stretched = data.with_labels(np.array([0, 5, 9], np.int32)[data.labels])
    np.testing.assert_allclose(RankSVM().fit(stretched).weights_, RankSVM().fit(data).weights_, rtol=1e-12)


def test_too_few_iterations_are_told() -> None:
    assert not RankSVM(max_iterations=1, tolerance=1e-12).fit(learnable(0)).converged_


def test_documents_on_the_margin_exactly() -> None:
    """Score differences of exactly 1 sit on the kink of the hinge: no pair may be counted by one side only."""
    data = make([[0.0], [1.0], [2.0]], [0, 1, 2], [3])
    # Differences 1, 1, 2: at w = 1 the first two are on the margin. The minimum of w²/2 + 2C(1 − w)² is 4C/(1 + 4C).
    ranker = RankSVM(C=1e6, tolerance=1e-12).fit(data)
    assert ranker.weights_[0] == pytest.approx(4e6 / (1 + 4e6), rel=1e-12)
