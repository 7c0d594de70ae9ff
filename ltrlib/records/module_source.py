"""A module read for what matters to a fingerprint: what it defines, what it imports, what it does on import."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ltrlib.records.spelling import is_text

__all__ = ["Module", "imports_inside", "parse"]


@dataclass(frozen=True, eq=False)
class Module:
    """A module as far as it matters: what it defines, what it imports, what it does when it is imported."""

    name: str
    definitions: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imports: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    effects: list[ast.stmt] = field(default_factory=list)


def parse(name: str, text: str, package: bool) -> Module:
    """Read the text of a module, or of the ``__init__`` of a package."""
    module = Module(name)
    statements = ast.parse(text).body
    # A package that loads its names on first use declares them for type checkers only.
    lazy = any(name == "__getattr__" for one in statements for name in _bound(one))
    for statement in statements:
        if isinstance(statement, ast.If) and _test_is(statement, "__name__"):
            continue
        if isinstance(statement, ast.If) and _test_is(statement, "TYPE_CHECKING"):
            if lazy:
                module.imports.update(imports_inside(statement.body, name, package))
            continue
        if isinstance(statement, ast.Import | ast.ImportFrom):
            module.imports.update(imports_inside([statement], name, package))
            continue
        bound = list(_bound(statement))
        for one in bound:
            module.definitions.setdefault(one, []).append(statement)
        if not bound and not is_text(statement):
            module.effects.append(statement)
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
            module.imports.update(imports_inside([statement], name, package))
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


def imports_inside(
    statements: Iterable[ast.stmt], module: str, package: bool = False
) -> dict[str, tuple[str, str | None]]:
    """Names that some statements import, each with the module, and the name in it if it is not the module itself."""
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
