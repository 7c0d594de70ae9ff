"""The evaluation results behind Table B.6, the official baselines, the later results: names, counts, sums, sources."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest

from ltrlib.comparison.pareto import pareto_front
from ltrlib.comparison.winning import IwnRule, leave_one_dataset_out, winning_numbers
from ltrlib.metrics.metric import NDCG
from ltrlib.metrics.notation import parse
from ltrlib.papers.tax2015.b6 import METRICS
from ltrlib.papers.tax2015.matrix import elsewhere, results, sizes
from ltrlib.papers.tax2015.sources import studies
from ltrlib.published import Paper, Printed, load_paper, load_table

SHARED = Path("/work/shared/papers/tax")
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the collection that the tables came from is not here")


@pytest.fixture(scope="module")
def paper() -> Paper:
    return load_paper("tax2015")


@pytest.fixture(scope="module")
def matrix() -> pd.DataFrame:
    return results()


class Count(NamedTuple):
    """A row of winning numbers."""

    wn: int
    iwn: int
    datasets: int

    @property
    def nwn(self) -> Fraction:
        return Fraction(self.wn, self.iwn)


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def counted(matrix: pd.DataFrame, iwn: IwnRule) -> dict[tuple[str, str], Count]:
    return {
        (row["method"], row["metric"]): Count(row["wn"], row["iwn"], row["datasets"])
        for row in records(winning_numbers(matrix, iwn=iwn))
    }


def over_all(counts: dict[tuple[str, str], Count]) -> dict[str, Count]:
    return {method: count for (method, metric), count in counts.items() if metric == "all"}


def shared(name: str) -> pd.DataFrame:
    table = pd.read_csv(SHARED / name, dtype=str, keep_default_na=False)
    for column in ("dataset", "left_out"):
        if column in table:
            table[column] = table[column].str.replace(r"^LETOR(?=\d)", "LETOR ", regex=True)
    return table


# --- the matrix ---


def test_methods_are_those_of_table_b6_in_its_order(paper: Paper, matrix: pd.DataFrame) -> None:
    assert tuple(dict.fromkeys(matrix["method"])) == paper["b6"].rows


def test_there_are_1050_results_of_87_methods_on_19_data_sets(matrix: pd.DataFrame) -> None:
    assert (len(matrix), matrix["method"].nunique(), matrix["dataset"].nunique()) == (1050, 87, 19)
    assert matrix["metric"].value_counts().to_dict() == {"NDCG@3": 243, "NDCG@5": 245, "NDCG@10": 278, "MAP": 284}
    assert set(matrix["metric"]) == set(METRICS)


def test_every_value_is_a_plausible_score(matrix: pd.DataFrame) -> None:
    assert matrix["value"].between(0.1, 0.95).all()


def test_collections_have_as_many_data_sets_as_table_1_says_but_for_yandex(paper: Paper, matrix: pd.DataFrame) -> None:
    names = Counter(
        next(name for name in paper["table1"].rows if dataset.startswith(name.split("!")[0].split(" Internet")[0]))
        for dataset in matrix["dataset"].unique()
    )
    expected = {row: int(number.exact) for row, number in paper["table1"].column("datasets").items()}
    for row in ("Total", "Yandex Internet Mathematics 2009 contest"):
        expected.pop(row)
    assert names == expected


def test_table_b6_counts_the_data_sets_of_the_matrix(paper: Paper, matrix: pd.DataFrame) -> None:
    """All cells agree but for the one method that is alone on a data set, which the study did not count."""
    table = paper.corrected("b6")
    found = Counter((row["method"], row["metric"]) for row in records(matrix))
    differing = {
        (method, metric): found[method, metric]
        for metric, column in METRICS.items()
        for method in table.rows
        if int(table.text(method, f"{column}_ds") or 0) != found[method, metric]
    }
    alone = records(matrix[matrix["doubt"] == "alone"])
    assert differing == {(row["method"], row["metric"]): 1 for row in alone}


@needs_shared
def test_sizes_are_those_that_were_counted_elsewhere(matrix: pd.DataFrame) -> None:
    table = shared("dataset_sizes_true.csv").set_index("dataset")
    ours = sizes(matrix)
    for metric in METRICS:
        expected = table[f"{metric}_n"].astype(int)
        assert ours[metric].reindex(expected.index, fill_value=0).to_dict() == expected.to_dict()


@needs_shared
def test_every_result_of_the_collection_was_brought_over(matrix: pd.DataFrame) -> None:
    source = shared("primary_results.csv").query("kind == 'study-raw'")
    key = ["method", "dataset", "metric"]
    pd.testing.assert_series_equal(
        source.set_index(key)["value"].sort_index(),
        matrix.set_index(key)["printed"].sort_index(),
        check_names=False,
        check_dtype=False,
    )


# --- origins and doubts ---


def test_an_origin_known_by_table_a5_stands_there_for_the_method(paper: Paper, matrix: pd.DataFrame) -> None:
    """Where several publications have the value, one of them is enough."""
    for row in records(matrix[matrix["known_by"] == "A.5"]):
        named = {re.sub(r" (\d{4}[a-z]?)$", r" (\1)", name) for name in studies(paper, row["method"])}
        assert named & set(row["origin"].split("; ")), row


def test_an_official_baseline_stands_under_its_collection(matrix: pd.DataFrame) -> None:
    for number, origin in (("2.0", "L2"), ("3.0", "L3"), ("4.0", "L4")):
        rows = matrix[matrix["origin"] == origin]
        assert len(rows) > 0
        assert rows["dataset"].str.startswith(f"LETOR {number} ").all()


def test_a_result_without_origin_is_doubted(matrix: pd.DataFrame) -> None:
    unknown = matrix[matrix["origin"] == ""]
    assert unknown["doubt"].tolist() == ["no-source"]
    assert unknown["known_by"].tolist() == ["unknown"]
    assert set(matrix["known_by"]) == {"A.5", "note", "history", "inferred", "unknown"}


def test_every_doubt_is_defined_and_used(paper: Paper, matrix: pd.DataFrame) -> None:
    doubts = paper["doubts"]
    assert set(matrix["doubt"]) - {""} == set(doubts.rows)
    for code in doubts.rows:
        assert doubts.text(code, "if_right") in {"move", "leave out", "keep"}
        assert (doubts.text(code, "if_right") == "move") == bool(doubts.text(code, "belongs_to"))


def test_doubted_cells_show_what_is_doubted(matrix: pd.DataFrame) -> None:
    """What the matrix itself can tell is checked: equal values, a lone value, a level above all official baselines."""
    rows = records(matrix)
    value = {(row["method"], row["dataset"], row["metric"]): row["value"] for row in rows}
    by_doubt: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_doubt.setdefault(row["doubt"], []).append(row)
    for row in by_doubt["same-as-dataset"]:
        same = [
            key for key, other in value.items() if (row["method"], row["metric"]) == key[::2] and other == row["value"]
        ]
        assert len(same) == 2
    for row in by_doubt["same-as-metric"]:
        assert row["value"] == value[row["method"], row["dataset"], "NDCG@3"]
    twins = Counter((row["dataset"], row["value"]) for row in by_doubt["same-as-method"])
    assert list(twins.values()) == [2, 2, 2]
    for row in by_doubt["alone"]:
        assert sizes(matrix).loc[row["dataset"], row["metric"]] == 1
    for row in by_doubt["misplaced"]:
        assert (row["method"], "LETOR 3.0 TD2003", row["metric"]) not in value
    official = {
        origin: max(
            row["value"] for row in rows if (row["origin"], row["dataset"], row["metric"]) == (origin, name, "MAP")
        )
        for origin, name in (("L2", "LETOR 2.0 TD2004"), ("L3", "LETOR 3.0 TD2004"))
    }
    doubted = [
        row["value"] for row in by_doubt["torkestani2012a"] if "TD2004" in row["dataset"] and row["metric"] == "MAP"
    ]
    assert min(doubted) > official["L3"] + 0.15
    assert official["L2"] > official["L3"] + 0.1
    [unknown] = by_doubt["no-source"]
    assert unknown["value"] < value["RankSVM-Struct", unknown["dataset"], unknown["metric"]] - 0.1


def test_leaving_doubts_out_and_moving_them_changes_only_the_doubted(paper: Paper, matrix: pd.DataFrame) -> None:
    for code in paper["doubts"].rows:
        rest = results(without_doubts=[code])
        assert len(rest) == len(matrix) - (matrix["doubt"] == code).sum()
    moved = results(moved=["torkestani2012a"])
    # IPRank has a MAP of its own on the three data sets of LETOR 2.0.
    assert len(moved) == len(matrix) - 3
    assert not moved.duplicated(["method", "dataset", "metric"]).any()
    same = matrix["doubt"] != "torkestani2012a"
    pd.testing.assert_frame_equal(
        matrix[same].reset_index(drop=True), moved[moved["doubt"] != "torkestani2012a"].reset_index(drop=True)
    )


# --- what the paper prints, counted from the matrix ---


def test_the_rule_of_the_study_gives_every_cell_of_table_b6(paper: Paper, matrix: pd.DataFrame) -> None:
    table, ours = paper.corrected("b6"), counted(matrix, "reached")
    cells, rows = [], []
    for method in table.rows:
        for metric, column in METRICS.items():
            if not table.text(method, f"{column}_nwn"):
                assert (method, metric) not in ours or ours[method, metric].datasets == 0
                continue
            count = ours[method, metric]
            right = table.number(method, f"{column}_nwn").agrees(count.nwn)
            cells.append(right and table.number(method, f"{column}_ds").exact == count.datasets)
        total = ours[method, "all"]
        printed = [int(table.number(method, name).exact) for name in ("wn", "iwn")]
        rows.append(printed == [total.wn, total.iwn] and table.number(method, "nwn").agrees(total.nwn))
    assert (sum(cells), len(cells)) == (241, 241)
    assert (sum(rows), len(rows)) == (87, 87)


def test_five_quotients_and_one_count_are_wrong_in_the_print(paper: Paper, matrix: pd.DataFrame) -> None:
    errata, corrections, ours = paper["b6_errata"], paper["b6_corrections"], counted(matrix, "reached")
    metrics = {column: metric for metric, column in METRICS.items()} | {"": "all"}
    kinds: Counter[str] = Counter()
    for place in errata.rows:
        method, column = place.split(" / ")
        prefix, _, kind = column.rpartition("_")
        count = ours[method, metrics[prefix]]
        value = count.nwn if kind == "nwn" else Fraction(count.datasets)
        assert errata.number(place, "right").agrees(value), place
        assert not errata.number(place, "printed").agrees(value), place
        assert errata.text(place, "right") == corrections.text(place, "corrected")
        kinds[kind] += 1
    assert kinds == {"nwn": 5, "ds": 1}
    misread = {
        place
        for place in corrections.rows
        if place not in errata.rows or corrections.text(place, "read") != errata.text(place, "printed")
    }
    assert misread == {"FSM^SVM / ndcg3_nwn", "FSM^SVM / nwn"}


def test_the_formula_differs_in_the_eleven_rows_of_one_data_set(matrix: pd.DataFrame) -> None:
    """Two methods tie for first on Yahoo! Set 1, so the study's sum is odd; the front does not notice."""
    formula, reached = (over_all(counted(matrix, rule)) for rule in ("formula", "reached"))
    assert [sum(count.iwn for count in rule.values()) for rule in (formula, reached)] == [22_876, 22_865]
    less = {method: formula[method].iwn - reached[method].iwn for method in formula}
    yahoo = matrix[matrix["dataset"] == "Yahoo Set 1"]
    assert {method: number for method, number in less.items() if number} == dict.fromkeys(yahoo["method"], 1)
    assert len(yahoo) == 11
    assert set(yahoo["method"][yahoo["value"] == yahoo["value"].max()]) == {"RankSVM", "Consistent-RankCosine"}
    assert all(formula[method].wn == reached[method].wn for method in formula)
    fronts = []
    for rule in (formula, reached):
        front = pareto_front([count.iwn for count in rule.values()], [float(count.nwn) for count in rule.values()])
        fronts.append({method for method, on_it in zip(rule, front, strict=True) if on_it})
    assert fronts[0] == fronts[1]
    assert len(fronts[0]) == 10


