"""Where a data set is on this machine: ``LTRLIB_DATA`` first, then ``data/raw``."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ltrlib.datasets.archive import Limits, unpack
from ltrlib.datasets.checksum import file_sha256
from ltrlib.datasets.entries import DataSet
from ltrlib.datasets.registry import dataset
from ltrlib.errors import DataFormatError, MissingDataError, UsageError
from ltrlib.project import cache_dir, data_search_path

__all__ = [
    "Match",
    "Place",
    "expected_limits",
    "file_names",
    "find_or_none",
    "list_files",
    "match_layout",
    "missing",
    "opened",
    "place_in",
]

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
            limits = expected_limits(place.entry)
            unpack(place.path, folder, wanted=lambda name: name.rpartition("/")[2].lower() in wanted, limits=limits)
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
    if not entry.download and not entry.package:
        cure += f" (says what to accept and download), then ltrlib data import {entry.name} PATH"
    if entry.standin:
        cure += f"; or use {entry.standin}"
    if place is not None and part is not None:
        return MissingDataError(f"data set {entry.name} is here, but not its part {part}", where=place.path, cure=cure)
    searched = ", ".join(str(path) for path in data_search_path())
    return MissingDataError(f"data set {entry.name} is not on this machine (looked in {searched})", cure=cure)


@dataclass(frozen=True)
class Match:
    """A folder that looks like the data set's.

    Parameters
    ----------
    folder
        The folder inside the tree; ``"."`` for its root.
    files
        The file of each part that was found, as a path inside the tree.
    missing
        Our names of the files that are not there.
    rank
        The smaller, the better it fits; equal ranks fit equally well.

    Examples
    --------
    >>> from ltrlib.datasets.registry import dataset
    >>> match_layout(["a/set1.train.txt", "a/set1.TEST.txt"], dataset("yahoo-set1"))[0].missing
    ('set1.valid.txt',)
    """

    folder: str
    files: Mapping[str, str]
    missing: tuple[str, ...]
    rank: tuple[int, bool, bool, int]


def match_layout(paths: Iterable[str], entry: DataSet) -> list[Match]:
    """Find the folders that hold parts of a data set, the best first; upper and lower case are the same.

    Parameters
    ----------
    paths
        Files of a tree, with ``/`` between the folders.
    entry
        The data set to look for.

    Examples
    --------
    >>> from ltrlib.datasets.registry import dataset
    >>> match = match_layout(["x/ltrc_yahoo/set1.valid.txt"], dataset("yahoo-set1"))[0]
    >>> match.folder, match.files
    ('x/ltrc_yahoo', {'valid': 'x/ltrc_yahoo/set1.valid.txt'})
    """
    by_name = defaultdict(list)
    for part in entry.parts.values():
        for alias in part.files:
            by_name[alias.rpartition("/")[2].lower()].append((part, alias))
    known = {path.lower(): path for path in paths}
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for lower, path in known.items():
        for part, alias in by_name.get(lower.rpartition("/")[2], ()):
            if f"/{lower}".endswith(f"/{alias.lower()}") and (
                not part.query_sizes or lower + part.query_sizes in known
            ):
                folder = path[: len(path) - len(alias)].rstrip("/")
                found[folder].setdefault(part.name, path)
    return sorted((_match(folder, files, entry) for folder, files in found.items()), key=lambda match: match.rank)


def _match(folder: str, files: Mapping[str, str], entry: DataSet) -> Match:
    parts = PurePosixPath(folder).parts
    missing = [name for part in entry.parts.values() if part.name not in files for name, _ in part.known_files()]
    names = {name.lower() for name in parts}
    unpreferred = entry.prefer.lower() not in names
    unknown = names.isdisjoint(name.lower() for name in entry.folders)
    return Match(folder or ".", files, tuple(missing), (len(missing), unpreferred, unknown, len(parts)))


def file_names(entry: DataSet) -> set[str]:
    """Names, in lower case and without folders, of all files that can belong to the data set.

    Examples
    --------
    >>> from ltrlib.datasets.registry import dataset
    >>> sorted(file_names(dataset("mslr-web10k")))
    ['test.txt', 'train.txt', 'vali.txt']
    """
    return {
        (alias + suffix).rpartition("/")[2].lower()
        for part in entry.parts.values()
        for alias in part.files
        for suffix in {"", part.query_sizes}
    }


def expected_limits(entry: DataSet) -> Limits:
    """How large an archive of the data set may become: twice what its rows can take at most, and some.

    Examples
    --------
    >>> expected_limits(dataset("mq2008")).bytes < 500e6 < 20e9 < expected_limits(dataset("mslr-web30k")).bytes
    True
    """
    # An index, a colon, a number with all its digits and a blank; label, query and a comment.
    row = 24 * entry.features + 300
    rows = (entry.expected.rows or 0) * max(1, len(entry.folds))
    return Limits(bytes=min(Limits.bytes, 2 * rows * row + (64 << 20))) if rows else Limits()


def list_files(folder: Path, *, depth: int) -> Iterator[str]:
    """Yield the files below a folder down to some depth, as paths inside it with ``/`` between.

    Examples
    --------
    >>> from ltrlib.project import project_data
    >>> "registry.yml" in list_files(project_data(), depth=1)
    True
    """
    for current, folders, files in os.walk(folder):
        inside = Path(current).relative_to(folder)
        yield from ((inside / name).as_posix() for name in sorted(files))
        folders[:] = sorted(folders) if len(inside.parts) + 1 < depth else []
