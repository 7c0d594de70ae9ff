"""Winning numbers: hand-worked cases, published numbers, a plain double loop, and the laws of the definition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltrlib.comparison.results import COLUMNS
from ltrlib.comparison.winning import IwnRule, leave_one_dataset_out, winning_numbers
from ltrlib.errors import DataFormatError, UsageError
from ltrlib.published import load_table

Row = tuple[str, str, str, float]


def table(rows: list[Row]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"value": float})


# Worked by hand. MAP on d1: A .5, B .3, C .3 (a tie); on d2: A .1, B .2. P@5 on d1: B .9, C .8.
HAND = table(
    [
        ("A", "d1", "MAP", 0.5),
        ("B", "d1", "MAP", 0.3),
        ("C", "d1", "MAP", 0.3),
        ("A", "d2", "MAP", 0.1),
        ("B", "d2", "MAP", 0.2),
        ("B", "d1", "P@5", 0.9),
        ("C", "d1", "P@5", 0.8),
    ]
)


def as_tuples(frame: pd.DataFrame, *columns: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in frame[list(columns)].itertuples(index=False)]


def double_loop(rows: Sequence[Sequence[Any]]) -> dict[tuple[str, str], tuple[int, int]]:
    """WN and IWN per method and metric, straight from the two sums of the definition."""
    counts: dict[tuple[str, str], tuple[int, int]] = {}
    for method, dataset, metric, value in rows:
        wins, possible = counts.get((method, metric), (0, 0))
        for other_method, other_dataset, other_metric, other_value in rows:
            if (dataset, metric) == (other_dataset, other_metric) and method != other_method:
                wins += value > other_value
                possible += 1
        counts[method, metric] = wins, possible
    return counts


def test_hand_worked_table_gives_the_worked_counts() -> None:
    got = as_tuples(winning_numbers(HAND), "method", "metric", "wn", "iwn", "datasets")
    assert got == [
        ("A", "MAP", 2, 3, 2),
        ("A", "all", 2, 3, 2),
        ("B", "MAP", 1, 3, 2),
        ("B", "P@5", 1, 1, 1),
        ("B", "all", 2, 4, 2),
        ("C", "MAP", 0, 2, 1),
        ("C", "P@5", 0, 1, 1),
        ("C", "all", 0, 3, 1),
    ]
    assert winning_numbers(HAND)["nwn"].tolist() == [2 / 3, 2 / 3, 1 / 3, 1.0, 0.5, 0.0, 0.0, 0.0]


# Worked by hand. On d1 A and B tie for first above C and D, which tie too; on d2 all three are equal; on d3 A is alone.
TIES = table(
    [
        ("A", "d1", "MAP", 0.5),
        ("B", "d1", "MAP", 0.5),
        ("C", "d1", "MAP", 0.3),
        ("D", "d1", "MAP", 0.3),
        ("A", "d2", "MAP", 0.1),
        ("B", "d2", "MAP", 0.1),
        ("C", "d2", "MAP", 0.1),
        ("A", "d3", "MAP", 0.9),
    ]
)


def test_ties_for_first_lower_what_was_reached_but_not_the_formula() -> None:
    columns = ("method", "wn", "iwn", "datasets")
    by_rule = {rule: as_tuples(winning_numbers(TIES, iwn=rule), *columns)[::2] for rule in get_args(IwnRule)}
    assert by_rule["formula"] == [("A", 2, 5, 2), ("B", 2, 5, 2), ("C", 0, 5, 2), ("D", 0, 3, 1)]
    assert by_rule["reached"] == [("A", 2, 2, 2), ("B", 2, 2, 2), ("C", 0, 2, 2), ("D", 0, 2, 1)]
    assert winning_numbers(TIES).equals(winning_numbers(TIES, iwn="formula"))


def test_where_all_are_equal_nothing_could_be_reached() -> None:
    level = winning_numbers(TIES[TIES["dataset"] == "d2"], iwn="reached")
    assert (level["iwn"] == 0).all()
    assert level["nwn"].isna().all()
    assert (level["datasets"] == 1).all()


def test_a_data_set_with_one_method_is_not_counted() -> None:
    for rule in get_args(IwnRule):
        alone = as_tuples(winning_numbers(TIES[TIES["dataset"] == "d3"], iwn=rule), "metric", "wn", "iwn", "datasets")
        assert alone == [("MAP", 0, 0, 0), ("all", 0, 0, 0)]


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no rule 'best' of IWN\n.*formula or reached"):
        winning_numbers(HAND, iwn="best")  # type: ignore[arg-type]


def test_leaving_one_data_set_out_keeps_only_the_methods_it_changes() -> None:
    got = as_tuples(leave_one_dataset_out(HAND), "left_out", "method", "wn", "iwn")
    assert got == [("d1", "A", 0, 1), ("d1", "B", 1, 1), ("d1", "C", 0, 0), ("d2", "A", 2, 2), ("d2", "B", 1, 3)]
    assert np.isnan(leave_one_dataset_out(HAND)["nwn"][2])
    by_metric = as_tuples(leave_one_dataset_out(HAND, metric="P@5"), "left_out", "method", "wn", "iwn")
    assert by_metric == [("d1", "B", 0, 0), ("d1", "C", 0, 0)]
    with pytest.raises(UsageError, match=r"no metric 'P@7'.*\n.*MAP, P@5"):
        leave_one_dataset_out(HAND, metric="P@7")


@pytest.mark.parametrize("rule", get_args(IwnRule))
def test_leaving_out_equals_computing_without(rule: IwnRule) -> None:
    """The subtraction must give what a fresh computation on the reduced table gives."""
    rng = np.random.default_rng(5)
    rows: list[Row] = [
        (f"m{m}", f"d{d}", metric, float(rng.integers(0, 5)) / 4)
        for m in range(7)
        for d in range(6)
        for metric in ("MAP", "NDCG@3", "NDCG@10")
        if rng.random() < 0.6
    ]
    results = table(rows)
    for name, part in leave_one_dataset_out(results, iwn=rule).groupby("left_out"):
        fresh = winning_numbers(results[results["dataset"] != name], iwn=rule)
        fresh = fresh[fresh["metric"] == "all"].set_index("method")[["wn", "iwn"]]
        given_here = part.set_index("method")[["wn", "iwn"]]
        expected = fresh.reindex(given_here.index).fillna(0).astype(int)
        pd.testing.assert_frame_equal(given_here, expected, check_dtype=False)


def test_published_winning_numbers_of_letor_3_hold_the_laws_and_contain_td2003() -> None:
    """Liu 2011, Table 11.8 counts wins over 7 data sets among 7 methods; Table 11.1 holds one of the seven."""
    published = load_table("liu2011", "winning_numbers").wide().set_index("method").astype(int)
    raw = load_table("liu2011", "evaluation_results").wide().astype({"value": float})
    td2003 = raw[raw["source"] == "liu2011 Table 11.1"]
    assert len(published) == 7
    no_ties = 7 * (7 * 6 // 2)
    assert published.sum().max() == no_ties
    assert {column for column in published if published[column].sum() == no_ties} >= {"ndcg3", "ndcg10", "map"}
    names = {
        "ndcg1": "NDCG@1",
        "ndcg3": "NDCG@3",
        "ndcg10": "NDCG@10",
        "p1": "P@1",
        "p3": "P@3",
        "p10": "P@10",
        "map": "MAP",
    }
    counted = winning_numbers(td2003)
    for row in counted[counted["metric"] != "all"].itertuples():
        total = {names[str(column)]: number for column, number in published.loc[str(row.method)].items()}[
            str(row.metric)
        ]
        assert row.iwn == 6
        assert row.wn <= total


def test_missing_values_are_no_results() -> None:
    with_gap = pd.concat([HAND, table([("C", "d2", "MAP", float("nan")), ("D", "d2", "MAP", float("nan"))])])
    pd.testing.assert_frame_equal(winning_numbers(with_gap), winning_numbers(HAND))


def test_nothing_in_nothing_out() -> None:
    for function in (winning_numbers, leave_one_dataset_out):
        assert function(table([])).empty


def test_values_are_compared_as_given() -> None:
    """One unit in the last place is a win: nothing is rounded on the way."""
    close = table([("A", "d", "MAP", 0.3), ("B", "d", "MAP", np.nextafter(0.3, 1))])
    assert as_tuples(winning_numbers(close), "method", "wn")[2:] == [("B", 1), ("B", 1)]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (("A", "d1", "MAP", 0.6), r"row 7: the same method, data set and metric as in row 0 \(method A"),
        (
            ("D", "d1", "MAP", 1.5),
            r"row 7: the value is outside \[0, 1\] \(method D, dataset d1, metric MAP, value 1.5",
        ),
        (("D", "d1", "MAP", -0.1), r"row 7: the value is outside \[0, 1\]"),
        (("D", "d1", "MAP", float("inf")), r"row 7: the value is infinite"),
        (("D", "d1", "RMSE", 0.1), r"row 7: the metric 'RMSE' is unknown"),
        (("D", "d1", "all", 0.1), r"row 7: the metric 'all' is unknown"),
        (("D", "d1", "NDCG@0", 0.1), r"row 7: the metric 'NDCG@0' is unknown"),
        (("D", "d1", "map", 0.1), r"row 7: the metric 'map' is also written 'MAP'"),
        (("", "d1", "MAP", 0.1), r"row 7: the method is not a name"),
        (("D", " ", "MAP", 0.1), r"row 7: the dataset is not a name"),
    ],
)
def test_bad_rows_are_named(bad: Row, message: str) -> None:
    with pytest.raises(DataFormatError, match=message):
        winning_numbers(pd.concat([HAND, table([bad])], ignore_index=True))


def test_bad_tables_are_refused() -> None:
    with pytest.raises(DataFormatError, match="no column dataset, value among method, metric"):
        winning_numbers(HAND[["method", "metric"]])
    with pytest.raises(DataFormatError, match=r"results.csv: the values are str, not numbers"):
        winning_numbers(HAND.astype({"value": "str"}), source="results.csv")
    with pytest.raises(DataFormatError, match="the method is not a name"):
        winning_numbers(HAND.assign(method=range(7)))
    with pytest.raises(DataFormatError, match=r"2 rows in all"):
        winning_numbers(HAND.assign(value=[0.1, 0.2, 3, 4, 0.1, 0.2, 0.3]))


def test_a_declared_metric_may_have_any_finite_value() -> None:
    dcg = table([("A", "d", "DCG@10", 12.5), ("B", "d", "DCG@10", -3)])
    assert as_tuples(winning_numbers(dcg, declared_metrics=["DCG@10"]), "method", "wn")[::2] == [("A", 1), ("B", 0)]


RESULTS = st.dictionaries(
    st.tuples(st.sampled_from("ABCDE"), st.sampled_from("xyz"), st.sampled_from(["MAP", "NDCG@5"])),
    st.one_of(st.integers(0, 4).map(lambda i: i / 4), st.floats(0, 1), st.just(float("nan"))),
).map(lambda cells: table([(*key, value) for key, value in cells.items()]))


@settings(deadline=None)
@given(RESULTS)
def test_counts_equal_a_plain_double_loop(results: pd.DataFrame) -> None:
    counted = winning_numbers(results)
    of_metric = counted[counted["metric"] != "all"]
    got = {(str(row.method), str(row.metric)): (row.wn, row.iwn) for row in of_metric.itertuples()}
    assert got == double_loop(results.dropna().to_numpy(dtype=object).tolist())


@settings(deadline=None)
@given(RESULTS)
def test_what_was_reached_is_the_most_wins_of_each_data_set(results: pd.DataFrame) -> None:
    """At most the formula, equal to it where nobody ties for first, and never less than what a method won."""
    formula, reached = (winning_numbers(results, iwn=rule) for rule in get_args(IwnRule))
    kept = ["method", "metric", "wn", "datasets"]
    pd.testing.assert_frame_equal(formula[kept], reached[kept])
    assert (reached["iwn"] <= formula["iwn"]).all()
    assert (reached["wn"] <= reached["iwn"]).all()
    groups = results.dropna().groupby(["dataset", "metric"])["value"]
    most = {key: int((group < group.max()).sum()) for key, group in groups}
    expected: dict[tuple[object, ...], int] = {}
    for method, dataset, metric, _ in as_tuples(results.dropna(), *COLUMNS):
        expected[method, metric] = expected.get((method, metric), 0) + most[dataset, metric]
    of_metric = reached[reached["metric"] != "all"]
    assert {row[:2]: row[2] for row in as_tuples(of_metric, "method", "metric", "iwn")} == expected
    if all((group == group.max()).sum() == 1 for _, group in groups):
        pd.testing.assert_frame_equal(formula, reached)


@settings(deadline=None)
@given(RESULTS)
def test_laws_of_the_sums(results: pd.DataFrame) -> None:
    """Every pair is counted twice in IWN (so its sum is even) and once in WN, unless it is a tie."""
    counted = winning_numbers(results)
    total = counted[counted["metric"] == "all"]
    groups = results.dropna().groupby(["dataset", "metric"])["value"]
    ties = sum(int(n * (n - 1) // 2) for _, group in groups for n in group.value_counts())
    assert total["iwn"].sum() % 2 == 0
    assert total["wn"].sum() == total["iwn"].sum() // 2 - ties
    assert (total["wn"] <= total["iwn"]).all()


@settings(deadline=None)
@given(RESULTS)
def test_strictly_rising_transforms_per_data_set_and_metric_change_nothing(results: pd.DataFrame) -> None:
    """Only the order counts: replace each group's values by other numbers in the same order."""
    groups = results.groupby(["dataset", "metric"])["value"]
    ranks = groups.rank(method="dense")
    shift = groups.ngroup() % 3 + 1
    transformed = results.assign(value=(ranks / (ranks + 1)) ** shift)
    pd.testing.assert_frame_equal(winning_numbers(transformed), winning_numbers(results))


@settings(deadline=None)
@given(RESULTS)
def test_order_of_rows_and_names_of_data_sets_do_not_matter(results: pd.DataFrame) -> None:
    def by_name(frame: pd.DataFrame) -> pd.DataFrame:
        return winning_numbers(frame).sort_values(["method", "metric"]).reset_index(drop=True)

    renamed = results.assign(dataset=results["dataset"].map({"x": "three", "y": "one", "z": "two"}))
    pd.testing.assert_frame_equal(by_name(renamed.iloc[::-1]), by_name(results))
