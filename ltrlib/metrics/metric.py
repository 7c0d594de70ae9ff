"""Metrics as declared values: a formula, a cut-off and a full convention; hashable, with a text form."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, fields
from functools import cache
from typing import ClassVar

from ltrlib.errors import UsageError
from ltrlib.metrics.convention import (
    Absent,
    Denominator,
    Discount,
    Empty,
    Gain,
    Ideal,
    ListEnd,
    Precision,
    Ties,
    choices,
)

__all__ = ["DCG", "ERR", "FAMILIES", "MAP", "MRR", "NDCG", "KendallTau", "MeanNDCG", "Metric", "P"]

_BY_NAME = {
    "gain": Gain,
    "discount": Discount,
    "ideal": Ideal,
    "empty": Empty,
    "ties": Ties,
    "precision": Precision,
    "denominator": Denominator,
    "absent": Absent,
}
# The expectation over tied orders is a plain average only for metrics that add up one term per rank.
_ONE_ORDER = tuple(rule for rule in choices(Ties) if rule not in ("average", "random"))


@dataclass(frozen=True)
class Metric:
    """What all metrics declare; use one of its children.

    Parameters
    ----------
    k
        Cut-off; without it the whole list counts.
    empty
        Value of a query without a relevant document, or ``"skip"``.
    ties
        Order of documents with equal scores.
    precision
        Precision in which scores are compared.
    absent
        What a query without any ranked document counts.
    tool
        Name of the tool whose convention this is, as in ``ndcg@10:letor4``.

    Examples
    --------
    >>> NDCG(10), NDCG(10, gain="linear", empty=1)
    (ndcg@10, ndcg@10(empty=1,gain=linear))
    >>> NDCG(10) == NDCG(10, gain="exp2")
    True
    >>> NDCG(10, discount="log")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: ndcg: discount='log' is not known
      to do: choose log2, letor, reciprocal
    """

    family: ClassVar[str] = ""
    restricted: ClassVar[dict[str, tuple[str, ...]]] = {}

    k: int | None = None
    _: KW_ONLY
    empty: Empty = 0.0
    ties: Ties = "file"
    precision: Precision = "float64"
    absent: Absent = "skip"
    tool: str | None = None

    def __post_init__(self) -> None:
        if self.k is not None and self.k < 1:
            raise UsageError(f"{self.family}: the cut-off must be 1 or more, not {self.k}", cure="write ndcg@10")
        for name in self.choices_of_family():
            value = getattr(self, name)
            if isinstance(value, str):
                allowed = self.restricted.get(name) or choices(_BY_NAME[name])
                if value not in allowed:
                    known = f"choose {', '.join(allowed)}"
                    raise UsageError(f"{self.family}: {name}={value!r} is not known", cure=known)
            elif name == "empty":
                _check_numbers(self, name, (value,))
            elif name == "gain":
                if len(value) < 2:
                    raise UsageError(f"{self.family}: a gain table needs two values or more, not {value}")
                _check_numbers(self, name, value)
            elif value < 1:
                raise UsageError(f"{self.family}: {name} must be 1 or more, not {value}")

    @classmethod
    @cache
    def choices_of_family(cls) -> tuple[str, ...]:
        """Names of the choices that this kind of metric declares, in the order of its text form."""
        return tuple(sorted(f.name for f in fields(cls) if f.name not in ("k", "tool")))

    def __str__(self) -> str:
        from ltrlib.metrics.notation import to_text

        return to_text(self)

    __repr__ = __str__


def _check_numbers(metric: Metric, name: str, values: tuple[float, ...]) -> None:
    if any(not math.isfinite(value) or value < 0 for value in values):
        raise UsageError(f"{metric.family}: {name}={values} must hold finite numbers, 0 or more")


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
        _refuse_cut_off(self)


@dataclass(frozen=True, repr=False)
class ERR(Metric):
    """Expected reciprocal rank: a document of label l satisfies with probability (2^l − 1) / 2^max_grade.

    Examples
    --------
    >>> ERR(), ERR(10, max_grade=2)
    (err, err@10(max_grade=2))
    """

    family: ClassVar[str] = "err"
    restricted: ClassVar[dict[str, tuple[str, ...]]] = {"ties": _ONE_ORDER}

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
    restricted: ClassVar[dict[str, tuple[str, ...]]] = {"ties": _ONE_ORDER}

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
    restricted: ClassVar[dict[str, tuple[str, ...]]] = {"ties": _ONE_ORDER}

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
        _refuse_cut_off(self)


def _refuse_cut_off(metric: Metric) -> None:
    if metric.k is not None:
        raise UsageError(f"{metric.family} has no cut-off", cure=f"write {metric.family}")


FAMILIES: dict[str, type[Metric]] = {kind.family: kind for kind in (NDCG, DCG, MeanNDCG, ERR, MAP, P, MRR, KendallTau)}
"""Metric classes by the name in their text form."""
