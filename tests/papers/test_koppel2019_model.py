"""Theorems 1 to 4: DirectRanker is an order for any weights; what breaks without each condition; orders learned."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ltrlib.papers.koppel2019.model import theorems
from ltrlib.papers.koppel2019.model.live import (
    broken_conditions,
    comparator,
    items_in_random_order,
    learned_orders,
    values_by_construction,
    violations,
    wrong_pairs,
)
from ltrlib.rankers import DirectRanker

WIDTH = 3
documents = arrays(np.float32, (6, WIDTH), elements=st.floats(-50, 50, width=32))


def random_ranker(hidden: tuple[int, ...], output: Any, seed: int, spread: float) -> DirectRanker:
    """A DirectRanker as fitting leaves it, but with any weights."""
    ranker = DirectRanker(hidden=hidden, output=output)
    sizes = [WIDTH, *hidden, 1]
    n_weights = sum((a + 1) * b for a, b in pairwise(sizes)) - 1
    rng = np.random.default_rng(seed)
    for name, value in {
        "n_features_": WIDTH,
        "sizes_": sizes,
        "weights_": (spread * rng.normal(size=n_weights)).astype(np.float32),
        "centre_": rng.normal(size=WIDTH).astype(np.float32),
        "scale_": rng.uniform(0.1, 3, WIDTH).astype(np.float32),
    }.items():
        setattr(ranker, name, value)
    return ranker


@settings(max_examples=150, deadline=None)
@given(
    documents,
    st.lists(st.integers(1, 6), max_size=3).map(tuple),
    st.sampled_from(["tanh", "identity"]),
    st.integers(0, 2**32 - 1),
    st.sampled_from([0.0, 0.1, 1.0, 30.0]),
)
def test_theorem_1_holds_for_any_layers_weights_and_documents(
    x: Any, hidden: tuple[int, ...], output: Any, seed: int, spread: float
) -> None:
    """(I) r(x, x) = 0, (II) r(x, y) = -r(y, x), (III) transitive: exactly, in floating point, ties included."""
    ranker = random_ranker(hidden, output, seed, spread)
    first, second = np.divmod(np.arange(36), 6)
    r = ranker.compare(x[first], x[second]).reshape(6, 6)
    np.testing.assert_array_equal(np.diagonal(r), 0.0)
    np.testing.assert_array_equal(r, -r.T)
    above = r >= 0
    assert not (above[:, :, None] & above[None, :, :] & ~above[:, None, :]).any()
    # The order of the comparisons is that of the scores: sorting needs one evaluation per document. A difference of
    # scores can round to 0 in tanh only where it is 0.
    scores = ranker.predict(x)
    np.testing.assert_array_equal(np.sign(r), np.sign(scores[:, None] - scores[None, :]))


def share(removed: str) -> dict[str, float]:
    table = broken_conditions().set_index("removed")
    return table.loc[removed, ["I", "II", "III", "A", "B", "C"]].to_dict()  # type: ignore[return-value]


def test_with_all_conditions_nothing_breaks() -> None:
    assert set(share("none").values()) == {0.0}


@pytest.mark.parametrize(
    ("removed", "broken", "kept"),
    [
        ("output bias", {"I", "II", "III", "C"}, {"A", "B"}),
        ("not antisymmetric", {"II"}, {"I", "III", "A", "B", "C"}),
        ("not sign-conserving", {"III", "C"}, {"I", "II", "A", "B"}),
        ("neither", {"I", "II"}, {"III", "A", "B", "C"}),
        ("unshared", {"I", "II", "III", "A", "B", "C"}, set()),
    ],
)
def test_each_condition_is_needed_for_what_it_is_said_to_give(removed: str, broken: set[str], kept: set[str]) -> None:
    """By hand: tanh(b) is not 0; z exp z is smaller on the left; sin 3z changes its sign; sigmoids are positive."""
    found = share(removed)
    assert {name for name, value in found.items() if value > 0} == broken
    assert {name for name, value in found.items() if value == 0} == kept


def test_a_negative_bias_breaks_reflexivity_and_keeps_transitivity() -> None:
    """g(x) - g(y) >= b and g(y) - g(z) >= b > 0 give g(x) - g(z) >= 2b: only x >= x is lost."""
    plain = comparator("none", seed=3)
    x = np.random.default_rng(0).normal(size=(15, 5))
    found = violations(lambda a, b: np.tanh(np.arctanh(plain(a, b)) - 0.2), x)
    assert found["A"] == found["I"] == 1.0
    assert found["C"] == 0.0
    assert found["B"] > 0


orders = st.lists(st.integers(0, 8), min_size=1, max_size=14).map(np.array)


@given(orders)
def test_construction_of_theorem_3_represents_any_order_of_a_finite_set(ranks: Any) -> None:
    g = values_by_construction(ranks[:, None] >= ranks)
    np.testing.assert_array_equal(g[:, None] >= g, ranks[:, None] >= ranks)


def test_an_order_on_a_finite_set_is_learned_without_error() -> None:
    """Theorem 3: twelve items in random order, from pairs of neighbours alone; all 66 pairs come out right.

    With tanh and the squared cost a pair that is wrong by far has no gradient, and training stops in a wrong order.
    """
    table = learned_orders(sets=2).set_index(["output", "cost"])["wrong pairs"]
    assert table["identity", "squared"] == table["tanh", "cross entropy"] == 0.0
    assert table["tanh", "squared"] > 0.05


def test_two_equal_items_with_different_labels_cannot_be_ordered() -> None:
    """The condition behind Theorems 3 and 4: equal features must mean equal relevance."""
    data = items_in_random_order(6)
    x = data.features.copy()
    x[1] = x[0]
    same = data.with_features(x)
    ranker = DirectRanker(hidden=(60, 30), output="identity", steps=1000, queries=(1, 1), pairs=(20, 20)).fit(same)
    assert wrong_pairs(ranker, same) >= 1 / 15


def test_the_construction_of_theorem_3_needs_its_step_and_its_middle() -> None:
    """Without a step, or with a value outside of its neighbours, some order is misrepresented."""
    good = theorems.misrepresented(4, Fraction(1), Fraction(2))
    assert good == (0, 1 + 3 + 13 + 75)  # the numbers of orders with ties
    assert theorems.misrepresented(4, Fraction(0), Fraction(2))[0] > 0
    assert theorems.misrepresented(4, Fraction(1), Fraction(1))[0] > 0


def test_level_lines_of_a_plane_are_as_far_apart_as_geometry_says() -> None:
    steps = np.diff(theorems.level_distances("x + 2y", 4, 4000))
    assert steps == pytest.approx([3 / 5 / 5**0.5] * 3, abs=1e-3)
