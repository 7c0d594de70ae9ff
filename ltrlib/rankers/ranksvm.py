"""Linear RankSVM, trained in the primal without listing the pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError
from ltrlib.rankers.base import Ranker, linear_scores, need_preferences, positive
from ltrlib.rankers.cutting_planes import minimise
from ltrlib.rankers.kernels import FLOATS, INDEX, LABELS, OUT_FLOATS, OUT_INDEX, compiled, signatures

__all__ = ["RankSVM", "pair_hinge"]

Vector = NDArray[np.float64]

_BLOCK = 1 << 16
_KEPT = 1 << 25  # matrices with up to this many entries are kept in double precision
_SUFFICIENT = 1e-4  # share of the predicted decrease that a step must reach
_SHORTEST = 1e-10  # of the step: only rounding keeps the objective from falling then


@dataclass(eq=False, kw_only=True)
class RankSVM(Ranker):
    """RankSVM of Herbrich et al. (2000), trained as Chapelle and Keerthi (2010) do, or as Joachims (2006).

    Minimises ½‖w‖² + C Σ max(0, 1 − w·(x_better − x_worse))² over all pairs of one query with different labels, by
    Newton steps whose linear systems are solved by conjugate gradients. Sums over pairs are found by sorting each
    query's scores: an iteration costs n log n in the documents of a query, and does not depend on the number of pairs.
    With ``loss="hinge"`` the errors are not squared, and cutting planes take the place of Newton steps: the problem and
    the algorithm of the program SVM-rank with its loss 1.

    Parameters
    ----------
    C
        Weight of the errors; the sum runs over pairs. SVM-rank's ``-c`` is this times the number of training queries.
    tolerance
        Stop when the gradient is this much shorter than at w = 0. With ``loss="hinge"``, stop when the loss is known
        up to this much per pair, which is SVM-rank's ``-e``.
    max_iterations
        Limit of Newton steps, or of planes; a hinge may need some hundreds of these.
    loss
        ``"squared"`` hinge, or ``"hinge"``.

    Attributes
    ----------
    weights_
        The normal vector w.
    objective_, n_iterations_, converged_
        Value reached, steps or planes taken, and whether the tolerance was met.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.array([[0], [1], [5]], np.float32), np.array([0, 1, 0], np.int32), np.array([0, 2, 3]),
    ...                    np.array(["a", "b"]), None, Source("example"))
    >>> RankSVM(C=1.0).fit(data).weights_.round(4)  # one pair, difference 1: the minimum of w²/2 + (1 - w)²
    array([0.6667])
    """

    C: float = 1.0
    tolerance: float = 0.001
    max_iterations: int = 100
    loss: Literal["squared", "hinge"] = "squared"

    def _fit(self, train: RankingData, vali: RankingData | None) -> None:
        positive(self, "C", "tolerance", "max_iterations")
        if self.loss not in ("squared", "hinge"):
            raise UsageError(f"loss={self.loss!r} is not known", where="RankSVM", cure="choose squared or hinge")
        need_preferences(train, "RankSVM")
        problem = _Problem(train, self.C)
        if self.loss == "hinge":
            self._fit_hinge(problem.hinge, np.zeros(train.n_features))
            return
        state = problem.at(np.zeros(train.n_features), np.zeros(problem.n_docs))
        length = start = float(np.linalg.norm(state.gradient))
        self.n_iterations_ = 0
        while length > self.tolerance * start and self.n_iterations_ < self.max_iterations:
            # The linear system is solved the more exactly, the nearer the minimum is.
            step = problem.newton_step(state, accuracy=min(0.1, np.sqrt(length / start)))
            state = problem.search(state, step)
            length = float(np.linalg.norm(state.gradient))
            self.n_iterations_ += 1
        self.weights_ = state.w
        self.objective_ = state.value
        self.converged_ = length <= self.tolerance * start

    def _fit_hinge(self, hinge: Callable[[Vector], tuple[float, Vector]], start: Vector) -> None:
        pairs, _ = hinge(start)
        found = minimise(hinge, start, C=self.C, tolerance=self.tolerance * pairs, max_planes=self.max_iterations)
        self.weights_, self.objective_ = found.w, found.value
        self.n_iterations_, self.converged_ = found.n_planes, found.converged

    def _predict(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        return linear_scores(features, self.weights_)


def pair_hinge(data: RankingData) -> Callable[[Vector], tuple[float, Vector]]:
    """The sum of max(0, 1 − w·(x_better − x_worse)) over all pairs, as a function of w; it also gives the gradient.

    At w = 0 the sum is the number of pairs.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.array([[0], [1], [3]], np.float32), np.array([0, 1, 2], np.int32), np.array([0, 3]),
    ...                    np.array(["a"]), None, Source("example"))
    >>> pair_hinge(data)(np.array([0.375]))  # differences 1, 2, 3: the last is beyond the margin
    (0.875, array([-3.]))
    """
    return _Problem(data, 1.0).hinge


@dataclass(frozen=True, eq=False)
class _State:
    """A point on the way: its scores, which decide the active pairs, the objective and its gradient."""

    w: Vector
    scores: Vector
    order: NDArray[np.int64]
    value: float
    gradient: Vector


class _Problem:
    """The objective, its gradient and its Hessian as an operator."""

    def __init__(self, train: RankingData, C: float) -> None:
        # Queries whose documents are all equally relevant have no pairs.
        starts = train.query_offsets[:-1]
        mixed = np.minimum.reduceat(train.labels, starts) < np.maximum.reduceat(train.labels, starts)
        data = train.select_queries(mixed)
        self.C = C
        self.n_docs = data.n_docs
        self._labels = data.labels
        self._offsets = data.query_offsets
        self._n_labels = int(data.labels.max()) + 1
        whole = data.features.size <= _KEPT
        self._blocks: list[NDArray[np.float32] | Vector] = (
            [data.features.astype(np.float64)]
            if whole
            else [data.features[start : start + _BLOCK] for start in range(0, data.n_docs, _BLOCK)]
        )

    def _times(self, w: Vector) -> Vector:
        """Scores of all documents."""
        return np.concatenate([np.asarray(block, np.float64) @ w for block in self._blocks])

    def _transposed(self, u: Vector) -> Vector:
        total = np.zeros(self._blocks[0].shape[1])
        start = 0
        for block in self._blocks:
            total += u[start : start + len(block)] @ np.asarray(block, np.float64)
            start += len(block)
        return total

    def _pairs(self, scores: Vector, order: NDArray[np.int64], u: Vector) -> tuple[float, Vector, Vector]:
        product, balance = np.zeros(self.n_docs), np.zeros(self.n_docs)
        active = _active_pairs(self._labels, scores, order, self._offsets, self._n_labels, u, product, balance)
        return active, product, balance

    def at(self, w: Vector, scores: Vector) -> _State:
        order = np.empty(self.n_docs, np.int64)
        _sort_queries(scores, self._offsets, order)
        active, product, balance = self._pairs(scores, order, scores)
        # With d = s_better − s_worse: Σ (1 − d)² = number − 2 Σ d + Σ d² over the active pairs.
        loss = active + 2.0 * float(balance @ scores) + float(product @ scores)
        gradient = w + 2.0 * self.C * self._transposed(product + balance)
        return _State(w, scores, order, 0.5 * float(w @ w) + self.C * loss, gradient)

    def hinge(self, w: Vector) -> tuple[float, Vector]:
        """Sum of 1 − d over the pairs with d < 1, and its gradient; at w = 0 that is the number of pairs."""
        scores, order = self._times(w), np.empty(self.n_docs, np.int64)
        _sort_queries(scores, self._offsets, order)
        active, _, balance = self._pairs(scores, order, scores)
        return active + float(balance @ scores), self._transposed(balance)

    def newton_step(self, state: _State, accuracy: float) -> Vector:
        """Solve Hessian · step = −gradient by conjugate gradients, up to a share of the gradient's length."""
        step = np.zeros_like(state.gradient)
        residual = -state.gradient
        direction = residual
        squared = float(residual @ residual)
        goal = accuracy**2 * squared
        for _ in range(2 * len(step) + 10):
            _, product, _ = self._pairs(state.scores, state.order, self._times(direction))
            curved = direction + 2.0 * self.C * self._transposed(product)
            length = squared / float(direction @ curved)
            step += length * direction
            residual = residual - length * curved
            previous, squared = squared, float(residual @ residual)
            if squared <= goal:
                break
            direction = residual + (squared / previous) * direction
        return step

    def search(self, state: _State, step: Vector) -> _State:
        """Take the whole step, or half of it, or a quarter, ...: the first that lowers the objective enough."""
        moved, slope = self._times(step), float(state.gradient @ step)
        length = 1.0
        while True:
            trial = self.at(state.w + length * step, state.scores + length * moved)
            if trial.value <= state.value + _SUFFICIENT * length * slope or length < _SHORTEST:
                return trial
            length /= 2.0


