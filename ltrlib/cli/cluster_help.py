"""How to start a cluster, as ``sweep`` and ``record`` tell it: so that it listens where it is told and nowhere else."""

from __future__ import annotations

__all__ = ["CLUSTER"]

CLUSTER = """\
Start a cluster with Dask's own commands. A is the address of one machine in a private network, B that of each worker:
  dask scheduler --host A --dashboard-address A:8787
  dask worker tcp://A:8786 --nthreads 1 --host B --dashboard-address B:0
The workers need the same version of this package, and the data sets. Anybody who can reach the scheduler or a worker
can run code there, and what is given no address listens on all networks of its machine, with --no-dashboard too.
Without --scheduler the command listens on 127.0.0.1 only.
"""
