"""Which NDCG is this? The tools, cut-offs and preprocessing that give a ranking a printed number.

A number is looked for at its printed digits: whatever rounds to it fits. The plain presets of all tools, their
documented options and one step of preprocessing are always tried; more steps only if nothing fits, then the other
metrics, then any NDCG that the choices allow. The more is tried, the more fits by chance, so the expected number of
chance hits is told.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics.candidates import (
    Candidate,
    Preprocessing,
    conventions,
    cut_offs,
    preprocessings,
    sorted_candidates,
)
from ltrlib.metrics.case import Case, make_case
from ltrlib.metrics.metric import FAMILIES, Metric
from ltrlib.metrics.notation import parse

__all__ = ["Identification", "Match", "Printed", "identify", "identify_case", "mean_of", "same_tool", "values_of"]

_SLACK = 1e-12  # a mean on the border of two roundings may have been rounded either way
_NEAR = 5  # near misses to tell
_NEAR_ENOUGH = 300  # candidates among which these are sought: many share a value
_WINDOW = 0.02  # candidates this near to the number tell how dense they lie
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?", re.ASCII)
_LONGEST = 40  # characters of a number
_BATCH = 1 << 24  # values held at once


@dataclass(frozen=True)
class Printed:
    """A number as it was printed: its digits say how exactly it is known.

    Examples
    --------
    >>> Printed.read("0.4970"), Printed.read("49.7%")
    (Printed(value=0.497, digits=4), Printed(value=0.497, digits=3))
    >>> Printed.read("0.4973").fits(0.49734), Printed.read("0.4973").fits(0.49736)
    (True, False)
    """

    value: float
    digits: int

    @classmethod
    def read(cls, text: str | float, *, share: bool = True) -> Printed:
        """Read a number, or a percentage; what is above 1 can only be a percentage if the metric is a share."""
        written = str(text).strip()
        bare = written.removesuffix("%").strip()
        if len(bare) > _LONGEST or not _NUMBER.fullmatch(bare):
            raise UsageError(f"{written[:40]!r} is not a number", cure="write it as it was printed: 0.4973 or 49.73%")
        number = Decimal(bare)
        exponent = int(number.as_tuple().exponent)
        digits = max(-exponent, 0)
        if written.endswith("%") or (share and number > 1):
            number, digits = number / 100, digits + 2
        if number < 0 or (share and number > 1):
            raise UsageError(f"{written[:40]!r} is no value of such a metric", cure="give a number from 0 to 1")
        return cls(float(number), digits)

    @property
    def half(self) -> float:
        """Half a unit of the last digit."""
        return float(0.5 * 10.0**-self.digits)

    def fits(self, value: float) -> bool:
        """Whether a value could have been rounded to this number."""
        return abs(value - self.value) <= self.half + _SLACK

    def cut_from(self, value: float) -> bool:
        """Whether cutting off the further digits of a value, instead of rounding, gives this number.

        Examples
        --------
        >>> Printed.read("0.4973").cut_from(0.49738), Printed.read("0.4973").cut_from(0.4974)
        (True, False)
        """
        return self.value <= value + _SLACK < self.value + 2.0 * self.half


@dataclass(frozen=True)
class Match:
    """A candidate and the mean that it gives.

    Parameters
    ----------
    candidate
        Metric and preprocessing.
    value
        Mean over the queries.
    group
        Number of the group of matches that give every single query the same value.
    """

    candidate: Candidate
    value: float
    group: int = -1

    @property
    def metric(self) -> Metric:
        """Its metric."""
        return self.candidate.metric

    @property
    def preprocessing(self) -> str | None:
        """What was done to the data before, in words; None where nothing was."""
        return str(self.candidate.preprocessing) or None


@dataclass(frozen=True, eq=False)
class Identification:
    """What a printed number could be.

    Parameters
    ----------
    printed
        The number.
    matches
        What gives it, the plainest explanation first.
    near
        What comes nearest without giving it.
    tried
        Number of candidates.
    by_chance
        How many of these would be expected to fit a number here by chance.
    left_out
        Tools that cannot score these labels, and why.
    widened
        What else was tried because nothing plainer fitted.
    case
        The ranking.
    also
        Further numbers of the same tool that were given.
    """

    printed: Printed
    matches: tuple[Match, ...]
    near: tuple[Match, ...]
    tried: int
    by_chance: float
    left_out: Mapping[str, str]
    widened: tuple[str, ...]
    case: Case
    also: Mapping[Metric, Printed] = field(default_factory=dict)

    @property
    def groups(self) -> list[list[Match]]:
        """Matches that no single query of this ranking tells apart, together."""
        found: dict[int, list[Match]] = {}
        for match in self.matches:
            found.setdefault(match.group, []).append(match)
        return list(found.values())


def identify(
    value: str | float,
    labels: ArrayLike,
    scores: ArrayLike,
    query_offsets: ArrayLike,
    *,
    metric: str | Sequence[str] = "ndcg",
    also: Mapping[str, str | float] | None = None,
    doc_ids: ArrayLike | None = None,
    judged: tuple[ArrayLike, ArrayLike] | None = None,
) -> Identification:
    """Find the tools, cut-offs and preprocessing that give a ranking a printed number.

    Parameters
    ----------
    value
        The number as printed (``"0.4970"`` is more than ``"0.497"``), or a percentage.
    labels, scores, query_offsets, doc_ids, judged
        As :func:`ltrlib.metrics.evaluate` takes them.
    metric
        What the number may be: ``"ndcg"``, with any cut-off; ``"ndcg@10"``; several of these.
    also
        Further numbers that the same tool printed: ``{"ndcg@5": "0.4512"}``.

    Examples
    --------
    >>> found = identify("0.7602", [2, 0, 1], [0.1, 0.2, 0.3], [0, 3], metric="ndcg@3")
    >>> [match.metric.tool for match in found.matches if match.preprocessing is None][:3]
    ['trec_eval', 'catboost', 'sklearn']
    """
    case = make_case(labels, scores, query_offsets, doc_ids=doc_ids, judged=judged)
    return identify_case(value, case, metric=metric, also=also)


def identify_case(
    value: str | float,
    case: Case,
    *,
    metric: str | Sequence[str] = "ndcg",
    also: Mapping[str, str | float] | None = None,
) -> Identification:
    """As :func:`identify`, for a ranking that is already put together."""
    wanted = [_wanted(text) for text in ([metric] if isinstance(metric, str) else metric)]
    families = [family for family, _ in wanted]
    printed = Printed.read(value, share="dcg" not in families)
    further = {parse(text): Printed.read(number) for text, number in (also or {}).items()}
    search = _Search(case, printed, further)
    for family, k in wanted:
        search.try_all(family, k, 0, 1)
    if not search.fitting:
        search.widen("several steps of preprocessing")
        for family, k in wanted:
            search.try_all(family, k, 2, 3)
    if not search.fitting and families == ["ndcg"]:
        others = [name for name, kind in FAMILIES.items() if not kind.adds_up and name not in ("ndcg", "dcg", "tau")]
        search.widen(f"other metrics: {', '.join(others)}")
        for family in others:
            search.try_all(family, None, 0, 0)
    if not search.fitting and "ndcg" in families:
        search.widen("every NDCG that the choices allow, whether a tool has it or not")
        for family, k in wanted:
            search.try_all(family, k, 0, 0, anything=True)
    return search.result()


def _wanted(text: str) -> tuple[str, int | None]:
    """Family and cut-off; without one, any."""
    found = parse(text)
    if found.tool is not None or "(" in text:
        raise UsageError("which tool and which choices is what is looked for", where=text, cure="write ndcg or ndcg@10")
    return found.family, found.k


class _Search:
    def __init__(self, case: Case, printed: Printed, also: Mapping[Metric, Printed]) -> None:
        self._case, self._printed, self._also = case, printed, also
        self._cases: dict[int | None, Case] = {None: case}
        self._means: dict[Candidate, float] = {}
        self._left_out: dict[str, str] = {}
        self._widened: list[str] = []
        self.fitting: list[Match] = []

    def widen(self, what: str) -> None:
        self._widened.append(what)

    def try_all(self, family: str, k: int | None, least: int, most: int, *, anything: bool = False) -> None:
        """Compute every candidate of a family with so many steps of preprocessing, and keep what fits."""
        cuts = cut_offs(family, self._case) if k is None else [k]
        new: dict[Candidate, float] = {}
        by_convention: dict[Metric, list[Metric]] = {}
        for cut in cuts:
            for metric in conventions(family, cut, anything=anything):
                named = by_convention.setdefault(replace(metric, tool=None), [])
                named += [metric] if metric not in named else []
        for binarise in (None, 1, 2):
            steps = [one for one in preprocessings(least, most) if one.binarise == binarise]
            if steps:
                new |= self._means_of(by_convention, steps)
        self._means |= new
        fitting = [candidate for candidate, mean in new.items() if self._printed.fits(mean)]
        self.fitting += [
            Match(candidate, new[candidate]) for candidate in sorted_candidates(fitting) if self._fits_also(candidate)
        ]

    def _means_of(
        self, by_convention: Mapping[Metric, Sequence[Metric]], steps: Sequence[Preprocessing]
    ) -> dict[Candidate, float]:
        case = self._labelled(steps[0])
        bare = sorted(by_convention, key=lambda one: (one.ties, one.precision))  # one ranking serves those alike
        size = max(1, _BATCH // case.n_queries)
        found: dict[Candidate, float] = {}
        for start in range(0, len(bare), size):
            for metric, values in self._values(case, bare[start : start + size], by_convention).items():
                for step in steps:
                    if step.drop_short and metric.k is None:
                        continue
                    mean = mean_of(values[step.kept(case, metric.k)])
                    for named in by_convention[metric]:
                        found[Candidate(named, step)] = mean
        return found

    def _values(
        self, case: Case, metrics: Sequence[Metric], named: Mapping[Metric, Sequence[Metric]]
    ) -> dict[Metric, NDArray[np.float64]]:
        try:
            return case.values(metrics)
        except UsageError as error:
            # Some tool has no gain for these labels: leave that one out, and say so.
            found: dict[Metric, NDArray[np.float64]] = {}
            for template in dict.fromkeys(replace(metric, k=None) for metric in metrics):
                some = [metric for metric in metrics if replace(metric, k=None) == template]
                try:
                    found |= case.values(some)
                except UsageError as reason:
                    for metric in some:
                        self._left_out |= {one.tool: reason.what for one in named[metric] if one.tool}
            if not found:
                raise error
            return found

    def _labelled(self, step: Preprocessing) -> Case:
        if step.binarise not in self._cases:
            self._cases[step.binarise] = step.labelled(self._case)
        return self._cases[step.binarise]

    def _fits_also(self, candidate: Candidate) -> bool:
        for metric, printed in self._also.items():
            values = values_of(same_tool(candidate, metric), self._case)
            if values is None or not printed.fits(mean_of(values)):
                return False
        return True

    def result(self) -> Identification:
        means = self._means
        distinct = np.unique(np.round([mean for mean in means.values() if not math.isnan(mean)], 10))
        around = np.count_nonzero(np.abs(distinct - self._printed.value) <= _WINDOW)
        hits = np.count_nonzero([self._printed.fits(float(value)) for value in distinct])
        by_chance = max(int(around) - int(hits), 0) * min(self._printed.half / _WINDOW, 1.0)
        return Identification(
            self._printed,
            tuple(_grouped(self.fitting, self._case)),
            tuple(_nearest(means, self._printed)),
            len(means),
            float(by_chance),
            self._left_out,
            tuple(self._widened),
            self._case,
            self._also,
        )


def mean_of(values: NDArray[np.float64]) -> float:
    """Mean of the queries that count; NaN when none does.

    Examples
    --------
    >>> mean_of(np.array([1.0, np.nan]))
    1.0
    """
    counted = values[~np.isnan(values)]
    return math.fsum(counted.tolist()) / counted.size if counted.size else math.nan


def same_tool(candidate: Candidate, metric: Metric) -> Candidate | None:
    """The same tool and preprocessing with another metric; None where the tool has none.

    Examples
    --------
    >>> one = Candidate(parse("ndcg@10:yahoo(empty=0.5)"), Preprocessing())
    >>> same_tool(one, parse("ndcg@5")).metric, same_tool(one, parse("map"))
    (ndcg@5:yahoo(empty=0.5), None)
    """
    known = candidate.metric
    if metric.family == known.family:
        return replace(candidate, metric=replace(known, k=metric.k))
    from ltrlib.metrics.tools import TOOLS

    found = TOOLS[known.tool].template(metric.family, metric.k) if known.tool else None
    return None if found is None else replace(candidate, metric=found)


def values_of(candidate: Candidate | None, case: Case) -> NDArray[np.float64] | None:
    """Values of a candidate per query, NaN where the query does not count; None where it cannot be computed."""
    if candidate is None:
        return None
    seen = candidate.preprocessing.labelled(case)
    try:
        values = seen.values([candidate.bare])[candidate.bare]
    except UsageError:
        return None
    return np.where(candidate.preprocessing.kept(seen, candidate.metric.k), values, np.nan)


def _grouped(matches: Iterable[Match], case: Case) -> list[Match]:
    """Number the groups of matches whose values agree in every query."""
    found: list[Match] = []
    seen: dict[tuple[Metric, Preprocessing], int] = {}
    kinds: list[NDArray[np.float64]] = []
    for match in matches:
        key = (match.candidate.bare, match.candidate.preprocessing)
        if key not in seen:
            values = values_of(match.candidate, case)
            assert values is not None  # it has a mean
            alike = [n for n, kind in enumerate(kinds) if np.allclose(kind, values, rtol=0, atol=1e-12, equal_nan=True)]
            if not alike:
                kinds.append(values)
            seen[key] = alike[0] if alike else len(kinds) - 1
        found.append(replace(match, group=seen[key]))
    return found


def _nearest(means: Mapping[Candidate, float], printed: Printed) -> list[Match]:
    """Those that come nearest without fitting, one per value."""
    off = {one: abs(mean - printed.value) for one, mean in means.items() if not math.isnan(mean)}
    missing = sorted((one for one in off if not printed.fits(means[one])), key=off.__getitem__)[:_NEAR_ENOUGH]
    order = {one: place for place, one in enumerate(sorted_candidates(missing))}
    found: dict[float, Match] = {}
    for one in sorted(missing, key=lambda candidate: (round(off[candidate], 12), order[candidate])):
        found.setdefault(round(means[one], 10), Match(one, means[one]))
        if len(found) == _NEAR:
            break
    return list(found.values())
