"""Points on a Dask cluster: the machine's own by default, or one that is already there."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from ltrlib.errors import UsageError
from ltrlib.sweeps.execution import Job, Outcome, execute, failed

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["ClusterLostError", "connect", "run_jobs"]


class ClusterLostError(UsageError):
    """The scheduler went away; what had come back by then is kept."""


@contextmanager
def connect(*, workers: int, scheduler: str | None) -> Iterator[Client]:
    """Connect to a scheduler, or start a cluster on this machine for the time being.

    Parameters
    ----------
    workers
        Number of worker processes to start here, one point at a time each.
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


def run_jobs(client: Client, jobs: Sequence[Job]) -> Iterator[Outcome]:
    """Run all jobs and yield each outcome as it comes; one per job, whatever becomes of the workers.

    A job whose worker dies is given to another one; after several deaths it counts as failed.
    """
    from distributed import as_completed

    run = secrets.token_hex(4)
    futures: dict[Any, Job] = {client.submit(execute, job, key=f"{job.key}-{run}", pure=False): job for job in jobs}
    try:
        for future in as_completed(list(futures), loop=client.loop):  # type: ignore[no-untyped-call]
            job = futures[future]
            if future.status == "finished":
                yield future.result()
            elif future.status == "error":
                yield failed(job.key, future.exception())
            else:
                raise ClusterLostError(
                    "the scheduler went away", cure="start it again, then run the same command: it does what is missing"
                )
            future.release()
    finally:
        client.cancel(list(futures))  # type: ignore[no-untyped-call]
