"""What evaluation tools disagree on, one name per choice.

A metric (:mod:`ltrlib.metrics.metric`) is a formula plus one value for each of these choices. Nothing is left to
an implementation: two metrics with the same choices give the same numbers.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ltrlib.errors import UsageError

__all__ = [
    "Absent",
    "Denominator",
    "Discount",
    "Empty",
    "Gain",
    "Ideal",
    "ListEnd",
    "Precision",
    "Ties",
    "Worth",
    "choices",
    "discounts",
    "gain_table",
]

Gain = Literal["exp2", "linear"] | tuple[float, ...]
"""What a label is worth: 2^label − 1, the label itself, or a table with one value per label from 0 up."""

Discount = Literal["log2", "letor", "reciprocal"]
"""Weight of rank i: 1/log2(i + 1); LETOR's 1, 1, 1/log2(i), which leaves rank 2 undiscounted; 1/i."""

Ideal = Literal["list", "judged"]
"""Which documents could have been found: those of the ranked list, or all judged ones (they differ in TREC runs)."""

Empty = float | Literal["skip"]
"""Value of a query without a relevant document; ``skip`` leaves it out of the mean."""

ListEnd = Literal["own", "zero", "pad"]
"""A query with fewer than k documents: cut at its own length; scores 0; is filled up with non-relevant ones."""

Ties = Literal["file", "last", "docid", "docid-ascending", "average", "random", "worst", "best"]
"""Order of documents with equal scores.

``file``: as given; ``last``: the last given comes first; ``docid``: document id, descending; ``docid-ascending``;
``average``: expectation over all orders; ``random``: the tool shuffles, we compute its expectation, which is
``average``; ``worst`` and ``best``: the less or the more relevant first.
"""

Precision = Literal["float64", "float32"]
"""How exactly scores are compared: in float32, 0.9999999988 and 1 are tied."""

Denominator = Literal["relevant", "cutoff", "found"]
"""Divisor of average precision at k: all R relevant documents, min(k, R), or the relevant ones in the top k."""

Worth = Literal["binary", "label"]
"""What a relevant document adds in rank-biased precision: 1, or its label."""

Absent = Literal["skip", "zero"]
"""A query without any ranked document (judged, but missing from a run): left out of the mean, or 0."""


@cache
def choices(kind: object) -> tuple[str, ...]:
    """Names that a choice accepts, without the free forms (numbers, tables).

    Examples
    --------
    >>> choices(Discount)
    ('log2', 'letor', 'reciprocal')
    >>> choices(Gain)
    ('exp2', 'linear')
    """
    names: list[str] = []
    for argument in get_args(kind):
        names += [argument] if isinstance(argument, str) else choices(argument)
    return tuple(names)


def gain_table(gain: Gain, grades: NDArray[np.integer]) -> NDArray[np.float64]:
    """Gain of each grade.

    Examples
    --------
    >>> gain_table("exp2", np.arange(5))
    array([ 0.,  1.,  3.,  7., 15.])
    >>> gain_table((0, 1, 3), np.arange(3))
    array([0., 1., 3.])
    """
    if gain == "linear":
        return grades.astype(np.float64)
    if gain == "exp2":
        if grades[-1] > 1023:
            raise UsageError(
                f"label {grades[-1]} is too large for gain 2^label - 1", cure="use gain=linear, or a table of gains"
            )
        return np.exp2(grades.astype(np.float64)) - 1.0
    if grades[-1] >= len(gain):
        raise UsageError(
            f"label {grades[-1]} is not in the gain table, which ends at label {len(gain) - 1}",
            cure="give a longer table, or use gain=exp2 or gain=linear",
        )
    table: NDArray[np.float64] = np.array(gain, dtype=np.float64)[grades]
    return table


def discounts(discount: Discount, depth: int) -> NDArray[np.float64]:
    """Weights of the ranks 1 to ``depth``.

    Examples
    --------
    >>> discounts("log2", 3).round(4)
    array([1.    , 0.6309, 0.5   ])
    >>> discounts("letor", 3).round(4)
    array([1.    , 1.    , 0.6309])
    """
    rank = np.arange(1, depth + 1, dtype=np.float64)
    if discount == "reciprocal":
        return 1.0 / rank
    if discount == "letor":
        return 1.0 / np.log2(np.maximum(rank, 2.0))
    return 1.0 / np.log2(rank + 1.0)
