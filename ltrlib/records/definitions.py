"""Which code a result rests on: the definitions that its maker reaches, found in the sources and never listed.

The search begins at one definition, such as ``ltrlib.papers.koppel2019.table1.runs:GRID``, and follows every name that
a definition uses to the function, class or constant behind it. The fingerprint hashes what was found. Names of modules
and of definitions, docstrings, comments, layout, type hints and the wording of errors do not enter it, so code may be
moved, renamed and explained better; a changed body, default or constant, or a call of something else, changes it.

Code outside ltrlib counts by name only. The ground (files, errors, progress, records) cannot change a number of a run
that ended well, and is left out.
"""

from __future__ import annotations

import ast
import functools
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ltrlib.errors import RecordError
from ltrlib.project import ROOT
from ltrlib.records.module_source import Module, imports_inside, parse
from ltrlib.records.spelling import OF_GROUND, Ref, spelled

__all__ = ["Code", "ReadSource", "changes", "find_code", "meaning"]

ReadSource: TypeAlias = Callable[[str], str | None]
"""Gives the text of a module, or None if there is no such module; packages are named with ``.__init__`` behind."""

_PACKAGE = "ltrlib"
_GROUND = ("errors", "extras", "atomic", "cluster", "progress", "project", "provenance", "records", "yaml_file")
_NOT_GROUND = ("ltrlib.records.source",)
_ALL = "*"
_EFFECTS = "(on import)"


@dataclass(frozen=True)
class Code:
    """The code behind a result.

    Parameters
    ----------
    fingerprint
        One hash for all of it.
    definitions
        Per module, the short hash of each definition, to say later which one has changed.

    Examples
    --------
    >>> code = find_code("ltrlib.metrics.engine:evaluate")
    >>> len(code.fingerprint), "ltrlib.metrics.kernels" in code.definitions
    (32, True)
    """

    fingerprint: str
    definitions: Mapping[str, Mapping[str, str]]

    @property
    def count(self) -> int:
        """How many definitions were found."""
        return sum(map(len, self.definitions.values()))


def find_code(*roots: str, read: ReadSource | None = None) -> Code:
    r"""Find the code that some definitions rest on.

    Parameters
    ----------
    roots
        ``module:name``, or ``module`` for everything in it.
    read
        Where to read sources; those of this checkout if not given.

    Examples
    --------
    >>> sources = {"ltrlib.a": "from ltrlib.b import g\nUNUSED = 1\ndef f():\n    return g() + 1",
    ...            "ltrlib.b": "def g():\n    '''Say two.'''\n    return 2"}
    >>> before = find_code("ltrlib.a:f", read=sources.get)
    >>> before.definitions["ltrlib.b"].keys()
    dict_keys(['g'])
    >>> sources["ltrlib.b"] = "def g():\n    '''Better words.'''\n    return 2"
    >>> find_code("ltrlib.a:f", read=sources.get).fingerprint == before.fingerprint
    True
    >>> sources["ltrlib.b"] = "def g():\n    return 3"
    >>> find_code("ltrlib.a:f", read=sources.get).fingerprint == before.fingerprint
    False
    """
    if read is None:
        return _find_installed(roots, _state_of_sources())
    return _Search(read).find(roots)


