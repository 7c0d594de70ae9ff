"""Protects the author who places a method in the page: the same row, front and duels as ``ltrlib compare`` gives."""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ltrlib.across.continued.pool import pool
from ltrlib.across.standing.export import EXAMPLES, export
from ltrlib.across.standing.form import standing_form
from ltrlib.across.standing.reading import canonical_dataset
from ltrlib.across.standing.report import as_json, noise_note, verdict
from ltrlib.across.standing.standing import Standing, place_among
from ltrlib.errors import LtrlibError
from ltrlib.project import ROOT
from tests.helpers.browser import chromium, needs_browser

if TYPE_CHECKING:
    from playwright.sync_api import Page

INPUTS = 120
HEAD = "method,dataset,metric,value\n"


def test_the_page_carries_every_result_that_the_command_counts_with() -> None:
    columns, table = export()["results"], pool()
    assert columns["value"] == table["value"].tolist()
    for name in ("method", "dataset", "part", "metric", "measure", "convention", "kind", "source", "doubt"):
        names, codes = columns[name]["names"], columns[name]["codes"]
        assert [names[code] for code in codes] == table[name].tolist()


def test_the_data_of_the_page_are_plain_json_under_a_third_of_a_megabyte() -> None:
    text = json.dumps(export(), allow_nan=False)
    assert len(text) < 333_000


