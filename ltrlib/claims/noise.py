"""The one interval: whatever a page draws or a rule judges by, half its width comes from here.

So does what an interval can tell (:func:`decide`), the spread of a few seeds pooled over folds
(:func:`pooled_deviation`), and how many comparisons are made at once (:class:`Family`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args, overload

from ltrlib.errors import ClaimError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["CONFIDENCE", "Claimed", "Family", "all_of", "any_of", "decide", "half_width", "pooled_deviation"]

CONFIDENCE = 0.95
"""Level of every interval."""

Claimed: TypeAlias = Literal[
    "higher", "lower", "much higher", "much lower", "not lower", "not higher", "equal", "different"
]
"""What a paper can say of a difference; :func:`decide` says when it holds."""


@overload
def half_width(standard_error: float, degrees: int, comparisons: int = 1) -> float: ...
@overload
def half_width(standard_error: ArrayLike, degrees: ArrayLike, comparisons: int = 1) -> NDArray[np.float64]: ...
def half_width(standard_error: Any, degrees: Any, comparisons: int = 1) -> Any:
    """Half the width of the interval around a mean, by Student's t.

    Parameters
    ----------
    standard_error
        Of the mean; one, or an array of them.
    degrees
        Degrees of freedom of the standard error.
    comparisons
        So many intervals hold at once (Bonferroni); see :class:`Family`.

    Examples
    --------
    >>> round(half_width(1.0, 4), 3), half_width([1.0, 2.0], 1000).round(2)
    (2.776, array([1.96, 3.92]))
    >>> round(half_width(1.0, 1000, comparisons=10), 2)
    2.81
    """
    import numpy as np
    from scipy.stats import t

    width = t.ppf(1 - (1 - CONFIDENCE) / 2 / comparisons, degrees) * np.asarray(standard_error)
    return float(width) if np.ndim(width) == 0 else np.asarray(width)


@dataclass(frozen=True)
class Family:
    """Comparisons that are made at once: declared once per study, shown on its page.

    A difference that belongs to a family is judged by an interval that holds for all of its members together.

    Parameters
    ----------
    name
        Such as ``busafekete2012/training``.
    words
        What is compared with what.
    comparisons
        How many comparisons.

    Examples
    --------
    >>> family = Family("busafekete2012/training", "three learners, each under LETOR and under RANKLIB", 3)
    >>> family.holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """

    name: str
    words: str
    comparisons: int

    def __post_init__(self) -> None:
        if self.comparisons < 1:
            raise ClaimError(f"the family {self.name} has no comparison")

    def holm(self, p_values: Sequence[float]) -> list[float]:
        """The p-values of all members, corrected by Holm's method."""
        from ltrlib.metrics.significance import holm

        if len(p_values) != self.comparisons:
            raise ClaimError(
                f"the family {self.name} has {self.comparisons} comparisons, {len(p_values)} p-values were given",
                cure="give those of all members; a family is declared once, for the whole study",
            )
        return [float(p) for p in holm(p_values)]


def pooled_deviation(groups: Iterable[Sequence[float]]) -> tuple[float, int]:
    """Standard deviation within groups that is taken to be the same in all, and its degrees of freedom.

    A few seeds of one fold give a bad deviation; those of all folds together a good one.

    Examples
    --------
    >>> deviation, degrees = pooled_deviation([[1.0, 3.0], [10.0, 12.0], [5.0, 7.0]])
    >>> round(deviation, 4), degrees
    (1.4142, 3)
    """
    squares, degrees = 0.0, 0
    for group in groups:
        mean = math.fsum(group) / len(group)
        squares += math.fsum((value - mean) ** 2 for value in group)
        degrees += len(group) - 1
    if degrees < 1:
        raise ClaimError("a spread needs a group of at least two values", cure="repeat with other seeds")
    return math.sqrt(squares / degrees), degrees


def decide(interval: tuple[float, float], claimed: Claimed, margin: float) -> bool | None:
    """What an interval says about a claimed difference: it holds, it does not, or (None) that cannot be told.

    ======================  =================================  ======================================
    claimed                 holds                              does not hold
    ======================  =================================  ======================================
    higher                  all of the interval is above 0     all of it is below the margin
    much higher             all is above the margin            all is below the margin
    not lower               all is above minus the margin      all is below minus the margin
    equal                   all is within the margin           all is beyond it, on one side
    different               0 is not in it                     all is within the margin
    ======================  =================================  ======================================

    The first that applies counts. Lower, much lower and not higher are the same, mirrored. An interval at
    :data:`CONFIDENCE` within the margin is a test of equivalence at half the usual level, so a stricter one.

    Parameters
    ----------
    interval
        In which the true difference lies.
    claimed
        What the paper says.
    margin
        Half of the effect claimed, or the paper's own printed spread: what the paper itself would call small.

    Examples
    --------
    >>> [decide(interval, "higher", 0.1) for interval in ((0.01, 0.3), (-0.2, 0.3), (-0.2, 0.05))]
    [True, None, False]
    >>> [decide(interval, "equal", 0.1) for interval in ((-0.05, 0.08), (-0.05, 0.2), (0.12, 0.2))]
    [True, None, False]
    """
    if claimed not in get_args(Claimed):
        raise ClaimError(f"a difference cannot be {claimed!r}", cure=f"choose one of {', '.join(get_args(Claimed))}")
    if not 0 <= margin < math.inf:
        raise ClaimError(f"a margin of {margin} is none")
    if margin == 0 and claimed in ("equal", "different", "much higher", "much lower"):
        raise ClaimError(f"to find a difference {claimed} needs a margin", cure="take one from the paper's numbers")
    low, high = interval
    if not low <= high:
        raise ClaimError(f"not an interval: {interval}")
    if claimed in ("lower", "much lower", "not higher"):
        low, high = -high, -low
    if claimed in ("higher", "lower"):
        holds, fails = low > 0, high <= margin
    elif claimed in ("much higher", "much lower"):
        holds, fails = low > margin, high <= margin
    elif claimed in ("not lower", "not higher"):
        holds, fails = low >= -margin, high < -margin
    elif claimed == "equal":
        holds, fails = -margin <= low and high <= margin, low > margin or high < -margin
    else:
        holds, fails = low > 0 or high < 0, -margin <= low and high <= margin
    return True if holds else False if fails else None


def all_of(findings: Iterable[bool | None]) -> bool | None:
    """Whether all hold, where some may be undecided (None).

    Examples
    --------
    >>> all_of([True, None]), all_of([True, None, False]), all_of([True, True])
    (None, False, True)
    """
    found = list(findings)
    return False if False in found else None if None in found else True


def any_of(findings: Iterable[bool | None]) -> bool | None:
    """Whether at least one holds, where some may be undecided (None).

    Examples
    --------
    >>> any_of([False, None]), any_of([True, None, False]), any_of([False, False])
    (None, True, False)
    """
    found = list(findings)
    return True if True in found else None if None in found else False
