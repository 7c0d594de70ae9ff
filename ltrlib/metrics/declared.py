"""What every metric declares: a cut-off, a value for each choice, a text form; the base of all kinds of metrics."""

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
    Precision,
    Ties,
    Worth,
    choices,
)

__all__ = ["BY_NAME", "LARGEST_CUTOFF", "ONE_ORDER", "Metric", "refuse_cut_off"]

BY_NAME = {
    "gain": Gain,
    "discount": Discount,
    "ideal": Ideal,
    "empty": Empty,
    "ties": Ties,
    "precision": Precision,
    "denominator": Denominator,
    "absent": Absent,
    "worth": Worth,
}
"""What each choice may be; a family may allow less."""

LARGEST_CUTOFF = 2**31 - 1
"""No list is longer."""

ONE_ORDER = tuple(rule for rule in choices(Ties) if rule not in ("average", "random"))
"""Tie rules of metrics whose expectation over tied orders is more than an average of each rank's term."""

_LARGEST_GRADE = 1023  # 2^1023 is the largest power of two that a double holds


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
    >>> from ltrlib.metrics.metric import NDCG
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

    # restricted: choices of which this kind accepts only some values; without: choices that it does not have;
    # adds_up: a count, of which tools print the sum over the queries.

    family: ClassVar[str] = ""
    restricted: ClassVar[dict[str, tuple[str, ...]]] = {}
    without: ClassVar[frozenset[str]] = frozenset()
    adds_up: ClassVar[bool] = False

    k: int | None = None
    _: KW_ONLY
    empty: Empty = 0.0
    ties: Ties = "file"
    precision: Precision = "float64"
    absent: Absent = "skip"
    tool: str | None = None

    def __post_init__(self) -> None:
        if self.k is not None and not 1 <= self.k <= LARGEST_CUTOFF:
            bound = "1 or more" if self.k < 1 else f"at most {LARGEST_CUTOFF:,}"
            raise UsageError(f"{self.family}: the cut-off must be {bound}, not {self.k}", cure="write ndcg@10")
        for name in self.without:
            if getattr(self, name) != getattr(type(self), name):
                raise UsageError(f"{self.family} has no choice {name!r}")
        for name in self.choices_of_family():
            value = getattr(self, name)
            if isinstance(value, str):
                allowed = self.allowed(name)
                if value not in allowed:
                    known = f"choose {', '.join(allowed)}"
                    raise UsageError(f"{self.family}: {name}={value!r} is not known", cure=known)
            elif name == "empty":
                _check_numbers(self, name, (value,))
            elif name == "gain":
                if len(value) < 2:
                    raise UsageError(f"{self.family}: a gain table needs two values or more, not {value}")
                _check_numbers(self, name, value)
            elif name == "p":
                if not 0 < value < 1:
                    raise UsageError(f"{self.family}: {name}={value} must lie between 0 and 1", cure="write rbp(p=0.8)")
            elif name == "beta":
                if not (math.isfinite(value) and value > 0):
                    raise UsageError(f"{self.family}: {name}={value} must be a number above 0")
            elif not 1 <= value <= _LARGEST_GRADE:
                bound = "1 or more" if value < 1 else f"at most {_LARGEST_GRADE}"
                raise UsageError(f"{self.family}: {name} must be {bound}, not {value}")

    @classmethod
    @cache
    def choices_of_family(cls) -> tuple[str, ...]:
        """Names of the choices that this kind of metric declares, in the order of its text form."""
        return tuple(sorted(f.name for f in fields(cls) if f.name not in ("k", "tool") and f.name not in cls.without))

    @classmethod
    def allowed(cls, choice: str) -> tuple[str, ...]:
        """Names that this kind of metric accepts for a choice."""
        return cls.restricted.get(choice) or choices(BY_NAME[choice])

    def __str__(self) -> str:
        from ltrlib.metrics.notation import to_text

        return to_text(self)

    __repr__ = __str__


def _check_numbers(metric: Metric, name: str, values: tuple[float, ...]) -> None:
    if any(not math.isfinite(value) or value < 0 for value in values):
        raise UsageError(f"{metric.family}: {name}={values} must hold finite numbers, 0 or more")


def refuse_cut_off(metric: Metric) -> None:
    """Say that this kind of metric has none."""
    if metric.k is not None:
        raise UsageError(f"{metric.family} has no cut-off", cure=f"write {metric.family}")
