"""A number as it was printed: what rounds to it, and what was cut off to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from ltrlib.errors import UsageError

__all__ = ["Printed"]

_SLACK = 1e-12  # a mean on the border of two roundings may have been rounded either way
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?", re.ASCII)
_LONGEST = 40  # characters of a number


@dataclass(frozen=True)
class Printed:
    """A number as it was printed: its digits say how exactly it is known.

    Examples
    --------
    >>> Printed.read("0.4970"), Printed.read("49.7%")
    (Printed(value=0.497, digits=4), Printed(value=0.497, digits=3))
    >>> Printed.read("0.4973").fits(0.49734), Printed.read("0.4973").fits(0.49736)
    (True, False)
    """

    value: float
    digits: int

    @classmethod
    def read(cls, text: str | float, *, share: bool = True) -> Printed:
        """Read a number, or a percentage; what is above 1 can only be a percentage if the metric is a share."""
        written = str(text).strip()
        bare = written.removesuffix("%").strip()
        if len(bare) > _LONGEST or not _NUMBER.fullmatch(bare):
            raise UsageError(f"{written[:40]!r} is not a number", cure="write it as it was printed: 0.4973 or 49.73%")
        number = Decimal(bare)
        exponent = int(number.as_tuple().exponent)
        digits = max(-exponent, 0)
        if written.endswith("%") or (share and number > 1):
            number, digits = number / 100, digits + 2
        if number < 0 or (share and number > 1):
            raise UsageError(f"{written[:40]!r} is no value of such a metric", cure="give a number from 0 to 1")
        return cls(float(number), digits)

    @property
    def half(self) -> float:
        """Half a unit of the last digit."""
        return float(0.5 * 10.0**-self.digits)

    def fits(self, value: float) -> bool:
        """Whether a value could have been rounded to this number."""
        return abs(value - self.value) <= self.half + _SLACK

    def cut_from(self, value: float) -> bool:
        """Whether cutting off the further digits of a value, instead of rounding, gives this number.

        Examples
        --------
        >>> Printed.read("0.4973").cut_from(0.49738), Printed.read("0.4973").cut_from(0.4974)
        (True, False)
        """
        return self.value <= value + _SLACK < self.value + 2.0 * self.half
