"""Published numbers: parsing of printed digits, the schema of the files, and the arithmetic of the tables."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltrlib.errors import RecordError
from ltrlib.project import project_data
from ltrlib.published import PAPERS, Paper, Printed, Table, load_paper, load_table

# --- a printed number ---


@pytest.mark.parametrize(
    ("text", "value", "unit", "error"),
    [
        ("0.25", 0.25, 0.01, None),
        ("0.250", 0.25, 0.001, None),
        ("36,251", 36251.0, 1.0, None),
        ("3,771 k", 3_771_000.0, 1000.0, None),
        ("36k", 36000.0, 1000.0, None),
        ("21.92%", 0.2192, 0.0001, None),
        ("0.720(12)", 0.72, 0.001, 0.012),
        ("151.94(41)", 151.94, 0.01, 0.41),
        ("2215(351)", 2215.0, 1.0, 351.0),
        ("$30,000", 30000.0, 1.0, None),
        ("-0.5", -0.5, 0.1, None),
        ("−0.5", -0.5, 0.1, None),
        ("three", 3.0, 1.0, None),
    ],
)
def test_printed_forms(text: str, value: float, unit: float, error: float | None) -> None:
    printed = Printed.parse(text)
    assert (printed.value, printed.last_place, printed.standard_error) == (value, unit, error)
    assert str(printed) == text


@pytest.mark.parametrize("text", ["", " 1", "1 ", "0,25", "1,23", ".5", "5.", "1e-3", "0.7(x)", "nan", "1%%", "many"])
def test_what_is_no_printed_number_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="is not a printed number"):
        Printed.parse(text)


@given(st.floats(-1e6, 1e6), st.integers(0, 9), st.sampled_from([ROUND_HALF_EVEN, ROUND_HALF_UP]))
def test_a_number_agrees_with_its_own_rounding_by_either_rule(number: float, digits: int, rule: str) -> None:
    rounded = Decimal(number).quantize(Decimal(1).scaleb(-digits), rounding=rule)
    assert Printed.parse(f"{rounded:f}").agrees(number)


@given(st.integers(0, 10**9), st.integers(0, 9))
def test_a_tie_agrees_with_both_neighbours_and_more_than_half_a_unit_does_not(number: int, digits: int) -> None:
    printed = Printed.parse(f"{Decimal(number).scaleb(-digits):f}")
    half = printed.unit / 2
    assert printed.agrees(printed.exact + half)
    assert printed.agrees(printed.exact - half)
    assert not printed.agrees(printed.exact + half * Fraction(101, 100))
    assert not printed.agrees(printed.exact - half * Fraction(101, 100))


@pytest.mark.parametrize("form", ["0.25", "36,251", "883 k", "21.92%", "$8,000", "0.720(12)"])
@given(number=st.floats(0, 1e6))
def test_ours_in_the_printed_form_agrees_with_ours(form: str, number: float) -> None:
    assert Printed.parse(Printed.parse(form).like(number)).agrees(number)


def test_binary_noise_does_not_decide_a_tie() -> None:
    # 0.145 is stored as 0.14499999999999999; as a decimal tie it may have been printed as 0.15.
    assert Printed.parse("0.15").agrees(0.145)


def test_bracket_errors_have_their_own_digits() -> None:
    printed = Printed.parse("0.540(10)")
    assert printed.error_agrees(0.0096)
    assert not printed.error_agrees(0.0094)
    with pytest.raises(RecordError, match="no standard error"):
        Printed.parse("0.540").error_agrees(0.01)


# --- the files ---


def test_every_paper_loads_and_every_folder_is_a_paper() -> None:
    folders = {path.name for path in project_data("published").iterdir()}
    assert folders == set(PAPERS)
    for name in PAPERS:
        paper = load_paper(name)
        for table in paper.tables.values():
            assert len(table.wide()) == len(table.rows)
            tidy = table.tidy()
            assert tidy[["row", "column"]].drop_duplicates().shape[0] == len(tidy)
            for row in tidy.itertuples():
                assert table.text(str(row.row), str(row.column)) == row.text


def test_statements_name_their_place_and_are_short() -> None:
    """Paraphrases, not quotations: one line each, and no quoted sentence."""
    for name in PAPERS:
        tables = load_paper(name).tables
        if "statements" in tables:
            for row in tables["statements"].rows:
                assert tables["statements"].text(row, "section")
                assert len(tables["statements"].text(row, "about")) < 180


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A correct paper, to be broken."""
    paper = tmp_path / "doe2020"
    paper.mkdir()
    (paper / "paper.yml").write_text(
        "paper: doe2020\ntitle: T\nauthors: A\npublished_in: J\ncite: doe2020\n"
        "tables:\n  table1:\n    title: Table 1\n    place: Section 1\n    about: A.\n"
        "    columns: {method: key, score: number or blank, note: text or blank}\n"
    )
    (paper / "table1.csv").write_text("method,score,note\nA,0.5,\nB,,x\n")
    return tmp_path


