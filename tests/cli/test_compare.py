"""``ltrlib compare``: the example, the page it writes, and files that must be refused with file and line."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pandas as pd
import pytest

from ltrlib.across.standing.page import computed_against
from ltrlib.across.standing.standing import OURS, PUBLISHED, Standing, known_results, place_among, scripts
from ltrlib.cli import main
from ltrlib.project import project_data

CAPTURE = pytest.CaptureFixture[str]
EXAMPLE = project_data("examples", "my-method.csv")


@pytest.fixture(scope="module")
def standing() -> Standing:
    return place_among(EXAMPLE)


def test_the_example_gives_a_row_and_a_page(tmp_path: Path, capsys: CAPTURE) -> None:
    page = tmp_path / "page.html"
    assert main(["compare", str(EXAMPLE), "--output", str(page)]) == 0
    shown = capsys.readouterr().out
    assert "MyRanker (yours)" in shown
    assert re.search(r"NWN +0\.\d{4}", shown)
    assert str(page) in shown
    text = page.read_text()
    assert "MyRanker (yours)" in text
    assert "never published" in text
    assert not re.search(r'<(script|link|img)\b[^>]*(src|href)="', text), "the page needs another file"


def test_the_new_row_counts_every_comparison_by_hand(standing: Standing) -> None:
    """WN and IWN recounted without the library: values of others on the same data set and metric."""
    mine = pd.read_csv(EXAMPLE)
    others = known_results()
    wins = possible = 0
    for row in mine.to_dict("records"):
        rivals = others[(others["dataset"] == row["dataset"].lower()) & (others["metric"] == row["metric"])]["value"]
        wins += int((rivals < row["value"]).sum())
        possible += len(rivals)
    (table,) = standing.table().query("method == 'MyRanker (yours)'").to_dict("records")
    assert (table["WN"], table["IWN"]) == (wins, possible)
    assert table["NWN"] == wins / possible
    assert (table["NDCG@10 sets"], table["MAP sets"]) == (2, 2)


def test_adding_a_method_changes_the_others_too(standing: Standing) -> None:
    from ltrlib.comparison.winning import winning_numbers

    before = winning_numbers(known_results()).query("metric == 'all'").set_index("method")["iwn"]
    after = standing.winning.query("metric == 'all'").set_index("method")["iwn"]
    assert after["RankSVM (ours)"] == before["RankSVM (ours)"] + 8
    assert after["RankSVM"] == before["RankSVM"] + 4, "published on OHSUMED, at NDCG@3, NDCG@5, NDCG@10 and MAP"


def test_what_the_book_holds_is_said_exactly(standing: Standing) -> None:
    known = known_results()
    text = computed_against(standing)
    for kind, words in ((PUBLISHED, "published results"), (OURS, "results of our own runs")):
        some = known[known["kind"] == kind]
        assert f"{len(some)} {words} ({some['method'].nunique()} methods on " in text
    assert not known.duplicated(["method", "dataset", "metric"]).any()
    assert set(known["dataset"]) <= set(scripts())


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
    "unknown data set": ("Mine,MQ2009,NDCG@10,0.2", "no results on a data set 'MQ2009', did you mean mq2008?"),
    "a set without results": ("Mine,mslr-web30k,NDCG@10,0.2", "no results on a data set 'mslr-web30k'"),
    "unknown metric": ("Mine,MQ2008,ERR,0.2", "Table B.6 has no metric 'ERR'"),
    "a metric of another cut-off": ("Mine,MQ2008,NDCG@1,0.2", "Table B.6 has no metric 'NDCG@1'"),
    "above 1": ("Mine,MQ2008,NDCG@10,22.5", "the value is outside [0, 1]"),
    "below 0": ("Mine,MQ2008,NDCG@10,-0.1", "the value is outside [0, 1]"),
    "duplicate": (
        "Mine,MQ2008,NDCG@10,0.2\nMine,letor 4.0 mq2008,ndcg@10,0.2",
        "the same method, data set and metric as in",
    ),
    "a tool that scores otherwise": (
        "Mine,MQ2008,NDCG@10:ranklib,0.3",
        "NDCG@10 by ranklib cannot be compared: the book's values on mq2008 are by letor4",
    ),
    "an unknown tool": ("Mine,MQ2008,NDCG@10:letor5,0.3", "there is no tool 'letor5'"),
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
    file.write_text(f"{HEAD}Good,OHSUMED,MAP,0.44\n{rows}\n" if case != "no result" else f"{HEAD}{rows}\n")
    assert main(["compare", str(file), "--output", str(page)]) == 2
    error = capsys.readouterr().err
    assert what in error
    assert "mine.csv" in error
    if case != "no result":
        assert re.search(r"mine\.csv:[34]", error), error
    assert "to do:" in error
    assert "Traceback" not in error
    assert not page.exists()


def test_a_missing_file_and_a_missing_folder_are_said(tmp_path: Path, capsys: CAPTURE) -> None:
    assert main(["compare", str(tmp_path / "none.csv")]) == 2
    assert "none.csv" in capsys.readouterr().err
    assert main(["compare", str(EXAMPLE), "--output", str(tmp_path / "no" / "page.html")]) == 2
    assert "there is no such folder" in capsys.readouterr().err


def test_a_tool_that_scores_alike_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(f"{HEAD}Mine,OHSUMED,NDCG@10:letor4,0.44\n")
    assert place_among(file).methods == ("Mine (yours)",)


CHROMIUM = shutil.which("chromium")


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed (Debian: apt-get install chromium)")
def test_the_page_works_alone_in_a_browser(tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    page = tmp_path / "page.html"
    assert main(["compare", str(EXAMPLE), "--output", str(page)]) == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        opened = browser.new_page(viewport={"width": 400, "height": 800})
        seen: list[str] = []
        opened.on("request", lambda request: seen.append(request.url))
        opened.on("pageerror", lambda error: seen.append(f"error {error}"))
        opened.goto(page.as_uri())
        opened.wait_for_selector("#figure5 svg.main-svg", timeout=60_000)
        assert opened.locator("tr.yours").count() == 1
        assert opened.evaluate("document.documentElement.scrollWidth") <= 400
        browser.close()
    assert [url for url in seen if not url.startswith(("file:", "data:", "blob:"))] == []
