"""``ltrlib compare``: a method in Table B.6 itself, the page, and files that must be refused with file and line."""

from __future__ import annotations

import csv
import json
import re
import time
from pathlib import Path

import pytest

from ltrlib.across.standing.standing import Standing, place_among
from ltrlib.cli import main
from ltrlib.project import project_data
from tests.helpers.browser import chromium, needs_browser

CAPTURE = pytest.CaptureFixture[str]
EXAMPLE = project_data("examples", "my-method.csv")
RANKLIB = project_data("examples", "my-method-ranklib.csv")
MATRIX = project_data("published", "tax2015", "results.csv")


def rivals(dataset: str, metric: str, without: tuple[str, ...] = ()) -> dict[str, float]:
    """Results behind Table B.6, read without the library."""
    with MATRIX.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["doubt"] not in without]
    return {row["method"]: float(row["value"]) for row in rows if row["dataset"] == dataset and row["metric"] == metric}


def yours() -> list[dict[str, str]]:
    with EXAMPLE.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def standing() -> Standing:
    return place_among(EXAMPLE)


# --- in Table B.6 ---


def test_the_new_row_counts_every_comparison_by_hand(standing: Standing) -> None:
    wins = possible = 0
    for row in yours():
        others = rivals(row["dataset"], row["metric"])
        wins += sum(value < float(row["value"]) for value in others.values())
        possible += len(others)
    (new,) = standing.table().query("method == 'MyRanker (yours)'").to_dict("records")
    assert (new["WN"], new["IWN"]) == (wins, possible)
    assert new["NWN"] == wins / possible
    assert new["NDCG@10 sets"] == new["MAP sets"] == 2


def test_each_result_names_who_is_beaten_and_who_is_ahead(standing: Standing) -> None:
    duels = standing.duels().to_dict("records")
    assert len(duels) == len(yours())
    for one, row in zip(duels, yours(), strict=True):
        others = rivals(row["dataset"], row["metric"])
        value = float(row["value"])
        assert set(one["beats"]) == {name for name, other in others.items() if other < value}
        assert set(one["equals"]) == {name for name, other in others.items() if other == value}
        assert set(one["loses to"]) == {name for name, other in others.items() if other > value}
        assert (one["place"], one["of"]) == (len(one["loses to"]) + 1, len(others) + 1)


def test_without_a_new_method_the_rows_are_those_of_table_b6() -> None:
    """By the rule of the authors' program: WN and IWN of all 87 rows, as printed (MHR's row has another NWN there)."""
    before = place_among(EXAMPLE, iwn="reached").before.rows().set_index("method")
    with project_data("published", "tax2015", "b6.csv").open(encoding="utf-8") as file:
        printed = {row["method"]: row for row in csv.DictReader(file)}
    assert len(before) == len(printed) == 87
    for method, row in printed.items():
        assert (before.loc[method, "WN"], before.loc[method, "IWN"]) == (int(row["wn"]), int(row["iwn"])), method


def test_rows_that_change_are_those_that_share_a_data_set_and_metric(standing: Standing) -> None:
    changes = standing.changes().set_index("method")
    iwn = {side: changes[f"IWN {side}"].astype(int).to_dict() for side in ("before", "after")}
    met = {name for row in yours() for name in rivals(row["dataset"], row["metric"])}
    assert set(changes.index[changes["changed"]]) == met
    for method in met:
        meetings = sum(method in rivals(row["dataset"], row["metric"]) for row in yours())
        assert iwn["after"][method] == iwn["before"][method] + meetings


def test_domination_and_front_follow_the_definition(standing: Standing) -> None:
    rows = standing.table().set_index("method")
    mine = rows.loc["MyRanker (yours)"]
    above = {
        name
        for name, row in rows.iterrows()
        if row["NWN"] >= mine["NWN"]
        and row["IWN"] >= mine["IWN"]
        and (row["NWN"] > mine["NWN"] or row["IWN"] > mine["IWN"])
    }
    assert set(mine["dominated by"].split(", ")) == above
    assert mine["Pareto rank"] > 1


