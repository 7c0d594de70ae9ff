"""When are two numbers of one name the same measure: the formula, the tool that stands for it, the part of the data."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from ltrlib.errors import LtrlibError, UsageError
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.metrics.notation import parse
from ltrlib.metrics.tools import TOOLS
from ltrlib.published.tables import load_table

__all__ = [
    "FIVE_FOLDS",
    "FOLD_1",
    "LETOR",
    "METRICS",
    "ONE_PART",
    "UNSTATED",
    "convention_title",
    "part_of",
    "same_measure",
    "written_metric",
]

METRICS = ("NDCG@3", "NDCG@5", "NDCG@10", "MAP")
"""The metrics of Table B.6."""

LETOR = "letor4"
"""The tool by which Table B.6 has its results on LETOR; in NDCG and MAP the scripts of LETOR 3.0 and 4.0 agree."""

UNSTATED = "not stated"
"""In the place of a convention: the source does not say, so nothing can be compared with it."""

FIVE_FOLDS, ONE_PART, FOLD_1 = "mean of five folds", "test part", "fold 1"
"""The usual parts of the data that a value is about."""

_PARTS = {
    "mean": FIVE_FOLDS,
    "computed": FIVE_FOLDS,
    "pooled": "queries of five folds, pooled",
    "test": ONE_PART,
    "1": FOLD_1,
    "1 validation": "fold 1, validation part",
    "1 without empty": "fold 1, without empty queries",
    "1 assumed": "part not stated",
    "unstated": "part not stated",
}
_SPELLED = {metric.lower(): metric for metric in METRICS}


def part_of(fold: str) -> str:
    """Name the part of the data that a row of the later results is about.

    Examples
    --------
    >>> part_of("computed"), part_of("1"), part_of("3")
    ('mean of five folds', 'fold 1', 'fold 3')
    """
    return _PARTS.get(fold, fold if fold.startswith("run ") else f"fold {fold}")


def written_metric(text: str) -> str:
    """A metric's name as Table B.6 writes it.

    Examples
    --------
    >>> written_metric("ndcg @10")
    'NDCG@10'
    >>> written_metric("ERR")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: Table B.6 has no metric 'ERR'
      to do: choose NDCG@3, NDCG@5, NDCG@10, MAP
    """
    written = _SPELLED.get(text.lower().replace(" ", ""))
    if written is None:
        raise UsageError(f"Table B.6 has no metric {text!r}", cure=f"choose {', '.join(METRICS)}")
    return written


@cache
def same_measure(metric: str, convention: str) -> str:
    """Name the measure behind a metric and a convention: equal names can be compared, others cannot.

    Parameters
    ----------
    metric
        Such as ``NDCG@10``.
    convention
        A tool of ltrlib, or a code of the table ``conventions`` of the later results.

    Returns
    -------
    str
        The formula in ltrlib's text form where it is known; otherwise the convention's own name, which equals no other.

    Examples
    --------
    >>> same_measure("MAP", "ranklib") == same_measure("MAP", "letor4")
    True
    >>> same_measure("NDCG@10", "ranklib") == same_measure("NDCG@10", "letor4")
    False
    >>> same_measure("NDCG@10", "gbdt") == same_measure("NDCG@10", "lightgbm")
    True
    >>> same_measure("NDCG@10", "letor5")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: there is no convention 'letor5'
      to do: choose a tool, letor3, letor4, mslr, …, or a code of data/published/later/conventions.csv
    """
    found = _formula(metric, _notation(convention))
    return f"{metric}, {convention}" if found is None else str(replace(found, tool=None))


def _notation(convention: str) -> str:
    # A few codes are named like tools; they mean the same.
    if convention in TOOLS:
        return f":{convention}"
    codes = load_table("later", "conventions")
    if convention == UNSTATED:
        return ""
    if convention not in codes.rows:
        tools = ", ".join(list(TOOLS)[:3])
        cure = f"choose a tool, {tools}, …, or a code of data/published/later/conventions.csv"
        raise UsageError(f"there is no convention {convention!r}", cure=cure)
    return codes.text(convention, "notation")


def _formula(metric: str, notation: str) -> Metric | None:
    if not notation:
        return None
    try:
        return parse(f"{metric.lower()}{notation}")
    except LtrlibError:
        # The tool has no such metric, or the notation is of NDCG only.
        return None


@cache
def convention_title(convention: str) -> str:
    """A convention as pages name it.

    Examples
    --------
    >>> convention_title("letor-perl"), convention_title("gbdt"), convention_title("direct-2019")
    ("LETOR's tool", 'LightGBM, Yahoo!', 'program of the authors, 2019')
    """
    wanted = _formula("NDCG@10", _notation(convention))
    if wanted is not None:
        for name, alike in conventions().items():
            template = TOOLS[name].template("ndcg", 10)
            if template is not None and replace(template, tool=None) == replace(wanted, tool=None):
                return _TITLES.get(name) or ", ".join(TOOLS[tool].title for tool in alike)
    codes = load_table("later", "conventions")
    return codes.text(convention, "tool") if convention in codes.rows else convention


_TITLES = {"letor3": "LETOR's tool", "mslr": "MSLR's tool", "yahoo": "LightGBM, Yahoo!"}
