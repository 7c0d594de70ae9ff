"""What a chapter of the user's own depends on: every module and file that its kernel reads outside the installation.

Seen is what goes through Python: imports, files that are opened (also those that were not there), arguments of started
programs that are files. A library that opens files in compiled code (``pyarrow.parquet.read_table``, LightGBM's reader)
passes unseen; such files are named under ``inputs`` in the description of the sweep. What a run has written itself is
not an input of it.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import shlex
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ltrlib.project import ROOT, cache_dir, project_data
from ltrlib.records import observed

__all__ = ["KIND", "begin", "states", "used"]

KIND = "input"
"""Kind of these dependencies: ``input:`` and the path of the file."""

Stamp = tuple[int, int] | None
"""Time of change and size of a file; None if it is not there."""

_CHANGED = "changed while the point ran"
# The system, and what the interpreter and its packages read for themselves.
_SYSTEM = ("/proc", "/sys", "/dev", "/run", "/etc", "/usr", "/lib", "/lib64", "/bin", "/sbin")
# A data set of the registry is noted by its content, whatever the path.
_NOTED_ELSEWHERE = "ltrlib.datasets.loading"

_read: dict[str, Stamp] = {}
_written: set[str] = set()
_begun = False


def begin(inputs: Sequence[str] = ()) -> None:
    """Begin to note what this process reads.

    Parameters
    ----------
    inputs
        Files that count as read, because it cannot be seen whether they are.

    Examples
    --------
    >>> begin()
    """
    global _begun
    for path in inputs:
        _note_read(path)
    if not _begun:
        _begun = True
        observed.watch_files()
        sys.addaudithook(_hook)


def used() -> dict[str, Stamp]:
    """Files that this process has read so far, each as it was when it was first read.

    Examples
    --------
    >>> str(ROOT / "ltrlib" / "errors.py") in used()
    False
    """
    for module in list(sys.modules.values()):
        # One that was compiled earlier is read from a cache, so an import need not open its source.
        place = getattr(module, "__file__", None)
        if isinstance(place, str) and place != "<stdin>":
            _note_read(place)
    return {path: stamp for path, stamp in sorted(_read.items()) if path not in _written}


def states(noted: Mapping[str, Stamp | Sequence[int]]) -> dict[str, str]:
    """Dependencies, as :mod:`ltrlib.records.observed` compares them, from what :func:`used` said.

    Examples
    --------
    >>> states({"/no/such/file": None})
    {'input:/no/such/file': 'absent'}
    """
    found = {}
    for path, stamp in noted.items():
        same = _stamp(path) == (tuple(stamp) if stamp is not None else None)
        found[f"{KIND}:{path}"] = file_state(path) if same else _CHANGED
    return found


def file_state(path: str) -> str:
    """Hash of a file as it is now; of Python without comments and layout, if it can be read as such.

    Examples
    --------
    >>> file_state("/no/such/file")
    'absent'
    """
    try:
        return observed.source_hash(Path(path))
    except (SyntaxError, ValueError):
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    except OSError as error:
        return type(error).__name__


observed.register_state(KIND, file_state)


@functools.cache
def _installation() -> tuple[str, ...]:
    """Folders whose content is not the user's own."""
    folders = {sys.prefix, sys.base_prefix, str(ROOT / "ltrlib"), str(project_data()), str(cache_dir()), *_SYSTEM}
    folders |= {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {path for path in sys.path if path.endswith(("site-packages", "dist-packages"))}
    folders |= {os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")}  # noqa: PTH111
    # Cells are files there, as far as tracebacks know.
    return (*(f"{os.path.abspath(path)}{os.sep}" for path in folders), f"{tempfile.gettempdir()}/ipykernel_")  # noqa: PTH100


def _is_own(path: str) -> bool:
    return not path.startswith(_installation()) and f"{os.sep}__pycache__{os.sep}" not in path and path[:1] == os.sep


def _stamp(path: str) -> Stamp:
    try:
        state = os.stat(path)  # noqa: PTH116 (called for every file that is opened)
    except (OSError, ValueError):
        return None
    return state.st_mtime_ns, state.st_size


def _absolute(path: object) -> str:
    return os.path.abspath(os.fsdecode(path)) if isinstance(path, str | bytes | os.PathLike) else ""  # noqa: PTH100


def _note_read(given: object) -> None:
    path = _absolute(given)
    if path in _read or not _is_own(path) or (os.path.exists(path) and not os.path.isfile(path)):  # noqa: PTH110, PTH113
        return
    _read[path] = _stamp(path)


def _note_written(given: object) -> None:
    # What was read before it was written is an input all the same.
    if (path := _absolute(given)) and path not in _read:
        _written.add(path)


def _note_arguments(arguments: Iterable[object], folder: object) -> None:
    base = os.fsdecode(folder) if isinstance(folder, str | bytes | os.PathLike) else ""
    for one in arguments:
        if isinstance(one, str | bytes | os.PathLike) and os.path.isfile(path := os.path.join(base, os.fsdecode(one))):  # noqa: PTH113, PTH118
            _note_read(path)


def _read_as_data_set() -> bool:
    frame = sys._getframe(2)
    while (caller := frame.f_back) is not None:
        if caller.f_globals.get("__name__") == _NOTED_ELSEWHERE:
            return True
        frame = caller
    return False


def _hook(event: str, args: tuple[object, ...]) -> None:
    # Called for everything that the interpreter does: the first comparison must be cheap, and nothing may be raised.
    try:
        if event == "open":
            path, mode, flags = args
            if isinstance(mode, str):
                writes = any(letter in mode for letter in "wax+")
            else:
                writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR) != 0
            if writes:
                _note_written(path)
            elif isinstance(path, str) and path.endswith(".pyc"):
                # The source of an import that was compiled earlier, as it is at this moment.
                _note_read(importlib.util.source_from_cache(path))
            elif _is_own(_absolute(path)) and not _read_as_data_set():
                _note_read(path)
        elif event == "os.rename":
            _note_written(args[1])
        elif event == "subprocess.Popen":
            command = args[1]
            parts = shlex.split(command) if isinstance(command, str) else command
            _note_arguments(parts if isinstance(parts, Iterable) else (), args[2])
        elif event == "os.system":
            _note_arguments(shlex.split(os.fsdecode(args[0])), "")  # type: ignore[arg-type]
        elif event == "sqlite3.connect":
            _note_read(args[0])
    except Exception:
        return
