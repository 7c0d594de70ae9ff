"""Protects what a reader meets on the built pages: nothing cut, no page too long, no wall of text in a cell, no jargon.

Each page is opened once, and everything that is measured on it is measured then (`visit`); the tests read the result.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from ltrlib.book.output import LONGEST_CELL
from ltrlib.project import ROOT
from tests.helpers.browser import chromium, needs_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HTML = ROOT / "_build" / "html"
CHAPTERS = sorted(p.relative_to(HTML).as_posix() for p in HTML.glob("chapters/*.html"))
PAGES = ["index.html", *CHAPTERS] if CHAPTERS else []
GENERATED = ["tools/xgboost.html", "tools/letor4.html", "methods/lambdamart.html", "methods/larf.html"]
"""Two of each template."""

DEFAULT_LENGTH = 6000
LENGTHS = {"index.html": 2200, **{page: 5000 for page in CHAPTERS if page.endswith("-paper.html")}}
BANNED = ("nor inside", "it does not hold:", "5 values", "by so many", "has so many", "up to this one", "below this.")
"""What once stood where a number belongs."""

HEAVIEST = 2_000_000
"""Bytes of a page: its own, those of the book and of the theme; plotly is one file for all pages."""

CLIPPED = """() => [...document.querySelectorAll('main *')].filter((one) => {
  if (one.clientWidth === 0) return false;
  if (one.matches('code, math, math *, svg, svg *, select, summary, textarea, input')) return false;
  if (one.closest('.plot, button')) return false;
  const style = getComputedStyle(one);
  const cut = (over, length, shown) => over !== 'visible' && length > shown + 2;
  return cut(style.overflowX, one.scrollWidth, one.clientWidth) ||
    cut(style.overflowY, one.scrollHeight, one.clientHeight);
}).map((one) => `${one.tagName}.${[...one.classList].join('.')} in ${one.closest('[id]')?.id}`)"""

UNPRINTED = """() => {
  const sheet = document.querySelector('.bd-article').getBoundingClientRect();
  const beyond = [...document.querySelectorAll('.bd-article :is(table, svg, pre, math)')].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width > 0 && !one.closest('.plot') && (box.right > sheet.right + 2 || box.left < sheet.left - 2);
  });
  // Paper shows the first moment of what fades in.
  const fading = [...document.querySelectorAll('.bd-article details[open] > summary ~ *')].filter(
    (one) => getComputedStyle(one).animationName !== 'none');
  const named = (what, found) => found.map((one) => `${what}: ${one.tagName} in ${one.closest('[id]')?.id}`);
  return [...named('beyond the sheet', beyond), ...named('printed empty', fading)];
}"""

pytestmark = [
    needs_browser,
    pytest.mark.skipif(not PAGES, reason="the book is not built: run make book first"),
]

CUT = """() => [...document.querySelectorAll('main *')].filter((one) => {
  if (one.clientWidth === 0 || one.scrollWidth <= one.clientWidth + 1) return false;
  if (one.closest('pre, .js-plotly-plot, details:not([open])')) return false;
  if (one.matches('code, math, math *, svg, svg *, select')) return false;
  return getComputedStyle(one).overflowX !== 'visible';
}).map((one) => `${one.tagName}.${[...one.classList].join('.')} in ${one.closest('[id]')?.id}: ` +
  `${one.scrollWidth} px in ${one.clientWidth}`)"""

WIDE_PLOTS = """() => [...document.querySelectorAll('.plotly-graph-div .main-svg')].filter((one) =>
  one.getBoundingClientRect().width > one.closest('figure').getBoundingClientRect().width + 1
).map((one) => `an interactive figure is wider than its box in ${one.closest('[id]')?.id}`)"""

CELLS = """(limit) => [...document.querySelectorAll('main table:not(.prose) td')].filter((cell) => {
  if (cell.closest('details')) return false;
  const copy = cell.cloneNode(true);
  copy.querySelectorAll('details > :not(summary), details > *:not(summary)').forEach((one) => one.remove());
  copy.querySelectorAll('details').forEach((one) => one.replaceChildren(one.querySelector('summary') ?? ''));
  return copy.textContent.trim().length > limit;
}).map((cell) => cell.textContent.trim().slice(0, 80))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


