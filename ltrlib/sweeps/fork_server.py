"""A process that has imported what every kernel needs, and makes each kernel by a fork of itself.

It runs nothing of any notebook: every kernel begins as a copy of the same untouched process, so nothing of one point
can reach another. Started by its path, not as a module of the package, so that a kernel counts as having imported no
more of ltrlib than it has.
"""

from __future__ import annotations

import array
import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import time
from typing import Any

__all__ = ["MODULES"]

MODULES = (
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "ipykernel.debugger",
    "IPython.core.completerlib",
    "IPython.core.debugger",
    "IPython.core.logger",
    "IPython.core.oinspect",
    "IPython.extensions.storemagic",
    "sqlite3",
    "tornado.platform.asyncio",
    "tornado.queues",
)
"""What kernels find imported: no more than any kernel of its own would have imported before its first cell."""


def _receive(server: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """One request: its length and the kernel's output files first, then the request itself."""
    head, files, _, _ = socket.recv_fds(server, 8, 2)
    if len(head) < 8:
        return None
    left, parts = int.from_bytes(head, "little"), []
    while left:
        parts.append(server.recv(min(left, 1 << 16)))
        if not parts[-1]:
            return None
        left -= len(parts[-1])
    return json.loads(b"".join(parts)), files


def _serve(server: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Fork for each request; returns in the copies only, with what was asked. Ends with the process that asks."""
    children: set[int] = set()
    while True:
        ready, _, _ = select.select([server], [], [], 0.5 if children else None)
        for child in list(children):
            if os.waitpid(child, os.WNOHANG)[0]:
                children.discard(child)
        if not ready:
            continue
        request = _receive(server)
        if request is None:
            # Kernels notice that this process is gone, as they would notice the end of the worker.
            os._exit(0)
        child = os.fork()
        if not child:
            return request
        children.add(child)
        # By this handle the other side sees the end of the kernel, even if another process has got its number since.
        handle = os.pidfd_open(child)
        server.sendmsg(
            [child.to_bytes(8, "little")], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [handle]))]
        )
        for file in (handle, *request[1]):
            os.close(file)


def _become_kernel(request: dict[str, Any], files: list[int]) -> None:
    """Turn this copy into what ``python -m ipykernel_launcher`` would be after its imports."""
    os.setsid()
    null = os.open(os.devnull, os.O_RDONLY)
    for place, file in enumerate((null, *files)):
        os.dup2(file, place)
        os.close(file)
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    os.chdir(request["folder"])
    sys.argv = request["arguments"]
    from ipykernel import kernelapp

    kernelapp.launch_new_instance()


def main() -> None:
    """Import, say that all is ready, serve."""
    server = socket.socket(fileno=int(sys.argv[1]))
    # The folder of this file, which no kernel should search.
    del sys.path[0]
    os.environ["JPY_PARENT_PID"] = str(os.getpid())
    for name in MODULES:
        # Another version of Jupyter may have no such module; its kernels then do without.
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    # What is asked of each kernel at its end, asked once here: the answers that hold for all of them are remembered.
    observed = importlib.import_module("ltrlib.records.observed")
    observed.dependencies(), observed.environment()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    with contextlib.suppress(BrokenPipeError):
        server.sendall(b"ready\n")
    request, files = _serve(server)
    server.close()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _become_kernel(request, files)


if __name__ == "__main__":
    main()
