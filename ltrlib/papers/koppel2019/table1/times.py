"""Table 2 of Köppel et al. (2019): how long the rankers train on data of the size of one MSLR-WEB10K fold.

``python -m ltrlib.papers.koppel2019.table1.times`` measures and writes the record ``koppel2019/times``. All on one
thread.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.loading import load
from ltrlib.papers.koppel2019.table1.trainings import RANKERS
from ltrlib.rankers.adarank import AdaRank
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.directranker import DirectRanker
from ltrlib.rankers.lambdamart import LambdaMART
from ltrlib.rankers.neural import ListNet, RankNet
from ltrlib.records.record import Record, read_record, write_record

__all__ = ["TIME_COLUMNS", "TIMED", "measure", "recorded_times"]

TIME_COLUMNS = {"method": "str", "settings": "str", "work": "str"}
TIME_COLUMNS |= {"cpu_seconds": "float", "wall_seconds": "float", "peak_gb": "float"}
"""Schema of ``koppel2019/times``."""

COMMAND = "python -m ltrlib.papers.koppel2019.table1.times"
DATASET, PART = "standin/mslr", "Fold1/train"


TIMED: dict[str, tuple[Ranker, str]] = {
    "DirectRanker": (DirectRanker(hidden=(50,), l2=1e-4), "steps"),
    "AdaRank": (AdaRank(), "rounds"),
    "RankNet": (RankNet(), "epochs"),
    "LambdaMART": (LambdaMART(patience=None), "trees"),
    "ListNet": (ListNet(), "epochs"),
}
"""What is timed, and the parameter that says how much work it is: DirectRanker as in the grid, the others with the
default amount of RankLib."""


def measure(ranker: Ranker, data: RankingData) -> dict[str, float]:
    """Processor and wall seconds of one training; compilation is inside, reading and preparing the data are not.

    Examples
    --------
    >>> sorted(measure(AdaRank(rounds=3), load("standin/mq2008", "Fold1/test", scale=0.2)))
    ['cpu_seconds', 'wall_seconds']
    """
    cpu, wall = time.process_time(), time.perf_counter()
    ranker.fit(data)
    return {"cpu_seconds": time.process_time() - cpu, "wall_seconds": time.perf_counter() - wall}


def recorded_times() -> Record:
    """Read the record.

    Examples
    --------
    >>> recorded_times().standin
    True
    """
    return read_record("koppel2019/times", TIME_COLUMNS)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure all and record."""
    started = time.perf_counter()
    data = load(DATASET, PART)
    # As in the protocol: labels from 2 up are relevant.
    data = data.with_labels((data.labels >= 2).astype(np.int32))
    rows = []
    for name, (ranker, parameter) in TIMED.items():
        work = f"{ranker.get_params()[parameter]} {parameter}"
        row: dict[str, str | float] = {"method": name, "settings": repr(ranker), "work": work}
        row |= measure(ranker, data)
        row["peak_gb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(row, file=sys.stderr, flush=True)
        rows.append(row)
    table = pd.DataFrame(rows, columns=list(TIME_COLUMNS))
    record = write_record(
        "koppel2019/times",
        table.astype({"method": "str", "settings": "str", "work": "str"}),
        maker=[*RANKERS, "ltrlib.papers.koppel2019.table1.times"],
        wall_time=time.perf_counter() - started,
        data=[data.source],
        parameters={"threads": 1},
        seeds=[0],
        command=COMMAND,
    )
    print(record.describe())
    return 0


if __name__ == "__main__":
    sys.exit(main())
