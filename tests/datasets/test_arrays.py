"""Data for the rankers from what a program holds already, as scikit-learn, LightGBM and XGBoost take it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ltrlib.datasets import from_arrays
from ltrlib.errors import UsageError
from ltrlib.rankers import Ridge

RNG = np.random.default_rng(4)
X = RNG.random((120, 4))
Y = (X[:, 0] * 3).astype(int)
SIZES = [20, 30, 40, 30]
QUERIES = np.repeat(["d", "b", "a", "c"], SIZES)


@pytest.mark.parametrize("kind", ["array", "pandas", "polars", "list"])
def test_every_form_of_the_same_rows_trains_the_same_ranker(kind: str) -> None:
    import polars

    columns = [f"f{place}" for place in range(4)]
    forms: dict[str, Any] = {
        "array": X,
        "pandas": pd.DataFrame(X, columns=columns),
        "polars": polars.DataFrame(X, schema=columns),
        "list": X.tolist(),
    }
    wanted = Ridge().fit(from_arrays(X, Y, group=SIZES)).predict(X.astype(np.float32))
    found = Ridge().fit(from_arrays(forms[kind], Y.astype(float), QUERIES)).predict(X.astype(np.float32))
    np.testing.assert_array_equal(found, wanted)


def test_rows_of_a_query_may_stand_anywhere() -> None:
    order = RNG.permutation(120)
    data = from_arrays(X[order], Y[order], QUERIES[order])
    assert data.query_ids.tolist() == list(dict.fromkeys(QUERIES[order].tolist()))
    for place, query in enumerate(data.query_ids):
        rows = slice(*data.query_offsets[place : place + 2])
        mine = order[QUERIES[order] == query]
        np.testing.assert_array_equal(data.features[rows], X[mine].astype(np.float32))
        np.testing.assert_array_equal(data.labels[rows], Y[mine])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((X, Y), "it is not clear where queries begin"),
        ((X, Y, QUERIES[:-1]), "119 query ids for 120 rows"),
        ((X, Y[:-1], QUERIES), r"labels of shape \(119,\) for 120 rows"),
        ((X, Y - 1, QUERIES), "a label is not a whole number from 0 up"),
        ((X, Y + 0.5, QUERIES), "a label is not a whole number from 0 up"),
        ((X[0], Y, QUERIES), "features of shape"),
        ((X.astype(str), Y, QUERIES), "features of shape"),
        ((np.where(X[7, 2] == X, np.nan, X), Y, QUERIES), r"row 7, feature 2 \(both counted from 0\) is nan"),
        ((np.where(X[7, 2] == X, 1e300, X), Y, QUERIES), r"row 7, feature 2 \(both counted from 0\) is 1e\+300"),
        ((X, Y, ["a"] * 50 + [None] * 70), "row 50 has no query id"),
    ],
)
def test_what_cannot_be_used_is_told(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        from_arrays(*arguments)


@pytest.mark.parametrize(
    ("group", "message"),
    [([60, 61], "add up to 121"), ([0, 120], "not a list of query sizes"), ([1.5], "not a list of query sizes")],
)
def test_a_wrong_group_is_told(group: list[float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        from_arrays(X, Y, group=group)
