"""One point of a sweep, run on a worker by papermill.

What comes back travels over the network as a whole: workers need ltrlib and the data sets, but no common folder.
Nothing here depends on the working folder or on the environment of the process, because a worker may run several
points at once in its threads.
"""

from __future__ import annotations

import json
import tempfile
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from ltrlib.project import ROOT
from ltrlib.sweeps import watching
from ltrlib.sweeps.reported import read_metrics

__all__ = ["Job", "Outcome", "execute", "failed"]

NOTEBOOK, LOG = "notebook.ipynb", "log.txt"
_ENGINE = "ltrlib"


@dataclass(frozen=True)
class Job:
    """What a worker needs to know to run one point.

    Parameters
    ----------
    key
        Name of the point.
    parameters
        What to change in the chapter.
    notebook
        The chapter in Jupyter's format.
    folder
        Where to run it; None for the ``chapters`` folder of the worker's own book.
    inputs
        Files that count as read by a chapter of the user's own, beside those that it is seen to read.
    """

    key: str
    parameters: Mapping[str, Any]
    notebook: str
    folder: str | None
    inputs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What became of one point.

    Parameters
    ----------
    key
        Name of the point.
    error
        Empty when all went well.
    metrics
        Numbers that the run reported.
    files
        Executed notebook and log.
    facts
        When and where it ran, for how long, and what it depended on.
    """

    key: str
    error: str
    metrics: Mapping[str, float]
    files: Mapping[str, bytes]
    facts: Mapping[str, Any]


def execute(job: Job) -> Outcome:
    """Run one point; an error in the notebook is part of the outcome, and the other points go on.

    Examples
    --------
    >>> execute(Job("a", {}, "no notebook", None)).error[:19]
    'NotJSONError: Noteb'
    """
    started, clock = datetime.now(UTC), time.perf_counter()
    error, metrics, trace = "", {}, {}
    with tempfile.TemporaryDirectory(prefix="ltrlib-point-") as name:
        folder = Path(name)
        with (folder / LOG).open("a", buffering=1, encoding="utf-8") as log:
            log.write(f"{started.isoformat(timespec='seconds')} {json.dumps(dict(job.parameters))}\n")
            try:
                _run_notebook(job, folder, log)
                trace = json.loads((folder / "trace.json").read_text())
                metrics = read_metrics(json.loads((folder / NOTEBOOK).read_text()))
            except Exception as problem:
                error = _in_one_line(problem)
                log.write("".join(traceback.format_exception(problem)))
            seconds = time.perf_counter() - clock
            log.write(f"{datetime.now(UTC).isoformat(timespec='seconds')} {'failed' if error else 'done'}\n")
        files = {file: (folder / file).read_bytes() for file in (NOTEBOOK, LOG) if (folder / file).exists()}
    facts = {
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(seconds, 3),
        "dependencies": trace.get("dependencies", {}) | watching.states(trace.get("inputs", {})),
        **trace.get("environment", {}),
    }
    return Outcome(job.key, error, metrics, files, facts)


def failed(key: str, problem: BaseException) -> Outcome:
    """Outcome of a point of which nothing came back, for example because it killed every worker that tried it.

    Examples
    --------
    >>> failed("a", MemoryError("no memory")).error
    'MemoryError: no memory'
    """
    facts = {"started": datetime.now(UTC).isoformat(timespec="seconds"), "seconds": 0.0, "dependencies": {}}
    return Outcome(key, _in_one_line(problem), {}, {}, facts)


def _run_notebook(job: Job, folder: Path, log: IO[str]) -> None:
    from jupyter_core.utils import ensure_event_loop
    from papermill.engines import papermill_engines
    from papermill.execute import execute_notebook

    from ltrlib.sweeps.engine import TracingEngine

    papermill_engines.register(_ENGINE, TracingEngine)
    chapter = folder / "chapter.ipynb"
    chapter.write_text(job.notebook, encoding="utf-8")
    try:
        execute_notebook(
            str(chapter),
            str(folder / NOTEBOOK),
            parameters=dict(job.parameters),
            engine_name=_ENGINE,
            # Saving after each cell would cost more than all the rest of a sweep's own work.
            request_save_on_cell_execute=False,
            progress_bar=False,
            folder=job.folder or str(ROOT / "chapters"),
            log_file=log,
            partial=str(folder / NOTEBOOK),
            trace=str(folder / "trace.json"),
            # What the book's own chapters read is noted by ltrlib itself.
            inputs=None if job.folder is None else list(job.inputs),
        )
    finally:
        # Jupyter leaves the thread's event loop, with its sockets, to the garbage collector.
        ensure_event_loop().close()


def _in_one_line(problem: BaseException) -> str:
    """What went wrong, without papermill's frame around the notebook's own error."""
    name, text = getattr(problem, "ename", type(problem).__name__), getattr(problem, "evalue", str(problem))
    return " ".join(f"{name}: {text}".split())[:300]
