"""Verdicts: each rule at its borders, and that no verdict can be had but by a rule."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from ltrlib.claims.cells import Cell, Conclusion, Measured, Order, Statement, Value, reach
from ltrlib.claims.claim import Claim, ClaimList, Outcome
from ltrlib.claims.evidence import OWN_NUMBERS, NotPublic, PrintedNumbers, RecordedResult, find
from ltrlib.claims.rules import judge
from ltrlib.claims.show import badge, count_table, outcome_table, report
from ltrlib.claims.verdict import Verdict
from ltrlib.errors import ClaimError
from ltrlib.project import ROOT
from ltrlib.published import Paper, Printed

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
    ratio = reach(lambda a, b: a / b, p("1").bounds, p("3").bounds)
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


# --- statements and orders ---


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
    """The modules of the package, and the claims of every paper."""
    own, papers = (ROOT / "ltrlib" / "claims").glob("*.py"), (ROOT / "ltrlib" / "papers").glob("*/*/claims*.py")
    return [*own, *papers, ROOT / "ltrlib" / "papers" / "tax2015" / "b6.py"]


def test_verdicts_are_named_only_where_they_are_made_or_shown() -> None:
    """The modules of the papers cannot write a verdict, because they do not import any."""
    allowed = {"verdict.py", "rules.py", "claim.py", "causes.py", "show.py", "surprise.py", "changes.py"}
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
    for name in ("claim.py", "causes.py", "show.py"):
        tree = ast.parse((ROOT / "ltrlib" / "claims" / name).read_text())
        used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & set(Verdict.__members__)
        assert used <= {"NOT_COMPARABLE"}, name
    # Surprise and re-scoring read verdicts and judgements; they make and name none.
    for name in ("claims/surprise.py", "across/conventions/claims.py"):
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


# --- words and shapes ---


def test_verdicts_differ_in_word_shape_and_class() -> None:
    for attribute in ("word", "shape", "css_class", "meaning"):
        assert len({getattr(verdict, attribute) for verdict in Verdict}) == 7
    assert all(len(verdict.shape) == 1 for verdict in Verdict)


def test_badges_escape_their_reason() -> None:
    shown = badge(outcome(Statement(False, 'a < b | "c"', "")))
    assert shown.startswith('<span class="verdict verdict-inconsistent" title="')
    assert shown.endswith(">≠ inconsistent</span>")
    assert "a &lt; b / &quot;c&quot;" in shown
    better = outcome(Value(p("1"), 2, better="higher"), material=ELSEWHERE)
    assert badge(better).endswith(">✕ not reproduced (better)</span>")


def test_tables_show_what_there_is() -> None:
    checked = outcome(Value(p("1"), 1, "one"), Value(p("2"), 3, "two"))
    assert outcome_table([checked])["published"].tolist() == ["2 cells"]
    assert count_table([checked, checked]).to_dict("index")["tax2015"]["inconsistent"] == 2
    assert "published 2, ours 3" in report(checked)


def test_own_numbers_are_told_from_others() -> None:
    assert find(OWN_NUMBERS).own
    assert not find(ELSEWHERE).own


def test_the_paper_reaches_the_comparison() -> None:
    def compare(paper: Paper) -> Cell:
        return Value(paper.statement("methods"), 87)

    assert Claim("tax2015.test.case", "here", "A statement.", compare).check().verdict is Verdict.EXACT
