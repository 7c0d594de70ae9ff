"""Sphinx extension of the book: executes what is stale and nothing else, and keeps the pages free of the network.

Jupyter Book caches executed notebooks by their code alone, so a changed library or data file would go unnoticed.
Here each page gets the cache folder of an execution whose noted dependencies are unchanged (see
:mod:`ltrlib.book.executions`), and pages whose execution is stale are read again.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from ltrlib.book import ahead, coverage, directives, frame, parameters, search_index, status
from ltrlib.book.executions import TRACE_VARIABLE, ExecutionStore
from ltrlib.book.output import PLOTLY_VARIABLE
from ltrlib.project import project_data

__all__ = ["setup"]

ASSETS = "assets"
PLOTLY = "plotly.min.js"


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.add_directive("book-status", StatusDirective)
    app.add_directive("book-coverage", CoverageDirective)
    app.add_node(StatusPlaceholder)
    app.connect("config-inited", prepare_environment)
    app.connect("env-get-outdated", find_stale_pages)
    app.connect("env-before-read-docs", execute_stale_pages)
    app.connect("source-read", choose_execution)
    app.connect("doctree-read", file_execution)
    app.connect("doctree-resolved", fill_status)
    app.connect("build-finished", copy_plotly)
    directives.setup(app)
    parameters.setup(app)
    frame.setup(app)
    search_index.setup(app)
    # Pages are read one after another: the choice of an execution is kept in process-wide state.
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}


def _store(app: Sphinx) -> ExecutionStore:
    return ExecutionStore(Path(app.srcdir) / "_build" / ".executions")


def _executions(env: BuildEnvironment) -> dict[str, str]:
    """Page name -> folder of the execution that it shows; kept with the environment between builds."""
    found: dict[str, str] = vars(env).setdefault("ltrlib_executions", {})
    return found


def _status_pages(env: BuildEnvironment) -> set[str]:
    found: set[str] = vars(env).setdefault("ltrlib_status_pages", set())
    return found


def prepare_environment(app: Sphinx, config: object) -> None:
    """Make paths absolute, since chapters run in another folder, and remove what failed builds left."""
    if os.environ.get("LTRLIB_DATA"):
        folders = [str(Path(p).expanduser().resolve()) for p in os.environ["LTRLIB_DATA"].split(os.pathsep) if p]
        os.environ["LTRLIB_DATA"] = os.pathsep.join(folders)
    _store(app).discard_unfinished()


def find_stale_pages(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> Iterable[str]:
    """Ask Sphinx to read again the pages whose execution is stale, and the status page if there are any."""
    store = _store(app)
    stale = {page for page, folder in _executions(env).items() if store.changes(Path(folder))}
    if stale | added | changed | removed:
        stale |= _status_pages(env) & env.found_docs
    return sorted(stale - removed)


def execute_stale_pages(app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
    """Execute the pages that are about to be read and have no execution that is up to date, several at a time."""
    store = _store(app)
    sources = {page: Path(str(env.doc2path(page))) for page in pages}
    stale = [
        ahead.Page(page, source, {PLOTLY_VARIABLE: _plotly(page)})
        for page, source in sources.items()
        if "{code-cell}" in source.read_text(encoding="utf-8") and store.find(page) is None
    ]
    readers = env.myst_config, env.mystnb_config  # type: ignore[attr-defined]
    ahead.execute_ahead(store, stale, readers=readers, trace=TRACE_VARIABLE)


def _plotly(page: str) -> str:
    """Where a page finds plotly.js."""
    return "../" * page.count("/") + f"{ASSETS}/{PLOTLY}"


def choose_execution(app: Sphinx, page: str, source: list[str]) -> None:
    """Point the notebook cache of a page to an execution that is up to date, or to a fresh one."""
    if "{code-cell}" not in source[0]:
        return
    execution = _store(app).open(page)
    config = app.env.mystnb_config  # type: ignore[attr-defined]
    app.env.mystnb_config = config.copy(execution_cache_path=str(execution))  # type: ignore[attr-defined]
    _executions(app.env)[page] = str(execution)
    os.environ[TRACE_VARIABLE] = str(execution / "trace.json")
    os.environ[PLOTLY_VARIABLE] = _plotly(page)


def file_execution(app: Sphinx, doctree: nodes.document) -> None:
    """File the execution of the page that was just read under what it depended on."""
    page = app.env.docname
    os.environ.pop(TRACE_VARIABLE, None)
    if page in _executions(app.env) and (folder := Path(_executions(app.env)[page])).exists():
        _executions(app.env)[page] = str(_store(app).close(page, folder))


class StatusPlaceholder(nodes.General, nodes.Element):
    """Stands for the status tables until every page has been read."""


class StatusDirective(SphinxDirective):
    """``{book-status}``: run time, fingerprint, versions and machine of every executed page."""

    def run(self) -> list[nodes.Node]:
        """Leave a placeholder and remember the page."""
        _status_pages(self.env).add(self.env.docname)
        return [StatusPlaceholder()]


class CoverageDirective(SphinxDirective):
    """``{book-coverage}``: how much of the code the tests run."""

    def run(self) -> list[nodes.Node]:
        """Show what was measured last."""
        self.env.note_dependency(str(project_data("coverage.json")))
        return status.render_coverage(coverage.read())


def fill_status(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put the tables where the placeholder stands."""
    for placeholder in list(doctree.findall(StatusPlaceholder)):
        store = _store(app)
        rows = []
        for name, folder in sorted(_executions(app.env).items()):
            data = app.env.nb_metadata.get(name, {}).get("exec_data", {})  # type: ignore[attr-defined]
            title = app.env.titles[name].astext() if name in app.env.titles else name
            address = app.builder.get_relative_uri(page, name)
            rows.append(status.row(title, address, Path(folder).name, store.trace(Path(folder)), data))
        placeholder.replace_self(status.render(rows))


def copy_plotly(app: Sphinx, error: Exception | None) -> None:
    """Put plotly.js from the installed package beside the pages, so that interactive figures need no network."""
    if error is None and app.builder.format == "html":
        import plotly

        target = Path(app.outdir) / ASSETS / PLOTLY
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(Path(plotly.__file__).parent / "package_data" / PLOTLY, target)
