"""DirectRanker: a network that compares two documents, antisymmetric by construction, so that it defines an order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.metric import NDCG, Metric
from ltrlib.rankers.base import Ranker, as_metric, need_preferences, positive
from ltrlib.rankers.directranker.emphasis import DeltaNDCG
from ltrlib.rankers.directranker.pairs import class_pairs, draw_pairs, growing
from ltrlib.rankers.directranker.training import DICE, Cost, Output, compiled_steps, normal_weights
from ltrlib.rankers.network import forward, initial_weights, start_jax

__all__ = ["DirectRanker"]

_SPREAD = 1 / 3  # standard deviation of the features that the paper's settings go with
_ROWS = 1 << 12  # rows of the training part are filled up to a multiple of this
_BLOCK = 1 << 14  # documents that are squared at once: a second copy of the features would be too large


@dataclass(eq=False, kw_only=True)
class DirectRanker(Ranker):
    """DirectRanker of Köppel et al. (2019).

    One feature net f is applied to both documents; the output neuron has no bias and an antisymmetric, sign-conserving
    activation τ: o(a, b) = τ(w · (f(a) − f(b)) / 2). So o(a, b) > 0 exactly when w · f(a) > w · f(b), and ranking needs
    one evaluation of g = w · f per document, which is what ``predict`` returns. The defaults are those of the authors'
    code of 2019.

    Parameters
    ----------
    hidden
        Units of each hidden layer of the feature net; tanh follows each.
    output
        τ: tanh, as in the authors' code, or the identity, as in the paper's text.
    cost
        With Δ the difference of the labels and r the higher one: ``"squared"`` (Δ − o)²; ``"unit"`` (1 − o)²;
        ``"weighted"`` r (1 − o)²; ``"upper"`` (r − o)²; ``"cross entropy"`` −log((1 + o) / 2), which makes the
        model a RankNet and needs tanh.
    steps
        Training steps.
    queries
        Queries per step: first and last number, with exponential growth in between.
    pairs
        Pairs of documents per query and pair of classes, in the same way.
    classes
        Which classes of a query meet: neighbours only, or all.
    learning_rate
        Adam's rate at the first step.
    decay
        By what the rate is multiplied after every `decay_every` steps.
    decay_every
        Steps. The authors' code asks for 500, but counts each step twice, which makes 250.
    dropout
        Share of the units that is left out after every hidden layer, anew for each document; rounded to 1/256.
    l2
        Factor of half the sum of the squared weights, without biases.
    initial
        Initial matrices: standard normal, or uniform as in :func:`ltrlib.rankers.network.initial_weights`.
    emphasis
        ``"none"``, or ``"delta ndcg"``: a pair counts as much as its exchange would change ``metric``, an NDCG, in the
        present ranking, as in LambdaRank.
    patience
        Stop after so many looks at the validation part without a better ``metric``, and keep the best weights. None
        ignores the validation part, as the authors do.
    look_every
        Steps between two looks at the validation part, and between two rankings of the training part where ``emphasis``
        needs them.
    standardise
        Whether to bring each feature to mean 0 and standard deviation 1/3 first; not needed after a transform.
    metric
        What to look at.
    seed
        Decides initial weights, pairs and dropout; the same seed gives the same bits.

    Attributes
    ----------
    weights_, sizes_
        All weights as one vector, and the number of units per layer.
    centre_, scale_
        What the features were standardised by.
    train_cost_
        Mean cost of the pairs of each step, with the penalty.
    vali_score_
        Metric at each look at the validation part.
    best_step_
        Number of steps after which the weights were taken.

    Examples
    --------
    >>> ranker = DirectRanker(hidden=(30, 5), steps=5000, queries=(20, 100), pairs=(3, 5))
    >>> ranker.output, ranker.cost
    ('tanh', 'squared')
    """

    hidden: tuple[int, ...] = (10,)
    output: Output = "tanh"
    cost: Cost = "squared"
    steps: int = 3000
    queries: tuple[int, int] = (10, 100)
    pairs: tuple[int, int] = (3, 10)
    classes: Literal["neighbours", "all"] = "neighbours"
    learning_rate: float = 0.01
    decay: float = 0.944
    decay_every: int = 250
    dropout: float = 0.0
    l2: float = 0.0
    initial: Literal["normal", "glorot"] = "normal"
    emphasis: Literal["none", "delta ndcg"] = "none"
    patience: int | None = None
    look_every: int = 100
    standardise: bool = True
    metric: Metric | str = "ndcg@10:ranklib"
    seed: int = 0

    def compare(self, first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float64]:
        """Output of the network for pairs of documents: positive where the first ranks above the second.

        Examples
        --------
        >>> from ltrlib.datasets.container import Source
        >>> x = np.array([[0], [1], [2]], np.float32)
        >>> data = RankingData(x, np.array([0, 1, 2], np.int32), np.array([0, 3]), np.array(["a"]), None, Source("toy"))
        >>> ranker = DirectRanker(hidden=(3,), steps=200).fit(data)
        >>> np.sign(ranker.compare(x, x[::-1]))
        array([-1.,  0.,  1.])
        """
        half = (self.predict(first) - self.predict(second)) / 2
        return np.tanh(half) if self.output == "tanh" else half

    def _fit(self, train: RankingData, vali: RankingData | None) -> None:
        self._check()
        need_preferences(train, "DirectRanker")
        start_jax()
        from jax import numpy as jnp

        self._find_scale(train)
        self.sizes_ = [train.n_features, *map(int, self.hidden), 1]
        rng = np.random.default_rng(self.seed)
        draw = normal_weights if self.initial == "normal" else initial_weights
        weights: Any = draw(rng, self.sizes_)
        train_steps, moments = compiled_steps(
            tuple(self.sizes_), cost=self.cost, output=self.output, dropout=self.dropout > 0
        )
        state = moments(weights)
        inputs = self._inputs(train.features)
        # Filled up, so that data of similar size share a compilation.
        more = -train.n_docs % _ROWS
        data = {
            "inputs": jnp.asarray(np.pad(inputs, ((0, more), (0, 0)))),
            "labels": jnp.asarray(np.pad(train.labels, (0, more)).astype(np.float32)),
            "dropped": jnp.float32(round(self.dropout * DICE)),
            "l2": jnp.float32(self.l2),
        }
        source = class_pairs(train.labels, train.query_offsets, which=self.classes)
        queries, pairs = (growing(*ends, self.steps) for ends in (self.queries, self.pairs))
        rates = self.learning_rate * self.decay ** (np.arange(self.steps) // self.decay_every)
        emphasis = DeltaNDCG(self._ndcg(), train) if self.emphasis == "delta ndcg" else None
        score = self._vali_score(vali) if self.patience is not None else None
        costs: list[NDArray[np.float32]] = []
        values: list[float] = []
        best, self.best_step_ = weights, 0
        for start in range(0, self.steps, self.look_every):
            now = slice(start, min(start + self.look_every, self.steps))
            batches = draw_pairs(rng, source, queries[now], pairs[now])
            importance = batches.real
            if emphasis is not None:
                self.weights_ = np.array(weights)
                importance = emphasis(self._scores(inputs), batches.rows) * batches.real
            throws = sum(self.hidden) if self.dropout else 0
            dice = rng.integers(0, DICE, (*batches.rows.shape, throws), np.uint8)
            weights, state, cost = train_steps(
                weights, state, (batches.rows, importance, rates[now].astype(np.float32), dice), data
            )
            costs.append(np.asarray(cost))
            self.weights_ = np.array(weights)
            if not np.isfinite(self.weights_).all():
                cure = "standardise the features or lower learning_rate"
                raise UsageError(f"training diverged before step {now.stop}", where="DirectRanker", cure=cure)
            if score is not None and self.patience is not None:
                values.append(score())
                # A metric that leaves every query out is NaN at each look: then the last weights are kept.
                if self.best_step_ and values[-1] <= max(values[:-1]):
                    if now.stop - self.best_step_ >= self.patience * self.look_every:
                        break
                    continue
            best, self.best_step_ = self.weights_, now.stop
        self.weights_ = best
        self.train_cost_, self.vali_score_ = np.concatenate(costs), np.array(values)

    def _check(self) -> None:
        positive(self, "steps", "learning_rate", "decay", "decay_every", "look_every")
        if self.patience is not None:
            positive(self, "patience")
        for name in ("output", "cost", "classes", "initial", "emphasis"):
            known = get_args(Output) if name == "output" else get_args(Cost) if name == "cost" else _CHOICES[name]
            if getattr(self, name) not in known:
                self._refuse(f"{name}={getattr(self, name)!r} is not known", f"choose {' or '.join(known)}")
        if self.cost == "cross entropy" and self.output != "tanh":
            self._refuse("the cross entropy needs an output between -1 and 1", "use output='tanh'")
        if any(units < 1 for units in self.hidden):
            self._refuse(f"hidden={self.hidden} must hold positive numbers", "")
        for name in ("queries", "pairs"):
            if len(getattr(self, name)) != 2 or min(getattr(self, name)) < 1:
                self._refuse(f"{name}={getattr(self, name)} must be two positive numbers", "give first and last")
        if not 0 <= self.dropout < 1:
            self._refuse(f"dropout={self.dropout} must be at least 0 and below 1", "")
        if not self.l2 >= 0:
            self._refuse(f"l2={self.l2} must not be negative", "")

    def _refuse(self, what: str, cure: str) -> None:
        raise UsageError(what, where="DirectRanker", cure=cure or None)

    def _ndcg(self) -> NDCG:
        metric = as_metric(self.metric)
        if not isinstance(metric, NDCG):
            raise UsageError(f"pairs cannot be weighted by {metric}", where="DirectRanker.fit", cure="use an NDCG")
        return metric

    def _find_scale(self, train: RankingData) -> None:
        self.centre_ = np.zeros(train.n_features, np.float32)
        self.scale_ = np.ones(train.n_features, np.float32)
        if self.standardise:
            self.centre_ = train.features.mean(axis=0, dtype=np.float64).astype(np.float32)
            blocks = (train.features[start : start + _BLOCK] for start in range(0, train.n_docs, _BLOCK))
            squares = sum(((block - self.centre_) ** 2).sum(axis=0, dtype=np.float64) for block in blocks)
            spread = np.sqrt(squares / train.n_docs)
            # A constant feature leaves a spread of rounding errors.
            constant = spread <= 1e-6 * np.abs(self.centre_)
            self.scale_ = np.where(constant, 1.0, spread / _SPREAD).astype(np.float32)

    def _vali_score(self, vali: RankingData | None) -> Callable[[], float]:
        if vali is None:
            raise UsageError("stopping early needs a validation part", where="DirectRanker.fit", cure="give vali")
        metric = as_metric(self.metric)
        evaluator, inputs = Evaluator(metric, vali.labels, vali.query_offsets), self._inputs(vali.features)
        return lambda: evaluator(self._scores(inputs))[metric].mean

    def _inputs(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        if not self.standardise:
            return features
        scaled: NDArray[np.float32] = (features - self.centre_) / self.scale_
        return scaled

    def _scores(self, inputs: NDArray[np.float32]) -> NDArray[np.float64]:
        # Computed in double precision and rounded: equal documents keep equal scores, wherever they stand.
        exact = forward(self.weights_.astype(np.float64), self.sizes_, inputs.astype(np.float64))
        rounded: NDArray[np.float64] = exact.astype(np.float32).astype(np.float64)
        return rounded

    def _predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        return self._scores(self._inputs(features))


_CHOICES = {"classes": ("neighbours", "all"), "initial": ("normal", "glorot"), "emphasis": ("none", "delta ndcg")}
