"""Protects the continued table: what may be joined, what may not, and adding a publication's results."""

from __future__ import annotations

import csv
import shutil
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from ltrlib.across.continued.adding import Source, add_publication
from ltrlib.across.continued.joined import join_results, joined, what_changes
from ltrlib.across.continued.measures import METRICS, same_measure
from ltrlib.across.continued.pool import FAMILY, LATER, OURS, TABLE_B6, everything, pool, with_our_runs
from ltrlib.across.continued.tables import comparable_pairs, export_csv, families, leaders
from ltrlib.across.our_runs.records import QUERIES
from ltrlib.claims.registry import claim
from ltrlib.cli import main
from ltrlib.errors import DataFormatError, LtrlibError, UsageError
from ltrlib.project import project_data
from ltrlib.published.tables import load_paper, load_table

# --- what is joined ---


def test_every_published_result_is_there_with_its_source() -> None:
    table = everything()
    assert len(load_table("later", "results").rows) <= (table["kind"] == "later").sum()
    assert (table["kind"] == TABLE_B6).sum() == 1050
    assert (table[["method", "dataset", "part", "metric", "convention", "publication", "place"]] != "").all().all()
    assert table["value"].between(0, 1).all()


def test_a_method_stands_once_in_a_family() -> None:
    assert not pool().duplicated(["method", *FAMILY]).any()


def test_only_letors_tool_joins_table_b6() -> None:
    """On MQ2007, MQ2008 and OHSUMED; for MAP RankLib's formula is the same."""
    table = join_results()
    added = table[table["kind"] != TABLE_B6]
    assert set(added["dataset"]) == {"LETOR 3.0 OHSUMED", "LETOR 4.0 MQ2007", "LETOR 4.0 MQ2008"}
    assert set(added["part"]) == {"mean of five folds"}
    ndcg = added[added["metric"] != "MAP"]
    assert set(ndcg["convention"]) == {"letor3", "letor4", "letor-perl"}
    assert set(added["convention"]) - set(ndcg["convention"]) == {"ranklib"}


def test_what_has_no_stated_convention_joins_nothing() -> None:
    table = pool()
    for _, group in table[table["convention"].isin(["unstated", "not stated"])].groupby(FAMILY):
        assert group["publication"].nunique() == 1


def test_our_runs_are_the_means_of_their_folds() -> None:
    queries = QUERIES.read().table
    mine = queries[(queries["dataset"] == "mq2008") & (queries["method"] == "LambdaMART")]
    by_hand = mine.groupby("fold")["NDCG@10"].mean().mean()
    table = pool(kinds=[OURS])
    found = table.query(
        "dataset == 'LETOR 4.0 MQ2008' and method == 'LambdaMART [this book]' and metric == 'NDCG@10' "
        "and convention == 'letor4'"
    )
    assert found["value"].tolist() == pytest.approx([by_hand])
    assert not table["dataset"].str.contains("standin").any(), "generated data join nothing"


def test_means_of_folds_are_computed_where_a_source_has_none() -> None:
    rows = load_table("later", "results").wide()
    folds = rows[
        (rows["method"] == "AdaRank (RankLib 2.10)")
        & (rows["dataset"] == "LETOR 4.0 MQ2008")
        & (rows["metric"] == "NDCG@10")
    ]
    assert len(folds) == 5
    found = pool().query("method == 'AdaRank (RankLib 2.10) [kramerlab]' and dataset == 'LETOR 4.0 MQ2008'")
    assert found.query("metric == 'NDCG@10'")["value"].tolist() == pytest.approx([folds["value"].astype(float).mean()])


def test_measures_are_equal_exactly_where_the_formula_is() -> None:
    assert (
        same_measure("NDCG@10", "letor3") == same_measure("NDCG@10", "letor4") == same_measure("NDCG@10", "letor-perl")
    )
    assert same_measure("NDCG@10", "gdeval") != same_measure("NDCG@10", "ranklib")
    assert same_measure("NDCG@10", "direct-2019") != same_measure("NDCG@10", "direct-2022")
    assert same_measure("NDCG@5", "letor4") != same_measure("NDCG@10", "letor4")


def test_joining_more_results_never_takes_comparisons_away() -> None:
    before, after = joined(join_results(kinds=[TABLE_B6])), joined(join_results())
    changes = what_changes(before, after)
    assert (changes["IWN after"] >= changes["IWN before"]).all()
    assert (changes["WN after"] >= changes["WN before"]).all()
    assert len(changes) == 87


def test_pairs_are_counted_as_by_hand_on_a_small_set() -> None:
    """Yahoo Set 2: Table B.6 (7, not stated), gdeval (5), allRank (7): nothing can be compared across them."""
    (row,) = comparable_pairs().query("dataset == 'Yahoo Set 2'").to_dict("records")
    assert row["pairs"] == 7 * 5 + 7 * 7 + 5 * 7
    assert (row["comparable"], row["another convention"], row["convention not stated"]) == (0, 35, 84)


