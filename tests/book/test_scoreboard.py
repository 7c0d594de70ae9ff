"""The scoreboard: complete, linked to places that exist, and usable in a browser, by keyboard and on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import yaml

from ltrlib.across.headlines import HEADLINES
from ltrlib.book import overview
from ltrlib.book.claim_rows import claim_row, claims_html, in_short
from ltrlib.book.front import found_html
from ltrlib.book.paper_page import check_paper
from ltrlib.book.picture import ROWS, small_picture, verdict_picture
from ltrlib.book.scoreboard import SCOREBOARD, scoreboard_html
from ltrlib.claims.causes import cause_table, causes, in_words
from ltrlib.claims.cells import Measured, Statement, Value
from ltrlib.claims.claim import Claim, Outcome, Weight
from ltrlib.claims.registry import claim, claims, papers
from ltrlib.claims.rules import judge
from ltrlib.claims.show import anchor, count_table, link, page_of
from ltrlib.claims.surprise import surprise, times_off
from ltrlib.claims.verdict import Verdict
from ltrlib.project import ROOT
from ltrlib.published.printed import Printed
from tests.helpers.browser import chromium, needs_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HTML = ROOT / "_build" / "html"
PAGE = HTML / "chapters" / f"{SCOREBOARD}.html"


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return [one.check() for one in claims()]


# --- content ---


def test_the_front_page_counts_all_claims_and_a_papers_page_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim on another publication's numbers stands on the front page, not on that of the paper whose room it has."""
    checked: list[Claim] = []
    monkeypatch.setattr(Claim, "check", lambda one: checked.append(one))
    check_paper()
    assert checked == claims()
    assert {one.judges for one in checked} > set(papers())
    for paper in papers():
        checked.clear()
        check_paper(paper)
        assert checked == [one for one in claims(paper) if one.judges == paper] != []


def test_every_claim_has_a_line_with_its_verdict_and_a_link(outcomes: list[Outcome]) -> None:
    rows = re.findall(r'<details class="claim".*?</details>', scoreboard_html(outcomes), re.DOTALL)
    assert len(rows) == len(outcomes)
    page = "\n".join(rows)
    for outcome in outcomes:
        assert f'id="{anchor(outcome.claim.id)}"' in page
        assert f'href="{link(outcome.claim)}"' in page


def test_nearly_every_line_shows_what_was_found(outcomes: list[Outcome]) -> None:
    """Numbers, counts of verdicts, or both sides of a statement: a dash only where nothing could be compared."""
    blank = [outcome.claim.id for outcome in outcomes if in_short(outcome) == "–" and outcome.judgements]
    assert blank == []
    page = scoreboard_html(outcomes)
    assert not re.search(r"\b\d+ values\b", page)


def test_the_page_stays_whole_whatever_a_claim_says(outcomes: list[Outcome]) -> None:
    odd = replace(outcomes[0].claim, template='</span><script>alert("x")</script>.')
    page = scoreboard_html([replace(outcomes[0], claim=odd)])
    assert "<script" not in page


def test_counts_are_those_of_the_causes(outcomes: list[Outcome]) -> None:
    for by in ("paper", "weight", "checked_by"):
        table = overview.counts(outcomes, by)
        numbers = table.iloc[:, 1:].map(lambda cell: int(re.sub(r"<[^>]*>|\*", "", cell)))
        assert numbers.iloc[-1, -1] == len(causes(outcomes))
        assert (numbers.iloc[:-1].sum() == numbers.iloc[-1]).all()
        assert (numbers.iloc[:, :-1].sum(axis=1) == numbers.iloc[:, -1]).all()


def test_the_first_page_counts_every_observation_once(outcomes: list[Outcome]) -> None:
    page = found_html(outcomes)
    assert f"{len(outcomes)} claims make {len(causes(outcomes))}." in page
    lines = re.findall(r'#checked-[a-z-]+">(\d+) ', page)
    assert sum(map(int, lines)) == len(causes(outcomes))


def test_a_picture_has_one_square_per_observation(outcomes: list[Outcome]) -> None:
    assert verdict_picture(outcomes).count('class="square') == len(causes(outcomes))


