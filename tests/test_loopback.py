"""What listens: a cluster that ltrlib starts, and the kernels of its workers, are on the loopback interface only."""

from __future__ import annotations

import ipaddress
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from ltrlib.cluster import connect
from tests.helpers.sweeps import CHAPTER


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
