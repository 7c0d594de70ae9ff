"""An explanation as text: an aligned table, or JSON with every number exact."""

from __future__ import annotations

import json
from textwrap import fill
from typing import Any

from ltrlib.metrics.contributions import Contribution
from ltrlib.metrics.explanation import Cause, Explanation
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.report import aligned, how_many

__all__ = [
    "METHOD",
    "choice_words",
    "depth_words",
    "explanation_json",
    "explanation_table",
    "most_in_words",
    "query_words",
    "share_words",
    "side",
]

METHOD = (
    "Each part is a Shapley value: what switching that one choice changes in the mean, averaged over all orders of "
    "switching the choices, so that no order is privileged and the parts add up to the difference."
)
"""How the parts are made, in one sentence."""

_ALONE = '"Switched alone" is the range over the states of the other choices: one number where they do not matter.'

_WORDS: dict[tuple[str, object], str] = {
    ("empty", 0.0): "score 0",
    ("empty", 1.0): "score 1",
    ("empty", "skip"): "left out",
    ("short", "own"): "own length",
    ("short", "zero"): "score 0",
    ("short", "pad"): "padded to k",
    ("gain", "exp2"): "2^label - 1",
    ("gain", "linear"): "label",
    ("discount", "log2"): "1/log2(rank + 1)",
    ("discount", "letor"): "1, 1, 1/log2(rank)",
    ("discount", "reciprocal"): "1/rank",
    ("ideal", "list"): "ranked documents",
    ("ideal", "judged"): "judged documents",
    ("ties", "file"): "input order",
    ("ties", "last"): "last first",
    ("ties", "docid"): "document id, descending",
    ("ties", "docid-ascending"): "document id, ascending",
    ("ties", "average"): "averaged",
    ("ties", "random"): "random (expected)",
    ("ties", "worst"): "worst order",
    ("ties", "best"): "best order",
    ("absent", "skip"): "left out",
    ("absent", "zero"): "score 0",
    ("denominator", "relevant"): "all relevant",
    ("denominator", "cutoff"): "min(k, relevant)",
    ("denominator", "found"): "relevant found",
    ("k", None): "whole list",
}


def choice_words(choice: str, value: Any) -> str:
    """What a tool does, in a few words.

    Examples
    --------
    >>> choice_words("short", "zero"), choice_words("gain", (0, 1, 3)), choice_words("empty", 0.5)
    ('score 0', '0, 1, 3', 'score 0.5')
    """
    if isinstance(value, tuple):
        return ", ".join(f"{item:g}" for item in value)
    known = _WORDS.get((choice, value))
    return known or (f"score {value:g}" if choice == "empty" else str(value))


def side(metric: Metric, other: Metric) -> str:
    """Short name of one of two metrics: its tool where that tells them apart.

    Examples
    --------
    >>> from ltrlib.metrics.notation import parse
    >>> side(parse("ndcg@10:yahoo"), parse("ndcg@10:sklearn")), side(parse("ndcg@10"), parse("ndcg@5"))
    ('yahoo', 'ndcg@10')
    """
    names = [one.tool or "ltrlib" for one in (metric, other)]
    plain = all(str(one) in (f"{_bare(one)}:{one.tool}", _bare(one)) for one in (metric, other))
    return names[0] if plain and names[0] != names[1] and metric.k == other.k else str(metric)


def _bare(metric: Metric) -> str:
    return metric.family + (f"@{metric.k}" if metric.k else "")


def explanation_json(found: Explanation) -> str:
    """Write JSON; each number reads back as the same double.

    Examples
    --------
    >>> from ltrlib.metrics.explaining import explain
    >>> found = explain("ndcg@2:yahoo", "ndcg@2:ranklib", [0, 0], [1, 2], [0, 2])
    >>> content = json.loads(explanation_json(found))
    >>> content["between"], content["metric"], content["difference"], content["parts"]
    (['yahoo', 'ranklib'], 'ndcg@2', 1.0, {'empty queries': 1.0})
    """
    names = [side(found.first, found.second), side(found.second, found.first)]
    content = {
        "between": names,
        "metric": _name(found),
        "difference": found.difference,
        "parts": found.parts,
        "values": dict(zip(names, found.means, strict=True)),
        "metrics": [str(found.first), str(found.second)],
        "queries": found.n_queries,
        "method": METHOD,
        "causes": [
            {
                "cause": cause.name,
                "choice": cause.choice,
                "first": cause.first,
                "second": cause.second,
                "part": cause.part,
                "lowest": cause.lowest,
                "highest": cause.highest,
                "queries": cause.queries,
                "most_in": None if cause.most_in is None else found.query_ids[cause.most_in],
            }
            for cause in found.causes
        ],
        "same": list(found.same),
        "by_rank": [{"k": depth, "parts": dict(parts)} for depth, parts in found.by_rank.items()],
        "top_queries": [
            {
                "query": one.query,
                "alike": one.alike,
                "contribution": one.difference,
                "values": [one.first, one.second],
                "parts": dict(one.causes),
                "parts_at_rank": one.parts_at,
                "ranked_labels": [list(one.labels_first), list(one.labels_second)],
            }
            for one in found.top
        ],
    }
    return json.dumps(content, indent=1, allow_nan=False)