def test_slips_of_the_pen_stand_apart_from_conclusions_that_failed(outcomes: list[Outcome]) -> None:
    found = causes(outcomes)
    slips = [cause for cause in found if cause.verdict.speaks_against and cause.weight is Weight.EDITORIAL]
    others = [cause for cause in found if cause.verdict.speaks_against and cause not in slips]
    assert slips
    assert others
    for row in re.findall(r"<dd>(.*?)</dd>", verdict_picture(outcomes), re.DOTALL):
        before, _, after = row.partition('<span class="slips">')
        assert not any(f'#{anchor(slip.lead.claim.id)}"' in before for slip in slips)
        assert not any(f'#{anchor(other.lead.claim.id)}"' in after for other in others)
    drawn = sum(small_picture(outcomes, kind).count("<i") for kind in ROWS)
    assert drawn == len(found) - len(slips)
    assert f"{len(slips)} are slips of the pen" in in_words(found)
    weights = re.findall(r'data-weight="(\w+)"', claims_html(outcomes, name="tab-all"))
    assert weights == sorted(weights, key=lambda weight: Weight(weight).rank)


def test_what_fails_on_other_data_is_not_counted_against_a_paper(outcomes: list[Outcome]) -> None:
    found = [cause for cause in causes(outcomes) if cause.word == "does not carry over"]
    assert found
    assert in_words(found) == f"{len(found)} do not carry over to other data"


def test_a_line_says_that_the_authors_corrected_it_themselves(outcomes: list[Outcome]) -> None:
    corrected = [one for one in outcomes if one.claim.corrected]
    assert corrected
    for outcome in outcomes:
        line = claim_row(outcome).partition("</summary>")[0]
        assert ("corrected by the authors" in line) == (outcome in corrected)


def test_every_headline_still_follows_from_its_claims(outcomes: list[Outcome]) -> None:
    assert {headline.paper for headline in HEADLINES} == set(papers())
    for headline in HEADLINES:
        assert headline.broken(outcomes) == []
        assert "{" not in headline.sentence(outcomes)


def test_a_headline_is_not_shown_when_a_claim_it_rests_on_has_turned(outcomes: list[Outcome]) -> None:
    headline = HEADLINES[0]
    name = f"{headline.paper}.{next(iter(headline.rests_on))}"
    turned = [replace(one, missing="gone") if one.claim.id == name else one for one in outcomes]
    assert headline.sentence(turned) == ""
    assert "cannot be told" in found_html(turned)


# --- places ---


def chapters() -> set[str]:
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    return {chapter["file"].rpartition("/")[2] for part in toc["parts"] for chapter in part["chapters"]}


OWN_TABLE = {"22-busafekete2012-study"}
"""Pages that show their claims with a column of their own for each other data set."""


def test_every_room_with_claims_has_a_page_that_shows_them_all() -> None:
    """So a new claim cannot lack a place: it has a row on the page of the room in which it stands."""
    for paper, room, page in {(one.paper, one.room, page_of(one)) for one in claims()}:
        source = (ROOT / "chapters" / f"{page}.md").read_text()
        if "paper_page.show_all_claims(outcomes" in source:
            assert f'paper_page.check_paper("{paper}")' in source, page
            continue
        assert any(f'{call}("{paper}", "{room}")' in source for call in ("claims", "check_paper")), page
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


def test_a_stand_in_cannot_surprise() -> None:
    outcome = claim("tax2015.b6.iwn-even").check()
    assert surprise(replace(outcome, standin=True)) == 0


# --- in a browser ---

built = pytest.mark.skipif(not PAGE.exists(), reason="the book is not built: run make book first")


