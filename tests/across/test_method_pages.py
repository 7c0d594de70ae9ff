"""Protects the researcher who asks where a method stands, or whether it is better than another."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from ltrlib.across.method_pages.page import address, comparison_html, method_pages, methods_list
from ltrlib.across.method_pages.standings import methods, our_methods, our_pairs, places, row
from ltrlib.across.our_runs.records import QUERIES
from ltrlib.project import ROOT
from ltrlib.published.tables import load_table
from tests.helpers.browser import chromium, needs_browser


def test_every_method_has_a_page_of_its_own() -> None:
    pages = method_pages()
    assert len(pages) == len(methods()) == len({address(one) for one in methods()})
    assert {*load_table("tax2015", "b6").rows, *our_methods()} == set(methods())
    assert all(f'href="../{address(one)}.html"' in methods_list() for one in methods())


def test_the_row_is_that_of_the_print() -> None:
    """LRUF: 450 of 460 comparisons in Table B.6, on the front that the abstract names."""
    found = row("LRUF")
    assert found is not None
    assert (found.total.wn, found.total.iwn, found.on_front, found.above) == (450, 460, True, ())
    listnet = row("ListNet")
    assert listnet is not None
    assert listnet.on_front


def test_a_method_off_the_front_is_beaten_by_somebody() -> None:
    for method in methods():
        found = row(method)
        if found is not None and not found.on_front:
            for other in found.above:
                better = row(other)
                assert better is not None
                assert better.total.nwn >= found.total.nwn
                assert better.total.iwn >= found.total.iwn
            assert found.above


def test_places_follow_the_values() -> None:
    one = places()[(places()["dataset"] == "LETOR 3.0 OHSUMED") & (places()["metric"] == "MAP")]
    best = one.sort_values("value").iloc[-1]
    assert best["place"] == 1
    assert best["of"] == len(one)


def test_pairs_are_the_paired_test_of_the_textbook() -> None:
    """The interval leaves out zero exactly where the paired t-test has p below 0.05."""
    table = QUERIES.read().table
    rows = table[table["dataset"] == "mq2008"].pivot(index=["fold", "query"], columns="method", values="ranklib")
    pairs, names = our_pairs()["mq2008", "ranklib"], our_methods()
    for i, j in [(0, 12), (3, 7), (11, 12)]:
        expected = stats.ttest_rel(rows[names[i]], rows[names[j]])
        interval = expected.confidence_interval()
        assert pairs.mean[i] - pairs.mean[j] == pytest.approx(float(np.mean(rows[names[i]] - rows[names[j]])))
        assert pairs.half_width[i, j] == pytest.approx((interval.high - interval.low) / 2)


@needs_browser
def test_the_page_answers_whether_one_method_is_better(tmp_path: Path) -> None:
    for name in ("methods.js", "methods.css"):
        shutil.copy(ROOT / "chapters" / "_static" / name, tmp_path)
    path = tmp_path / "page.html"
    path.write_text(f'<!doctype html><meta charset="utf-8">{comparison_html(static=".")}', encoding="utf-8")
    with chromium() as browser:
        page = browser.new_page()
        page.goto(path.as_uri())
        assert "LambdaMART" in page.inner_text("#methods-answer")
        page.select_option("#methods-a", "RankSVM")
        page.select_option("#methods-b", "CA")
        page.select_option("#methods-convention", "yahoo")
        cells = page.eval_on_selector_all(
            "#methods-answer table:first-of-type tbody tr:first-child td", "all => all.map((one) => one.textContent)"
        )
    pairs, names = our_pairs()["mq2008", "yahoo"], our_methods()
    i, j = names.index("RankSVM"), names.index("CA")
    difference = pairs.mean[i] - pairs.mean[j]
    decided = abs(difference) > pairs.half_width[i, j]
    assert cells[2:5] == [f"{pairs.mean[i]:.4f}", f"{pairs.mean[j]:.4f}", "784"]
    shown = float(cells[1].split("\N{NO-BREAK SPACE}")[0].replace("−", "-"))
    assert math.isclose(shown, difference, abs_tol=6e-5)
    assert cells[0] == ("undecided" if not decided else "RankSVM" if difference > 0 else "CA")
