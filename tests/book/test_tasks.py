"""Protects what readers come for: the eight tasks of the reader's report, with clicks and screens counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from ltrlib.project import ROOT
from tests.helpers.browser import chromium, needs_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

HTML = ROOT / "_build" / "html"
SCREEN = 900

pytestmark = [
    needs_browser,
    pytest.mark.skipif(not HTML.exists(), reason="the book is not built: run make book first"),
]


class Reader:
    """Somebody at the first page, who clicks and looks."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0
        page.goto((HTML / "index.html").as_uri(), timeout=60_000)

    def click(self, link: Locator) -> None:
        """Follow a link that can be seen."""
        link.first.click()
        self.page.wait_for_load_state()
        self.clicks += 1

    def sees(self, one: Locator) -> bool:
        """Whether it begins and ends on the screen as it stands, without scrolling."""
        box = one.first.bounding_box()
        return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= SCREEN


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def reader(browser: Browser) -> Iterator[Reader]:
    context = browser.new_context(viewport={"width": 1280, "height": SCREEN})
    yield Reader(context.new_page())
    context.close()


def test_i_does_0_720_hold(reader: Reader) -> None:
    reader.click(reader.page.get_by_role("link", name="DirectRanker 2019"))
    answer = reader.page.locator("div.summary")
    assert "0.720(12) in Table 1" in answer.inner_text()
    assert "in our rerun" in answer.inner_text()
    assert reader.sees(answer)
    assert reader.clicks <= 2


def test_ii_how_do_xgboost_and_trec_eval_differ(reader: Reader) -> None:
    reader.click(reader.page.locator("ul.strip").get_by_role("link", name="XGBoost", exact=True))
    other = reader.page.locator("tr#trec_eval")
    assert other.inner_text().startswith("trec_eval")
    assert "gain 2label − 1 → label" in other.inner_text()
    assert reader.sees(other)
    assert reader.clicks <= 2


def test_iii_is_lambdamart_better_than_listnet(reader: Reader) -> None:
    reader.click(reader.page.locator(".bd-sidebar-primary a", has_text="Is method A better than method B?"))
    answer = reader.page.get_by_text("no data set can tell them apart")
    answer.first.wait_for()
    assert reader.sees(answer)
    assert reader.clicks <= 2


def test_iv_where_does_my_method_stand(reader: Reader) -> None:
    reader.click(reader.page.get_by_role("link", name="I have a method"))
    reader.page.get_by_label("Your results").fill("method,dataset,metric,value\nMine,MQ2008,MAP,0.49\n")
    reader.page.wait_for_function("document.querySelector('.standing-verdict').textContent.startsWith('Mine')")
    assert reader.sees(reader.page.locator(".standing-verdict"))
    assert reader.clicks <= 3


def test_v_rerun_figure_1_with_other_data(reader: Reader) -> None:
    reader.click(reader.page.locator(".bd-sidebar-primary a", has_text="Does it matter which NDCG"))
    reader.click(reader.page.locator(".page-chips a", has_text="Rerun"))
    command = reader.page.locator("pre", has_text="ltrlib rerun 22 -p dataset=")
    reader.page.wait_for_timeout(1000)  # the page scrolls smoothly
    assert reader.sees(command)
    assert reader.clicks <= 3


def test_vi_how_is_err_defined_and_what_is_mine(reader: Reader) -> None:
    reader.click(reader.page.locator(".bd-sidebar-primary a", has_text="NDCG playground"))
    value = reader.page.locator("tr[data-tool=yahoo] td[data-metric=err]")
    value.wait_for()
    assert float(value.get_attribute("data-value") or "nan") > 0
    assert reader.clicks <= 2


def test_vii_what_is_wrong_in_the_yahoo_paper(reader: Reader) -> None:
    assert "swapped" in reader.page.locator("table.found").inner_text()
    reader.click(reader.page.get_by_role("link", name="Yahoo! challenge 2011"))
    assert reader.sees(reader.page.locator("div.summary"))
    assert reader.clicks <= 2


def test_viii_learning_to_rank_from_zero_by_reading_on(reader: Reader) -> None:
    reader.click(reader.page.get_by_role("link", name="I am learning"))
    read = reader.page.locator("main").inner_text()
    for _ in range(3):
        reader.click(reader.page.locator("a.right-next"))
        read += reader.page.locator("main").inner_text()
    missing = [
        word
        for word in (
            "query",
            "document",
            "label",
            "feature",
            "fold",
            "pointwise",
            "pairwise",
            "listwise",
            "MAP",
            "NDCG",
        )
        if word not in read
    ]
    assert missing == []
