"""The YAML file of a sweep, read with limits: no file, however it is written, makes the reader hang or grow."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ltrlib.errors import UsageError
from ltrlib.yaml_file import YamlFile

__all__ = ["KEYS", "MOST_POINTS", "check_form", "count_points", "load_file"]

KEYS = ("about", "chapter", "inputs", "fixed", "grid", "points")
"""What the file may say."""

MOST_POINTS = 20_000
"""Points of one sweep, each of which becomes a folder; more are several sweeps."""

_MOST_BYTES = 1_000_000
_MOST_VALUES = 400_000


def load_file(path: Path) -> dict[str, Any]:
    r"""Read the file; what it says is not checked here.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "example.yml")
    >>> _ = path.write_text("chapter: x\nchapter: y\n")
    >>> load_file(path)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: ...example.yml:2: 'chapter' is given twice
      to do: YAML would silently use the last one
    """
    loaded = YamlFile(path, error=UsageError, most_bytes=_MOST_BYTES, most_values=_MOST_VALUES).content
    if not isinstance(loaded, dict):
        raise UsageError("not a description of a sweep", where=path, cure=f"give {', '.join(KEYS)}")
    return loaded


def check_form(content: Mapping[str, Any]) -> Iterator[str]:
    """Everything that is wrong with the form of a description, whatever its chapter.

    Examples
    --------
    >>> list(check_form({"chapter": "x", "grid": {"k": 3}}))
    ['grid.k: 3 is not a list of values']
    """
    for key in content:
        if key not in KEYS:
            yield f"unknown key {key!r}; known are {', '.join(KEYS)}"
    for key in ("about", "chapter"):
        if not isinstance(content.get(key, ""), str):
            yield f"{key}: not a text"
    if "chapter" not in content:
        yield "chapter: missing"
    inputs = content.get("inputs", [])
    if not isinstance(inputs, list) or not all(isinstance(path, str) for path in inputs):
        yield "inputs: not a list of paths"
    if ("grid" in content) == ("points" in content):
        yield "give either grid or points"
    for key in ("fixed", "grid"):
        if not isinstance(content.get(key, {}), dict):
            yield f"{key}: not a table of parameters"
        else:
            yield from _odd_names(key, content.get(key, {}))
    grid = content.get("grid")
    for name, values in grid.items() if isinstance(grid, dict) else ():
        if not isinstance(values, list) or not values:
            yield f"grid.{name}: {values!r} is not a list of values"
    points = content.get("points", [{}])
    if not isinstance(points, list) or not points or not all(isinstance(point, dict) for point in points):
        yield "points: not a list of tables of parameters"
    else:
        for number, point in enumerate(points, start=1):
            yield from _odd_names(f"points, number {number}", point)


def _odd_names(where: str, table: Mapping[Any, Any]) -> Iterator[str]:
    for name in table:
        if not isinstance(name, str):
            yield f"{where}: {name!r} is not a name; in YAML on, off, yes, no and null are none unless quoted"


def count_points(content: Mapping[str, Any]) -> int:
    """How many points a description of the right form has, before any of them is made.

    Examples
    --------
    >>> count_points({"grid": {"a": [1, 2, 3], "b": [1, 2]}}), count_points({"points": [{}]})
    (6, 1)
    """
    if "points" in content:
        return len(content["points"])
    return math.prod(len(values) for values in content["grid"].values())
