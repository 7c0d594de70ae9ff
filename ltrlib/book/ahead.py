"""Execute the pages of a build side by side, before Sphinx reads them one after another.

An execution is filed in the store under what it depended on; the reading that follows finds it there. A page that fails
is left to that reading, which executes it again and reports the error where Sphinx's users look for it.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import shutil
from collections.abc import Mapping, MutableMapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from myst_nb.core.execute import create_client
from myst_nb.core.read import create_nb_reader
from sphinx.util import logging as sphinx_logging

from ltrlib.book.executions import ExecutionStore
from ltrlib.progress import progress

__all__ = ["Page", "execute_ahead"]


@dataclass(frozen=True)
class Page:
    """A page that has to be executed.

    Parameters
    ----------
    name
        As in the table of contents.
    source
        Its file.
    variables
        Environment variables of its kernel, but for the file of its trace.
    """

    name: str
    source: Path
    variables: Mapping[str, str]


def execute_ahead(
    store: ExecutionStore, pages: Sequence[Page], *, readers: tuple[Any, Any], trace: str, workers: int | None = None
) -> None:
    """Execute pages, several at a time, and file what succeeds.

    Parameters
    ----------
    store
        Where executions are kept.
    pages
        What to execute.
    readers
        Sphinx's configuration of MyST and of MyST-NB.
    trace
        Environment variable with the file into which a page writes its trace.
    workers
        How many at a time; as many as there are cores if not given.
    """
    workers = min(workers or len(os.sched_getaffinity(0)), len(pages))
    if workers < 2:
        return
    # Forked, so a worker begins with everything that Sphinx has imported; the kernels are new processes anyway.
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("fork")) as pool:
        started = [pool.submit(_execute, store, page, readers, trace) for page in pages]
        for page in pages:
            sphinx_logging.getLogger(__name__).info("%s: Executing notebook beside others", page.source)
        for done in progress(as_completed(started), total=len(started), what="pages", unit="page"):
            done.result()


def _execute(store: ExecutionStore, page: Page, readers: tuple[Any, Any], trace: str) -> None:
    markdown, notebooks = readers
    folder = store.begin(page.name)
    os.environ.update(page.variables)
    os.environ[trace] = str(folder / "trace.json")
    config = notebooks.copy(execution_cache_path=str(folder))
    text = page.source.read_text(encoding="utf-8")
    reader = create_nb_reader(str(page.source), markdown, config, text)
    if reader is None:
        return
    try:
        with create_client(reader.read(text), str(page.source), config, _Silent(_logger(), {}), reader.read_fmt):
            pass
    except Exception:
        shutil.rmtree(folder, ignore_errors=True)
    else:
        store.close(page.name, folder)


def _logger() -> logging.Logger:
    logger = logging.getLogger(__name__)
    logger.setLevel(logging.CRITICAL + 1)
    return logger


class _Silent(logging.LoggerAdapter):  # type: ignore[type-arg]
    """Takes what MyST-NB passes to its loggers, and says nothing: errors are reported when Sphinx reads the page."""

    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> tuple[Any, MutableMapping[str, Any]]:
        return msg, {}
