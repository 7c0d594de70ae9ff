"""From published and ours to a verdict: the only place where verdicts are made.

The rule follows from the kind of comparison (:class:`~ltrlib.claims.cells.Value`,
:class:`~ltrlib.claims.cells.Difference`, :class:`~ltrlib.claims.cells.Order`,
:class:`~ltrlib.claims.cells.Statement`) and from what was measured; a claim cannot choose a milder one. Tolerances come
from three sources only:

- the printed digits: half a unit of the last one, on either side, in the published number and in every printed
  number from which ours was computed (:func:`~ltrlib.claims.cells.reach`);
- measured spread: the 95% interval from the standard error over our seeds, folds or queries, widened by the
  standard error that the paper printed, if it did and if its folds are not the same as ours;
- a margin that the claim declares together with its source in the paper's own numbers. An interval inside it agrees,
  one outside contradicts, and one across it is `undecided` (:func:`ltrlib.claims.noise.decide`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ltrlib.claims.cells import Address, Cell, Difference, Measured, Order, Ours, Statement, Value, ordered_pairs
from ltrlib.claims.noise import CONFIDENCE, Family, all_of, decide, half_width
from ltrlib.claims.verdict import Verdict
from ltrlib.claims.wording import (
    difference_reason,
    number,
    order_reason,
    signed,
    signed_range,
    statement_reason,
    value_reason,
)
from ltrlib.errors import ClaimError
from ltrlib.published.printed import Bounds, Number, Printed

__all__ = ["CONFIDENCE", "Judgement", "judge"]


@dataclass(frozen=True)
class Judgement:
    """A verdict on one cell with its reason; made by :func:`judge` only.

    Parameters
    ----------
    name
        Which of several cells this is.
    verdict
        What the comparison comes to.
    reason
        Why, in words.
    published, ours
        Both sides as text.
    difference
        Ours minus published, for numbers; first minus second, for differences.
    interval
        Range in which a published value counts as ours, for numbers with spread or reach; range of the true
        difference, for differences.
    flagged_better
        Whether ours is better than published by more than the interval.
    margin
        What decided between equal and different, where there is one.
    margin_source
        Where the margin comes from.
    value, published_value
        Ours and published as numbers, for a picture of both.
    address
        Table, row and column of the published number.
    family
        The comparisons made at once, of which this is one.

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
    margin: float | None = None
    margin_source: str = ""
    value: float | None = None
    published_value: float | None = None
    address: Address | None = None
    family: Family | None = None


def judge(cell: Cell, *, own: bool = False, comparable: bool = True) -> Judgement:
    """Judge one cell.

    Parameters
    ----------
    cell
        A value, a difference, an order or a statement.
    own
        Whether ours was computed from nothing but the paper's own numbers: a contradiction is then one within the
        publication, and a statement that holds is exact.
    comparable
        Whether ours has the paper's data and protocol; if not, that is the verdict, with both sides shown.

    Examples
    --------
    >>> judge(Value(Printed.parse("0.25"), 0.2806)).reason
    'published 0.25; ours is 0.2806'
    >>> judge(Statement(False, "the total is 3", published="the total is even"), own=True).verdict.word
    'inconsistent'
    >>> judge(Order([["CA"], ["RankSVM", "RankBoost"]], {"CA": 0.5, "RankSVM": 0.4, "RankBoost": 0.45})).verdict.word
    'same conclusion'
    >>> gap = Measured(-0.002, 0.004, 783)
    >>> judge(Difference(gap, "lower", 0.005, "half of the printed gap of 0.01", "it is worse")).verdict.word
    'undecided'
    """
    judgement = _judge(cell, own)
    return judgement if comparable else replace(judgement, verdict=Verdict.NOT_COMPARABLE)


