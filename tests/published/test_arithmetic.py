"""Sums, ranges and monotony of every transcribed table: what a slip of a digit or of a row would break."""

from __future__ import annotations

import itertools
import re

import pytest

from ltrlib.published import PAPERS, load_paper, load_table

# What a column holds follows from its name: a share or score, a whole number, a year, or at least nothing negative.
SHARE = re.compile(r"(.*_)?(ndcg|map|err|nwn)|fold\d|against_\d|set[12]|label_share")
WHOLE = re.compile(
    r"queries|documents|features|rows|datasets|teams|iwn|wn|(.*_)?(ds|iwn|wn)|label\d|relevance_levels|year|results|"
    r"forward_references|times_listed|.*_query|ndcg\d+|p\d+|prize|reason"
)


def tables() -> list[tuple[str, str]]:
    return [(paper, table) for paper in PAPERS for table in load_paper(paper).header.tables]


def sequence(paper: str, table: str, column: str) -> list[float]:
    return [number.value for number in load_table(paper, table).column(column).values()]


def falls(values: list[float]) -> bool:
    return all(first >= second for first, second in itertools.pairwise(values))


@pytest.mark.parametrize(("paper", "name"), tables())
def test_every_number_lies_in_the_range_of_its_column(paper: str, name: str) -> None:
    table = load_table(paper, name)
    for column, header in table.header.columns.items():
        if header.kind != "number":
            continue
        for row, number in table.column(column).items():
            where = f"{paper} {name}, {row}, {column}: {number}"
            if table.name == "winning_numbers" or (WHOLE.fullmatch(column) and not SHARE.fullmatch(column)):
                assert number.exact.denominator == 1, where
            elif SHARE.fullmatch(column):
                assert 0 <= number.value <= 1, where
            assert number.value >= 0, where
            if column == "year":
                assert 1990 <= number.value <= 2026, where
            if number.standard_error is not None:
                assert 0 < number.standard_error < number.value, where


@pytest.mark.parametrize("metric", ["NDCG", "MAP", "ERR", "P"])
def test_evaluation_results_are_shares(metric: str) -> None:
    for paper, name, column in (("liu2011", "evaluation_results", "value"), ("chapelle2011", "later_results", "value")):
        for row, number in load_table(paper, name).column(column).items():
            if f"/ {metric}" in row:
                assert 0 < number.value < 1, row


# --- sums ---


def test_tax_collections_have_as_many_data_sets_as_the_title_says() -> None:
    paper = load_paper("tax2015")
    sizes = {row: number.value for row, number in paper["table1"].column("datasets").items()}
    total = sizes.pop("Total")
    assert sum(sizes.values()) == total == paper.statement("datasets").value
    assert len(sizes) == paper.statement("collections").value
    assert len(paper["b6"].rows) == paper.statement("methods").value


def test_tax_table4_leaving_each_metric_out_once_counts_every_comparison_three_times() -> None:
    table = load_table("tax2015", "table4")
    for method in table.rows:
        left_out = sum(table.number(method, f"no_{m}_iwn").value for m in ("ndcg3", "ndcg5", "ndcg10", "map"))
        assert left_out == 3 * table.number(method, "all_iwn").value, method


def test_yahoo_parts_add_up_to_the_collection() -> None:
    paper = load_paper("chapelle2011")
    for row, column in (("Queries", "queries"), ("Documents", "documents")):
        parts = [
            paper["table2"].number(row, f"set{number}_{part}").exact
            for number in (1, 2)
            for part in ("train", "valid", "test")
        ]
        assert paper["table1"].number("Yahoo!", column).agrees(sum(parts)), row


def test_yahoo_features_of_both_sets_less_the_common_ones_are_all() -> None:
    paper = load_paper("chapelle2011")
    both = sum(sequence("chapelle2011", "table2_features", "features"))
    assert both - paper.statement("common-features").value == paper.statement("features").value


def test_yahoo_label_shares_add_up_to_one_within_rounding() -> None:
    for column in ("set1", "set2"):
        shares = load_table("chapelle2011", "table3").column(column).values()
        rounding = sum(share.last_place for share in shares) / 2
        assert abs(sum(share.value for share in shares) - 1) <= rounding


def test_yahoo_prizes_add_up_over_two_tracks() -> None:
    paper = load_paper("chapelle2011")
    assert 2 * sum(sequence("chapelle2011", "prizes", "prize")) == paper.statement("prizes").value


# --- monotony ---


@pytest.mark.parametrize(
    ("paper", "table", "column"),
    [
        ("chapelle2011", "table6", "teams"),
        ("chapelle2011", "prizes", "prize"),
        ("chapelle2011", "figure3", "err"),
    ],
)
def test_a_column_that_is_sorted_in_print_is_sorted_here(paper: str, table: str, column: str) -> None:
    values = sequence(paper, table, column)
    assert falls(values)
    assert len(values) > 3


def test_yahoo_winners_are_listed_from_the_best() -> None:
    table = load_table("chapelle2011", "table7")
    for track in ("1", "2"):
        values = [table.number(row, "err").value for row in table.rows if row.startswith(f"{track} / ")]
        assert falls(values)
        assert len(values) >= 4


def test_yahoo_baselines_improve_from_one_to_the_next_in_every_column() -> None:
    table = load_table("chapelle2011", "table5")
    for column in ("valid_err", "valid_ndcg", "test_err", "test_ndcg"):
        assert falls(sequence("chapelle2011", "table5", column)[::-1])
    assert len(table.rows) == 3


def test_tax_leaving_a_metric_out_never_adds_comparisons() -> None:
    table = load_table("tax2015", "table4")
    for method in table.rows:
        for metric in ("ndcg3", "ndcg5", "ndcg10", "map"):
            assert table.number(method, f"no_{metric}_iwn").value < table.number(method, "all_iwn").value
