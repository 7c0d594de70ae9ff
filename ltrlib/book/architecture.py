"""The generated parts of ``ARCHITECTURE.md``: the layers, the counts and the rooms, read from the code itself.

A generated part stands between ``<!-- generated: NAME -->`` and ``<!-- end -->``. ``make architecture`` writes it
anew, and a test fails when the file is out of date.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ltrlib.errors import UsageError
from ltrlib.project import ROOT, chapter_names

if TYPE_CHECKING:
    from grimp import ImportGraph

__all__ = ["PAGE", "Room", "layers", "picture", "refresh", "rooms", "rooms_across", "update"]

PAGE = ROOT / "ARCHITECTURE.md"
"""The page that is kept up to date."""

_PACKAGE = "ltrlib"
_PART = re.compile(r"(?P<begin><!-- generated: (?P<name>[a-z-]+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL)
_FURNITURE = ("runs", "records", "tables", "figures", "claims")


def layers(pyproject: Path = ROOT / "pyproject.toml") -> list[list[str]]:
    """Packages and modules by layer, top first, as the import contract declares them.

    Examples
    --------
    >>> layers()[0], layers()[-1]
    (['cli'], ['errors'])
    """
    contracts = tomllib.loads(pyproject.read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    declared = next(contract for contract in contracts if contract["type"] == "layers")["layers"]
    return [re.split(r"\s*[|:]\s*", layer) for layer in declared]


def picture() -> str:
    """The layers as text, top first: what stands in one may import what stands in those below it.

    Examples
    --------
    >>> picture().splitlines()[2]
    'cli         the command line: ``ltrlib COMMAND …``'
    """
    width = 2 + max(len(name) for layer in layers() for name in layer)
    made = ["\n".join(f"{name:{width}}{_purpose(name)}" for name in layer) for layer in layers()]
    rule = "─" * 118
    return "\n".join(["```text", rule, f"\n{rule}\n".join(made), rule, "```"])


def _purpose(name: str) -> str:
    """The first sentence of a package's or module's docstring, in lower case at its beginning."""
    text = importlib.import_module(f"{_PACKAGE}.{name}").__doc__ or ""
    first = re.split(r"\.(?:\s|$)", text.strip(), maxsplit=1)[0]
    first = " ".join(first.split())
    return first if first[1:2].isupper() else first[:1].lower() + first[1:]


@dataclass(frozen=True)
class Room:
    """A room: the code of one chapter, or of some pages that span papers.

    Parameters
    ----------
    address
        Such as ``koppel2019.table1`` or ``across.our_runs``.
    chapter
        Name of the chapter's file without its ending; of several pages, their names.
    modules
        Names of its modules.
    claims
        How many claims are declared there.
    test
        Name of its test, if it has one.
    """

    address: str
    chapter: str
    modules: tuple[str, ...]
    claims: int
    test: str


def rooms() -> list[Room]:
    """All rooms of the papers, in the order of the book.

    Examples
    --------
    >>> next(room.chapter for room in rooms() if room.address == "koppel2019.table1")
    '42-koppel2019-table1'
    """
    from ltrlib.claims.registry import claims, papers

    declared = Counter(claim.compare.__module__.rpartition(".")[0] for claim in claims())
    found = []
    for paper in papers():
        chapters = chapter_names(paper)
        package = f"{_PACKAGE}.papers.{paper}"
        names = [info.name for info in pkgutil.iter_modules(importlib.import_module(package).__path__) if info.ispkg]
        for name in sorted(names, key=lambda name: chapters.get(name, "~")):
            place = importlib.import_module(f"{package}.{name}").__path__
            modules = tuple(sorted(info.name for info in pkgutil.iter_modules(place)))
            test = f"test_{paper}_{name}.py"
            found.append(
                Room(
                    address=f"{paper}.{name}",
                    chapter=chapters.get(name, "–"),
                    modules=modules,
                    claims=declared[f"{package}.{name}"],
                    test=test if (ROOT / "tests" / "papers" / test).exists() else "–",
                )
            )
    return found


def rooms_across() -> list[Room]:
    """The rooms that span papers; their pages are those that import from them.

    Examples
    --------
    >>> next(room.chapter for room in rooms_across() if room.address == "across.our_runs")
    '62-our-own-runs'
    """
    from ltrlib.claims.registry import claims

    declared = Counter(claim.compare.__module__.rpartition(".")[0] for claim in claims())
    pages = {path.stem: path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("chapters/*.md"))}
    package = f"{_PACKAGE}.across"
    found = []
    for info in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if info.ispkg:
            place = importlib.import_module(f"{package}.{info.name}").__path__
            imported = re.compile(rf"^from {re.escape(package)}\.{info.name}[. ]", re.MULTILINE)
            test = f"test_{info.name}.py"
            found.append(
                Room(
                    address=f"across.{info.name}",
                    chapter=", ".join(name for name, text in pages.items() if imported.search(text)) or "–",
                    modules=tuple(sorted(one.name for one in pkgutil.iter_modules(place))),
                    claims=declared[f"{package}.{info.name}"],
                    test=test if (ROOT / "tests" / "across" / test).exists() else "–",
                )
            )
    return sorted(found, key=lambda room: room.chapter)


def _table_of_rooms(found: list[Room], chapter: str) -> str:
    head = ["address", chapter, "furniture", "other modules", "claims"]
    lines = ["| " + " | ".join(head) + " |", "| --- | --- | --- | --- | --: |"]
    for room in found:
        usual = [name for name in room.modules if name.startswith(_FURNITURE)]
        other = [name for name in room.modules if name not in usual]
        pages = ", ".join(re.sub(r"^(\d+)-.*", r"\1", name) for name in room.chapter.split(", "))
        cells = [f"`{room.address}`", pages, ", ".join(usual), ", ".join(other), room.claims]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def _graph() -> ImportGraph:
    import grimp

    return grimp.build_graph(_PACKAGE, exclude_type_checking_imports=True, cache_dir=None)


def _counts() -> str:
    graph = _graph()
    height = {name: -level for level, layer in enumerate(layers()) for name in layer}
    pairs = [
        (_part(one), _part(other)) for one in graph.modules for other in graph.find_modules_directly_imported_by(one)
    ]
    across = [(one, other) for one, other in pairs if one != other]
    upward = [(one, other) for one, other in across if {one, other} <= height.keys() and height[other] > height[one]]
    # Rounded: a page that is out of date after every new import would only teach to ignore its test.
    modules, imports, between = (f"{50 * round(len(some) / 50):,}" for some in (graph.modules, pairs, across))
    return (
        f"About {modules} modules in {len(list(_packages()))} packages; about {imports} imports of one module by "
        f"another, {between} of them from one package into another, {len(upward) or 'none'} upward."
    )


def _packages() -> Iterator[str]:
    for info in pkgutil.iter_modules(importlib.import_module(_PACKAGE).__path__):
        if info.ispkg:
            yield info.name


def _part(module: str) -> str:
    return module.split(".")[1] if "." in module else module


_PARTS: dict[str, Callable[[], str]] = {
    "layers": picture,
    "counts": _counts,
    "rooms": lambda: _table_of_rooms(rooms(), "chapter"),
    "rooms-across": lambda: _table_of_rooms(rooms_across(), "pages"),
}


def refresh(text: str) -> str:
    r"""Return a page with its generated parts made anew.

    Examples
    --------
    >>> refresh("Nothing to do.")
    'Nothing to do.'
    >>> refresh("<!-- generated: weather -->\n<!-- end -->")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: nothing makes the part 'weather'
      to do: choose counts, layers, rooms, rooms-across
    """

    def made(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in _PARTS:
            raise UsageError(f"nothing makes the part {name!r}", cure=f"choose {', '.join(sorted(_PARTS))}")
        return f"{match['begin']}{_PARTS[name]()}\n{match['end']}"

    return _PART.sub(made, text)


def update(path: Path = PAGE) -> bool:
    """Write the generated parts of a page anew, and say whether that changed anything."""
    before = path.read_text(encoding="utf-8")
    after = refresh(before)
    path.write_text(after, encoding="utf-8")
    return after != before
