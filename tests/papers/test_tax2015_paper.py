"""Protects the chapter on the paper: what its title, abstract and conclusion say, against its own tables."""

from __future__ import annotations

import pytest

from ltrlib.claims.registry import claim, claims
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
    # What the matrix itself says, whichever section it answers, has a chapter of its own.
    treated = [one for one in claims("tax2015") if one.room != "conventions"]
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
