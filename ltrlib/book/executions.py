"""The store of executed chapters: which execution may be shown again, and which is stale.

Each execution of a chapter has a folder ``<store>/<chapter>/<id>/`` with the executed notebook (as jupyter-cache
keeps it) and ``trace.json``: what the run depended on, found out by the run itself. An execution may be reused
while none of its dependencies has changed; the id is a hash of them, so going back to an earlier state of the
code finds the earlier execution again.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ltrlib.records import observed

__all__ = ["TRACE_VARIABLE", "ExecutionStore", "write_trace"]

TRACE_VARIABLE = "LTRLIB_BOOK_TRACE"
"""Environment variable with the file into which a running chapter writes its trace."""

_TRACE = "trace.json"
_FRESH = "fresh-"
_KEPT = 6


def write_trace(path: Path, chapter: str) -> None:
    """Write what the present process has depended on so far; called by a chapter after each of its cells.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_trace(Path(folder) / "trace.json", "example")
    ...     sorted(json.loads((Path(folder) / "trace.json").read_text()))
    ['chapter', 'dependencies', 'environment']
    """
    content = {
        "chapter": chapter,
        "dependencies": observed.dependencies(),
        "environment": observed.environment(),
    }
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    partial.write_text(json.dumps(content, indent=1))
    partial.replace(path)


@dataclass(frozen=True)
class ExecutionStore:
    """Folder of executed chapters, see the module's text.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = ExecutionStore(Path(folder))
    ...     execution = store.open("chapters/example")
    ...     write_trace(execution / "trace.json", "example")
    ...     kept = store.close("chapters/example", execution)
    ...     store.open("chapters/example") == kept
    True
    """

    folder: Path

    def open(self, chapter: str) -> Path:
        """Folder of the execution of a chapter that is up to date, else a fresh empty one."""
        return self.find(chapter) or self.begin(chapter)

    def find(self, chapter: str) -> Path | None:
        """Folder of the execution of a chapter that is up to date, if there is one."""
        return next((execution for execution in self._executions(chapter) if not self.changes(execution)), None)

    def begin(self, chapter: str) -> Path:
        """A fresh empty folder for an execution of a chapter."""
        fresh = self.folder / chapter / f"{_FRESH}{uuid.uuid4().hex[:8]}"
        fresh.mkdir(parents=True)
        return fresh

    def close(self, chapter: str, execution: Path) -> Path:
        """File an execution under the hash of what it turned out to depend on, and drop the oldest ones."""
        trace = self.trace(execution)
        if trace is None:
            # The page ran no chapter code, or never called book.start: nothing is known, so nothing may be reused.
            return execution
        text = json.dumps(trace["dependencies"], sort_keys=True)
        home = execution.with_name(hashlib.sha256(text.encode()).hexdigest()[:16])
        if home != execution:
            shutil.rmtree(home, ignore_errors=True)
            if execution.name.startswith(_FRESH):
                execution.rename(home)
            else:
                # An edited chapter ran inside an older execution's folder, whose own trace has just been replaced.
                shutil.copytree(execution, home)
                shutil.rmtree(execution)
        for old in self._executions(chapter)[_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)
        return home

    def trace(self, execution: Path) -> dict[str, Any] | None:
        """What the execution wrote down about itself; None when it never finished a cell."""
        try:
            content: dict[str, Any] = json.loads((execution / _TRACE).read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return None
        return content

    def changes(self, execution: Path) -> list[str]:
        """Dependencies that have changed since the execution; an execution without a trace counts as changed."""
        # It tells whether a data set has changed; a running page, which only writes its trace, must not depend on it.
        import ltrlib.datasets.loading  # noqa: F401

        trace = self.trace(execution)
        return ["unknown"] if trace is None else observed.changed_dependencies(trace["dependencies"])

    def discard_unfinished(self) -> None:
        """Remove what builds that failed have left behind."""
        for fresh in self.folder.rglob(f"{_FRESH}*"):
            shutil.rmtree(fresh, ignore_errors=True)

    def _executions(self, chapter: str) -> list[Path]:
        traces = [t for t in (self.folder / chapter).glob(f"*/{_TRACE}") if not t.parent.name.startswith(_FRESH)]
        return [t.parent for t in sorted(traces, key=lambda t: t.stat().st_mtime, reverse=True)]
