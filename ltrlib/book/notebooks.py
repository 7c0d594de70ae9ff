"""Notebooks that read right wherever they are opened: numbers in the prose, pictures and tables as HTML.

A chapter's prose holds glued numbers and citations, which the book resolves and Jupyter shows as markup. Here they are
resolved: while a chapter runs under papermill (:func:`runnable`), or afterwards (:func:`readable`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ltrlib.book.plain import plain_markdown

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["NOTEBOOKS", "readable", "runnable", "write_notebooks"]

NOTEBOOKS = "_notebooks"
"""Folder of the book with a notebook for each executed page."""

_GLUED = "application/papermill.record/text/plain"


def numbers(notebook: dict[str, Any]) -> dict[str, str]:
    """Glued texts of an executed notebook, by key.

    Examples
    --------
    >>> output = {"data": {"application/papermill.record/text/plain": "'0.5'"},
    ...           "metadata": {"scrapbook": {"name": "x.a"}}}
    >>> numbers({"cells": [{"cell_type": "code", "outputs": [output]}]})
    {'x.a': '0.5'}
    """
    found = {}
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            if _GLUED in output.get("data", {}):
                text = "".join(output["data"][_GLUED])
                key = output["metadata"]["scrapbook"]["name"].removeprefix("application/papermill.record/")
                found[key] = text[1:-1].replace("\\'", "'") if text[:1] in "'\"" else text
    return found


def readable(notebook: dict[str, Any]) -> dict[str, Any]:
    """An executed notebook with its prose resolved, and each output in the one form that every viewer shows.

    Examples
    --------
    >>> cell = {"cell_type": "markdown", "source": "About {cite:t}`tax2015`.", "metadata": {}}
    >>> readable({"cells": [cell]})["cells"][0]["source"]
    'About Tax et al. 2015.'
    """
    known = numbers(notebook)
    cells = []
    for cell in notebook["cells"]:
        made = dict(cell)
        if cell["cell_type"] == "markdown":
            made["source"] = plain_markdown("".join(cell["source"]), known)
        elif "outputs" in cell:
            kept = [one for one in cell["outputs"] if _GLUED not in one.get("data", {})]
            made["outputs"] = [_one_form(one) for one in kept]
            tags = cell.get("metadata", {}).get("tags", ())
            if any(tag in tags for tag in ("remove-cell", "remove-input", "hide-input")):
                made["metadata"] = {**cell["metadata"], "jupyter": {"source_hidden": True}}
        cells.append(made)
    return {**notebook, "cells": cells}


def _one_form(output: dict[str, Any]) -> dict[str, Any]:
    data = output.get("data", {})
    if "text/html" not in data or "text/markdown" not in data:
        return output
    return {**output, "data": {kind: text for kind, text in data.items() if kind != "text/markdown"}}


def runnable(notebook: Any) -> Any:
    """A chapter for papermill: prose with glued numbers becomes a hidden cell that shows it when they are known.

    Parameters
    ----------
    notebook
        As ``jupytext`` reads a chapter; it is changed.

    Examples
    --------
    >>> import nbformat
    >>> prose = nbformat.v4.new_markdown_cell("Ours is {glue:text}`x.a`.")
    >>> made = runnable(nbformat.v4.new_notebook(cells=[prose]))
    >>> made.cells[0].source.splitlines()[-1]
    'show_prose("Ours is {glue:text}`x.a`.")'
    """
    import nbformat

    for place, cell in enumerate(notebook.cells):
        if cell.cell_type != "markdown":
            continue
        if "{glue" in cell.source:
            text = json.dumps(cell.source, ensure_ascii=False)
            source = f"from ltrlib.book.prose import show_prose\n\nshow_prose({text})"
            made = nbformat.v4.new_code_cell(source, metadata={"jupyter": {"source_hidden": True}, "tags": ["prose"]})
            notebook.cells[place] = made
        else:
            cell.source = plain_markdown(cell.source)
    return notebook


def write_notebooks(app: Sphinx, error: Exception | None) -> None:
    """Write a notebook for each executed page beside the pages."""
    if error is not None or app.builder.format != "html":
        return
    executed = Path(app.outdir).parent / "jupyter_execute"
    folder = Path(app.outdir) / NOTEBOOKS
    folder.mkdir(exist_ok=True)
    for path in executed.rglob("*.ipynb"):
        notebook = readable(json.loads(path.read_text(encoding="utf-8")))
        (folder / path.name).write_text(json.dumps(notebook, indent=1, ensure_ascii=False), encoding="utf-8")
