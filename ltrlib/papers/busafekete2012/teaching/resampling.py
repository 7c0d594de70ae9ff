"""Draw the queries of a data set anew, the same draw in every fold, and know which queries are empty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData

__all__ = ["draw_counts", "empty_queries", "resample", "without_empty"]


def draw_counts(parts: Iterable[RankingData], sample: int) -> dict[str, int]:
    """Draw with replacement as many queries from each part as it has: how often each was drawn.

    Given the test parts of all folds, each query belongs to one of them; a training part of any fold is then made of
    the same draws. So the folds of one sample depend on each other as the folds of the data set do.

    Parameters
    ----------
    parts
        Without common queries.
    sample
        Number of the draw.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> part = RankingData(np.eye(3, dtype=np.float32), np.zeros(3, np.int32), np.arange(4), np.array(["a", "b", "c"]),
    ...                    None, Source("example"))
    >>> counts = draw_counts([part], 1)
    >>> sum(counts.values()), counts == draw_counts([part], 1)
    (3, True)
    """
    counts: dict[str, int] = {}
    for number, part in enumerate(parts, start=1):
        rng = np.random.default_rng([sample, number])
        drawn = np.bincount(rng.integers(0, part.n_queries, part.n_queries), minlength=part.n_queries)
        counts.update(zip(part.query_ids.tolist(), drawn.tolist(), strict=True))
    return counts


def resample(data: RankingData, counts: Mapping[str, int]) -> RankingData:
    """Each query as often as it was drawn; copies are queries of their own.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.eye(3, dtype=np.float32), np.array([0, 2, 1], np.int32), np.array([0, 2, 3]),
    ...                    np.array(["a", "b"]), None, Source("example"))
    >>> again = resample(data, {"a": 0, "b": 2})
    >>> again.query_ids.tolist(), again.labels.tolist()
    (['b', 'b copy 2'], [1, 1])
    """
    times = np.array([counts[query] for query in data.query_ids.tolist()], np.int64)
    chosen = np.repeat(np.arange(data.n_queries), times)
    copy = np.arange(len(chosen)) - np.repeat(np.cumsum(times) - times, times) + 1
    names = [
        query if number == 1 else f"{query} copy {number}"
        for query, number in zip(data.query_ids[chosen].tolist(), copy.tolist(), strict=True)
    ]
    rows = np.concatenate([np.arange(*data.query_offsets[query : query + 2]) for query in chosen.tolist()])
    offsets = np.concatenate([[0], np.cumsum(data.query_sizes[chosen])]).astype(np.int64)
    # Not selected from the container, which refuses two queries of one name.
    return RankingData(data.features[rows], data.labels[rows], offsets, np.array(names), None, data.source)


def empty_queries(data: RankingData) -> NDArray[np.bool_]:
    """Which queries have no relevant document.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.eye(3, dtype=np.float32), np.array([0, 0, 1], np.int32), np.array([0, 2, 3]),
    ...                    np.array(["a", "b"]), None, Source("example"))
    >>> empty_queries(data).tolist()
    [True, False]
    """
    empty: NDArray[np.bool_] = np.maximum.reduceat(data.labels, data.query_offsets[:-1]) == 0
    return empty


def without_empty(data: RankingData) -> RankingData:
    """Only the queries that have a relevant document."""
    return data.select_queries(~empty_queries(data))