def test_larf_leaves_the_front_when_its_data_are_taken_for_letor_2() -> None:
    totals = over_all(counted(results(moved=["torkestani2012a"]), "reached"))
    front = pareto_front([count.iwn for count in totals.values()], [float(count.nwn) for count in totals.values()])
    on_front = {method for method, on_it in zip(totals, front, strict=True) if on_it}
    assert totals["LARF"].iwn == 159
    assert "LARF" not in on_front
    assert on_front >= {"ListNet", "SmoothRank", "FenchelRank", "FSMRank", "AdaRank-MAP", "AdaRank-NDCG"}


def test_table_4_follows_in_all_sixty_numbers(paper: Paper, matrix: pd.DataFrame) -> None:
    table, agreeing = paper["table4"], 0
    for left_out in ("all", *METRICS):
        rest = over_all(counted(matrix[matrix["metric"] != left_out], "reached"))
        prefix = "all" if left_out == "all" else f"no_{METRICS[left_out]}"
        for method in table.rows:
            agreeing += table.number(method, f"{prefix}_nwn").agrees(rest[method].nwn)
            agreeing += table.number(method, f"{prefix}_iwn").exact == rest[method].iwn
    assert agreeing == 60


def test_the_points_of_figure_6_follow_but_for_one_copied_value(paper: Paper, matrix: pd.DataFrame) -> None:
    whole = over_all(counted(matrix, "reached"))
    without = {
        (row["method"], row["left_out"]): Count(row["wn"], row["iwn"], 0)
        for row in records(leave_one_dataset_out(matrix, iwn="reached"))
    }
    wrong = []
    for place in paper["figure6"].rows:
        method, left_out = place.split(" / ")
        ours = without.get((method, left_out), whole[method])
        wrong += [f"{place} / iwn"] * (paper["figure6"].number(place, "iwn").exact != ours.iwn)
        wrong += [f"{place} / nwn"] * (not paper["figure6"].number(place, "nwn").agrees(ours.nwn))
    assert len(paper["figure6"].rows) == 120
    assert wrong == list(paper["figure6_corrections"].rows)
    assert paper.corrected("figure6").number("LRUF / MSLR-WEB10K", "nwn").agrees(whole["LRUF"].nwn)


