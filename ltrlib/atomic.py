"""Files and folders that appear complete or not at all."""

from __future__ import annotations

import ctypes
import errno
import os
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from ltrlib.errors import UsageError

__all__ = ["new_file", "new_folder", "refuse_input", "remove_forgotten"]

_UNFINISHED = ".unfinished-"
_REPLACED = ".replaced-"
_FORGOTTEN_AFTER = 24 * 3600
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


def _hidden(path: Path, why: str) -> Path:
    return path.with_name(f".{path.name[:80]}{why}{secrets.token_hex(6)}")


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """Write a file under another name, and give it its own when all is written to disk.

    Links are followed: what they lead to is replaced, with its permissions kept. What is not a regular file (a device,
    a pipe) is never replaced: it is written to, after everything has been gathered elsewhere.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_file(Path(folder, "x")) as file:
    ...         _ = file.write(b"abc")
    ...     Path(folder, "x").read_bytes()
    b'abc'
    """
    if path.is_dir():
        raise UsageError("this is a folder, where a file is to be written", where=path, cure="name a file in it")
    with _named_in_errors(path):
        if _is_special(path):
            with tempfile.TemporaryFile() as gathered:
                yield gathered
                gathered.seek(0)
                with path.open("wb") as device:
                    shutil.copyfileobj(gathered, device)
            return
        target = path.resolve()
        unfinished = _hidden(target, _UNFINISHED)
        try:
            with unfinished.open("xb") as file:
                with suppress(OSError):
                    os.fchmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))
                yield file
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)


def _is_special(path: Path) -> bool:
    """Whether there is something that is no regular file, or a name that stands for an open one (``/dev/stdout``)."""
    try:
        regular = stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False
    folder = Path(os.path.realpath(path.parent))
    return not regular or (path.is_symlink() and folder.parts[:2] in (("/", "dev"), ("/", "proc")))


@contextmanager
def _named_in_errors(path: Path) -> Iterator[None]:
    """Let errors of the system name the file that was asked for: a full disk names none, others a temporary name."""
    try:
        yield
    except OSError as error:
        named = error.filename is None or _UNFINISHED in os.fspath(error.filename)
        if error.errno is None or not named or isinstance(error, BrokenPipeError):
            raise
        raise type(error)(error.errno, os.strerror(error.errno), str(path)) from error


def refuse_input(output: Path, *inputs: Path) -> None:
    """Raise when what is to be written is also what was read, under whatever name.

    Examples
    --------
    >>> refuse_input(Path("page.html"), Path("results.csv"))
    >>> refuse_input(Path("a/../results.csv"), Path("results.csv"))
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: a/../results.csv: this is the input, which would be overwritten
      to do: choose another name for the output
    """
    for given in inputs:
        same = output.resolve() == given.resolve()
        with suppress(OSError):
            same = same or output.samefile(given)
        if same:
            raise UsageError(
                "this is the input, which would be overwritten", where=output, cure="choose another name for the output"
            )


@contextmanager
def new_folder(path: Path, *, replace: bool = False) -> Iterator[Path]:
    """Fill a folder under another name, and give it its own at the end.

    Parameters
    ----------
    path
        The folder to make; where it is a link to a folder, what it leads to.
    replace
        Whether an older folder of that name gives way; otherwise there must be none. At every moment there is the old
        one or the new one.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as place:
    ...     with new_folder(Path(place, "x")) as folder:
    ...         _ = Path(folder, "y").write_text("abc")
    ...     Path(place, "x", "y").read_text()
    'abc'
    """
    if not replace and path.exists():
        raise UsageError("there is something of this name already", where=path, cure="remove it or choose another name")
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = _hidden(path, _UNFINISHED)
    with _named_in_errors(path):
        unfinished.mkdir()
        try:
            yield unfinished
            # Open memory maps of the older files stay valid: their bytes go when nobody uses them any more.
            if not (replace and path.exists()):
                unfinished.rename(path)
            elif not _exchange(unfinished, path):
                old = _hidden(path, _REPLACED)
                with suppress(FileNotFoundError):
                    path.rename(old)
                unfinished.rename(path)
                with suppress(FileNotFoundError):
                    # Half removed, it must not be taken for the old one.
                    old.rename(unfinished)
        finally:
            _remove(unfinished)


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders swap their names in one step, where the system can (Linux); tell whether it did."""
    try:
        swap = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    done = swap(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), ctypes.c_uint(_RENAME_EXCHANGE))
    if done and ctypes.get_errno() not in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.ENOENT):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(other))
    return bool(done == 0)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


def remove_forgotten(folder: Path) -> None:
    """Remove what was left behind when a process was killed while it wrote, a day ago or more.

    Where it was killed between taking a folder's name away and giving it to the new one, the old one gets it back.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     remove_forgotten(Path(folder))
    """
    for left in sorted(folder.glob(f".*{_REPLACED}*"), key=lambda path: -path.lstat().st_ctime_ns):
        original = left.with_name(left.name[1:].partition(_REPLACED)[0])
        if not original.exists():
            with suppress(OSError):
                left.rename(original)
    for left in [*folder.glob(f".*{_UNFINISHED}*"), *folder.glob(f".*{_REPLACED}*")]:
        with suppress(OSError):
            if time.time() - left.lstat().st_mtime > _FORGOTTEN_AFTER:
                _remove(left)
