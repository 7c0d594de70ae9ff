"""What a result depends on: code, files, data sets, versions, machine.

A *dependency* is a key such as ``module:ltrlib.metrics.engine``, ``file:data/registry.yml`` or ``dataset:mq2008``,
with a short hash of its present state. A result is up to date while each of its dependencies still has the hash
that was noted when the result was made.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import os
import platform
import sys
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path

from ltrlib.project import ROOT

__all__ = [
    "changed_dependencies",
    "dependencies",
    "environment",
    "fingerprint",
    "loaded_modules",
    "note_dataset",
    "source_hash",
    "watch_files",
]

ABSENT = "absent"
_DATA = ROOT / "data"
# What a run opens here is not an input: data sets are noted by name and content, not by path.
_NOT_INPUTS = (_DATA / "raw",)
_SHOWN_PACKAGES = ("numpy", "scipy", "pandas", "pyarrow", "numba", "scikit-learn", "lightgbm", "jax", "matplotlib")

_files_read: set[str] = set()
_datasets: dict[str, str] = {}
_watching = False


def _short(digest: bytes | str) -> str:
    data = digest.encode() if isinstance(digest, str) else digest
    return hashlib.sha256(data).hexdigest()[:16]


def source_hash(path: Path) -> str:
    """Hash a file's meaning: for Python the syntax tree, so that comments and layout do not count; else the bytes.

    Examples
    --------
    >>> from ltrlib.project import ROOT
    >>> len(source_hash(ROOT / "ltrlib" / "errors.py"))
    16
    """
    try:
        state = path.stat()
    except FileNotFoundError:
        return ABSENT
    return _hash_of_state(path, state.st_mtime_ns, state.st_size)


@functools.lru_cache(maxsize=4096)
def _hash_of_state(path: Path, changed: int, size: int) -> str:
    # A running chapter asks for the same hundred files after each cell: parsing them again would cost seconds.
    content = path.read_bytes()
    if path.suffix == ".py":
        return _short(ast.dump(ast.parse(content)))
    return _short(content)


def loaded_modules() -> list[str]:
    """Names of the ltrlib modules that this process has imported so far.

    Examples
    --------
    >>> "ltrlib.provenance" in loaded_modules()
    True
    """
    return sorted(name for name in sys.modules if name.split(".")[0] == "ltrlib" and name != "ltrlib.__main__")


def _module_path(name: str) -> Path:
    base = ROOT.joinpath(*name.split("."))
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def fingerprint(modules: Iterable[str]) -> str:
    """One hash for the present source of the named ltrlib modules.

    Examples
    --------
    >>> fingerprint(["ltrlib.errors"]) == fingerprint(["ltrlib.errors"])
    True
    >>> fingerprint(["ltrlib.errors"]) == fingerprint(["ltrlib.project"])
    False
    """
    return _short("\n".join(f"{name} {source_hash(_module_path(name))}" for name in sorted(set(modules))))


def note_dataset(name: str, digest: str) -> None:
    """Note that the present run looked for a data set, and the digest of what it found (``"absent"`` if nothing).

    Examples
    --------
    >>> note_dataset("mq2008", "0123")
    >>> "dataset:mq2008" in dependencies()
    True
    """
    _datasets[name] = digest


def watch_files() -> None:
    """Begin to note every file of the project's ``data/`` folder that this process opens for reading.

    Examples
    --------
    >>> watch_files()
    """
    global _watching
    if not _watching:
        _watching = True
        sys.addaudithook(_note_open)


def _note_open(event: str, args: tuple[object, ...]) -> None:
    # Called for everything that the interpreter does: leave at once when it is not an open of one of our files.
    if event != "open" or not isinstance(args[0], str | os.PathLike):
        return
    path = os.path.abspath(os.fspath(args[0]))  # noqa: PTH100 (a Path would itself cost more than all the rest)
    if not path.startswith(f"{_DATA}{os.sep}"):
        return
    mode = args[1]
    if isinstance(mode, str) and any(letter in mode for letter in "wax+"):
        return
    if not any(Path(path).is_relative_to(folder) for folder in _NOT_INPUTS):
        _files_read.add(path)


@functools.cache
def _lock_hash() -> str:
    return source_hash(ROOT / "requirements.lock")


def dependencies() -> dict[str, str]:
    """Everything that this run has used so far, each with the hash of its state.

    Examples
    --------
    >>> "module:ltrlib.provenance" in dependencies()
    True
    """
    found = {f"module:{name}": source_hash(_module_path(name)) for name in loaded_modules()}
    found |= {f"file:{Path(path).relative_to(ROOT)}": source_hash(Path(path)) for path in sorted(_files_read)}
    found |= {f"dataset:{name}": digest for name, digest in sorted(_datasets.items())}
    found |= {"lock": _lock_hash(), "python": platform.python_version()}
    return found


def _present_state(key: str) -> str:
    kind, _, name = key.partition(":")
    if kind == "module":
        return source_hash(_module_path(name))
    if kind == "file":
        return source_hash(ROOT / name)
    if kind == "dataset":
        from ltrlib.datasets.loading import digest

        return digest(name)
    return {"lock": _lock_hash(), "python": platform.python_version()}[key]


def changed_dependencies(noted: Mapping[str, str]) -> list[str]:
    """Keys among noted dependencies whose state is no longer what was noted; empty means up to date.

    Examples
    --------
    >>> changed_dependencies(dependencies())
    []
    >>> changed_dependencies({"module:ltrlib.errors": "0000"})
    ['module:ltrlib.errors']
    """
    return [key for key, state in noted.items() if _present_state(key) != state]


@functools.cache
def _machine() -> dict[str, str | int]:
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        cpu = names[0] if names else cpu
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"system": platform.platform(), "cpu": cpu, "cores": os.cpu_count() or 0, "memory_gb": round(memory / 2**30)}


@functools.cache
def _versions() -> dict[str, str | int]:
    versions: dict[str, str | int] = {"python": platform.python_version()}
    for name in _SHOWN_PACKAGES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions


def environment() -> dict[str, dict[str, str | int]]:
    """Versions of Python and of the packages that decide numbers, and the machine.

    Examples
    --------
    >>> sorted(environment())
    ['machine', 'versions']
    """
    return {"versions": dict(_versions()), "machine": dict(_machine())}