def test_the_map_shows_every_pooled_result_of_its_metric() -> None:
    table = pool()
    assert families()["methods"].sum() == (table["metric"] == "NDCG@10").sum()


def test_a_value_far_above_its_family_does_not_lead() -> None:
    """On Yahoo! Set 1 nets of one publication stand 0.05 and more above everything that was ever reported."""
    (row,) = leaders(("Yahoo Set 1",)).to_dict("records")
    assert "0.8820" in row["far above all others"]
    assert float(row["its NDCG@10"]) < 0.8
    assert leaders(("Istella",))["far above all others"].tolist() == ["–"]


def test_the_export_holds_everything_with_its_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "all.csv"
    assert main(["results", "export", str(file)]) == 0
    table = pd.read_csv(file, keep_default_na=False)
    assert len(table) == len(everything()) == len(export_csv().splitlines()) - 1
    assert {"publication", "place", "convention", "measure", "year"} <= set(table.columns)
    assert str(len(table)) in capsys.readouterr().out


# --- adding a publication ---

HEAD = "method,dataset,metric,fold,value,year,convention\n"
GOOD = "NewRanker,LETOR 4.0 MQ2008,NDCG@10,mean,0.2310,2025,letor4\n"
DOE = Source("doe2025", "J. Doe 2025; A ranker", "Table 3", "paper")


@pytest.fixture
def later(tmp_path: Path) -> Path:
    folder = tmp_path / "published" / "later"
    shutil.copytree(project_data("published", "later"), folder)
    return folder


def written(tmp_path: Path, rows: str, head: str = HEAD) -> Path:
    file = tmp_path / "new.csv"
    file.write_text(head + rows)
    return file


def test_a_publication_is_appended_as_printed(tmp_path: Path, later: Path) -> None:
    before = (later / "results.csv").read_text()
    rows = add_publication(written(tmp_path, GOOD), DOE, folder=later)
    assert rows["joins"].tolist() == [len(pool().query(f"dataset == 'LETOR 4.0 MQ2008' and measure == {LETOR!r}"))]
    after = (later / "results.csv").read_text()
    assert after == before + "doe2025,NewRanker,LETOR 4.0 MQ2008,NDCG@10,mean,0.2310,,2025,letor4\n"
    with (later / "sources.csv").open(encoding="utf-8") as file:
        assert list(csv.DictReader(file))[-1]["publication"] == DOE.publication


LETOR = same_measure("NDCG@10", "letor4")

BAD_ROWS = {
    "no convention": (GOOD.replace("letor4", ""), "the convention is blank"),
    "an unknown convention": (GOOD.replace("letor4", "letor5"), "no convention 'letor5'"),
    "an unknown data set": (GOOD.replace("MQ2008", "MQ2009"), "no data set 'LETOR 4.0 MQ2009'"),
    "an unknown metric": (GOOD.replace("NDCG@10", "Fun@10"), "no metric 'Fun@10'"),
    "an unknown fold": (GOOD.replace("mean", "most"), "no fold 'most'"),
    "no year": (GOOD.replace("2025", "25"), "no year '25'"),
    "percent": (GOOD.replace("0.2310", "23.10"), "outside [0, 1]"),
    "no number": (GOOD.replace("0.2310", "high"), "'high' is not a printed number"),
    "out of reach": (GOOD.replace("0.2310", "0.4992"), "a perfect ranking has NDCG@10 0.3737 by letor4"),
    "twice": (GOOD + GOOD, "twice"),
    "no method": (GOOD.replace("NewRanker", ""), "the method is blank"),
}


@pytest.mark.parametrize("case", BAD_ROWS)
def test_a_bad_row_is_refused_with_its_line_and_nothing_is_written(case: str, tmp_path: Path, later: Path) -> None:
    rows, what = BAD_ROWS[case]
    before = {path.name: path.read_bytes() for path in later.iterdir()}
    with pytest.raises(DataFormatError) as caught:
        add_publication(written(tmp_path, GOOD.replace("NewRanker", "Other") + rows), DOE, folder=later)
    assert what in str(caught.value)
    assert "new.csv:" in str(caught.value)
    assert caught.value.cure
    assert {path.name: path.read_bytes() for path in later.iterdir()} == before


@pytest.mark.parametrize(
    ("source", "what"),
    [
        (Source("Doe 2025", "J. Doe", "Table 3", "paper"), "not a valid key of a source"),
        (Source("lgrz", "J. Doe", "Table 3", "paper"), "is there already"),
        (Source("doe2025", "", "Table 3", "paper"), "the publication is blank"),
        (Source("doe2025", "J. Doe", " ", "paper"), "the place is blank"),
        (Source("doe2025", "J. Doe", "Table 3", "rumour"), "no kind 'rumour'"),
    ],
)
def test_a_source_must_say_where_the_numbers_stand(source: Source, what: str, tmp_path: Path, later: Path) -> None:
    with pytest.raises(UsageError, match=what):
        add_publication(written(tmp_path, GOOD), source, folder=later)


