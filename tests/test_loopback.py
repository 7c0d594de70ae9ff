"""What listens: a cluster that ltrlib starts, and the kernels of its workers, are on the loopback interface only.

A cluster that is started with the commands of the help listens on the addresses that were given, and on no other.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import subprocess
import sys
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from ltrlib.cli.cluster_help import CLUSTER
from ltrlib.cluster import connect
from tests.helpers.sweeps import CHAPTER, wait_until


def run_a_kernel(folder: str) -> list[tuple[str, int]]:
    """On a worker: start a kernel as sweeps do, look at what this process and its children listen on, stop it."""
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(cwd=folder)
    try:
        return listening(psutil.Process())
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def listening(process: psutil.Process) -> list[tuple[str, int]]:
    """Addresses on which a process and its children wait for connections."""
    found = []
    for one in [process, *process.children(recursive=True)]:
        for connection in one.net_connections(kind="inet"):
            if connection.status == psutil.CONN_LISTEN:
                found.append((connection.laddr.ip, connection.laddr.port))
    return found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_nothing_listens_beyond_loopback(tmp_path: Path) -> None:
    (tmp_path / "own.md").write_text(CHAPTER)
    before = set(listening(psutil.Process()))
    with connect(workers=1, scheduler=None) as client:
        here = set(listening(psutil.Process())) - before
        kernel = client.submit(run_a_kernel, str(tmp_path), pure=False).result(timeout=120)
    assert len(here) >= 3  # scheduler, nanny or worker, dashboard
    assert len(kernel) > 3  # a kernel has five ports of its own
    assert all(ipaddress.ip_address(address).is_loopback for address, _ in {*here, *kernel}), (here, kernel)


@pytest.mark.slow
def test_a_cluster_started_as_the_help_says_listens_on_the_given_addresses_only() -> None:
    """Dask's own defaults are all networks: for the workers, and for the page of a scheduler without dashboard."""
    commands = re.findall(r"^  dask (.+)$", CLUSTER, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["scheduler", "worker"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for command in commands:
            given = re.sub(r"\b[AB]\b", "127.0.0.1", command).replace(":8786", f":{port}").replace(":8787", ":0")
            arguments = [*given.split(), *(["--port", str(port)] if given.startswith("scheduler") else [])]
            quiet = subprocess.DEVNULL
            made = subprocess.Popen([sys.executable, "-m", "dask", *arguments], stdout=quiet, stderr=quiet)
            processes.append(made)
            # Scheduler and page; nanny, worker and page.
            wait_until(lambda: len(listening(psutil.Process(made.pid))) >= 2 + len(processes) // 2)  # noqa: B023
        found = [address for one in processes for address, _ in listening(psutil.Process(one.pid))]
    finally:
        for one in reversed(processes):
            one.terminate()
            one.wait(timeout=30)
    assert set(found) == {"127.0.0.1"}
