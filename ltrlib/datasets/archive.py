"""Safe unpacking: nothing outside the target, no links or devices, limited size, all or nothing."""

from __future__ import annotations

import bz2
import gzip
import lzma
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import BufferedIOBase
from pathlib import Path, PurePosixPath
from typing import IO, TypeAlias

from ltrlib.atomic import new_folder
from ltrlib.errors import DataFormatError, UsageError
from ltrlib.progress import progress

__all__ = ["Limits", "is_archive", "unpack"]

_TAR = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_SINGLE = {".gz": gzip.GzipFile, ".bz2": bz2.BZ2File, ".xz": lzma.LZMAFile}
_FOREIGN = (".rar", ".7z")
_CHUNK = 1 << 20

_Stream: TypeAlias = IO[bytes] | BufferedIOBase


@dataclass(frozen=True)
class Limits:
    """How much an archive may hold; MSLR-WEB30K, the largest known set, needs 20 GB in 15 files.

    Parameters
    ----------
    bytes
        Of the files that are wanted.
    files
        Entries of any kind.
    everything
        Bytes of all files, wanted or not.

    Examples
    --------
    >>> Limits().files
    100000
    """

    bytes: int = 64 << 30
    files: int = 100_000
    everything: int = 64 << 30


def is_archive(path: str | Path) -> bool:
    """Whether the name is one of an archive or a compressed file, including kinds that must be unpacked by hand.

    Examples
    --------
    >>> is_archive("ltrc_yahoo.tar.bz2"), is_archive("MQ2008.rar"), is_archive("train.txt")
    (True, True, False)
    """
    return str(path).lower().endswith((".zip", *_TAR, *_SINGLE, *_FOREIGN))


def unpack(
    archive: Path, target: Path, *, wanted: Callable[[str], bool] | None = None, limits: Limits | None = None
) -> list[str]:
    """Unpack an archive into a new folder and return the names of the files, or raise and leave nothing.

    Parameters
    ----------
    archive
        A zip or tar file (plain, gz, bz2, xz), or one file compressed with gz, bz2 or xz.
    target
        The folder to make; it must not exist yet.
    wanted
        Tells by its name inside the archive whether a file is to be unpacked; default all.
    limits
        When to stop. Never more is written than leaves a tenth of the disk free.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with zipfile.ZipFile(folder / "a.zip", "w") as file:
    ...     file.writestr("MQ2008/Fold1/train.txt", "0 qid:1 1:0.5")
    >>> unpack(folder / "a.zip", folder / "new")
    ['MQ2008/Fold1/train.txt']
    """
    with new_folder(target) as unfinished, _damage_reported(archive):
        return _unpack_into(archive, unfinished, wanted, limits or Limits())


@dataclass(frozen=True)
class _Member:
    name: str
    size: int
    open: Callable[[], _Stream]


def _unpack_into(archive: Path, folder: Path, wanted: Callable[[str], bool] | None, limits: Limits) -> list[str]:
    names: list[str] = []
    entries = declared = wanted_bytes = written = 0
    disk = shutil.disk_usage(folder)
    room = max(0, disk.free - disk.total // 10)
    with progress(what=f"unpacking {archive.name}", unit="B") as bar:
        for member in _members(archive):
            entries, declared = entries + 1, declared + (member.size if member else 0)
            if entries > limits.files:
                raise DataFormatError(f"more than {limits.files:,} entries", where=archive)
            if declared > limits.everything:
                raise _too_large(archive, limits.everything)
            if member is None or (wanted is not None and not wanted(member.name)):
                continue
            wanted_bytes += member.size
            _check_size(archive, wanted_bytes, limits.bytes, room)
            path = folder / member.name
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                output = path.open("xb")
            except (FileExistsError, NotADirectoryError, IsADirectoryError):
                raise DataFormatError(f"two entries need the place of {member.name!r}", where=archive) from None
            with output, member.open() as source:
                while chunk := source.read(_CHUNK):
                    written += len(chunk)
                    # The declared size may be a lie.
                    _check_size(archive, written, limits.bytes, room)
                    output.write(chunk)
                    bar.update(len(chunk))
            names.append(member.name)
    return names


def _check_size(archive: Path, size: int, limit: int, room: int) -> None:
    if size > limit:
        raise _too_large(archive, limit)
    if size > room:
        raise UsageError(
            f"unpacked it would leave less than a tenth of the disk free: it has more than {room:,} bytes",
            where=archive,
            cure="free some space, or unpack it elsewhere and give the folder",
        )


def _too_large(archive: Path, limit: int) -> DataFormatError:
    return DataFormatError(f"more than {limit:,} bytes when unpacked", where=archive)


def _members(archive: Path) -> Iterator[_Member | None]:
    """Yield the files in the archive's order, None for a folder; raise at anything else."""
    name = archive.name.lower()
    if name.endswith(_FOREIGN):
        kind = name.rpartition(".")[2]
        raise DataFormatError(
            f"{kind} archives cannot be read here",
            where=archive,
            cure=f"unpack it ({'unrar x' if kind == 'rar' else '7z x'} {archive.name}) and give the folder instead",
        )
    if name.endswith(".zip"):
        yield from _zip_members(archive)
    elif name.endswith(_TAR):
        yield from _tar_members(archive)
    elif suffix := next((suffix for suffix in _SINGLE if name.endswith(suffix)), None):
        yield _Member(_safe(archive.name[: -len(suffix)], archive), 0, partial(_SINGLE[suffix], archive))
    else:
        raise DataFormatError(
            "neither a folder nor a known kind of archive", where=archive, cure="give a folder, zip, or tar file"
        )


def _zip_members(archive: Path) -> Iterator[_Member | None]:
    with zipfile.ZipFile(archive) as file:
        for info in file.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            # Zip files made outside Unix leave the kind empty.
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise _not_a_file(info.filename, archive)
            if info.flag_bits & 1:
                raise DataFormatError("the archive is encrypted", where=archive, cure="unpack it by hand")
            name = _safe(info.filename, archive)
            yield None if info.is_dir() else _Member(name, info.file_size, partial(file.open, info))


def _tar_members(archive: Path) -> Iterator[_Member | None]:
    # A stream: one pass, nothing is sought, so that each file must be read before the next is asked for.
    with tarfile.open(archive, "r|*") as file:
        for info in file:
            if not (info.isdir() or info.isreg()) or info.issparse():
                raise _not_a_file(info.name, archive)
            name = _safe(info.name, archive)
            yield None if info.isdir() else _Member(name, info.size, partial(_extract, file, info))


def _extract(file: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    source = file.extractfile(info)
    assert source is not None  # Only regular files come here.
    return source


def _not_a_file(name: str, archive: Path) -> DataFormatError:
    return DataFormatError(
        f"{name!r} is a link or a special file", where=archive, cure="unpack it by hand if you trust it"
    )


def _safe(name: str, archive: Path) -> str:
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or any(":" in part for part in path.parts) or "\0" in name:
        raise DataFormatError(
            f"{name!r} leads outside the target folder", where=archive, cure="do not trust this archive"
        )
    return str(path)


@contextmanager
def _damage_reported(archive: Path) -> Iterator[None]:
    try:
        yield
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError) as error:
        raise _damaged(archive, error) from None
    except OSError as error:
        # bz2 and gzip report damage as an OSError without a number; a full disk has one.
        if error.errno is None:
            raise _damaged(archive, error) from None
        raise


def _damaged(archive: Path, error: Exception) -> DataFormatError:
    detail = str(error) or type(error).__name__
    return DataFormatError(f"the archive is damaged ({detail})", where=archive, cure="get it again")
