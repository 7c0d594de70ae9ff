"""Metrics that users of trec_eval, ir_measures and ranx expect: sets, counts, and what knows of unjudged documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ltrlib.metrics.convention import Ideal, ListEnd, Worth
from ltrlib.metrics.declared import ONE_ORDER, Metric, refuse_cut_off

__all__ = [
    "RBP",
    "Bpref",
    "F",
    "InfAP",
    "Judged",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "RPrec",
    "Recall",
    "Success",
]


@dataclass(frozen=True, repr=False)
class Recall(Metric):
    """Recall: the share of all relevant documents that stand among the first k.

    Examples
    --------
    >>> Recall(10), Recall(100, ideal="judged")
    (recall@10, recall@100(ideal=judged))
    """

    family: ClassVar[str] = "recall"

    ideal: Ideal = "list"
    relevant_from: int = 1


@dataclass(frozen=True, repr=False)
class RPrec(Metric):
    """R-precision: the share of relevant documents among the first R, where R is how many there are.

    Examples
    --------
    >>> RPrec(relevant_from=2)
    rprec(relevant_from=2)
    """

    family: ClassVar[str] = "rprec"

    ideal: Ideal = "list"
    relevant_from: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_cut_off(self)


@dataclass(frozen=True, repr=False)
class Success(Metric):
    """Success, or hit rate: 1 if a relevant document stands among the first k, else 0.

    Examples
    --------
    >>> Success(5)
    success@5
    """

    family: ClassVar[str] = "success"
    restricted: ClassVar[dict[str, tuple[str, ...]]] = {"ties": ONE_ORDER}

    relevant_from: int = 1


@dataclass(frozen=True, repr=False)
class F(Metric):
    """Weighted harmonic mean of precision P and recall R at k: (1 + b²) P R / (b² P + R), b being ``beta``.

    Beta above 1 favours recall. trec_eval's ``set_F.x`` takes b² itself: its 2 is ``f(beta=1.4142135623730951)``.

    Examples
    --------
    >>> F(10), F(beta=2)
    (f@10, f(beta=2))
    """

    family: ClassVar[str] = "f"
    restricted: ClassVar[dict[str, tuple[str, ...]]] = {"short": ("own", "pad"), "ties": ONE_ORDER}

    beta: float = 1.0
    ideal: Ideal = "list"
    relevant_from: int = 1
    short: ListEnd = "own"


@dataclass(frozen=True, repr=False)
class RBP(Metric):
    """Rank-biased precision: the reader goes on to the next rank with probability ``p``, the persistence.

    The sum of (1 − p) p^(rank − 1) over the relevant documents, each worth 1, or its label.

    Examples
    --------
    >>> RBP(), RBP(p=0.95)
    (rbp, rbp(p=0.95))
    """

    family: ClassVar[str] = "rbp"

    p: float = 0.8
    relevant_from: int = 1
    worth: Worth = "binary"


class _OfJudgments(Metric):
    """What bpref and infAP share: relevant documents are counted among all judged ones, never in the list alone."""

    restricted: ClassVar[dict[str, tuple[str, ...]]] = {"ties": ONE_ORDER}
    ideal: ClassVar[Ideal] = "judged"

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_cut_off(self)


@dataclass(frozen=True, repr=False)
class Bpref(_OfJudgments):
    """Binary preference: how seldom a judged non-relevant document stands above a relevant one.

    The mean over the R relevant documents of 1 − min(n, R) / min(N, R), where n of the N judged non-relevant documents
    stand above. Documents that nobody judged are passed over.

    Examples
    --------
    >>> Bpref()
    bpref
    """

    family: ClassVar[str] = "bpref"

    relevant_from: int = 1


@dataclass(frozen=True, repr=False)
class InfAP(_OfJudgments):
    """Inferred average precision, for pools of which a random part was judged.

    A negative label in qrels says: in the pool, but not judged. What is not in the qrels was not in the pool and
    counts as not relevant. Smoothed by 0.00001, as trec_eval does.

    Examples
    --------
    >>> InfAP(relevant_from=2)
    infap(relevant_from=2)
    """

    family: ClassVar[str] = "infap"

    relevant_from: int = 1


@dataclass(frozen=True, repr=False)
class Judged(Metric):
    """Share of judged documents among the first k, relevant or not.

    Examples
    --------
    >>> Judged(10)
    judged@10
    """

    family: ClassVar[str] = "judged"
    restricted: ClassVar[dict[str, tuple[str, ...]]] = {"short": ("own", "pad")}
    without: ClassVar[frozenset[str]] = frozenset({"empty"})

    short: ListEnd = "own"


class _Count(Metric):
    """A number of documents, in which neither an empty query nor a tie needs a rule."""

    without: ClassVar[frozenset[str]] = frozenset({"empty", "ties", "precision"})
    adds_up: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_cut_off(self)


@dataclass(frozen=True, repr=False)
class NumRet(_Count):
    """Number of ranked documents; tools print the sum over the queries.

    Examples
    --------
    >>> NumRet()
    numret
    """

    family: ClassVar[str] = "numret"


@dataclass(frozen=True, repr=False)
class NumRel(_Count):
    """Number of relevant documents that could have been found.

    Examples
    --------
    >>> NumRel(ideal="judged")
    numrel(ideal=judged)
    """

    family: ClassVar[str] = "numrel"

    ideal: Ideal = "list"
    relevant_from: int = 1


@dataclass(frozen=True, repr=False)
class NumRelRet(Metric):
    """Number of relevant documents among the first k: ranx calls it hits.

    Examples
    --------
    >>> NumRelRet(10)
    numrelret@10
    """

    family: ClassVar[str] = "numrelret"
    without: ClassVar[frozenset[str]] = frozenset({"empty"})
    adds_up: ClassVar[bool] = True

    relevant_from: int = 1


@dataclass(frozen=True, repr=False)
class NumQ(_Count):
    """Number of queries that count: 1 for each.

    Examples
    --------
    >>> NumQ()
    numq
    """

    family: ClassVar[str] = "numq"
