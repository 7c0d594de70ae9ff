"""Protects the chapter on the paper: what its title, abstract and conclusion say, against its own tables."""

from __future__ import annotations

import pytest

from ltrlib.book.paper_table import judged_cells, paper_table_html
from ltrlib.claims.claim import Outcome
from ltrlib.claims.registry import claim, claims
from ltrlib.papers.tax2015.paper import figures, page
from ltrlib.papers.tax2015.pareto.tables import FIGURES
from ltrlib.papers.tax2015.sources import letor_datasets, official, only_official, studies
from ltrlib.published import load_paper

EXPECTED = {
    "title.methods": "exact",
    "abstract.datasets": "exact",
    "table1.total": "exact",
    "exclusions.once": "inconsistent",
    "section7.order": "exact",
}


@pytest.mark.parametrize(("name", "verdict"), EXPECTED.items())
def test_verdicts(name: str, verdict: str) -> None:
    outcome = claim(f"tax2015.{name}").check()
    assert outcome.verdict.word == verdict, outcome.reason


def test_each_claim_stands_in_the_room_of_the_chapter_that_treats_it() -> None:
    # What the matrix itself says, whichever section it answers, has a chapter of its own; so has what came after.
    treated = [one for one in claims("tax2015") if one.room != "conventions" and one.chapter is None]
    rooms = {one.id.removeprefix("tax2015."): one.room for one in treated}
    beginnings = {"letor3.": "method", "a5.": "audit", "section4": "pareto", "abstract.front": "pareto"}
    beginnings |= {"section5": "sensitivity", "section2.": "paper", "section6.": "paper", "section7.": "paper"}
    for start, room in beginnings.items():
        assert {found for name, found in rooms.items() if name.startswith(start)} == {room}, start
    of_b6 = {name for name, room in rooms.items() if name.startswith("b6.") and room == "hidden"}
    assert of_b6 == {"b6.results-exist", "b6.all-datasets", "b6.same-sources"}


def test_sources_are_told_apart() -> None:
    paper = load_paper("tax2015")
    assert studies(paper, "FenchelRank") == ["Lai et al. 2013a", "Lai et al. 2013b", "Laporte et al. 2013"]
    assert official(paper, "FenchelRank") == []
    assert official(paper, "AdaRank-MAP") == official(paper, "ListNet") == ["L2", "L3", "L4"]
    assert only_official(paper, "ListNet")
    assert letor_datasets(paper, "ListNet") == 3 + 7 + 2


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return [one.check() for one in claims("tax2015")]


def test_every_number_of_tables_4_and_b6_has_ours_beside_it(outcomes: list[Outcome]) -> None:
    for layout, numbers in ((page.TABLE4, 60), (page.table_b6(), 743)):
        printed = {
            (r, c) for r in load_paper("tax2015")[layout.table].rows for c in layout.columns if layout.printed(r, c)
        }
        assert len(printed) == numbers
        assert set(judged_cells(page.counted_again(outcomes), layout.table)) == printed


def test_the_table_marks_just_the_errors_of_the_print(outcomes: list[Outcome]) -> None:
    found = judged_cells(page.counted_again(outcomes), "b6")
    marked = {place for place, (_, one) in found.items() if one.verdict.word != "exact"}
    assert marked == {
        ("FocusedBoost", "ndcg3_nwn"),
        ("FocusedSVM", "ndcg3_nwn"),
        ("FSM^SVM", "ndcg3_nwn"),
        ("FSM^SVM", "ndcg3_ds"),
        ("RankELM (pairwise)", "ndcg3_nwn"),
        ("MHR", "nwn"),
    }
    html = paper_table_html(page.table_b6(), page.counted_again(outcomes))
    assert html.count("verdict-inconsistent") == 2 * len(marked)
    assert ">0.2292<" in html
    assert "0.8331" not in html, "what a scan made of the row is not what was printed"


def test_the_answer_has_the_numbers_of_the_checked_claims(outcomes: list[Outcome]) -> None:
    numbers, front, rule = page.summary(outcomes)
    assert "737 of 743" in numbers
    assert "60 of 60" in numbers
    assert "AdaRank-MAP, AdaRank-NDCG, LambdaNeuralRank and RankBoost" in front
    assert "11 rows differ by one" in rule
    assert "ListNet, SmoothRank and FenchelRank stay" in rule


def test_a_method_of_a_figure_is_marked_by_what_text_and_table_say() -> None:
    marks = {what: figures.front_points(what).set_index("method")["mark"] for what in FIGURES}
    assert marks["NDCG@5"]["CoList"] == "on the front, not named"
    assert "OWPC" not in marks["NDCG@5"], "the text calls it optimal, but it has no NDCG@5"
    assert (marks["all metrics"] == "on the front, named in the text").sum() == 6
    assert (marks["all metrics"] == "on the front, not named").sum() == 4


def test_by_the_letter_of_the_printed_sum_nobody_could_win_every_comparison() -> None:
    outcome = claim("tax2015.b6.iwn-own-comparison").check()
    assert outcome.verdict.word == "inconsistent"
    assert outcome.claim.weight.value == "editorial"
    # ADMM: the ten others on Yahoo! Set 1, and itself.
    assert next(one for one in outcome.judgements if one.name == "ADMM").ours == "11"
