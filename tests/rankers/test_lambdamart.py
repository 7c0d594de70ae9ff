"""LambdaMART's gradients against LightGBM's own and against the metrics engine; conventions that must not matter."""

from __future__ import annotations

from typing import Any

import lightgbm
import numpy as np
import pytest
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.metrics import NDCG, evaluate, parse
from ltrlib.rankers import LambdaMART
from ltrlib.rankers.lambdas import NDCGLambdas
from tests.helpers.rankers import learnable, make

Vector = NDArray[np.float64]

# LightGBM looks its sigmoid up in a table of 2^20 bins from -25 to 25. Differences of scores that are whole multiples
# of a bin are exact; others are off by up to half a bin's slope.
BIN = 50.0 / 2**20


def lightgbm_gradients(data: RankingData, scores: Vector, params: dict[str, Any]) -> tuple[Vector, Vector]:
    """Gradients and second derivatives of LightGBM's own lambdarank objective at given scores.

    A tree with one leaf per document is refitted twice: leaves become −G / (H + λ) with λ = 1 and λ = 2, which
    determines G and H.
    """
    n = data.n_docs
    common: dict[str, Any] = {
        "verbosity": -1, "num_threads": 1, "metric": "none", "learning_rate": 1.0, "num_leaves": n, "max_bin": 2 * n,
        "min_data_in_leaf": 1, "min_data_in_bin": 1, "min_sum_hessian_in_leaf": 0, "boost_from_average": False,
    }  # fmt: skip
    x = np.arange(n, dtype=np.float64)[:, None]
    tree = lightgbm.train(common | {"objective": "regression"}, lightgbm.Dataset(x, x[:, 0] + x[:, 0] % 7), 1)
    assert len(np.unique(tree.predict(x, pred_leaf=True))) == n
    leaves: list[Vector] = []
    for penalty in (1.0, 2.0):
        tree.params = common | {"objective": "lambdarank", "lambda_l2": penalty} | params
        refitted = tree.refit(x, data.labels, decay_rate=0.0, group=data.query_sizes, init_score=scores)
        leaves.append(np.asarray(refitted.predict(x, raw_score=True)))
    one, two = leaves
    hessian = np.divide(2 * two - one, one - two, out=np.zeros(n), where=one != two)
    return -one * (hessian + 1), hessian


def example(seed: int = 0) -> RankingData:
    rng = np.random.default_rng(seed)
    sizes = [5, 8, 1, 12, 30, 4]
    labels = rng.integers(0, 5, sum(sizes))
    labels[-4:] = 0
    return make(np.zeros((sum(sizes), 1)), labels, sizes)


@pytest.mark.parametrize("k", [3, 100])
@pytest.mark.parametrize("normalise", [False, True])
@pytest.mark.parametrize("sigmoid", [1.0, 2.0])
def test_gradients_equal_lightgbms_where_the_conventions_coincide(k: int, normalise: bool, sigmoid: float) -> None:
    data = example()
    rng = np.random.default_rng(1)
    ours = NDCGLambdas(NDCG(k), data, sigmoid=sigmoid, normalise=normalise, tail=True)
    params = {"lambdarank_norm": normalise, "lambdarank_truncation_level": k, "sigmoid": sigmoid}
    on_bins = np.asarray(rng.integers(-40_000, 40_000, data.n_docs) * BIN / sigmoid, np.float64)
    for scores, tolerance in ((np.zeros(data.n_docs), 1e-6), (on_bins, 1e-6), (rng.normal(size=data.n_docs), 1e-4)):
        theirs = lightgbm_gradients(data, scores, params)
        for mine, other in zip(ours(scores), theirs, strict=True):
            assert np.abs(mine).max() > 0
            np.testing.assert_allclose(mine, other, rtol=tolerance, atol=tolerance * np.abs(mine).max())


