"""Methods with several runs each, compared: everything that ``ltrlib versus`` tells, as tables and JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill

from ltrlib.metrics.comparing_runs import Difference, Estimate, Fold, compare_groups, method_mean
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.report import aligned, how_many
from ltrlib.metrics.run_files import Runs, segments

__all__ = ["Versus", "outcome_words", "versus", "versus_json", "versus_notes", "versus_table"]

_WIDTH = 110


@dataclass(frozen=True, eq=False)
class Versus:
    """Means and comparisons of methods.

    Parameters
    ----------
    runs
        What was read.
    means
        For each metric and method: the mean, and the standard deviation of the mean over seeds.
    differences
        Comparisons by metric: one family.
    by
        Name of the attribute by which queries were grouped, if any.
    segments
        Comparisons by metric and kind of query: a family of its own.
    sizes
        Number of queries of each kind.
    margin, level
        As given.
    """

    runs: Runs
    means: Mapping[Metric, Mapping[str, tuple[Estimate, float]]]
    differences: Mapping[Metric, Sequence[Difference]]
    by: str | None
    segments: Mapping[tuple[Metric, str], Sequence[Difference]]
    sizes: Mapping[str, int]
    margin: float | None
    level: float

    @property
    def family(self) -> int:
        """Number of comparisons that were corrected for together."""
        return sum(map(len, self.differences.values()))

    @property
    def once(self) -> tuple[str, ...]:
        """Methods with one run per fold, of whose training nothing is known."""
        return tuple(name for name, folds in self.runs.seeds.items() if any(len(seeds) < 2 for seeds in folds))


def versus(
    runs: Runs,
    *,
    baseline: str | None = None,
    margin: float | None = None,
    level: float = 0.95,
    by: tuple[str, Mapping[str, str]] | None = None,
) -> Versus:
    """Compare the methods of some runs; ``by`` is the name and the values of a query attribute.

    Examples
    --------
    >>> import numpy as np
    >>> from ltrlib.metrics.notation import parse
    >>> values = {parse("map"): {"a": [np.array([[0.5, 0.7, 0.9]])], "b": [np.array([[0.4, 0.5, 0.9]])]}}
    >>> found = versus(Runs(values, [["1", "2", "3"]], [""], {"a": [["1"]], "b": [["1"]]}, []))
    >>> found.once, round(found.differences[parse("map")][0].estimate.mean, 4)
    (('a', 'b'), 0.1)
    """
    means = {
        metric: {name: method_mean(folds) for name, folds in methods.items()} for metric, methods in runs.values.items()
    }
    differences = compare_groups(runs.values, baseline=baseline, margin=margin, level=level)
    kinds = {} if by is None else segments(by[1], runs.query_ids)
    groups: dict[tuple[Metric, str], dict[str, list[Fold]]] = {}
    for metric, methods in runs.values.items():
        for kind, masks in kinds.items():
            groups[metric, kind] = {
                name: [fold[:, mask] for fold, mask in zip(folds, masks, strict=True) if mask.any()]
                for name, folds in methods.items()
            }
    return Versus(
        runs,
        means,
        differences,
        None if by is None else by[0],
        compare_groups(groups, baseline=baseline, margin=margin, level=level),
        {kind: sum(int(mask.sum()) for mask in masks) for kind, masks in kinds.items()},
        margin,
        level,
    )


def versus_json(found: Versus) -> str:
    """Write JSON."""
    content = {
        "queries": found.runs.n_queries,
        "folds": list(found.runs.folds),
        "seeds": {name: [len(seeds) for seeds in folds] for name, folds in found.runs.seeds.items()},
        "level": found.level,
        "margin": found.margin,
        "family": found.family,
        "methods": [
            {
                "metric": str(metric),
                "method": name,
                "mean": one.mean,
                "interval": _ends(one, found.level),
                "variance_from_queries": _number(one.from_queries),
                "variance_from_training": _number(one.from_training),
                "sd_over_seeds": _number(spread),
            }
            for metric, methods in found.means.items()
            for name, (one, spread) in methods.items()
        ],
        "comparisons": [
            {"metric": str(metric), **_difference(one, found.level)}
            for metric, some in found.differences.items()
            for one in some
        ],
        "by": found.by,
        "segments": [
            {"metric": str(metric), "kind": kind, "queries": found.sizes[kind], **_difference(one, found.level)}
            for (metric, kind), some in found.segments.items()
            for one in some
        ],
        "notes": versus_notes(found),
    }
    return json.dumps(content, indent=1, allow_nan=False)


def _difference(one: Difference, level: float) -> dict[str, object]:
    return {
        "first": one.first,
        "second": one.second,
        "difference": one.estimate.mean,
        "interval": _ends(one.estimate, level),
        "degrees_of_freedom": _number(one.estimate.freedom),
        "p": _number(one.p),
        "p_holm": _number(one.p_holm),
        "p_equivalent_holm": _number(one.p_equivalent_holm),
        "effect_size": _number(one.effect),
        "won": one.won,
        "tied": one.tied,
        "lost": one.lost,
        "outcome": one.outcome,
        "smaller_than_margin": one.small,
    }


def _ends(one: Estimate, level: float) -> list[float | None]:
    return [_number(end) for end in one.interval(level)]


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def versus_notes(found: Versus) -> list[str]:
    """What to know when reading the numbers."""
    level = f"{found.level:.0%}"
    notes = [
        f"Intervals ({level}) contain the variance over queries and over seeds, and are for one comparison each. p is "
        f"corrected by Holm over a family of {how_many(found.family, 'comparison')}: all methods and metrics together."
    ]
    if found.once:
        notes.append(
            f"One run per fold: {', '.join(found.once)}. How much training varies is unknown there, and the "
            "intervals do not contain it."
        )
    if len(found.runs.folds) > 1:
        notes.append("Folds share training data; what another training set would change is not contained in full.")
    if found.margin is not None:
        notes.append(
            f"Equivalent: the difference is smaller than {found.margin:g} by two one-sided tests. Undecided: neither a "
            "difference nor equivalence is shown."
        )
    else:
        notes.append("Undecided is not equal: give --margin to test for equivalence.")
    if found.runs.repeated:
        notes.append(f"Queries that stand in several folds count once in each: {found.runs.repeated:,}.")
    if found.segments:
        count = sum(map(len, found.segments.values()))
        notes.append(f"Kinds of queries are a family of their own: {count} comparisons, corrected together.")
    return notes


def outcome_words(one: Difference) -> str:
    """The outcome in a few words.

    Examples
    --------
    >>> import numpy as np
    >>> from ltrlib.metrics.comparing_runs import compare_runs
    >>> same = [np.linspace(0, 1, 50)[None, :]]
    >>> outcome_words(compare_runs({"a": same, "b": same}, margin=0.01)[0])
    'equivalent'
    """
    if one.outcome in ("better", "worse"):
        return f"{one.first} {one.outcome}" + (", by less than the margin" if one.small else "")
    return one.outcome


def versus_table(found: Versus) -> str:
    """Write aligned tables."""
    seeds = "; ".join(
        f"{name} {'/'.join(dict.fromkeys(str(len(seeds)) for seeds in folds))}"
        for name, folds in found.runs.seeds.items()
    )
    folds = len(found.runs.folds)
    lines = [f"{how_many(found.runs.n_queries, 'query', 'queries')}, {how_many(folds, 'fold')}; runs per fold: {seeds}"]
    for metric, methods in found.means.items():
        rows = [[name, f"{one.mean:.4f}", _span(one, found.level), _short(sd)] for name, (one, sd) in methods.items()]
        lines += ["", str(metric), aligned(["method", "mean", f"{found.level:.0%} interval", "sd over seeds"], rows)]
        lines += ["", aligned(_header(found), [_row(one, found.level) for one in found.differences[metric]])]
    for metric in found.means if found.segments else ():
        rows = [
            [kind, f"{found.sizes[kind]:,}", *_row(one, found.level)]
            for (of, kind), some in found.segments.items()
            if of == metric
            for one in some
        ]
        lines += ["", f"{metric} by {found.by}", aligned([found.by or "", "queries", *_header(found)], rows)]
    return "\n".join([*lines, "", *(fill(note, _WIDTH) for note in versus_notes(found))])


def _header(found: Versus) -> list[str]:
    return ["pair", "difference", f"{found.level:.0%} interval", "p (Holm)", "effect", "won/tied/lost", "outcome"]


def _row(one: Difference, level: float) -> list[str]:
    return [
        f"{one.first} - {one.second}",
        f"{one.estimate.mean:+.4f}",
        _span(one.estimate, level, sign="+"),
        "–" if math.isnan(one.p_holm) else "<0.0001" if one.p_holm < 0.0001 else f"{one.p_holm:.4f}",
        _short(one.effect, 2, "+"),
        f"{one.won:.0%}/{one.tied:.0%}/{one.lost:.0%}",
        outcome_words(one),
    ]


def _span(one: Estimate, level: float, sign: str = "") -> str:
    low, high = one.interval(level)
    return "–" if math.isnan(low) else f"{low:{sign}.4f} to {high:{sign}.4f}"


def _short(value: float, digits: int = 4, sign: str = "") -> str:
    return "–" if math.isnan(value) else f"{value:{sign}.{digits}f}"
