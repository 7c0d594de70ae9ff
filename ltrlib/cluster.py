"""A Dask cluster: one started on this machine for the time being, or one that is already there."""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from ltrlib.errors import UsageError

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["ClusterLostError", "Patience", "connect"]

_ADDRESS = re.compile(r"(tcp|tls|ws|wss|ucx|inproc)://\S+")
_START = "dask worker {scheduler} --nthreads 1 --host ADDRESS, on each machine with its own address"


class ClusterLostError(UsageError):
    """The scheduler went away; what had come back by then is kept."""


class Patience:
    """How long a cluster may be without workers: after some seconds that is said, after more it is an error.

    Parameters
    ----------
    count_workers
        Asks how many there are.
    where
        The scheduler's address.
    tell, give_up
        Seconds without a worker until it is said, and until it is an error.

    Examples
    --------
    >>> patience = Patience(lambda: 0, "tcp://a:1", tell=1, give_up=10)
    >>> patience.check(0), patience.check(0.5)
    (False, False)
    >>> patience.check(10)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.cluster.ClusterLostError: tcp://a:1: 0 workers for 10 s
      to do: start some with: dask worker tcp://a:1 --nthreads 1 --host ADDRESS, on each machine with ... address; ...
    """

    def __init__(
        self, count_workers: Callable[[], int], where: str, *, tell: float = 3.0, give_up: float = 120.0
    ) -> None:
        self._count, self._where = count_workers, where
        self._tell, self._give_up = tell, give_up
        self._since: float | None = None
        self._told = False

    @classmethod
    def with_cluster(cls, client: Client) -> Patience:
        """With a cluster."""

        def count_workers() -> int:
            try:
                return len(client.scheduler_info(n_workers=-1)["workers"])
            except OSError:
                return 1  # a scheduler that does not answer is another trouble

        return cls(count_workers, str(client.scheduler.address))  # type: ignore[union-attr]

    def check(self, now: float) -> bool:
        """Tell whether there are workers, and say or raise if that has taken too long.

        Parameters
        ----------
        now
            The time, in seconds from any beginning.
        """
        if self._count():
            self._since, self._told = None, False
            return True
        self._since = now if self._since is None else self._since
        start = _START.format(scheduler=self._where)
        waited = now - self._since
        if waited >= self._give_up:
            raise ClusterLostError(
                f"0 workers for {waited:.0f} s",
                where=self._where,
                cure=f"start some with: {start}; then run the same command again",
            )
        if waited >= self._tell and not self._told:
            self._told = True
            limit = f"giving up after {self._give_up:.0f} s"
            print(f"{self._where}: 0 workers; start some with: {start} ({limit})", file=sys.stderr, flush=True)
        return False


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
            if not _ADDRESS.fullmatch(scheduler):
                raise UsageError("not the address of a scheduler", where=scheduler, cure="give tcp://HOST:8786")
            # Dask would print its own account of a failed connection above ours.
            logger = logging.getLogger("distributed")
            stack.callback(logger.setLevel, logger.level)
            logger.setLevel(logging.CRITICAL)
            try:
                client = Client(scheduler, set_as_default=False)  # type: ignore[no-untyped-call]
            except (OSError, ValueError, RuntimeError) as error:
                cure = "start one, and its workers, with the two commands that ltrlib sweep --help shows"
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
        patience = Patience.with_cluster(client)
        while not patience.check(time.monotonic()):
            time.sleep(0.2)
        yield client