def test_liu_s_winning_numbers_of_letor_3_follow(matrix: pd.DataFrame) -> None:
    """Seven official baselines among themselves, in the three metrics that both have."""
    table = load_table("liu2011", "winning_numbers")
    rows = matrix[(matrix["origin"] == "L3") & matrix["method"].isin(table.rows)]
    ours = counted(rows, "formula")
    for metric in ("NDCG@3", "NDCG@10", "MAP"):
        for method in table.rows:
            assert table.number(method, METRICS[metric]).exact == ours[method, metric].wn, (method, metric)


# --- the same results elsewhere ---


def test_121_of_126_results_agree_with_another_source() -> None:
    table = elsewhere()
    cells = table.groupby(["method", "dataset", "metric"])["agrees"].all()
    assert (len(cells), int(cells.sum())) == (126, 121)
    differing = Counter(method for method, _, _ in cells.index[~cells])
    assert differing == {"Linear Regression": 4, "RankSVM-Struct": 1}
    slip = results().query("doubt == 'slip'").iloc[0]
    assert (slip["method"], slip["dataset"], slip["metric"]) in set(cells.index[~cells])


def test_one_agreement_more_would_fail_if_liu_had_to_round() -> None:
    """Only Torkestani 2012b is known to cut off digits; under rounding for all others 120 of the 126 agree."""
    table = elsewhere()
    rounded = [
        row["agrees"] if row["source"].startswith("torkestani") else _rounds(row["printed"], row["other"])
        for row in records(table)
    ]
    cells = table.assign(rounded=rounded).groupby(["method", "dataset", "metric"])[["agrees", "rounded"]].all()
    assert int(cells["rounded"].sum()) == 120
    assert cells.index[cells["agrees"] & ~cells["rounded"]].tolist() == [("AdaRank-MAP", "LETOR 3.0 TD2003", "NDCG@10")]


