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
from dataclasses import dataclass, field
from typing import TypeAlias

from ltrlib.errors import RecordError
from ltrlib.project import ROOT

__all__ = ["Code", "ReadSource", "changes", "find_code", "meaning"]

ReadSource: TypeAlias = Callable[[str], str | None]
"""Gives the text of a module, or None if there is no such module; packages are named with ``.__init__`` behind."""

_PACKAGE = "ltrlib"
_GROUND = ("errors", "extras", "atomic", "cluster", "progress", "project", "provenance", "records", "yaml_file")
_NOT_GROUND = ("ltrlib.records.source",)
_NOT_CODE = frozenset({"ctx", "type_comment", "kind", "type_params", "returns", "annotation", "lineno"})
_OF_GROUND = "ground"
_ALL = "*"
_EFFECTS = "(on import)"


@dataclass(frozen=True, order=True)
class _Ref:
    """A definition of ltrlib by its place; the name ``*`` is everything in the module."""

    module: str
    name: str


_Resolve: TypeAlias = Callable[[list[str]], tuple[str | _Ref, list[str]]]


@dataclass(frozen=True, eq=False)
class _Module:
    """A module as far as it matters: what it defines, what it imports, what it does when it is imported."""

    name: str
    definitions: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imports: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    effects: list[ast.stmt] = field(default_factory=list)


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
    words = _words(ast.parse(source).body, lambda dotted: (f"name {dotted[0]}", dotted[1:]), messages=True)
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
        self._modules: dict[str, _Module | None] = {}
        self._words: dict[_Ref, tuple[str | _Ref, ...]] = {}

    def find(self, roots: Iterable[str]) -> Code:
        """Collect everything that the roots reach, and hash it."""
        starts = [self._start(root) for root in roots]
        found: dict[_Ref, tuple[str | _Ref, ...]] = {}
        executed: set[str] = set()
        waiting = list(starts)
        while waiting:
            ref = waiting.pop()
            if ref in found:
                continue
            if ref not in self._words:
                self._words[ref] = tuple(self._words_of(ref))
            found[ref] = self._words[ref]
            waiting += [word for word in found[ref] if isinstance(word, _Ref)]
            waiting += self._execute(ref.module, executed)
        return Code(_fingerprint(found, starts), _short_hashes(found))

    def _start(self, root: str) -> _Ref:
        module, _, name = root.partition(":")
        if self._module(module) is None:
            raise RecordError(f"there is no module {module}", cure="name the module that makes the record")
        start = self._resolve(module, name) if name else _Ref(module, _ALL)
        if not isinstance(start, _Ref):
            raise RecordError(f"not defined in ltrlib: {root}")
        return start

    def _execute(self, name: str, executed: set[str]) -> Iterator[_Ref]:
        """Modules run as a whole when they are imported: what they do then counts, and what they import."""
        if name in executed or (module := self._module(name)) is None:
            return
        executed.add(name)
        if module.effects and next(self._words_of(_Ref(name, _EFFECTS)), None) is not None:
            yield _Ref(name, _EFFECTS)
        for target, attribute in module.imports.values():
            submodule = f"{target}.{attribute}"
            yield from self._execute(submodule if attribute and self._module(submodule) else target, executed)

    def _words_of(self, ref: _Ref) -> Iterator[str | _Ref]:
        module = self._module(ref.module)
        assert module is not None
        if ref.name == _ALL:
            yield from (_Ref(module.name, name) for name in sorted(module.definitions) if name != "__all__")
            return
        statements = module.effects if ref.name == _EFFECTS else module.definitions[ref.name]
        local = _imports_inside(statements, module.name)

        def resolve(dotted: list[str]) -> tuple[str | _Ref, list[str]]:
            """What the beginning of a dotted name stands for, and the rest of it."""
            name, *left = dotted
            if name in local:
                known = self._resolve(*local[name])
            elif name in module.definitions:
                known = _Ref(module.name, name)
            elif name in module.imports:
                known = self._resolve(*module.imports[name])
            else:
                return f"name {name}", left
            while left and isinstance(known, _Ref) and known.name == _ALL:
                known, left = self._resolve(known.module, left[0]), left[1:]
            return known, left

        yield from _words(statements, resolve, own=ref.name)
        if ref.name == "__getattr__":
            # It may be asked for any name that the package loads on first use.
            yield from (self._resolve(*target) for target in sorted(set(module.imports.values()), key=str))

    def _resolve(self, module: str, name: str | None) -> str | _Ref:
        """What a name of a module stands for: a definition of ltrlib, a module of it, or something outside."""
        if module.split(".")[0] != _PACKAGE:
            return f"{module}.{name}" if name else module
        if _is_ground(module):
            return f"{_OF_GROUND}.{name}"
        if _is_ground(f"{module}.{name}"):
            return _OF_GROUND
        if name is None:
            return _Ref(module, _ALL)
        found = self._module(module)
        if found is None:
            raise RecordError(f"there is no module {module}")
        if name in found.definitions:
            return _Ref(module, name)
        if name in found.imports:
            return self._resolve(*found.imports[name])
        if self._module(f"{module}.{name}") is not None:
            return _Ref(f"{module}.{name}", _ALL)
        raise RecordError(f"cannot tell what {name} of {module} is", cure="import it from the module that defines it")

    def _module(self, name: str) -> _Module | None:
        if name.split(".")[0] != _PACKAGE:
            return None
        if name not in self._modules:
            text = self._read(name)
            package = text is None
            text = self._read(f"{name}.__init__") if text is None else text
            self._modules[name] = None if text is None else _parse(name, text, package)
        return self._modules[name]


