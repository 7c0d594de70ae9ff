"""The parameters of a page as a folded table, with the command that runs the page with others."""

from __future__ import annotations

import ast
import html
from dataclasses import dataclass

from docutils import nodes
from sphinx.application import Sphinx

__all__ = ["Parameter", "command", "parameters_html", "read_parameters", "setup"]

_TAG = "tag_parameters"


@dataclass(frozen=True)
class Parameter:
    """One parameter of a chapter, as its cell declares it.

    Examples
    --------
    >>> Parameter("cutoff", "int", "10", "of NDCG").name
    'cutoff'
    """

    name: str
    kind: str
    default: str
    meaning: str


def read_parameters(source: str) -> list[Parameter]:
    """Read the cell tagged ``parameters``.

    Examples
    --------
    >>> read_parameters('cutoff: int = 10  # of NDCG')
    [Parameter(name='cutoff', kind='int', default='10', meaning='of NDCG')]
    """
    lines = source.splitlines()
    found = []
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.AnnAssign) and statement.value is not None:
            comment = lines[(statement.end_lineno or 1) - 1][statement.end_col_offset or 0 :].partition("#")[2].strip()
            name, kind, default = map(ast.unparse, (statement.target, statement.annotation, statement.value))
            found.append(Parameter(name, kind, default, comment))
    return found


def command(page: str, given: list[Parameter]) -> str:
    """What to type to run the page with another value of its first parameter.

    Examples
    --------
    >>> command("chapters/20-x", [Parameter("cutoff", "int", "10", "of NDCG")])
    'ltrlib rerun 20-x -p cutoff=10'
    """
    chosen = f" -p {given[0].name}={given[0].default.strip(chr(39) + chr(34))}" if given else ""
    return f"ltrlib rerun {page.rpartition('/')[2]}{chosen}"


def parameters_html(page: str, given: list[Parameter]) -> str:
    """Table and command, closed.

    Examples
    --------
    >>> parameters_html("chapters/20-x", [Parameter("cutoff", "int", "10", "of NDCG")]).startswith("<details")
    True
    """
    rows = "".join(
        f"<tr><th scope='row'><code>{html.escape(one.name)}</code></th><td>{html.escape(one.kind)}</td>"
        f"<td><code>{html.escape(one.default)}</code></td><td>{html.escape(one.meaning)}</td></tr>"
        for one in given
    )
    line = html.escape(command(page, given))
    return (
        '<details class="parameters"><summary>Rerun this page with other parameters</summary>\n'
        '<table class="table"><thead><tr><th scope="col">parameter</th><th scope="col">type</th>'
        f'<th scope="col">default</th><th scope="col">meaning</th></tr></thead><tbody>{rows}</tbody></table>\n'
        f'<p class="command"><code>{line}</code> <button type="button" class="copy" data-copy="{line}">copy</button>'
        "</p></details>"
    )


def setup(app: Sphinx) -> None:
    """Replace the cell on every page."""
    app.connect("doctree-read", fold_parameters)


def fold_parameters(app: Sphinx, doctree: nodes.document) -> None:
    """Put the table in the place of the code."""
    for cell in list(doctree.findall(nodes.container)):
        if _TAG not in cell.get("classes", ()):
            continue
        code = next(iter(cell.findall(nodes.literal_block)), None)
        if code is not None:
            made = parameters_html(app.env.docname, read_parameters(code.astext()))
            cell.replace_self(nodes.raw("", made, format="html"))
