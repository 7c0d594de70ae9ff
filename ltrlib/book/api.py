"""Pages of the API reference: the public names of a package, from its ``__all__`` and the docstrings.

A page says ``{api} ltrlib.metrics`` and gets a table of the names with their first sentences, then every name in full.
Public names that cannot stand in the package, because a module there has the same name, are listed in the directive's
body. Types of other libraries are shown and not linked, so the build needs no network; a reference to something that
does not exist is still an error.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import importlib.util
import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective

__all__ = ["PACKAGES", "PublicName", "public_names", "render", "setup"]

PACKAGES = tuple(
    f"ltrlib.{name}"
    for name in ("datasets", "metrics", "rankers", "comparison", "published", "claims", "records", "sweeps")
)
"""The packages whose names are public; each has a page."""

_SHORT = {"np": "numpy", "pd": "pandas", "npt": "numpy.typing"}
_COLON = "\N{RATIO}"
_KINDS = {"class": "Classes", "function": "Functions", "data": "Constants and types"}


@dataclass(frozen=True)
class PublicName:
    """A name that others may rely on.

    Parameters
    ----------
    package, name
        Where others import it from.
    home
        The module that defines it.
    """

    package: str
    name: str
    home: str

    @property
    def path(self) -> str:
        """What to write to get it."""
        return f"{self.package}.{self.name}"

    @property
    def kind(self) -> str:
        """One of ``class``, ``function`` and ``data``."""
        found = getattr(importlib.import_module(self.home), self.name)
        if inspect.isclass(found):
            return "class"
        return "function" if inspect.isroutine(found) else "data"

    @property
    def text(self) -> str:
        """The docstring, cleaned; that of a constant stands below it."""
        if self.kind == "data":
            analyzer = ModuleAnalyzer.for_module(self.home)
            analyzer.analyze()
            return "\n".join(analyzer.attr_docs.get(("", self.name), [])).strip()
        return inspect.getdoc(getattr(importlib.import_module(self.home), self.name)) or ""

    @property
    def summary(self) -> str:
        """The first paragraph of the docstring."""
        return " ".join(self.text.partition("\n\n")[0].split())

    @property
    def is_guest(self) -> bool:
        """Whether it belongs to another public package, whose page describes it."""
        return not self.home.startswith(self.package)


@cache
def public_names(package: str) -> tuple[PublicName, ...]:
    """Public names of a package: what its ``__all__`` lists, each with the module that defines it.

    Parameters
    ----------
    package
        One that imports its names for type checkers and loads them on first use.

    Examples
    --------
    >>> [name.home for name in public_names("ltrlib.metrics") if name.name == "NDCG"]
    ['ltrlib.metrics.metric']
    """
    module = importlib.import_module(package)
    homes = dict(_imports(Path(str(module.__file__))))
    names = sorted(module.__all__, key=str.lower)
    return tuple(PublicName(package, name, _home(getattr(module, name), homes.get(name, package))) for name in names)


def _home(found: Any, imported_from: str) -> str:
    return str(found.__module__) if inspect.isclass(found) or inspect.isroutine(found) else imported_from


def _imports(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((alias.asname or alias.name, node.module) for alias in node.names)


def render(package: str, others: Sequence[str] = ()) -> list[str]:
    """Lines in reStructuredText: tables of the names with their first sentences, then every name in full.

    Parameters
    ----------
    package
        Whose names.
    others
        Further names, with their modules.

    Examples
    --------
    >>> print(*render("ltrlib.published")[:5], sep=chr(10))
    .. rubric:: Classes
    <BLANKLINE>
    .. list-table::
       :widths: 30 70
       :class: api-summary
    """
    further = [PublicName(module, name, module) for module, _, name in (other.rpartition(".") for other in others)]
    names = [*public_names(package), *further]
    lines: list[str] = []
    for kind, title in _KINDS.items():
        if chosen := [name for name in names if name.kind == kind]:
            lines += [f".. rubric:: {title}", "", ".. list-table::", "   :widths: 30 70", "   :class: api-summary", ""]
            for name in chosen:
                shown = name.name if name.package == package else name.path.removeprefix(f"{package}.")
                target = f"{name.home}.{name.name}" if name.is_guest else name.path
                lines += [f"   * - :py:obj:`{shown} <{target}>`", f"     - {name.summary}"]
            lines.append("")
    for kind in _KINDS:
        for name in names:
            if name.kind == kind and not name.is_guest:
                lines += [*_in_full(name), ""]
    return lines


def _in_full(name: PublicName) -> list[str]:
    if name.kind == "data":
        return [f".. py:data:: {name.path}", "", *(f"   {line}" for line in name.text.splitlines())]
    options = ["   :members:"] if name.kind == "class" else []
    if name.kind == "class" and getattr(importlib.import_module(name.home), name.name).__bases__ != (object,):
        options.append("   :show-inheritance:")
    return [f".. auto{name.kind}:: {name.path}", *options]


class ApiDirective(SphinxDirective):
    """``{api} PACKAGE``: the public names of a package."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Parse the lines of :func:`render`, and depend on the package's own file too."""
        package = self.arguments[0]
        self.env.note_dependency(str(importlib.import_module(package).__file__))
        for name in public_names(package):
            self.env.note_dependency(str(importlib.import_module(name.home).__file__))
        lines = ["```{eval-rst}", *render(package, [line for line in self.content if line.strip()]), "```"]
        made = nodes.container(classes=["api"])
        self.state.nested_parse(StringList(lines, source=self.env.doc2path(self.env.docname)), 0, made)
        return [made]