@compiled(signatures.void(FLOATS, INDEX, OUT_INDEX))
def _sort_queries(scores: Vector, offsets: NDArray[np.int64], order: NDArray[np.int64]) -> None:
    """Rows of each query by ascending score; of equals the first row."""
    for q in range(offsets.size - 1):
        start = offsets[q]
        order[start : offsets[q + 1]] = start + np.argsort(scores[start : offsets[q + 1]], kind="mergesort")


@compiled(signatures.float64(LABELS, FLOATS, INDEX, INDEX, signatures.int64, FLOATS, OUT_FLOATS, OUT_FLOATS))
def _active_pairs(
    labels: NDArray[np.int32],
    scores: Vector,
    order: NDArray[np.int64],
    offsets: NDArray[np.int64],
    n_labels: int,
    u: Vector,
    product: Vector,
    balance: Vector,
) -> float:
    """Sums over the active pairs (better, worse): those with score of better − score of worse < 1.

    Adds to ``product`` Σ (u_own − u_other) over a document's active pairs, to ``balance`` the number in which it is
    the worse one less that in which it is the better one; returns the number of active pairs. ``order`` sorts each
    query by ascending score, so for each label two pointers that only move one way see all pairs.
    """
    active = 0.0
    for q in range(offsets.size - 1):
        start = offsets[q]
        stop = offsets[q + 1]
        for label in range(1, n_labels):
            present = False
            for i in range(start, stop):
                present = present or labels[i] == label
            if not present:
                continue
            # The better documents from the best score down; ever more of the worse ones come within reach.
            pointer = stop - 1
            count = 0
            total = 0.0
            for place in range(stop - 1, start - 1, -1):
                i = order[place]
                if labels[i] != label:
                    continue
                while pointer >= start and scores[i] - scores[order[pointer]] < 1.0:
                    j = order[pointer]
                    if labels[j] < label:
                        count += 1
                        total += u[j]
                    pointer -= 1
                product[i] += count * u[i] - total
                balance[i] -= count
                active += count
            # The worse documents from the lowest score up; ever more of the better ones come within reach.
            pointer = start
            count = 0
            total = 0.0
            for place in range(start, stop):
                j = order[place]
                if labels[j] >= label:
                    continue
                while pointer < stop and scores[order[pointer]] - scores[j] < 1.0:
                    i = order[pointer]
                    if labels[i] == label:
                        count += 1
                        total += u[i]
                    pointer += 1
                product[j] += count * u[j] - total
                balance[j] += count
    return active
