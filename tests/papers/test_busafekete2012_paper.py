"""Protects the page on the whole paper: its three sentences, and the paper's list of tools with ours in each cell."""

from __future__ import annotations

import pytest

from ltrlib.book.paper_table import judged_cells, paper_table_html
from ltrlib.claims.claim import Outcome
from ltrlib.claims.registry import claims
from ltrlib.claims.verdict import Verdict
from ltrlib.papers.busafekete2012.paper import page


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return [claim.check() for claim in claims("busafekete2012")]


def test_the_answer_tells_judge_and_teacher_apart(outcomes: list[Outcome]) -> None:
    judge, teacher, ahead = page.summary(outcomes)
    assert "YAHOO gives every model an NDCG 0.28 above RANKLIB's (the paper: “around 0.25”)" in judge
    assert "ruled out for AdaRank and CoordinateAscent if each is trained once per fold" in teacher
    assert "over draws of the training queries for AdaRank only" in teacher
    assert "0.016 (LambdaMART)" in teacher
    assert "*undecided*" in ahead


def test_every_cell_of_the_list_of_tools_has_ours_and_a_verdict(outcomes: list[Outcome]) -> None:
    assert paper_table_html(page.TOOLS, outcomes).count('class="judged ') == 12
    cells = judged_cells(outcomes, "tools")
    assert cells["1 / LETOR 3.0", "short_query"][1].verdict is Verdict.NOT_REPRODUCED
    assert cells["1 / LETOR 3.0", "short_query"][1].ours == "0.00 at 4, 1.00 at 2"
    assert cells["2 / YAHOO", "empty_query"][1].verdict is Verdict.EXACT
