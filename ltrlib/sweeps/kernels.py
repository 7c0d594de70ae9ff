"""Kernels for the points of a sweep, forked from one warm process where that is possible.

Most of a small point's time would be the start of an interpreter and its imports. A kernel that is forked from a
process that has done both is ready at once, and as separate from other kernels as one that was started by itself.
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Mapping
from pathlib import Path
from queue import Empty
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.manager import AsyncKernelManager
from traitlets import Type

from ltrlib.project import ROOT

__all__ = ["PointKernelManager"]

_LAUNCHER = ["-m", "ipykernel_launcher"]
_SERVER = Path(__file__).with_name("fork_server.py")


class _ForkedKernel:
    """A kernel that the server forked, with as much of ``Popen`` as Jupyter uses."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int, handle: int, server: _ForkServer) -> None:
        self.pid, self._handle = pid, handle
        # Kept, because kernels end with the process that made them.
        self._server = server
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._wait(0)

    def wait(self) -> int | None:
        return self._wait(None)

    def _wait(self, milliseconds: int | None) -> int | None:
        if self.returncode is None:
            watch = select.poll()
            watch.register(self._handle, select.POLLIN)
            if watch.poll(milliseconds):
                os.close(self._handle)
                # What it was only its parent knows; nobody asks.
                self.returncode = 0
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            signal.pidfd_send_signal(self._handle, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class _ForkServer:
    """The other end of :mod:`ltrlib.sweeps.fork_server`."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._made_from = _what_it_imports(environment)
        self._socket, other = socket.socketpair()
        with other:
            self._process = subprocess.Popen(
                [sys.executable, str(_SERVER), str(other.fileno())],
                pass_fds=[other.fileno()],
                env=dict(environment),
                # No signal of the terminal is for it, as none is for a kernel.
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        weakref.finalize(self, _end, self._socket, self._process)
        self._lock = threading.Lock()
        self.works = self._socket.recv(6) == b"ready\n"

    def fits(self, environment: Mapping[str, str]) -> bool:
        """Whether a kernel that starts now would import the same."""
        return self._process.poll() is None and self._made_from == _what_it_imports(environment)

    def fork(
        self, arguments: list[str], folder: str, environment: Mapping[str, str], files: list[int]
    ) -> _ForkedKernel:
        request = json.dumps({"arguments": arguments, "folder": folder, "environment": dict(environment)}).encode()
        with self._lock:
            socket.send_fds(self._socket, [len(request).to_bytes(8, "little")], files)
            self._socket.sendall(request)
            answer, handles, _, _ = socket.recv_fds(self._socket, 8, 1)
        if len(answer) < 8:
            raise OSError("the fork server has ended")
        return _ForkedKernel(int.from_bytes(answer, "little"), handles[0], self)


def _end(connection: socket.socket, process: subprocess.Popen[bytes]) -> None:
    """Let a server end that no kernel and no later point needs."""
    connection.close()
    process.wait()


def _what_it_imports(environment: Mapping[str, str]) -> list[object]:
    """State of what a started interpreter has in it: variables that it reads, installed packages, our own modules."""
    folders = {Path(path) for path in sys.path if path.endswith("-packages")}
    lock = ROOT / "requirements.lock"
    files = [lock, *(ROOT / "ltrlib").glob("*.py"), *(ROOT / "ltrlib" / "records").glob("*.py")]
    states = [(str(path), path.stat().st_mtime_ns) for path in sorted([*folders, *files]) if path.exists()]
    return [*sorted(item for item in environment.items() if item[0].startswith("PYTHON")), *states]


_server: _ForkServer | None = None
_server_lock = threading.Lock()


def _warm_server(environment: Mapping[str, str]) -> _ForkServer | None:
    """The server of this process, started anew when it is out of date; None where there cannot be one."""
    global _server
    if sys.platform != "linux" or not hasattr(os, "pidfd_open"):
        return None
    with _server_lock:
        if _server is None or not _server.fits(environment):
            _server = _ForkServer(environment)
        return _server if _server.works else None


class _Client(AsyncKernelClient):
    async def wait_for_ready(self, timeout: float | None = None) -> None:
        """Wait for the first answer; unlike the original, not also for a fifth of a second in which nothing comes."""
        limit = asyncio.get_running_loop().time() + (timeout or float("inf"))
        while True:
            self.kernel_info()
            try:
                message = await self.get_shell_msg(timeout=1)
                if message["msg_type"] == "kernel_info_reply":
                    # Only when something has come on this channel is it certain that all that follows will.
                    await self.get_iopub_msg(timeout=0.2)
                    self._handle_kernel_info_reply(message)
                    return
            except Empty:
                pass
            if not await self.is_alive():
                raise RuntimeError("Kernel died before replying to kernel_info")
            if asyncio.get_running_loop().time() > limit:
                raise RuntimeError(f"Kernel didn't respond in {timeout} seconds")


class PointKernelManager(AsyncKernelManager):
    """Jupyter's manager, except that a kernel of this interpreter is forked and that nothing waits for its own sake."""

    client_factory = Type(_Client, klass=AsyncKernelClient)

    async def _async_launch_kernel(self, kernel_cmd: list[str], **options: Any) -> None:
        python, *arguments = kernel_cmd
        ours = arguments[:2] == _LAUNCHER and os.path.realpath(python) == os.path.realpath(sys.executable)
        server = _warm_server(options["env"]) if ours else None
        if server is None:
            await super()._async_launch_kernel(kernel_cmd, **options)
            return
        files = [options[name].fileno() for name in ("stdout", "stderr")]
        kernel = server.fork(["ipykernel_launcher", *arguments[2:]], options["cwd"], options["env"], files)
        provisioner: Any = self.provisioner
        provisioner.process, provisioner.cwd = kernel, options["cwd"]
        provisioner.pid = provisioner.pgid = kernel.pid
        self._reconcile_connection_info(provisioner.connection_info)

    async def _async_finish_shutdown(
        self, waittime: float | None = None, pollinterval: float = 0.01, restart: bool = False
    ) -> None:
        await super()._async_finish_shutdown(waittime=waittime, pollinterval=pollinterval, restart=restart)
