"""Check a data set on this machine against the registry: checksums, format, counts."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ltrlib.datasets.entries import DataSet, Expected, Part
from ltrlib.datasets.loading import read_part
from ltrlib.datasets.locate import Place, opened
from ltrlib.datasets.statistics import Counts, count
from ltrlib.errors import LtrlibError
from ltrlib.progress import progress

__all__ = ["CheckReport", "CountCheck", "FileCheck", "check", "compare", "verify_sha256"]

FileVerdict = Literal["OK", "OK (CRLF copy)", "OK (LF copy)", "OK (no checksum known)", "FAIL", "MISSING"]
WHOLE = "all queries once"

_CHUNK = 1 << 20


@dataclass(frozen=True)
class FileCheck:
    """Verdict on one file.

    Examples
    --------
    >>> FileCheck("Fold1/train.txt", "OK").ok
    True
    """

    file: str
    verdict: FileVerdict
    detail: str = ""

    @property
    def ok(self) -> bool:
        """Whether the file is what it should be, as far as that is known."""
        return self.verdict.startswith("OK")


@dataclass(frozen=True)
class CountCheck:
    """One number that the registry expects beside the one that was counted.

    Examples
    --------
    >>> CountCheck("Fold1/train", "rows", 9630, 9629, "counted").ok
    False
    """

    part: str
    what: str
    expected: object
    counted: object
    source: str

    @property
    def ok(self) -> bool:
        """Whether both are the same."""
        return self.expected == self.counted


@dataclass(frozen=True)
class CheckReport:
    """Everything that was checked.

    Parameters
    ----------
    place
        Where the data set is.
    files
        One verdict per file.
    counts
        Numbers of the parts, then of the whole.

    Examples
    --------
    >>> from ltrlib.datasets.registry import dataset
    >>> CheckReport(Place(dataset("mq2008"), Path(), {}), (FileCheck("a", "FAIL"),), ()).ok
    False
    """

    place: Place
    files: tuple[FileCheck, ...]
    counts: tuple[CountCheck, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing failed, is missing or differs."""
        return all(file.ok for file in self.files) and all(number.ok for number in self.counts)


def check(place: Place) -> CheckReport:
    """Verify every file and count what it holds.

    Examples
    --------
    >>> from ltrlib.datasets.registry import dataset
    >>> check(Place(dataset("yahoo-set1"), Path(), {})).files[0]
    FileCheck(file='set1.train.txt', verdict='MISSING', detail='')
    """
    entry, files, counts = place.entry, [], []
    if place.is_archive:
        files.append(FileCheck(place.path.name, verify_sha256(place.path, entry.archives.get(place.path.name))))
        place = opened(place)
    counted: dict[str, Counts] = {}
    for part in progress(list(entry.parts.values()), what=f"checking {entry.name}", unit="file"):
        verdicts = list(_check_files(place, part))
        if part.name in place.files:
            try:
                counted[part.name] = count(read_part(place, part))
            except LtrlibError as error:
                detail = str(error).replace(f"{place.path}{os.sep}", "")
                verdicts[0] = FileCheck(verdicts[0].file, "FAIL", detail)
            else:
                if problem := _misfit(entry, counted[part.name]):
                    verdicts[0] = FileCheck(verdicts[0].file, "FAIL", problem)
                counts += compare(part.name, part.expected, counted[part.name])
        files += verdicts
    if all(name in counted for name in entry.once):
        whole = count(*(read_part(place, entry.parts[name]) for name in entry.once))
        counts += compare(WHOLE, entry.expected, whole)
    return CheckReport(place, tuple(files), tuple(counts))


def _check_files(place: Place, part: Part) -> Iterator[FileCheck]:
    path = place.files.get(part.name)
    for (name, digest), suffix in zip(part.known_files(), ("", part.query_sizes), strict=False):
        if path is None:
            yield FileCheck(name, "MISSING")
        else:
            yield FileCheck(name, verify_sha256(path.with_name(path.name + suffix), digest))


def _misfit(entry: DataSet, counts: Counts) -> str:
    """What about the content cannot be true of this data set; empty when nothing."""
    if counts.features != entry.features:
        return f"{counts.features} features instead of {entry.features}"
    if min(counts.labels) < 0 or max(counts.labels) > entry.max_label:
        return f"labels from {min(counts.labels)} to {max(counts.labels)} instead of 0 to {entry.max_label}"
    return ""


def compare(part: str, expected: Expected, counts: Counts) -> list[CountCheck]:
    """Put each number that the registry expects beside the counted one.

    Examples
    --------
    >>> compare("train", Expected("counted"), None)
    []
    """
    pairs: dict[str, tuple[Any, Any]] = {}
    for what in ("rows", "queries", "empty", "documents"):
        if (value := getattr(expected, what)) is not None:
            pairs[what] = (value, getattr(counts, what))
    if expected.labels is not None:
        pairs["labels"] = (dict(expected.labels), dict(counts.labels))
    if expected.shorter is not None:
        pairs["shorter"] = (_present(expected.shorter), _present(counts.shorter))
    return [CountCheck(part, what, *pair, expected.source) for what, pair in pairs.items()]


def _present(numbers: Mapping[int, int]) -> dict[int, int]:
    return {key: number for key, number in numbers.items() if number}


def verify_sha256(path: Path, sha256: str | None) -> FileVerdict:
    r"""Compare a file with a known digest; a copy that differs only in its line ends is recognised.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "a.txt")
    >>> _ = path.write_bytes(b"0 qid:1 1:1\r\n")
    >>> verify_sha256(path, hashlib.sha256(b"0 qid:1 1:1\n").hexdigest())
    'OK (CRLF copy)'
    """
    if not path.is_file():
        return "MISSING"
    if sha256 is None:
        return "OK (no checksum known)"
    with path.open("rb") as file:
        # Computed anew, not taken from a note: that is what a check is for.
        if hashlib.file_digest(file, "sha256").hexdigest() == sha256:
            return "OK"
    with_lf, with_crlf = hashlib.sha256(), hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            bare = chunk.replace(b"\r", b"")
            with_lf.update(bare)
            with_crlf.update(bare.replace(b"\n", b"\r\n"))
    if with_lf.hexdigest() == sha256:
        return "OK (CRLF copy)"
    return "OK (LF copy)" if with_crlf.hexdigest() == sha256 else "FAIL"
