"""The scoreboard: complete, linked to places that exist, and usable in a browser, by keyboard and on a phone."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import yaml

from ltrlib.book import overview
from ltrlib.book.scoreboard import SCOREBOARD, scoreboard_html
from ltrlib.claims.cells import Measured, Statement, Value
from ltrlib.claims.claim import Outcome
from ltrlib.claims.registry import claim, claims, papers
from ltrlib.claims.rules import judge
from ltrlib.claims.show import anchor, link, page_of
from ltrlib.claims.surprise import PER_PAPER, most_surprising, surprise, times_off
from ltrlib.claims.verdict import Verdict
from ltrlib.project import ROOT, chapter_names
from ltrlib.published.printed import Printed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HTML = ROOT / "_build" / "html"
PAGE = HTML / "chapters" / f"{SCOREBOARD}.html"


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return [one.check() for one in claims()]


# --- content ---


def test_every_claim_has_a_row_with_its_verdict_and_a_link(outcomes: list[Outcome]) -> None:
    rows = re.findall(r"<tr data-.*?</tr>", scoreboard_html(outcomes), re.DOTALL)
    assert len(rows) == len(outcomes)
    for row, outcome in zip(rows, outcomes, strict=True):
        assert f'data-verdict="{outcome.verdict.word}"' in row
        assert f"{outcome.verdict.shape} {outcome.verdict.word}" in row
        assert f'href="{link(outcome.claim)}"' in row


def test_the_page_stays_whole_whatever_a_claim_says(outcomes: list[Outcome]) -> None:
    odd = replace(outcomes[0].claim, template='</td><script>alert("x")</script>.')
    page = scoreboard_html([replace(outcomes[0], claim=odd)])
    assert "<script>alert" not in page
    assert page.count("<script") == 1


def test_counts_are_those_of_the_outcomes(outcomes: list[Outcome]) -> None:
    table = overview.counts(outcomes)
    text = table.drop(columns="verdict").map(lambda cell: int(re.sub(r"<[^>]*>|\*", "", cell)))
    assert text["all"].iloc[-1] == len(outcomes)
    assert [text["all"].iloc[i] for i in range(len(Verdict))] == [
        sum(outcome.verdict is verdict for outcome in outcomes) for verdict in Verdict
    ]
    for column in text.columns:
        assert text[column].iloc[:-1].sum() == text[column].iloc[-1]


# --- places ---


def chapters() -> set[str]:
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    return {chapter["file"].rpartition("/")[2] for part in toc["parts"] for chapter in part["chapters"]}


OWN_TABLE = {"22-busafekete2012-study"}
"""Pages that show their claims with a column of their own for each other data set."""


def test_every_room_with_claims_has_a_page_that_shows_them_all() -> None:
    """So a new claim cannot lack a place: it has a row on the page of the room in which it stands."""
    for paper, room in {(one.paper, one.room) for one in claims()}:
        page = chapter_names(paper)[room]
        source = (ROOT / "chapters" / f"{page}.md").read_text()
        if "paper_page.show_all_claims(outcomes" in source:
            assert f'paper_page.check_paper("{paper}")' in source, page
            continue
        assert f'claims("{paper}", "{room}")' in source, page
        assert "notices.show_claims(outcomes" in source or "notices.show_claims(shown" in source or page in OWN_TABLE, (
            page
        )


def test_every_claim_leads_to_a_chapter_of_the_book() -> None:
    assert {page_of(one) for one in claims()} <= chapters()
    assert SCOREBOARD in chapters()


def test_anchors_differ() -> None:
    names = [anchor(one.id) for one in claims()]
    assert len(set(names)) == len(names)


# --- surprise ---


def test_surprise_grows_with_the_distance_in_tolerances() -> None:
    exact = Printed.parse("0.25")
    near, far = (judge(Value(exact, value)) for value in (0.26, 0.75))
    assert times_off(near) == pytest.approx(2)
    assert times_off(far) == pytest.approx(100)
    noisy = judge(Value(exact, Measured(0.75, 0.1, 4)))
    assert 1 < times_off(noisy) < 3, "the interval is the tolerance where it is wider than the printed digit"
    assert times_off(judge(Statement(False, "no", published="yes"))) == 1


def test_only_contradicted_claims_surprise(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        contradicted = outcome.verdict in (Verdict.NOT_REPRODUCED, Verdict.INCONSISTENT)
        assert (surprise(outcome) > 0) == contradicted


def test_the_most_surprising_are_the_highest_with_few_of_one_paper(outcomes: list[Outcome]) -> None:
    chosen = most_surprising(outcomes, 5)
    assert len(chosen) == 5
    scores = [surprise(outcome) for outcome in chosen]
    assert scores == sorted(scores, reverse=True)
    assert max([o.claim.paper for o in chosen].count(paper) for paper in papers()) <= PER_PAPER
    assert surprise(chosen[0]) == max(map(surprise, outcomes))


def test_a_stand_in_cannot_surprise() -> None:
    outcome = claim("tax2015.b6.iwn-even").check()
    assert surprise(replace(outcome, standin=True)) == 0


def test_the_findings_lead_to_their_places(outcomes: list[Outcome]) -> None:
    text = overview.findings(outcomes)
    for found in most_surprising(outcomes, 5):
        assert f'href="{link(found.claim, from_root=True)}"' in text


# --- in a browser ---

CHROMIUM = shutil.which("chromium")
built = pytest.mark.skipif(not PAGE.exists(), reason="the book is not built: run make book first")
browsing = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed (Debian: apt-get install chromium)")


@built
def test_every_link_of_the_built_scoreboard_leads_to_a_row() -> None:
    links = re.findall(r'<td data-label="Claim"><a href="([^"#]*)#([^"]*)"', PAGE.read_text())
    assert len(links) >= 100
    pages = {page: (PAGE.parent / page).read_text() for page, _ in set(links)}
    assert [f"{page}#{name}" for page, name in links if f'id="{name}"' not in pages[page]] == []


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield running
        running.close()


@pytest.fixture(params=[1280, 400], ids=["desktop", "phone"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": request.param, "height": 900})
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.goto(PAGE.as_uri())
    opened.wait_for_selector(".scoreboard-status")
    yield opened
    context.close()
    assert errors == []


def shown(page: Page, column: int) -> list[str]:
    texts: list[str] = page.eval_on_selector_all(
        "#scoreboard tbody tr:not([hidden])", f"rows => rows.map(r => r.cells[{column}].textContent)"
    )
    return texts


@built
@browsing
def test_filters_by_verdict_paper_and_words(page: Page) -> None:
    everything = len(shown(page, 0))
    page.get_by_label("Verdict", exact=True).select_option("inconsistent")
    assert set(shown(page, 0)) == {"≠ inconsistent"}
    page.get_by_label("Paper", exact=True).select_option("tax2015")
    assert set(shown(page, 1)) == {"Tax et al. 2015"}
    page.get_by_label("Words").fill("EVEN number")
    found = shown(page, 2)
    assert any("iwn-even" in text for text in found)
    assert f"{len(found)} of {everything} claims shown" in page.locator(".scoreboard-status").inner_text()
    page.reload()
    assert shown(page, 2) == found, "the choice survives a reload"
    page.get_by_role("button", name="Show all").click()
    assert len(shown(page, 0)) == everything
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]


@built
@browsing
def test_sorts_both_ways_and_back_to_the_order_of_the_book(page: Page) -> None:
    before = shown(page, 2)
    page.get_by_label("Sort by").select_option(label="Surprise ↓")
    scores = [float(text or 0) for text in shown(page, 4)]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0
    page.get_by_label("Sort by").select_option(label="Verdict ↑")
    order = [verdict.word for verdict in Verdict]
    places = [order.index(text.replace(" (better)", "").partition(" ")[2]) for text in shown(page, 0)]
    assert places == sorted(places)
    page.get_by_label("Sort by").select_option(label="order of the book")
    assert shown(page, 2) == before


@built
@browsing
def test_follows_a_link_to_the_row_of_the_claim(page: Page) -> None:
    page.get_by_label("Words").fill("tax2015.b6.iwn-even")
    page.locator("#scoreboard tbody tr:not([hidden]) a").first.click()
    page.wait_for_url("**/12-tax2015-audit.html#claim-tax2015-b6-iwn-even")
    assert page.locator("#claim-tax2015-b6-iwn-even").count() == 1


@built
@browsing
def test_the_keyboard_sorts_by_a_heading(browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(PAGE.as_uri())
    head = page.locator("#scoreboard th", has_text="Surprise")
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") == "descending"
    assert float(shown(page, 4)[0]) > 0
    context.close()


@built
@browsing
def test_a_count_leads_to_its_claims(browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto((HTML / "index.html").as_uri())
    number = page.locator(f'a[href$="{SCOREBOARD}.html#paper-koppel2019_verdict-not-reproduced"]')
    expected = int(number.inner_text())
    number.click()
    page.wait_for_selector(".scoreboard-status")
    assert len(shown(page, 0)) == expected
    assert set(shown(page, 1)) == {"Köppel et al. 2019"}
    context.close()


@built
@browsing
def test_readable_without_javascript(browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(PAGE.as_uri())
    assert page.locator("#scoreboard tbody tr").count() >= 100
    assert page.locator("#scoreboard tbody tr").first.is_visible()
    assert page.locator(".scoreboard-controls").count() == 0
    context.close()