def _rounds(one: str, other: str) -> bool:
    first, second = Printed.parse(one), Printed.parse(other)
    return abs(first.exact - second.exact) <= max(first.unit, second.unit) / 2


def test_second_sources_name_data_sets_as_the_matrix_does(matrix: pd.DataFrame) -> None:
    table = load_table("tax2015", "second_sources").wide()
    assert set(table["dataset"]) - set(matrix["dataset"]) == {"LETOR 3.0 pooled"}
    assert len(table) == 268


@needs_shared
def test_no_second_source_was_lost(matrix: pd.DataFrame) -> None:
    """What is not in the table of second sources stands in the folder of another paper."""
    kinds = ["primary-table", "thesis-table", "author-run", "run-log", "secondary-copy", "study-history"]
    rows = shared("primary_results.csv")
    rows = rows[rows["kind"].isin(kinds)]
    here = load_table("tax2015", "second_sources").wide()
    letor3 = load_table("liu2011", "evaluation_results").wide()
    letor3["dataset"] = letor3["dataset"].str.replace("LETOR", "LETOR ")
    here["dataset"] = here["dataset"].replace("LETOR 3.0 pooled", "LETOR 3.0 all 7 pooled")
    cell = ["method", "dataset", "metric", "value"]
    known = set(map(tuple, pd.concat([here[cell], letor3[cell]]).to_numpy()))
    rest = rows[[key not in known for key in map(tuple, rows[cell].to_numpy())]]
    elsewhere_kept = rest["source"].str.contains("Table 11.8|Yahoo! LTRC Overview|results_ranklib")
    assert rest[~elsewhere_kept].empty
    assert len(rest) == 49 + 12 + 60


