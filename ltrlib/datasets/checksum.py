"""The digest of a file, computed once: a note in the cache folder remembers it while the file stays as it is."""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from os import PathLike
from pathlib import Path

from ltrlib.atomic import new_file
from ltrlib.errors import DataFormatError, MissingDataError, UsageError
from ltrlib.progress import progress
from ltrlib.project import cache_dir

__all__ = ["compute_sha256", "file_sha256", "file_state"]

_READ_AT_ONCE = 1 << 20
# File times advance in steps: a file changed twice within one step looks unchanged. A file gets a note only when
# its last change is so long ago that a further one must show.
_SETTLED_AFTER_NS = 2_000_000_000


def file_sha256(path: str | PathLike[str]) -> str:
    """Return the SHA-256 of a file's bytes, from the note of an earlier call if the file has not changed since.

    Size, times of change, inode and device must all be as noted. Notes are a convenience: where none can be
    written, the digest is computed each time.

    Parameters
    ----------
    path
        The file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "x").write_bytes(b"abc")
    ...     file_sha256(Path(folder, "x"))
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    """
    where = os.fspath(path)
    try:
        real = Path(os.path.realpath(path))
        state = file_state(real)
        if not real.is_file():
            raise UsageError("not a file", where=where)
        note = _note_path(real)
        digest = _noted(note, state)
        if digest is None:
            digest = compute_sha256(real)
            if state != file_state(real):
                raise DataFormatError("the file changed while it was read", where=where)
            if time.time_ns() - max(state["mtime_ns"], state["ctime_ns"]) > _SETTLED_AFTER_NS:
                _write_note(note, state, digest)
    except FileNotFoundError:
        raise MissingDataError("no such file", where=where) from None
    except (OSError, ValueError) as error:
        raise UsageError(f"the file cannot be read: {error}", where=ascii(where)) from None
    return digest


def file_state(path: Path) -> dict[str, int]:
    """Tell what changes when a file is written: size, times, inode and device.

    Examples
    --------
    >>> sorted(file_state(Path(__file__)))
    ['ctime_ns', 'device', 'inode', 'mtime_ns', 'size']
    """
    found = path.stat()
    return {
        "size": found.st_size,
        "mtime_ns": found.st_mtime_ns,
        "ctime_ns": found.st_ctime_ns,
        "inode": found.st_ino,
        "device": found.st_dev,
    }


def _note_path(path: Path) -> Path:
    name = hashlib.sha256(os.fsencode(path)).hexdigest()[:32]
    return cache_dir() / "checksums" / f"{name}.json"


def _noted(note: Path, state: dict[str, int]) -> str | None:
    try:
        content = json.loads(note.read_bytes())
        digest = content.pop("sha256")
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        return None
    return digest if content == state and isinstance(digest, str) else None


def _write_note(note: Path, state: dict[str, int], digest: str) -> None:
    with suppress(OSError):
        note.parent.mkdir(parents=True, exist_ok=True)
        with new_file(note) as file:
            file.write(json.dumps({**state, "sha256": digest}).encode())


def compute_sha256(path: Path) -> str:
    """Compute the SHA-256 of a file's bytes, without any note.

    Examples
    --------
    >>> len(compute_sha256(Path(__file__)))
    64
    """
    digest = hashlib.sha256()
    buffer = memoryview(bytearray(_READ_AT_ONCE))
    with (
        path.open("rb", buffering=0) as file,
        progress(total=path.stat().st_size, what=f"checking {path.name}", unit="B") as bar,
    ):
        while count := file.readinto(buffer):
            digest.update(buffer[:count])
            bar.update(count)
    return digest.hexdigest()
