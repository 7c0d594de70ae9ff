"""Counts agree with a plain count, on any data."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltrlib.datasets.container import RankingData, Source
from ltrlib.datasets.statistics import count
from ltrlib.errors import UsageError

queries = st.lists(st.lists(st.integers(-1, 4), min_size=1, max_size=14), min_size=1, max_size=12)


def data_of(labels: list[list[int]], width: int = 3) -> RankingData:
    flat = np.array([label for query in labels for label in query], np.int32)
    offsets = np.cumsum([0, *map(len, labels)])
    ids = np.array([str(i) for i in range(len(labels))])
    return RankingData(np.zeros((len(flat), width), np.float32), flat, offsets, ids, None, Source("made up"))


@given(queries, queries)
def test_several_parts_are_counted_as_one(first: list[list[int]], second: list[list[int]]) -> None:
    counts = count(data_of(first), data_of(second))
    both = first + second
    flat = [label for query in both for label in query]
    sizes = [len(query) for query in both]
    assert (counts.rows, counts.queries, counts.features) == (len(flat), len(both), 3)
    assert counts.labels == {label: flat.count(label) for label in sorted(set(flat))}
    assert counts.empty == sum(max(query) <= 0 for query in both)
    assert counts.shorter == {k: sum(size < k for size in sizes) for k in range(1, 11)}
    assert counts.documents == (min(sizes), statistics.median(sizes), max(sizes))


def test_nothing_cannot_be_counted() -> None:
    with pytest.raises(UsageError, match="nothing to count"):
        count()
