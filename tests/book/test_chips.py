"""Protects that a reader is told whose NDCG a number is: a chip, or a link to the tool's page, is never far."""

from __future__ import annotations

import re

import pytest
from bs4 import BeautifulSoup, Tag

from ltrlib.project import ROOT

HTML = ROOT / "_build" / "html"
PAGES = sorted([*HTML.glob("chapters/*.html"), *HTML.glob("index.html")])
NDCG = re.compile(r"NDCG@\d+")
VALUE = re.compile(r"NDCG@\d+[^.]*?\b\d\.\d{3,}|\b\d\.\d{3,}[^.]*?NDCG@\d+")
CHIP = '.chip, .head-chip, a[href*="tools/"]'

pytestmark = pytest.mark.skipif(not PAGES, reason="the book is not built: run make book first")


def without_code(page: str) -> Tag:
    article = BeautifulSoup(page, "html.parser").select_one("article.bd-article")
    assert article is not None
    for one in article.select("script, style, pre, code, nav, svg, .claims"):
        one.decompose()
    return article


def words(one: Tag) -> str:
    return " ".join(one.get_text(" ").split())


def foot_of(table: Tag) -> Tag | None:
    """The line below a table or figure: the first paragraph behind it, whether in the box around it or after that."""
    below = next((one for one in table.find_all_next("p") if table not in one.parents), None)
    return below if below is not None and "foot" in below.get_attribute_list("class") else None


def version_of(table: Tag) -> Tag:
    """The version of a page's switch in which a table stands, headed by its tool; the table itself if in none."""
    sections = (one for one in table.parents if one.name == "section")
    return next((one for one in sections if "switch" in (one.parent or one).get_attribute_list("class")), table)


def unmarked(article: Tag) -> list[str]:
    """Summary boxes, captions, heads of columns and sentences with a value whose NDCG is nobody's."""
    found = [
        f"summary: {words(box)[:80]}"
        for box in article.select("div.summary")
        if NDCG.search(words(box)) and not box.select(CHIP)
    ]
    for table in article.select("table, figure"):
        if table.find_parent("figure"):
            continue
        heads = " ".join(words(one) for one in table.select("caption, figcaption, thead"))
        foot = foot_of(table)
        marked = table.select(CHIP) or (foot and foot.select(CHIP)) or version_of(table).select(CHIP)
        if NDCG.search(heads) and not marked:
            found.append(f"{table.name} {table.get('id', '')}: {heads[:80]}")
    opening = article.select_one("div.summary")
    for one in article.select("p, li"):
        if one.find_parent(["table", "figure"]) or one.find_parent("div", class_="summary"):
            continue
        section = one.find_parent("section")
        near = [box for box in (section, opening) if isinstance(box, Tag)]
        if VALUE.search(words(one)) and not any(box.select(CHIP) for box in near):
            found.append(f"text: {words(one)[:80]}")
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_every_ndcg_says_whose_it_is(page: object) -> None:
    assert unmarked(without_code(page.read_text(encoding="utf-8"))) == []  # type: ignore[attr-defined]


def test_a_table_without_a_chip_is_found() -> None:
    table = '<table id="t"><caption>Mean NDCG@10.</caption></table>'
    page = f'<article class="bd-article">{table}<p class="foot">{{}}</p></article>'
    assert unmarked(without_code(page.format(""))) == ["table t: Mean NDCG@10."]
    assert unmarked(without_code(page.format('<span class="chip">NDCG@10 · RankLib</span>'))) == []
