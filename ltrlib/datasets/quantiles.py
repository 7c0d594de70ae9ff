"""Features made normal by their ranks, as scikit-learn's QuantileTransformer does it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["normal_quantiles"]


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