def changes(noted: Mapping[str, Mapping[str, str]], now: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Names of the definitions that are not as they were noted: changed, gone or new.

    Examples
    --------
    >>> changes({"ltrlib.a": {"f": "1", "g": "2"}}, {"ltrlib.b": {"f": "1", "h": "3"}, "ltrlib.a": {"g": "0"}})
    ['ltrlib.a.g', 'ltrlib.b.h']
    """
    before, after = (
        Counter((name, short) for one in found.values() for name, short in one.items()) for found in (noted, now)
    )
    unlike = {name for name, _ in (before - after) + (after - before)}
    places = {name: module for found in (noted, now) for module, one in found.items() for name in one if name in unlike}
    return sorted(f"{module}.{name}" for name, module in places.items())


def meaning(source: str) -> str:
    r"""Hash what a module's text says, without docstrings, comments, layout and type hints.

    Examples
    --------
    >>> meaning("def f(x: int):\n    'Doc.'\n    return x") == meaning("def f(x):\n    return x  # so")
    True
    """
    words = spelled(ast.parse(source).body, lambda dotted: (f"name {dotted[0]}", dotted[1:]), messages=True)
    return _hash(*map(str, words))[:16]


@functools.lru_cache(maxsize=1024)
def _find_installed(roots: tuple[str, ...], state: object) -> Code:
    return _installed_search(state).find(roots)


@functools.lru_cache(maxsize=1)
def _installed_search(state: object) -> _Search:
    # Most records rest on the same definitions: they are read once.
    return _Search(_read_installed)


def _state_of_sources() -> tuple[int, int]:
    # Cheap enough to ask each time, and sources change under a running session of a developer only.
    states = [path.stat() for path in (ROOT / _PACKAGE).rglob("*.py")]
    return len(states), max((state.st_mtime_ns for state in states), default=0)


def _read_installed(module: str) -> str | None:
    path = ROOT.joinpath(*module.split(".")).with_suffix(".py")
    return path.read_text(encoding="utf-8") if path.is_file() else None


class _Search:
    """One reading of the sources; what was parsed for one result serves the next."""

    def __init__(self, read: ReadSource) -> None:
        self._read = read
        self._modules: dict[str, Module | None] = {}
        self._words: dict[Ref, tuple[str | Ref, ...]] = {}

    def find(self, roots: Iterable[str]) -> Code:
        """Collect everything that the roots reach, and hash it."""
        starts = [self._start(root) for root in roots]
        found: dict[Ref, tuple[str | Ref, ...]] = {}
        executed: set[str] = set()
        waiting = list(starts)
        while waiting:
            ref = waiting.pop()
            if ref in found:
                continue
            if ref not in self._words:
                self._words[ref] = tuple(self._words_of(ref))
            found[ref] = self._words[ref]
            waiting += [word for word in found[ref] if isinstance(word, Ref)]
            waiting += self._execute(ref.module, executed)
        return Code(_fingerprint(found, starts), _short_hashes(found))

    def _start(self, root: str) -> Ref:
        module, _, name = root.partition(":")
        if self._module(module) is None:
            raise RecordError(f"there is no module {module}", cure="name the module that makes the record")
        start = self._resolve(module, name) if name else Ref(module, _ALL)
        if not isinstance(start, Ref):
            raise RecordError(f"not defined in ltrlib: {root}")
        return start

    def _execute(self, name: str, executed: set[str]) -> Iterator[Ref]:
        """Modules run as a whole when they are imported: what they do then counts, and what they import."""
        if name in executed or (module := self._module(name)) is None:
            return
        executed.add(name)
        if module.effects and next(self._words_of(Ref(name, _EFFECTS)), None) is not None:
            yield Ref(name, _EFFECTS)
        for target, attribute in module.imports.values():
            submodule = f"{target}.{attribute}"
            yield from self._execute(submodule if attribute and self._module(submodule) else target, executed)

    def _words_of(self, ref: Ref) -> Iterator[str | Ref]:
        module = self._module(ref.module)
        assert module is not None
        if ref.name == _ALL:
            yield from (Ref(module.name, name) for name in sorted(module.definitions) if name != "__all__")
            return
        statements = module.effects if ref.name == _EFFECTS else module.definitions[ref.name]
        local = imports_inside(statements, module.name)

        def resolve(dotted: list[str]) -> tuple[str | Ref, list[str]]:
            """What the beginning of a dotted name stands for, and the rest of it."""
            name, *left = dotted
            if name in local:
                known = self._resolve(*local[name])
            elif name in module.definitions:
                known = Ref(module.name, name)
            elif name in module.imports:
                known = self._resolve(*module.imports[name])
            else:
                return f"name {name}", left
            while left and isinstance(known, Ref) and known.name == _ALL:
                known, left = self._resolve(known.module, left[0]), left[1:]
            return known, left

        yield from spelled(statements, resolve, own=ref.name)
        if ref.name == "__getattr__":
            # It may be asked for any name that the package loads on first use.
            yield from (self._resolve(*target) for target in sorted(set(module.imports.values()), key=str))

    def _resolve(self, module: str, name: str | None) -> str | Ref:
        """What a name of a module stands for: a definition of ltrlib, a module of it, or something outside."""
        if module.split(".")[0] != _PACKAGE:
            return f"{module}.{name}" if name else module
        if _is_ground(module):
            return f"{OF_GROUND}.{name}"
        if _is_ground(f"{module}.{name}"):
            return OF_GROUND
        if name is None:
            return Ref(module, _ALL)
        found = self._module(module)
        if found is None:
            raise RecordError(f"there is no module {module}")
        if name in found.definitions:
            return Ref(module, name)
        if name in found.imports:
            return self._resolve(*found.imports[name])
        if self._module(f"{module}.{name}") is not None:
            return Ref(f"{module}.{name}", _ALL)
        raise RecordError(f"cannot tell what {name} of {module} is", cure="import it from the module that defines it")

    def _module(self, name: str) -> Module | None:
        if name.split(".")[0] != _PACKAGE:
            return None
        if name not in self._modules:
            text = self._read(name)
            package = text is None
            text = self._read(f"{name}.__init__") if text is None else text
            self._modules[name] = None if text is None else parse(name, text, package)
        return self._modules[name]


def _is_ground(module: str) -> bool:
    return module.split(".")[1:2] != [] and module.split(".")[1] in _GROUND and not module.startswith(_NOT_GROUND)


def _fingerprint(found: Mapping[Ref, tuple[str | Ref, ...]], starts: Iterable[Ref]) -> str:
    """Hash definitions by content and by what they use, so that the name of none of them matters.

    Each round puts the hashes of what is used into the hash of its user; the rounds end when they tell no more
    definitions apart.
    """
    own = {ref: _hash(*("·" if isinstance(word, Ref) else word for word in words)) for ref, words in found.items()}
    used = {ref: [word for word in words if isinstance(word, Ref)] for ref, words in found.items()}
    known, apart = own, 0
    while len(set(known.values())) > apart:
        apart = len(set(known.values()))
        known = {ref: _hash(own[ref], *(known[other] for other in used[ref])) for ref in own}
    return _hash(*(known[start] for start in starts), "all", *sorted(known.values()))


def _short_hashes(found: Mapping[Ref, tuple[str | Ref, ...]]) -> dict[str, dict[str, str]]:
    short: dict[str, dict[str, str]] = {}
    for ref in sorted(found):
        if ref.name != _ALL:
            words = (word.name if isinstance(word, Ref) else word for word in found[ref])
            short.setdefault(ref.module, {})[ref.name] = _hash(*words)[:8]
    return short


def _hash(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:32]
