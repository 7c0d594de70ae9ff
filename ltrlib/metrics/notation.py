"""The text form of a metric: ``ndcg@10``, ``ndcg@10:letor4``, ``map(relevant_from=2)``.

``name[@k][:tool][(choice=value,…)]``: the tool sets all choices, those in brackets then replace single ones.
A metric's own text lists only what differs from its tool (or from the library's defaults), in alphabetical order.
Capitals do not matter, and names of other tools are understood (:mod:`ltrlib.metrics.names`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from ltrlib.errors import UsageError
from ltrlib.metrics.declared import LARGEST_CUTOFF
from ltrlib.metrics.metric import FAMILIES, Metric
from ltrlib.metrics.names import ALIASES, FOREIGN_CHOICES, Foreign, translate
from ltrlib.metrics.tools import TOOLS, template

__all__ = ["parse", "parse_many", "reading", "suggestion", "to_text"]

_SHAPE = re.compile(
    r"(?P<name>[a-z]+)(?:@(?P<first>[0-9]+)(?:\.\.(?P<last>[0-9]+))?)?(?::(?P<tool>[^()\s]+))?"
    r"(?:\((?P<choices>[^()]*)\))?"
)
_SPELLINGS = dict.fromkeys(
    ("nDCG", "AP", "RR", "R", "Rprec", "Bpref", "infAP", "Judged", "Success", "NumRet", "NumRel", "NumQ"), "ir_measures"
) | {"precision": "ranx", "hits": "ranx"}
_MOST_CUTOFFS = 10_000
_SHOWN = 80


def parse(text: str) -> Metric:
    """Make a metric from its text form.

    Examples
    --------
    >>> parse("ndcg@10:letor4(empty=1)").short
    'zero'
    >>> parse("NDCG@10") == parse("ndcg@10(gain=exp2)")
    True
    >>> parse("ndcg_cut_10"), parse("P(rel=2)@5"), parse("hit_rate@5")
    (ndcg@10:trec_eval, p@5:ir_measures(relevant_from=2), success@5:ranx)
    >>> parse("ndgc@10")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: ndgc@10: there is no metric 'ndgc', did you mean ndcg?
      to do: choose ndcg, dcg, meanndcg, err, map, p, mrr, tau, recall, ...
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
    shape = _SHAPE.fullmatch(text.lower())
    family = ALIASES.get(shape["name"], shape["name"]) if shape else ""
    given = [part.split("=", 1) for part in (shape["choices"] or "").split(",") if part.strip()] if shape else []
    choices = [(pair[0].strip(), pair[1].strip() if len(pair) > 1 else None) for pair in given]
    if shape is None or family not in FAMILIES or FOREIGN_CHOICES & {choice for choice, _ in choices}:
        foreign = translate(text)
        if foreign:
            return [_made(one.family, one.k, tool or _home(one), list(one.choices.items()), text) for one in foreign]
    if shape is None:
        cure = "write ndcg@10, ndcg@10:letor4, map(empty=1)"
        raise UsageError(f"{_shortened(text)!r} is not the text of a metric", cure=cure)
    if family not in FAMILIES:
        written = re.split(r"[@:(]", text, maxsplit=1)[0]
        what = f"there is no metric {written!r}{suggestion(family, FAMILIES)}"
        raise UsageError(what, where=text, cure=f"choose {', '.join(FAMILIES)}")
    if not shape["first"]:
        return [_made(family, None, shape["tool"] or tool, choices, text)]
    first = _cut_off(shape["first"], text)
    last = _cut_off(shape["last"] or shape["first"], text)
    if last < first:
        raise UsageError("the range of cut-offs is empty", where=text, cure="write the smaller one first")
    if last - first >= _MOST_CUTOFFS:
        what = f"{last - first + 1:,} cut-offs are more than {_MOST_CUTOFFS:,}"
        raise UsageError(what, where=text, cure="name the ones that matter")
    made = _made(family, first, shape["tool"] or tool, choices, text)
    return [made, *(replace(made, k=k) for k in range(first + 1, last + 1))]


def _home(foreign: Foreign) -> str | None:
    """The tool whose name it is, if its preset has this metric; else it is computed by this library's rules."""
    return foreign.tool if TOOLS[foreign.tool].template(foreign.family, foreign.k) else None


def reading(text: str) -> str | None:
    """Tell how a name that another tool has too is taken here; nothing if it is this library's own.

    Examples
    --------
    >>> reading("ndcg_cut_10")
    'ndcg_cut_10 is read as ndcg@10:trec_eval'
    >>> reading("AP")
    "AP is computed by ltrlib's rules, as map; --tool ir_measures differs in absent, ideal, precision, ties"
    >>> reading("precision@5")
    "precision@5 is computed by ltrlib's rules, as p@5; --tool ranx differs in absent, short"
    >>> reading("map") is None
    True
    """
    metrics = parse_many(text)
    name = re.split(r"[@:(]", text.strip(), maxsplit=1)[0]
    if name not in _SPELLINGS or metrics[0].tool is not None:
        plain = _SHAPE.fullmatch(text.strip().lower())
        known = plain is not None and ALIASES.get(plain["name"], plain["name"]) in FAMILIES
        if known and (metrics[0].tool is not None) == (plain is not None and plain["tool"] is not None):
            return None
        return f"{text} is read as {', '.join(map(str, metrics))}"
    tool = _SPELLINGS[name]
    other = TOOLS[tool].template(metrics[0].family, metrics[0].k)
    choices = metrics[0].choices_of_family()
    differing = [choice for choice in choices if other and getattr(other, choice) != getattr(metrics[0], choice)]
    if not differing:
        return None
    rules = f"{text} is computed by ltrlib's rules, as {metrics[0]}"
    return f"{rules}; --tool {tool} differs in {', '.join(differing)}"


def _cut_off(written: str, text: str) -> int:
    if len(written.lstrip("0")) > len(str(LARGEST_CUTOFF)):
        raise UsageError(f"a cut-off must be at most {LARGEST_CUTOFF:,}", where=_shortened(text))
    return int(written)


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _made(family: str, k: int | None, tool: str | None, choices: list[tuple[str, str | None]], text: str) -> Metric:
    base = template(family, k, tool)
    known = base.choices_of_family()
    values = {}
    for choice, written in choices:
        if choice not in known or written is None:
            shown = choice if written is None else f"{choice}={written}"
            raise UsageError(
                f"{family} has no choice {shown!r}{suggestion(choice, known)}",
                where=text,
                cure=f"write choice=value with one of {', '.join(known)}",
            )
        values[choice] = _value(choice, written, text)
    return replace(base, **values)


def _value(choice: str, written: str, text: str) -> Any:
    try:
        if choice in ("relevant_from", "max_grade"):
            return int(written)
        if choice == "gain" and "/" in written:
            return tuple(float(value) for value in written.split("/"))
        if choice in ("p", "beta") or (choice == "empty" and written != "skip"):
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
