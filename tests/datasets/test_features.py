"""Protects the normalisation by rank: the printed definition, ties, several parts at once, scikit-learn beside it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from sklearn.preprocessing import QuantileTransformer

from ltrlib.datasets.features import normalise_by_rank, strict_ranks
from ltrlib.datasets.loading import load
from ltrlib.errors import UsageError
from tests.helpers.rankers import make

Column = NDArray[np.float32]

columns = arrays(
    np.float32,
    st.integers(1, 40),
    elements=st.floats(-8, 8, width=32).map(lambda x: np.float32(round(x))) | st.floats(-1e6, 1e6, width=32),
)


@given(columns)
@settings(deadline=None)
def test_ranks_are_the_printed_formula_computed_pair_by_pair(x: Column) -> None:
    expected = [sum(other < value for other in x) / max(len(x) - 1, 1) for value in x]
    np.testing.assert_array_equal(strict_ranks(x), np.array(expected, np.float32))


@given(columns, st.randoms())
@settings(deadline=None)
def test_ranks_keep_the_order_and_follow_a_permutation(x: Column, random: object) -> None:
    ranks = strict_ranks(x)
    assert ranks.min() == 0
    assert ranks.max() <= 1
    np.testing.assert_array_equal(ranks[:, None] < ranks, x[:, None] < x)
    order = np.random.default_rng(len(x)).permutation(len(x))
    np.testing.assert_array_equal(strict_ranks(x[order]), ranks[order])


def test_negative_zero_is_tied_with_zero() -> None:
    np.testing.assert_array_equal(strict_ranks(np.array([0.0, -0.0, 1.0], np.float32)), np.array([0, 0, 1], np.float32))


def quantiles(x: Column) -> NDArray[np.float64]:
    transformer = QuantileTransformer(n_quantiles=len(x), subsample=None)
    result: NDArray[np.float64] = transformer.fit_transform(x.astype(np.float64)[:, None])[:, 0]
    return result


def test_without_ties_scikit_learn_gives_the_same() -> None:
    x = np.random.default_rng(1).normal(size=3000).astype(np.float32)
    x = np.random.default_rng(2).permutation(np.unique(x))
    np.testing.assert_allclose(strict_ranks(x), quantiles(x), rtol=0, atol=1e-6)


def test_ties_get_the_lowest_rank_where_scikit_learn_takes_the_middle() -> None:
    """The one difference between the two, with places that have no rounding errors: there, sklearn depends on them."""
    inside, top = np.array([0, 1, 1, 1, 2], np.float32), np.array([0, 1, 2, 2, 2], np.float32)
    np.testing.assert_array_equal(strict_ranks(inside), [0, 0.25, 0.25, 0.25, 1])
    np.testing.assert_array_equal(quantiles(inside), [0, 0.5, 0.5, 0.5, 1])
    np.testing.assert_array_equal(strict_ranks(top), [0, 0.25, 0.5, 0.5, 0.5])
    np.testing.assert_array_equal(quantiles(top), [0, 0.25, 1, 1, 1])


def test_parts_are_ranked_together_whatever_the_number_of_columns() -> None:
    rng = np.random.default_rng(3)
    whole = rng.integers(0, 9, (50, 37)).astype(np.float32)
    parts = [make(rows, np.zeros(len(rows)), [len(rows)]) for rows in np.split(whole, [7, 30])]
    found = np.vstack([part.features for part in normalise_by_rank(parts)])
    np.testing.assert_array_equal(found, np.column_stack([strict_ranks(column) for column in whole.T]))
    alone = normalise_by_rank(parts[:1])[0].features
    assert not np.array_equal(alone, found[:7]), "the other parts decide too"


def test_the_given_parts_stay_as_they_were_and_keep_all_but_their_features() -> None:
    data = load("standin/mslr", "Fold1/vali", scale=0.002)
    before = data.features.copy()
    (new,) = normalise_by_rank([data])
    np.testing.assert_array_equal(data.features, before)
    assert new.source == data.source
    np.testing.assert_array_equal(new.labels, data.labels)
    assert new.features.min() == 0
    assert new.features.max() <= 1


def test_normalised_data_do_not_change_when_normalised_again() -> None:
    (once,) = normalise_by_rank([load("standin/mslr", "Fold1/vali", scale=0.002)])
    (twice,) = normalise_by_rank([once])
    np.testing.assert_array_equal(once.features, twice.features)


def test_unequal_widths_no_parts_and_infinite_values_are_refused() -> None:
    narrow, wide = make([[1.0]], [0], [1]), make([[1.0, 2.0]], [0], [1])
    with pytest.raises(UsageError, match=r"\[1, 2\] features"):
        normalise_by_rank([narrow, wide])
    with pytest.raises(UsageError, match="features"):
        normalise_by_rank([])
    with pytest.raises(UsageError, match="not finite"):
        normalise_by_rank([make([[1.0], [np.inf]], [0, 0], [2])])
