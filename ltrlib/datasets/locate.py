"""Where a data set is on this machine: ``LTRLIB_DATA`` first, then ``data/raw``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ltrlib.datasets.archive import unpack
from ltrlib.datasets.checksum import file_sha256
from ltrlib.datasets.entries import DataSet
from ltrlib.datasets.layout import Match, file_names, list_files, match_layout
from ltrlib.datasets.registry import dataset
from ltrlib.errors import DataFormatError, MissingDataError, UsageError
from ltrlib.project import cache_dir, data_search_path

__all__ = ["Place", "find_or_none", "missing", "opened", "place_in"]

_DEPTH = 4  # levels below a data set's folder: OHSUMED/QueryLevelNorm/Fold1/testset.txt and one to spare


@dataclass(frozen=True)
class Place:
    """Where a data set was found.

    Parameters
    ----------
    entry
        The data set.
    path
        The folder that holds its files, or the archive.
    files
        The file of each part that is there; empty for an archive until it is :func:`opened`.
    is_archive
        Whether ``path`` is an archive.

    Examples
    --------
    >>> Place(dataset("yahoo-set2"), Path("ltrc_yahoo"), {"train": Path("ltrc_yahoo/set2.train.txt")}).missing
    ('set2.valid.txt', 'set2.test.txt')
    """

    entry: DataSet
    path: Path
    files: Mapping[str, Path]
    is_archive: bool = False

    def __str__(self) -> str:
        return str(self.path)

    @property
    def missing(self) -> tuple[str, ...]:
        """Our names of the files that are not there."""
        if self.is_archive and not self.files:
            return ()
        absent = (part for part in self.entry.parts.values() if part.name not in self.files)
        return tuple(name for part in absent for name, _ in part.known_files())


def find_or_none(name: str) -> Place | None:
    """Find a data set without reading it: the first complete copy, else the first incomplete one, else None.

    Examples
    --------
    >>> place = find_or_none("mq2008")
    >>> place is None or place.entry.name == "mq2008"
    True
    """
    entry = dataset(name)
    places = [place for base in data_search_path() for place in _places(base, entry)]
    return min(places, key=lambda place: bool(place.missing), default=None)


def _places(base: Path, entry: DataSet) -> Iterator[Place]:
    names = [name.lower() for name in entry.folders]
    try:
        inside = sorted(base.iterdir())
    except OSError:
        return
    folders = [path for path in (base, *inside) if path.name.lower() in names and path.is_dir()]
    for folder in sorted(folders, key=lambda path: names.index(path.name.lower())):
        if place := place_in(folder, entry):
            yield place
    yield from (Place(entry, path, {}, is_archive=True) for path in inside if path.name in entry.archives)


def place_in(folder: Path, entry: DataSet) -> Place | None:
    """Find a data set inside a folder, whatever the folder is called.

    Examples
    --------
    >>> place_in(Path("no-such-folder"), dataset("mq2008")) is None
    True
    """
    matches = match_layout(list_files(folder, depth=_DEPTH), entry)
    return _place(folder, matches[0], entry) if matches else None


def _place(folder: Path, match: Match, entry: DataSet) -> Place:
    return Place(entry, folder / match.folder, {part: folder / path for part, path in match.files.items()})


def opened(place: Place) -> Place:
    """Return the place with its files; an archive is unpacked once, into the cache.

    Examples
    --------
    >>> place = Place(dataset("mq2008"), Path("MQ2008"), {})
    >>> opened(place) is place
    True
    """
    if not place.is_archive:
        return place
    folder = cache_dir() / "unpacked" / file_sha256(place.path)
    if not folder.exists():
        wanted = file_names(place.entry)
        try:
            unpack(place.path, folder, wanted=lambda name: name.rpartition("/")[2].lower() in wanted)
        except (OSError, UsageError):
            # Another process may have been faster.
            if not folder.exists():
                raise
    inner = place_in(folder, place.entry)
    if inner is None:
        raise DataFormatError(f"the archive does not hold {place.entry.name}", where=place.path, cure="get it again")
    return replace(place, files=inner.files)


def missing(entry: DataSet, part: str | None = None, place: Place | None = None) -> MissingDataError:
    """Make the error for a data set, or a part of it, that is not here; it names the command that cures it.

    Examples
    --------
    >>> print(missing(dataset("ohsumed")).cure)
    ltrlib data get ohsumed (says what to accept and download), then ltrlib data import ohsumed PATH
    """
    cure = f"ltrlib data get {entry.name}"
    if not entry.download:
        cure += f" (says what to accept and download), then ltrlib data import {entry.name} PATH"
    if entry.standin:
        cure += f"; or use {entry.standin}"
    if place is not None and part is not None:
        return MissingDataError(f"data set {entry.name} is here, but not its part {part}", where=place.path, cure=cure)
    searched = ", ".join(str(path) for path in data_search_path())
    return MissingDataError(f"data set {entry.name} is not on this machine (looked in {searched})", cure=cure)