def test_the_unbroken_paper_loads(folder: Path) -> None:
    table = load_paper("doe2020", folder)["table1"]
    assert list(table.column("score")) == ["A"]
    assert table.tidy()["text"].tolist() == ["0.5", "x"]


@pytest.mark.parametrize(
    ("file", "old", "new", "where", "what"),
    [
        ("table1.csv", "0.5", "0.5x", "table1.csv:2 score", "not a printed number"),
        ("table1.csv", "B,", "A,", "table1.csv:3", "twice, first on line 2"),
        ("table1.csv", "A,0.5,", "A,0.5", "table1.csv:2", "2 cells where 3 columns"),
        ("table1.csv", "B,,x", ",,x", "table1.csv:3 method", "blank"),
        ("table1.csv", "B,,x", "B,,x ", "table1.csv:3 note", "ends with a space"),
        ("table1.csv", "score", "scor", "table1.csv:1", "paper.yml says"),
        ("table1.csv", "A,0.5,\nB,,x\n", "", "table1.csv", "no rows"),
        ("table1.csv", "A,0.5,", 'A,"0.5,', "table1.csv", "not a CSV file"),
        ("paper.yml", "doe2020\ntitle", "doe2021\ntitle", "paper.yml:1", "the folder is called doe2020"),
        ("paper.yml", "score: number or blank", "score: float", "paper.yml:11", "not 'float'"),
        ("paper.yml", "    place: Section 1\n", "", "paper.yml:7", "place is missing"),
        ("paper.yml", "    place:", "    palce:", "paper.yml:7", "place is missing"),
        ("paper.yml", "authors: A", "authors: [A]", "paper.yml:3", "is not a str"),
        ("paper.yml", "cite: doe2020", "cite: doe2020\nyear: 2020", "paper.yml:6", "unknown"),
        ("paper.yml", "method: key, ", "method: text, ", "paper.yml:11", "come first"),
        ("paper.yml", "title: T", "title: [T", "paper.yml:", "not YAML"),
        ("paper.yml", "about: A.", "about: A.\n    corrections: table9", "paper.yml:11", "no table table9"),
    ],
)
def test_a_broken_file_is_refused_with_file_and_line(
    folder: Path, file: str, old: str, new: str, where: str, what: str
) -> None:
    path = folder / "doe2020" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(RecordError, match=what) as caught:
        load_paper("doe2020", folder)
    assert where in (caught.value.where or "")


def test_a_missing_or_unnamed_table_is_refused(folder: Path) -> None:
    (folder / "doe2020" / "extra.csv").write_text("a\n1\n")
    with pytest.raises(RecordError, match=r"paper\.yml does not name this table"):
        load_paper("doe2020", folder)
    (folder / "doe2020" / "extra.csv").unlink()
    (folder / "doe2020" / "table1.csv").unlink()
    with pytest.raises(RecordError, match="the table is missing"):
        load_paper("doe2020", folder)


def test_what_is_unknown_is_answered_with_what_is_known() -> None:
    with pytest.raises(RecordError) as caught:
        load_table("chapelle2011", "table9")
    assert "table1, table2" in (caught.value.cure or "")
    with pytest.raises(RecordError) as caught:
        load_table("tax2015", "b6").number("ListNett", "nwn")
    assert (caught.value.cure or "").startswith("did you mean ListNet")
    with pytest.raises(RecordError, match="no column 'nnw'"):
        load_table("tax2015", "b6").number("ListNet", "nnw")


def test_corrections_apply_to_what_was_read_and_to_nothing_else() -> None:
    paper = load_paper("tax2015")
    corrected = paper.corrected("b6")
    changed = [
        (r, c) for r in corrected.rows for c in corrected.cells[r] if corrected.text(r, c) != paper["b6"].text(r, c)
    ]
    assert len(changed) == len(paper["b6_corrections"].rows)
    other = paper.with_table(paper["b6"].with_cell("MHR", "nwn", "0.4146"))
    with pytest.raises(RecordError, match=r"the correction of MHR, nwn is for 0\.5714"):
        other.corrected("b6")
    with pytest.raises(RecordError, match="has no corrections"):
        paper.corrected("table4")


