"""Verdicts: each rule at its borders, and that no verdict can be had but by a rule."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from ltrlib.claims.causes import cause_table, causes
from ltrlib.claims.cells import Cell, Conclusion, Difference, Measured, Order, Statement, Value, with_rounding
from ltrlib.claims.claim import Claim, ClaimList, Outcome, Weight
from ltrlib.claims.evidence import (
    OWN_NUMBERS,
    CountedData,
    Material,
    NotPublic,
    PrintedNumbers,
    RecordedResult,
    gather,
)
from ltrlib.claims.noise import CONFIDENCE, Claimed, Family, decide, half_width, pooled_deviation
from ltrlib.claims.rules import judge
from ltrlib.claims.show import badge, count_table, outcome_table, report
from ltrlib.claims.verdict import Verdict
from ltrlib.errors import ClaimError, RecordError
from ltrlib.project import ROOT
from ltrlib.published import Paper, Printed, load_paper

ELSEWHERE = PrintedNumbers("somewhere else")


def p(text: str) -> Printed:
    return Printed.parse(text)


def word(cell: Cell, *, own: bool = False) -> str:
    return judge(cell, own=own).verdict.word


# --- a number without spread ---


@pytest.mark.parametrize(
    ("published", "ours", "verdict"),
    [
        ("0.44", 0.4449, "exact"),
        ("0.44", 0.4351, "exact"),
        ("0.44", 0.4451, "not reproduced"),
        ("0.44", 0.4349, "not reproduced"),
        ("0.4", 0.44, "exact"),
        ("0.440", 0.4406, "not reproduced"),
        ("20", 20, "exact"),
        ("20", 21, "not reproduced"),
        ("0.3333", Fraction(1, 3), "exact"),
        ("0.1250", Fraction(1, 8), "exact"),
    ],
)
def test_printed_digits_decide(published: str, ours: float | Fraction, verdict: str) -> None:
    assert word(Value(p(published), ours)) == verdict


def test_a_tie_may_have_been_rounded_either_way() -> None:
    for published in ("0.12", "0.13"):
        assert word(Value(p(published), Fraction(1, 8))) == "exact"


def test_a_contradiction_within_the_paper_is_inconsistent() -> None:
    assert word(Value(p("3.2"), 4.1), own=True) == "inconsistent"
    assert word(Value(p("3.2"), 4.1), own=False) == "not reproduced"


def test_the_rounding_of_printed_inputs_is_allowed_for() -> None:
    # 1/3 from printed 1 and 3 may be anything from 0.5/3.5 to 1.5/2.5.
    ratio = with_rounding(lambda a, b: a / b, p("1").bounds, p("3").bounds)
    assert (ratio.low, ratio.high) == (0.5 / 3.5, 1.5 / 2.5)
    assert word(Value(p("0.25"), ratio), own=True) == "exact"
    assert word(Value(p("0.65"), ratio), own=True) == "inconsistent"


def test_a_value_that_is_off_may_still_bear_the_conclusion() -> None:
    positive = Conclusion("it is positive", lambda value: value > 0)
    assert word(Value(p("0.25"), 0.28, conclusion=positive)) == "same conclusion"
    assert word(Value(p("0.25"), -0.28, conclusion=positive)) == "not reproduced"
    assert "it is not true that it is positive" in judge(Value(p("0.25"), -0.28, conclusion=positive)).reason


def test_a_conclusion_that_the_published_number_does_not_bear_is_a_mistake_of_ours() -> None:
    with pytest.raises(ClaimError, match="does not bear the conclusion"):
        judge(Value(p("-0.25"), 0.28, conclusion=Conclusion("it is positive", lambda value: value > 0)))


# --- a number with spread ---


def test_the_interval_is_student_t_over_the_repetitions() -> None:
    values = [0.70, 0.72, 0.74, 0.71, 0.73]
    ours = Measured.over(values)
    assert math.isclose(ours.value, 0.72)
    assert math.isclose(ours.standard_error, 0.0070710678, rel_tol=1e-6)
    low, high = judge(Value(p("0.72"), ours)).interval or (0, 0)
    assert math.isclose(high - low, 2 * student.ppf(0.975, 4) * ours.standard_error)


@pytest.mark.parametrize(
    ("published", "verdict"), [("0.720", "exact"), ("0.739", "within noise"), ("0.741", "not reproduced")]
)
def test_inside_and_outside_of_our_interval(published: str, verdict: str) -> None:
    # 2.776 * 0.00707 = 0.0196 around 0.72
    assert word(Value(p(published), Measured.over([0.70, 0.72, 0.74, 0.71, 0.73]))) == verdict


def test_the_papers_own_error_widens_the_interval() -> None:
    ours = Measured.over([0.70, 0.72, 0.74, 0.71, 0.73])
    assert word(Value(p("0.760"), ours)) == "not reproduced"
    assert word(Value(p("0.760(20)"), ours)) == "within noise"


def test_equal_value_with_another_error_is_not_exact() -> None:
    ours = Measured(0.720, 0.012, 4)
    assert word(Value(p("0.720(12)"), ours)) == "exact"
    assert word(Value(p("0.720(30)"), ours)) == "within noise"


@pytest.mark.parametrize(
    ("better", "value", "flagged"),
    [("higher", 0.8, True), ("higher", 0.6, False), ("lower", 0.6, True), (None, 0.8, False)],
)
def test_better_than_published_is_flagged_and_not_passed(better: str, value: float, flagged: bool) -> None:
    judgement = judge(Value(p("0.700"), Measured(value, 0.001, 4), better=better))  # type: ignore[arg-type]
    assert judgement.verdict is Verdict.NOT_REPRODUCED
    assert judgement.flagged_better is flagged
    assert ("better than published" in judgement.reason) is flagged


def test_inside_the_interval_nothing_is_flagged() -> None:
    assert not judge(Value(p("0.700"), Measured(0.702, 0.01, 4), better="higher")).flagged_better


@given(st.floats(0, 1), st.floats(0, 1), st.integers(1, 5))
def test_moving_away_never_improves_the_verdict(ours: float, step: float, digits: int) -> None:
    published = p(f"{ours:.{digits}f}")
    away = step if ours >= published.value else -step
    near, far = (judge(Value(published, value)).verdict.severity for value in (ours, ours + away))
    assert near <= far


@given(st.lists(st.floats(0, 1), min_size=2, max_size=8))
def test_our_own_mean_is_always_within_our_noise(values: list[float]) -> None:
    ours = Measured.over(values)
    assert judge(Value(p(f"{ours.value:.4f}"), ours)).verdict in (Verdict.EXACT, Verdict.WITHIN_NOISE)


# --- a number over the same folds ---

OURS = [0.700, 0.740, 0.690, 0.750, 0.720]


def test_over_the_same_folds_only_what_differs_between_the_two_sides_is_noise() -> None:
    """The folds differ by 0.06, the two sides by 0.001 to 0.003 in each."""
    theirs = [0.702, 0.741, 0.693, 0.752, 0.722]
    ours = Measured.over(OURS)
    paired = Measured.paired(OURS, theirs)
    assert math.isclose(paired.value, -0.002)
    published = p("0.722(12)")
    unpaired = judge(Value(published, ours))
    together = judge(Value(published, ours, paired=paired))
    assert unpaired.verdict is together.verdict is Verdict.WITHIN_NOISE
    width = [one.interval[1] - one.interval[0] for one in (unpaired, together) if one.interval]
    assert width[1] < width[0] / 10
    # A method that is 0.020 off in every fold is inside the wide interval, and is told apart by the narrow one.
    off = p("0.742(12)")
    assert word(Value(off, ours)) == "within noise"
    assert word(Value(off, ours, paired=Measured.paired(OURS, [one + 0.02 for one in theirs]))) == "not reproduced"


def test_an_interval_wider_than_the_printed_error_cannot_tell() -> None:
    paired = Measured.paired(OURS, [0.72] * 5)
    judgement = judge(Value(p("0.721(12)"), Measured.over(OURS), paired=paired))
    assert judgement.verdict is Verdict.UNDECIDED
    assert judgement.margin == 0.012
    assert "margin ±0.012, the standard error that the paper prints" in judgement.reason


def test_folds_that_are_the_same_but_not_stored_leave_the_spread_of_seeds() -> None:
    seeds = [[0.700, 0.702], [0.740, 0.744], [0.690, 0.691], [0.750, 0.752], [0.720, 0.723]]
    ours = Measured.pooled(seeds)
    assert ours.degrees == 5
    assert ours.standard_error < 0.001
    assert word(Value(p("0.720(12)"), ours, same_folds=True)) == "within noise"
    assert word(Value(p("0.760(12)"), ours, same_folds=True)) == "not reproduced"


def test_few_seeds_are_pooled_over_folds() -> None:
    """By hand: squares 2 + 8 + 0 over 3 degrees of freedom."""
    deviation, degrees = pooled_deviation([[1.0, 3.0], [0.0, 4.0], [5.0, 5.0]])
    assert (round(deviation**2, 9), degrees) == (round(10 / 3, 9), 3)
    with pytest.raises(ClaimError, match="at least two"):
        pooled_deviation([[1.0], [2.0]])


def test_a_margin_needs_a_source_and_pairs_need_to_be_pairs() -> None:
    with pytest.raises(ClaimError, match="without a source"):
        judge(Value(p("0.7"), Measured(0.9, 0.01, 4), margin=0.1))
    with pytest.raises(ClaimError, match="without a source"):
        judge(Difference(Measured(0.9, 0.01, 4), "higher", 0.1, "", "better"))
    with pytest.raises(ClaimError, match="no pairs"):
        Measured.paired([1.0, 2.0], [1.0])


def test_with_spread_a_conclusion_must_hold_wherever_the_true_value_may_lie() -> None:
    positive = Conclusion("it is positive", lambda value: value > 0)
    assert word(Value(p("0.9"), Measured(0.5, 0.1, 100), conclusion=positive)) == "same conclusion"
    assert word(Value(p("0.9"), Measured(0.1, 0.1, 100), conclusion=positive)) == "undecided"
    assert word(Value(p("0.9"), Measured(-0.5, 0.1, 100), conclusion=positive)) == "not reproduced"


# --- differences: inside the margin, outside, or across it ---


@pytest.mark.parametrize(
    ("claimed", "holds", "fails", "open_"),
    [
        ("higher", (0.1, 3.0), (-2.0, 0.9), (-0.1, 1.1)),
        ("much higher", (1.1, 3.0), (-2.0, 0.9), (0.9, 1.1)),
        ("not lower", (-0.9, 3.0), (-3.0, -1.1), (-1.1, 0.5)),
        ("equal", (-0.9, 0.9), (1.1, 2.0), (-0.9, 1.1)),
        ("different", (0.1, 3.0), (-0.9, 0.9), (-0.9, 1.1)),
    ],
)
def test_the_interval_decides(
    claimed: Claimed, holds: tuple[float, float], fails: tuple[float, float], open_: tuple[float, float]
) -> None:
    mirrored: dict[Claimed, Claimed] = {"higher": "lower", "much higher": "much lower", "not lower": "not higher"}
    for interval, told in ((holds, True), (fails, False), (open_, None)):
        assert decide(interval, claimed, 1.0) is told
        assert decide((-interval[1], -interval[0]), mirrored.get(claimed, claimed), 1.0) is told


def test_without_a_size_only_the_reverse_contradicts_a_direction() -> None:
    assert decide((-0.1, 0.2), "higher", 0.0) is None
    assert decide((-0.2, -0.1), "higher", 0.0) is False
    assert decide((0.0, 0.0), "higher", 0.0) is False, "equal without any noise is not higher"
    for claimed in ("equal", "different", "much higher", "much lower"):
        with pytest.raises(ClaimError, match="needs a margin"):
            decide((0.0, 1.0), claimed, 0.0)


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0.01, 1), st.sampled_from(["higher", "equal", "not lower"]))
def test_more_data_never_turn_a_told_finding_round(middle: float, half: float, margin: float, claimed: Claimed) -> None:
    """A narrower interval inside a wider one may tell what was open, and never the opposite of what was told."""
    wide = decide((middle - half, middle + half), claimed, margin)
    narrow = decide((middle - half / 3, middle + half / 3), claimed, margin)
    if claimed == "higher" and wide is False:
        assert narrow is not None  # it may be higher after all, by less than the margin
    elif wide is not None:
        assert narrow is wide


@given(st.floats(-1, 1), st.floats(0.001, 1), st.floats(0.01, 1))
def test_equal_and_different_are_never_both_found(middle: float, half: float, margin: float) -> None:
    interval = (middle - half, middle + half)
    if decide(interval, "much higher", margin) or decide(interval, "much lower", margin):
        assert decide(interval, "equal", margin) is False


def difference(value: float, error: float, claimed: Claimed = "lower", **more: object) -> Difference:
    return Difference(Measured(value, error, 783), claimed, 0.01, "half of the printed gap", "it is worse", **more)  # type: ignore[arg-type]


def test_no_significant_difference_is_neither_for_nor_against() -> None:
    assert word(difference(-0.02, 0.005)) == "same conclusion"
    assert word(difference(-0.005, 0.01)) == "undecided"
    assert word(difference(-0.005, 0.01, "equal")) == "undecided"
    assert word(difference(0.001, 0.001)) == "not reproduced"
    assert word(difference(0.001, 0.001, "equal")) == "same conclusion"
    assert word(difference(-0.02, 0.005), own=True) == "exact"
    assert word(difference(0.02, 0.005), own=True) == "inconsistent"


def test_a_difference_says_its_margin_and_where_it_comes_from() -> None:
    judgement = judge(difference(-0.005, 0.01))
    assert "margin 0.01 (half of the printed gap): too wide to tell" in judgement.reason
    assert (judgement.margin, judgement.margin_source) == (0.01, "half of the printed gap")
    assert judgement.interval is not None
    assert math.isclose(judgement.interval[1] - judgement.interval[0], 2 * student.ppf(0.975, 783) * 0.01)


def test_a_family_widens_the_interval_of_each_of_its_members() -> None:
    family = Family("busafekete2012/training", "eight models with eight others", 8)
    alone, together = judge(difference(-0.012, 0.005)), judge(difference(-0.012, 0.005, family=family))
    assert alone.verdict is Verdict.SAME_CONCLUSION
    assert together.verdict is Verdict.UNDECIDED
    assert "for 8 comparisons at once" in together.reason
    assert math.isclose(half_width(1.0, 783, 8), student.ppf(1 - (1 - CONFIDENCE) / 16, 783))
    assert family.holm([0.01, *[0.5] * 7])[0] == 0.08
    with pytest.raises(ClaimError, match="8 comparisons, 2 p-values"):
        family.holm([0.1, 0.2])


# --- statements and orders ---


def test_an_order_is_judged_by_what_differs_query_by_query() -> None:
    """Queries differ by 0.9, the methods by 0.01 in each: unpaired nothing can be told."""
    first = [0.1, 0.5, 0.9, 0.3, 0.7, 0.95]
    second = [one - 0.01 - place % 2 * 0.002 for place, one in enumerate(first)]
    unpaired = {"A": Measured.over(first), "B": Measured.over(second)}
    assert word(Order([["A"], ["B"]], unpaired)) == "undecided"
    assert word(Order([["B"], ["A"]], unpaired)) == "undecided"
    assert word(Order.by_query([["A"], ["B"]], {"A": first, "B": second})) == "same conclusion"
    assert word(Order.by_query([["B"], ["A"]], {"A": first, "B": second})) == "not reproduced"
    with pytest.raises(ClaimError, match="no scores"):
        Order.by_query([["A"], ["C"]], {"A": first, "B": second})


def test_a_strict_order_that_the_data_cannot_tell_is_undecided_whichever_way_it_looks() -> None:
    scores = {"A": [0.50, 0.61, 0.70, 0.40], "B": [0.52, 0.60, 0.69, 0.41]}
    for groups in ([["A"], ["B"]], [["B"], ["A"]]):
        judgement = judge(Order.by_query(groups, scores))
        assert judgement.verdict is Verdict.UNDECIDED
        assert "cannot be told" in judgement.reason


def test_a_statement_may_be_open() -> None:
    assert word(Statement(None, "one of three intervals is too wide", "all are better")) == "undecided"


@pytest.mark.parametrize(
    ("holds", "own", "verdict"),
    [
        (True, True, "exact"),
        (False, True, "inconsistent"),
        (True, False, "same conclusion"),
        (False, False, "not reproduced"),
    ],
)
def test_statements(holds: bool, own: bool, verdict: str) -> None:
    assert word(Statement(holds, "witness", "statement"), own=own) == verdict


def test_orders() -> None:
    published = [["A"], ["B", "C"], ["D"]]
    values = {"A": 4.0, "B": 2.0, "C": 3.0, "D": 1.0}
    assert word(Order(published, values)) == "same conclusion"
    assert word(Order(published, values), own=True) == "exact"
    swapped = values | {"D": 2.5}
    assert word(Order(published, swapped)) == "not reproduced"
    assert "B > D" in judge(Order(published, swapped)).reason
    assert "C > D" not in judge(Order(published, swapped)).reason
    noisy = {name: Measured(value, 0.5, 4) for name, value in swapped.items()}
    assert word(Order(published, noisy)) == "undecided"
    sure = {name: Measured(value, 0.01, 4) for name, value in swapped.items()}
    assert word(Order(published, sure)) == "not reproduced"


def test_an_equal_pair_is_no_order() -> None:
    assert word(Order([["A"], ["B"]], {"A": 1.0, "B": 1.0})) == "not reproduced"


def test_an_order_of_other_names_is_a_mistake_of_ours() -> None:
    with pytest.raises(ClaimError, match="the published order names"):
        judge(Order([["A"], ["B"]], {"A": 1.0, "C": 1.0}))


def test_a_single_value_has_no_spread() -> None:
    with pytest.raises(ClaimError, match="at least two values"):
        Measured.over([1.0])


# --- outcomes ---


def outcome(*cells: Cell, material: object = OWN_NUMBERS, proxy: str | None = None) -> Outcome:
    return Claim("tax2015.test.case", "here", "A statement.", lambda paper: cells, material, proxy).check()  # type: ignore[arg-type]


def test_the_worst_cell_decides_and_is_named() -> None:
    checked = outcome(Value(p("1"), 1, "one"), Value(p("2"), 3, "two"))
    assert checked.verdict is Verdict.INCONSISTENT
    assert checked.reason == "1 of 2 exact, 1 of 2 inconsistent; two: published 2; from its own numbers follows 3"


def test_without_data_nothing_is_said_for_or_against() -> None:
    checked = outcome(Value(p("1"), 1), material=NotPublic("the logs"))
    assert (checked.verdict, checked.reason) == (Verdict.NOT_COMPARABLE, "the logs were never published")
    assert checked.judgements == ()


def test_a_missing_record_is_said() -> None:
    checked = outcome(Value(p("1"), 1), material=RecordedResult("no/such", {"value": "int"}))
    assert checked.verdict is Verdict.NOT_COMPARABLE
    assert "there is no record no/such" in checked.reason


def test_a_proxy_is_not_comparable_but_shown() -> None:
    checked = outcome(Value(p("1"), 1), proxy="another population")
    assert checked.verdict is Verdict.NOT_COMPARABLE
    assert checked.judgements[0].ours == "1"
    assert checked.reason.startswith("another population; there, published 1; from its own numbers follows 1")


def test_a_claim_must_compare_something() -> None:
    with pytest.raises(ClaimError, match="compares nothing"):
        outcome()


def test_ids_are_checked_and_unique() -> None:
    with pytest.raises(ClaimError, match="not a valid claim id"):
        Claim("Tax 2015", "here", "A.", lambda paper: ())
    claims = ClaimList("tax2015")
    claims.add("a.b", place="", statement="")(lambda paper: ())
    with pytest.raises(ClaimError, match="declared twice"):
        claims.add("a.b", place="", statement="")(lambda paper: ())


def test_on_data_that_the_paper_never_used_a_claim_does_not_carry_over() -> None:
    fails = Statement(False, "it is not", "it is")
    elsewhere = Claim("tax2015.test.case", "here", "A.", lambda paper: fails, ELSEWHERE, other_data="OHSUMED").check()
    assert elsewhere.word == "does not carry over"
    assert badge(elsewhere).endswith(">✕\N{NO-BREAK SPACE}does not carry over</span>")
    holds = Statement(True, "it is", "it is")
    assert Claim("a.b.c", "", "A.", lambda paper: holds, ELSEWHERE, other_data="x").check(Paper).word == (  # type: ignore[arg-type]
        "same conclusion"
    )


def test_a_statement_is_filled_with_what_is_printed() -> None:
    sigma = Claim("koppel2019.a.b", "", "It is {others-map}, from {table1/DirectRanker/mq2008_ndcg}.", lambda paper: ())
    assert sigma.statement == "It is 3.2, from 0.720(12)."
    with pytest.raises(RecordError):
        _ = Claim("koppel2019.a.b", "", "It is {no-such}.", lambda paper: ()).statement


@pytest.mark.parametrize(
    ("material", "other_data", "how"),
    [
        (OWN_NUMBERS, None, "arithmetic"),
        (PrintedNumbers("counts of others", checked_by="counted"), None, "counted"),
        (CountedData(("mq2008",)), None, "counted"),
        (RecordedResult("a/b"), None, "rerun"),
        (RecordedResult("a/b"), "OHSUMED", "rerun on other data"),
        (RecordedResult("a/b", checked_by="arithmetic"), None, "arithmetic"),
        (NotPublic("logs"), None, "not public"),
    ],
)
def test_how_a_claim_is_checked_follows_from_its_material(material: Material, other_data: str | None, how: str) -> None:
    made = Claim("tax2015.test.case", "here", "A.", lambda paper: (), material, other_data=other_data)
    assert made.checked_by == how


def test_a_number_from_a_table_knows_its_place() -> None:
    cell = Value(load_paper("koppel2019")["table1"].number("RankNet", "mq2008_map"), 0.5)
    assert judge(cell).address == ("table1", "RankNet", "mq2008_map")
    assert judge(Value(p("0.5"), 0.5, address=("a", "b", "c"))).address == ("a", "b", "c")


# --- causes ---


def caused(name: str, holds: bool | None, weight: str, cause: str | None, proxy: str | None = None) -> Outcome:
    claims = ClaimList("tax2015")
    add = claims.add(f"test.{name}", place="here", statement="A.", weight=weight, cause=cause, proxy=proxy)
    add(lambda paper: Statement(holds, "found", "published"))
    (made,) = claims
    checked: Outcome = made.check()
    return checked


def test_claims_of_one_cause_count_once_by_the_worst_that_could_be_compared() -> None:
    found = causes(
        [
            caused("a", False, "supporting", "one-cell"),
            caused("b", True, "central", None),
            caused("c", False, "central", "one-cell"),
            caused("d", None, "supporting", "open"),
            caused("e", True, "supporting", "open"),
            caused("f", False, "supporting", "proxy", "another population"),
            caused("g", True, "supporting", "proxy"),
        ]
    )
    assert [(one.id, one.verdict.word, one.weight, len(one.outcomes)) for one in found] == [
        ("tax2015.one-cell", "inconsistent", Weight.CENTRAL, 2),
        ("tax2015.test.b", "exact", Weight.CENTRAL, 1),
        ("tax2015.open", "undecided", Weight.SUPPORTING, 2),
        ("tax2015.proxy", "exact", Weight.SUPPORTING, 2),
    ]
    table = cause_table([one for cause in found for one in cause.outcomes], by="weight")
    assert table.loc["central"].to_dict()["inconsistent"] == 1
    assert int(table.to_numpy().sum()) == 4


def test_a_slip_beside_a_conclusion_that_holds_stays_a_slip() -> None:
    (cause,) = causes([caused("a", False, "editorial", "front"), caused("b", True, "central", "front")])
    assert (cause.verdict.word, cause.weight, cause.lead.claim.id) == (
        "inconsistent",
        Weight.EDITORIAL,
        "tax2015.test.a",
    )


def test_weights_and_causes_are_checked() -> None:
    with pytest.raises(ValueError, match="important"):
        caused("a", True, "important", None)
    with pytest.raises(ClaimError, match="not a valid cause"):
        caused("a", True, "central", "Tax 2015")


# --- no verdict by hand ---


def test_an_outcome_has_no_field_for_a_verdict() -> None:
    assert "verdict" not in {field.name for field in fields(Outcome)}
    assert "verdict" not in {field.name for field in fields(Claim)}
    with pytest.raises(AttributeError):
        outcome(Value(p("1"), 1)).verdict = Verdict.EXACT  # type: ignore[misc]


def test_a_comparison_of_ones_own_kind_is_refused() -> None:
    @dataclass(frozen=True)
    class Lenient(Value):
        """A value with a verdict of its own."""

    with pytest.raises(ClaimError, match="not Lenient"):
        judge(Lenient(p("1"), 2))


def claims_files() -> list[Path]:
    """The modules of the package, and the claims of every paper, in its rooms and across."""
    own, papers = (ROOT / "ltrlib" / "claims").glob("*.py"), (ROOT / "ltrlib" / "papers").glob("*/*/claims*.py")
    across = (ROOT / "ltrlib" / "across").glob("*/claims_*.py")
    return [*own, *papers, *across, ROOT / "ltrlib" / "papers" / "tax2015" / "b6.py"]


def test_verdicts_are_named_only_where_they_are_made_or_shown() -> None:
    """The modules of the papers cannot write a verdict, because they do not import any."""
    allowed = {"verdict.py", "rules.py", "claim.py", "outcome.py", "causes.py", "show.py", "surprise.py", "changes.py"}
    for path in claims_files():
        names = {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}
        names |= {
            alias.name
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        if path.name not in allowed:
            assert not names & {"Verdict", "Judgement", "verdict", *Verdict.__members__}, path.name
    for name in ("outcome.py", "causes.py", "show.py"):
        tree = ast.parse((ROOT / "ltrlib" / "claims" / name).read_text())
        used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & set(Verdict.__members__)
        assert used <= {"NOT_COMPARABLE"}, name
    assert not re.search(r"\bVerdict\b", (ROOT / "ltrlib" / "claims" / "claim.py").read_text())
    # Surprise and re-scoring read verdicts and judgements; they make and name none.
    for name in ("claims/surprise.py", "across/conventions/rescoring.py"):
        nodes = list(ast.walk(ast.parse((ROOT / "ltrlib" / name).read_text())))
        called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
        assert not called & {"Verdict", "Judgement", "judge"}, name
        named = {node.attr for node in nodes if isinstance(node, ast.Attribute)} & set(Verdict.__members__)
        assert name == "claims/surprise.py" or not named
    surprise = ast.parse((ROOT / "ltrlib" / "claims" / "surprise.py").read_text())
    assert "replace" not in {node.id for node in ast.walk(surprise) if isinstance(node, ast.Name)}


def test_a_statement_in_a_papers_module_is_never_a_constant() -> None:
    for path in claims_files():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Statement":
                assert not isinstance(node.args[0], ast.Constant), f"{path.name}:{node.lineno}"


# Where a p-value decides, and why: nowhere but where a paper prints p-values and counts them in a sentence.
P_VALUES_DECIDE = {
    "chapelle2011/paper/claims_challenge.py": "Section 6.1 counts the printed p-values of Table 8 that are not small",
}
P_VALUE = re.compile(r"\b(p_\w*test\w*|p_?values?|p_holm|p|_LEVEL|_SIGNIFICANT)\b")


def test_no_p_value_decides_a_statement() -> None:
    """Absence of significance is no evidence: comparisons are handed in as differences with a margin."""
    found = set()
    for path in (ROOT / "ltrlib" / "papers").glob("*/*/claims*.py"):
        source = path.read_text()
        decisions = [
            node
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Compare) and P_VALUE.search(ast.get_source_segment(source, node) or "")
        ]
        assert len(decisions) <= 1, path
        found |= {path.relative_to(ROOT / "ltrlib" / "papers").as_posix() for _ in decisions}
    assert found == set(P_VALUES_DECIDE)


# --- words and shapes ---


def texts_in(path: Path) -> Iterator[str]:
    """What a file may show: the texts of a module without its docstrings, anything in pages and scripts."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield text
        return
    tree = ast.parse(text)
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)]
    said = {id(one.body[0].value) for one in blocks if one.body and isinstance(one.body[0], ast.Expr)}
    yield from (
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
    )


