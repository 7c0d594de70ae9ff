"""Data sets counted, for claims about their sizes; and the record of these counts for machines without the data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.statistics import SHORT_UP_TO, count
from ltrlib.records.record import Table

__all__ = ["COLUMNS", "Counts", "count_parts", "counts_of", "load_parts"]

COLUMNS = {"part": "str", "quantity": "str", "value": "int"}
"""Columns of a table of counts."""


def counts_of(dataset: str) -> Table:
    """The recorded counts of a data set.

    Examples
    --------
    >>> counts_of("mq2008").name
    'counts/mq2008'
    """
    return Table(f"counts/{dataset}", COLUMNS, maker="ltrlib.claims.runs:COUNTS")


@dataclass(frozen=True)
class Counts:
    """Counts of the parts of a data set that together hold each query once.

    Parameters
    ----------
    table
        Columns part, quantity, value.

    Examples
    --------
    >>> counts = Counts(pd.DataFrame({"part": ["a", "b"], "quantity": "queries", "value": [2, 3]}))
    >>> counts.total("queries"), counts.largest("queries"), counts.per_part("queries")
    (5, 3, {'a': 2, 'b': 3})
    """

    table: pd.DataFrame

    def per_part(self, quantity: str) -> dict[str, int]:
        """One quantity in each part; 0 where it does not occur."""
        return {part: self._values.get((part, quantity), 0) for part in dict.fromkeys(self.table["part"])}

    @cached_property
    def _values(self) -> dict[tuple[str, str], int]:
        part, quantity, value = (self.table[column].tolist() for column in COLUMNS)
        return dict(zip(zip(part, quantity, strict=True), value, strict=True))

    def total(self, quantity: str) -> int:
        """Sum of a quantity over the parts."""
        return sum(self.per_part(quantity).values())

    def largest(self, quantity: str) -> int:
        """Largest value of a quantity among the parts."""
        return max(self.per_part(quantity).values())

    def labels(self) -> dict[int, int]:
        """Documents per label, over all parts."""
        names = sorted({name for name in self.table["quantity"] if name.startswith("label ")})
        return {int(name.removeprefix("label ")): self.total(name) for name in names}


def count_parts(parts: Mapping[str, RankingData]) -> pd.DataFrame:
    """Count queries, documents, labels, empty and short queries of each part.

    ``shorter than k`` are queries with fewer than k documents; ``relevant but shorter than k`` are those among them
    with a relevant document.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.eye(3, dtype=np.float32), np.array([0, 2, 0], np.int32), np.array([0, 2, 3]),
    ...                    np.array(["a", "b"]), None, Source("example"))
    >>> counts = Counts(count_parts({"all": data}))
    >>> counts.total("empty queries"), counts.total("shorter than 3"), counts.total("relevant but shorter than 3")
    (1, 2, 1)
    """
    rows = [(part, quantity, value) for part, data in parts.items() for quantity, value in _quantities(data)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _quantities(data: RankingData) -> Iterable[tuple[str, int]]:
    counts = count(data)
    yield from (("queries", counts.queries), ("documents", counts.rows), ("features", counts.features))
    yield from ((f"label {label}", number) for label, number in counts.labels.items())
    yield "empty queries", counts.empty
    yield "largest query", int(counts.query_sizes[-1])
    relevant = np.maximum.reduceat(data.labels, data.query_offsets[:-1]) > 0
    for k in range(1, SHORT_UP_TO + 1):
        yield f"shorter than {k}", counts.shorter[k]
        yield f"relevant but shorter than {k}", int(np.count_nonzero(relevant & (data.query_sizes < k)))


def load_parts(dataset: str) -> dict[str, RankingData]:
    """Load the parts of a data set that together hold each query once.

    Examples
    --------
    >>> load_parts("mq2009")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: no data set is called 'mq2009'
      to do: choose one of mq2008...
    """
    from ltrlib.datasets.loading import load
    from ltrlib.datasets.registry import real_set

    return {part: load(dataset, part) for part in real_set(dataset).once}
