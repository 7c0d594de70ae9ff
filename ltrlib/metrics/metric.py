"""Metrics as declared values: a formula, a cut-off and a full convention; hashable, with a text form."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from ltrlib.metrics.convention import Denominator, Discount, Empty, Gain, Ideal, ListEnd, Ties
from ltrlib.metrics.declared import ONE_ORDER, Metric, refuse_cut_off
from ltrlib.metrics.retrieval import (
    RBP,
    Bpref,
    F,
    InfAP,
    Judged,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    Recall,
    RPrec,
    Success,
)

__all__ = ["DCG", "ERR", "FAMILIES", "MAP", "MRR", "NDCG", "KendallTau", "MeanNDCG", "Metric", "P"]


@dataclass(frozen=True, repr=False)
class DCG(Metric):
    """Discounted cumulative gain: the sum of gain times discount over the first k ranks.

    Examples
    --------
    >>> DCG(5, discount="reciprocal")
    dcg@5(discount=reciprocal)
    """

    family: ClassVar[str] = "dcg"

    gain: Gain = "exp2"
    discount: Discount = "log2"


@dataclass(frozen=True, repr=False)
class NDCG(DCG):
    """DCG divided by the DCG of the best order of the same documents.

    Examples
    --------
    >>> NDCG(10, gain=(0, 1, 3), discount="letor", short="zero")
    ndcg@10(discount=letor,gain=0/1/3,short=zero)
    """

    family: ClassVar[str] = "ndcg"
    restricted: ClassVar[dict[str, tuple[str, ...]]] = {"short": ("own", "zero")}

    ideal: Ideal = "list"
    short: ListEnd = "own"


@dataclass(frozen=True, repr=False)
class MeanNDCG(DCG):
    """Mean of NDCG@1 to NDCG@n of a query with n documents, as the LETOR 4.0 script prints it.

    Examples
    --------
    >>> MeanNDCG()
    meanndcg
    """

    family: ClassVar[str] = "meanndcg"

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_cut_off(self)


@dataclass(frozen=True, repr=False)
class ERR(Metric):
    """Expected reciprocal rank: a document of label l satisfies with probability (2^l − 1) / 2^max_grade.

    Examples
    --------
    >>> ERR(), ERR(10, max_grade=2)
    (err, err@10(max_grade=2))
    """

    family: ClassVar[str] = "err"
    restricted: ClassVar[dict[str, tuple[str, ...]]] = {"ties": ONE_ORDER}

    max_grade: int = 4


@dataclass(frozen=True, repr=False)
class MAP(Metric):
    """Average precision of a query; its mean is MAP.

    Examples
    --------
    >>> MAP(relevant_from=2), MAP(10, denominator="cutoff")
    (map(relevant_from=2), map@10(denominator=cutoff))
    """

    family: ClassVar[str] = "map"
    restricted: ClassVar[dict[str, tuple[str, ...]]] = {"ties": ONE_ORDER}

    ideal: Ideal = "list"
    relevant_from: int = 1
    denominator: Denominator = "relevant"


@dataclass(frozen=True, repr=False)
class P(Metric):
    """Precision: the share of relevant documents among the first k.

    Examples
    --------
    >>> P(10, short="pad")
    p@10(short=pad)
    """

    family: ClassVar[str] = "p"
    restricted: ClassVar[dict[str, tuple[str, ...]]] = {"short": ("own", "pad")}

    relevant_from: int = 1
    short: ListEnd = "own"


@dataclass(frozen=True, repr=False)
class MRR(Metric):
    """Reciprocal rank of the first relevant document, 0 when none is found; its mean is MRR.

    Examples
    --------
    >>> MRR(10)
    mrr@10
    """

    family: ClassVar[str] = "mrr"
    restricted: ClassVar[dict[str, tuple[str, ...]]] = {"ties": ONE_ORDER}

    relevant_from: int = 1


@dataclass(frozen=True, repr=False)
class KendallTau(Metric):
    """Kendall's tau-b between the order by score and the order by label, which handles ties in both.

    Where it is undefined (all labels or all scores equal) the query scores ``empty``.

    Examples
    --------
    >>> KendallTau()
    tau
    """

    family: ClassVar[str] = "tau"
    restricted: ClassVar[dict[str, tuple[str, ...]]] = {"ties": ("average",)}

    _: KW_ONLY
    empty: Empty = "skip"
    ties: Ties = "average"

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_cut_off(self)


_KINDS: tuple[type[Metric], ...] = (
    *(NDCG, DCG, MeanNDCG, ERR, MAP, P, MRR, KendallTau),
    *(Recall, RPrec, Success, F, RBP, Bpref, InfAP, Judged, NumRet, NumRel, NumRelRet, NumQ),
)

FAMILIES: dict[str, type[Metric]] = {kind.family: kind for kind in _KINDS}
"""Metric classes by the name in their text form."""
