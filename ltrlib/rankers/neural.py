"""RankNet and ListNet: one network that scores documents, trained on pairs or on whole lists."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.metric import Metric
from ltrlib.rankers.base import Ranker, as_metric, need_preferences, positive
from ltrlib.rankers.batches import QueryBatches, deal_queries
from ltrlib.rankers.network import forward, initial_weights, start_jax

__all__ = ["ListNet", "NeuralRanker", "RankNet"]


@dataclass(eq=False, kw_only=True)
class NeuralRanker(Ranker):
    """What RankNet and ListNet share: a network, Adam, and the choice of the best epoch on the validation part.

    Attributes
    ----------
    weights_, sizes_
        All weights as one vector, and the number of units per layer.
    centre_, scale_
        What the features were standardised by.
    train_loss_, vali_score_
        Mean loss during each epoch, and validation metric after it.
    best_epoch_
        The epoch whose weights are kept, counted from 1.
    """

    uses_pairs: ClassVar[bool]

    hidden: tuple[int, ...]
    epochs: int
    learning_rate: float
    batch_queries: int = 64
    patience: int | None = None
    standardise: bool = True
    metric: Metric | str = "ndcg@10:ranklib"
    seed: int = 0

    @staticmethod
    @abstractmethod
    def loss(scores: Any, labels: Any, batch: QueryBatches) -> Any:
        """Sum of the loss over the documents of one batch, in JAX arrays."""

    def _fit(self, train: RankingData, vali: RankingData | None) -> None:
        positive(self, "epochs", "learning_rate", "batch_queries", *(["patience"] if self.patience else []))
        if any(units < 1 for units in self.hidden):
            raise UsageError(f"hidden={self.hidden} must hold positive numbers", where=type(self).__name__)
        need_preferences(train, type(self).__name__)
        start_jax()
        self._find_scale(train)
        self.sizes_ = [train.n_features, *map(int, self.hidden), 1]
        rng = np.random.default_rng(self.seed)
        weights: Any = initial_weights(rng, self.sizes_)
        batches = deal_queries(
            train.query_offsets, train.labels, per_batch=self.batch_queries, rng=rng, with_pairs=self.uses_pairs
        )
        run_epoch, moments = _compiled_epoch(type(self), tuple(self.sizes_), batches.n_queries)
        data, state = self._on_device(train, batches), moments(weights)
        score = self._vali_score(vali)
        losses: list[float] = []
        values: list[float] = []
        best = weights
        self.best_epoch_ = 0
        for epoch in range(1, self.epochs + 1):
            weights, state, loss = run_epoch(weights, state, rng.permutation(len(batches.rows)), data)
            losses.append(float(loss))
            self.weights_ = np.array(weights)
            if not np.isfinite(self.weights_).all():
                raise UsageError(
                    f"training diverged in epoch {epoch}",
                    where=type(self).__name__,
                    cure="standardise the features or lower learning_rate",
                )
            if score is not None:
                values.append(score())
                # A metric that leaves every query out is NaN in each epoch: then the last one is kept.
                if self.best_epoch_ and values[-1] <= values[self.best_epoch_ - 1]:
                    if self.patience is not None and epoch - self.best_epoch_ >= self.patience:
                        break
                    continue
            best, self.best_epoch_ = self.weights_, epoch
        self.weights_ = best
        self.train_loss_, self.vali_score_ = np.array(losses), np.array(values)

    def _find_scale(self, train: RankingData) -> None:
        self.centre_ = np.zeros(train.n_features, np.float32)
        self.scale_ = np.ones(train.n_features, np.float32)
        if self.standardise:
            self.centre_ = train.features.mean(axis=0, dtype=np.float64).astype(np.float32)
            spread = train.features.std(axis=0, dtype=np.float64)
            # A constant feature leaves a spread of rounding errors.
            constant = spread <= 1e-6 * np.abs(self.centre_)
            self.scale_ = np.where(constant, 1.0, spread).astype(np.float32)

    def _vali_score(self, vali: RankingData | None) -> Callable[[], float] | None:
        if vali is None:
            return None
        metric = as_metric(self.metric)
        evaluator, inputs = Evaluator(metric, vali.labels, vali.query_offsets), self._inputs(vali.features)
        return lambda: evaluator(self._scores(inputs))[metric].mean

    def _on_device(self, train: RankingData, batches: QueryBatches) -> dict[str, Any]:
        """Everything that an epoch needs, as JAX arrays."""
        from jax import numpy as jnp

        # One row more than there are documents: what a filled-up place shows.
        inputs = np.vstack([self._inputs(train.features), np.zeros((1, train.n_features), np.float32)])
        # The same divisor for every batch: the gradient of a step estimates that of the mean over the training part.
        terms = (batches.n_pairs.sum() if self.uses_pairs else train.n_queries) / len(batches.rows)
        return {
            "inputs": jnp.asarray(inputs),
            "labels": jnp.asarray(np.append(train.labels, 0).astype(np.float32)),
            "batches": [jnp.asarray(a) for a in (batches.rows, batches.query, batches.pairs, batches.n_pairs)],
            "terms": jnp.float32(terms),
            "rate": jnp.float32(self.learning_rate),
        }

    def _inputs(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        scaled: NDArray[np.float32] = (features - self.centre_) / self.scale_
        return scaled

    def _scores(self, inputs: NDArray[np.float32]) -> NDArray[np.float64]:
        # Computed in double precision and rounded: equal documents keep equal scores, wherever they stand.
        exact = forward(self.weights_.astype(np.float64), self.sizes_, inputs.astype(np.float64))
        rounded: NDArray[np.float64] = exact.astype(np.float32).astype(np.float64)
        return rounded

    def _predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        return self._scores(self._inputs(features))


@dataclass(eq=False, kw_only=True)
class RankNet(NeuralRanker):
    """RankNet of Burges et al. (2005): cross entropy of each pair of one query with different labels.

    Parameters
    ----------
    hidden
        Units of each hidden layer.
    epochs
        Passes over the training part.
    learning_rate
        Step of Adam.
    batch_queries
        Queries per step.
    patience
        Stop after so many epochs without a better validation metric; None runs all epochs. With a validation part
        the weights of the best epoch are kept.
    standardise
        Whether to bring each feature to mean 0 and variance 1 first.
    metric
        What to choose the epoch by.
    seed
        Decides initial weights, batches and their order; the same seed gives the same bits.

    Examples
    --------
    >>> RankNet(hidden=(100, 50), seed=7).hidden
    (100, 50)
    """

    uses_pairs = True

    hidden: tuple[int, ...] = (10,)
    epochs: int = 100
    learning_rate: float = 0.001

    @staticmethod
    def loss(scores: Any, labels: Any, batch: QueryBatches) -> Any:
        """Sum of log(1 + exp(score of worse − score of better)) over the pairs."""
        import jax
        from jax import numpy as jnp

        losses = jax.nn.softplus(scores[batch.pairs[:, 1]] - scores[batch.pairs[:, 0]])
        return jnp.sum(losses, where=jnp.arange(len(losses)) < batch.n_pairs)


@dataclass(eq=False, kw_only=True)
class ListNet(NeuralRanker):
    """ListNet of Cao et al. (2007): cross entropy between the top-one probabilities of labels and of scores.

    The parameters are those of :class:`RankNet`; without hidden layers the model is linear, as in the paper.

    Examples
    --------
    >>> ListNet().hidden
    ()
    """

    uses_pairs = False

    hidden: tuple[int, ...] = ()
    epochs: int = 1500
    learning_rate: float = 0.001

    @staticmethod
    def loss(scores: Any, labels: Any, batch: QueryBatches) -> Any:
        """Sum of the cross entropies over the queries."""
        import jax
        from jax import numpy as jnp

        def of_query(reduction: Callable[..., Any], values: Any) -> Any:
            # One segment more than there are queries takes what is filled up.
            return reduction(values, batch.query, batch.n_queries + 1, indices_are_sorted=True)

        def probabilities(values: Any) -> tuple[Any, Any]:
            largest = jax.lax.stop_gradient(of_query(jax.ops.segment_max, values))
            powers = jnp.exp(values - largest[batch.query])
            totals = of_query(jax.ops.segment_sum, powers)
            return powers / totals[batch.query], jnp.log(totals) + largest

        wanted, _ = probabilities(labels)
        _, log_total = probabilities(scores)
        cross = log_total - of_query(jax.ops.segment_sum, wanted * scores)
        # A batch may lack a query: an empty segment, whose largest value is −inf.
        present = of_query(jax.ops.segment_sum, jnp.ones_like(scores)) > 0
        return jnp.sum(jnp.where(present, cross, 0.0)[:-1])


@lru_cache(maxsize=64)
def _compiled_epoch(
    kind: type[NeuralRanker], sizes: tuple[int, ...], n_queries: int
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Make the function that runs one epoch over batches in a given order, and the one that starts Adam's moments.

    All numbers are arguments, so that fits with other seeds or rates on data of the same shape share one compilation.
    """
    import jax
    import optax  # type: ignore[import-untyped]
    from jax import numpy as jnp

    adam = optax.scale_by_adam()

    def batch_loss(weights: Any, step: Any, data: Any) -> Any:
        rows, query, pairs, n_pairs = (array[step] for array in data["batches"])
        batch = QueryBatches(rows, query, pairs, n_pairs, n_queries)
        scores = forward(weights, sizes, data["inputs"][batch.rows], jnp)
        return kind.loss(scores, data["labels"][batch.rows], batch) / data["terms"]

    def epoch(weights: Any, moments: Any, order: Any, data: Any) -> Any:
        def train_step(state: Any, step: Any) -> Any:
            weights, moments = state
            loss, gradient = jax.value_and_grad(batch_loss)(weights, step, data)
            update, moments = adam.update(gradient, moments)
            return (weights - data["rate"] * update, moments), loss

        (weights, moments), losses = jax.lax.scan(train_step, (weights, moments), order)
        return weights, moments, losses.mean()

    return jax.jit(epoch), adam.init