def opened(browser: Browser, name: str, width: int = 1280, **options: Any) -> Page:
    page = browser.new_context(viewport={"width": width, "height": 900}, **options).new_page()
    path, _, query = name.partition("?")
    page.goto((HTML / path).as_uri() + (f"?{query}" if query else ""), timeout=60_000)
    page.wait_for_function("document.readyState === 'complete'")
    page.wait_for_timeout(300)
    return page


class Visit(NamedTuple):
    """What was measured on a page."""

    cut: list[str]
    height: int
    long_cells: list[str]
    text: str
    axe: list[str]
    sizes: dict[str, int]
    clipped: list[str]


_visits: dict[str, Visit] = {}


def visit(browser: Browser, name: str) -> Visit:
    """Open a page once: 1280 px in light and dark, 1600 px, then as on paper of A4."""
    if name not in _visits:
        _visits[name] = _measured(browser, name)
    return _visits[name]


def _measured(browser: Browser, name: str) -> Visit:
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    asked: set[Path] = set()
    page.on("request", lambda request: asked.add(Path(request.url.partition("?")[0].removeprefix("file://"))))
    page.goto((HTML / name).as_uri(), timeout=60_000)
    page.wait_for_load_state("networkidle")
    height = page.evaluate("document.documentElement.scrollHeight")
    long_cells = page.evaluate(CELLS, LONGEST_CELL)
    text = page.locator("main").text_content() or ""
    cut = [f"1280: {one}" for one in page.evaluate(CUT) + page.evaluate(WIDE_PLOTS)]
    bad = _axe(page, "light")
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(400)  # the theme fades some colours over
    # Only colours differ between the modes.
    bad += _axe(page, "dark", rules=["color-contrast", "link-in-text-block"])
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1600, "height": 900})
    page.wait_for_timeout(150)
    cut += [f"1600: {one}" for one in page.evaluate(CUT) + page.evaluate(WIDE_PLOTS)]
    page.set_viewport_size({"width": 794, "height": 1123})
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.wait_for_timeout(150)
    clipped = page.evaluate(CLIPPED) + page.evaluate(UNPRINTED)
    page.context.close()
    sizes = {path.name: path.stat().st_size for path in asked if path.is_file()}
    return Visit(cut, height, long_cells, text, bad, sizes, clipped)