# --- arithmetic: what a slip of transcription would break ---


def values(table: Table, column: str) -> dict[str, float]:
    return {row: number.value for row, number in table.column(column).items()}


@pytest.fixture(scope="module")
def tax() -> Paper:
    return load_paper("tax2015")


@pytest.fixture(scope="module")
def yahoo() -> Paper:
    return load_paper("chapelle2011")


@pytest.fixture(scope="module")
def koppel() -> Paper:
    return load_paper("koppel2019")


def test_tax_b6_cells_come_in_pairs_and_lie_in_range(tax: Paper) -> None:
    table = tax["b6"]
    for metric in ("ndcg3", "ndcg5", "ndcg10", "map"):
        nwn, datasets = values(table, f"{metric}_nwn"), values(table, f"{metric}_ds")
        assert nwn.keys() == datasets.keys()
        assert all(0 <= value <= 1 for value in nwn.values())
        assert all(1 <= number <= 20 for number in datasets.values())
    for method in table.rows:
        assert table.number(method, "wn").value <= table.number(method, "iwn").value


def test_tax_b6_counts_of_the_facts(tax: Paper) -> None:
    """Methods and data set counts per metric, counted independently when the table was first read."""
    counted = {
        m: (len(tax["b6"].column(f"{m}_nwn")), sum(values(tax["b6"], f"{m}_ds").values()))
        for m in ("ndcg3", "ndcg5", "ndcg10", "map")
    }
    assert counted["ndcg5"] == (62, 244)
    assert counted["ndcg10"] == (62, 278)
    assert counted["map"] == (61, 284)
    assert counted["ndcg3"] == (56, 241)
    assert sum(values(tax.corrected("b6"), "ndcg3_ds").values()) == 243


def test_tax_b6_corrected_is_consistent(tax: Paper) -> None:
    table = tax.corrected("b6")
    for method in table.rows:
        ratio = table.number(method, "wn").exact / table.number(method, "iwn").exact
        assert table.number(method, "nwn").agrees(ratio), method


def test_tax_corrected_cells_are_fractions_that_the_row_allows(tax: Paper) -> None:
    """The corrected NDCG@3 values are whole numbers over whole numbers, the values as read are not both."""
    for method, wins, comparisons in [
        ("FocusedBoost", 18, 48),
        ("FocusedSVM", 12, 48),
        ("FSM^SVM", 23, 97),
        ("RankELM (pairwise)", 25, 40),
    ]:
        assert tax.corrected("b6").number(method, "ndcg3_nwn").agrees(Fraction(wins, comparisons))
        assert not tax["b6"].number(method, "ndcg3_nwn").agrees(Fraction(wins, comparisons))


def test_tax_readings_say_what_the_table_holds(tax: Paper) -> None:
    for place in tax["b6_readings"].rows:
        method, _, column = place.rpartition(" / ")
        assert tax["b6"].text(method, column) == tax["b6_readings"].text(place, "taken")


def test_tax_same_methods_in_a5_and_b6(tax: Paper) -> None:
    assert sorted(tax["a5"].rows) == sorted(tax["b6"].rows)
    assert set(tax["table4"].rows) <= set(tax["b6"].rows)


def test_tax_statements_name_known_methods(tax: Paper) -> None:
    table = tax["statements"]
    lists = [row for row in table.rows if "; " in table.text(row, "text")]
    assert len(lists) >= 8
    collections = {row for row in lists if row.startswith("collections-")}
    metrics = {column.removesuffix("_nwn") for column in tax["b6"].header.columns}
    assert set(tax.names("defined-by")) <= metrics
    for row in set(lists) - collections - {"defined-by"}:
        assert set(tax.names(row)) <= set(tax["b6"].rows)


def test_yahoo_scores_lie_in_range_and_fall(yahoo: Paper) -> None:
    for table, columns in (
        ("table5", ("valid_err", "valid_ndcg", "test_err", "test_ndcg")),
        ("figure3", ("err", "ndcg")),
        ("table7", ("err",)),
        ("later_results", ("value",)),
    ):
        for column in columns:
            assert all(0.4 < value < 0.85 for value in values(yahoo[table], column).values())


