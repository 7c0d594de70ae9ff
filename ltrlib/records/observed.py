"""What a run depends on, noted while it runs: modules, files, data sets, printed numbers, versions, machine.

A *dependency* is a key such as ``module:ltrlib.metrics.engine``, ``file:data/registry.yml`` or ``dataset:mq2008``,
with a short hash of its present state. A result is up to date while each of its dependencies still has the hash
that was noted when the result was made. How to ask for the present state of a kind of dependency is registered by
whoever knows it: this package knows modules and files only.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import ParamSpec, Protocol, TypeVar

from ltrlib.project import ROOT, project_data, project_name, project_path
from ltrlib.records.definitions import meaning
from ltrlib.records.source import Source

__all__ = [
    "ABSENT",
    "Notes",
    "changed_dependencies",
    "changed_inputs",
    "dependencies",
    "environment",
    "file_states",
    "loaded_modules",
    "note",
    "note_source",
    "notes_source",
    "noting",
    "register_state",
    "remembered",
    "source_hash",
    "watch_files",
]

ABSENT = "absent"
_DATA = project_data()
# What a run opens here is not an input: data sets are noted by name and content, not by path.
_NOT_INPUTS = (_DATA / "raw",)
_SHOWN_PACKAGES = ("numpy", "scipy", "pandas", "pyarrow", "numba", "scikit-learn", "lightgbm", "jax", "matplotlib")

_watching = False
_states: dict[str, Callable[[str], str]] = {}

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(eq=False)
class Notes:
    """What was used while notes were taken.

    Examples
    --------
    >>> with noting() as notes:
    ...     note("dataset:mq2008", "0123")
    >>> notes.states
    {'dataset:mq2008': '0123'}
    """

    states: dict[str, str] = field(default_factory=dict)
    sources: dict[Source, None] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)

    def add(self, other: Notes) -> None:
        """Take over what another part of the run has noted."""
        self.states |= other.states
        self.sources |= other.sources
        self.files |= other.files


_everything = Notes()
_open: list[Notes] = []


@contextmanager
def noting() -> Iterator[Notes]:
    """Collect what is used inside the block, beside what the whole process has used."""
    notes = Notes()
    _open.append(notes)
    try:
        yield notes
    finally:
        _open.remove(notes)


def note(key: str, state: str, *, page: bool = True) -> None:
    """Note that the present run used something, and in which state it found it.

    Parameters
    ----------
    key
        What was used.
    state
        The hash of its state.
    page
        Whether it counts for a whole page too; what a page reads from files is seen by :func:`watch_files`.

    Examples
    --------
    >>> note("dataset:mq2008", ABSENT)
    >>> dependencies()["dataset:mq2008"]
    'absent'
    """
    for notes in (_everything, *_open) if page else _open:
        notes.states[key] = state


def note_source(source: Source) -> None:
    """Note that the present run read some data.

    Examples
    --------
    >>> with noting() as notes:
    ...     note_source(Source("mq2008", "Fold1/test"))
    >>> [str(source) for source in notes.sources]
    ['mq2008 Fold1/test']
    """
    for notes in (_everything, *_open):
        notes.sources[source] = None


class _HasSource(Protocol):
    @property
    def source(self) -> Source: ...


D = TypeVar("D", bound=_HasSource)


def notes_source(load: Callable[P, D]) -> Callable[P, D]:
    """Let a function that loads data note where they came from.

    Examples
    --------
    >>> class Data:
    ...     source = Source("mq2008")
    >>> with noting() as notes:
    ...     _ = notes_source(Data)()
    >>> [str(source) for source in notes.sources]
    ['mq2008']
    """

    @functools.wraps(load)
    def noted(*args: P.args, **kwargs: P.kwargs) -> D:
        data = load(*args, **kwargs)
        note_source(data.source)
        return data

    return noted


def remembered(maxsize: int | None = 1) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the last results of a function, and with each what was noted while it was computed.

    With a plain cache only the first caller would be seen to depend on the data.

    Parameters
    ----------
    maxsize
        How many results to keep; all, if None.

    Examples
    --------
    >>> @remembered()
    ... def read(name):
    ...     note(f"dataset:{name}", "0123")
    ...     return name.upper()
    >>> with noting() as first:
    ...     _ = read("a")
    >>> with noting() as second:
    ...     _ = read("a")
    >>> first.states == second.states
    True
    """

    def wrap(function: Callable[P, R]) -> Callable[P, R]:
        @functools.lru_cache(maxsize=maxsize)
        def kept(*args: P.args, **kwargs: P.kwargs) -> tuple[R, Notes]:
            with noting() as notes:
                return function(*args, **kwargs), notes

        @functools.wraps(function)
        def ask(*args: P.args, **kwargs: P.kwargs) -> R:
            result, notes = kept(*args, **kwargs)  # type: ignore[arg-type]
            _everything.files |= notes.files
            _everything.sources |= notes.sources
            for one in _open:
                one.add(notes)
            return result

        return ask

    return wrap


