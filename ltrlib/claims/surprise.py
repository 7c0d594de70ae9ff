"""Which findings surprise most: a declared rule, so that nobody picks them.

A finding is a claim that our check contradicts: `inconsistent` or `not reproduced`. Its surprise is the share of its
cells that are contradicted, times one plus the decimal logarithm of how far off the farthest number is. How far off is
measured in what the rules would have tolerated: half a unit of the last printed digit, or half the interval if that is
wider. A contradicted statement without a number counts as one tolerance off.
"""

from __future__ import annotations

import math

from ltrlib.claims.claim import Outcome
from ltrlib.claims.rules import Judgement
from ltrlib.claims.verdict import Verdict
from ltrlib.published.printed import Printed

__all__ = ["RULE", "surprise", "times_off"]


RULE = (
    "Claims that are inconsistent or not reproduced come first: by the share of their values that are contradicted, "
    "times one plus the decimal logarithm of how many tolerances the farthest value is off (a tolerance is half a unit "
    "of the last printed digit, or half our interval if that is wider; a statement without a number counts as one). "
    "All others follow in the order of the page."
)
"""The rule in words, for the page."""

_AGAINST = (Verdict.NOT_REPRODUCED, Verdict.INCONSISTENT)


def times_off(judgement: Judgement) -> float:
    """How many tolerances a contradicted cell is off; 1 where there is no number.

    Examples
    --------
    >>> from ltrlib.claims.cells import Value
    >>> from ltrlib.claims.rules import judge
    >>> round(times_off(judge(Value(Printed.parse("0.25"), 0.35))), 6)
    20.0
    """
    if judgement.difference is None or judgement.published_value is None:
        return 1.0
    tolerance = Printed.parse(judgement.published).last_place / 2
    if judgement.interval is not None:
        tolerance = max(tolerance, (judgement.interval[1] - judgement.interval[0]) / 2)
    return max(1.0, abs(judgement.difference) / tolerance)


def surprise(outcome: Outcome) -> float:
    """Surprise of an outcome; 0 for one that does not contradict the claim.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> surprise(claim("tax2015.b6.iwn-even").check()), surprise(claim("tax2015.b6.wins").check())
    (1.0, 0.0)
    """
    if outcome.verdict not in _AGAINST:
        return 0.0
    against = _contradicted(outcome)
    return len(against) / len(outcome.judgements) * (1 + math.log10(max(map(times_off, against))))


def _contradicted(outcome: Outcome) -> list[Judgement]:
    return [one for one in outcome.judgements if one.verdict in _AGAINST]
