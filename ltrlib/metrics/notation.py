"""The text form of a metric: ``ndcg@10``, ``ndcg@10:letor4``, ``map(relevant_from=2)``.

``name[@k][:tool][(choice=value,…)]``: the tool sets all choices, those in brackets then replace single ones.
A metric's own text lists only what differs from its tool (or from the library's defaults), in alphabetical order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from ltrlib.errors import UsageError
from ltrlib.metrics.metric import FAMILIES, Metric
from ltrlib.metrics.tools import template

__all__ = ["parse", "parse_many", "suggestion", "to_text"]

_SHAPE = re.compile(
    r"(?P<name>[a-z]+)(?:@(?P<first>\d+)(?:\.\.(?P<last>\d+))?)?(?::(?P<tool>[^()\s]+))?(?:\((?P<choices>[^()]*)\))?"
)
_ALIASES = {"ap": "map", "rr": "mrr", "precision": "p", "pre": "p", "kendall": "tau"}


def parse(text: str) -> Metric:
    """Make a metric from its text form.

    Examples
    --------
    >>> parse("ndcg@10:letor4(empty=1)").short
    'zero'
    >>> parse("NDCG@10") == parse("ndcg@10(gain=exp2)")
    True
    >>> parse("ndgc@10")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: ndgc@10: there is no metric 'ndgc', did you mean ndcg?
      to do: choose ndcg, dcg, meanndcg, err, map, p, mrr, tau
    """
    found = parse_many([text])
    if len(found) != 1:
        raise UsageError(f"{text!r} names {len(found)} metrics, where one is wanted")
    return found[0]


def parse_many(metrics: str | Metric | Iterable[str | Metric], tool: str | None = None) -> tuple[Metric, ...]:
    """Make metrics from their text forms, in which a cut-off may be a range; metrics pass through.

    Parameters
    ----------
    metrics
        Metrics or texts, or a single one.
    tool
        Tool of the texts that name none.

    Examples
    --------
    >>> parse_many(["ndcg@1..3", "map:mslr"], tool="yahoo")
    (ndcg@1:yahoo, ndcg@2:yahoo, ndcg@3:yahoo, map:mslr)
    """
    given = [metrics] if isinstance(metrics, str | Metric) else metrics
    found: list[Metric] = []
    for metric in given:
        found += [metric] if isinstance(metric, Metric) else _metrics(metric.strip(), tool)
    return tuple(found)


def _metrics(text: str, tool: str | None) -> list[Metric]:
    # Only the name may be written in capitals: NDCG@10, MAP.
    name = re.split(r"[@:(]", text, maxsplit=1)[0]
    shape = _SHAPE.fullmatch(name.lower() + text[len(name) :])
    if shape is None:
        raise UsageError(f"{text!r} is not the text of a metric", cure="write ndcg@10, ndcg@10:letor4, map(empty=1)")
    family = _ALIASES.get(shape["name"], shape["name"])
    if family not in FAMILIES:
        guess = suggestion(family, FAMILIES)
        known = ", ".join(FAMILIES)
        raise UsageError(f"there is no metric {name!r}{guess}", where=text, cure=f"choose {known}")
    cut_offs: list[int | None] = [None]
    if shape["first"]:
        cut_offs = list(range(int(shape["first"]), int(shape["last"] or shape["first"]) + 1))
        if not cut_offs:
            raise UsageError("the range of cut-offs is empty", where=text, cure="write the smaller one first")
    metrics = []
    for k in cut_offs:
        base = template(family, k, shape["tool"] or tool)
        given = (part.split("=", 1) for part in (shape["choices"] or "").split(",") if part.strip())
        values = {}
        for pair in given:
            choice = pair[0].strip()
            if choice not in base.choices_of_family() or len(pair) < 2:
                known = ", ".join(base.choices_of_family())
                raise UsageError(
                    f"{family} has no choice {'='.join(pair)!r}{suggestion(choice, base.choices_of_family())}",
                    where=text,
                    cure=f"write choice=value with one of {known}",
                )
            values[choice] = _value(choice, pair[1].strip(), text)
        metrics.append(replace(base, **values))
    return metrics


def _value(choice: str, written: str, text: str) -> Any:
    try:
        if choice in ("relevant_from", "max_grade"):
            return int(written)
        if choice == "gain" and "/" in written:
            return tuple(float(value) for value in written.split("/"))
        if choice == "empty" and written != "skip":
            return float(written)
    except ValueError:
        raise UsageError(f"{choice}={written} is not a number", where=text) from None
    return written


def suggestion(name: str, known: Iterable[str]) -> str:
    """End of an error message: the known name that looks most like this one, if any does.

    Examples
    --------
    >>> suggestion("letor", ["letor4", "yahoo"])
    ', did you mean letor4?'
    """
    close = get_close_matches(name, list(known), n=1)
    return f", did you mean {close[0]}?" if close else ""


def to_text(metric: Metric, *, name_tool: bool = True) -> str:
    """Write a metric so that :func:`parse` gives it back, or without its tool where that is told elsewhere.

    Examples
    --------
    >>> metric = parse("ndcg@10:letor4(gain=0/1/3/7, empty=0.5)")
    >>> to_text(metric), to_text(metric, name_tool=False)
    ('ndcg@10:letor4(empty=0.5,gain=0/1/3/7)', 'ndcg@10(empty=0.5,gain=0/1/3/7)')
    """
    text = metric.family + (f"@{metric.k}" if metric.k else "")
    text += f":{metric.tool}" if metric.tool and name_tool else ""
    base = template(metric.family, metric.k, metric.tool)
    changed = [
        f"{choice}={_written(getattr(metric, choice))}"
        for choice in metric.choices_of_family()
        if getattr(metric, choice) != getattr(base, choice)
    ]
    return text + (f"({','.join(changed)})" if changed else "")


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return "/".join(_written(item) for item in value)
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)
