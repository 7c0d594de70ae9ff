"""Evaluations as text: an aligned table, Markdown, LaTeX, CSV, or JSON with every value exact."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from string import ascii_lowercase

from ltrlib.metrics.engine import MetricValues
from ltrlib.metrics.significance import Comparison, compare
from ltrlib.spreadsheet import harmless

__all__ = ["Report", "aligned", "how_many"]

_SIGNIFICANT = 0.05
_NONE = "–"


def how_many(number: int, what: str, several: str | None = None) -> str:
    """A number with its noun.

    Examples
    --------
    >>> how_many(1, "fold"), how_many(2500, "query", "queries")
    ('1 fold', '2,500 queries')
    """
    return f"{number:,} {what if number == 1 else several or what + 's'}"


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Put cells below each other.

    Examples
    --------
    >>> print(aligned(["a", "b"], [["one", "2"]]))
    a    b
    ---  -
    one  2
    """
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    lines = [header, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


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
    queries in the mean: ltrlib 1; of
    2 queries
    """

    query_ids: Sequence[str]
    results: Mapping[str, Mapping[str, Mapping[str, MetricValues]]]
    metrics: Sequence[str]
    per_query: bool = False

    @cached_property
    def comparisons(self) -> dict[tuple[str, str], list[Comparison]]:
        """Tests between all pairs of score files, by tool and metric; made when a format shows them."""
        if len(self.results) < 2:
            return {}
        return {
            (tool, metric): compare({name: tools[tool][metric].per_query for name, tools in self.results.items()})
            for tool, metrics in next(iter(self.results.values())).items()
            for metric in metrics
        }

    def json(self) -> str:
        """Write JSON: each number reads back as the same double; null stands for a query that is left out."""
        content: dict[str, object] = {"queries": len(self.query_ids)}
        content["results"] = {
            name: {
                tool: {
                    metric: {
                        "mean": _exact(values.mean),
                        **({"sum": _exact(values.overall)} if values.adds_up else {}),
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
        """Write CSV, one value per line; the query ``all`` is the mean, of counts the sum.

        Names that a spreadsheet program would take for a formula have an apostrophe in front.
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["scores", "tool", "metric", "query", "value"])
        for name, tools in self.results.items():
            for tool, metrics in tools.items():
                for metric, values in metrics.items():
                    rows = list(zip(self.query_ids, values.per_query.tolist(), strict=True)) if self.per_query else []
                    for query, value in [*rows, ("all", values.overall)]:
                        writer.writerow([harmless(name), tool, harmless(metric), harmless(query), _exact(value)])
        return text.getvalue().rstrip("\n")

    def table(self) -> str:
        """Write aligned tables with four decimals; letters mark what a ranking is significantly better than."""
        header, rows = self._main()
        parts = [aligned(header, rows)]
        if self.comparisons:
            parts.append(f"{_LETTERS}.")
            parts.append(aligned(_TEST_HEADER, self._all_tests()))
        if self.per_query:
            parts += [self._queries(name, tool) for name, tools in self.results.items() for tool in tools]
        parts.append(self._counted())
        return ("\n\n" if len(parts) > 2 else "\n").join(parts)

    def markdown(self) -> str:
        """Write the same as Markdown tables.

        Examples
        --------
        >>> import numpy as np
        >>> values = MetricValues(np.array([0.5, 1.0]))
        >>> print(Report(["q1", "q2"], {"a.txt": {"ltrlib": {"map": values}}}, ["map"]).markdown())
        | tool | map |
        | --- | --- |
        | ltrlib | 0.7500 |
        <BLANKLINE>
        2 queries
        """
        parts = [_markdown(*self._main(mark="<sup>{}</sup>"))]
        if self.comparisons:
            parts += [f"{_LETTERS}.".replace("\n", " "), _markdown(_TEST_HEADER, self._all_tests())]
        if self.per_query:
            for name, tools in self.results.items():
                parts += [_markdown(*self._query_rows(metrics), f"{name}, {tool}") for tool, metrics in tools.items()]
        return "\n\n".join([*parts, self._counted()])

    def latex(self) -> str:
        r"""Write a LaTeX table (package booktabs) with the best value of each column in bold and marks of significance.

        Examples
        --------
        >>> import numpy as np
        >>> values = MetricValues(np.array([0.5, 1.0]))
        >>> print(Report(["q1", "q2"], {"a_1": {"ltrlib": {"map": values}}}, ["map"]).latex())
        \begin{tabular}{lr}
        \toprule
        tool & map \\
        \midrule
        ltrlib & 0.7500 \\
        \bottomrule
        \end{tabular}
        % 2 queries
        """
        header, rows = self._main(mark="$^{{{}}}$", bold="\\textbf{{{}}}", escape=_latex)
        names = len(header) - len(self.metrics)
        lines = [f"\\begin{{tabular}}{{{'l' * names}{'r' * len(self.metrics)}}}", "\\toprule"]
        lines += [" & ".join(map(_latex, header)) + " \\\\", "\\midrule"]
        lines += [" & ".join(row) + " \\\\" for row in rows]
        lines += ["\\bottomrule", "\\end{tabular}"]
        if self.comparisons:
            lines += [f"% {line}" for line in f"{_LETTERS}.".splitlines()]
        return "\n".join([*lines, *(f"% {line}" for line in self._counted().splitlines())])

    def _main(
        self, mark: str = " {}", bold: str = "{}", escape: Callable[[str], str] = str
    ) -> tuple[list[str], list[list[str]]]:
        """Header and rows of the table of means; a ranking's significant wins behind its value, the best in bold."""
        several = len(self.results) > 1
        letters = {name: _letter(place) for place, name in enumerate(self.results)}
        rows = []
        for tool in next(iter(self.results.values())):
            for name, tools in self.results.items():
                cells = []
                for metric in self.metrics:
                    if metric not in tools[tool]:
                        cells.append(_NONE)
                        continue
                    value = _shown(tools[tool][metric])
                    best = max((others[tool][metric].overall for others in self.results.values()), default=math.nan)
                    value = bold.format(value) if several and tools[tool][metric].overall == best else value
                    beaten = self._beaten(tool, metric, name, letters)
                    cells.append(value + (mark.format(beaten) if beaten else ""))
                rows.append([escape(tool), *([f"{letters[name]} {escape(name)}"] if several else []), *cells])
        return ["tool", *(["scores"] if several else []), *self.metrics], rows

    def _counted(self) -> str:
        """How many queries there are, and how many of them each tool averages over, where that differs."""
        text = how_many(len(self.query_ids), "query", "queries")
        counted: dict[str, set[int]] = {}
        for tools in self.results.values():
            for tool, metrics in tools.items():
                counted.setdefault(tool, set()).update(int(values.counted.size) for values in metrics.values())
        if all(numbers <= {len(self.query_ids)} for numbers in counted.values()):
            return text
        ranges = {tool: sorted({min(numbers), max(numbers)}) for tool, numbers in counted.items()}
        each = [f"{tool} {'–'.join(f'{number:,}' for number in numbers)}" for tool, numbers in ranges.items()]
        return f"queries in the mean: {', '.join(each)}; of\n{text}"

    def _beaten(self, tool: str, metric: str, name: str, letters: Mapping[str, str]) -> str:
        beaten = ""
        for pair in self.comparisons.get((tool, metric), []):
            sure = max(pair.p_t_test_holm, pair.p_randomisation_holm) < _SIGNIFICANT
            if sure and name == (pair.first if pair.difference > 0 else pair.second):
                beaten += letters[pair.second if name == pair.first else pair.first]
        return beaten

    def _all_tests(self) -> list[list[str]]:
        letters = {name: _letter(place) for place, name in enumerate(self.results)}
        return [row for key in self.comparisons for row in self._tests(key, letters)]

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
        return f"{name}, {tool}\n" + aligned(*self._query_rows(self.results[name][tool]))

    def _query_rows(self, metrics: Mapping[str, MetricValues]) -> tuple[list[str], list[list[str]]]:
        columns = [values.per_query.tolist() for values in metrics.values()]
        rows = [
            [query, *(_rounded(value) for value in values)]
            for query, *values in zip(self.query_ids, *columns, strict=True)
        ]
        return ["query", *metrics], rows


