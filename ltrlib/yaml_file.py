"""YAML files whose errors name the line: one reader for the registry, the headers of papers and sweeps."""

from __future__ import annotations

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

    def __init__(self, path: Path, *, error: type[LtrlibError] = RecordError, cure: str | None = None) -> None:
        self.path = path
        try:
            text = path.read_text(encoding="utf-8")
            self._root = yaml.compose(text, Loader=yaml.SafeLoader)
            self.content: Any = yaml.safe_load(text)
        except FileNotFoundError:
            raise error("the file is missing", where=shown_path(path), cure=cure) from None
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as problem:
            mark = getattr(problem, "problem_mark", None)
            line = "" if mark is None else f":{mark.line + 1}"
            what = getattr(problem, "problem", None) or " ".join(str(problem).split())
            raise error(f"not YAML: {what}", where=f"{shown_path(path)}{line}") from None
        for name, line_number in _repeated(self._root):
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


def _repeated(node: Any) -> Iterator[tuple[str, int]]:
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                yield key.value, key.start_mark.line + 1
            seen.add(key.value)
            yield from _repeated(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _repeated(value)
