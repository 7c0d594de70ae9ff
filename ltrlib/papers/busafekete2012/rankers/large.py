"""Every ranker on training parts as large as those of MSLR-WEB30K: time, peak memory, and how the time grows.

Each training is a process of its own, on one thread, so that its peak memory is its own: interpreter, libraries, the
training part (136 features of 4 bytes a document) and what the ranker adds. It is timed after a fit on some queries,
which loads and compiles what it needs. The rows are of the stand-in of MSLR.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from ltrlib.atomic import new_folder
from ltrlib.datasets.container import RankingData, Source
from ltrlib.errors import RecordError
from ltrlib.papers.busafekete2012.rankers.records import LARGE
from ltrlib.project import ROOT, cache_dir
from ltrlib.rankers.adarank import AdaRank
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.coordinate_ascent import CoordinateAscent
from ltrlib.rankers.directranker import DirectRanker
from ltrlib.rankers.gbdt import GBDT
from ltrlib.rankers.lambdamart import LambdaMART
from ltrlib.rankers.linear import LinearRegression, Ridge, SingleFeature
from ltrlib.rankers.neural import ListNet, RankNet
from ltrlib.rankers.random_forest import RandomForest
from ltrlib.rankers.rankboost import RankBoost
from ltrlib.rankers.ranksvm import RankSVM
from ltrlib.records import observed

__all__ = ["RANKERS", "SCALES", "measure_large"]

SCALES = (0.7883, 3.1532)
"""Of the stand-in: a quarter of the 18,919 queries in the training parts of MSLR-WEB30K, and all of them."""

RANKERS: Mapping[str, Ranker] = {
    "AdaRank, 20 rounds": AdaRank(rounds=20, tolerance=None, max_repeats=None),
    "CoordinateAscent, 1 pass": CoordinateAscent(restarts=1, tolerance=1.0),
    "DirectRanker, 300 steps": DirectRanker(steps=300, patience=None),
    "GBDT, 10 trees": GBDT(trees=10),
    "LambdaMART, 10 trees": LambdaMART(trees=10),
    "LinearRegression": LinearRegression(),
    "ListNet, 5 epochs": ListNet(epochs=5),
    "RandomForest, 1 tree": RandomForest(trees=1),
    "RankBoost, 10 rounds": RankBoost(rounds=10),
    "RankNet, 5 epochs": RankNet(epochs=5),
    "RankSVM, 3 steps": RankSVM(max_iterations=3, tolerance=1e-9),
    "Ridge": Ridge(),
    "SingleFeature": SingleFeature(),
}
"""Every ranker with a fixed number of rounds; see also :func:`sized`."""

_QUERIES = 4731
"""Of the smaller size; what a ranker's parameters refer to."""
_WARM_UP = 100
_ARRAYS = ("features", "labels", "query_offsets", "query_ids")
_SOURCE = Source("standin/mslr", "Fold1/train", standin=True)


def sized(name: str, n_queries: int) -> Ranker:
    """The ranker whose problem is as hard with so many queries as with a quarter of them.

    RankSVM's C weighs a sum over pairs: left as it is, each Newton step takes the more conjugate gradients, the more
    queries there are. Divided by the queries, it is SVM-rank's.

    Examples
    --------
    >>> sized("RankSVM, 3 steps", 4 * 4731).get_params()["C"]
    0.25
    """
    ranker = type(RANKERS[name])(**RANKERS[name].get_params())
    if isinstance(ranker, RankSVM):
        ranker.set_params(C=ranker.C * _QUERIES / n_queries)
    return ranker


def measure_large(name: str) -> pd.DataFrame:
    """Time one ranker on each size, in processes that end with it."""
    rows = []
    observed.note_source(_SOURCE)
    for scale in SCALES:
        folder = _kept(scale)
        command = [sys.executable, "-m", __name__, name, str(folder)]
        threads = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
        # JAX is told by this flag.
        flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
        done = subprocess.run(
            command,
            env={**os.environ, **threads, "PYTHONPATH": path, "XLA_FLAGS": flags},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RecordError(f"{name} failed: {done.stderr[-300:]}")
        rows.append({"ranker": name, **json.loads(done.stdout.splitlines()[-1])})
    return pd.DataFrame(rows, columns=list(LARGE.columns))


def _kept(scale: float) -> Path:
    """The rows as arrays on disk: generating them takes longer than some of the trainings."""
    from ltrlib.datasets.loading import load

    folder = cache_dir() / "bench-large" / f"mslr-{scale}"
    if not folder.exists():
        data = load(_SOURCE.name, "Fold1/train", scale=scale)
        with new_folder(folder) as place:
            for array in _ARRAYS:
                np.save(place / f"{array}.npy", getattr(data, array))
    return folder


def _train(name: str, folder: Path) -> dict[str, float]:
    arrays = {array: np.load(folder / f"{array}.npy") for array in _ARRAYS}
    data = RankingData(**arrays, comments=None, source=_SOURCE)
    # Imports and compilation are a constant that would hide how the time grows.
    sized(name, data.n_queries).fit(data.select_queries(slice(0, _WARM_UP)))
    before = _peak_gb()
    cpu, wall = time.process_time(), time.perf_counter()
    sized(name, data.n_queries).fit(data)
    return {
        "documents": data.n_docs,
        "cpu_seconds": time.process_time() - cpu,
        "wall_seconds": time.perf_counter() - wall,
        "data_gb": before,
        "peak_gb": _peak_gb(),
    }


def _peak_gb() -> float:
    """Most memory that this process has held: ``getrusage`` would count what its parent held when it started it."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024 / 1e9


if __name__ == "__main__":
    print(json.dumps(_train(sys.argv[1], Path(sys.argv[2]))))
