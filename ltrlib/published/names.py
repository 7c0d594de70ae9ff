"""What the book calls things: one display name for each data set, tool, metric and method (``data/names.csv``).

Keys such as ``clueweb09-ltr`` stand in code and commands; pages and figures show names. What is not listed keeps
the name that it has.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias, cast, get_args

from ltrlib.errors import RecordError
from ltrlib.project import project_data, shown_path

__all__ = ["Kind", "Name", "long_name", "name", "names"]

Kind: TypeAlias = Literal["data", "tool", "metric", "method"]
_STANDIN = "standin/"


@dataclass(frozen=True)
class Name:
    """How one thing is called.

    Examples
    --------
    >>> names("tool")["letor4"].long
    'LETOR 4.0 script (Eval-Score-4.0.pl)'
    """

    kind: Kind
    key: str
    name: str
    long: str
    also: tuple[str, ...]


@cache
def names(kind: Kind) -> Mapping[str, Name]:
    """All names of a kind, by key.

    Examples
    --------
    >>> names("data")["clueweb09-ltr"].name
    'ClueWeb09'
    """
    return {one.key: one for one in _registry() if one.kind == kind}


def name(kind: Kind, key: str) -> str:
    """The display name; a key that is not listed is its own name.

    Parameters
    ----------
    kind
        ``data``, ``tool``, ``metric`` or ``method``.
    key
        The key, in any case, or another spelling that some paper uses.

    Examples
    --------
    >>> name("tool", "sklearn"), name("method", "LambdaMart"), name("method", "FSMRank")
    ('scikit-learn', 'LambdaMART', 'FSMRank')
    >>> name("data", "standin/mq2008"), name("metric", "ndcg@10"), name("metric", "ndcg@7")
    ('stand-in for MQ2008', 'NDCG@10', 'NDCG@7')
    """
    found = _find(kind, key)
    if found is not None:
        return found.name
    if key.startswith(_STANDIN):
        return f"stand-in for {name(kind, key.removeprefix(_STANDIN))}"
    family, _, cutoff = key.partition("@")
    if kind == "metric" and cutoff and (known := _find(kind, family)) is not None:
        return f"{known.name}@{cutoff}"
    return key


def long_name(kind: Kind, key: str) -> str:
    """The name with what it stands for, as a tooltip says it.

    Examples
    --------
    >>> long_name("metric", "map"), long_name("method", "CA")
    ('mean average precision', 'coordinate ascent (Metzler and Croft 2007)')
    """
    found = _find(kind, key)
    return name(kind, key) if found is None else found.long


def _find(kind: Kind, key: str) -> Name | None:
    return _spellings(kind).get(key) or _spellings(kind).get(re.sub(r"\s+", "", key).lower())


@cache
def _spellings(kind: Kind) -> Mapping[str, Name]:
    found = {}
    for one in names(kind).values():
        for spelling in (one.key, one.name, *one.also):
            found[spelling] = one
            found.setdefault(re.sub(r"\s+", "", spelling).lower(), one)
    return found


@cache
def _registry() -> tuple[Name, ...]:
    path = project_data("names.csv")
    found: dict[tuple[str, str], Name] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in (reader := csv.DictReader(file)):
            where = f"{shown_path(path)}:{reader.line_num}"
            if row["kind"] not in get_args(Kind):
                raise RecordError(f"a name is of one of {', '.join(get_args(Kind))}, not {row['kind']!r}", where=where)
            if (row["kind"], row["key"]) in found:
                raise RecordError(f"the {row['kind']} {row['key']!r} has two names", where=where)
            also = tuple(part for part in row["also"].split(";") if part)
            found[row["kind"], row["key"]] = Name(cast(Kind, row["kind"]), row["key"], row["name"], row["long"], also)
    return tuple(found.values())
