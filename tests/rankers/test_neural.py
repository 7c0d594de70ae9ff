"""RankNet and ListNet: losses against rax, gradients against differences, seeds, stopping."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
import rax  # type: ignore[import-untyped]
from jax import numpy as jnp

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError
from ltrlib.metrics import evaluate_data
from ltrlib.rankers import ListNet, RankNet
from ltrlib.rankers.batches import QueryBatches, count_pairs, deal_queries
from ltrlib.rankers.network import forward, initial_weights
from ltrlib.rankers.neural import NeuralRanker
from tests.helpers.rankers import learnable


def batches_of(data: RankingData, per_batch: int) -> QueryBatches:
    rng = np.random.default_rng(0)
    return deal_queries(data.query_offsets, data.labels, per_batch=per_batch, rng=rng, with_pairs=True)


def total_loss(ranker: NeuralRanker, data: RankingData, scores: Any, per_batch: int = 4) -> Any:
    """Loss over all batches, as training sees it."""
    batches = batches_of(data, per_batch)
    padded, labels = jnp.append(scores, 0.0), jnp.asarray(np.append(data.labels, 0).astype(np.float32))
    total = 0.0
    for step in range(len(batches.rows)):
        batch = QueryBatches(
            batches.rows[step], batches.query[step], batches.pairs[step], batches.n_pairs[step], batches.n_queries
        )
        total += ranker.loss(padded[batch.rows], labels[batch.rows], batch)
    return total


def padded_lists(data: RankingData, scores: Any) -> tuple[Any, Any, Any]:
    """Scores, labels and mask as rax wants them: one row per query."""
    longest = int(data.query_sizes.max())
    place = np.arange(longest)
    where = place < data.query_sizes[:, None]
    rows = np.where(where, data.query_offsets[:-1, None] + place, 0)
    return jnp.asarray(scores)[rows], jnp.asarray(data.labels.astype(np.float32))[rows], jnp.asarray(where)


@pytest.mark.parametrize("per_batch", [7, 1000])
def test_ranknet_loss_is_raxs_pairwise_logistic_loss(per_batch: int) -> None:
    data = learnable(0)
    scores = np.random.default_rng(0).normal(size=data.n_docs).astype(np.float32) * 3
    lists, labels, where = padded_lists(data, scores)
    expected = rax.pairwise_logistic_loss(lists, labels, where=where, reduce_fn=jnp.sum)
    assert total_loss(RankNet(), data, scores, per_batch) == pytest.approx(float(expected), rel=1e-5)


@pytest.mark.parametrize("per_batch", [7, 1000])
def test_listnet_loss_is_raxs_softmax_loss_of_top_one_probabilities(per_batch: int) -> None:
    data = learnable(0)
    scores = np.random.default_rng(0).normal(size=data.n_docs).astype(np.float32) * 3
    lists, labels, where = padded_lists(data, scores)
    wanted = jax.nn.softmax(labels, where=where, axis=-1)
    expected = rax.softmax_loss(lists, wanted, where=where, reduce_fn=jnp.sum)
    assert total_loss(ListNet(), data, scores, per_batch) == pytest.approx(float(expected), rel=1e-5)


@pytest.mark.parametrize("ranker", [RankNet(hidden=(3,)), ListNet(hidden=(3,))], ids=["RankNet", "ListNet"])
def test_gradient_through_the_network_equals_differences(ranker: NeuralRanker) -> None:
    """Filled-up places, queries that a batch lacks and pairs of a place with itself must not leak into it."""
    data = learnable(0, n_queries=7)
    sizes = (data.n_features, *ranker.hidden, 1)
    with jax.enable_x64(True):
        weights = jnp.asarray(initial_weights(np.random.default_rng(0), sizes).astype(np.float64))
        x = jnp.asarray(data.features.astype(np.float64))

        def loss(w: Any) -> Any:
            return total_loss(ranker, data, forward(w, sizes, x, jnp), per_batch=3)

        loss = jax.jit(loss)
        gradient = np.asarray(jax.grad(loss)(weights))
        assert np.isfinite(gradient).all()
        for place in range(len(weights)):
            step = jnp.zeros_like(weights).at[place].set(1e-5)
            numerical = float(loss(weights + step) - loss(weights - step)) / 2e-5
            assert gradient[place] == pytest.approx(numerical, rel=1e-4, abs=1e-6)


def test_extreme_scores_give_finite_losses_and_gradients() -> None:
    data = learnable(0)
    scores = jnp.asarray(np.random.default_rng(0).normal(size=data.n_docs).astype(np.float32) * 1e4)
    for ranker in (RankNet(), ListNet()):
        of_scores = jax.value_and_grad(lambda s, ranker=ranker: total_loss(ranker, data, s, per_batch=15))
        value, gradient = jax.jit(of_scores)(scores)
        assert np.isfinite(value)
        assert np.isfinite(gradient).all()


def test_seed_decides_everything() -> None:
    train, vali = learnable(0), learnable(1)
    first, again, other = (RankNet(epochs=3, seed=seed).fit(train, vali) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.weights_, again.weights_)
    np.testing.assert_array_equal(first.train_loss_, again.train_loss_)
    assert not np.array_equal(first.weights_, other.weights_)


def test_best_epoch_is_kept_and_patience_stops() -> None:
    train, vali = learnable(0), learnable(1)
    ranker = RankNet(epochs=200, patience=5, learning_rate=0.05).fit(train, vali)
    assert ranker.best_epoch_ == int(np.argmax(ranker.vali_score_)) + 1
    assert len(ranker.vali_score_) == ranker.best_epoch_ + 5
    metric = "ndcg@10:ranklib"
    assert evaluate_data(metric, vali, ranker.predict(vali.features))[metric].mean == ranker.vali_score_.max()
    without = RankNet(epochs=3).fit(train)
    assert without.best_epoch_ == 3
    assert without.vali_score_.size == 0


def test_training_lowers_the_loss() -> None:
    for ranker in (RankNet(epochs=30, learning_rate=0.02), ListNet(epochs=30, learning_rate=0.02)):
        losses = ranker.fit(learnable(0)).train_loss_
        assert losses[-1] < losses[0]


def test_scale_of_features_does_not_matter_when_standardised() -> None:
    """The collapse on raw MSLR features comes from their scale; standardised, a factor of 2^20 changes nothing."""
    train = learnable(0)
    scaled = train.with_features(train.features * np.float32(2**20))
    weights = RankNet(epochs=3).fit(train).weights_
    np.testing.assert_array_equal(RankNet(epochs=3).fit(scaled).weights_, weights)
    assert not np.array_equal(RankNet(epochs=3, standardise=False).fit(scaled).weights_, weights)


def test_divergence_is_an_error_that_names_the_cure() -> None:
    with pytest.raises(UsageError, match=r"diverged[^$]*standardise"):
        ListNet(epochs=5, learning_rate=1e38).fit(learnable(0))


def test_batches_hold_every_document_and_every_pair_once() -> None:
    data = learnable(0, n_queries=23)
    for per_batch in (1, 5, 23, 100):
        batches = batches_of(data, per_batch)
        rows = batches.rows[batches.rows < data.n_docs]
        assert sorted(rows) == list(range(data.n_docs))
        found = [
            tuple(batches.rows[step][pair])
            for step in range(len(batches.rows))
            for pair in batches.pairs[step, : batches.n_pairs[step]]
        ]
        assert len(set(found)) == len(found) == count_pairs(data.query_offsets, data.labels).sum()
        better, worse = np.array(found).T
        query = np.repeat(np.arange(data.n_queries), data.query_sizes)
        assert (data.labels[better] > data.labels[worse]).all()
        np.testing.assert_array_equal(query[better], query[worse])
        # Dealt evenly: no batch holds more than its share plus the two largest queries.
        share = batches.n_pairs.sum() / len(batches.rows)
        assert batches.n_pairs.max() <= share + 2 * count_pairs(data.query_offsets, data.labels).max()


@pytest.mark.parametrize("patience", [None, 3])
def test_one_training_gives_each_metric_the_ranker_of_its_own_fit(patience: int | None) -> None:
    train, vali = learnable(0), learnable(1)
    ranker = RankNet(epochs=30, hidden=(4,), learning_rate=0.05, patience=patience, seed=3)
    metrics = ["ndcg@10:ranklib", "ndcg@10:letor4", "map"]
    together = ranker.fit_each(train, vali, metrics)
    assert len({one.best_epoch_ for one in together}) > 1  # else nothing is tested
    for one, metric in zip(together, metrics, strict=True):
        alone = RankNet(**(ranker.get_params() | {"metric": metric})).fit(train, vali)
        assert one.get_params() == alone.get_params()
        for name in ("weights_", "vali_score_", "train_loss_", "best_epoch_", "sizes_", "n_features_"):
            np.testing.assert_array_equal(getattr(one, name), getattr(alone, name))
        np.testing.assert_array_equal(one.predict(vali.features), alone.predict(vali.features))
