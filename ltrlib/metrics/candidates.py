"""What a printed number could be: tools with their documented options, cut-offs, what was done to the data before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics.case import Case
from ltrlib.metrics.metric import FAMILIES, NDCG, Metric
from ltrlib.metrics.tools import TOOLS

__all__ = [
    "OPTIONS",
    "Candidate",
    "Preprocessing",
    "candidate_order",
    "conventions",
    "cut_offs",
    "preprocessings",
    "sorted_candidates",
]

OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "yahoo": ({"empty": 0.5},),
    "trec_eval": ({"absent": "zero"}, {"precision": "float64"}),
    "lightgbm": ({"gain": "linear"},),
    "catboost": ({"gain": "exp2"}, {"discount": "reciprocal"}, {"gain": "exp2", "discount": "reciprocal"}),
    "sklearn": ({"ties": "last"},),
    "ir_measures": ({"gain": "exp2", "precision": "float64"},),
    "ranx": ({"gain": "exp2"},),
    "torchmetrics": ({"empty": 1.0}, {"empty": "skip"}),
}
"""NDCG under other settings that a tool has: each tool's note in :data:`ltrlib.metrics.TOOLS` tells how to set them."""

_POPULAR = (10, 5, 3, 1, None, 20, 100, 50)
_ALWAYS = tuple(range(1, 11))
_LONG = (*range(11, 21), 25, 30, 32, 40, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Preprocessing:
    """What is often done to data before a tool sees them.

    Parameters
    ----------
    binarise
        Labels of this value or more become 1, all others 0.
    drop_empty
        Queries without a relevant document are dropped.
    drop_short
        Queries with fewer than k documents are dropped.

    Examples
    --------
    >>> print(Preprocessing(binarise=2, drop_empty=True))
    labels binarised at 2, queries without relevant documents dropped
    >>> Preprocessing().steps
    0
    """

    binarise: int | None = None
    drop_empty: bool = False
    drop_short: bool = False

    @property
    def steps(self) -> int:
        """How many things are done."""
        return (self.binarise is not None) + self.drop_empty + self.drop_short

    def __str__(self) -> str:
        told = [f"labels binarised at {self.binarise}"] if self.binarise is not None else []
        told += ["queries without relevant documents dropped"] if self.drop_empty else []
        told += ["queries under k documents dropped"] if self.drop_short else []
        return ", ".join(told)

    def labelled(self, case: Case) -> Case:
        """The case with the labels that a tool would see."""
        return case if self.binarise is None else case.binarised(self.binarise)

    def kept(self, case: Case, k: int | None) -> NDArray[np.bool_]:
        """Which queries a tool would see, given the case that it would see."""
        kept = np.ones(case.n_queries, dtype=np.bool_)
        if self.drop_empty:
            kept &= case.has_relevant()
        if self.drop_short and k is not None:
            kept &= case.sizes >= k
        return kept


@dataclass(frozen=True)
class Candidate:
    """A metric, and what was done to the data before.

    Examples
    --------
    >>> from ltrlib.metrics.notation import parse
    >>> Candidate(parse("ndcg@10:ranklib"), Preprocessing()).bare
    ndcg@10
    """

    metric: Metric
    preprocessing: Preprocessing

    @property
    def bare(self) -> Metric:
        """The metric without the tool's name: two tools with one convention have the same."""
        return replace(self.metric, tool=None)


def preprocessings(least: int, most: int) -> list[Preprocessing]:
    """Every combination of so many steps.

    Examples
    --------
    >>> [len(preprocessings(n, n)) for n in range(4)]
    [1, 4, 5, 2]
    """
    found = [Preprocessing(*choice) for choice in product((None, 1, 2), (False, True), (False, True))]
    return [one for one in found if least <= one.steps <= most]


def conventions(family: str, k: int | None, *, options: bool = True, anything: bool = False) -> Iterator[Metric]:
    """Every tool's metric of a family at a cut-off; or every NDCG that the choices allow, whether a tool has it or not.

    Examples
    --------
    >>> list(conventions("err", 10))
    [err@10:yahoo, err@10:ranklib, err@10:ir_measures]
    >>> sum(1 for _ in conventions("ndcg", 10, anything=True)) > 200
    True
    """
    if anything:
        if family == "ndcg":
            yield from _any_ndcg(k)
        return
    for name, tool in TOOLS.items():
        try:
            metric = tool.template(family, k)
        except UsageError:  # a metric that has no cut-off
            continue
        if metric is None:
            continue
        yield metric
        if options and isinstance(metric, NDCG):
            for choices in OPTIONS.get(name, ()):
                yield replace(metric, **choices)


def _any_ndcg(k: int | None) -> Iterator[Metric]:
    empties: tuple[Any, ...] = (0.0, 1.0, 0.5, "skip")
    orders = ("file", "last", "docid", "docid-ascending", "average", "worst", "best")
    for gain, discount, empty, short, ties in product(
        ("exp2", "linear"), ("log2", "letor", "reciprocal"), empties, ("own", "zero"), orders
    ):
        yield NDCG(k, gain=gain, discount=discount, empty=empty, short=short, ties=ties)  # type: ignore[arg-type]


def cut_offs(family: str, case: Case) -> list[int | None]:
    """Cut-offs that are worth trying: 1 to 10, the usual larger ones below the longest list, and none.

    Examples
    --------
    >>> from ltrlib.metrics.case import make_case
    >>> cut_offs("ndcg", make_case([0] * 13, [0] * 13, [0, 13]))[-4:]
    [10, 11, 12, None]
    """
    try:
        FAMILIES[family](1)
    except UsageError:
        return [None]
    longest = int(case.sizes.max())
    return [*_ALWAYS, *(k for k in _LONG if k < longest), None]


def candidate_order(candidate: Candidate) -> tuple[object, ...]:
    """Sort key: the plainest explanation first, then the most usual cut-off."""
    metric = candidate.metric
    families, tools = list(FAMILIES), list(TOOLS)
    place = _POPULAR.index(metric.k) if metric.k in _POPULAR else len(_POPULAR)
    plain = metric.tool is not None and metric == TOOLS[metric.tool].template(metric.family, metric.k)
    tool = tools.index(metric.tool) if metric.tool in tools else len(tools)
    return candidate.preprocessing.steps, not plain, families.index(metric.family), place, metric.k or 0, tool


def sorted_candidates(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates in the order of :func:`candidate_order`, each once."""
    return sorted(dict.fromkeys(candidates), key=candidate_order)
