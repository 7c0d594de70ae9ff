"""Bring a data set that was downloaded by hand into ``data/raw``: found, verified, then moved in at once."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ltrlib.atomic import new_folder, remove_forgotten
from ltrlib.datasets.archive import Limits, is_archive, unpack
from ltrlib.datasets.checking import WHOLE, CheckReport, check
from ltrlib.datasets.conversions import CONVERSIONS, convert, originals_in
from ltrlib.datasets.entries import DataSet
from ltrlib.datasets.locate import Match, Place, expected_limits, file_names, list_files, match_layout
from ltrlib.datasets.registry import datasets
from ltrlib.errors import DataFormatError, MissingDataError, UsageError
from ltrlib.progress import progress
from ltrlib.project import data_search_path

__all__ = ["ImportReport", "import_dataset"]

_DEPTH = 12


@dataclass(frozen=True)
class ImportReport:
    """What an import did.

    Parameters
    ----------
    folder
        Where the data set is now.
    check
        What was verified.
    others
        Names of other data sets whose files are in the same source.

    Examples
    --------
    >>> from ltrlib.datasets.registry import dataset
    >>> checked = CheckReport(Place(dataset("yahoo-set1"), Path("data/raw/Yahoo-Set1"), {}), (), ())
    >>> ImportReport(Path("data/raw/Yahoo-Set1"), checked, ("yahoo-set2",)).others
    ('yahoo-set2',)
    """

    folder: Path
    check: CheckReport
    others: tuple[str, ...]


def import_dataset(entry: DataSet, source: Path, *, replace: bool = False) -> ImportReport:
    """Copy a data set from a folder or an archive into ``data/raw`` once everything about it is verified.

    Numbers that were only published, not counted, may differ: the report tells.

    Parameters
    ----------
    entry
        The data set.
    source
        A folder, or an archive (zip, tar, gz, bz2, xz); one archive inside the other is looked into.
    replace
        Whether a copy that is in ``data/raw`` already may be replaced.

    Examples
    --------
    >>> from ltrlib.datasets.registry import dataset
    >>> import_dataset(dataset("yahoo-set1"), Path("no-such.tar.bz2"))
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: no-such.tar.bz2: no such file or folder
      to do: give the downloaded archive or its folder
    """
    raw = data_search_path()[-1]
    target = raw / entry.folders[0]
    if not source.exists():
        raise UsageError("no such file or folder", where=source, cure="give the downloaded archive or its folder")
    if target.exists() and not replace:
        raise UsageError(
            f"{entry.name} is in {target} already", cure=f"ltrlib data check {entry.name}, or import with --replace"
        )
    remove_forgotten(raw)
    with new_folder(target, replace=replace) as ready:
        scratch = ready / ".unpacked"
        tree, match, others = _open(source, entry, scratch / "tree")
        if match.missing:
            raise MissingDataError(
                f"{len(match.missing)} of the files of {entry.name} are missing: {_some(match.missing)}",
                where=source,
                cure="get the complete data set",
            )
        place = _copy(tree, match, entry, ready, move=tree != source)
        shutil.rmtree(scratch, ignore_errors=True)
        report = check(place)
        _refuse_misfits(report, source)
    return ImportReport(target, report, others)


def _open(source: Path, entry: DataSet, scratch: Path) -> tuple[Path, Match, tuple[str, ...]]:
    """Return a folder with the files, which of them are the data set's, and what else is among them."""
    if source.is_dir():
        tree, names = source, list(list_files(source, depth=_DEPTH))
        seen = names
        if (originals := originals_in(source, entry.name)) and not match_layout(names, entry):
            tree, names = scratch, list(originals)
            scratch.mkdir(parents=True)
            for name, original in originals.items():
                convert(original, scratch / name)
    else:
        tree = scratch
        names, seen = _unpack(source, entry, tree)
    matches = match_layout(names, entry)
    if not matches:
        raise _unlike(entry, source, seen)
    best = [match.folder for match in matches if match.rank == matches[0].rank]
    if len(best) > 1:
        raise UsageError(
            f"several folders look like {entry.name}: {_some(best)}", where=source, cure="give one of them"
        )
    siblings = (other for other in datasets().values() if set(other.folders) & set(entry.folders))
    others = (other for other in siblings if other.name != entry.name)
    return tree, matches[0], tuple(o.name for o in others if any(not m.missing for m in match_layout(seen, o)))