def _is_ground(module: str) -> bool:
    return module.split(".")[1:2] != [] and module.split(".")[1] in _GROUND and not module.startswith(_NOT_GROUND)


def _fingerprint(found: Mapping[_Ref, tuple[str | _Ref, ...]], starts: Iterable[_Ref]) -> str:
    """Hash definitions by content and by what they use, so that the name of none of them matters.

    Each round puts the hashes of what is used into the hash of its user; the rounds end when they tell no more
    definitions apart.
    """
    own = {ref: _hash(*("·" if isinstance(word, _Ref) else word for word in words)) for ref, words in found.items()}
    used = {ref: [word for word in words if isinstance(word, _Ref)] for ref, words in found.items()}
    known, apart = own, 0
    while len(set(known.values())) > apart:
        apart = len(set(known.values()))
        known = {ref: _hash(own[ref], *(known[other] for other in used[ref])) for ref in own}
    return _hash(*(known[start] for start in starts), "all", *sorted(known.values()))


def _short_hashes(found: Mapping[_Ref, tuple[str | _Ref, ...]]) -> dict[str, dict[str, str]]:
    short: dict[str, dict[str, str]] = {}
    for ref in sorted(found):
        if ref.name != _ALL:
            words = (word.name if isinstance(word, _Ref) else word for word in found[ref])
            short.setdefault(ref.module, {})[ref.name] = _hash(*words)[:8]
    return short


def _parse(name: str, text: str, package: bool) -> _Module:
    module = _Module(name)
    statements = ast.parse(text).body
    # A package that loads its names on first use declares them for type checkers only.
    lazy = any(name == "__getattr__" for one in statements for name in _bound(one))
    for statement in statements:
        if isinstance(statement, ast.If) and _test_is(statement, "__name__"):
            continue
        if isinstance(statement, ast.If) and _test_is(statement, "TYPE_CHECKING"):
            if lazy:
                module.imports.update(_imports_inside(statement.body, name, package))
            continue
        if isinstance(statement, ast.Import | ast.ImportFrom):
            module.imports.update(_imports_inside([statement], name, package))
            continue
        bound = list(_bound(statement))
        for one in bound:
            module.definitions.setdefault(one, []).append(statement)
        if not bound and not _is_text(statement):
            module.effects.append(statement)
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
            module.imports.update(_imports_inside([statement], name, package))
    return module


def _test_is(statement: ast.If, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(statement.test))


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Names that a statement at the top of a module gives a value."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from _names(targets)
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            yield from _names([target])
        case ast.If(body=body, orelse=other) | ast.For(body=body, orelse=other):
            yield from (name for one in [*body, *other] for name in _bound(one))
        case ast.Try(body=body, handlers=handlers):
            yield from (name for one in [*body, *(s for h in handlers for s in h.body)] for name in _bound(one))
        case ast.With(body=body):
            yield from (name for one in body for name in _bound(one))