# --- the official baselines ---


def test_official_means_are_the_means_of_five_folds() -> None:
    groups: dict[tuple[str, ...], dict[str, Printed]] = {}
    for row, number in load_table("letor4", "baselines").column("value").items():
        method, dataset, part, fold, metric = row.split(" / ")
        groups.setdefault((method, dataset, part, metric), {})[fold] = number
    for key, group in groups.items():
        assert sorted(group) == ["1", "2", "3", "4", "5", "mean"], key
        printed = group.pop("mean")
        mean = sum((number.exact for number in group.values()), Fraction(0)) / 5
        # The folds are rounded too, each by half a unit at most.
        rounding = max(number.unit for number in group.values()) / 2
        assert abs(printed.exact - mean) <= printed.unit / 2 + rounding, key
    assert len(groups) == 268


def test_official_baselines_are_complete() -> None:
    numbers = load_table("letor4", "baselines").wide()
    per_method = numbers.groupby(["method", "dataset"]).size().unstack()
    assert per_method.eq(per_method.iloc[:, 0], axis=0).all(axis=None)
    files = {"AdaRank-MAP": 168, "AdaRank-NDCG": 168, "ListNet": 132, "RankBoost": 168, "RankSVM-Struct": 168}
    assert per_method.iloc[:, 0].to_dict() == files
    sources = load_table("letor4", "sources").wide()
    pairs = ["method", "dataset", "part"]
    assert set(map(tuple, sources[pairs].to_numpy())) == set(map(tuple, numbers[pairs].to_numpy()))