def test_a_publication_cannot_be_added_twice_under_another_key(tmp_path: Path, later: Path) -> None:
    add_publication(written(tmp_path, GOOD), DOE, folder=later)
    again = tmp_path / "again" / "later"
    shutil.copytree(later, again)
    with pytest.raises(DataFormatError, match="has this result already"):
        add_publication(written(tmp_path, GOOD), Source("doe", *list(vars(DOE).values())[1:]), folder=again)


def test_if_the_second_file_cannot_be_written_the_first_is_put_back(
    tmp_path: Path, later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ltrlib.atomic import new_file

    before = {path.name: path.read_bytes() for path in later.iterdir()}

    def failing(path: Path) -> object:
        if path.name == "results.csv":
            raise OSError("no space left")
        return new_file(path)

    monkeypatch.setattr("ltrlib.across.continued.adding.new_file", failing)
    with pytest.raises(OSError, match="no space"):
        add_publication(written(tmp_path, GOOD), DOE, folder=later)
    assert {path.name: path.read_bytes() for path in later.iterdir()} == before


def test_the_command_checks_without_writing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = project_data("published", "later", "results.csv").read_bytes()
    options = ["--source", "doe2025", "--publication", "J. Doe 2025", "--place", "Table 3", "--check"]
    assert main(["results", "add", str(written(tmp_path, GOOD)), *options]) == 0
    shown = capsys.readouterr().out
    assert "1 results of doe2025: checked, nothing written" in shown
    assert project_data("published", "later", "results.csv").read_bytes() == before
    assert main(["results", "add", str(written(tmp_path, GOOD, HEAD.replace("year,", ""))), *options]) == 2
    assert "no column year" in capsys.readouterr().err


def test_metrics_are_those_of_table_b6() -> None:
    assert set(load_table("tax2015", "results").wide()["metric"]) == set(METRICS)


def test_doubts_and_families_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["results", "doubts"]) == 0
    assert "torkestani2012a (36 results)" in capsys.readouterr().out
    assert main(["results", "list"]) == 0
    assert "LETOR 4.0 MQ2008" in capsys.readouterr().out


def test_unknown_doubts_are_refused() -> None:
    with pytest.raises(LtrlibError, match="there is no doubt"):
        pool(without_doubts=["none-such"])


# --- what Tax et al. conclude, asked of the continued table ---

EXPECTED = {
    "unbeaten": "does not carry over",
    "unbeaten-by-ours": "does not carry over",
    "order": "does not carry over",
    "certainty": "same conclusion",
    "promising": "same conclusion",
}


@pytest.mark.parametrize(("name", "word"), EXPECTED.items())
def test_claims(name: str, word: str) -> None:
    assert claim(f"tax2015.continued.{name}").check().word == word


def test_of_the_six_only_fenchelrank_is_beaten_and_by_fsmrank() -> None:
    """Counted by hand from the joined values: a win for each lower value of the same data set and metric."""
    table = join_results(kinds=[LATER])
    points = {}
    for method in ("FenchelRank", "FSMRank"):
        won = possible = 0
        for row in table[table["method"] == method].to_dict("records"):
            rivals = table[(table["dataset"] == row["dataset"]) & (table["metric"] == row["metric"])]
            won, possible = won + int((rivals["value"] < row["value"]).sum()), possible + len(rivals) - 1
        points[method] = won / possible, possible
    assert points["FSMRank"][0] > points["FenchelRank"][0]
    assert points["FSMRank"][1] > points["FenchelRank"][1]
    beaten = [one.name for one in claim("tax2015.continued.unbeaten").check().judgements if "none" not in one.ours]
    assert beaten == ["FenchelRank"]


def test_promising_methods_are_asked_only_where_they_met_somebody_new() -> None:
    asked = {one.name for one in claim("tax2015.continued.promising").check().judgements}
    joined_sets = set(join_results(kinds=[LATER]).query("kind == 'later'")["dataset"])
    matrix = load_table("tax2015", "results").wide()
    met = set(matrix.loc[matrix["dataset"].isin(joined_sets), "method"])
    named = load_paper("tax2015").names("section45-near-perfect")
    assert asked == met & set(named)


def test_other_runs_of_ours_change_what_is_joined() -> None:
    record = QUERIES.read()
    best = record.table.assign(**dict.fromkeys(METRICS, 1.0))
    table = join_results(among=with_our_runs(replace(record, table=best)))
    ours = joined(table).rows().query("kind == 'our runs'")
    assert (ours["NWN"] > joined(join_results()).rows().query("kind == 'our runs'")["NWN"].max()).all()
