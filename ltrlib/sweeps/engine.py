"""Papermill's own engine, and one question to the kernel at the end, namely what the run depended on."""

from __future__ import annotations

import shutil
import tempfile
import typing

import nbformat
from jupyter_client.manager import AsyncKernelManager
from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import NBClientEngine
from traitlets import Any, Type, Unicode

from ltrlib.sweeps.kernels import PointKernelManager

__all__ = ["TracingEngine"]

_WATCH = "__import__('ltrlib.sweeps.watching', fromlist=['begin']).begin({inputs!r})"
_ASK = """
import json as _json, pathlib as _pathlib, sys as _sys
from ltrlib.records import observed as _observed
_watching = _sys.modules.get("ltrlib.sweeps.watching")
_used = {{
    "dependencies": _observed.dependencies(),
    "environment": _observed.environment(),
    "inputs": _watching.used() if _watching else {{}},
}}
_pathlib.Path({path!r}).write_text(_json.dumps(_used))
"""


class _TracingClient(PapermillNotebookClient):  # type: ignore[misc]
    trace = Unicode()
    sockets = Unicode()
    inputs = Any(None)

    kernel_manager_class = Type(PointKernelManager, klass=AsyncKernelManager)

    def create_kernel_manager(self) -> typing.Any:
        manager = super().create_kernel_manager()
        # Sockets in a folder of their own: of two kernels that start at the same moment on TCP, both may choose the
        # same free port, and one then waits for an answer that never comes.
        manager.transport = "ipc"
        manager.ip = f"{self.sockets}/kernel"
        manager.connection_file = f"{self.sockets}/kernel.json"
        return manager

    def papermill_execute_cells(self) -> None:
        if self.inputs is not None:
            self.wait_for_reply(self.kc.execute(_WATCH.format(inputs=self.inputs), silent=True))
        super().papermill_execute_cells()
        if not any(cell.metadata.get("papermill", {}).get("exception") for cell in self.nb.cells):
            # In the kernel, because it alone knows what it has imported and read; silent, so the notebook stays as is.
            self.wait_for_reply(self.kc.execute(_ASK.format(path=self.trace), silent=True))


class TracingEngine(NBClientEngine):  # type: ignore[misc]
    """Runs a notebook in ``folder`` and writes what it used to the file ``trace``.

    If ``inputs`` are given (there may be none in it), every file that it reads is watched, and these count as read.
    """

    @classmethod
    def execute_managed_notebook(cls, nb_man: typing.Any, kernel_name: str, **options: typing.Any) -> typing.Any:
        """Run the notebook; ``options`` are those that papermill passes on, and ours."""
        # Not in the point's own folder: the path of a socket must be short.
        sockets = tempfile.mkdtemp(prefix="ltrlib-")
        client = _TracingClient(
            nb_man,
            kernel_name=kernel_name,
            timeout=None,
            startup_timeout=options["start_timeout"],
            # Per kernel: papermill's own cwd would change the folder of the whole process.
            resources={"metadata": {"path": options["folder"]}},
            stdout_file=options["log_file"],
            stderr_file=options["log_file"],
            trace=options["trace"],
            inputs=options["inputs"],
            sockets=sockets,
        )
        try:
            # What the kernel's process itself says (a crash, a warning at its start) belongs to the log as well.
            return client.execute(stdout=options["log_file"], stderr=options["log_file"])
        except Exception:
            # Papermill writes a notebook whose cell failed, but not one whose kernel died.
            nbformat.write(nb_man.nb, options["partial"])
            raise
        finally:
            shutil.rmtree(sockets, ignore_errors=True)