def _judge(cell: Cell, own: bool) -> Judgement:
    # The exact types only: a subclass could bring its own verdict.
    if type(cell) is Value:
        return _judge_value(cell, own)
    if type(cell) is Difference:
        return _judge_difference(cell, own)
    if type(cell) is Statement:
        reason = statement_reason(cell)
        verdict = _told(cell.holds, own)
        return Judgement(
            cell.name, verdict, reason, cell.published, cell.witness, address=cell.address, family=cell.family
        )
    if type(cell) is Order:
        return _judge_order(cell, own)
    raise ClaimError(f"a claim compares values, differences, orders or statements, not {type(cell).__name__}")


def _told(holds: bool | None, own: bool) -> Verdict:
    """The verdict on what has no printed number of its own."""
    if holds is None:
        return Verdict.UNDECIDED
    if holds:
        return Verdict.EXACT if own else Verdict.SAME_CONCLUSION
    return Verdict.INCONSISTENT if own else Verdict.NOT_REPRODUCED


def _judge_value(cell: Value, own: bool) -> Judgement:
    published, ours, conclusion = cell.published, cell.ours, cell.conclusion
    if conclusion is not None and not conclusion.holds(published.value):
        raise ClaimError(f"the published {published} does not bear the conclusion that {conclusion.words}")
    value = ours.value if isinstance(ours, Measured | Bounds) else ours
    interval, (margin, margin_source) = _interval(cell), _margin(cell)
    flagged, also = False, ""
    rounding = isinstance(ours, Bounds) and published.overlaps(ours.low, ours.high)
    if rounding or (published.agrees(value) and _error_agrees(published, ours)):
        verdict = Verdict.EXACT
    elif (noise := _within_noise(cell, interval, margin)) is not False:
        verdict = Verdict.WITHIN_NOISE if noise else Verdict.UNDECIDED
        also = "" if noise else "; a part of the interval lies within the margin and a part beyond it"
    else:
        verdict, flagged = (Verdict.INCONSISTENT if own else Verdict.NOT_REPRODUCED), _is_better(cell, float(value))
        if conclusion is not None:
            # With spread, the conclusion must hold wherever the true value may lie.
            ends = [float(value), *(interval or ())] if isinstance(ours, Measured) else [float(value)]
            holds = {bool(conclusion.holds(end)) for end in ends}
            verdict = verdict if holds == {False} else Verdict.SAME_CONCLUSION if holds == {True} else Verdict.UNDECIDED
            is_so = "still" if holds == {True} else "it is not true that" if holds == {False} else "it is open whether"
            also = f"; {is_so} {conclusion.words}"
        if flagged:
            also += "; ours is better than published, which is a difference too"
    reason = value_reason(cell, interval, (margin, margin_source), equal=verdict is Verdict.EXACT, own=own) + also
    return Judgement(
        cell.name,
        verdict,
        reason,
        published.text,
        number(published, ours),
        difference=float(value - published.exact),
        interval=interval,
        flagged_better=flagged,
        margin=margin,
        margin_source=margin_source,
        value=float(value),
        published_value=published.value,
        address=cell.address or published.address,
        family=cell.family,
    )


def _interval(cell: Value) -> tuple[float, float] | None:
    ours, comparisons = cell.ours, 1 if cell.family is None else cell.family.comparisons
    if isinstance(ours, Bounds):
        return ours.low, ours.high
    if not isinstance(ours, Measured):
        return None
    if cell.paired is not None:
        half = half_width(cell.paired.standard_error, cell.paired.degrees, comparisons)
        return ours.value - half, ours.value + half
    # The paper's own error has as many degrees of freedom when it comes from as many folds.
    error = 0.0 if cell.same_folds else cell.published.standard_error or 0.0
    return ours.interval(error, comparisons=comparisons)


def _margin(cell: Value) -> tuple[float | None, str]:
    if not isinstance(cell.ours, Measured):
        return None, ""
    if cell.margin is not None:
        if not cell.margin_source:
            raise ClaimError("a margin without a source", cure="say which number of the paper it comes from")
        return cell.margin, cell.margin_source
    if (cell.same_folds or cell.paired is not None) and cell.published.standard_error:
        return cell.published.standard_error, "the standard error that the paper prints"
    return None, cell.one_more


