"""Protects the page on the whole paper: its three sentences, and its tables in the paper's layout."""

from __future__ import annotations

import re

import pytest

from ltrlib.book.paper_table import paper_table_html
from ltrlib.claims.claim import Outcome
from ltrlib.claims.registry import claims
from ltrlib.papers.chapelle2011.paper import page
from ltrlib.papers.chapelle2011.paper.counted import fitting, label_range
from ltrlib.papers.chapelle2011.paper.figures import label_shares
from ltrlib.published.layout import TableLayout
from ltrlib.published.tables import load_paper


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return [claim.check() for claim in claims("chapelle2011", "paper")]


def test_the_answer_names_the_swap_with_its_numbers(outcomes: list[Outcome]) -> None:
    first, second, _ = page.summary(outcomes)
    assert "0.46861, is 1.4% above that of plain regression trees (0.46201)" in first
    assert "3.88% “excellent” documents; the files of Set 1 have 7.67%" in second
    assert "SET 1 none can be true of Set 1, of those under SET 2 all" in second


def test_the_answer_follows_the_printed_table() -> None:
    paper = load_paper("chapelle2011")
    table = paper["table3"]
    exchanged = table
    for label in table.rows:
        exchanged = exchanged.with_cell(label, "set1", table.text(label, "set2"))
        exchanged = exchanged.with_cell(label, "set2", table.text(label, "set1"))
    right = paper.with_table(exchanged)
    assert (len(fitting(right, "set1")), len(fitting(right, "set2"))) == (5, 0)


def test_a_share_allows_for_the_file_that_nobody_counted() -> None:
    # CatBoost's counts: 8,941 + 3,091 perfect documents of 638,794; 71,083 documents are uncounted.
    share = label_range(load_paper("chapelle2011"), "4")
    assert share.value == pytest.approx((8941 + 3091) / 638794, abs=2e-5)
    assert share.high - share.low == pytest.approx(71083 / 709877)


@pytest.mark.parametrize("layout", [page.TABLE1, page.TABLE2, page.table3(), page.TABLE6, *page.table8()])
def test_ours_stands_in_the_cells_of_the_papers_own_tables(layout: TableLayout, outcomes: list[Outcome]) -> None:
    assert 'class="judged ' in paper_table_html(layout, outcomes)


def test_every_check_of_a_layout_is_a_claim() -> None:
    known = {claim.id for claim in claims("chapelle2011")}
    named = {name for layout in (page.TABLE6, page.table3(), *page.table8()) for name, _ in layout.checks.values()}
    assert named <= known


def test_every_figure_of_the_paper_is_accounted_for(outcomes: list[Outcome]) -> None:
    listed = page.figure_list(outcomes)
    assert sorted(re.findall(r"\d", " ".join(listed["figure"]))) == list("123456789")
    assert all(listed["ours"])


def test_the_figure_shows_what_is_printed() -> None:
    shares = label_shares().set_index("grade")
    assert (shares.at["Fair", "set1"], shares.at["Fair", "set2"]) == (0.5022, 0.3580)
    assert (shares["low"] <= shares["counted"]).all()
    assert (shares["counted"] <= shares["high"]).all()
