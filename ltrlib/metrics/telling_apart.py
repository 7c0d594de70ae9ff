"""When several tools fit a number: why this ranking cannot tell them apart, and which further number would."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ltrlib.errors import UsageError
from ltrlib.metrics.candidate_values import mean_of, same_tool, values_of
from ltrlib.metrics.candidates import Candidate
from ltrlib.metrics.explanation import CAUSES
from ltrlib.metrics.identification import Identification, Match
from ltrlib.metrics.metric import FAMILIES, Metric

__all__ = ["NextNumber", "choices_that_differ", "digits_needed", "next_number", "what_would_tell"]

_PROBES: tuple[tuple[str, tuple[int | None, ...]], ...] = (
    ("ndcg", (1, 3, 5, 10, 20, None)),
    ("map", (None, 5, 10)),
    ("p", (5, 10)),
    ("mrr", (None, 10)),
    ("err", (None, 10)),
)
_MOST = 80  # matches to look at: more than these nobody reads
_LEAST_DIGITS = 4

_NEEDED = {
    "empty": "a query without a relevant document",
    "short": "a list with fewer than k documents",
    "gain": "labels of 2 and more, ranked wrongly",
    "discount": "a relevant document below rank 1",
    "ties": "tied scores",
    "precision": "scores that differ beyond the seventh digit only",
    "ideal": "a judged document that is missing from the ranking",
    "absent": "a judged query that is missing from the run",
    "k": "a list that is longer than the smaller cut-off",
}


@dataclass(frozen=True)
class NextNumber:
    """A further number that would tell matches apart.

    Parameters
    ----------
    metric
        What to compute with the same tool.
    values
        What the tools would print, and which of the matches would print it; those without such a metric are left out.
    """

    metric: Metric
    values: Mapping[str, tuple[Match, ...]]


def choices_that_differ(matches: Sequence[Match]) -> tuple[str, ...]:
    """Choices in which metrics of one family differ, though each query of this ranking has the same value.

    Examples
    --------
    >>> from ltrlib.metrics.candidates import Preprocessing
    >>> from ltrlib.metrics.notation import parse
    >>> pair = [Match(Candidate(parse(f"ndcg@5:{tool}"), Preprocessing()), 0.5) for tool in ("ranklib", "xgboost-")]
    >>> choices_that_differ(pair)
    ('precision',)
    """
    metrics = [match.metric for match in matches]
    if len({metric.family for metric in metrics}) > 1:
        return ()
    names = ("k", *metrics[0].choices_of_family())
    differ = [name for name in names if len({getattr(metric, name) for metric in metrics}) > 1]
    order = [*CAUSES, *differ]
    return tuple(sorted(differ, key=order.index))


def what_would_tell(matches: Sequence[Match]) -> tuple[str, ...]:
    """What a ranking would need so that these give it different numbers.

    Examples
    --------
    >>> from ltrlib.metrics.candidates import Preprocessing
    >>> from ltrlib.metrics.notation import parse
    >>> pair = [Match(Candidate(parse(f"ndcg@5:{tool}"), Preprocessing()), 0.5) for tool in ("yahoo", "ranklib")]
    >>> what_would_tell(pair)
    ('a query without a relevant document',)
    """
    return tuple(_NEEDED[name] for name in choices_that_differ(matches) if name in _NEEDED)


def digits_needed(found: Identification) -> int | None:
    """Digits at which groups of matches have different values; None where the digits given do, or none up to 12 does.

    Examples
    --------
    >>> from ltrlib.metrics.identifying import identify
    >>> digits_needed(identify("0.5", [1, 0], [1.0, 2.0], [0, 2], metric="ndcg@2"))
    """
    means = [group[0].value for group in found.groups]
    if len(means) < 2:
        return None
    for digits in range(found.printed.digits + 1, 13):
        if len({f"{mean:.{digits}f}" for mean in means}) == len(means):
            return digits
    return None


def next_number(found: Identification) -> NextNumber | None:
    """The further number that splits the matches into most kinds; None where none splits them.

    Examples
    --------
    >>> from ltrlib.metrics.identifying import identify
    >>> labels, scores, offsets = [0, 1, 0, 0], [0.4, 0.3, 0.2, 0.1], [0, 4]
    >>> found = identify("0.6309", labels, scores, offsets, metric="ndcg@3")
    >>> next_number(found).metric
    p@5
    """
    matches = found.matches[:_MOST]
    if len({(match.candidate.bare, match.candidate.preprocessing) for match in matches}) < 2:
        return None
    digits = max(found.printed.digits, _LEAST_DIGITS)
    best: tuple[tuple[int, int], NextNumber] | None = None
    for probe in _probes():
        if probe in found.also or all(
            match.metric.family == probe.family and match.metric.k == probe.k for match in matches
        ):
            continue
        known: dict[object, str | None] = {}
        values: dict[str, list[Match]] = {}
        for match in matches:
            other = same_tool(match.candidate, probe)
            key = None if other is None else (other.bare, other.preprocessing)
            if key not in known:
                known[key] = _printed(other, found, digits)
            text = known[key]
            if text is not None:
                values.setdefault(text, []).append(match)
        score = (len(values), sum(map(len, values.values())))
        if len(values) > 1 and (best is None or score > best[0]):
            best = score, NextNumber(probe, {text: tuple(values[text]) for text in sorted(values)})
    return None if best is None else best[1]


def _probes() -> Iterator[Metric]:
    for family, cuts in _PROBES:
        for k in cuts:
            yield FAMILIES[family](k)


def _printed(candidate: Candidate | None, found: Identification, digits: int) -> str | None:
    try:
        values = values_of(candidate, found.case)
    except UsageError:
        return None
    if values is None or np.isnan(values).all():
        return None
    return f"{mean_of(values):.{digits}f}"
