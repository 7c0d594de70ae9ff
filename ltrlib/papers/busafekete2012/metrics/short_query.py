"""What a query that scores 0 does to AdaRank, in every case of a small grid.

Two lines prove it. A weak ranker's coefficient, ½ ln(ΣP(1 + E) / ΣP(1 − E)) with weights P and scores E, is artanh of
the weighted mean score: a query with E = 0 lowers the mean. And weights are set to exp(−E), or shrink by exp(−αE), in
each round: no query has more than one with E = 0, so its share rises. The grid shows it without trusting the proof.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["Case", "cases"]

_LONG = 3
"""Queries beside the short one."""

_SCORES = tuple(Fraction(number, 4) for number in range(5))
_WEIGHTS = tuple(Fraction(number, 10) for number in (1, 3, 5, 7, 9))


@dataclass(frozen=True)
class Case:
    """One weak ranker: its scores on three long queries, and a short query of some weight.

    Parameters
    ----------
    with_short, without
        Weighted mean score with the short query and without it; the coefficient rises and falls with it.
    before, after
        The short query's share of the weight before the round and after it, by the rule of Xu and Li, who set weights
        anew from the scores, and by RankLib's, which shrinks them.

    Examples
    --------
    >>> one = cases()[0]
    >>> one.with_short < one.without, all(one.after[rule] > one.before[rule] for rule in one.before)
    (True, True)
    """

    with_short: Fraction
    without: Fraction
    before: dict[str, float]
    after: dict[str, float]


def cases(short: Fraction = Fraction(0)) -> list[Case]:
    """All cases in which the weak ranker scores at least one of the long queries.

    Parameters
    ----------
    short
        What the tool gives the short query; below 1.

    Examples
    --------
    >>> len(cases())
    620
    """
    grid = itertools.product(_WEIGHTS, itertools.product(_SCORES, repeat=_LONG))
    return [_case(share, scores, short) for share, scores in grid if any(scores)]


def _case(share: Fraction, scores: tuple[Fraction, ...], short: Fraction) -> Case:
    without = sum(scores, Fraction(0)) / _LONG
    with_short = (1 - share) * without + share * short
    alpha = math.atanh(with_short)
    anew = [math.exp(-score) for score in (short, *scores)]
    weights = (float(share), *[float(1 - share) / _LONG] * _LONG)
    shrunk = [weight * math.exp(-alpha * score) for weight, score in zip(weights, (short, *scores), strict=True)]
    return Case(
        with_short,
        without,
        before={"Xu and Li": 1 / (_LONG + 1), "RankLib": float(share)},
        after={"Xu and Li": anew[0] / sum(anew), "RankLib": shrunk[0] / sum(shrunk)},
    )
