"""Protects the page on the DirectRanker paper: its claims are on the paper's own numbers, worked out by hand here."""

from __future__ import annotations

import math

import pytest

from ltrlib.claims.registry import claim, claims
from ltrlib.published.tables import load_table


@pytest.mark.parametrize(
    ("name", "sigma"),
    [
        ("sigma-lambdamart-ndcg", 7.2),
        ("sigma-lambdamart-map", 0.236),
        ("sigma-mq2008", 0.537),
        ("sigma-others-ndcg", 2.425),
        ("sigma-others-map", 4.119),
    ],
)
def test_the_distances_of_section_5_are_those_worked_out_by_hand(name: str, sigma: float) -> None:
    (judgement,) = claim(f"koppel2019.section5.{name}").check().judgements
    assert float(judgement.ours) == pytest.approx(sigma, abs=0.0005)


def test_a_distance_is_the_difference_over_the_root_of_both_squared_errors() -> None:
    table = load_table("koppel2019", "table1")
    ours, theirs = (table.number(method, "mslr_ndcg") for method in ("DirectRanker", "LambdaMart"))
    errors = math.hypot(ours.standard_error or 0.0, theirs.standard_error or 0.0)
    assert abs(ours.value - theirs.value) / errors == pytest.approx(7.2)


def test_every_claim_of_the_page_rests_on_something_that_can_be_looked_up() -> None:
    for one in claims("koppel2019", "paper"):
        assert one.place
        assert one.statement.endswith((".", "?"))
