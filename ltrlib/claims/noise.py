"""The one interval: whatever a page draws or a rule judges by, half its width comes from here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["CONFIDENCE", "half_width"]

CONFIDENCE = 0.95
"""Level of every interval."""


@overload
def half_width(standard_error: float, degrees: int) -> float: ...
@overload
def half_width(standard_error: ArrayLike, degrees: ArrayLike) -> NDArray[np.float64]: ...
def half_width(standard_error: Any, degrees: Any) -> Any:
    """Half the width of the interval around a mean, by Student's t.

    Parameters
    ----------
    standard_error
        Of the mean; one, or an array of them.
    degrees
        Degrees of freedom of the standard error.

    Examples
    --------
    >>> round(half_width(1.0, 4), 3), half_width([1.0, 2.0], 1000).round(2)
    (2.776, array([1.96, 3.92]))
    """
    import numpy as np
    from scipy.stats import t

    width = t.ppf((1 + CONFIDENCE) / 2, degrees) * np.asarray(standard_error)
    return float(width) if np.ndim(width) == 0 else np.asarray(width)
