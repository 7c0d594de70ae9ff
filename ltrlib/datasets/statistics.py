"""Counts that describe ranking data: sizes, labels, empty queries, short queries, documents per query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError

__all__ = ["SHORT_UP_TO", "Counts", "count"]

SHORT_UP_TO = 10
"""The largest cut-off k for which short queries are counted."""


@dataclass(frozen=True, eq=False)
class Counts:
    """What some ranking data holds.

    Parameters
    ----------
    rows, queries, features
        How many.
    labels
        Rows per label, for the labels that occur.
    empty
        Queries without a label above 0.
    shorter
        Queries with fewer than k documents, k from 1 to 10.
    query_sizes
        Documents of each query, ascending.

    Examples
    --------
    >>> Counts(4, 2, 46, {0: 4}, 2, {10: 2}, np.array([1, 3])).documents
    (1.0, 2.0, 3.0)
    """

    rows: int
    queries: int
    features: int
    labels: Mapping[int, int]
    empty: int
    shorter: Mapping[int, int]
    query_sizes: NDArray[np.int64]

    @property
    def documents(self) -> tuple[float, float, float]:
        """Documents per query: minimum, median, maximum."""
        low, middle, high = self.quantiles((0.0, 0.5, 1.0))
        return low, middle, high

    def quantiles(self, levels: Sequence[float]) -> list[float]:
        """Quantiles of the documents per query, interpolated linearly."""
        return [float(value) for value in np.quantile(self.query_sizes, levels)]


def count(*parts: RankingData) -> Counts:
    """Count one part, or several as if they were one; features are not looked at.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.eye(3, dtype=np.float32), np.array([0, 2, 0], np.int32), np.array([0, 2, 3]),
    ...                    np.array(["a", "b"]), None, Source("example"))
    >>> counts = count(data)
    >>> counts.labels, counts.empty, counts.shorter[2], counts.documents
    ({0: 2, 2: 1}, 1, 1, (1.0, 1.5, 2.0))
    """
    if not parts:
        raise UsageError("nothing to count", where="count")
    sizes = np.sort(np.concatenate([part.query_sizes for part in parts]))
    labels, rows = np.unique(np.concatenate([part.labels for part in parts]), return_counts=True)
    best = [np.maximum.reduceat(part.labels, part.query_offsets[:-1]) for part in parts]
    lengths = range(1, SHORT_UP_TO + 1)
    return Counts(
        rows=int(rows.sum()),
        queries=len(sizes),
        features=max(part.n_features for part in parts),
        labels=dict(zip(labels.tolist(), rows.tolist(), strict=True)),
        empty=int(np.count_nonzero(np.concatenate(best) <= 0)),
        shorter=dict(zip(lengths, np.searchsorted(sizes, lengths).tolist(), strict=True)),
        query_sizes=sizes,
    )