def test_official_baselines_are_those_of_the_study_but_for_the_slip(matrix: pd.DataFrame) -> None:
    rows = elsewhere().query("source == 'letor4'")
    wrong = rows[~rows["agrees"]]
    assert len(rows) == 38
    assert wrong[["method", "metric"]].to_numpy().tolist() == [["RankSVM-Struct", "NDCG@10"]]
    # ListNet's MAP is not in its files.
    assert len(matrix[matrix["origin"] == "L4"]) - len(rows) == 2


def test_official_settings_cover_five_folds_of_two_data_sets() -> None:
    table = load_table("letor4", "settings").wide()
    assert table.groupby(["method", "dataset"])["fold"].agg(list).map(lambda folds: folds == list("12345")).all()
    svm = table["method"] == "RankSVM-Struct"
    assert (table.loc[svm, "c"] != "").all()
    assert (table.loc[~svm, ["thresholds", "rounds"]] != "").all(axis=None)
    assert table.loc[svm, "c"].tolist() == [*("0.5", "5", "0.5", "0.5", "2"), *("10", "2", "1", "0.2", "0.5")]


# --- later results ---


@pytest.fixture(scope="module")
def later() -> pd.DataFrame:
    return load_table("later", "results").wide()


def test_later_results_are_scores_with_source_year_and_convention(later: pd.DataFrame) -> None:
    assert len(later) == 2951
    values = later["value"].astype(float)
    assert values.between(0.05, 1).all()
    assert set(later["source"]) == set(load_table("later", "sources").rows)
    assert set(later["convention"]) == set(load_table("later", "conventions").rows)
    for column in ("year", "convention"):
        assert (later.groupby("source")[column].nunique() == 1).all()
    assert later["year"].astype(int).between(2015, 2024).all()


def test_a_convention_s_notation_makes_the_choices_that_it_lists() -> None:
    table = load_table("later", "conventions").wide()
    gains = {"letor": (0, 1, 3), "exp2": "exp2"}
    named = table[table["notation"] != ""]
    assert len(named) >= 9
    for row in records(named):
        metric = parse(f"ndcg@10{row['notation']}")
        assert isinstance(metric, NDCG)
        assert (metric.gain, metric.discount) == (gains[row["gain"]], row["discount"])
        assert str(metric.empty).removesuffix(".0") == row["empty"]
        assert metric.ties == (row["ties"] or metric.ties)


def test_computed_means_are_the_means_of_their_folds(later: pd.DataFrame) -> None:
    checked = 0
    for key, group in later.groupby(["source", "method", "dataset", "metric"], sort=False):
        by_fold = group.set_index("fold")["value"]
        if "computed" in by_fold.index:
            parts = by_fold.drop("computed")
            assert len(parts) == 5, key
            mean = sum((Printed.parse(text).exact for text in parts), Fraction(0)) / 5
            computed = Printed.parse(by_fold["computed"])
            assert abs(computed.exact - mean) <= computed.unit / 2 + max(Printed.parse(text).unit for text in parts) / 2
            checked += 1
    assert checked == 254


def test_later_results_that_another_folder_has_are_the_same(later: pd.DataFrame) -> None:
    logs = {
        (row["method"], row["metric"], row["dataset"], str(fold)): row[f"fold{fold}"]
        for row in records(load_table("koppel2019", "ranklib_logs").wide())
        for fold in range(1, 6)
    }
    rows = records(later[later["convention"] == "ranklib"])
    assert len(rows) == len(logs)
    for row in rows:
        method, dataset = row["method"].split(" (")[0], row["dataset"].removeprefix("LETOR 4.0 ")
        assert float(logs[method, row["metric"], dataset, row["fold"]]) == float(row["value"])


@needs_shared
def test_every_later_result_of_the_collection_was_brought_over(later: pd.DataFrame) -> None:
    source = shared("later_results.csv").replace({"Yandex pool (spbsu-ml-community/jmll)": "Yandex pool (jmll)"})
    key = ["method", "dataset", "metric", "value", "year"]
    assert Counter(map(tuple, source[key].to_numpy())) == Counter(map(tuple, later[key].to_numpy()))
