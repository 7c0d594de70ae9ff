"""How DirectRanker learns: costs, dropout, and many steps of Adam in one compiled loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ltrlib.rankers.network import forward, layers

__all__ = ["COSTS", "DICE", "Cost", "Output", "compiled_steps", "kernel_mask", "normal_weights", "pair_cost"]

DICE = 256
"""Dropout throws dice with so many sides: a unit falls out where one shows less than the share to be dropped."""

Cost = Literal["squared", "unit", "weighted", "upper", "cross entropy"]
Output = Literal["tanh", "identity"]

COSTS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "squared": lambda output, upper, lower: (upper - lower - output) ** 2,
    "unit": lambda output, upper, lower: (1 - output) ** 2,
    "weighted": lambda output, upper, lower: upper * (1 - output) ** 2,
    "upper": lambda output, upper, lower: (upper - output) ** 2,
}
"""Cost of a pair from the output and the labels of the better and the worse document; the cross entropy is apart."""


def pair_cost(difference: Any, upper: Any, lower: Any, *, cost: str, output: str) -> Any:
    """Cost of pairs, given half the difference of their scores and their labels, in JAX arrays.

    With the output tanh(d) of half a score difference d, the probability (1 + tanh d) / 2 is the logistic function of
    the whole difference: its cross entropy is RankNet's.

    Examples
    --------
    >>> round(float(pair_cost(0.5, 1.0, 0.0, cost="squared", output="tanh")), 4)  # (1 - tanh 0.5)^2
    0.2893
    >>> round(float(pair_cost(0.5, 1.0, 0.0, cost="cross entropy", output="tanh")), 4)  # log(1 + exp(-1))
    0.3133
    """
    import jax
    from jax import numpy as jnp

    if cost == "cross entropy":
        return jax.nn.softplus(-2 * jnp.asarray(difference))
    return COSTS[cost](jnp.tanh(difference) if output == "tanh" else difference, upper, lower)


def normal_weights(rng: np.random.Generator, sizes: Sequence[int]) -> NDArray[np.float32]:
    """Draw all matrices from the standard normal distribution; biases are 0.

    Examples
    --------
    >>> normal_weights(np.random.default_rng(0), (46, 10, 1)).shape
    (480,)
    """
    mask = kernel_mask(sizes)
    return np.where(mask > 0, rng.normal(size=len(mask)), 0.0).astype(np.float32)


def kernel_mask(sizes: Sequence[int]) -> NDArray[np.float32]:
    """1 for each weight of a matrix, 0 for each bias.

    Examples
    --------
    >>> kernel_mask((2, 1, 1))
    array([1., 1., 0., 1.], dtype=float32)
    """
    parts = []
    for inputs, outputs in pairwise(sizes):
        parts += [np.ones(inputs * outputs, np.float32), np.zeros(outputs, np.float32)]
    return np.concatenate(parts[:-1])


@lru_cache(maxsize=64)
def compiled_steps(
    sizes: tuple[int, ...], *, cost: str, output: str, dropout: bool
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Make the function that trains for as many steps as it is given batches, and the one that starts Adam's moments.

    All numbers are arguments, so that fits that differ in seed, rate, penalty or data of one shape share a compilation.
    """
    import jax
    import optax  # type: ignore[import-untyped]
    from jax import numpy as jnp

    adam = optax.scale_by_adam()
    mask = kernel_mask(sizes)

    def scores(weights: Any, inputs: Any, dropped: Any, dice: Any) -> Any:
        if not dropout:
            return forward(weights, sizes, inputs, jnp)
        *hidden, (last, _) = layers(weights, sizes)
        values, start = inputs, 0
        for matrix, bias in hidden:
            values = jnp.tanh(values @ matrix + bias)
            kept = dice[..., start : start + len(bias)] >= dropped
            values = jnp.where(kept, values / (1 - dropped / DICE), 0.0)
            start += len(bias)
        return (values @ last)[..., 0]

    def batch_cost(weights: Any, batch: Any, data: Any) -> Any:
        rows, emphasis, _, dice = batch
        better, worse = scores(weights, data["inputs"][rows], data["dropped"], dice)
        upper, lower = data["labels"][rows]
        costs = pair_cost((better - worse) / 2, upper, lower, cost=cost, output=output)
        penalty = data["l2"] / 2 * jnp.sum(mask * weights**2)
        # Where no pair of a batch counts, nothing is to be learnt from it.
        return jnp.sum(emphasis * costs) / jnp.maximum(jnp.sum(emphasis), 1e-12) + penalty

    def train(weights: Any, moments: Any, batches: Any, data: Any) -> Any:
        def step(state: Any, batch: Any) -> Any:
            weights, moments = state
            value, gradient = jax.value_and_grad(batch_cost)(weights, batch, data)
            update, moments = adam.update(gradient, moments)
            return (weights - batch[2] * update, moments), value

        (weights, moments), values = jax.lax.scan(step, (weights, moments), batches)
        return weights, moments, values

    return jax.jit(train), adam.init
