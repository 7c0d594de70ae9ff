"""Protects the reader: every page of the built book works offline, without errors, on a phone too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ltrlib.project import ROOT
from tests.helpers.browser import chromium, needs_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HTML = ROOT / "_build" / "html"
_ALL = sorted(p.relative_to(HTML).as_posix() for p in HTML.glob("**/*.html") if "_static" not in p.parts)
# The pages of single methods come from one template: every ninth of them is opened.
_METHODS = [name for name in _ALL if name.startswith("methods/")]
PAGES = [name for name in _ALL if name not in _METHODS or name in _METHODS[::9]]

pytestmark = [
    needs_browser,
    pytest.mark.skipif(not PAGES, reason="the book is not built: run make book first"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.mark.parametrize("page_name", PAGES or ["none"])
def test_page_works_offline_without_errors_and_fits_a_phone(browser: Browser, page_name: str) -> None:
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()

    def check_request(request: Any) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            complaints.append(f"external request: {request.url}")

    page.on("request", check_request)
    page.on("requestfailed", lambda request: complaints.append(f"failed request: {request.url[:200]}"))
    page.on("pageerror", lambda error: complaints.append(f"JavaScript error: {error}"))
    page.on("console", lambda m: complaints.append(f"console error: {m.text}") if m.type == "error" else None)
    page.goto((HTML / page_name).as_uri(), timeout=60_000)
    for plot in page.locator(".plotly-graph-div").all():
        plot.locator("svg.main-svg").first.wait_for(state="attached", timeout=60_000)
    broken = page.evaluate(
        "[...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src.slice(0, 99))"
    )
    unnamed = page.evaluate("[...document.querySelectorAll('main img')].filter(i => !i.alt).length")
    page.set_viewport_size({"width": 400, "height": 800})
    page.wait_for_timeout(300)
    width = page.evaluate("document.documentElement.scrollWidth")
    context.close()
    assert complaints == []
    assert broken == []
    assert unnamed == 0, "an image without a text alternative"
    assert width <= 400, f"the page is {width} px wide on a phone of 400 px"


def test_search_finds_a_word_of_the_book(browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto((HTML / "search.html").as_uri() + "?q=pareto")
    page.wait_for_selector("#search-results li", timeout=60_000)
    assert page.locator("#search-results li").count() >= 1
    context.close()


def test_every_executed_page_is_on_the_status_page() -> None:
    executed = [p for p in Path(ROOT / "chapters").glob("*.md") if "{code-cell}" in p.read_text()]
    text = (HTML / "chapters" / "status.html").read_text()
    assert [p.stem for p in executed if f"{p.stem}.html" not in text.split("<main", 1)[1]] == []
