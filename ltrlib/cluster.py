"""A Dask cluster: one started on this machine for the time being, or one that is already there."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from ltrlib.errors import UsageError

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["ClusterLostError", "connect"]


class ClusterLostError(UsageError):
    """The scheduler went away; what had come back by then is kept."""


@contextmanager
def connect(*, workers: int, scheduler: str | None) -> Iterator[Client]:
    """Connect to a scheduler, or start a cluster on this machine for the time being.

    Parameters
    ----------
    workers
        Number of worker processes to start here, one piece of work at a time each.
    scheduler
        Address such as ``tcp://host:8786``; then nothing is started.
    """
    from distributed import Client, LocalCluster

    with ExitStack() as stack:
        if scheduler is not None:
            try:
                client = Client(scheduler, set_as_default=False)  # type: ignore[no-untyped-call]
            except (OSError, ValueError) as error:
                cure = "start one with: dask scheduler, and on each machine: dask worker tcp://HOST:8786 --nthreads 1"
                raise UsageError(f"no scheduler answers: {error}", where=scheduler, cure=cure) from None
        else:
            cluster = LocalCluster(  # type: ignore[no-untyped-call]
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                # Any free port: the default one may be taken, by another cluster or another person.
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
            stack.callback(cluster.close, timeout=20)
            client = Client(cluster, set_as_default=False)  # type: ignore[no-untyped-call]
        stack.callback(client.close, timeout=10)
        yield client