def _axe(page: Page, mode: str, *, rules: list[str] | None = None) -> list[str]:
    axe = pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed (make test does)")
    if not page.evaluate("'axe' in window"):
        page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    options = {"resultTypes": ["violations"]} | ({"runOnly": {"type": "rule", "values": rules}} if rules else {})
    found = page.evaluate("(options) => axe.run(document, options).then(found => found.violations)", options)
    return [
        f"{mode}: {one['id']} ({one['impact']}): {[node['target'] for node in one['nodes'][:3]]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


ALL = [*PAGES, *GENERATED] if PAGES else ["none"]


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_cut_on_a_laptop_or_a_large_screen(browser: Browser, name: str) -> None:
    assert visit(browser, name).cut == []


@pytest.mark.parametrize("name", ALL)
def test_no_page_is_longer_than_its_limit(browser: Browser, name: str) -> None:
    height, limit = visit(browser, name).height, LENGTHS.get(name, DEFAULT_LENGTH)
    assert height <= limit, f"{name} has {height} px at a width of 1280; fold details or split it"


@pytest.mark.parametrize("name", ALL)
def test_long_text_in_cells_is_folded(browser: Browser, name: str) -> None:
    assert visit(browser, name).long_cells == []


@pytest.mark.parametrize("name", ALL)
def test_no_page_has_words_that_say_nothing(browser: Browser, name: str) -> None:
    text = visit(browser, name).text
    assert [words for words in (*BANNED, "{glue") if words in text] == []


@pytest.mark.parametrize("name", ALL)
def test_axe_finds_nothing_serious_in_light_or_dark(browser: Browser, name: str) -> None:
    assert visit(browser, name).axe == []


@pytest.mark.parametrize("name", ALL)
def test_no_page_is_heavy(browser: Browser, name: str) -> None:
    sizes = {file: size for file, size in visit(browser, name).sizes.items() if "plotly" not in file}
    assert sum(sizes.values()) < HEAVIEST, sorted(sizes.items(), key=lambda item: -item[1])[:5]


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_clipped_or_empty_on_paper(browser: Browser, name: str) -> None:
    assert visit(browser, name).clipped == []


def test_the_icons_of_the_theme_are_there_once(browser: Browser) -> None:
    page = opened(browser, "index.html")
    shown = page.evaluate(
        "[...document.querySelectorAll('i.fa-solid')].map((one) => "
        "[one.childElementCount, getComputedStyle(one, '::before').content, getComputedStyle(one).fontFamily])"
    )
    page.context.close()
    assert shown
    assert all(children == 0 and content != "none" and "Font Awesome" in font for children, content, font in shown)


@pytest.mark.parametrize("width", [1280, 400])
def test_an_equation_stands_in_the_middle_of_the_text_or_begins_where_it_does(browser: Browser, width: int) -> None:
    for name in ("chapters/11-tax2015-method.html", "chapters/31-chapelle2011-metrics.html"):
        page = opened(browser, name, width)
        places = page.evaluate(
            """() => [...document.querySelectorAll("div.math")].map((one) => {
              const [box, inner] = [one, one.querySelector("math")].map((each) => each.getBoundingClientRect());
              return [inner.left - box.left, box.right - inner.right];
            })"""
        )
        assert places
        for left, right in places:
            assert left >= -1
            assert right < 0 or abs(left - right) < 2
        page.context.close()


# --- tasks: what a reader came for ---


def test_a_published_number_is_found_from_the_first_page(browser: Browser) -> None:
    page = opened(browser, "index.html")
    page.get_by_label("Search the book").fill("0.720")
    page.wait_for_selector("ul.found-list a")
    first = page.locator("ul.found-list a", has_text="Table 1").first
    assert "Köppel et al. 2019" in first.inner_text()
    first.click()
    page.wait_for_url("**/40-koppel2019-paper.html*")
    page.context.close()


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("LambdaMART", "LambdaMART: where does it stand?"),
        ("xgboost", "XGBoost: which NDCG is it?"),
        ("err", "ERR"),
        ("how is ERR defined?", "ERR"),
        ("Pareto", "Pareto front"),
        ("winning number", "WN"),
        ("mq2008", "MQ2008"),
        ("Table 5", "Table 5, Chapelle and Chang 2011"),
        ("koppel", "DirectRanker (Köppel et al. 2019): does it hold?"),
        ("expected reciprocal rank", "ERR"),
        ("IWN even number", "By the formula"),
    ],
)
def test_the_search_shows_first_what_was_meant(browser: Browser, words: str, first: str) -> None:
    page = opened(browser, "index.html")
    page.get_by_label("Search the book").fill(words)
    page.wait_for_selector("ul.found-list a")
    assert page.locator("ul.found-list a").first.inner_text().startswith(first)
    page.context.close()


def test_what_was_found_goes_when_the_reader_goes_on(browser: Browser) -> None:
    page = opened(browser, "index.html")
    field = page.get_by_label("Search the book")
    field.fill("NDCG")
    page.wait_for_selector("ul.found-list a")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.closest('ul.found-list') !== null")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "site-search"
    assert page.locator("ul.found-list a").count() == 0
    page.context.close()


def test_does_0_720_hold_is_answered_one_click_from_home_on_the_first_screen(browser: Browser) -> None:
    page = opened(browser, "index.html")
    page.get_by_role("link", name="DirectRanker 2019").click()
    page.wait_for_load_state()
    summary = page.locator("div.summary")
    box = summary.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 900
    assert "0.720(12) in Table 1" in summary.inner_text()
    assert "in our rerun" in summary.inner_text()
    page.context.close()


