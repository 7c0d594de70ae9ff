"""What a printed number could be: what :func:`ltrlib.metrics.identify` finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ltrlib.metrics.candidates import Candidate
from ltrlib.metrics.case import Case
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.printed_number import Printed

__all__ = ["Identification", "Match"]


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
