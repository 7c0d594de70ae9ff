"""A number as it is printed: its digits say how exactly it is known."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple, Self, TypeAlias

from ltrlib.errors import RecordError

__all__ = ["Bounds", "Number", "Printed"]

Number: TypeAlias = int | float | Fraction

_FORM = re.compile(
    r"""(?P<sign>[-+−]?) (?P<currency>\$?)
        (?P<whole>\d{1,3}(?:,\d{3})+|\d+) (?:\.(?P<decimals>\d+))?
        (?:\((?P<error>\d+)\))? (?P<unit>\ ?[%k])?""",
    re.VERBOSE,
)
_UNITS = {"": Fraction(1), "%": Fraction(1, 100), "k": Fraction(1000)}
_WORDS = {"three": 3, "four": 4, "six": 6, "eight": 8, "thousand": 1000}

# A number that we computed in binary floating point misses a decimal tie by some units of its last bit; this much of
# the printed unit is that, and nothing that a reader could see.
_BINARY_NOISE = Fraction(1, 10**9)


class Bounds(NamedTuple):
    """A value and the range from which rounding brings it to what is printed.

    Examples
    --------
    >>> Printed.parse("0.25").bounds
    Bounds(value=0.25, low=0.245, high=0.255)
    """

    value: float
    low: float
    high: float


@lru_cache(maxsize=10_000)
def _parsed(text: str) -> tuple[Fraction, Fraction, Fraction | None] | None:
    """Number, unit of the last digit and error in brackets; None for what is no printed number."""
    if text in _WORDS:
        return Fraction(_WORDS[text]), Fraction(1), None
    match = _FORM.fullmatch(text)
    if match is None:
        return None
    decimals = match["decimals"] or ""
    unit = _UNITS[(match["unit"] or "").strip()] / 10 ** len(decimals)
    digits = int(match["whole"].replace(",", "") + decimals)
    sign = -1 if match["sign"] in ("-", "−") else 1
    return sign * digits * unit, unit, None if match["error"] is None else int(match["error"]) * unit


@dataclass(frozen=True)
class Printed:
    """A number as printed, made by :meth:`parse`.

    A percent sign divides by a hundred, ``k`` multiplies by a thousand; both scale the unit of the last digit too.
    Digits in brackets are a standard error in units of the last digit.

    Parameters
    ----------
    text
        The characters on the page.
    exact
        The number that they denote.
    unit
        The value of one step in the last printed digit.
    error
        The standard error in brackets, if there is one.
    address
        Table, row and column where it stands, for a number that was taken from a table.

    Examples
    --------
    >>> ndcg = Printed.parse("0.720(12)")
    >>> ndcg.value, ndcg.last_place, ndcg.standard_error
    (0.72, 0.001, 0.012)
    >>> Printed.parse("3,771 k").value, Printed.parse("64%").bounds
    (3771000.0, Bounds(value=0.64, low=0.635, high=0.645))
    """

    text: str
    exact: Fraction
    unit: Fraction
    error: Fraction | None = None
    address: tuple[str, str, str] | None = field(default=None, compare=False, repr=False)

    @classmethod
    def parse(cls, text: str, *, where: str | None = None, address: tuple[str, str, str] | None = None) -> Self:
        """Read a printed number; some whole numbers may be words.

        Examples
        --------
        >>> Printed.parse("eight").value
        8.0
        >>> Printed.parse("0,25")
        Traceback (most recent call last):
        ...
        ltrlib.errors.RecordError: '0,25' is not a printed number
          to do: write it like 0.25, 1,234, 0.720(12), 64%, 883 k or $8,000
        """
        parsed = _parsed(text)
        if parsed is None:
            raise RecordError(
                f"{text!r} is not a printed number",
                where=where,
                cure="write it like 0.25, 1,234, 0.720(12), 64%, 883 k or $8,000",
            )
        return cls(text, *parsed, address)

    def __str__(self) -> str:
        return self.text

    @cached_property
    def value(self) -> float:
        """The number."""
        return float(self.exact)

    @property
    def last_place(self) -> float:
        """The value of one step in the last printed digit."""
        return float(self.unit)

    @property
    def standard_error(self) -> float | None:
        """The standard error in brackets, if there is one."""
        return None if self.error is None else float(self.error)

    @property
    def bounds(self) -> Bounds:
        """The value with the half unit on both sides that rounding to the printed digits allows."""
        return Bounds(self.value, float(self.exact - self.unit / 2), float(self.exact + self.unit / 2))

    @property
    def error_bounds(self) -> Bounds:
        """The same for the standard error in brackets."""
        if self.error is None:
            raise RecordError(f"{self.text!r} has no standard error in brackets")
        low = max(self.error - self.unit / 2, Fraction(0))
        return Bounds(float(self.error), float(low), float(self.error + self.unit / 2))

    def agrees(self, ours: Number) -> bool:
        """Whether our number, rounded to the printed digits, is the printed one; a tie may have gone either way.

        Examples
        --------
        >>> Printed.parse("0.12").agrees(0.1249), Printed.parse("0.12").agrees(Fraction(1, 8))
        (True, True)
        >>> Printed.parse("0.12").agrees(0.1251)
        False
        """
        return abs(Fraction(ours) - self.exact) <= self.unit * (Fraction(1, 2) + _BINARY_NOISE)

    def overlaps(self, low: float, high: float) -> bool:
        """Whether any number that rounds to the printed one lies between two bounds.

        Examples
        --------
        >>> Printed.parse("0.12").overlaps(0.1249, 0.2), Printed.parse("0.12").overlaps(0.1251, 0.2)
        (True, False)
        """
        return self.bounds.high >= low and self.bounds.low <= high

    def error_agrees(self, ours: Number) -> bool:
        """Whether our standard error rounds to the one in brackets.

        Examples
        --------
        >>> Printed.parse("0.720(12)").error_agrees(0.0122)
        True
        """
        if self.error is None:
            raise RecordError(f"{self.text!r} has no standard error in brackets")
        return abs(Fraction(ours) - self.error) <= self.unit * (Fraction(1, 2) + _BINARY_NOISE)

    def like(self, ours: Number) -> str:
        """Write our number in the form of the printed one, with as many digits.

        Examples
        --------
        >>> Printed.parse("883 k").like(882_747), Printed.parse("64%").like(0.637), Printed.parse("0.4").like(0.36)
        ('883 k', '64%', '0.4')
        """
        match = _FORM.fullmatch(self.text)
        unit = "" if match is None else match["unit"] or ""
        decimals = 0 if match is None else len(match["decimals"] or "")
        comma = "," if match is not None and "," in match["whole"] else ""
        currency = "" if match is None else match["currency"]
        scaled = Fraction(ours) / _UNITS[unit.strip()]
        rounded = (Decimal(scaled.numerator) / Decimal(scaled.denominator)).quantize(
            Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_EVEN
        )
        return f"{'-' if rounded < 0 else ''}{currency}{abs(rounded):{comma}.{decimals}f}{unit}"
