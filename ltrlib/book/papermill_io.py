"""Lets papermill read the book's MyST chapters: ``papermill chapters/NN-x.md out.ipynb -p name value``.

The parameters that it gives are checked against those that the chapter declares.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

__all__ = ["HANDLER", "ChapterHandler"]

# papermill warns of every input that is not called .ipynb or .json, before it asks who can read it.
warnings.filterwarnings("ignore", message=r"The specified file \(.*\.md\) does not end in one of")


class ChapterHandler:
    """A papermill handler that reads ``.md`` notebooks and leaves all else to papermill's own.

    Examples
    --------
    >>> HANDLER.pretty_path("chapters/x.md")
    'chapters/x.md'
    """

    def __getattr__(self, name: str) -> Any:
        # Imported here, because papermill imports this module while it is itself half imported.
        from papermill.iorw import papermill_io

        return getattr(papermill_io.get_handler("local"), name)

    def read(self, path: str) -> Any:
        """Text of the notebook in Jupyter's format, whatever the file's own format."""
        if not path.endswith(".md"):
            return self.__getattr__("read")(path)
        import jupytext
        import nbformat

        from ltrlib.book.notebooks import runnable

        return nbformat.writes(_with_check(runnable(jupytext.read(Path(path)))))


def _with_check(notebook: Any) -> Any:
    """Let a chapter look at the parameters that papermill gives it, before anything is computed from them."""
    import nbformat

    from ltrlib.errors import UsageError
    from ltrlib.sweeps.given import checking_cell
    from ltrlib.sweeps.parameters import read_parameters

    for place, cell in enumerate(notebook.cells):
        if "parameters" in cell.metadata.get("tags", []):
            try:
                read_parameters(cell.source)
            except (UsageError, SyntaxError):
                return notebook  # not declared as a chapter declares them: nothing is known to check against
            hidden = {"jupyter": {"source_hidden": True}, "tags": ["remove-cell"]}
            made = nbformat.v4.new_code_cell(checking_cell(cell.source), metadata=hidden)
            notebook.cells.insert(place + 1, made)
            return notebook
    return notebook


HANDLER = ChapterHandler()
