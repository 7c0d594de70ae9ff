"""Recognise a data set among file names: which file is which part, however deep the folder lies."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ltrlib.datasets.entries import DataSet

__all__ = ["Match", "file_names", "list_files", "match_layout"]


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
