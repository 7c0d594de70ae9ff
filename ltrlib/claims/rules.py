"""From published and ours to a verdict: the only place where verdicts are made.

The rule follows from the kind of comparison (:class:`~ltrlib.claims.cells.Value`,
:class:`~ltrlib.claims.cells.Statement`, :class:`~ltrlib.claims.cells.Order`) and from what was measured; a claim
cannot choose a milder one. Tolerances come from two sources only:

- the printed digits: half a unit of the last one, on either side, in the published number and in every printed
  number from which ours was computed (:func:`~ltrlib.claims.cells.reach`);
- measured spread: the 95 % interval from the standard error over our seeds, folds or queries, widened by the
  standard error that the paper printed, if it did.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ltrlib.claims.cells import Cell, Measured, Order, Ours, Statement, Value
from ltrlib.claims.noise import CONFIDENCE, half_width
from ltrlib.claims.verdict import Verdict
from ltrlib.errors import ClaimError
from ltrlib.published.printed import Bounds, Number, Printed

__all__ = ["CONFIDENCE", "Judgement", "borne_out", "judge"]


@dataclass(frozen=True)
class Judgement:
    """A verdict on one cell with its reason; made by :func:`judge` only.

    Parameters
    ----------
    name
        Which of several cells this is.
    verdict, reason
        The verdict, and why.
    published, ours
        Both sides as text.
    difference
        Ours minus published, for numbers.
    interval
        Range in which a published value counts as ours, for numbers with spread or reach.
    flagged_better
        Whether ours is better than published by more than the interval.

    Examples
    --------
    >>> judgement = judge(Value(Printed.parse("0.70"), 0.8, better="higher"))
    >>> judgement.verdict.word, judgement.flagged_better, round(judgement.difference, 2)
    ('not reproduced', True, 0.1)
    """

    name: str
    verdict: Verdict
    reason: str
    published: str
    ours: str
    difference: float | None = None
    interval: tuple[float, float] | None = None
    flagged_better: bool = False


def judge(cell: Cell, *, own: bool = False, comparable: bool = True) -> Judgement:
    """Judge one cell.

    Parameters
    ----------
    cell
        A value, a statement or an order.
    own
        Whether ours was computed from nothing but the paper's own numbers: a contradiction is then one within the
        publication, and a statement that holds is exact.
    comparable
        Whether ours has the paper's data and protocol; if not, that is the verdict, with both sides shown.

    Examples
    --------
    >>> judge(Value(Printed.parse("0.25"), 0.2806)).reason
    'ours 0.2806 is not 0.25 at the printed digits'
    >>> judge(Statement(False, "the total is 3", published="the total is even"), own=True).verdict.word
    'inconsistent'
    >>> judge(Order([["CA"], ["RankSVM", "RankBoost"]], {"CA": 0.5, "RankSVM": 0.4, "RankBoost": 0.45})).verdict.word
    'same conclusion'
    """
    judgement = _judge(cell, own)
    return judgement if comparable else replace(judgement, verdict=Verdict.NOT_COMPARABLE)


def _judge(cell: Cell, own: bool) -> Judgement:
    # The exact types only: a subclass could bring its own verdict.
    if type(cell) is Value:
        return _judge_value(cell, own)
    if type(cell) is Statement:
        return _judge_statement(cell, own)
    if type(cell) is Order:
        return _judge_order(cell, own)
    raise ClaimError(f"a claim compares values, statements or orders, not {type(cell).__name__}")


def _judge_value(cell: Value, own: bool) -> Judgement:
    published, ours, conclusion = cell.published, cell.ours, cell.conclusion
    if conclusion is not None and not conclusion.holds(published.value):
        raise ClaimError(f"the published {published} does not bear the conclusion that {conclusion.words}")
    value = ours.value if isinstance(ours, Measured | Bounds) else ours
    interval = _interval(published, ours)
    shown = _shown(published, ours)
    flagged = False
    if published.agrees(value) and _error_agrees(published, ours):
        verdict, reason = Verdict.EXACT, f"equal at the printed digits: {shown}"
    elif isinstance(ours, Bounds) and published.overlaps(ours.low, ours.high):
        verdict = Verdict.EXACT
        reason = f"equal within the rounding of the printed inputs, which allows {_range(published, interval)}"
    elif isinstance(ours, Measured) and interval is not None and published.overlaps(*interval):
        verdict = Verdict.WITHIN_NOISE
        reason = f"{published} lies inside our {CONFIDENCE:.0%} interval {_range(published, interval)}"
    else:
        verdict, flagged = (Verdict.INCONSISTENT if own else Verdict.NOT_REPRODUCED), _is_better(cell, float(value))
        bound = f", nor inside {_range(published, interval)}" if interval is not None else ""
        reason = f"ours {shown} is not {published} at the printed digits{bound}"
        if conclusion is not None:
            holds = conclusion.holds(float(value))
            verdict = Verdict.SAME_CONCLUSION if holds else verdict
            reason += f"; {'still' if holds else 'and it is not true that'} {conclusion.words}"
        if flagged:
            reason += "; ours is better than published, which is a difference too"
    difference = float(value - published.exact)
    return Judgement(cell.name, verdict, reason, published.text, shown, difference, interval, flagged)


def _interval(published: Printed, ours: Ours) -> tuple[float, float] | None:
    if isinstance(ours, Bounds):
        return ours.low, ours.high
    if not isinstance(ours, Measured):
        return None
    # The paper's own error has as many degrees of freedom when it comes from the same folds.
    return ours.interval(published.standard_error or 0.0)


def _error_agrees(published: Printed, ours: Ours) -> bool:
    if published.error is None or not isinstance(ours, Measured):
        return True
    return published.error_agrees(ours.standard_error)


def _is_better(cell: Value, ours: float) -> bool:
    if cell.better is None:
        return False
    return (ours > cell.published.value) == (cell.better == "higher")


def _judge_statement(cell: Statement, own: bool) -> Judgement:
    if cell.holds:
        verdict = Verdict.EXACT if own else Verdict.SAME_CONCLUSION
    else:
        verdict = Verdict.INCONSISTENT if own else Verdict.NOT_REPRODUCED
    reason = f"it {'holds' if cell.holds else 'does not hold'}: {cell.witness}"
    return Judgement(cell.name, verdict, reason, cell.published, cell.witness)


def borne_out(order: Sequence[str], ours: Mapping[str, Measured]) -> bool:
    """Whether no pair of an order, from high to low, is reversed beyond noise in ours.

    Examples
    --------
    >>> borne_out(["A", "B"], {"A": Measured(0.5, 0.01, 4), "B": Measured(0.8, 0.01, 4)})
    False
    """
    pairs = itertools.combinations(order, 2)
    return all(ours[a].value > ours[b].value or _pair_within_noise(ours[a], ours[b]) for a, b in pairs)


def _judge_order(cell: Order, own: bool) -> Judgement:
    names = [name for group in cell.published for name in group]
    if sorted(names) != sorted(cell.ours) or len(set(names)) != len(names):
        raise ClaimError(f"the published order names {sorted(names)}, ours {sorted(cell.ours)}")
    values = {name: float(m.value if isinstance(m, Measured) else m) for name, m in cell.ours.items()}
    pairs = [
        (better, worse)
        for first, second in itertools.combinations(cell.published, 2)
        for better in first
        for worse in second
    ]
    reversed_pairs = [(a, b) for a, b in pairs if values[a] <= values[b]]
    beyond = [(a, b) for a, b in reversed_pairs if not _pair_within_noise(cell.ours[a], cell.ours[b])]
    if not reversed_pairs:
        verdict = Verdict.EXACT if own else Verdict.SAME_CONCLUSION
        reason = f"all {len(pairs)} ordered pairs hold"
    elif not beyond:
        verdict = Verdict.WITHIN_NOISE
        reason = (
            f"{len(reversed_pairs)} of {len(pairs)} ordered pairs are reversed, within noise: {_pairs(reversed_pairs)}"
        )
    else:
        verdict = Verdict.INCONSISTENT if own else Verdict.NOT_REPRODUCED
        reason = f"{len(beyond)} of {len(pairs)} ordered pairs do not hold: {_pairs(beyond)}"
    published = " > ".join(" = ".join(group) for group in cell.published)
    ranked = " > ".join(f"{name} {values[name]:.4g}" for name in sorted(values, key=lambda name: -values[name]))
    return Judgement(cell.name, verdict, reason, published, ranked)


def _pair_within_noise(better: Measured | Number, worse: Measured | Number) -> bool:
    if not isinstance(better, Measured) or not isinstance(worse, Measured):
        return False
    noise = math.hypot(better.standard_error, worse.standard_error)
    return worse.value - better.value <= half_width(noise, min(better.degrees, worse.degrees))


def _pairs(pairs: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{a} > {b}" for a, b in pairs[:5]) + (", …" if len(pairs) > 5 else "")


def _shown(published: Printed, ours: Ours) -> str:
    value = ours.value if isinstance(ours, Measured | Bounds) else ours
    text = _with_digits(published, value)
    return f"{text} ± {_with_digits(published, ours.standard_error)}" if isinstance(ours, Measured) else text


def _with_digits(published: Printed, value: Number) -> str:
    # Two more digits than were printed, so that a reader sees how near a tie ours is.
    percent = published.text.endswith("%")
    unit = published.last_place * (100 if percent else 1)
    decimals = max(0, round(-math.log10(unit))) + 2
    scaled = value * 100 if percent else value
    text = f"{float(scaled):,.{decimals}f}"
    return text.rstrip("0").rstrip(".") + ("%" if percent else "")


def _range(published: Printed, interval: tuple[float, float] | None) -> str:
    assert interval is not None
    return f"[{_with_digits(published, interval[0])}, {_with_digits(published, interval[1])}]"