def test_a_method_has_one_value_by_letors_tool_on_a_data_set() -> None:
    """The page shows it beside the other tool's; with two it would have to choose."""
    table = pool()
    assert not table[table["convention"] == "letor4"].duplicated(["method", "dataset", "metric"]).any()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The form alone in a page, without the book around it."""
    folder = tmp_path_factory.mktemp("standing")
    for name in ("standing.js", "standing-count.js", "standing.css"):
        shutil.copy(ROOT / "chapters" / "_static" / name, folder)
    path = Path(folder, "page.html")
    path.write_text(f'<!doctype html><meta charset="utf-8">{standing_form(static=".")}', encoding="utf-8")
    with chromium() as running:
        opened = running.new_context().new_page()
        opened.goto(path.as_uri())
        yield opened


@cache
def _places() -> list[tuple[str, str, str, float]]:
    table = pool()[["dataset", "metric", "convention", "value"]]
    kept = table[table["metric"].isin(["NDCG@3", "NDCG@5", "NDCG@10", "MAP"])]
    return list(kept.itertuples(index=False, name=None))


def _random_input(random: np.random.Generator) -> tuple[str, dict[str, Any]]:
    """Results on data sets that the book has, half of them equal to a known value, in any convention that it knows."""
    known, tools = _places(), ["letor4", "ranklib", "lightgbm", "trec_eval", "mslr"]
    rows: dict[tuple[str, str, str], tuple[str, str]] = {}
    for _ in range(int(random.integers(1, 14))):
        dataset, metric, convention, value = known[int(random.integers(len(known)))]
        if random.random() < 0.5:
            value = round(float(value * random.uniform(0.8, 1.1)), 4)
        stated = convention if convention in ("letor4", "not stated") else str(random.choice(tools))
        tool = "" if random.random() < 0.8 and stated in ("letor4", "not stated") else stated
        method = str(random.choice(["Mine", "ListNet", 'A "new", better one']))
        rows[method, dataset, metric] = (repr(value), "" if tool == "not stated" else tool)
    body = "".join(
        '"{}",{},{},{},{}\n'.format(method.replace('"', '""'), dataset, metric, value, tool)
        for (method, dataset, metric), (value, tool) in rows.items()
    )
    doubts = [one["code"] for one in export_once()["doubts"]]
    options = {
        "convention": str(random.choice(["", "", "", "lightgbm", "ranklib"])),
        "among": str(random.choice(["b6", "continued"])),
        "iwn": str(random.choice(["formula", "reached"])),
        "without_doubts": [code for code in doubts if random.random() < 0.2],
        "unstated": bool(random.random() < 0.6),
    }
    return "method,dataset,metric,value,convention\n" + body, options


@cache
def export_once() -> dict[str, Any]:
    return export()


_SET = """([text, options]) => {
  const field = (id) => document.getElementById("standing-" + id);
  field("results").value = text;
  for (const id of ["convention", "among", "iwn"]) field(id).value = options[id];
  field("unstated").checked = options.unstated;
  for (const box of document.querySelectorAll("input[data-doubt]"))
    box.checked = options.without_doubts.includes(box.dataset.doubt);
  field("results").dispatchEvent(new Event("change", {bubbles: true}));
"""
_ANSWER = (
    _SET
    + """
  const data = JSON.parse(document.getElementById("standing-data").textContent);
  let found = null;
  try { found = ltrStanding.answer(data, text, options); }
  catch (problem) { found = {refused: problem.what, line: problem.line}; }
  const cells = (row) => Object.fromEntries([...row.querySelectorAll("td")]
    .map((td) => [td.dataset.name, td.dataset.value ?? td.textContent]));
  const shown = Object.fromEntries([...document.querySelectorAll("#standing-row tr[data-method]")]
    .map((row) => [row.dataset.method, cells(row)]));
  return {found, shown, message: field("message").textContent,
    noise: found.refused ? "" : ltrStanding.noise(data, found),
    verdicts: [...document.querySelectorAll(".standing-verdict")].map((one) => one.textContent)};
}"""
)


def _by_command(text: str, options: dict[str, Any], folder: Path) -> Standing | LtrlibError:
    path = folder / "mine.csv"
    path.write_text(text, encoding="utf-8")
    settings = options | {"convention": options["convention"] or None}
    try:
        return place_among(path, **settings)
    except LtrlibError as error:
        return error


def _assert_same(found: Any, expected: Any, at: str = "") -> None:
    if isinstance(expected, dict):
        assert found.keys() >= expected.keys(), at
        for key, value in expected.items():
            _assert_same(found[key], value, f"{at}.{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), at
        for place, (one, other) in enumerate(zip(found, expected, strict=True)):
            _assert_same(one, other, f"{at}[{place}]")
    elif isinstance(expected, float):
        assert math.isclose(found, expected, rel_tol=0, abs_tol=1e-12), at
    else:
        assert found == expected, at


def _assert_same_refusal(error: LtrlibError, what: str, line: int | None) -> None:
    where = re.fullmatch(r".*?:(\d+)", str(error.where or ""))
    assert line == (int(where[1]) if where else None)
    assert what == re.sub(r"in \S+mine\.csv:(\d+)", r"in line \1", error.what)


@needs_browser
@pytest.mark.browser
@pytest.mark.slow
def test_the_page_gives_the_answer_of_the_command(page: Page, tmp_path: Path) -> None:
    random = np.random.default_rng(20261118)
    answered = refused = outside = 0
    for _ in range(INPUTS):
        text, options = _random_input(random)
        answer = page.evaluate(_ANSWER, [text, options])
        expected = _by_command(text, options, tmp_path)
        if isinstance(expected, LtrlibError):
            _assert_same_refusal(expected, answer["found"]["refused"], answer["found"]["line"])
            assert answer["shown"] == {}
            refused += 1
            continue
        whole = json.loads(as_json(expected))
        _assert_same(answer["found"], whole)
        assert answer["noise"] == noise_note(expected)
        assert sorted(answer["verdicts"]) == sorted(verdict(expected, method) for method in expected.methods)
        for row in whole["yours"]:
            cells = answer["shown"][row["method"]]
            assert cells["front"] == ("yes" if row["Pareto rank"] == 1 else "no")
            for name in ("NDCG@3", "NDCG@5", "NDCG@10", "MAP", "WN", "IWN", "NWN"):
                if row[name] is not None:
                    assert float(cells[name]) == pytest.approx(row[name], abs=1e-12)
        answered += 1
        outside += bool(whole["elsewhere"])
    assert answered > INPUTS // 3
    assert refused > 3
    assert outside > 3


BAD = {
    "nothing": "",
    "only a header": HEAD,
    "a missing column": "method,dataset,value\nMine,MQ2008,0.2\n",
    "a column twice": "method,dataset,metric,value,value\nMine,MQ2008,MAP,0.2,0.2\n",
    "a row too short": HEAD + "Mine,MQ2008,MAP,0.2\nMine,MQ2007,MAP\n",
    "a word for a number": HEAD + "\nMine,MQ2008,MAP,0.2\nMine,MQ2007,MAP,high\n",
    "thousands": HEAD + "Mine,MQ2008,MAP,1_0\n",
    "an infinite value": HEAD + "Mine,MQ2008,MAP,inf\n",
    "per cent": HEAD + "Mine,MQ2008,MAP,42\nMine,MQ2007,MAP,43.5\n",
    "a negative value": HEAD + "Mine,MQ2008,MAP,-0.00001\n",
    "no method": HEAD + ",MQ2008,MAP,0.2\n",
    "a data set unheard of": HEAD + "Mine,Reuters,MAP,0.2\n",
    "a data set misspelt": HEAD + "Mine,MQ2009,MAP,0.2\n",
    "another misspelt": HEAD + "Mine,letor 3 ohsumd,MAP,0.2\n",
    "no data set": HEAD + "Mine,,MAP,0.2\n",
    "two data sets of one name": HEAD + "Mine,OHSUMED,MAP,0.2\n",
    "a metric that the table has not": HEAD + "Mine,MQ2008,ERR,0.2\n",
    "two tools": "method,dataset,metric,value,convention\nMine,MQ2008,NDCG@10:rax,0.2,ranklib\n",
    "a tool unheard of": "method,dataset,metric,value,convention\nMine,MQ2008,NDCG@10,0.2,it's mine\n",
    "a row twice": HEAD + "B,MQ2008,MAP,0.2\nA,MQ2008,MAP,0.3\nB,mq2008,map,0.2\n",
    "another tool's value": HEAD + "Mine,MQ2008,MAP,0.2\nMine,MQ2008,NDCG@10,0.505\n",
    "no convention stated": HEAD + "Mine,Yahoo Set 1,NDCG@10,0.7\n",
    "a quote inside": HEAD + 'Mine,MQ2008,MAP,0.2\n"Mi"ne,MQ2007,MAP,0.2\n',
    "a quote never closed": HEAD + 'Mine,MQ2008,MAP,0.2\n"Mine,MQ2007,MAP,0.2\n',
}


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_bad_input_is_refused_in_the_words_of_the_command_with_the_line(page: Page, tmp_path: Path, text: str) -> None:
    options = {"convention": "", "among": "b6", "iwn": "formula", "without_doubts": [], "unstated": False}
    answer = page.evaluate(_ANSWER, [text, options])
    expected = _by_command(text, options, tmp_path)
    assert isinstance(expected, LtrlibError)
    _assert_same_refusal(expected, answer["found"]["refused"], answer["found"]["line"])
    assert answer["found"]["refused"] in answer["message"]
    if answer["found"]["line"]:
        assert answer["message"].startswith(f"Line {answer['found']['line']}: ")
    assert "To do: " in answer["message"]
    assert answer["shown"] == {}
    assert page.locator("#standing-plot").is_hidden()


GOOD = {
    "quotes, blanks and a mark of order": "\ufeffvalue, metric ,method,dataset,note\r\n"
    '"0.2",map,"Mi""ne, new",mq2008,"a\nb"\r\n',
    "an empty value": HEAD + "Mine,MQ2008,MAP,0.2\nMine,MQ2007,MAP,\nMine,MQ2007,NDCG@3,nan\n",
    "one that was never compared": HEAD + "Mine,LETOR 4.0 MQ2008,ndcg @10,1e-3\n",
}


@needs_browser
@pytest.mark.browser
@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD.keys())
def test_what_the_command_reads_the_page_reads(page: Page, tmp_path: Path, text: str) -> None:
    options = {"convention": "", "among": "b6", "iwn": "reached", "without_doubts": [], "unstated": False}
    expected = _by_command(text, options, tmp_path)
    assert isinstance(expected, Standing)
    _assert_same(page.evaluate(_ANSWER, [text, options])["found"], json.loads(as_json(expected)))


@needs_browser
@pytest.mark.browser
def test_a_link_brings_back_the_answer(page: Page) -> None:
    page.click('[data-example="RankLib\'s NDCG"]')
    page.select_option("#standing-iwn", "reached")
    page.select_option("#standing-among", "continued")
    page.evaluate("document.querySelector('[data-doubt]').click()")
    other = page.context.new_page()
    other.goto(page.url)
    for id_ in ("verdicts", "command", "elsewhere"):
        assert other.text_content(f"#standing-{id_}") == page.text_content(f"#standing-{id_}")
    assert "--iwn reached" in (other.text_content("#standing-command") or "")
    other.close()
    page.evaluate("document.querySelector('[data-doubt]').click()")


@needs_browser
@pytest.mark.browser
def test_a_file_too_large_for_an_address_is_counted_and_not_put_there(page: Page) -> None:
    rows = "".join(f"Method {n},MQ2008,MAP,0.{n:04}\n" for n in range(400))
    page.fill("#standing-results", HEAD + rows)
    page.dispatch_event("#standing-results", "change")
    assert "#" not in page.url
    assert page.locator("#standing-link").is_disabled()
    assert page.locator("#standing-row tbody tr").count() == 400


@needs_browser
@pytest.mark.browser
def test_markup_in_a_link_or_a_file_is_shown_as_text(page: Page) -> None:
    other = page.context.new_page()
    alerts: list[Any] = []

    def note(dialog: Any) -> None:
        alerts.append(dialog)
        dialog.dismiss()

    other.on("dialog", note)
    hostile = "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"
    start = page.url.split("#")[0]
    rows = f"method,dataset,metric,value%0A{hostile},MQ2008,MAP,0.4"
    other.goto(f"{start}#results={rows}&convention={hostile}&iwn={hostile}&without={hostile}")
    assert "<img" in other.inner_text("#standing-verdicts")
    assert other.locator("#standing img").count() == 0
    other.goto(f"{start}#results={hostile}")
    other.reload()
    assert other.locator("#standing img").count() == 0
    assert "no column" in other.inner_text("#standing-message")
    assert not alerts
    other.close()


@needs_browser
@pytest.mark.browser
def test_nothing_is_asked_of_any_network(page: Page) -> None:
    other = page.context.new_page()
    asked: list[str] = []
    other.on("request", lambda request: asked.append(request.url))
    other.goto(page.url.split("#")[0])
    other.fill("#standing-results", HEAD + "Mine,MQ2008,MAP,0.4\n")
    other.wait_for_function("document.querySelector('#standing-verdicts').textContent.includes('Mine (yours) won')")
    assert [url for url in asked if not url.startswith("file:")] == []
    other.close()


@needs_browser
@pytest.mark.browser
def test_the_points_of_the_figure_are_reached_by_keyboard(page: Page) -> None:
    page.click(f'[data-example="{next(iter(EXAMPLES))}"]')
    page.focus("#standing-plot")
    page.keyboard.press("ArrowRight")
    first = page.inner_text("#standing-tip")
    page.keyboard.press("ArrowRight")
    assert re.match(r".+: NWN \d\.\d{4} \(place \d+\), IWN \d+; dominated by ", first)
    assert page.inner_text("#standing-tip") != first


@needs_browser
@pytest.mark.browser
def test_rows_from_a_spreadsheet_become_csv(page: Page) -> None:
    page.evaluate(
        """text => {
  const field = document.getElementById("standing-results");
  field.value = ""; field.focus();
  const clipboardData = new DataTransfer(); clipboardData.setData("text", text);
  field.dispatchEvent(new ClipboardEvent("paste", {clipboardData, cancelable: true, bubbles: true}));
}""",
        "method\tdataset\tmetric\tvalue\nMine, too\tMQ2008\tMAP\t0.4\n",
    )
    assert page.input_value("#standing-results") == 'method,dataset,metric,value\n"Mine, too",MQ2008,MAP,0.4'
    assert "Mine, too (yours) won" in page.inner_text("#standing-verdicts")


def test_the_names_of_data_sets_lead_where_the_command_leads() -> None:
    for short, found in export_once()["datasets"].items():
        if len(found) == 1:
            assert canonical_dataset(short) == found[0]
