"""DirectRanker that may also train on pairs of equal class, whose output should be 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError
from ltrlib.rankers.base import need_preferences
from ltrlib.rankers.directranker import DirectRanker
from ltrlib.rankers.directranker.pairs import ClassPairs, class_pairs, draw_pairs, growing
from ltrlib.rankers.directranker.training import DICE, compiled_steps, normal_weights
from ltrlib.rankers.network import start_jax

__all__ = ["EqualPairs", "with_equal_pairs"]


def with_equal_pairs(source: ClassPairs) -> ClassPairs:
    """Let each class of a query meet itself too, beside the pairs of classes that meet already.

    Examples
    --------
    >>> source = class_pairs(np.array([1, 0, 2, 0, 0, 0]), np.array([0, 4, 6]))
    >>> more = with_equal_pairs(source)
    >>> len(source.upper), len(more.upper), np.diff(more.offsets).tolist()
    (2, 5, [5])
    """
    meetings: list[tuple[int, int, int, int]] = []
    offsets = [0]
    for start, end in zip(source.offsets[:-1], source.offsets[1:], strict=True):
        columns = (source.upper, source.n_upper, source.lower, source.n_lower)
        known = [
            (int(a), int(b), int(c), int(d)) for a, b, c, d in zip(*(one[start:end] for one in columns), strict=True)
        ]
        classes = sorted(
            {one for upper, n_upper, lower, n_lower in known for one in ((upper, n_upper), (lower, n_lower))}
        )
        meetings += [(a, b, c, d) for a, b, c, d in known] + [(begin, size, begin, size) for begin, size in classes]
        offsets.append(len(meetings))
    upper, n_upper, lower, n_lower = np.array(meetings, np.int64).reshape(-1, 4).T
    return ClassPairs(source.rows, np.array(offsets, np.int64), upper, n_upper, lower, n_lower)


@dataclass(eq=False, kw_only=True)
class EqualPairs(DirectRanker):
    """DirectRanker as the authors train it, with pairs of equal class on demand.

    Parameters
    ----------
    equal
        Whether documents of one class meet as well; the squared cost then asks for an output of 0.

    Notes
    -----
    The other parameters are those of :class:`~ltrlib.rankers.DirectRanker`; without ``equal`` both give the same bits.
    """

    equal: bool = False

    def _fit(self, train: RankingData, vali: RankingData | None) -> None:
        self._check()
        if self.emphasis != "none" or self.patience is not None or self.initial != "normal":
            raise UsageError("only the authors' training is known here", where="EqualPairs")
        need_preferences(train, "EqualPairs")
        start_jax()
        from jax import numpy as jnp

        self._find_scale(train)
        self.sizes_ = [train.n_features, *map(int, self.hidden), 1]
        rng = np.random.default_rng(self.seed)
        weights: Any = normal_weights(rng, self.sizes_)
        train_steps, moments = compiled_steps(
            tuple(self.sizes_), cost=self.cost, output=self.output, dropout=self.dropout > 0
        )
        state = moments(weights)
        data = {
            "inputs": jnp.asarray(self._inputs(train.features)),
            "labels": jnp.asarray(train.labels.astype(np.float32)),
            "dropped": jnp.float32(round(self.dropout * DICE)),
            "l2": jnp.float32(self.l2),
        }
        source = class_pairs(train.labels, train.query_offsets, which=self.classes)
        source = with_equal_pairs(source) if self.equal else source
        queries, pairs = (growing(*ends, self.steps) for ends in (self.queries, self.pairs))
        rates = self.learning_rate * self.decay ** (np.arange(self.steps) // self.decay_every)
        for start in range(0, self.steps, self.look_every):
            now = slice(start, min(start + self.look_every, self.steps))
            batches = draw_pairs(rng, source, queries[now], pairs[now])
            throws = sum(self.hidden) if self.dropout else 0
            dice = rng.integers(0, DICE, (*batches.rows.shape, throws), np.uint8)
            batch = (batches.rows, batches.real, rates[now].astype(np.float32), dice)
            weights, state, _ = train_steps(weights, state, batch, data)
        self.weights_, self.best_step_ = np.array(weights), self.steps
