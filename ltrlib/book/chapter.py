"""The first call of every chapter."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np

from ltrlib.book.executions import TRACE_VARIABLE, write_trace
from ltrlib.plots import style
from ltrlib.records import observed

__all__ = ["start"]

SEED = 20150901


def start(chapter: str) -> None:
    """Begin a chapter: set the plot style and the seeds, and note what the chapter depends on.

    During a build of the book, what the chapter imports and reads is written down after each of its cells, so that
    the next build knows whether the page is still true.

    Parameters
    ----------
    chapter
        The chapter's short name, such as ``"tax2015"``; labels and glued numbers begin with it.

    Examples
    --------
    >>> start("example")
    """
    observed.watch_files()
    style.apply()
    random.seed(SEED)
    np.random.seed(SEED)  # noqa: NPY002 (for libraries that still draw from the global state)
    trace = os.environ.get(TRACE_VARIABLE)
    if trace is None:
        return
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    if shell is not None:
        shell.events.register("post_run_cell", lambda result: write_trace(Path(trace), chapter))
