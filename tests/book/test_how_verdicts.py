"""The page "How a verdict is made": its examples show what the text beside them says."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest

from ltrlib.book.how_verdicts import MARGIN, RULES, decisions, decisions_figure, example_table, real_examples, summary
from ltrlib.claims.registry import claim
from ltrlib.claims.verdict import Verdict


@pytest.mark.parametrize(
    ("rule", "verdicts"),
    [
        ("digits", ["exact", "not reproduced", "same conclusion", "exact", "inconsistent"]),
        ("spread", ["within noise", "not reproduced", "within noise", "not reproduced", "undecided"]),
        (
            "margin",
            [
                "same conclusion",
                "undecided",
                "not reproduced",
                "same conclusion",
                "undecided",
                "not reproduced",
                "undecided",
            ],
        ),
        ("order", ["same conclusion", "undecided", "not reproduced"]),
        ("statement", ["exact", "inconsistent", "same conclusion"]),
    ],
)
def test_worked_examples_come_out_as_their_words_say(rule: str, verdicts: list[str]) -> None:
    assert [one.judged.verdict.word for one in RULES[rule]] == verdicts
    assert len(example_table(rule)) == len(verdicts)


def test_every_verdict_that_a_rule_can_give_has_an_example() -> None:
    shown = {one.judged.verdict for examples in RULES.values() for one in examples}
    assert shown == set(Verdict) - {Verdict.NOT_COMPARABLE}


def test_the_same_interval_is_open_whether_the_paper_says_worse_or_equal() -> None:
    table = decisions()
    across = table[(table["low"] < -MARGIN) & (table["high"] > 0)]
    assert set(across["published as"]) >= {"lower", "equal"}
    assert set(across["verdict"]) == {"undecided"}


def test_the_figure_says_in_words_what_it_draws() -> None:
    figure, alt = decisions_figure()
    plt.close(figure)
    for word in decisions()["verdict"]:
        assert word in alt


def test_real_examples_and_counts_are_those_of_the_claims() -> None:
    outcomes = [claim(name).check() for name in ("chapelle2011.prizes.sum", "koppel2019.section5.sigma-others-map")]
    table = real_examples(outcomes)
    assert len(table) == len(Verdict)
    assert table["observations"].astype(int).sum() == 2
    assert "2 claims make 2, and of these 1 contradict the paper" in summary(outcomes)[2]
