"""Normalisation by strict ranks (Chapelle and Chang 2011, section 4.3) beside scikit-learn's quantiles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.features import strict_ranks
from ltrlib.datasets.loading import load

__all__ = ["Comparison", "compare_with_quantiles", "quantiles"]


_DATASET = "standin/mslr"  # raw feature values
_COUNT, _SCORE = 126, 110  # number of slashes in an address, BM25 of the document; counted from 1


@dataclass(frozen=True, eq=False)
class Comparison:
    """One feature normalised in two ways.

    Parameters
    ----------
    source
        Which feature of which data.
    raw, ranks, quantiles
        Its values, and what strict counting and scikit-learn make of them.
    gap_without_ties
        Largest difference of the two on the distinct values alone.
    """

    source: str
    raw: NDArray[np.float32]
    ranks: NDArray[np.float32]
    quantiles: NDArray[np.float64]
    gap_without_ties: float

    @property
    def largest_gap(self) -> float:
        """Largest difference of the two."""
        return float(np.abs(self.ranks - self.quantiles).max())


def quantiles(values: NDArray[np.float32]) -> NDArray[np.float64]:
    """Normalise by scikit-learn's transformer with as many quantiles as there are values.

    Examples
    --------
    >>> quantiles(np.array([5, 1, 5, 9, 2], np.float32))
    array([0.625, 0.   , 0.625, 1.   , 0.25 ])
    """
    from sklearn.preprocessing import QuantileTransformer

    transformer = QuantileTransformer(n_quantiles=len(values), subsample=None)
    result: NDArray[np.float64] = transformer.fit_transform(values.astype(np.float64)[:, None])[:, 0]
    return result


def compare_with_quantiles() -> Comparison:
    """Normalise a count with many ties in both ways, and a score without its ties.

    Examples
    --------
    >>> compared = compare_with_quantiles()
    >>> compared.gap_without_ties < 1e-6 < compared.largest_gap
    True
    """
    data = load(_DATASET, "Fold1/test", scale=0.01)
    raw, scores = data.features[:, _COUNT - 1].copy(), np.unique(data.features[:, _SCORE - 1])
    gap = float(np.abs(strict_ranks(scores) - quantiles(scores)).max())
    return Comparison(f"feature {_COUNT} of {_DATASET}", raw, strict_ranks(raw), quantiles(raw), gap)
