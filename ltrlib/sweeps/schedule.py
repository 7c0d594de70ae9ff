"""Points of a sweep on a Dask cluster."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ltrlib.cluster import ClusterLostError, Patience
from ltrlib.sweeps.execution import Job, Outcome, execute, failed

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["run_jobs"]


def run_jobs(client: Client, jobs: Sequence[Job]) -> Iterator[Outcome]:
    """Run all jobs and yield each outcome as it comes; one per job, whatever becomes of the workers.

    A job whose worker dies is given to another one; after several deaths it counts as failed.
    """
    from distributed import as_completed

    run = secrets.token_hex(4)
    futures: dict[Any, Job] = {client.submit(execute, job, key=f"{job.key}-{run}", pure=False): job for job in jobs}
    try:
        completed: Any = as_completed(list(futures), loop=client.loop)  # type: ignore[no-untyped-call]
        patience, next_look = Patience.with_cluster(client), 0.0
        while not completed.is_empty():
            if not completed.has_ready():
                if (now := time.monotonic()) >= next_look:
                    patience.check(now)
                    next_look = now + 2
                time.sleep(0.02)
                continue
            future = next(completed)
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
