"""YAML files whose errors name the line: one reader for the registry, the headers of papers and sweeps."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from ltrlib.errors import LtrlibError, RecordError
from ltrlib.project import shown_path

__all__ = ["YamlFile"]


class YamlFile:
    r"""A YAML file that knows on which line each of its entries stands.

    Parameters
    ----------
    path
        The file.
    error
        Kind of error to raise if it cannot be read.
    cure
        What to do if it is missing.
    most_bytes, most_values
        What is longer is refused unread: for files of users, which must not make the reader hang or grow. Values are
        counted with every alias written out.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "example.yml")
    >>> _ = path.write_text("a: 1\nb:\n  c: 2\n")
    >>> file = YamlFile(path)
    >>> file.content["b"], file.line("b", "c")
    ({'c': 2}, 3)
    >>> _ = path.write_text("a: 1\na: 2\n")
    >>> YamlFile(path)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.RecordError: ...example.yml:2: 'a' is given twice
      to do: YAML would silently use the last one
    """

    def __init__(
        self,
        path: Path,
        *,
        error: type[LtrlibError] = RecordError,
        cure: str | None = None,
        most_bytes: float = math.inf,
        most_values: float = math.inf,
    ) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                content = file.read() if most_bytes == math.inf else file.read(int(most_bytes) + 1)
            # What is too long is not read to its end: whether it would be YAML does not matter.
            small = len(content) <= most_bytes
            text = content.decode("utf-8-sig") if small else ""
            self._root = yaml.compose(text, Loader=yaml.SafeLoader)
            small = small and _size(self._root, {}) <= most_values
            self.content: Any = yaml.safe_load(text) if small else None
        except FileNotFoundError:
            raise error("the file is missing", where=shown_path(path), cure=cure) from None
        except RecursionError:
            raise error("not YAML: nested too deeply", where=shown_path(path)) from None
        except (OSError, ValueError, yaml.YAMLError) as problem:
            mark = getattr(problem, "problem_mark", None)
            line = "" if mark is None else f":{mark.line + 1}"
            what = getattr(problem, "problem", None) or " ".join(str(problem).split())
            raise error(f"not YAML: {what}", where=f"{shown_path(path)}{line}") from None
        if not small:
            limits = f"{most_bytes:,} bytes, and {most_values:,} values with all aliases written out"
            raise error("too long", where=shown_path(path), cure=f"at most {limits}")
        for name, line_number in _repeated(self._root, set()):
            raise error(
                f"{name!r} is given twice",
                where=f"{shown_path(path)}:{line_number}",
                cure="YAML would silently use the last one",
            )

    def line(self, *place: object) -> int:
        """The line of the entry at a place, or of the nearest entry above it."""
        node, line = self._root, 1
        for key in place:
            pairs = node.value if isinstance(node, yaml.MappingNode) else []
            found = [(name, value) for name, value in pairs if name.value == str(key)]
            if not found:
                break
            line, node = found[0][0].start_mark.line + 1, found[0][1]
        return line

    def where(self, *place: object) -> str:
        """File, line and dotted name of the entry at a place, for an error."""
        named = f" {'.'.join(map(str, place))}" if place else ""
        return f"{shown_path(self.path)}:{self.line(*place)}{named}"


def _children(node: Any) -> list[Any]:
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def _size(node: Any, known: dict[int, float]) -> float:
    """Values in a node with every alias written out, without writing it out."""
    if id(node) not in known:
        known[id(node)] = math.inf  # as long as it is being counted: what holds itself has no end
        known[id(node)] = 1 + sum(_size(child, known) for child in _children(node))
    return known[id(node)]


def _repeated(node: Any, known: set[int]) -> Iterator[tuple[str, int]]:
    if id(node) in known:
        return  # an alias: looked at where it was written
    known.add(id(node))
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    yield key.value, key.start_mark.line + 1
                seen.add(key.value)
    for child in _children(node):
        yield from _repeated(child, known)