def _within_noise(cell: Value, interval: tuple[float, float] | None, margin: float | None) -> bool | None:
    """Whether a number with spread agrees with the published one; None if the spread is too wide to tell."""
    if not isinstance(cell.ours, Measured) or interval is None:
        return False
    if margin is None:
        return cell.published.overlaps(*interval)
    half_unit = cell.published.last_place / 2
    published = cell.published.value
    return decide((interval[0] - published, interval[1] - published), "equal", margin + half_unit)


def _error_agrees(published: Printed, ours: Ours) -> bool:
    if published.error is None or not isinstance(ours, Measured):
        return True
    return published.error_agrees(ours.standard_error)


def _is_better(cell: Value, ours: float) -> bool:
    if cell.better is None:
        return False
    return (ours > cell.published.value) == (cell.better == "higher")


def _judge_difference(cell: Difference, own: bool) -> Judgement:
    if not cell.margin_source:
        raise ClaimError("a margin without a source", cure="say which number of the paper it comes from")
    interval = cell.estimate.interval(comparisons=1 if cell.family is None else cell.family.comparisons)
    holds = decide(interval, cell.claimed, cell.margin)
    ours = f"{signed(cell.estimate.value, interval)} ({signed_range(interval)})"
    return Judgement(
        cell.name,
        _told(holds, own),
        difference_reason(cell, interval, holds),
        cell.published,
        ours,
        difference=cell.estimate.value,
        interval=interval,
        margin=cell.margin,
        margin_source=cell.margin_source,
        value=cell.estimate.value,
        address=cell.address,
        family=cell.family,
    )


def _judge_order(cell: Order, own: bool) -> Judgement:
    names = [name for group in cell.published for name in group]
    if sorted(names) != sorted(cell.ours) or len(set(names)) != len(names):
        raise ClaimError(f"the published order names {sorted(names)}, ours {sorted(cell.ours)}")
    if cell.margin > 0 and not cell.margin_source:
        raise ClaimError("a margin without a source", cure="say which number of the paper it comes from")
    comparisons = 1 if cell.family is None else cell.family.comparisons
    gaps = {}
    for a, b in ordered_pairs(cell.published):
        if cell.paired is None:
            gaps[a, b] = _gap(cell.ours[a], cell.ours[b], comparisons)
        elif (a, b) in cell.paired:
            gaps[a, b] = cell.paired[a, b].interval(comparisons=comparisons)
        else:
            raise ClaimError(f"the paired differences lack {a} minus {b}", cure="make them by Order.by_query")
    told = {pair: decide(gap, "higher", cell.margin) for pair, gap in gaps.items()}
    values = {name: float(m.value if isinstance(m, Measured) else m) for name, m in cell.ours.items()}
    published = " > ".join(" = ".join(group) for group in cell.published)
    ranked = " > ".join(f"{name} {values[name]:.4g}" for name in sorted(values, key=lambda name: -values[name]))
    reason = order_reason(told, gaps)
    return Judgement(cell.name, _told(all_of(told.values()), own), reason, published, ranked, family=cell.family)


def _gap(better: Measured | Number, worse: Measured | Number, comparisons: int) -> tuple[float, float]:
    """Interval of a difference between two that are not known to be paired."""
    if not isinstance(better, Measured) or not isinstance(worse, Measured):
        numbers = [float(one.value if isinstance(one, Measured) else one) for one in (better, worse)]
        return numbers[0] - numbers[1], numbers[0] - numbers[1]
    error = math.hypot(better.standard_error, worse.standard_error)
    half = half_width(error, min(better.degrees, worse.degrees), comparisons)
    return better.value - worse.value - half, better.value - worse.value + half
