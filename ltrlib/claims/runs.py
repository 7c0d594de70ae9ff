"""Count the data sets that claims are about, for machines without the data."""

from __future__ import annotations

from functools import partial

import pandas as pd

from ltrlib.claims.counts import count_parts, counts_of, load_parts
from ltrlib.records.making import Piece, Run

__all__ = ["COUNTS", "run_of"]


def count_set(piece: Piece) -> pd.DataFrame:
    """Count the parts of one data set."""
    return count_parts(load_parts(piece["dataset"]))


def _pieces(dataset: str) -> list[Piece]:
    return [{"dataset": dataset}]


def run_of(dataset: str) -> Run:
    """How the counts of a data set are recorded.

    Examples
    --------
    >>> run_of("mq2008").command
    'ltrlib record counts/mq2008'
    """
    return Run(tables=(counts_of(dataset),), pieces=partial(_pieces, dataset), do=count_set, needs=(dataset,))


COUNTS = tuple(run_of(dataset) for dataset in ("mq2008", "ohsumed"))