def test_a_method_that_beats_everybody_everywhere_is_on_the_front(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    lines = [f"Best,{row['dataset']},{row['metric']},{0.37 if '2008' in row['dataset'] else 0.98}" for row in yours()]
    file.write_text("\n".join([HEAD.strip(), *[line for line in lines if "NDCG@10" in line or "OHSUMED" in line]]))
    standing = place_among(file)
    assert "Best (yours)" in standing.after.front()
    assert standing.table().iloc[0]["NWN"] == 1


def test_doubtful_results_are_left_out_by_their_code() -> None:
    """torkestani2012a holds LARF, IPRank and GPRank, which then meet nobody on OHSUMED."""
    code = "torkestani2012a"
    with_, without = place_among(EXAMPLE), place_among(EXAMPLE, without_doubts=[code])
    gone = sum(
        len(rivals(r["dataset"], r["metric"])) - len(rivals(r["dataset"], r["metric"], (code,))) for r in yours()
    )
    assert gone == 12
    iwn = [one.table().iloc[0]["IWN"] for one in (with_, without)]
    assert iwn[0] - iwn[1] == gone


def test_unknown_doubts_are_refused(capsys: CAPTURE) -> None:
    assert main(["compare", str(EXAMPLE), "--without-doubt", "everything"]) == 2
    assert "there is no doubt 'everything'" in capsys.readouterr().err


def test_all_doubts_can_be_left_out_at_once(capsys: CAPTURE) -> None:
    assert main(["compare", str(EXAMPLE), "--without-doubt", "all"]) == 0
    assert "969 results" in capsys.readouterr().out


def test_among_the_continued_table_there_are_more_rivals(standing: Standing) -> None:
    more = place_among(EXAMPLE, among="continued")
    assert more.table().iloc[0]["IWN"] > standing.table().iloc[0]["IWN"]
    assert set(more.before.rows()["kind"]) == {"Table B.6", "later", "our runs"}


# --- another tool's numbers ---


def test_a_ranklib_number_is_placed_among_runs_scored_by_ranklib() -> None:
    """MAP is the same by RankLib and LETOR's tool, so Table B.6 takes it; NDCG it cannot take, and says why."""
    standing = place_among(RANKLIB)
    assert standing.yours["metric"].tolist() == ["MAP"]
    (one,) = standing.elsewhere
    assert (one.metric, one.value, one.convention) == ("NDCG@10", 0.505, "ranklib")
    assert "LETOR's tool" in one.why
    assert "RankLib" in one.why
    ours = one.others[one.others["kind"] == "our runs"]
    assert len(ours) == 13
    assert ours["value"].between(0.45, 0.55).all()
    assert ours["by LETOR"].between(0.2, 0.25).all(), "the same rankings, halved by LETOR's tool"
    assert one.place == 1 + (one.others["value"] > 0.505).sum()


def test_the_tool_can_be_named_in_three_ways(tmp_path: Path) -> None:
    forms = {
        "column": ("method,dataset,metric,value,convention\nA,mq2008,NDCG@10,0.5,trec_eval\n", None),
        "metric": ("method,dataset,metric,value\nA,mq2008,NDCG@10:trec_eval,0.5\n", None),
        "option": ("method,dataset,metric,value\nA,mq2008,NDCG@10,0.5\n", "trec_eval"),
    }
    for name, (text, convention) in forms.items():
        file = tmp_path / f"{name}.csv"
        file.write_text(text)
        (one,) = place_among(file, convention=convention).elsewhere
        assert one.convention == "trec_eval"
        assert len(one.others) == 13


def test_on_a_set_without_a_stated_convention_the_switch_decides(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(f"{HEAD}Mine,Yahoo Set 1,NDCG@10:lightgbm,0.79\n")
    inside = place_among(file, unstated=True)
    assert inside.table().iloc[0]["IWN"] == len(rivals("Yahoo Set 1", "NDCG@10"))
    outside = place_among(file)
    assert outside.methods == ()
    assert "do not state" in outside.elsewhere[0].why
    assert (outside.elsewhere[0].others["kind"] == "later").all()


def test_a_tool_that_nobody_used_is_said_to_have_no_company(tmp_path: Path, capsys: CAPTURE) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(f"{HEAD}Mine,LETOR 3.0 TD2003,NDCG@10:ranklib,0.3\n")
    assert main(["compare", str(file)]) == 0
    assert "No result by this tool is known on this data set" in capsys.readouterr().out


# --- what is printed and written ---


def test_the_answer_is_text_first(capsys: CAPTURE) -> None:
    assert main(["compare", str(EXAMPLE)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Table B.6 of Tax et al. (2015): 87 methods, 1,050 results, IWN by the formula.")
    assert re.search(r"MyRanker \(yours\) won \d+ of 233 comparisons: NWN 0\.\d{4}, place \d+ of 88", shown)
    assert "It is not on the Pareto" in shown
    assert "rows" in shown
    assert "change their WN or IWN" in shown
    assert not re.search("never published", shown)


def test_json_holds_everything(capsys: CAPTURE) -> None:
    assert main(["compare", str(RANKLIB), "--format", "json", "--iwn", "reached"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["options"]["iwn"] == "reached"
    assert len(answer["changes"]) == 87
    assert answer["yours"][0]["method"] == "MyRanker (yours)"
    assert len(answer["elsewhere"][0]["others"]) == 15
    assert answer["results"][0]["beats"]


def test_the_page_holds_the_rows_and_needs_no_other_file(tmp_path: Path, capsys: CAPTURE) -> None:
    page = tmp_path / "page.html"
    assert main(["compare", str(EXAMPLE), "--output", str(page)]) == 0
    assert str(page) in capsys.readouterr().out
    text = page.read_text()
    assert "MyRanker (yours)" in text
    assert "ListNet" in text
    assert not re.search(r'<(script|link|img)\b[^>]*(src|href)="', text), "the page needs another file"


def test_the_page_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.html"
    page.write_text("before")
    monkeypatch.setattr("ltrlib.across.standing.page.standing_page", lambda standing: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        main(["compare", str(EXAMPLE), "--output", str(page)])
    assert page.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


HEAD = "method,dataset,metric,value\n"
BROKEN = {
    "unknown data set": (
        "Mine,MQ2009,NDCG@10,0.2",
        "no results on a data set 'MQ2009', did you mean LETOR 4.0 MQ2008?",
    ),
    "a data set of two collections": ("Mine,OHSUMED,NDCG@10,0.2", "there are two data sets 'OHSUMED'"),
    "no convention where none is stated": ("Mine,mslr-web30k,NDCG@10,0.2", "do not state their convention"),
    "unknown metric": ("Mine,MQ2008,ERR,0.2", "Table B.6 has no metric 'ERR'"),
    "a metric of another cut-off": ("Mine,MQ2008,NDCG@1,0.2", "Table B.6 has no metric 'NDCG@1'"),
    "above 1": ("Mine,MQ2008,NDCG@10,22.5", "the value is outside [0, 1]"),
    "below 0": ("Mine,MQ2008,NDCG@10,-0.1", "the value is outside [0, 1]"),
    "duplicate": (
        "Mine,MQ2008,NDCG@10,0.2\nMine,letor 4.0 mq2008,ndcg@10,0.2",
        "the same method, data set and metric as in",
    ),
    "an unknown tool": ("Mine,MQ2008,NDCG@10:letor5,0.3", "there is no convention 'letor5'"),
    "a value that no ranking reaches": (
        "Mine,MQ2008,NDCG@10,0.4992",
        "0.4992 is out of reach: a perfect ranking of mq2008 has NDCG@10 0.3737 by letor4",
    ),
    "no number": ("Mine,MQ2008,NDCG@10,good", "'good' is not a number"),
    "no result": ("Mine,MQ2008,NDCG@10,", "no result behind the header"),
    "no method": (",MQ2008,NDCG@10,0.2", "the method is not a name"),
    "a column too many": ("Mine,MQ2008,NDCG@10,0.2,x", "5 fields instead of 4"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_refused_with_file_and_line(case: str, tmp_path: Path, capsys: CAPTURE) -> None:
    rows, what = BROKEN[case]
    file, page = tmp_path / "mine.csv", tmp_path / "page.html"
    file.write_text(f"{HEAD}Good,LETOR 3.0 OHSUMED,MAP,0.44\n{rows}\n" if case != "no result" else f"{HEAD}{rows}\n")
    assert main(["compare", str(file), "--output", str(page)]) == 2
    error = capsys.readouterr().err
    assert what in error
    assert "mine.csv" in error
    if case != "no result":
        assert re.search(r"mine\.csv:[34]", error), error
    assert "to do:" in error
    assert "Traceback" not in error
    assert not page.exists()


def test_whoever_has_only_another_tools_number_is_told_what_to_do(tmp_path: Path, capsys: CAPTURE) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(f"{HEAD}Mine,MQ2008,NDCG@10,0.505\n")
    assert main(["compare", str(file)]) == 2
    cure = capsys.readouterr().err.split("to do:")[1]
    assert "ltrlib eval" in cure
    assert "ndcg@10:letor4" in cure
    assert "--convention ranklib" in cure
    assert main(["compare", str(file), "--convention", "ranklib"]) == 0, "and what it says works"


def test_a_missing_file_and_a_missing_folder_are_said(tmp_path: Path, capsys: CAPTURE) -> None:
    assert main(["compare", str(tmp_path / "none.csv")]) == 2
    assert "none.csv" in capsys.readouterr().err
    assert main(["compare", str(EXAMPLE), "--output", str(tmp_path / "no" / "page.html")]) == 2
    assert "there is no such folder" in capsys.readouterr().err


def test_a_tool_that_scores_alike_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(f"{HEAD}Mine,LETOR 3.0 OHSUMED,NDCG@10:letor3,0.44\n")
    assert place_among(file).methods == ("Mine (yours)",)


HOSTILE = '<a href="https://example.org">click</a><b>bold</b> & <script>alert(1)</script>'


def test_markup_in_a_name_stays_text_in_tables_and_in_the_figure(tmp_path: Path) -> None:
    """Plotly has markup of its own: it would make links and bold text of it."""
    file, page = tmp_path / "mine.csv", tmp_path / "page.html"
    quoted = HOSTILE.replace('"', '""')
    file.write_text(f'{HEAD}"{quoted}",LETOR 4.0 MQ2008,MAP,0.4\n')
    assert main(["compare", str(file), "--output", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    text = text[: text.index("<script")] + text[text.rindex("Plotly.newPlot") :]  # Plotly itself has markup in it
    for markup in ('<a href="https', "<a href=", "\\u003ca href", "<b>bold", "\\u003cb\\u003ebold", "<script>alert"):
        assert markup not in text, markup
    assert "&lt;b&gt;bold" in text or "\\u0026lt;b\\u0026gt;bold" in text


@pytest.mark.slow
def test_many_methods_make_a_page_that_opens_in_time_that_grows_with_their_number(tmp_path: Path) -> None:
    """2,000 methods made 35 MB once, and each listed all who dominate it."""
    file, page = tmp_path / "mine.csv", tmp_path / "page.html"
    cells = [("LETOR 4.0 MQ2008", "MAP"), ("LETOR 3.0 OHSUMED", "NDCG@3")]
    rows = [f"Method {i},{d},{m},{0.1 + i / 20000:.5f}" for i in range(2000) for d, m in cells]
    file.write_text(HEAD + "\n".join(rows) + "\n")
    begin = time.process_time()
    assert main(["compare", str(file), "--output", str(page)]) == 0
    assert time.process_time() - begin < 60
    assert page.stat().st_size < 9e6  # of which Plotly is nearly 5
    assert page.read_text(encoding="utf-8").count('class="yours"') == 2000


@needs_browser
def test_the_page_works_alone_in_a_browser(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["compare", str(EXAMPLE), "--output", str(page)]) == 0
    with chromium() as browser:
        opened = browser.new_page(viewport={"width": 400, "height": 800})
        seen: list[str] = []
        opened.on("request", lambda request: seen.append(request.url))
        opened.on("pageerror", lambda error: seen.append(f"error {error}"))
        opened.goto(page.as_uri())
        opened.wait_for_selector("#figure5 svg.main-svg", timeout=60_000)
        assert opened.locator("tr.yours").count() == 1
        assert opened.evaluate("document.documentElement.scrollWidth") <= 400
    assert [url for url in seen if not url.startswith(("file:", "data:", "blob:"))] == []
