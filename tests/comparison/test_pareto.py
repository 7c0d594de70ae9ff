"""Pareto ranks: hand-worked cases, a peeling by brute force, and the front of Table B.6 of Tax et al. (2015)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltrlib.comparison.pareto import Reading, add_pareto_ranks, dominators, pareto_front, pareto_ranks
from ltrlib.comparison.winning import winning_numbers
from ltrlib.errors import UsageError
from ltrlib.published import load_table

Points = list[tuple[float, float]]


def dominates(one: tuple[float, float], other: tuple[float, float], reading: Reading) -> bool:
    if reading == "strict":
        return one[0] > other[0] and one[1] > other[1]
    return one != other and one[0] >= other[0] and one[1] >= other[1]


def peel(points: Points, reading: Reading) -> list[int]:
    ranks = [0] * len(points)
    rank = 0
    while 0 in ranks:
        rank += 1
        left = [i for i, done in enumerate(ranks) if not done]
        front = [i for i in left if not any(dominates(points[j], points[i], reading) for j in left)]
        for i in front:
            ranks[i] = rank
    return ranks


def test_hand_worked_points_under_both_readings() -> None:
    # d shares its x with b and its y with c: the usual reading lets both dominate it, the strict one neither.
    a, b, c, d, e = (1, 4), (3, 3), (4, 1), (3, 1), (0, 0)
    x, y = zip(a, b, c, d, e, strict=True)
    assert pareto_ranks(x, y).tolist() == [1, 1, 1, 2, 3]
    assert pareto_ranks(x, y, reading="strict").tolist() == [1, 1, 1, 1, 2]
    assert [list(found) for found in dominators(x, y)] == [[], [], [], [1, 2], [0, 1, 2, 3]]
    assert [list(found) for found in dominators(x, y, reading="strict")] == [[], [], [], [], [0, 1, 2, 3]]
    assert pareto_front(x, y).tolist() == [True, True, True, False, False]


COORDINATES = st.one_of(st.integers(0, 4).map(float), st.floats(-1e6, 1e6))
READINGS: list[Reading] = ["usual", "strict"]


@pytest.mark.parametrize("reading", READINGS)
@settings(deadline=None)
@given(points=st.lists(st.tuples(COORDINATES, COORDINATES), max_size=25))
def test_ranks_and_dominators_equal_brute_force(reading: Reading, points: Points) -> None:
    """Small integers make ties and equal points frequent."""
    x, y = [p[0] for p in points], [p[1] for p in points]
    ranks = pareto_ranks(x, y, reading=reading)
    assert ranks.tolist() == peel(points, reading)
    for here, found in zip(points, dominators(x, y, reading=reading), strict=True):
        assert found.tolist() == [i for i, other in enumerate(points) if dominates(other, here, reading)]


@settings(deadline=None)
@given(st.lists(st.tuples(COORDINATES, COORDINATES), max_size=25))
def test_the_strict_front_holds_the_usual_one(points: Points) -> None:
    x, y = [p[0] for p in points], [p[1] for p in points]
    assert (pareto_front(x, y, reading="strict") | ~pareto_front(x, y)).all()


def test_the_cross_metric_front_of_table_b6_is_not_the_one_that_the_paper_lists() -> None:
    """Four methods that the paper leaves out are on the front; its Rank-2 optima have exactly one dominator."""
    table = load_table("tax2015", "b6").wide()
    iwn, nwn = table["iwn"].astype(int), table["nwn"].astype(float)
    for reading in READINGS:
        front = set(table["method"][pareto_front(iwn, nwn, reading=reading)])
        listed = {"LRUF", "FSMRank", "FenchelRank", "SmoothRank", "ListNet"}
        assert front == listed | {"LARF", "LambdaNeuralRank", "AdaRank-MAP", "AdaRank-NDCG", "RankBoost"}
        once = {table["method"][i] for i, found in enumerate(dominators(iwn, nwn, reading=reading)) if len(found) == 1}
        assert once == {"IPRank", "DCMP", "RankSVM", "RankSVM-Primal", "RankSVM-Struct"}


def test_ranks_of_winning_numbers_use_data_sets_per_metric_and_iwn_over_all() -> None:
    rows = [("A", "d1", 0.5), ("C", "d1", 0.4), ("D", "d1", 0.3), ("B", "d2", 0.5), ("F", "d2", 0.1)]
    rows += [("G", "d3", 0.5), ("B", "d3", 0.1), ("E", "d4", 0.1)]
    results = pd.DataFrame(rows, columns=["method", "dataset", "value"]).assign(metric="MAP")
    ranked = add_pareto_ranks(winning_numbers(results)).set_index(["metric", "method"])["pareto_rank"]
    # Per metric: A (1 set, 1.0), B (2 sets, 0.5), G (1 set, 1.0). Over all, the IWN of A and B is 2, that of G is 1.
    shown = ["A", "B", "G", "E"]
    assert ranked["MAP"].fillna(0)[shown].tolist() == [1, 1, 1, 0]
    assert ranked["all"].fillna(0)[shown].tolist() == [1, 2, 2, 0]
    assert ranked.isna().sum() == 2


def test_ten_thousand_points_in_a_chain_are_ranked() -> None:
    """The deepest possible ranking: a quadratic peeling would take minutes."""
    steps = np.random.default_rng(0).permutation(10_000)
    assert (pareto_ranks(steps, steps) == 10_000 - steps).all()


def test_bad_input_is_refused() -> None:
    with pytest.raises(UsageError, match="NaN"):
        pareto_ranks([1, float("nan")], [1, 2])
    with pytest.raises(UsageError, match=r"shape \(2,\) and y \(1,\)"):
        dominators([1, 2], [1])
    with pytest.raises(UsageError, match="no reading 'weak'"):
        pareto_ranks([1], [1], reading="weak")  # type: ignore[arg-type]
