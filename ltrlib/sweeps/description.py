"""The file that describes a sweep, checked against its chapter before anything runs.

.. code-block:: yaml

    about: one prediction file under every tool, by cut-off    # one line for ``ltrlib sweep --list``
    chapter: 20-busafekete2012-metrics       # a chapter of the book, or a path from here to a MyST notebook
    fixed: {dataset: standin/mq2008}         # the same at all points (optional)
    grid: {cutoff: [3, 5, 10]}               # every combination; or instead of it
    points: [{cutoff: 3}, {cutoff: 10}]      # a list of settings
    inputs: [rows.parquet]                   # files that the chapter reads unseen (optional, see ``watching``)
"""

from __future__ import annotations

import ast
import functools
import hashlib
import itertools
import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ltrlib.errors import UsageError
from ltrlib.project import ROOT, project_data
from ltrlib.records import observed
from ltrlib.records.definitions import find_code
from ltrlib.sweeps.given import unknown_name
from ltrlib.sweeps.parameters import Parameter, read_parameters
from ltrlib.sweeps.sweep_file import MOST_POINTS, check_form, count_points, load_file

__all__ = ["Chapter", "Point", "Sweep", "chapter_state", "read_sweep", "shipped_sweeps"]

# What a chapter imports from here reads and shows numbers, and decides none.
_SHOWS = ("ltrlib.book", "ltrlib.errors", "ltrlib.project", "ltrlib.records")


@dataclass(frozen=True)
class Chapter:
    """A chapter as a notebook that can be sent to a worker.

    Examples
    --------
    >>> sorted(Chapter.read(ROOT / "chapters" / "20-busafekete2012-metrics.md").parameters)
    ['cutoff', 'dataset']
    """

    path: Path
    notebook: str
    code_hash: str
    parameters: Mapping[str, Parameter]
    code: str = ""

    @classmethod
    def read(cls, path: Path) -> Chapter:
        """Read a MyST notebook."""
        import jupytext
        import nbformat

        if not path.is_file():
            there = ", ".join(sorted(p.stem for p in (ROOT / "chapters").glob("[0-9]*.md")))
            raise UsageError("there is no such chapter", where=path, cure=f"choose {there}, or give a path to a .md")
        try:
            with warnings.catch_warnings():
                # About what a notebook could not keep if it were written as text again.
                warnings.simplefilter("ignore")
                notebook = jupytext.read(path)
            text = nbformat.writes(notebook)
        except Exception as error:  # jupytext, PyYAML and nbformat have their own each, and plain ones
            words = " ".join(str(error).split())[:200]
            raise UsageError(f"not a notebook: {words or type(error).__name__}", where=path) from None
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        tagged = [cell.source for cell in code if "parameters" in cell.metadata.get("tags", [])]
        if len(tagged) != 1:
            raise UsageError(f"{len(tagged)} cells tagged parameters instead of one", where=path)
        # As in the book, prose does not count: a better sentence makes no number stale.
        source = "\n\n".join(cell.source for cell in code)
        digest = hashlib.sha256(source.encode()).hexdigest()[:16]
        try:
            known = read_parameters(tagged[0])
        except (SyntaxError, ValueError) as error:
            told = f"{error.msg}: {(error.text or '').strip()}" if isinstance(error, SyntaxError) else str(error)
            raise UsageError(f"its cell of parameters is not Python: {told}", where=path) from None
        return cls(path, text, digest, known, source)

    @property
    def in_book(self) -> bool:
        """Whether it is one of the book's."""
        return self.path.parent == ROOT / "chapters"

    @property
    def folder(self) -> str | None:
        """Where it runs: in its own folder, or in each worker's own ``chapters`` folder (None)."""
        return None if self.in_book else str(self.path.parent)


def _imported(source: str) -> Iterator[str]:
    """Modules and definitions of ltrlib that some code imports, as :func:`find_code` names them."""
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom):
            places = {name: ROOT.joinpath(*f"{node.module}.{name}".split(".")) for name in names}
            found = {name for name, path in places.items() if path.is_dir() or path.with_suffix(".py").is_file()}
            names = [f"{node.module}.{name}" if name in found else f"{node.module}:{name}" for name in names]
        yield from (name for name in names if name.startswith("ltrlib.") and not name.startswith(_SHOWS))


def chapter_state(name: str) -> str:
    """Hash what decides the numbers of a chapter of the book: the code of its cells and the definitions behind it.

    Parameters
    ----------
    name
        Of the file, without its ending.

    Examples
    --------
    >>> len(chapter_state("20-busafekete2012-metrics"))
    16
    """
    chapter = Chapter.read(ROOT / "chapters" / f"{name}.md")
    code = find_code(*sorted(set(_imported(chapter.code)))).fingerprint
    return hashlib.sha256(f"{chapter.code_hash} {code}".encode()).hexdigest()[:16]


observed.register_state("chapter", chapter_state)