@cache
def _published_paths() -> dict[str, str]:
    """From the module that defines a name to the path under which it is documented."""
    names = [name for package in PACKAGES for name in public_names(package)]
    return {f"{name.home}.{name.name}": name.path for name in names if not name.is_guest}


def _find_reference(app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: nodes.Element) -> nodes.Node | None:
    """Lead from where a name is defined to where it is documented; leave what is not documented without a link."""
    if node.get("refdomain") != "py":
        return None
    target = str(node["reftarget"])
    documented = [path for path in _candidates(target) if path in _objects(env)]
    if documented:
        return env.get_domain("py").resolve_xref(env, node["refdoc"], app.builder, "obj", documented[0], node, shown)
    return shown if _exists(target) else None


def _objects(env: BuildEnvironment) -> Any:
    return env.get_domain("py").objects  # type: ignore[attr-defined]


def _candidates(target: str) -> list[str]:
    """Paths under which a name may be documented: of itself, of its class, or the only one that ends so."""
    paths = _published_paths()
    owner, _, member = target.rpartition(".")
    found = [paths[target]] if target in paths else []
    found += [f"{paths[owner]}.{member}"] if owner in paths else []
    if "." not in target:
        alike = [path for path in paths.values() if path.rpartition(".")[2] == target]
        found += alike if len(alike) == 1 else []
    return found


def _exists(target: str) -> bool:
    """Whether a name stands for something: of Python, of an installed library, or of ltrlib."""
    first, _, rest = target.partition(".")
    if not rest:
        return hasattr(builtins, target) or any(
            _named_in(path.rpartition(".")[0], target) for path in _published_paths()
        )
    path = f"{_SHORT.get(first, first)}.{rest}"
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:cut]))
            for part in parts[cut:]:
                found = getattr(found, part)
        except (ImportError, AttributeError):
            continue
        return True
    return False


@cache
def _named_in(module: str, name: str) -> bool:
    """Whether a module defines or imports a name, also for type checkers only."""
    found = importlib.import_module(module)
    return hasattr(found, name) or name in dict(_imports(Path(str(found.__file__))))


def _hide_colons(app: Sphinx, what: str, name: str, found: object, options: object, lines: list[str]) -> None:
    """Keep Napoleon from taking what stands before a colon in the first line of a property for its type."""
    if what in ("property", "attribute") and lines:
        lines[0] = lines[0].replace(":", _COLON)


def _show_colons(app: Sphinx, what: str, name: str, found: object, options: object, lines: list[str]) -> None:
    """Put the colons back after Napoleon."""
    lines[:] = [line.replace(_COLON, ":") for line in lines]


def _tidy_signature(
    app: Sphinx, what: str, name: str, found: object, options: object, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """Name the functions that are defaults and leave out factories, which could not be parsed as code."""
    if signature is not None:
        signature = re.sub(r"<function ([^ >]+)[^>]*>", r"\1", signature).replace("<factory>", "...")
    return signature, returns


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive and the way references are found."""
    app.add_directive("api", ApiDirective)
    app.connect("missing-reference", _find_reference)
    app.connect("autodoc-process-signature", _tidy_signature)
    app.connect("autodoc-process-docstring", _hide_colons, priority=100)
    app.connect("autodoc-process-docstring", _show_colons, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
