"""Rules for chapters that a machine can check: form, figures, and no number typed by hand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import jupytext

__all__ = ["Finding", "lint_chapter", "logic_of", "without_convention"]

_LONGEST_DEFINITION = 10
_CODE = re.compile(r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$\n]*\$", re.DOTALL)
_COMMENT_OR_LINK = re.compile(r"<!--.*?-->|\]\([^)]*\)|\{[a-z:]+\}`[^`]*`", re.DOTALL)
_DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]|\.\d)")
# Versions and section numbers are names, not results.
_NAMES = re.compile(r"(?:LETOR|Python|version|section|Section|RankLib|trec_eval|BY|v)\s*\d+(?:\.\d+)+")
# Chapters of a paper can be swept, so each has parameters; pages around them need none.
_REPLICATION = re.compile(r"[1-9]\d-")
_SHOWS = ("show_figure", "show_interactive")
_CAPTIONED = (*_SHOWS, "show_table", "show_framed")
_LOGIC = {
    ast.For: "a loop",
    ast.While: "a loop",
    ast.ListComp: "a comprehension",
    ast.SetComp: "a comprehension",
    ast.DictComp: "a comprehension",
    ast.GeneratorExp: "a comprehension",
    ast.JoinedStr: "an f-string",
}
_PANDAS = frozenset(
    {"assign", "astype", "concat", "drop", "dropna", "groupby", "head", "iloc", "isin", "loc", "melt", "merge", "pivot"}
    | {"query", "rename", "reset_index", "set_index", "sort_values"}
)
_NDCG = re.compile(r"\bNDCG\b")


@dataclass(frozen=True)
class Finding:
    """One broken rule."""

    path: Path
    what: str

    def __str__(self) -> str:
        return f"{self.path.name}: {self.what}"


def lint_chapter(path: Path, published: frozenset[str] = frozenset()) -> list[Finding]:
    """Check one chapter.

    Parameters
    ----------
    path
        A MyST notebook.
    published
        Numbers as printed in the papers: none of them may stand in a chapter.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = Path(folder) / "10-x.md"
    ...     _ = page.write_text("About 0.25 higher.")
    ...     for finding in lint_chapter(page):
    ...         print(finding)
    10-x.md: no title
    10-x.md: no kernelspec with language python: the cells would not run
    10-x.md: a bare decimal in prose: 0.25 (glue it)
    """
    notebook = jupytext.read(path)
    prose = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    found = [
        *_check_form(prose, notebook.metadata, code, replication=_REPLICATION.match(path.name) is not None),
        *_check_prose(prose),
        *(what for cell in code for what in _check_code(cell.source, published)),
    ]
    return [Finding(path, what) for what in found]


def _check_form(
    prose: str, metadata: dict[str, dict[str, str]], code: list[dict[str, str]], *, replication: bool
) -> Iterator[str]:
    if not re.match(r"(\([\w-]+\)=\n)?# \S", prose):
        yield "no title"
    if metadata.get("kernelspec", {}).get("language") != "python":
        yield "no kernelspec with language python: the cells would not run"
    if not code:
        return
    if "book.start(" not in code[0]["source"]:
        yield "the first cell does not call book.start: nothing would notice that the page is stale"
    parameters = [cell for cell in code if "parameters" in cell["metadata"].get("tags", [])]  # type: ignore[attr-defined]
    if len(parameters) > 1 or (replication and not parameters):
        yield f"{len(parameters)} cells tagged parameters instead of one"
    if len(parameters) != 1:
        return
    for statement in ast.parse(parameters[0]["source"]).body:
        if not isinstance(statement, ast.AnnAssign):
            yield f"a parameter without a type: {ast.unparse(statement)}"
        elif "#" not in parameters[0]["source"].splitlines()[(statement.end_lineno or 1) - 1]:
            yield f"a parameter without a comment: {ast.unparse(statement)}"


def _check_prose(prose: str) -> Iterator[str]:
    text = _NAMES.sub("", _COMMENT_OR_LINK.sub("", _CODE.sub("", _COMMENT_OR_LINK.sub("", prose))))
    for number in _DECIMAL.findall(text):
        yield f"a bare decimal in prose: {number} (glue it)"


def _check_code(source: str, published: frozenset[str]) -> Iterator[str]:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield f"class {node.name}: classes belong in ltrlib"
        elif isinstance(node, ast.FunctionDef):
            if (node.end_lineno or 0) - node.lineno + 1 > _LONGEST_DEFINITION:
                yield f"def {node.name} is longer than {_LONGEST_DEFINITION} lines: it belongs in ltrlib"
        elif isinstance(node, ast.Call):
            yield from _check_figure(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, float | str):
            text = ast.get_source_segment(source, node) or ""
            if text.strip("\"'") in published:
                yield f"a published number in code: {text} (it belongs in data/published)"


def _check_figure(call: ast.Call) -> Iterator[str]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in _SHOWS:
        given = {keyword.arg for keyword in call.keywords}
        for wanted in sorted({"name", "caption", "alt"} - given):
            yield f"{name} without {wanted}"
    if ast.unparse(call.func) == "plt.show" or name == "savefig":
        yield f"{ast.unparse(call.func)}: show figures with book.show_figure"


def logic_of(path: Path) -> list[str]:
    r"""List what belongs in ltrlib: loops, comprehensions, f-strings and pandas in cells whose code no reader sees.

    A cell that shows its code teaches; it may compute what it explains.

    Parameters
    ----------
    path
        A MyST notebook.

    Examples
    --------
    >>> import tempfile
    >>> page = "---\nkernelspec: {{name: python3, language: python, display_name: P}}\n---\n# T\n{}"
    >>> cell = "```{{code-cell}} ipython3\n{}total = sum(n for n in counts)\n```\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "10-x.md")
    ...     for tags in (":tags: [remove-input]\n", ""):
    ...         _ = path.write_text(page.format(cell.format(tags)))
    ...         print(logic_of(path))
    ['a comprehension: (n for n in counts)']
    []
    """
    found = []
    for cell in jupytext.read(path, fmt="md:myst").cells:
        if cell.cell_type == "code" and {"remove-input", "remove-cell"} & set(cell.metadata.get("tags", [])):
            tree = ast.parse(cell.source)
            formats = {node.format_spec for node in ast.walk(tree) if isinstance(node, ast.FormattedValue)}
            found += [f"{what}: {ast.unparse(node)[:70]}" for node, what in _logic(tree) if node not in formats]
    return found


def _logic(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    for node in ast.walk(tree):
        if what := _LOGIC.get(type(node)):
            yield node, what
        imported = isinstance(node, ast.Import | ast.ImportFrom) and "pandas" in ast.unparse(node)
        selected = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Compare)
        if imported or selected or (isinstance(node, ast.Attribute) and node.attr in _PANDAS):
            yield node, "pandas"


def without_convention(path: Path) -> list[str]:
    r"""Name the tables and figures whose caption speaks of NDCG and that do not say whose.

    Parameters
    ----------
    path
        A MyST notebook.

    Examples
    --------
    >>> import tempfile
    >>> page = "# T\n\n```{{code-cell}} ipython3\nbook.show_table(t, name='tab-x-y', caption='NDCG@10'{})\n```\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "10-x.md")
    ...     for more in ("", ", convention='ndcg@10:ranklib'"):
    ...         _ = path.write_text(page.format(more))
    ...         print(without_convention(path))
    ['tab-x-y']
    []
    """
    found = []
    for cell in jupytext.read(path, fmt="md:myst").cells:
        if cell.cell_type != "code":
            continue
        for call in (node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Call)):
            given = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
            shown = isinstance(call.func, ast.Attribute) and call.func.attr in _CAPTIONED
            if shown and _NDCG.search(given.get("caption", "")) and given.get("convention", "''") == "''":
                found.append(given["name"].strip("'"))
    return found
