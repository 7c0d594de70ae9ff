"""A small feed-forward network whose weights are one vector: easy to train, to copy and to save.

The output has no bias: it would move all scores alike, so nothing but rounding errors would ever train it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["forward", "initial_weights", "layers", "start_jax"]


def initial_weights(rng: np.random.Generator, sizes: Sequence[int]) -> NDArray[np.float32]:
    """Draw weights uniformly with Glorot and Bengio's variance 2 / (inputs + outputs); biases are 0.

    Examples
    --------
    >>> initial_weights(np.random.default_rng(0), (46, 10, 1)).shape  # 46 x 10 + 10 + 10 x 1
    (480,)
    """
    parts = []
    for inputs, outputs in pairwise(sizes):
        limit = np.sqrt(6.0 / (inputs + outputs))
        parts += [rng.uniform(-limit, limit, inputs * outputs), np.zeros(outputs)]
    return np.concatenate(parts[:-1]).astype(np.float32)


def layers(weights: Any, sizes: Sequence[int]) -> Iterator[tuple[Any, Any]]:
    """Cut the vector into matrix and bias of each layer; the bias of the output is empty.

    Examples
    --------
    >>> [(matrix.shape, bias.shape) for matrix, bias in layers(np.arange(480), (46, 10, 1))]
    [((46, 10), (10,)), ((10, 1), (0,))]
    """
    start = 0
    for inputs, outputs in pairwise(sizes):
        middle, stop = start + inputs * outputs, start + (inputs + 1) * outputs
        yield weights[start:middle].reshape(inputs, outputs), weights[middle:stop]
        start = stop


def forward(weights: Any, sizes: Sequence[int], inputs: Any, module: Any = np) -> Any:
    """Output of the network (tanh in the hidden layers) for each row of ``inputs``.

    Parameters
    ----------
    weights, sizes
        The weights, and the number of units of each layer from the features to the single output.
    inputs
        Features; any number of leading dimensions.
    module
        ``numpy``, or ``jax.numpy`` to train.

    Examples
    --------
    >>> forward(np.array([2.0, 1.0]), (2, 1), np.array([[1.0, 0.0], [0.0, 1.0]]))
    array([2., 1.])
    """
    *hidden, (output, _) = layers(weights, sizes)
    values = inputs
    for matrix, bias in hidden:
        values = module.tanh(values @ matrix + bias)
    return (values @ output)[..., 0]


@cache
def start_jax() -> None:
    """Let JAX compute on one thread, if it has not started yet and NPROC does not say otherwise.

    With several threads sums are split by the number of cores, so the same seed gives other last bits on another
    machine; and for networks as small as these, threads cost more than they bring.
    """
    import jax

    if "NPROC" in os.environ:
        return
    os.environ["NPROC"] = "1"  # looked at once, when the first device is asked for
    try:
        jax.devices()
    finally:
        del os.environ["NPROC"]
