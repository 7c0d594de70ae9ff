"""What a claim hands in to be judged: a value, a statement or an order, and our numbers with their spread."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ltrlib.claims.noise import half_width
from ltrlib.errors import ClaimError
from ltrlib.published.printed import Bounds, Number, Printed

__all__ = ["Cell", "Conclusion", "Measured", "Order", "Ours", "Statement", "Value", "reach"]


@dataclass(frozen=True)
class Measured:
    """Our number with its spread over seeds, folds or queries.

    Parameters
    ----------
    value
        The mean.
    standard_error
        Its standard error.
    degrees
        Degrees of freedom of the standard error.

    Examples
    --------
    >>> Measured.over([1.0, 3.0])
    Measured(value=2.0, standard_error=1.0, degrees=1)
    """

    value: float
    standard_error: float
    degrees: int

    @classmethod
    def over(cls, values: Sequence[float]) -> Measured:
        """Mean and standard error of repeated measurements.

        Examples
        --------
        >>> Measured.over([0.5])
        Traceback (most recent call last):
        ...
        ltrlib.errors.ClaimError: a spread needs at least two values
          to do: repeat with other seeds, folds or queries
        """
        if len(values) < 2:
            raise ClaimError("a spread needs at least two values", cure="repeat with other seeds, folds or queries")
        mean = math.fsum(values) / len(values)
        variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
        return cls(mean, math.sqrt(variance / len(values)), len(values) - 1)

    def interval(self, other_error: float = 0.0) -> tuple[float, float]:
        """The range in which the true mean lies, as the rules see it.

        Parameters
        ----------
        other_error
            Standard error of what it is compared with, such as one that a paper printed.

        Examples
        --------
        >>> low, high = Measured.over([0.4, 0.5, 0.6]).interval()
        >>> round(low, 3), round(high, 3)
        (0.252, 0.748)
        """
        half = half_width(math.hypot(self.standard_error, other_error), self.degrees)
        return self.value - half, self.value + half


Ours: TypeAlias = Number | Bounds | Measured
"""A number that does not vary, one computed from rounded numbers, or one that was measured repeatedly."""


def reach(function: Callable[..., float], *inputs: Bounds) -> Bounds:
    """Compute a number from printed ones, and the range it can take within their rounding.

    The range is that of the corners, which is right for a function that is monotone in each input.

    Parameters
    ----------
    function
        Takes as many numbers as there are inputs.
    inputs
        ``printed.bounds`` or ``printed.error_bounds``.

    Examples
    --------
    >>> share = reach(lambda a, b: a / b, Printed.parse("1").bounds, Printed.parse("4").bounds)
    >>> share.value, round(share.low, 3), round(share.high, 3)
    (0.25, 0.111, 0.429)
    """
    corners = [function(*corner) for corner in itertools.product(*((b.low, b.high) for b in inputs))]
    return Bounds(function(*(b.value for b in inputs)), min(corners), max(corners))


@dataclass(frozen=True)
class Conclusion:
    """What the paper concludes from a number; it may hold for ours though the value is off.

    Examples
    --------
    >>> Conclusion("the difference is positive", lambda difference: difference > 0).words
    'the difference is positive'
    """

    words: str
    holds: Callable[[float], bool]


@dataclass(frozen=True)
class Value:
    """A printed number and ours.

    Parameters
    ----------
    published
        As printed.
    ours
        A plain number, one with its reach, or one with its spread.
    name
        Which of several cells this is.
    conclusion
        What must hold for ours if the value is off.
    better
        Which direction is better; a value beyond the interval in that direction is flagged, not passed.

    Examples
    --------
    >>> Value(Printed.parse("24"), 24.35).published.agrees(24.35)
    True
    """

    published: Printed
    ours: Ours
    name: str = ""
    conclusion: Conclusion | None = None
    better: Literal["higher", "lower"] | None = None


@dataclass(frozen=True)
class Statement:
    """A published statement without a number of its own, and whether it holds.

    Parameters
    ----------
    holds
        Whether it does.
    witness
        What was found, in words and numbers.
    published
        What the paper says, in our words.
    name
        Which of several cells this is.

    Examples
    --------
    >>> Statement(3 % 2 == 0, "the total is 3", published="the total is even").holds
    False
    """

    holds: bool
    witness: str
    published: str
    name: str = ""


@dataclass(frozen=True)
class Order:
    """A published order of methods, and our values.

    Parameters
    ----------
    published
        Groups from best to worst; the order inside a group is left open.
    ours
        Value of each method; with spread, a reversed pair may be within noise.
    name
        Which of several cells this is.

    Examples
    --------
    >>> order = Order([["CA"], ["RankSVM", "RankBoost"]], {"CA": 0.5, "RankSVM": 0.4, "RankBoost": 0.45})
    >>> len(order.published)
    2
    """

    published: Sequence[Sequence[str]]
    ours: Mapping[str, Measured | Number]
    name: str = ""


Cell: TypeAlias = Value | Statement | Order