@built
def test_every_permalink_of_the_built_scoreboard_leads_to_a_claim() -> None:
    links = re.findall(r'class="permalink" href="([^"#]*)#([^"]*)"', PAGE.read_text())
    assert len(links) >= 100
    pages = {page: (PAGE.parent / page).read_text() for page, _ in set(links)}
    assert [f"{page}#{name}" for page, name in links if f'id="{name}"' not in pages[page]] == []


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(params=[1280, 400], ids=["desktop", "phone"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": request.param, "height": 900})
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.goto(PAGE.as_uri() + "#all")
    opened.wait_for_selector(".claim-status")
    yield opened
    context.close()
    assert errors == []


def shown(page: Page, what: str = "id") -> list[str]:
    """An attribute of each claim in sight."""
    found: list[str] = page.eval_on_selector_all(
        "#scoreboard > .claim:not([hidden])", f"rows => rows.map(row => row.id && (row.dataset['{what}'] ?? row.id))"
    )
    return found


@built
@needs_browser
def test_filters_by_verdict_paper_and_words(page: Page) -> None:
    everything = page.locator("#scoreboard > .claim").count()
    page.get_by_role("button", name="Show the other").click()
    assert len(shown(page)) == everything
    page.get_by_label("Verdict", exact=True).select_option("inconsistent")
    assert set(shown(page, "verdict")) == {"inconsistent"}
    page.get_by_label("Paper", exact=True).select_option("tax2015")
    assert set(shown(page, "paper")) == {"tax2015"}
    page.get_by_label("Words").fill("EVEN number")
    found = shown(page)
    assert any("iwn-even" in name for name in found)
    assert f"{len(found)} of {everything} claims" in page.locator(".claim-status").inner_text()
    page.reload()
    assert shown(page) == found, "the choice survives a reload"
    page.get_by_role("button", name="Show all").click()
    page.get_by_role("button", name="Show the other").click()
    assert len(shown(page)) == everything
    page.get_by_label("Verdict", exact=True).select_option("does not hold")
    assert set(shown(page, "verdict")) <= {"inconsistent", "not reproduced"}
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]


@built
@needs_browser
def test_sorts_and_goes_back_to_the_order_of_the_page(page: Page) -> None:
    page.get_by_role("button", name="Show the other").click()
    before = shown(page)
    page.get_by_label("Sort by").select_option("surprise")
    scores = [float(text) for text in shown(page, "surprise")]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0
    page.get_by_label("Sort by").select_option("verdict")
    order = [verdict.word for verdict in Verdict]
    places = [order.index(word) for word in shown(page, "verdict")]
    assert places[0] == max(places)
    page.get_by_label("Sort by").select_option("")
    assert shown(page) == before


@built
@needs_browser
def test_a_claim_opens_by_keyboard_and_its_permalink_is_marked_and_open(page: Page) -> None:
    page.get_by_label("Words").fill("iwn-even")
    line = page.locator("#scoreboard > .claim:not([hidden])").first
    line.locator("summary").focus()
    page.keyboard.press("Enter")
    assert line.get_attribute("open") is not None
    line.locator("a.permalink").click()
    page.wait_for_url("**/12-tax2015-audit.html#claim-tax2015-b6-iwn-even")
    target = page.locator("#claim-tax2015-b6-iwn-even")
    page.wait_for_function("document.querySelector('#claim-tax2015-b6-iwn-even').open")
    assert target.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"


@built
@needs_browser
def test_a_count_of_the_front_page_leads_to_its_claims(browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto((HTML / "index.html").as_uri())
    page.locator(f'a[href$="{SCOREBOARD}.html#checked-rerun"]').click()
    page.wait_for_selector(".claim-status")
    assert set(shown(page, "checked")) == {"rerun"}
    page.wait_for_timeout(300)
    top = page.locator("#scoreboard").bounding_box()
    assert top is not None
    assert -50 < top["y"] < 900, "the rows are in sight"
    context.close()


@built
@needs_browser
def test_readable_without_javascript(browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(PAGE.as_uri())
    assert page.locator("#scoreboard > .claim").count() >= 100
    assert page.locator("#scoreboard > .claim").first.is_visible()
    assert page.locator(".claim-filters").count() == 0
    context.close()


def test_a_claim_on_another_publication_s_numbers_counts_for_that_publication() -> None:
    outcomes = [claim("busafekete2012.letor4.ranksvm").check(), claim("busafekete2012.section3.groups").check()]
    assert [(one.paper, one.verdict.word) for one in causes(outcomes)][1] == ("busafekete2012", "inconsistent")
    assert cause_table(outcomes).loc["letor4"].sum() == 1
    assert count_table(outcomes).loc["busafekete2012"].sum() == 1
    listed = scoreboard_html(outcomes)
    assert 'data-paper="letor4" ' in listed
    assert "LETOR 4.0 baselines" in listed
    assert found_html(outcomes[:1]).count("<i ") == 0, "no square in the row of the paper"
