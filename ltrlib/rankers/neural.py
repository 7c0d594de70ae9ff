"""RankNet and ListNet: one network that scores documents, trained on pairs or on whole lists."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Self

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


class _BestEpoch:
    """The weights of the best epoch so far by one metric on the validation part; of the last one without such a part.

    Once ``patience`` epochs have brought nothing better it waits no longer, and looks at no further epoch.
    """

    def __init__(self, metric: Metric, vali: RankingData | None, patience: int | None) -> None:
        self._metric, self._patience = metric, patience
        self._evaluator = None if vali is None else Evaluator(metric, vali.labels, vali.query_offsets)
        self.values: list[float] = []
        self.epoch = self.seen = 0
        self.waits = True

    def look(self, epoch: int, weights: NDArray[np.float32], scores: NDArray[np.float64] | None) -> None:
        if not self.waits:
            return
        self.seen = epoch
        if self._evaluator is not None and scores is not None:
            self.values.append(self._evaluator(scores)[self._metric].mean)
            # A metric that leaves every query out is NaN in each epoch: then the last one is kept.
            if self.epoch and self.values[-1] <= self.values[self.epoch - 1]:
                self.waits = self._patience is None or epoch - self.epoch < self._patience
                return
        self.weights, self.epoch = weights, epoch


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

    def fit_each(self, train: RankingData, vali: RankingData, metrics: Iterable[Metric | str]) -> list[Self]:
        """Train once, and return one ranker per metric: the very one that `fit` would give with it.

        The metric decides nothing but the epoch whose weights are kept, so one training serves them all.

        Examples
        --------
        >>> from ltrlib.datasets.container import Source
        >>> data = RankingData(np.eye(3, dtype=np.float32), np.array([0, 2, 1], np.int32), np.array([0, 3]),
        ...                    np.array(["a"]), None, Source("example"))
        >>> [one.metric for one in RankNet(epochs=2).fit_each(data, data, ["ndcg@10:yahoo", "map"])]
        ['ndcg@10:yahoo', 'map']
        """
        self._check_parts(train, vali)
        rankers = [type(self)(**(self.get_params() | {"metric": metric})) for metric in metrics]
        if rankers:
            rankers[0]._train(train, vali, rankers)
        for ranker in rankers:
            ranker.n_features_ = train.n_features
        return rankers

    def _fit(self, train: RankingData, vali: RankingData | None) -> None:
        self._train(train, vali, [self])

    def _train(self, train: RankingData, vali: RankingData | None, rankers: Sequence[NeuralRanker]) -> None:
        """Train this ranker's network; each of ``rankers``, alike but for the metric, keeps its best epoch."""
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
        choices = [_BestEpoch(as_metric(ranker.metric), vali, self.patience) for ranker in rankers]
        inputs = None if vali is None else self._inputs(vali.features)
        losses: list[float] = []
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
            scores = None if inputs is None else self._scores(inputs)
            for choice in choices:
                choice.look(epoch, self.weights_, scores)
            if not any(choice.waits for choice in choices):
                break
        for ranker, choice in zip(rankers, choices, strict=True):
            ranker._take(self, choice, losses)

    def _find_scale(self, train: RankingData) -> None:
        self.centre_ = np.zeros(train.n_features, np.float32)
        self.scale_ = np.ones(train.n_features, np.float32)
        if self.standardise:
            self.centre_ = train.features.mean(axis=0, dtype=np.float64).astype(np.float32)
            spread = train.features.std(axis=0, dtype=np.float64)
            # A constant feature leaves a spread of rounding errors.
            constant = spread <= 1e-6 * np.abs(self.centre_)
            self.scale_ = np.where(constant, 1.0, spread).astype(np.float32)

    def _take(self, trained: NeuralRanker, choice: _BestEpoch, losses: Sequence[float]) -> None:
        self.centre_, self.scale_, self.sizes_ = trained.centre_, trained.scale_, trained.sizes_
        self.weights_, self.best_epoch_ = choice.weights, choice.epoch
        self.train_loss_, self.vali_score_ = np.array(losses[: choice.seen]), np.array(choice.values)

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