@pytest.mark.parametrize(
    "metric",
    [
        "ndcg@10:ranklib",
        "ndcg@10:yahoo",
        "ndcg@3:letor4(gain=0/1/3/7/15)",
        "ndcg@5(gain=linear,discount=reciprocal)",
        "ndcg",
    ],
)
def test_pair_weights_are_what_an_exchange_costs_under_the_convention(metric: str) -> None:
    """With σ → 0 a pair pulls with half its weight: the change of the engine's NDCG when the two swap places."""
    data = example()
    ndcg = parse(metric)
    assert isinstance(ndcg, NDCG)
    scores = np.random.default_rng(2).permutation(data.n_docs).astype(np.float64)
    sigmoid = 1e-7
    gradient, _ = NDCGLambdas(ndcg, data, sigmoid=sigmoid, normalise=False, tail=False)(scores)
    expected = np.zeros(data.n_docs)
    before = evaluate(ndcg, data.labels, scores, data.query_offsets)[ndcg].per_query
    query = np.repeat(np.arange(data.n_queries), data.query_sizes)
    for i in range(data.n_docs):
        for j in range(data.n_docs):
            if query[i] == query[j] and data.labels[i] > data.labels[j]:
                swapped = scores.copy()
                swapped[[i, j]] = scores[[j, i]]
                after = evaluate(ndcg, data.labels, swapped, data.query_offsets)[ndcg].per_query
                pull = abs(after[query[i]] - before[query[i]]) / 2
                expected[i] -= pull
                expected[j] += pull
    np.testing.assert_allclose(gradient / sigmoid, expected, atol=1e-5)


def test_hessian_is_the_derivative_of_the_gradient() -> None:
    """Differences small enough to leave every order as it is."""
    data = example()
    scores = np.random.default_rng(3).permutation(data.n_docs).astype(np.float64) / 10
    lambdas = NDCGLambdas(NDCG(5), data, sigmoid=1.3, normalise=False, tail=True)
    _, hessian = lambdas(scores)
    for document in range(data.n_docs):
        step = np.zeros(data.n_docs)
        step[document] = 1e-5
        numerical = (lambdas(scores + step)[0] - lambdas(scores - step)[0])[document] / 2e-5
        assert hessian[document] == pytest.approx(numerical, rel=1e-5, abs=1e-8)


def test_same_model_as_with_lightgbms_objective() -> None:
    """Without normalisation and up to LightGBM's table of sigmoids, both ways of training grow the same trees."""
    train, vali = learnable(0, n_queries=60), learnable(1)
    ours, theirs = (
        LambdaMART(trees=15, patience=None, lambdas=lambdas).fit(train, vali) for lambdas in ("metric", "lightgbm")
    )
    np.testing.assert_allclose(ours.vali_score_, theirs.vali_score_, atol=1e-12)
    np.testing.assert_allclose(ours.predict(vali.features), theirs.predict(vali.features), rtol=1e-3, atol=1e-4)


def test_value_of_empty_queries_changes_nothing_and_short_lists_do() -> None:
    """Yahoo's 1 for empty queries is a constant; LETOR's 0 for lists shorter than k takes them out of training."""
    train, vali = learnable(0, n_queries=60), learnable(1)
    labels = train.labels.copy()
    labels[: train.query_offsets[10]] = 0
    train = train.with_labels(labels)

    def fitted(metric: str) -> Vector:
        return LambdaMART(trees=10, metric=metric).fit(train, vali).predict(vali.features)

    ranklib = fitted("ndcg@10:ranklib")
    np.testing.assert_array_equal(fitted("ndcg@10:yahoo"), ranklib)
    assert not np.array_equal(fitted("ndcg@10(short=zero)"), ranklib)
    short = train.query_sizes < 10
    lambdas = NDCGLambdas(NDCG(10, short="zero"), train, sigmoid=1.0, normalise=False, tail=True)
    gradient, _ = lambdas(np.zeros(train.n_docs))
    assert not gradient[np.repeat(short, train.query_sizes)].any()
    assert gradient[np.repeat(~short, train.query_sizes)].any()


def test_threads_do_not_change_the_model() -> None:
    train, vali = learnable(0), learnable(1)
    one, two = (LambdaMART(trees=10, n_jobs=jobs, sampling=0.7).fit(train, vali) for jobs in (1, 2))
    np.testing.assert_array_equal(one.predict(vali.features), two.predict(vali.features))


def test_best_number_of_trees_is_kept() -> None:
    train, vali = learnable(0), learnable(1)
    ranker = LambdaMART(trees=60, patience=20).fit(train, vali)
    assert ranker.n_trees_ == int(np.argmax(ranker.vali_score_)) + 1
    assert len(ranker.vali_score_) in (60, ranker.n_trees_ + 20)
    value = evaluate("ndcg@10:ranklib", vali.labels, ranker.predict(vali.features), vali.query_offsets)
    assert value["ndcg@10:ranklib"].mean == pytest.approx(ranker.vali_score_.max(), abs=1e-12)
