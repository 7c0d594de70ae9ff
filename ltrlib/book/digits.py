"""Numbers as papers print them: as many digits as mean something, the error in brackets."""

from __future__ import annotations

import math

__all__ = ["measured", "number"]


def measured(value: float, error: float, *, digits: int = 2) -> str:
    """A value with its standard error in units of the last digit, the error to two digits.

    Examples
    --------
    >>> measured(0.71722, 0.0115), measured(12.3, 1.24), measured(0.5, 0.0), measured(1234.4, 160)
    ('0.717(12)', '12.3(12)', '0.5', '1,234(160)')
    """
    if not error > 0 or not math.isfinite(error):
        return number(value)
    decimals = max(0, digits - 1 - math.floor(math.log10(error)))
    shown = round(error * 10**decimals)
    if shown >= 10**digits and decimals:
        decimals, shown = decimals - 1, round(error * 10 ** (decimals - 1))
    return f"{value:,.{decimals}f}({shown})"


def number(value: float, digits: int = 4) -> str:
    """A number with so many decimals at most, without idle zeros, with a minus sign that is one.

    Examples
    --------
    >>> number(0.25), number(-12_000.0), number(3.14159)
    ('0.25', '−12,000', '3.1416')
    """
    text = f"{value:,.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.replace("-", "−")
