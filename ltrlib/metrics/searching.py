"""The search behind :func:`ltrlib.metrics.identify`: compute every candidate, and keep what fits the number."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ltrlib.errors import UsageError
from ltrlib.metrics.candidate_values import mean_of, same_tool, values_of
from ltrlib.metrics.candidates import (
    Candidate,
    Preprocessing,
    conventions,
    cut_offs,
    preprocessings,
    sorted_candidates,
)
from ltrlib.metrics.case import Case
from ltrlib.metrics.identification import Identification, Match
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.printed_number import Printed

__all__ = ["Search"]

_NEAR = 5  # near misses to tell
_NEAR_ENOUGH = 300  # candidates among which these are sought: many share a value
_WINDOW = 0.02  # candidates this near to the number tell how dense they lie
_BATCH = 1 << 24  # values held at once


class Search:
    """Candidates tried so far for one printed number, and those that fit it."""

    def __init__(self, case: Case, printed: Printed, also: Mapping[Metric, Printed]) -> None:
        self._case, self._printed, self._also = case, printed, also
        self._cases: dict[int | None, Case] = {None: case}
        self._means: dict[Candidate, float] = {}
        self._left_out: dict[str, str] = {}
        self._widened: list[str] = []
        self.fitting: list[Match] = []

    def widen(self, what: str) -> None:
        """Note what else is tried because nothing plainer fitted."""
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
        """What was found."""
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