def source_hash(path: Path) -> str:
    """Hash what a file says: Python without comments, docstrings and layout, everything else byte by byte.

    Examples
    --------
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
    return meaning(content.decode()) if path.suffix == ".py" else hashlib.sha256(content).hexdigest()[:16]


def loaded_modules() -> list[str]:
    """Names of the ltrlib modules that this process has imported so far.

    Examples
    --------
    >>> "ltrlib.records.observed" in loaded_modules()
    True
    """
    return sorted(name for name in sys.modules if name.split(".")[0] == "ltrlib" and name != "ltrlib.__main__")


def _module_path(name: str) -> Path:
    base = ROOT.joinpath(*name.split("."))
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


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
        for notes in (_everything, *_open):
            notes.files.add(path)


@functools.cache
def _lock_hash() -> str:
    return source_hash(ROOT / "requirements.lock")


def dependencies() -> dict[str, str]:
    """Everything that this process has used so far, each with the hash of its state.

    Examples
    --------
    >>> "module:ltrlib.records.observed" in dependencies()
    True
    """
    found = {f"module:{name}": source_hash(_module_path(name)) for name in loaded_modules()}
    found |= file_states(_everything)
    found |= dict(sorted(_everything.states.items()))
    found |= {"lock": _lock_hash(), "python": platform.python_version()}
    return found


def file_states(notes: Notes) -> dict[str, str]:
    """The files that were read, each with the hash of its present state.

    Examples
    --------
    >>> file_states(Notes())
    {}
    """
    return {f"file:{project_name(Path(path))}": source_hash(Path(path)) for path in sorted(notes.files)}


def register_state(kind: str, state: Callable[[str], str]) -> None:
    """Say how to ask for the present state of a kind of dependency, such as ``dataset``.

    Examples
    --------
    >>> register_state("example", str.upper)
    >>> changed_dependencies({"example:a": "A", "example:b": "C"})
    ['example:b']
    """
    _states[kind] = state


def _present_state(key: str) -> str | None:
    kind, _, name = key.partition(":")
    if kind == "module":
        return source_hash(_module_path(name))
    if kind == "file":
        return source_hash(project_path(name))
    if kind in _states:
        return _states[kind](name)
    return {"lock": _lock_hash(), "python": platform.python_version()}.get(key)


def changed_dependencies(noted: Mapping[str, str]) -> list[str]:
    """Keys among noted dependencies whose state is not what was noted; empty means up to date.

    Examples
    --------
    >>> changed_dependencies(dependencies())
    []
    >>> changed_dependencies({"module:ltrlib.errors": "0000"})
    ['module:ltrlib.errors']
    """
    return [key for key, state in noted.items() if _present_state(key) != state]


def changed_inputs(noted: Mapping[str, str]) -> list[str]:
    """Those of a result's inputs that have changed, as far as this process can tell.

    Showing a result must not load what is needed to make it: a kind of input whose state nobody here can tell is left
    to ``ltrlib record --list``, which loads everything.

    Examples
    --------
    >>> changed_inputs({"unknown:x": "0", "file:data/none.csv": "0"})
    ['file:data/none.csv']
    """
    known = {key: state for key, state in noted.items() if (kind := key.partition(":")[0]) == "file" or kind in _states}
    changed = changed_dependencies(known)
    # Data that are not here cannot have changed.
    return [key for key in changed if not key.startswith("dataset:") or _present_state(key) != ABSENT]


def name_of_processor(info: str) -> str:
    r"""Name, family and model of the first processor in ``/proc/cpuinfo``.

    A virtual machine often says "AMD EPYC" and no more, for processors whose compiled code differs in the last bits.

    Examples
    --------
    >>> name_of_processor("vendor_id : X\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\n")
    'AMD EPYC (family 26, model 2)'
    >>> name_of_processor("")
    ''
    """
    said = dict[str, str]()
    for line in info.splitlines():
        key, _, value = line.partition(":")
        said.setdefault(key.strip(), value.strip())
    exact = f" (family {said['cpu family']}, model {said['model']})" if {"cpu family", "model"} <= set(said) else ""
    return f"{said['model name']}{exact}" if "model name" in said else ""


@functools.cache
def _machine() -> dict[str, str | int]:
    info = Path("/proc/cpuinfo")
    cpu = name_of_processor(info.read_text()) if info.exists() else ""
    cpu = cpu or platform.processor() or platform.machine()
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
