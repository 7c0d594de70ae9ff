"""Files and folders that appear complete or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from ltrlib.errors import UsageError

__all__ = ["new_file", "new_folder", "remove_forgotten"]

_UNFINISHED = ".unfinished-"
_FORGOTTEN_AFTER = 24 * 3600


def _unfinished(path: Path) -> Path:
    return path.with_name(f".{path.name[:80]}{_UNFINISHED}{secrets.token_hex(6)}")


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """Write a file under another name, and give it its own when all is written to disk.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_file(Path(folder, "x")) as file:
    ...         _ = file.write(b"abc")
    ...     Path(folder, "x").read_bytes()
    b'abc'
    """
    unfinished = _unfinished(path)
    try:
        with unfinished.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def new_folder(path: Path, *, replace: bool = False) -> Iterator[Path]:
    """Fill a folder under another name, and give it its own at the end.

    Parameters
    ----------
    path
        The folder to make.
    replace
        Whether an older folder of that name gives way; otherwise there must be none.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     with new_folder(Path(place, "x")) as folder:
    ...         _ = Path(folder, "y").write_text("abc")
    ...     Path(place, "x", "y").read_text()
    'abc'
    """
    if not replace and path.exists():
        raise UsageError("there is something of this name already", where=path, cure="remove it or choose another name")
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = _unfinished(path)
    unfinished.mkdir()
    try:
        yield unfinished
        if replace:
            # Open memory maps of the older files stay valid: their bytes go when nobody uses them any more.
            with suppress(FileNotFoundError):
                path.rename(old := _unfinished(path))
                shutil.rmtree(old, ignore_errors=True)
        unfinished.rename(path)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def remove_forgotten(folder: Path) -> None:
    """Remove what was left behind when a process was killed while it wrote, a day ago or more.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     remove_forgotten(Path(folder))
    """
    for left in folder.glob(f".*{_UNFINISHED}*"):
        if time.time() - left.stat().st_mtime > _FORGOTTEN_AFTER:
            shutil.rmtree(left, ignore_errors=True)
