"""Protects the audit of Table B.6: the whole numbers behind its rows, and the verdict on each cell."""

from __future__ import annotations

import pytest

from ltrlib.claims.registry import claim
from ltrlib.errors import UsageError
from ltrlib.papers.tax2015.audit import tables
from ltrlib.papers.tax2015.b6 import row_splits
from ltrlib.papers.tax2015.counted import print_of
from ltrlib.papers.tax2015.hidden.puzzle import row_options
from ltrlib.published import load_paper


def test_whole_numbers_behind_table_b6() -> None:
    """As corrected, 77 rows have one solution, 10 several, none zero; Table 4 leaves LRUF one."""
    counts = row_options().groupby("method")["option"].nunique()
    assert len(counts) == 87
    several = {
        "AdaRank-MAP", "AdaRank-NDCG", "IntervalRank", "LambdaNeuralRank", "ListMLE", "MHR", "RankELM (pointwise)",
        "RankSVM", "Ridge Regression",
    }  # fmt: skip
    assert set(counts[counts > 1].index) == several
    rows = tables.solutions_by_row().set_index("method")
    assert (rows["corrected"] == 1).sum() == 77
    assert set(rows.index[rows["corrected"] > 1]) == several | {"LRUF"}
    assert (rows["as_read"] == 1).sum() == 73
    assert set(rows.index[rows["as_read"] == 0]) == {"FocusedBoost", "FocusedSVM", "FSM^SVM", "RankELM (pairwise)"}


def test_a_split_prints_as_its_row_does() -> None:
    table = load_paper("tax2015").corrected("b6")
    (split,) = row_splits(table, "FSMRank")
    assert sum(wins for wins, _ in split.values()) == int(table.text("FSMRank", "wn"))
    assert {metric: f"{wins / possible:.4f}" for metric, (wins, possible) in split.items()} == {
        metric: table.text("FSMRank", f"{column}_nwn")
        for metric, column in (("NDCG@3", "ndcg3"), ("NDCG@5", "ndcg5"), ("NDCG@10", "ndcg10"), ("MAP", "map"))
    }


def test_every_printed_number_is_judged_and_the_six_errors_of_the_print_are_found() -> None:
    paper = load_paper("tax2015")
    printed = print_of(paper)
    numbers = tables.b6_numbers()
    filled = sum(
        bool(printed.text(method, column))
        for method in printed.rows
        for column in printed.header.columns
        if column not in ("method", "note")
    )
    assert len(numbers) == filled == 2 * 241 + 3 * 87
    wrong = tables.print_errors()
    assert {f"{m} / {c}" for m, c in zip(wrong["method"], wrong["column"], strict=True)} == set(paper["b6_errata"].rows)
    assert set(wrong["verdict"]) == {"inconsistent"}


def test_the_page_names_each_error_with_the_fraction_that_is_right() -> None:
    shown = tables.shown_errors().set_index(["method", "column"])["counted"]
    assert shown["FSM^SVM", "NDCG@3, NWN"] == "0.2371 = 23/97"
    assert shown["FSM^SVM", "NDCG@3, #ds"] == "4"
    assert shown["MHR", "all metrics, NWN"] == "0.4146 = 17/41"
    row = tables.row_in_detail("FSM^SVM").set_index("metric")
    assert list(row.loc["NDCG@3"]) == ["0.2292", "23/97 = 0.2371", "2", "4", "≠ inconsistent"]
    assert row.loc["all metrics", "counted"] == "149/389 = 0.3830"
    with pytest.raises(UsageError, match="no method 'X'"):
        tables.row_in_detail("X")


def test_two_methods_that_tie_for_first_win_one_comparison_less_than_there_are_others() -> None:
    table = tables.tie_for_first()
    assert table["method"].tolist()[:2] == ["Consistent-RankCosine", "RankSVM"]
    assert table["wins"].max() == len(table) - 2 == 9


def test_the_rules_differ_by_one_in_the_rows_of_the_only_shared_first_place() -> None:
    ((*place, methods),) = tables.first_places_tied().to_numpy().tolist()
    assert place == ["Yahoo Set 1", "NDCG@10", "0.761", "Consistent-RankCosine, RankSVM"]
    rows = tables.rows_between_rules()
    assert rows["method"].tolist() == methods.split(", ")
    assert set(rows["IWN by the formula"] - rows["IWN as computed"]) == {1}
    assert tables.findings()["iwn-computed"] == "22,865"
    assert tables.findings()["iwn-formula"] == "22,876"


def test_a_changed_digit_of_the_print_is_seen() -> None:
    paper = load_paper("tax2015")
    changed = paper.with_table(paper["b6"].with_cell("LRUF", "iwn", "461"))
    outcome = claim("tax2015.b6.recomputed-iwn").check(changed)
    assert [one.name for one in outcome.judgements if one.verdict.word != "exact"] == ["LRUF, IWN"]


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("b6.nwn-between", "exact"),
        ("b6.whole-wins", "inconsistent"),
        ("table4.nwn", "exact"),
        ("b6.recomputed-nwn", "inconsistent"),
        ("b6.recomputed-iwn", "exact"),
        ("b6.recomputed-datasets", "inconsistent"),
        ("b6.iwn-formula", "inconsistent"),
        ("b6.front-of-either-rule", "exact"),
    ],
)
def test_verdicts(name: str, verdict: str) -> None:
    outcome = claim(f"tax2015.{name}").check()
    assert outcome.verdict.word == verdict, outcome.reason
