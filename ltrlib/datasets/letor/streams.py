"""Files as streams of bytes: plain, compressed, or one member of an archive.

The kind of a file is told by its first bytes, not by its name. Whatever a decoder raises on damaged data comes out
as one :class:`~ltrlib.errors.DataFormatError`.
"""

from __future__ import annotations

import bz2
import gzip
import importlib
import io
import lzma
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from os import PathLike, fstat
from pathlib import Path, PurePosixPath
from typing import IO, Any

from ltrlib.errors import DataFormatError, LtrlibError, MissingDataError, UsageError

__all__ = ["STANDARD_INPUT", "ByteStream", "open_stream"]


def _zstandard(file: Any) -> Any:
    """Decode with what is installed: Python's own module (from 3.14), the package zstandard, or pyarrow."""
    for module, make in _ZSTANDARD:
        with suppress(ImportError):
            return make(importlib.import_module(module), file)
    raise UsageError(
        "the file is compressed by zstandard, and nothing that reads it is installed",
        cure='pip install "ltrlib[compare]", or the package zstandard alone; or decompress the file first: zstd -d',
    )


_ZSTANDARD: tuple[tuple[str, Callable[[Any, Any], Any]], ...] = (
    ("compression.zstd", lambda module, file: module.ZstdFile(file)),
    ("zstandard", lambda module, file: io.BufferedReader(module.ZstdDecompressor().stream_reader(file))),
    ("pyarrow", lambda module, file: io.BufferedReader(_Readable(module.CompressedInputStream(_Lent(file), "zstd")))),
)


class _Lent:
    """A file for pyarrow, which would close the file itself."""

    closed = False

    def __init__(self, file: Any) -> None:
        self.read = file.read

    def close(self) -> None:
        pass


