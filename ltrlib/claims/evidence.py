"""What a claim is checked on: nothing but printed numbers, a counted data set, a record, or what nobody can get."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

from ltrlib.errors import LtrlibError, MissingDataError
from ltrlib.project import data_search_path

__all__ = [
    "OWN_NUMBERS",
    "CheckedBy",
    "CountedData",
    "Evidence",
    "Material",
    "NotPublic",
    "PrintedNumbers",
    "RecordedResult",
    "gather",
]


CheckedBy: TypeAlias = Literal["arithmetic", "counted", "rerun", "rerun on other data", "not public"]
"""How a claim is checked: what a paper says compared with itself weighs less than what was run again."""


@dataclass(frozen=True)
class PrintedNumbers:
    """Numbers in print, or a formula: nothing needs to be loaded.

    Parameters
    ----------
    words
        Which numbers.
    own
        Whether they are the paper's own, so that a contradiction is one within the publication.
    checked_by
        How the claim is checked by them.

    Examples
    --------
    >>> PrintedNumbers("rows per label, counted by others", checked_by="counted").own
    False
    """

    words: str
    own: bool = False
    checked_by: CheckedBy = "arithmetic"


OWN_NUMBERS = PrintedNumbers("the paper's own numbers", own=True)
"""The usual material of a claim about a paper's arithmetic."""


@dataclass(frozen=True)
class CountedData:
    """Data sets whose queries, documents and labels are counted.

    The data sets of this machine come first; for one that is not here, the record ``counts/<name>`` is read. The
    claim's function gets one :class:`~ltrlib.claims.counts.Counts` per data set.

    Examples
    --------
    >>> CountedData(("mq2007", "mq2008")).datasets
    ('mq2007', 'mq2008')
    """

    datasets: tuple[str, ...]

    @property
    def checked_by(self) -> CheckedBy:
        """How the claim is checked by it."""
        return "counted"


@dataclass(frozen=True)
class RecordedResult:
    """A record under ``data/results/``; the claim's function gets the :class:`~ltrlib.records.Record`.

    Parameters
    ----------
    name
        The record's name.
    columns
        Its schema; the one that was recorded, if not given: for a record that another paper declares.
    checked_by
        How the claim is checked by it.
    dataset
        The data set of several whose rows are used, or some of them; the claim's function gets no others, and whether
        others are stand-ins does not matter.

    Examples
    --------
    >>> gather(RecordedResult("no/such", {"value": "int"})).missing
    'the record cannot be read: there is no record no/such'
    """

    name: str
    columns: Mapping[str, str] | None = None
    checked_by: CheckedBy = "rerun"
    dataset: str | tuple[str, ...] | None = None


@dataclass(frozen=True)
class NotPublic:
    """Something that was never published; the claim stays on the list, with that reason.

    Examples
    --------
    >>> NotPublic("the challenge's logs").words
    "the challenge's logs"
    """

    words: str

    @property
    def checked_by(self) -> CheckedBy:
        """That it cannot be checked."""
        return "not public"


Material: TypeAlias = PrintedNumbers | CountedData | RecordedResult | NotPublic


@dataclass(frozen=True)
class Evidence:
    """What a claim is checked on, once its material was gathered.

    Parameters
    ----------
    inputs
        Further arguments of the claim's function.
    words
        What was used.
    own
        Whether it is nothing but the paper's own numbers.
    standin
        Whether any of it is generated data that only resembles the real set.
    missing
        Why it could not be had; None if it could.

    Examples
    --------
    >>> Evidence(words="the paper's own numbers", own=True).missing is None
    True
    """

    inputs: tuple[object, ...] = ()
    words: str = ""
    own: bool = False
    standin: bool = False
    missing: str | None = None


def gather(material: Material) -> Evidence:
    """Get hold of a material: load, count or read it.

    Examples
    --------
    >>> gather(OWN_NUMBERS).words
    "the paper's own numbers"
    >>> gather(NotPublic("the challenge's logs")).missing
    "the challenge's logs were never published"
    """
    if isinstance(material, PrintedNumbers):
        return Evidence(words=material.words, own=material.own)
    if isinstance(material, NotPublic):
        return Evidence(words=material.words, missing=f"{material.words} were never published")
    if isinstance(material, RecordedResult):
        return _gather_record(material)
    found = [_count(name, data_search_path()) for name in material.datasets]
    if missing := [one.missing for one in found if one.missing is not None]:
        return Evidence(words=" and ".join(material.datasets), missing="; ".join(missing))
    return Evidence(
        inputs=tuple(item for one in found for item in one.inputs),
        words=" and ".join(one.words for one in found),
        standin=any(one.standin for one in found),
    )


def _gather_record(material: RecordedResult) -> Evidence:
    from ltrlib.records.record import read_any, read_record

    try:
        record = read_any(material.name) if material.columns is None else read_record(material.name, material.columns)
    except LtrlibError as error:
        return Evidence(words=f"record {material.name}", missing=f"the record cannot be read: {error.what}")
    if material.dataset is None:
        return Evidence(inputs=(record,), words=record.describe(), standin=record.standin)
    wanted = [material.dataset] if isinstance(material.dataset, str) else list(material.dataset)
    table = record.table[record.table["dataset"].isin(wanted)]
    standins = [source.standin for source in record.sources if source.name in wanted]
    for name in wanted:
        if name not in set(table["dataset"]) or not standins:
            return Evidence(words=f"record {material.name}", missing=f"the record has no rows from {name}")
    words = f"rows from {', '.join(wanted)} of: {record.describe()}"
    return Evidence(inputs=(replace(record, table=table),), words=words, standin=any(standins))


@cache
def _count(dataset: str, search_path: tuple[Path, ...]) -> Evidence:
    """Count a data set once for all the claims that need it, as long as data are looked for in the same folders."""
    from ltrlib.claims.counts import Counts, count_parts, counts_of, load_parts

    try:
        parts = load_parts(dataset)
    except MissingDataError as error:
        try:
            record = counts_of(dataset).read()
        except LtrlibError:
            return Evidence(words=dataset, missing=f"{dataset} is not here ({error.cure or error.what})")
        return Evidence((Counts(record.table),), f"{dataset}, as recorded: {record.describe()}", standin=record.standin)
    standin = any(data.source.standin for data in parts.values())
    words = f"{dataset}, counted here ({', '.join(parts)})"
    return Evidence((Counts(count_parts(parts)),), words, standin=standin)
