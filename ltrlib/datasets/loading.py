"""Load a data set by name, and say which content was found."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from ltrlib.datasets.checksum import file_sha256
from ltrlib.datasets.container import RankingData
from ltrlib.datasets.entries import Part
from ltrlib.datasets.locate import Place, find_or_none, missing, opened
from ltrlib.datasets.registry import dataset
from ltrlib.errors import UsageError
from ltrlib.records import observed
from ltrlib.records.source import Source

__all__ = ["digest", "find", "is_here", "load", "read_part"]

STANDIN = "standin/"


@observed.notes_source
def load(name: str, part: str = "Fold1/train", *, scale: float = 1.0) -> RankingData:
    """Load one part of a data set, or of a stand-in when the name says so.

    Parameters
    ----------
    name
        Name in the registry, or ``standin/…``. A bare name never gives a stand-in.
    part
        Such as ``"Fold1/train"``; ``ltrlib data show NAME`` lists them.
    scale
        Size of a stand-in as a multiple of the real set's number of queries.

    Examples
    --------
    >>> load("mq2008", "Fold9/train")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: data set mq2008 has no part 'Fold9/train'
      to do: choose one of Fold1/train, Fold1/vali, ...
    """
    if name.startswith(STANDIN):
        from ltrlib.datasets.standins import generate

        return generate(name, part, scale=scale)
    if scale != 1.0:
        raise UsageError(f"{name} is not a stand-in and cannot be scaled", cure="leave scale out")
    wanted = dataset(name).part(part)
    place = find(name)
    if part not in place.files:
        raise missing(place.entry, part, place)
    return read_part(place, wanted)


def read_part(place: Place, part: Part) -> RankingData:
    """Read the file of a part through the binary cache.

    Rows that leave out zeros may stop short of the last features (Set 1 of Yahoo! has 699 of 700); models need the
    same width in every part, so such a set is always read in its full width.

    Parameters
    ----------
    place
        Where the data set was found.
    part
        The part to read; its file must be there.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp(), "set1.train.txt")
    >>> _ = path.write_text("2 qid:1 637:0.5")
    >>> entry = dataset("yahoo-set1")
    >>> read_part(Place(entry, path.parent, {"train": path}), entry.part("train"))
    <RankingData yahoo-set1 train: 1 documents, 1 queries, 700 features>
    """
    path = place.files[part.name]
    width = None if place.entry.dense else place.entry.features
    if part.query_sizes:
        from ltrlib.datasets.letor import read_with_query_sizes

        data = read_with_query_sizes(path, path.with_name(path.name + part.query_sizes), n_features=width)
    else:
        from ltrlib.datasets.binary_cache import open_cached

        data = open_cached(path, n_features=width)
    return replace(data, source=Source(place.entry.name, part.name, sha256=file_sha256(path)))


def find(name: str) -> Place:
    """Find a data set on this machine; raise an error that names the cure when it is not here.

    Examples
    --------
    >>> find("mq2009")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: no data set is called 'mq2009'
      to do: choose one of mq2008, ...
    """
    place = _noted(name)
    if place is None:
        raise missing(dataset(name))
    return place


def is_here(name: str) -> bool:
    """Whether a data set is on this machine, complete; a stand-in always is.

    Examples
    --------
    >>> is_here("standin/mq2008")
    True
    """
    if name.startswith(STANDIN):
        return True
    place = _noted(name)
    return place is not None and not place.missing


def digest(name: str) -> str:
    """Digest of the files of a data set, in the order of its parts, or ``"absent"``.

    The archive and the unpacked folder of the same files have the same digest.

    Examples
    --------
    >>> len(digest("mq2008")) in (64, len("absent"))
    True
    """
    place = find_or_none(name)
    return _digest(opened(place)) if place else observed.ABSENT


def _noted(name: str) -> Place | None:
    """Look for a data set and note that this run depends on what was found."""
    place = find_or_none(name)
    place = opened(place) if place else None
    observed.note(f"dataset:{name}", _digest(place) if place else observed.ABSENT)
    return place


def _digest(place: Place) -> str:
    result = hashlib.sha256()
    for part in place.entry.parts.values():
        if path := place.files.get(part.name):
            result.update(f"{part.name} {file_sha256(path)}\n".encode())
            if part.query_sizes:
                result.update(f"{file_sha256(path.with_name(path.name + part.query_sizes))}\n".encode())
    return result.hexdigest()


observed.register_state("dataset", digest)