def test_the_shapes_of_verdicts_mean_nothing_else() -> None:
    shapes = {verdict.shape for verdict in Verdict} - {"?", "≠"}
    files = [*(ROOT / "ltrlib").rglob("*.py"), *(ROOT / "chapters").glob("*.md"), *ROOT.glob("chapters/_static/*.js")]
    using = [path.name for path in files if any(shape in text for text in texts_in(path) for shape in shapes)]
    assert using == ["verdict.py"]


def test_verdicts_differ_in_word_shape_and_class() -> None:
    for attribute in ("word", "shape", "css_class", "meaning"):
        assert len({getattr(verdict, attribute) for verdict in Verdict}) == 7
    assert all(len(verdict.shape) == 1 for verdict in Verdict)


def test_badges_escape_their_reason() -> None:
    shown = badge(outcome(Statement(False, 'a < b | "c"', "")))
    assert shown.startswith('<span class="verdict verdict-inconsistent" title="')
    assert shown.endswith(">≠\N{NO-BREAK SPACE}inconsistent</span>")
    assert "a &lt; b / &quot;c&quot;" in shown
    better = outcome(Value(p("1"), 2, better="higher"), material=ELSEWHERE)
    assert badge(better).endswith(">✕\N{NO-BREAK SPACE}not reproduced (better)</span>")


def test_tables_show_what_there_is() -> None:
    checked = outcome(Value(p("1"), 1, "one"), Value(p("2"), 3, "two"))
    assert outcome_table([checked])["published"].tolist() == ["2 cells"]
    assert count_table([checked, checked]).to_dict("index")["tax2015"]["inconsistent"] == 2
    assert "published 2, ours 3" in report(checked)


def test_own_numbers_are_told_from_others() -> None:
    assert gather(OWN_NUMBERS).own
    assert not gather(ELSEWHERE).own


def test_the_paper_reaches_the_comparison() -> None:
    def compare(paper: Paper) -> Cell:
        return Value(paper.statement("methods"), 87)

    assert Claim("tax2015.test.case", "here", "A statement.", compare).check().verdict is Verdict.EXACT
