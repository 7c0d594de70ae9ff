"""A small feed-forward network whose weights are one vector: easy to train, to copy and to save."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["forward", "initial_weights", "layers"]


def initial_weights(rng: np.random.Generator, sizes: Sequence[int]) -> NDArray[np.float32]:
    """Draw weights uniformly with Glorot and Bengio's variance 2 / (inputs + outputs); biases are 0.

    Examples
    --------
    >>> initial_weights(np.random.default_rng(0), (46, 10, 1)).shape  # 46 x 10 + 10 + 10 x 1 + 1
    (481,)
    """
    parts = []
    for inputs, outputs in pairwise(sizes):
        limit = np.sqrt(6.0 / (inputs + outputs))
        parts += [rng.uniform(-limit, limit, inputs * outputs), np.zeros(outputs)]
    return np.concatenate(parts).astype(np.float32)


def layers(weights: Any, sizes: Sequence[int]) -> Iterator[tuple[Any, Any]]:
    """Cut the vector into matrix and bias of each layer.

    Examples
    --------
    >>> [(matrix.shape, bias.shape) for matrix, bias in layers(np.arange(481), (46, 10, 1))]
    [((46, 10), (10,)), ((10, 1), (1,))]
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
    >>> forward(np.array([2.0, 1.0, 0.5]), (2, 1), np.array([[1.0, 0.0], [0.0, 1.0]]))
    array([2.5, 1.5])
    """
    values = inputs
    last = len(sizes) - 2
    for number, (matrix, bias) in enumerate(layers(weights, sizes)):
        values = values @ matrix + bias
        if number < last:
            values = module.tanh(values)
    return values[..., 0]
