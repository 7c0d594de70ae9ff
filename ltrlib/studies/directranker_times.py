"""Table 2 of Köppel et al. (2019): how long the rankers train on data of the size of one MSLR-WEB10K fold.

``python -m ltrlib.studies.directranker_times`` measures and writes the record ``koppel2019/times``. All on one thread.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.loading import load
from ltrlib.rankers.adarank import AdaRank
from ltrlib.rankers.base import Ranker
from ltrlib.rankers.directranker import DirectRanker
from ltrlib.rankers.lambdamart import LambdaMART
from ltrlib.rankers.neural import ListNet, RankNet
from ltrlib.records import Record, read_record, write_record
from ltrlib.studies.directranker_units import MODULES

__all__ = ["TIME_COLUMNS", "TIMED", "Timed", "measure", "recorded_times"]

TIME_COLUMNS = {
    "method": "str", "settings": "str", "parameter": "str", "measured": "int", "whole": "int",
    "cpu_seconds": "float", "wall_seconds": "float", "peak_gb": "float",
}  # fmt: skip
"""Schema of ``koppel2019/times``."""

COMMAND = "python -m ltrlib.studies.directranker_times"
DATASET, PART = "standin/mslr", "Fold1/train"


@dataclass(frozen=True)
class Timed:
    """A ranker, and the parameter that its time grows with.

    Parameters
    ----------
    ranker
        With the settings to be timed.
    parameter
        Number of epochs, trees, rounds or steps.
    sizes
        Two values to measure at; from their difference the time at the ranker's own value follows. Without them the
        whole training is measured.

    Examples
    --------
    >>> TIMED["DirectRanker"].sizes is None
    True
    """

    ranker: Ranker
    parameter: str
    sizes: tuple[int, int] | None = None

    def with_size(self, size: int) -> Ranker:
        """The ranker with another value."""
        return type(self.ranker)(**(self.ranker.get_params() | {self.parameter: size}))


TIMED = {
    "DirectRanker": Timed(DirectRanker(hidden=(50,), l2=1e-4), "steps"),
    "AdaRank": Timed(AdaRank(), "rounds"),
    "RankNet": Timed(RankNet(), "epochs", (1, 3)),
    "LambdaMART": Timed(LambdaMART(patience=None), "trees", (5, 15)),
    "ListNet": Timed(ListNet(), "epochs", (2, 10)),
}
"""What is timed: DirectRanker as in the grid, the others with RankLib's default amount of work."""


def measure(timed: Timed, data: RankingData) -> dict[str, float]:
    """Processor and wall seconds of one training; compilation is inside, reading and preparing the data are not.

    Examples
    --------
    >>> data = load("standin/mq2008", "Fold1/test", scale=0.2)
    >>> measure(Timed(AdaRank(rounds=3), "rounds"), data)["measured"]
    3
    """
    whole = timed.ranker.get_params()[timed.parameter]
    if timed.sizes is None:
        cpu, wall = _seconds(timed.ranker, data)
        return {"measured": whole, "whole": whole, "cpu_seconds": cpu, "wall_seconds": wall}
    few, more = timed.sizes
    # The first fit compiles for this data; what more of the same costs is the difference of two that need not.
    first, again, longer = (_seconds(timed.with_size(size), data) for size in (few, few, more))
    cpu, wall = (
        start + (end - middle) / (more - few) * (whole - few)
        for start, middle, end in zip(first, again, longer, strict=True)
    )
    return {"measured": more, "whole": whole, "cpu_seconds": cpu, "wall_seconds": wall}


def _seconds(ranker: Ranker, data: RankingData) -> tuple[float, float]:
    cpu, wall = time.process_time(), time.perf_counter()
    ranker.fit(data)
    return time.process_time() - cpu, time.perf_counter() - wall


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
    for name, timed in TIMED.items():
        row = {"method": name, "settings": repr(timed.ranker), "parameter": timed.parameter} | measure(timed, data)
        row["peak_gb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(row, file=sys.stderr, flush=True)
        rows.append(row)
    table = pd.DataFrame(rows, columns=list(TIME_COLUMNS)).astype({"method": "str", "settings": "str"})
    record = write_record(
        "koppel2019/times",
        table.astype({"parameter": "str"}),
        modules=[*MODULES, "ltrlib.studies.directranker_times"],
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