def _name(found: Explanation) -> str:
    """Name of the metric without what the two do differently."""
    first, second = _bare(found.first), _bare(found.second)
    return first if first == second else found.first.family


def explanation_table(found: Explanation) -> str:
    r"""Write aligned tables for a terminal.

    Examples
    --------
    >>> from ltrlib.metrics.explaining import explain
    >>> found = explain("ndcg@2:yahoo", "ndcg@2:ranklib", [0, 0], [1, 2], [0, 2])
    >>> print("\n".join(explanation_table(found).splitlines()[:7]))
    yahoo - ranklib, ndcg@2, 1 query
    1.000000 - 0.000000 = +1.000000
    <BLANKLINE>
    cause          yahoo    ranklib  part       share  switched alone  queries  most in query
    -------------  -------  -------  ---------  -----  --------------  -------  -------------
    empty queries  score 1  score 0  +1.000000  100%   +1.000000       1        1 (+1.000000)
    sum                              +1.000000
    """
    names = [side(found.first, found.second), side(found.second, found.first)]
    queries = how_many(found.n_queries, "query", "queries")
    lines = [
        f"{names[0]} - {names[1]}, {_name(found)}, {queries}",
        f"{found.means[0]:.6f} - {found.means[1]:.6f} = {found.difference:+.6f}",
    ]
    if not found.causes:
        return "\n".join([*lines, "", "The two make every choice alike: they give every ranking the same number."])
    rows = [
        [
            cause.name,
            choice_words(cause.choice, cause.first),
            choice_words(cause.choice, cause.second),
            f"{cause.part:+.6f}",
            share_words(cause, found),
            _range(cause),
            f"{cause.queries:,}",
            most_in_words(cause, found),
        ]
        for cause in found.causes
    ]
    rows.append(["sum", "", "", f"{sum(found.parts.values()):+.6f}", "", "", "", ""])
    lines += [
        "",
        aligned(["cause", *names, "part", "share", "switched alone", "queries", "most in query"], rows),
        fill(f"{METHOD} {_ALONE}", 110),
    ]
    if found.top:
        shown = [
            [
                query_words(one),
                f"{one.difference:+.6f}",
                *("left out" if value is None else f"{value:.4f}" for value in (one.first, one.second)),
                "–" if one.parts_at is None else f"rank {one.parts_at}",
                max(one.causes, key=lambda name: abs(one.causes[name])),
            ]
            for one in found.top
        ]
        lines += ["", aligned(["query", "contribution", *names, "they part at", "mainly"], shown)]
    if len(found.by_rank) > 1:
        causes = [name for name in found.parts if any(parts[name] for parts in found.by_rank.values())]
        table = [
            [depth_words(depth), f"{sum(parts.values()):+.4f}", *(f"{parts[name]:+.4f}" for name in causes)]
            for depth, parts in found.by_rank.items()
        ]
        lines += ["", aligned(["k", "difference", *causes], table)]
    return "\n".join(lines)


def query_words(one: Contribution) -> str:
    """Name a query, with the number of those that are just like it.

    Examples
    --------
    >>> query_words(Contribution("7", 0.1, 1.0, 0.0, {}, 1, (), (), alike=2))
    '7, and 2 alike'
    """
    return f"{one.query}, and {one.alike:,} alike" if one.alike else one.query


def share_words(cause: Cause, found: Explanation) -> str:
    """Write a part as a share of the difference; a dash where it has none."""
    if not cause.queries or not found.difference:
        return "–"
    return f"{cause.part / found.difference:.0%}"


def most_in_words(cause: Cause, found: Explanation) -> str:
    """Write the query that a cause changes most, and what that adds to the mean."""
    if cause.most_in is None:
        return "–"
    return f"{found.query_ids[cause.most_in]} ({cause.per_query[cause.most_in] / found.n_queries:+.6f})"


def _range(cause: Cause) -> str:
    low, high = f"{cause.lowest:+.6f}", f"{cause.highest:+.6f}"
    return low if low == high else f"{low} to {high}"


def depth_words(depth: int | None) -> str:
    """Name of a cut-off.

    Examples
    --------
    >>> depth_words(5), depth_words(None)
    ('5', 'all')
    """
    return "all" if depth is None else str(depth)
