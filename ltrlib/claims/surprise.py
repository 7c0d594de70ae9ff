"""Which findings surprise most: a declared rule, so that nobody picks them.

A finding is a claim that our check contradicts: `inconsistent` or `not reproduced`. Its surprise is the share of its
cells that are contradicted, times one plus the decimal logarithm of how far off the farthest number is. How far off is
measured in what the rules would have tolerated: half a unit of the last printed digit, or half the interval if that is
wider. A contradicted statement without a number counts as one tolerance off.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from ltrlib.claims.claim import Outcome
from ltrlib.claims.rules import Judgement
from ltrlib.claims.verdict import Verdict
from ltrlib.published.printed import Printed

__all__ = ["PER_PAPER", "RULE", "most_surprising", "surprise", "times_off"]

PER_PAPER = 2
"""So many findings of one paper at most: one broken table must not fill the list."""

RULE = (
    "Only claims that are inconsistent or not reproduced are ranked: by the share of their values that are "
    "contradicted, times one plus the decimal logarithm of how many tolerances the farthest value is off (a tolerance "
    "is half a unit of the last printed digit, or half our interval if that is wider; a statement without a number "
    "counts as one). Ties go to claims of an abstract, then to the longer list of contradicted values. At most "
    f"{PER_PAPER} per paper."
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


def most_surprising(outcomes: Iterable[Outcome], number: int = 5) -> list[Outcome]:
    """The most surprising findings by the rule of this module, the first one first.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> checked = [claim(f"tax2015.b6.{name}").check() for name in ("single-metric", "iwn-even", "wins")]
    >>> [found.claim.id for found in most_surprising(checked)]
    ['tax2015.b6.iwn-even']
    """
    found = [outcome for outcome in outcomes if surprise(outcome) > 0]
    found.sort(key=lambda o: (-surprise(o), "bstract" not in o.claim.place, -len(_contradicted(o))))
    chosen: list[Outcome] = []
    for outcome in found:
        if sum(one.claim.paper == outcome.claim.paper for one in chosen) < PER_PAPER:
            chosen.append(outcome)
    return chosen[:number]


def _contradicted(outcome: Outcome) -> list[Judgement]:
    return [one for one in outcome.judgements if one.verdict in _AGAINST]
