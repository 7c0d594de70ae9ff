"""Downloads that are verified, for sets with a public link or on the package index; instructions for the others."""

from __future__ import annotations

import http.client
import shutil
import tempfile
import textwrap
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pooch

from ltrlib import __version__
from ltrlib.datasets.conversions import CONVERSIONS
from ltrlib.datasets.entries import DataSet
from ltrlib.datasets.importing import ImportReport, import_dataset
from ltrlib.datasets.source_package import fetch_package
from ltrlib.errors import DownloadError, UsageError
from ltrlib.progress import progress
from ltrlib.project import data_search_path

__all__ = ["ResumingDownloader", "download", "get", "instructions", "terms"]

_CHUNK = 1 << 16


def get(entry: DataSet, *, replace: bool = False) -> ImportReport:
    """Download a data set, from its links or out of a source distribution, verify it and put it into ``data/raw``.

    What an interrupted run has fetched is kept; the next run goes on from there.

    Parameters
    ----------
    entry
        The data set; it must have links, or be on the package index.
    replace
        Whether files that are in ``data/raw`` already may be replaced.

    Examples
    --------
    >>> from ltrlib.datasets.registry import dataset
    >>> get(dataset("mq2008"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: mq2008 has no direct public link
      to do: ...
    """
    if not entry.download and entry.package is None:
        raise UsageError(f"{entry.name} has no direct public link", cure=instructions(entry))
    raw = data_search_path()[-1]
    if entry.package is not None:
        raw.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".get-{entry.name}-", dir=raw) as folder:
            return import_dataset(entry, fetch_package(entry.package, Path(folder)), replace=replace)
    staging = raw / f".get-{entry.name}"
    files = {name: (name, digest) for part in entry.parts.values() for name, digest in part.known_files()}
    files |= {ours: (theirs.name, theirs.sha256) for ours, theirs in CONVERSIONS.get(entry.name, {}).items()}
    try:
        for ours, url in entry.download.items():
            name, digest = files[ours]
            download(url, staging / name, digest)
    except DownloadError:
        if not any(staging.iterdir()):
            staging.rmdir()
        raise
    report = import_dataset(entry, staging, replace=replace)
    shutil.rmtree(staging)
    return report


def terms(entry: DataSet) -> str:
    """What a user must know before a download begins: whose it is, and under which terms.

    Examples
    --------
    >>> from ltrlib.datasets.registry import dataset
    >>> print(terms(dataset("mslr-web10k-sample")))
    MSLR-WEB10K, the first 5,000 rows of Fold 1
      publisher: Microsoft Research; the cut is shipped with the tests of the package rankeval 0.8.2
      page:      https://www.microsoft.com/en-us/research/project/mslr/
      terms:     Research use under the online agreement on the publisher's page; not to be passed on.
      from:      the source distribution of rankeval 0.8.2 on the package index, by pip
    """
    package = entry.package
    where = (
        f"the source distribution of {package.name} {package.version} on the package index, by pip" if package else ""
    )
    lines = [
        entry.title,
        f"  publisher: {entry.publisher}",
        f"  page:      {entry.page}",
        f"  terms:     {entry.terms}",
        *([f"  from:      {where}"] if where else []),
    ]
    return "\n".join(lines)


def instructions(entry: DataSet) -> str:
    """Say how to get a data set that must be asked for.

    Examples
    --------
    >>> from ltrlib.datasets.registry import dataset
    >>> print(instructions(dataset("mslr-web10k")))
    MSLR-WEB10K: no direct public link.
      terms: Research use under the online agreement on the publisher's page; not to be passed on.
      page:  https://www.microsoft.com/en-us/research/project/mslr/
      1. Read and accept the online agreement on the publisher's page and download MSLR-WEB10K.zip.
      2. ltrlib data import mslr-web10k PATH
         where PATH is the downloaded archive (zip or tar) or the folder it was unpacked to.
    """
    lines = (
        f"{entry.title}: no direct public link.",
        f"  terms: {entry.terms}",
        f"  page:  {entry.page}",
        f"  1. {entry.obtain}",
        f"  2. ltrlib data import {entry.name} PATH",
        "     where PATH is the downloaded archive (zip or tar) or the folder it was unpacked to.",
    )
    return "\n".join(textwrap.fill(line, 110, subsequent_indent=" " * 5, break_on_hyphens=False) for line in lines)