class _Readable(io.RawIOBase):
    """A stream of pyarrow's as Python expects one."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content = self._stream.read(len(buffer))
        buffer[: len(content)] = content
        return len(content)


def _lz4(_: Any) -> Any:
    raise UsageError("files compressed by lz4 are not read", cure="decompress the file first: lz4 -d")


_MAGIC: dict[bytes, tuple[str, Callable[[Any], Any]]] = {
    b"\x1f\x8b": ("gzip", lambda file: gzip.GzipFile(fileobj=file, mode="rb")),
    b"\xfd7zXZ\x00": ("xz", lzma.LZMAFile),
    b"BZh": ("bzip2", bz2.BZ2File),
    b"\x28\xb5\x2f\xfd": ("zstandard", _zstandard),
    b"\x04\x22\x4d\x18": ("lz4", _lz4),
}
STANDARD_INPUT = "-"
"""What names standard input where a file is expected."""

_ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_TAR_BLOCK = 512
_TAR_MAGIC = slice(257, 262)
_BUFFER = 1 << 20
_LISTED = 10


class ByteStream:
    """Bytes of one file or archive member, with a name for messages and a position for progress bars.

    Parameters
    ----------
    name
        How messages call it: the path, inside an archive ``path!member``.
    file
        Where the decoded bytes come from.
    kind
        What decodes them, for messages; empty for a plain file.
    raw
        The file on disk below all decoders.

    Examples
    --------
    >>> stream = ByteStream("example", io.BytesIO(b"abc"), "", io.BytesIO(b"abc"))
    >>> buffer = bytearray(8)
    >>> stream.fill(memoryview(buffer)), bytes(buffer[:3])
    (3, b'abc')
    """

    def __init__(self, name: str, file: IO[bytes], kind: str, raw: IO[bytes]) -> None:
        self.name = name
        self._file: Any = file
        self._kind = kind
        self._raw = raw

    def fill(self, buffer: memoryview) -> int:
        """Read until the buffer is full or the data ends; return the number of bytes."""
        done = 0
        with _damage_reported(self.name, self._kind):
            while done < len(buffer) and (count := self._file.readinto(buffer[done:])):
                done += count
        return done

    @property
    def size(self) -> int:
        """Bytes of the file on disk."""
        try:
            return fstat(self._raw.fileno()).st_size
        except OSError:  # standard input that is no file
            return 0

    @property
    def position(self) -> int:
        """Bytes read so far from the file on disk."""
        try:
            return self._raw.tell()
        except OSError:  # a pipe
            return 0


@contextmanager
def open_stream(path: str | PathLike[str], member: str | None = None) -> Iterator[ByteStream]:
    """Open a plain, gzip, xz, bzip2, zstandard, zip or tar file (tar also compressed) for reading.

    Parameters
    ----------
    path
        The file, or ``-`` for standard input. A pipe may be compressed, but cannot be an archive.
    member
        Which file of an archive: its name, or the end of its name from a ``/`` on. Not needed when the archive
        holds one file (hidden ones do not count).

    Examples
    --------
    >>> with open_stream(__file__) as stream:
    ...     stream.fill(memoryview(bytearray(3)))
    3
    """
    path = Path(path)
    with ExitStack() as stack:
        raw = stack.enter_context(_open_raw(path))
        with _damage_reported(str(path), ""):
            head = raw.peek(max(map(len, _MAGIC)))
        once = not raw.seekable()
        if head.startswith(_ZIP_MAGIC) and once:
            raise UsageError("a zip archive cannot be read from a pipe", where=path, cure="name the file")
        if head.startswith(_ZIP_MAGIC):
            yield _zip_member(path, member, raw, stack)
            return
        kind, decoder = next((entry for magic, entry in _MAGIC.items() if head.startswith(magic)), ("", _undecoded))
        if not once and _holds_tar(path, raw, kind, decoder):
            yield _tar_member(path, member, kind, decoder, raw, stack)
            return
        if member is not None:
            raise UsageError(f"the file is no archive, so it has no member {member!r}", where=path)
        file = raw if decoder is _undecoded else stack.enter_context(decoder(raw))
        yield ByteStream(str(path), file, kind, raw)


def _undecoded(file: Any) -> Any:
    return file


def _open_raw(path: Path) -> io.BufferedReader:
    if str(path) == STANDARD_INPUT:
        # What is behind it may be a file, a pipe, or what a test puts there.
        standard: Any = getattr(sys.stdin, "buffer", None)
        if standard is None:
            raise UsageError("there is no standard input", where=path)
        return standard if isinstance(standard, io.BufferedReader) else io.BufferedReader(standard, _BUFFER)
    if path.is_dir():
        raise UsageError("not a file", where=path)
    try:
        return io.BufferedReader(io.FileIO(path), _BUFFER)
    except FileNotFoundError:
        raise MissingDataError("no such file", where=path) from None
    except (OSError, ValueError) as error:
        raise UsageError(f"the file cannot be opened: {error}", where=ascii(str(path))) from None


@contextmanager
def _damage_reported(name: str, kind: str) -> Iterator[None]:
    # The decoders raise a dozen kinds of errors on damaged data, some undocumented; all mean the same here.
    try:
        yield
    except LtrlibError:
        raise
    except Exception as error:
        what = f"the {kind} data is damaged or cut off" if kind else "the file cannot be read"
        raise DataFormatError(f"{what} ({error or type(error).__name__})", where=name) from error


def _holds_tar(path: Path, raw: IO[bytes], kind: str, decoder: Callable[[Any], Any]) -> bool:
    with _damage_reported(str(path), kind):
        start = raw.tell()
        found = bool(decoder(raw).read(_TAR_BLOCK)[_TAR_MAGIC] == b"ustar")
        raw.seek(start)
        return found


def _zip_member(path: Path, member: str | None, raw: IO[bytes], stack: ExitStack) -> ByteStream:
    with _damage_reported(str(path), "zip"):
        archive = stack.enter_context(zipfile.ZipFile(raw))
        name = _choose(path, member, (info.filename for info in archive.infolist() if not info.is_dir()))
        return ByteStream(f"{path}!{name}", stack.enter_context(archive.open(name)), "zip", raw)


def _tar_member(
    path: Path, member: str | None, kind: str, decoder: Callable[[Any], Any], raw: IO[bytes], stack: ExitStack
) -> ByteStream:
    kind = f"{kind} tar".lstrip()
    with _damage_reported(str(path), kind):
        # A name that matches exactly needs no list of all members, which would decode the whole archive first.
        found = _next_tar_member(_tar_stream(decoder(raw), stack), member)
        if found is None:
            with _open_raw(path) as again, ExitStack() as listing:
                members = _tar_stream(decoder(again), listing)
                name = _choose(path, member, (info.name for info in members if info.isfile()))
            raw.seek(0)
            found = _next_tar_member(_tar_stream(decoder(raw), stack), name)
        if found is None:
            raise DataFormatError("the archive changed while it was read", where=path)
        return ByteStream(f"{path}!{found[0]}", stack.enter_context(found[1]), kind, raw)


def _tar_stream(file: Any, stack: ExitStack) -> tarfile.TarFile:
    return stack.enter_context(tarfile.open(fileobj=stack.enter_context(file), mode="r|", bufsize=_BUFFER))


def _next_tar_member(archive: tarfile.TarFile, name: str | None) -> tuple[str, IO[bytes]] | None:
    for info in archive if name is not None else ():
        if info.name == name and info.isfile() and (file := archive.extractfile(info)):
            return info.name, file
    return None


def _choose(path: Path, wanted: str | None, names: Iterable[str]) -> str:
    candidates = [name for name in names if not _is_hidden(name)]
    fitting = [name for name in candidates if wanted is None or f"/{name}".endswith(f"/{wanted}")]
    if wanted in fitting:
        fitting = [wanted]
    if len(fitting) == 1:
        return fitting[0]
    shown = ", ".join(map(ascii, candidates[:_LISTED])) + (", …" if len(candidates) > _LISTED else "")
    wish = "one file" if wanted is None else f"one file {wanted!r}"
    raise UsageError(
        f"need {wish} in the archive, found {len(fitting)}",
        where=path,
        cure=f"give member=, one of: {shown}" if candidates else "check the archive: it holds no file",
    )


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts if part not in {".", ".."})
