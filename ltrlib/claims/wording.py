"""Reasons in words: what was published, what ours is, and what lies between; no verdict is named here."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ltrlib.claims.cells import Difference, Measured, Ours, Statement, Value
from ltrlib.claims.noise import CONFIDENCE, Claimed
from ltrlib.published.printed import Bounds, Number, Printed

__all__ = ["difference_reason", "number", "order_reason", "signed", "signed_range", "statement_reason", "value_reason"]

_LISTED = 5
_MOST_DECIMALS = 6


def value_reason(
    cell: Value, interval: tuple[float, float] | None, margin: tuple[float | None, str], *, equal: bool, own: bool
) -> str:
    """Published and ours of a number, with the range that rounding or chance allows.

    Examples
    --------
    >>> sigma = Value(Printed.parse("3.2"), Bounds(4.119, 3.795, 4.479), source="Table 1")
    >>> value_reason(sigma, (3.795, 4.479), (None, ""), equal=False, own=True)
    'published 3.2; from Table 1 follows 4.119 (3.795 to 4.479 within rounding)'
    """
    published, ours = cell.published, cell.ours
    source = cell.source or ("its own numbers" if own else "")
    follows = f"from {source} follows" if source else "ours is"
    shown = number(published, ours)
    if isinstance(ours, Bounds) and interval is not None and interval[0] != interval[1]:
        shown += f" ({_range(published, interval)} within rounding)"
    elif isinstance(ours, Measured) and interval is not None:
        error = ours.standard_error
        width = _with_digits(published, (interval[1] - interval[0]) / 2, error)
        shown += f"; {CONFIDENCE:.0%} interval {_range(published, interval, error)}, so ±{width}"
    if isinstance(ours, Measured) and margin[0] is not None:
        shown += f"; margin ±{_with_digits(published, margin[0])}, {margin[1]}"
    text = f"published {published}; {follows} {shown}"
    return f"{text}: equal at the printed digits" if equal and not isinstance(ours, Bounds) else text


def difference_reason(cell: Difference, interval: tuple[float, float], holds: bool | None) -> str:
    """What was found of a difference, beside its margin.

    Examples
    --------
    >>> cell = Difference(Measured(-0.002, 0.004, 783), "lower", 0.005, "half of the gap", "it is worse")
    >>> difference_reason(cell, (-0.01, 0.006), None)
    'the difference is -0.0020, 95% interval -0.0100 to +0.0060, margin 0.005 (half of the gap): too wide to tell'
    >>> cell = Difference(Measured(0.03, 0.01, 783), "much higher", 0.02, "half of the printed gap", "far better")
    >>> difference_reason(cell, (0.01, 0.05), None).partition(": ")[2]
    'higher, but it cannot be told whether by more than the margin'
    """
    found = f"the {cell.quantity} is {signed(cell.estimate.value, interval)}"
    found += f", {CONFIDENCE:.0%} interval {signed_range(interval)}"
    if cell.family is not None:
        found += f" for {cell.family.comparisons} comparisons at once"
    told = _open(interval) if holds is None else _told(cell.claimed, cell.margin, holds)
    return f"{found}, margin {cell.margin:.4g} ({cell.margin_source}): {told}"


def _open(interval: tuple[float, float]) -> str:
    """What an undecided difference leaves open: its side, or only whether it exceeds the margin."""
    low, high = interval
    side = "higher" if low > 0 else "lower" if high < 0 else ""
    return f"{side}, but it cannot be told whether by more than the margin" if side else "too wide to tell"


def _told(claimed: Claimed, margin: float, holds: bool) -> str:
    if holds:
        return "equal within the margin" if claimed == "equal" else f"{claimed}, as published"
    if claimed in ("higher", "lower") and margin == 0:
        return f"published as {claimed}, but it is not"
    if claimed in ("equal", "not lower", "not higher"):
        return f"published as {claimed}, but it is beyond the margin"
    return f"published as {claimed}, but as much as the margin is excluded"


def order_reason(
    told: Mapping[tuple[str, str], bool | None], gaps: Mapping[tuple[str, str], tuple[float, float]]
) -> str:
    """Which pairs of an order hold, which do not, and which cannot be told.

    Examples
    --------
    >>> order_reason({("A", "B"): None, ("A", "C"): True}, {("A", "B"): (-0.1, 0.2), ("A", "C"): (0.1, 0.3)})
    '1 of 2 ordered pairs hold; 1 cannot be told: A > B (-0.100 to +0.200)'
    """
    if all(told.values()):
        return f"all {len(told)} ordered pairs hold" if len(told) > 1 else "the order holds"
    parts = [f"{sum(one is True for one in told.values())} of {len(told)} ordered pairs hold"] * (len(told) > 1)
    for state, words in ((False, "reversed or not there"), (None, "cannot be told")):
        pairs = [pair for pair, one in told.items() if one is state]
        if pairs:
            listed = ", ".join(f"{a} > {b}{_gap(gaps[a, b])}" for a, b in pairs[:_LISTED])
            verb = "" if state is None else " is" if len(pairs) == 1 else " are"
            parts.append(f"{len(pairs)}{verb} {words}: {listed}{', …' if len(pairs) > _LISTED else ''}")
    return "; ".join(parts)


def statement_reason(cell: Statement) -> str:
    """What was found, and what was said if that is something else.

    Examples
    --------
    >>> statement_reason(Statement(False, "the sum is 22,865", published="the sum is even"))
    'published: the sum is even; found: the sum is 22,865'
    """
    if cell.holds is None:
        return f"this cannot be told: {cell.witness}"
    return f"as published: {cell.witness}" if cell.holds else f"published: {cell.published}; found: {cell.witness}"


def number(published: Printed, ours: Ours) -> str:
    """Our number with two more digits than were printed, so that a reader sees how near a tie it is.

    What was measured has the digits that its error gives a meaning to: the error shows two.

    Examples
    --------
    >>> number(Printed.parse("0.25"), 0.28061), number(Printed.parse("64%"), Measured(0.6372, 0.01, 4))
    ('0.2806', '63.7% ± 1.0%')
    >>> number(Printed.parse("0.720(12)"), Measured(0.7172412, 0.00107, 4))
    '0.7172 ± 0.0011'
    """
    if not isinstance(ours, Measured):
        return _with_digits(published, ours.value if isinstance(ours, Bounds) else ours)
    error = ours.standard_error
    return f"{_with_digits(published, ours.value, error)} ± {_with_digits(published, error, error)}"


def signed(value: float, interval: tuple[float, float]) -> str:
    """A difference with as many decimals as its interval gives a meaning to: the error shows two digits.

    Examples
    --------
    >>> signed(-0.00174512, (-0.0126, 0.00312)), signed(12.3456, (10.1, 14.6)), signed(0.123456, (0.123456, 0.123456))
    ('-0.0017', '+12.3', '+0.1235')
    """
    half = (interval[1] - interval[0]) / 2
    if not 0 < half < math.inf:
        return f"{value:+.4g}"
    text = f"{value:+,.{_decimals(half / 2)}f}"
    return text if any(digit in "123456789" for digit in text) else text.lstrip("+-")


def signed_range(interval: tuple[float, float]) -> str:
    """A range of differences, both ends with the decimals of :func:`signed`.

    Examples
    --------
    >>> signed_range((-0.0126, 0.00312))
    '-0.0126 to +0.0031'
    >>> signed_range((-0.0077, -0.0000434))
    '-0.0077 to -0.00004'
    """
    return " to ".join(_beyond_zero(signed(end, interval), end) for end in interval)


def _beyond_zero(text: str, end: float) -> str:
    """An end that would be printed as 0 gets one digit more: on which side of 0 it lies decides a verdict."""
    return text if any(digit in "123456789" for digit in text) or end == 0 else f"{end:+.{_decimals(abs(end)) - 1}f}"


def _gap(gap: tuple[float, float]) -> str:
    return f" ({signed_range(gap)})" if gap[0] != gap[1] else ""


def _with_digits(published: Printed, value: Number, error: float = 0.0) -> str:
    percent = published.text.endswith("%")
    scale = 100 if percent else 1
    if 0 < error < math.inf:
        text = f"{float(value * scale):,.{_decimals(error * scale)}f}"
    else:
        decimals = max(0, round(-math.log10(published.last_place * scale))) + 2
        text = f"{float(value * scale):,.{decimals}f}".rstrip("0").rstrip(".")
    return text + ("%" if percent else "")


def _range(published: Printed, interval: tuple[float, float], error: float = 0.0) -> str:
    return f"{_with_digits(published, interval[0], error)} to {_with_digits(published, interval[1], error)}"


def _decimals(error: float) -> int:
    """As many as show two digits of an error."""
    return min(_MOST_DECIMALS, max(0, 1 - math.floor(math.log10(error))))