@dataclass(frozen=True, eq=False)
class Point:
    """One setting of a chapter's parameters.

    Examples
    --------
    >>> Point({"cutoff": 3}).key == Point({"cutoff": 3}).key != Point({"cutoff": 5}).key
    True
    """

    parameters: Mapping[str, Any]

    @functools.cached_property
    def key(self) -> str:
        """Hash of the parameters: the name of the point's folder."""
        text = json.dumps(dict(self.parameters), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def __str__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.parameters.items()) or "all defaults"


@dataclass(frozen=True)
class Sweep:
    """A checked sweep: its name, its chapter, its points."""

    name: str
    path: Path
    about: str
    chapter: Chapter
    points: tuple[Point, ...]
    inputs: tuple[str, ...] = ()

    @property
    def varied(self) -> list[str]:
        """Names of the parameters that are given, in the order of the file."""
        return list(dict.fromkeys(name for point in self.points for name in point.parameters))


def shipped_sweeps() -> list[Path]:
    """Files of the sweeps that come with the book.

    Examples
    --------
    >>> all(path.suffix == ".yml" for path in shipped_sweeps())
    True
    """
    return sorted(project_data("sweeps").glob("*.yml"))


def read_sweep(file: str | Path) -> Sweep:
    """Read a sweep from a file, or a shipped one by its name; everything that is wrong is said at once.

    Examples
    --------
    >>> read_sweep("no-such-sweep")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: no-such-sweep: there is no such sweep
      to do: ltrlib sweep --list names those of the book; or give a path to a .yml file
    """
    path = Path(file)
    if not path.is_file():
        path = project_data("sweeps", f"{file}.yml")
    if not path.is_file():
        cure = "ltrlib sweep --list names those of the book; or give a path to a .yml file"
        raise UsageError("there is no such sweep", where=file, cure=cure)
    content = load_file(path)
    problems = list(check_form(content))
    chapter = None
    if isinstance(name := content.get("chapter"), str):
        in_book = ROOT / "chapters" / f"{name}.md"
        try:
            if "\0" in name or not name.isprintable():
                raise UsageError("not a path", where=repr(name))
            chapter = Chapter.read(in_book if in_book.is_file() else (path.parent / name).resolve())
        except UsageError as error:
            problems.append(f"chapter: {error}".replace("\n  to do:", ";"))
    inputs, missing = _inputs(content, path.parent) if not problems else ((), [])
    problems += missing
    if not problems and (number := count_points(content)) > MOST_POINTS:
        problems.append(f"{number:,} points, where {MOST_POINTS:,} are the most; take fewer values, or several files")
    points: tuple[Point, ...] = ()
    if chapter is not None and not problems:
        points = tuple(_expand(content))
        problems += [*_check_values(content, chapter.parameters), *_check_points(points, chapter.parameters)]
    if problems or chapter is None:
        lines = "".join(f"\n  - {problem}" for problem in problems)
        count = f"{len(problems)} problems" if len(problems) > 1 else "a problem"
        raise UsageError(f"{count}, so nothing was run:{lines}", where=path)
    return Sweep(path.stem, path.resolve(), str(content.get("about", "")), chapter, points, inputs)


def _inputs(content: Mapping[str, Any], folder: Path) -> tuple[tuple[str, ...], list[str]]:
    """Paths of the named inputs, and what is wrong with them."""
    paths = [(folder / name).resolve() for name in content.get("inputs", [])]
    return tuple(map(str, paths)), [f"inputs: there is no file {path}" for path in paths if not path.is_file()]


def _check_values(content: Mapping[str, Any], known: Mapping[str, Parameter]) -> Iterator[str]:
    fixed = content.get("fixed", {})
    given: list[tuple[str, Any, Sequence[Any]]] = [(f"fixed.{name}", name, [value]) for name, value in fixed.items()]
    given += [(f"grid.{name}", name, values) for name, values in content.get("grid", {}).items()]
    for number, point in enumerate(content.get("points", []), start=1):
        given += [(f"points, number {number}, {name}", name, [value]) for name, value in point.items()]
    for where, name, values in given:
        if name not in known:
            yield f"{where}: {unknown_name(name, known)}"
            continue
        if name in fixed and not where.startswith("fixed."):
            yield f"{where}: is fixed as well"
        for value in values:
            yield from (f"{where}: {problem}" for problem in known[name].problems(value))


def _expand(content: Mapping[str, Any]) -> Iterator[Point]:
    fixed = content.get("fixed", {})
    grid = content.get("grid")
    if grid is None:
        yield from (Point({**fixed, **point}) for point in content["points"])
    else:
        for values in itertools.product(*grid.values()):
            yield Point({**fixed, **dict(zip(grid, values, strict=True))})


def _check_points(points: Sequence[Point], known: Mapping[str, Parameter]) -> Iterator[str]:
    """Find points that mean the same, be it by leaving out what is the default."""
    defaults = {name: parameter.default for name, parameter in known.items()}
    first: dict[str, int] = {}
    for number, point in enumerate(points, start=1):
        meaning = json.dumps({**defaults, **point.parameters}, sort_keys=True, default=str)
        if (before := first.setdefault(meaning, number)) != number:
            yield f"points {before} and {number} are the same: {point}"
