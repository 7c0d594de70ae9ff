"""Spell code in words that are the same on every version of Python, and leave out what cannot change a number."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["OF_GROUND", "Ref", "Resolve", "is_text", "spelled"]

_NOT_CODE = frozenset({"ctx", "type_comment", "kind", "type_params", "returns", "annotation", "lineno"})
OF_GROUND = "ground"
"""Stands for whatever files, errors, progress bars and records are made with."""


@dataclass(frozen=True, order=True)
class Ref:
    """A definition of ltrlib by its place; the name ``*`` is everything in the module."""

    module: str
    name: str


Resolve: TypeAlias = Callable[[list[str]], tuple[str | Ref, list[str]]]
"""Takes a dotted name; gives what its beginning stands for, and the rest of it."""


def spelled(
    nodes: Iterable[ast.AST], resolve: Resolve, *, own: str = "", messages: bool = False
) -> Iterator[str | Ref]:
    """Spell a piece of code in words that are the same on every version of Python."""

    def spell(node: ast.AST) -> Iterator[str | Ref]:
        match node:
            case ast.Import() | ast.ImportFrom():
                return
            case ast.Expr() if is_text(node):
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

    def spell_name(node: ast.Name | ast.Attribute) -> Iterator[str | Ref]:
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
        return isinstance(first, str) and first.startswith(OF_GROUND)

    def spell_block(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str | Ref]:
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

    def spell_fields(node: ast.AST) -> Iterator[str | Ref]:
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

    def _merged(values: list[ast.expr]) -> Iterator[str | Ref]:
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


def is_text(node: ast.AST) -> bool:
    """Whether a statement is only a text: a docstring, or the description of a constant."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