def test_yahoo_figure3_ranks_and_times(yahoo: Paper) -> None:
    table = yahoo["figure3"]
    assert table.rows == tuple(str(rank) for rank in range(1, 21))
    first, last = (yahoo["statements"].text(f"{end}-day", "text") for end in ("first", "last"))
    assert all(first <= table.text(row, "last_submission")[:10] <= last for row in table.rows)


def test_yahoo_p_values_fill_the_upper_triangle(yahoo: Paper) -> None:
    table = yahoo["table8"]
    for row in table.rows:
        position = int(row[-1])
        for against in range(2, 6):
            text = table.text(row, f"against_{against}")
            assert bool(text) == (against > position)
            assert not text or 0 < Printed.parse(text).value < 1


def test_yahoo_counts_by_others_add_up(yahoo: Paper) -> None:
    table = yahoo["catboost_counts"]
    for row in table.rows:
        assert sum(table.number(row, f"label{label}").value for label in range(5)) == table.number(row, "rows").value


def test_yahoo_years_and_levels(yahoo: Paper) -> None:
    assert all(2007 <= year <= 2010 for year in values(yahoo["table1"], "year").values())
    assert all(2 <= levels <= 5 for levels in values(yahoo["table1"], "relevance_levels").values())


def test_koppel_scores_lie_in_range(koppel: Paper) -> None:
    for column in koppel["table1"].header.columns:
        if column != "method":
            assert all(0.1 < value < 0.8 for value in values(koppel["table1"], column).values())


def test_koppel_stored_means_are_those_of_the_stored_folds(koppel: Paper) -> None:
    for row in koppel["stored_folds"].rows:
        folds = [koppel["stored_folds"].number(row, f"fold{fold}").value for fold in range(1, 6)]
        mean = sum(folds) / 5
        error = (sum((fold - mean) ** 2 for fold in folds) / 4 / 5) ** 0.5
        stored = koppel["stored_means"].number(row, "value")
        assert stored.agrees(mean)
        assert stored.error_agrees(error)


def test_koppel_ranklib_logs_have_the_means_of_the_facts(koppel: Paper) -> None:
    logs = koppel["ranklib_logs"]
    means = {row: sum(logs.number(row, f"fold{fold}").value for fold in range(1, 6)) / 5 for row in logs.rows}
    for row, mean in {
        "LambdaMART / MSLR-WEB10K / NDCG@10": 0.4521,
        "LambdaMART / MSLR-WEB10K / MAP": 0.5967,
        "LambdaMART / MQ2007 / NDCG@10": 0.4496,
        "LambdaMART / MQ2007 / MAP": 0.4607,
        "LambdaMART / MQ2008 / NDCG@10": 0.4951,
        "LambdaMART / MQ2008 / MAP": 0.4541,
        "AdaRank / MSLR-WEB10K / NDCG@10": 0.3446,
        "AdaRank / MSLR-WEB10K / MAP": 0.5686,
        "AdaRank / MQ2008 / NDCG@10": 0.4941,
        "AdaRank / MQ2008 / MAP": 0.4725,
    }.items():
        assert round(means[row], 4) == mean


def test_liu_winning_numbers_are_those_of_a_complete_tournament() -> None:
    """Seven methods on seven data sets: 7 * 21 pairs, each won by at most one."""
    table = load_table("liu2011", "winning_numbers")
    sums = {column: sum(values(table, column).values()) for column in table.header.columns if column != "method"}
    assert max(sums.values()) == 147
    assert {column for column, total in sums.items() if total == 147} == {"ndcg3", "ndcg10", "map"}
    assert all(value <= 42 for column in sums for value in values(table, column).values())


def test_evaluation_results_lie_in_range() -> None:
    assert all(0 < value < 1 for value in values(load_table("liu2011", "evaluation_results"), "value").values())


def test_evaluation_results_of_two_sources_agree() -> None:
    """Torkestani 2012b prints three truncated digits; the same runs stand elsewhere with more digits or rounded."""
    table = load_table("liu2011", "evaluation_results")
    results = {tuple(row.split(" / ")): number for row, number in table.column("value").items()}
    compared = 0
    for (source, dataset, method, metric), number in results.items():
        if source.startswith("torkestani2012b"):
            continue
        for (other_source, *other), truncated in results.items():
            if other_source.startswith("torkestani2012b") and other == [dataset, method, metric]:
                compared += 1
                low, high = truncated.exact, truncated.exact + truncated.unit
                assert number.overlaps(float(low), float(high)), (
                    source,
                    dataset,
                    method,
                    metric,
                    str(number),
                    str(truncated),
                )
    assert compared > 20
