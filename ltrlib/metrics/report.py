"""Evaluations as text: an aligned table, CSV, or JSON with every value exact."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from string import ascii_lowercase

from ltrlib.metrics.engine import MetricValues
from ltrlib.metrics.significance import Comparison, compare

__all__ = ["Report"]

_SIGNIFICANT = 0.05
_NONE = "–"


@dataclass(frozen=True)
class Report:
    """Values by score file, tool and metric, and the comparisons between the files.

    Parameters
    ----------
    query_ids
        In the order of the per-query values.
    results
        ``results[score file][tool][metric]``.
    metrics
        The columns of the table; a tool that lacks one shows a dash.
    per_query
        Whether table and CSV list the single queries; JSON always holds them.

    Examples
    --------
    >>> import numpy as np
    >>> values = MetricValues(np.array([0.5, np.nan]))
    >>> print(Report(["q1", "q2"], {"a.txt": {"ltrlib": {"map": values}}}, ["map"]).table())
    tool    map
    ------  ------
    ltrlib  0.5000
    2 queries
    """

    query_ids: Sequence[str]
    results: Mapping[str, Mapping[str, Mapping[str, MetricValues]]]
    metrics: Sequence[str]
    per_query: bool = False
    comparisons: dict[tuple[str, str], list[Comparison]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.results) < 2:
            return
        for tool, metrics in next(iter(self.results.values())).items():
            for metric in metrics:
                values = {name: tools[tool][metric].per_query for name, tools in self.results.items()}
                self.comparisons[tool, metric] = compare(values)

    def json(self) -> str:
        """Write JSON: each number reads back as the same double; null stands for a query that is left out."""
        content: dict[str, object] = {"queries": len(self.query_ids)}
        content["results"] = {
            name: {
                tool: {
                    metric: {
                        "mean": _exact(values.mean),
                        "per_query": dict(zip(self.query_ids, map(_exact, values.per_query.tolist()), strict=True)),
                    }
                    for metric, values in metrics.items()
                }
                for tool, metrics in tools.items()
            }
            for name, tools in self.results.items()
        }
        if self.comparisons:
            content["comparisons"] = [
                {"tool": tool, "metric": metric, **{key: _exact(value) for key, value in asdict(pair).items()}}
                for (tool, metric), pairs in self.comparisons.items()
                for pair in pairs
            ]
        return json.dumps(content, indent=1, allow_nan=False)

    def csv(self) -> str:
        """Write CSV, one value per line; the query ``all`` is the mean."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["scores", "tool", "metric", "query", "value"])
        for name, tools in self.results.items():
            for tool, metrics in tools.items():
                for metric, values in metrics.items():
                    rows = list(zip(self.query_ids, values.per_query.tolist(), strict=True)) if self.per_query else []
                    for query, value in [*rows, ("all", values.mean)]:
                        writer.writerow([name, tool, metric, query, _exact(value)])
        return text.getvalue().rstrip("\n")

    def table(self) -> str:
        """Write aligned tables with four decimals; letters mark what a ranking is significantly better than."""
        several = len(self.results) > 1
        letters = {name: _letter(place) for place, name in enumerate(self.results)}
        rows = []
        for tool in next(iter(self.results.values())):
            for name, tools in self.results.items():
                cells = [
                    f"{_rounded(tools[tool][metric].mean)}{self._beaten(tool, metric, name, letters)}"
                    if metric in tools[tool]
                    else _NONE
                    for metric in self.metrics
                ]
                rows.append([tool, *([f"{letters[name]} {name}"] if several else []), *cells])
        parts = [_aligned(["tool", *(["scores"] if several else []), *self.metrics], rows)]
        if several:
            parts.append(
                f"A letter behind a value: better than that ranking, p < {_SIGNIFICANT} in the paired t-test and\n"
                "in the randomisation test, both Holm-corrected over the pairs of rankings."
            )
            parts.append(_aligned(_TEST_HEADER, [row for key in self.comparisons for row in self._tests(key, letters)]))
        if self.per_query:
            parts += [self._queries(name, tool) for name, tools in self.results.items() for tool in tools]
        parts.append(f"{len(self.query_ids):,} queries")
        return ("\n\n" if len(parts) > 2 else "\n").join(parts)

    def _beaten(self, tool: str, metric: str, name: str, letters: Mapping[str, str]) -> str:
        beaten = ""
        for pair in self.comparisons.get((tool, metric), []):
            sure = max(pair.p_t_test_holm, pair.p_randomisation_holm) < _SIGNIFICANT
            if sure and name == (pair.first if pair.difference > 0 else pair.second):
                beaten += letters[pair.second if name == pair.first else pair.first]
        return f" {beaten}" if beaten else ""

    def _tests(self, key: tuple[str, str], letters: Mapping[str, str]) -> list[list[str]]:
        return [
            [
                *key,
                f"{letters[pair.first]} - {letters[pair.second]}",
                f"{pair.difference:+.4f}",
                *(_small(p) for p in (pair.p_t_test, pair.p_t_test_holm)),
                *(_small(p) for p in (pair.p_randomisation, pair.p_randomisation_holm)),
            ]
            for pair in self.comparisons[key]
        ]

    def _queries(self, name: str, tool: str) -> str:
        metrics = self.results[name][tool]
        columns = [values.per_query.tolist() for values in metrics.values()]
        rows = [
            [query, *(_rounded(value) for value in values)]
            for query, *values in zip(self.query_ids, *columns, strict=True)
        ]
        return f"{name}, {tool}\n" + _aligned(["query", *metrics], rows)


_TEST_HEADER = ["tool", "metric", "pair", "difference", "t-test p", "Holm", "randomisation p", "Holm"]


def _exact(value: object) -> object:
    # Python writes the shortest text that reads back as the same double: 17 significant digits at most.
    return None if isinstance(value, float) and math.isnan(value) else value


def _rounded(value: float) -> str:
    return _NONE if math.isnan(value) else f"{value:.4f}"


def _small(p: float) -> str:
    return "<0.0001" if p < 0.0001 else _rounded(p)


def _letter(place: int) -> str:
    return ascii_lowercase[place] if place < len(ascii_lowercase) else f"[{place + 1}]"


def _aligned(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    lines = [header, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