def test_where_a_method_stands_is_one_click_from_home(browser: Browser) -> None:
    page = opened(browser, "index.html")
    page.get_by_role("link", name="I have a method").click()
    page.wait_for_selector(".standing-verdict")
    box = page.locator(".standing-verdict").first.bounding_box()
    assert box is not None
    assert box["y"] < 900
    page.get_by_label("Your results").fill("method,dataset,metric,value\nMine,MQ2008,MAP,0.49\n")
    page.wait_for_function("document.querySelector('.standing-verdict').textContent.startsWith('Mine (yours) won')")
    page.context.close()


def test_what_is_wrong_in_the_yahoo_paper_stands_on_the_first_page(browser: Browser) -> None:
    page = opened(browser, "index.html")
    assert "swapped" in page.locator("table.found").inner_text()
    page.context.close()


def test_a_figure_follows_the_theme_and_a_plot_obeys_the_keyboard(browser: Browser) -> None:
    page = opened(browser, "chapters/13-tax2015-pareto.html", color_scheme="dark")
    text = page.locator("svg.drawing text").first
    light = text.evaluate("one => getComputedStyle(one).fill").removeprefix("rgb(").rstrip(")").split(",")
    assert min(map(int, light)) > 150, "text of a figure is light on a dark page"
    if page.locator(".plot").count():
        page.locator(".plot").first.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(".hoverlayer .hovertext")
        assert "front" not in page.locator(".hoverlayer .hovertext").first.text_content().split("<")[0][:5]  # type: ignore[union-attr]
    page.context.close()


def test_what_is_chosen_on_page_13_stands_in_the_address(browser: Browser) -> None:
    name = "chapters/13-tax2015-pareto.html"
    page = opened(browser, name)
    doubt = page.locator("#doubts select").first
    other = doubt.locator("option").nth(1).get_attribute("value")
    doubt.select_option(other)
    menu = page.locator(".plot-controls select").first
    menu.select_option(index=1)
    label = menu.locator("option").nth(1).text_content()
    found = page.locator("#doubts-front").text_content()
    address = page.url
    page.context.close()
    again = opened(browser, f"{name}?{address.partition('?')[2]}")
    assert again.locator("#doubts select").first.input_value() == other
    assert again.locator("#doubts-front").text_content() == found
    assert again.locator(".plot-controls select").first.evaluate("one => one.selectedOptions[0].text") == label
    again.locator(".plot-controls select").first.select_option(index=0)
    again.locator("#doubts button").first.click()
    assert "?" not in again.url, "what is as printed needs no words in the address"
    again.context.close()


def test_the_data_of_a_table_is_a_file_beside_the_page() -> None:
    page = (HTML / "chapters" / "40-koppel2019-paper.html").read_text()
    assert 'href="../_data/tab-koppel2019-table1-printed.csv"' in page
    table = (HTML / "_data" / "tab-koppel2019-table1-printed.csv").read_text()
    assert "DirectRanker,mq2008_ndcg,0.720(12)" in table


def test_each_executed_page_is_offered_as_a_notebook_without_markup() -> None:
    notebooks = list((HTML / "_notebooks").glob("*.ipynb"))
    assert len(notebooks) > 10
    for path in notebooks:
        cells = json.loads(path.read_text())["cells"]
        prose = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        assert "{glue" not in prose, path.name
        assert ":::" not in prose, path.name


def test_every_page_has_licence_description_and_icon() -> None:
    for name in PAGES:
        text = (HTML / name).read_text()
        assert "CC BY 4.0" in text, name
        assert '<meta name="description"' in text or name.endswith(("bibliography.html", "status.html")), name
        assert "icon.svg" in text, name


TWICE = """
import hashlib, sys
from ltrlib.book.front import found_html
from ltrlib.book.scoreboard import scoreboard_html
from ltrlib.book.search_index import claim_entries, number_entries
from ltrlib.claims.registry import claims
outcomes = [claim.check() for claim in claims("koppel2019")]
text = found_html(outcomes) + scoreboard_html(outcomes) + repr(list(number_entries()))
print(hashlib.sha256(text.encode()).hexdigest())
"""


def test_two_processes_write_the_same_text() -> None:
    found = set()
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", TWICE],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(run.stdout)
    assert len(found) == 1