def download(url: str, target: Path, sha256: str | None) -> Path:
    """Download one file; it appears under its name only when it is complete and verified.

    Parameters
    ----------
    url
        Where from.
    target
        Where to; the bytes so far are beside it, in a file with ``.part`` behind the name.
    sha256
        What it must be; None accepts anything.

    Examples
    --------
    >>> import tempfile
    >>> download("http://127.0.0.1:1/x", Path(tempfile.mkdtemp(), "x"), None)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.DownloadError: http://127.0.0.1:1/x: the server cannot be reached ...
    """
    # Its messages would only repeat what the progress bar and the errors say.
    pooch.get_logger().setLevel("WARNING")
    part = target.with_name(f"{target.name}.part")
    try:
        pooch.retrieve(
            url,
            known_hash=None if sha256 is None else f"sha256:{sha256}",
            fname=target.name,
            path=target.parent,
            downloader=ResumingDownloader(part),
        )
    except ValueError as error:
        raise DownloadError(
            f"{target.name} is not the file that the registry knows (wrong sha256); it was removed",
            where=url,
            cure="try again; if it stays so, the publisher has changed the file",
        ) from error
    return target


@dataclass(frozen=True)
class ResumingDownloader:
    """A downloader for pooch that goes on where an earlier attempt, or an earlier run, stopped.

    Parameters
    ----------
    part
        The file that keeps the bytes so far.
    timeout
        Seconds without a byte after which the connection counts as lost.

    Examples
    --------
    >>> ResumingDownloader(Path("rank.train.part")).timeout
    30.0
    """

    part: Path
    timeout: float = 30.0

    def __call__(self, url: str, output_file: str, pooch: object = None) -> None:
        """Download ``url`` and move the complete file to ``output_file``."""
        while True:
            before = self._size()
            try:
                if self._receive(url):
                    self.part.replace(output_file)
                    return
                reason = "the connection was cut off"
            except urllib.error.HTTPError as error:
                error.close()
                if error.code != http.client.REQUESTED_RANGE_NOT_SATISFIABLE or not before:
                    raise self._failed(url, f"the server answers {error.code} {error.reason}") from None
                # What we have cannot be the beginning of what is there now.
                self.part.unlink()
                continue
            except (OSError, http.client.HTTPException) as error:
                reason = f"the server cannot be reached ({getattr(error, 'reason', error) or type(error).__name__})"
            if self._size() <= before:
                raise self._failed(url, reason)

    def _size(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def _failed(self, url: str, reason: str) -> DownloadError:
        kept = f"; {self._size():,} bytes are kept" if self._size() else ""
        return DownloadError(reason + kept, where=url, cure="run the same command again, it goes on where it stopped")

    def _receive(self, url: str) -> bool:
        """Append what the server sends; return whether the file is complete."""
        headers = {"User-Agent": f"ltrlib/{__version__}", "Accept-Encoding": "identity"}
        if start := self._size():
            headers["Range"] = f"bytes={start}-"
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=self.timeout) as answer:
            resumed = answer.status == http.client.PARTIAL_CONTENT and _first_byte(answer) == start
            announced = answer.headers.get("Content-Length")
            left = None if announced is None else int(announced)
            total = None if left is None else left + (start if resumed else 0)
            with (
                self.part.open("ab" if resumed else "wb") as file,
                progress(total=total, what=f"downloading {self.part.stem}", unit="B") as bar,
            ):
                received = 0
                while chunk := answer.read(_CHUNK):
                    file.write(chunk)
                    received += len(chunk)
                    bar.update(len(chunk))
        return left is None or received == left


def _first_byte(answer: Any) -> int | None:
    """First position of the range that the server sends (``Content-Range: bytes 100-199/200``)."""
    unit, _, positions = answer.headers.get("Content-Range", "").partition(" ")
    first = positions.partition("-")[0]
    return int(first) if unit == "bytes" and first.isdigit() else None
