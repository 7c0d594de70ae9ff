"""The run that leaves out one data set at a time in every sampled reconstruction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.sensitivity.without_dataset import CASES, FIGURE6, spread_per_sample
from ltrlib.records.making import Piece, Run

__all__ = ["LEFT_OUT"]


def _methods() -> Sequence[Piece]:
    return [{"cases": cases, "method": method} for cases in CASES for method in FIGURE6]


def spread(piece: Mapping[str, Any]) -> pd.DataFrame:
    """Spread of one method of Figure 6 over the samples, in one reading of what a point is."""
    return spread_per_sample(records.ORDERS.read().table, piece["method"], cases=piece["cases"])


LEFT_OUT = Run(tables=(records.LEFT_OUT,), pieces=_methods, do=spread, after=(records.ORDERS,))
