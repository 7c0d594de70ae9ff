"""Features transformed before training: by rank to [0, 1], to normal quantiles, to [0, 1] within each query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.errors import UsageError

__all__ = ["normal_quantiles", "normalise_by_rank", "scale_per_query", "strict_ranks"]

_COLUMNS_AT_ONCE = 16  # float32 values in one cache line: a block of columns is read once, not once per column


def strict_ranks(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Share of the other values that are strictly smaller: |{j: x_j < x_i}| / (n − 1).

    Tied values get the lowest of their ranks, so the smallest value is always 0 and the largest is 1 only where it
    occurs once. One value alone is 0. Costs n log n.

    Parameters
    ----------
    values
        Finite numbers.

    Examples
    --------
    >>> strict_ranks(np.array([5, 1, 5, 9, 2], np.float32))
    array([0.5 , 0.  , 0.5 , 1.  , 0.25], dtype=float32)
    """
    order = np.argsort(values)
    ascending = values[order]
    # Where a run of equal values begins, its place is the number of smaller values; inside a run the place stays.
    begins = np.zeros(len(values), np.int64)
    places = np.arange(1, len(values))
    begins[1:] = np.where(ascending[1:] > ascending[:-1], places, 0)
    ranks = np.empty(len(values), np.float32)
    ranks[order] = np.maximum.accumulate(begins) / max(len(values) - 1, 1)
    return ranks


def normalise_by_rank(parts: Sequence[RankingData]) -> list[RankingData]:
    """Replace each feature by its strict rank among the documents of all parts together (Chapelle and Chang 2011, 4.3).

    The rank depends on every part, the test part too: that is how the paper's data were made, and it means that a new
    document cannot be normalised without the old ones.

    Parameters
    ----------
    parts
        Such as training, validation and test part of one set, or of two sets with the same columns.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> parts = [RankingData(np.array([[x], [y]], np.float32), np.zeros(2, np.int32), np.array([0, 2]),
    ...                      np.array(["a"]), None, Source("example", part))
    ...          for part, x, y in (("train", 7, -2), ("test", 3, 90))]
    >>> [(3 * part.features).ravel().round().tolist() for part in normalise_by_rank(parts)]
    [[2.0, 0.0], [1.0, 3.0]]
    """
    widths = {part.n_features for part in parts}
    if len(widths) != 1:
        raise UsageError(
            f"the parts have {sorted(widths)} features", where="normalise_by_rank", cure="give parts of equal width"
        )
    (width,) = widths
    features = [np.empty_like(part.features) for part in parts]
    bounds = np.cumsum([part.n_docs for part in parts])
    for start in range(0, width, _COLUMNS_AT_ONCE):
        columns = slice(start, start + _COLUMNS_AT_ONCE)
        block = np.concatenate([part.features[:, columns].T for part in parts], axis=1)
        if not np.isfinite(block).all():
            raise UsageError(f"a feature among columns {start} to {start + len(block) - 1} is not finite")
        ranks = np.array([strict_ranks(column) for column in block])
        for target, piece in zip(features, np.split(ranks, bounds[:-1], axis=1), strict=True):
            target[:, columns] = piece.T
    return [replace(part, features=new) for part, new in zip(parts, features, strict=True)]


def normal_quantiles(features: NDArray[np.float32], *, seed: int = 0) -> NDArray[np.float32]:
    """Replace each value by the normal quantile of its rank among the values of its feature.

    scikit-learn computes 1,000 quantiles of at most 100,000 rows, which it draws; values that are no quantile are
    interpolated. These are its defaults of 2019.

    Parameters
    ----------
    features
        One row per document.
    seed
        Which rows are drawn.

    Examples
    --------
    >>> normal_quantiles(np.array([[1], [5], [100]], np.float32)).ravel().round(1)
    array([-5.2,  0. ,  5.2], dtype=float32)
    """
    from sklearn.preprocessing import QuantileTransformer

    transformer = QuantileTransformer(
        output_distribution="normal", n_quantiles=min(1000, len(features)), subsample=100_000, random_state=seed
    )
    transformed: NDArray[np.float32] = transformer.fit_transform(features).astype(np.float32)
    return transformed


def scale_per_query(data: RankingData) -> NDArray[np.float32]:
    """Scale each feature to [0, 1] within each query; one that is constant there becomes 0.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.array([[3, 1], [5, 1], [4, 1]], np.float32), np.zeros(3, np.int32), np.array([0, 3]),
    ...                    np.array(["a"]), None, Source("example"))
    >>> scale_per_query(data).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.5, 0.0]]
    """
    features, starts = np.asarray(data.features, np.float64), data.query_offsets[:-1]
    low = np.repeat(np.minimum.reduceat(features, starts), data.query_sizes, axis=0)
    width = np.repeat(np.maximum.reduceat(features, starts), data.query_sizes, axis=0) - low
    scaled = np.divide(features - low, width, out=np.zeros_like(features), where=width > 0)
    return np.asarray(scaled, np.float32)