def _names(targets: Iterable[ast.expr]) -> Iterator[str]:
    for target in targets:
        yield from (
            node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )


def _imports_inside(
    statements: Iterable[ast.stmt], module: str, package: bool = False
) -> dict[str, tuple[str, str | None]]:
    found: dict[str, tuple[str, str | None]] = {}
    for node in (node for statement in statements for node in ast.walk(statement)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                # "import a.b" binds a; with "as" it binds a.b.
                found[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0],
                    None,
                )
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")[: None if package and node.level == 1 else -(node.level - package)]
                base = ".".join([*parts, base] if base else parts)
            found.update({alias.asname or alias.name: (base, alias.name) for alias in node.names})
    return found


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _words(
    nodes: Iterable[ast.AST], resolve: _Resolve, *, own: str = "", messages: bool = False
) -> Iterator[str | _Ref]:
    """Spell a piece of code in words that are the same on every version of Python."""

    def spell(node: ast.AST) -> Iterator[str | _Ref]:
        match node:
            case ast.Import() | ast.ImportFrom():
                return
            case ast.Expr() if _is_text(node):
                return
            case ast.Expr(value=ast.Call(func=function)) if of_ground(function):
                return  # taking notes, showing progress
            case ast.Name() | ast.Attribute():
                yield from spell_name(node)
            case ast.Constant(value=value):
                yield f"{type(value).__name__} {value!r}"
            case ast.JoinedStr(values=values):
                yield "f-string"
                yield from _merged(values)
            case ast.FormattedValue(value=value, conversion=conversion, format_spec=spec):
                yield f"formatted {conversion}"
                yield from spell(value)
                if spec is not None:
                    yield from spell(spec)
            case ast.Raise(exc=ast.Call(func=function)) if not messages:
                yield "Raise"
                yield from spell(function)
            case ast.Assert(test=test) if not messages:
                yield "Assert"
                yield from spell(test)
            case ast.AnnAssign():
                yield "Assign"
                yield "targets"
                yield from spell(node.target)
                if node.value is not None:
                    yield "value"
                    yield from spell(node.value)
                yield "end"
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from spell_block(node)
            case _:
                yield from spell_fields(node)

    def spell_name(node: ast.Name | ast.Attribute) -> Iterator[str | _Ref]:
        parts: list[str] = []
        base: ast.expr = node
        while isinstance(base, ast.Attribute):
            parts.append(base.attr)
            base = base.value
        if isinstance(base, ast.Name):
            known, left = resolve([base.id, *reversed(parts)])
            yield known
        else:
            yield from spell(base)
            left = parts[::-1]
        yield from (f".{part}" for part in left)

    def of_ground(node: ast.AST) -> bool:
        first = next(spell(node.func if isinstance(node, ast.Call) else node), "")
        return isinstance(first, str) and first.startswith(_OF_GROUND)

    def spell_block(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str | _Ref]:
        yield type(node).__name__ + ("" if node.name == own else f" {node.name}")
        for name, value in ast.iter_fields(node):
            if name in ("name", "body") or name in _NOT_CODE:
                continue
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, ast.AST) and not (name == "decorator_list" and of_ground(one)):
                    yield name
                    yield from spell(one)
        for statement in node.body:
            # Fields of a data class are declared by their annotations.
            if isinstance(node, ast.ClassDef) and isinstance(statement, ast.AnnAssign):
                yield from spell_fields(statement)
                yield from spell(statement.annotation)
            else:
                yield from spell(statement)

    def spell_fields(node: ast.AST) -> Iterator[str | _Ref]:
        yield type(node).__name__
        for name, value in ast.iter_fields(node):
            if name in _NOT_CODE or value is None or value == []:
                continue
            yield name
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, ast.AST):
                    yield from spell(one)
                else:
                    yield f"{one}"
        yield "end"

    def _merged(values: list[ast.expr]) -> Iterator[str | _Ref]:
        # Versions of Python differ in where they cut the text between two braces.
        text = ""
        for value in values:
            if isinstance(value, ast.Constant):
                text += str(value.value)
                continue
            if text:
                yield f"text {text!r}"
            text = ""
            yield from spell(value)
        if text:
            yield f"text {text!r}"
        yield "end"

    for node in nodes:
        yield from spell(node)


def _hash(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:32]