def _unlike(entry: DataSet, source: Path, seen: list[str]) -> DataFormatError:
    expected = [name for part in entry.parts.values() for name, _ in part.known_files()]
    cure = f"give the folder or archive that holds them; ltrlib data show {entry.name} tells more"
    if source.is_dir() and (archives := [name for name in seen if is_archive(name)]):
        cure = f"if they are in one of its archives, import that: {_some(archives)}"
    return DataFormatError(
        f"this does not look like {entry.name}: none of {_some(expected)} is in it", where=source, cure=cure
    )


def _unpack(archive: Path, entry: DataSet, tree: Path) -> tuple[list[str], list[str]]:
    """Unpack the files that may be the data set's; return their names, and the names of all files."""
    wanted, seen = file_names(entry), []

    def is_wanted(name: str) -> bool:
        seen.append(name)
        return name.rpartition("/")[2].lower() in wanted

    limits = expected_limits(entry)
    names = _unpacked(archive, tree, wanted=is_wanted, limits=limits)
    if entry.name in CONVERSIONS and not match_layout(names, entry):
        theirs = tree.with_name("originals")
        wanted_originals = {original.name for original in CONVERSIONS[entry.name].values()}
        _unpacked(archive, theirs, wanted=lambda name: name.rpartition("/")[2] in wanted_originals, limits=limits)
        for name, original in originals_in(theirs, entry.name).items():
            convert(original, tree / name)
            names.append(name)
    if not match_layout(names, entry) and any(map(is_archive, seen)):
        # Yahoo's dataset.tgz holds ltrc_yahoo.tar.bz2, which holds the files.
        inner = tree.with_name("archives")
        for number, name in enumerate(_unpacked(archive, inner, wanted=is_archive)):
            found = _unpacked(inner / name, tree / f"inner{number}", wanted=is_wanted, limits=limits)
            names += [f"inner{number}/{path}" for path in found]
    return names, seen


def _unpacked(archive: Path, target: Path, *, wanted: Callable[[str], bool], limits: Limits | None = None) -> list[str]:
    try:
        return unpack(archive, target, wanted=wanted, limits=limits)
    except OSError as error:
        # A damaged zip file sends its reader to places before its beginning.
        if error.errno != errno.EINVAL:
            raise
        raise DataFormatError("the archive is damaged", where=archive, cure="get it again") from None


def _copy(tree: Path, match: Match, entry: DataSet, ready: Path, *, move: bool) -> Place:
    files = {}
    for part in progress(list(entry.parts.values()), what=f"copying {entry.name}", unit="file"):
        found = tree / match.files[part.name]
        files[part.name] = ready / part.files[0]
        for suffix in {"", part.query_sizes}:
            target = ready / (part.files[0] + suffix)
            target.parent.mkdir(parents=True, exist_ok=True)
            original = found.with_name(found.name + suffix)
            if move:
                original.rename(target)
            else:
                shutil.copyfile(original, target)
            with target.open("rb") as file:
                os.fsync(file.fileno())
    return Place(entry, ready, files)


def _refuse_misfits(report: CheckReport, source: Path) -> None:
    """Raise when a file is broken or not the known one, or it is all another data set.

    Counts that were only published may differ otherwise: the report tells.
    """
    name = report.place.entry.name
    for file in report.files:
        if not file.ok:
            raise DataFormatError(
                f"{file.file} is not the one of {name}: {file.detail or 'wrong sha256'}",
                where=source,
                cure="get the original files; to use others, put them into a folder of your own and read that",
            )
    whole = [number for number in report.counts if number.part == WHOLE and number.what in ("rows", "queries")]
    here = {number.what: number.counted for number in whole}
    for other in datasets().values():
        if other.name != name and here == {"rows": other.expected.rows, "queries": other.expected.queries}:
            raise DataFormatError(
                f"these are the numbers of rows and queries of {other.name}, not of {name}",
                where=source,
                cure=f"ltrlib data import {other.name} {source}",
            )


def _some(names: tuple[str, ...] | list[str], most: int = 4) -> str:
    more = f", … ({len(names) - most} more)" if len(names) > most else ""
    return ", ".join(names[:most]) + more
