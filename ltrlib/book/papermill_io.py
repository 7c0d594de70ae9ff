"""Lets papermill read the book's MyST chapters: ``papermill chapters/NN-x.md out.ipynb -p name value``."""

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

        return nbformat.writes(runnable(jupytext.read(Path(path))))


HANDLER = ChapterHandler()
