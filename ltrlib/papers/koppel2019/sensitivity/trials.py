"""The trials of Figure 2 of Köppel et al. (2019): classes, features, label noise and training size, one at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from ltrlib.datasets.synthetic import Limits, Noise, SyntheticSettings
from ltrlib.errors import UsageError

__all__ = [
    "AXES",
    "DATA_SETS",
    "LARGE_NET_STEPS",
    "PAIRS",
    "STEPS",
    "Trial",
    "Variant",
    "grid",
    "thin_grid",
    "trials",
]

Variant = Literal["text", "code2022"]

STEPS = 3000
"""Training steps. The paper does not say how many; these are those of the authors' code of 2019 on LETOR data."""

PAIRS = 254
"""Pairs per step: the mean of the authors' runs on LETOR data (761,453 pairs in 3000 steps)."""

LARGE_NET_STEPS = 300
"""Training steps of the network of 2022, each of which takes several times as long."""

DATA_SETS = 5
"""Data sets of each point: the least that the paper's text asks for."""

_TEST_DOCS = 10_000


@dataclass(frozen=True)
class Trial:
    """One data set and one training.

    Parameters
    ----------
    variant
        Data, network and test as the paper's text describes them, or as the authors' code of 2022 has them.
    classes, features, documents
        Relevance classes, features, and documents of the training part.
    sigma, limits
        Noise on the labels of both parts; ``limits`` as in :class:`~ltrlib.datasets.synthetic.Noise`.
    output, initial, steps
        What the text leaves open about the training: activation of the output, initial weights, number of steps.
    seed
        Decides data, training and test lists.
    """

    variant: Variant = "text"
    classes: int = 5
    features: int = 70
    documents: int = 100_000
    sigma: float = 0.0
    limits: Limits = "open"
    output: Literal["tanh", "identity"] = "tanh"
    initial: Literal["normal", "glorot"] = "normal"
    steps: int = STEPS
    seed: int = 0

    def __post_init__(self) -> None:
        if self.variant not in get_args(Variant):
            raise UsageError(f"unknown variant: {self.variant!r}", cure=f"choose one of {', '.join(get_args(Variant))}")

    def settings(self) -> SyntheticSettings:
        """What the data are like.

        Examples
        --------
        >>> Trial("code2022").settings().deviations
        (50.0, 200.0)
        """
        plain = SyntheticSettings(self.classes, self.features, self.documents, _TEST_DOCS)
        if self.variant == "code2022":
            return replace(plain, deviations=(50.0, 200.0), noise=Noise(self.sigma, "truncated", "classes"))
        return replace(plain, noise=Noise(self.sigma, "nearest", self.limits))


AXES: Mapping[str, tuple[str, tuple[Any, ...]]] = {
    "classes": ("classes", tuple(range(2, 20))),
    "features": ("features", tuple(range(2, 98, 5))),
    "noise": ("sigma", tuple(sorted([*(tenth / 10 for tenth in range(11)), 0.25, 0.75]))),
    "size": ("documents", tuple(round(10 ** (half / 2)) for half in range(4, 14))),
}
"""What varies on each axis, and its points: those of the code of 2022, and the two noise levels of the text."""

_LINES: Mapping[str, tuple[Trial, ...]] = {
    "classes": (Trial(), Trial(features=40)),
    "features": (Trial(), Trial(classes=10)),
    "noise": (Trial(), Trial(limits="classes"), Trial("code2022", steps=LARGE_NET_STEPS)),
    "size": (Trial(), Trial(features=40)),
}
_HARD = Trial(classes=19, features=40)
_OPEN: tuple[dict[str, Any], ...] = (
    {},
    {"documents": 1_000_000},
    {"output": "identity"},
    {"initial": "glorot"},
    {"steps": 5 * STEPS},
)
"""What the text leaves open about the training, and more documents, changed one by one on the hardest data."""


def grid(axis: str) -> list[Trial]:
    """One trial per point of the recorded grid, without seeds; ``"open"`` is what the text leaves open about training.

    Examples
    --------
    >>> len(grid("classes")), {trial.features for trial in grid("classes")}
    (36, {40, 70})
    """
    if axis == "open":
        return [replace(_HARD, **change) for change in _OPEN]
    name, values = _axis(axis)
    return [replace(line, **{name: value}) for line in _LINES[axis] for value in values]


def _axis(axis: str) -> tuple[str, tuple[Any, ...]]:
    if axis not in AXES:
        raise UsageError(f"there is no axis {axis!r}", cure=f"choose one of {', '.join(AXES)}")
    return AXES[axis]


def trials(points: Sequence[Trial], *, data_sets: int = DATA_SETS, seed: int = 0) -> list[Trial]:
    """Every point on so many data sets; all points share the seeds.

    Examples
    --------
    >>> [trial.seed for trial in trials([Trial()], data_sets=2, seed=7)]
    [7, 8]
    """
    # Point after point: trials of one shape share a compilation.
    return [replace(point, seed=seed + number) for point in points for number in range(data_sets)]


def thin_grid(axis: str, *, points: int, data_sets: int, seed: int = 0, variant: Variant = "text") -> list[Trial]:
    """Trials at so many points of an axis, spread over it with both ends, on its first line.

    Examples
    --------
    >>> [trial.sigma for trial in thin_grid("noise", points=2, data_sets=1)]
    [0.0, 1.0]
    """
    name, values = _axis(axis)
    chosen = np.unique(np.linspace(0, len(values) - 1, points).round().astype(int))
    first = next((line for line in _LINES[axis] if line.variant == variant), Trial(variant, steps=LARGE_NET_STEPS))
    return trials([replace(first, **{name: values[i]}) for i in chosen], data_sets=data_sets, seed=seed)