_LETTERS = (
    f"A letter behind a value: better than that ranking, p < {_SIGNIFICANT} in the paired t-test and\n"
    "in the randomisation test, both Holm-corrected over the pairs of rankings"
)
_TEST_HEADER = ["tool", "metric", "pair", "difference", "t-test p", "Holm", "randomisation p", "Holm"]


def _exact(value: object) -> object:
    # Python writes the shortest text that reads back as the same double: 17 significant digits at most.
    return None if isinstance(value, float) and math.isnan(value) else value


def _rounded(value: float) -> str:
    return _NONE if math.isnan(value) else f"{value:.4f}"


def _shown(values: MetricValues) -> str:
    return f"{values.overall:.0f}" if values.adds_up and not math.isnan(values.overall) else _rounded(values.overall)


def _small(p: float) -> str:
    return "<0.0001" if p < 0.0001 else _rounded(p)


def _letter(place: int) -> str:
    return ascii_lowercase[place] if place < len(ascii_lowercase) else f"[{place + 1}]"


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    table = [line(header), line(["---"] * len(header)), *map(line, rows)]
    return "\n".join([f"{title}\n", *table] if title else table)


_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def _latex(text: str) -> str:
    return "".join(_LATEX.get(letter, f"\\{letter}" if letter in "&%$#_{}" else letter) for letter in text)
