"""Work that is shared by Dask workers: LambdaMART beyond the size of MSLR-WEB30K, and scoring of files split by query.

Processor time and largest memory of each process, and the clock. On a busy machine only the first two mean much: if two
workers did half of one process's work each, it was shared, whatever the clock says.

Arguments: ``training`` and ``scoring`` choose a part; a number is the largest number of rows (3 million).
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from ltrlib.cluster import connect
from ltrlib.datasets.container import RankingData, Source
from ltrlib.metrics import evaluate
from ltrlib.rankers import LambdaMART

__all__ = ["main"]

PER_QUERY, FEATURES, PARTS = 120, 136, 8


def _used() -> tuple[float, float]:
    """Processor seconds and largest memory in GB of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1e6


def made_up(folder: Path, rows: int) -> RankingData:
    """Rows in a memory map, as open data sets are, with labels that some of the features tell."""
    rng = np.random.default_rng(rows)
    features = np.lib.format.open_memmap(folder / f"{rows}.npy", "w+", np.float32, (rows, FEATURES))
    labels = np.empty(rows, np.int32)
    for first in range(0, rows, 100_000):
        block = rng.random((min(100_000, rows - first), FEATURES), np.float32)
        features[first : first + len(block)] = block
        worth = block[:, :5].sum(axis=1) + rng.random(len(block), np.float32)
        labels[first : first + len(block)] = np.searchsorted([2.6, 3.4, 4.0, 4.5], worth)
    offsets = np.append(np.arange(0, rows, PER_QUERY), rows)
    return RankingData(features, labels, offsets, np.arange(len(offsets) - 1).astype(np.str_), None, Source("made up"))


def training(most: int, workers: int = 2, trees: int = 10) -> None:
    """LambdaMART(backend="dask") on growing data."""
    print(f"LambdaMART, {trees} trees of 31 leaves, {FEATURES} features, Dask with {workers} workers of one thread")
    print(
        "rows | wall s | CPU s here | CPU s each worker | GB here | GB each worker | train NDCG@10 (random: see last)"
    )
    for rows in sorted({most // 4, most // 2, most}):
        with tempfile.TemporaryDirectory() as name, connect(workers=workers, scheduler=None) as client:
            train = made_up(Path(name), rows)
            clock, before = time.perf_counter(), _used()[0]
            with client.as_current():
                model = LambdaMART(trees=trees, leaves=31, backend="dask").fit(train)
            wall, here = time.perf_counter() - clock, _used()
            there = client.run(_used).values()
            part = train.query_offsets[:1001]
            labels, scores = train.labels[: part[-1]], model.predict(train.features[: part[-1]])
            value = evaluate("ndcg@10", labels, scores, part)["ndcg@10"].mean
            random = evaluate("ndcg@10", labels, np.zeros(len(labels)), part)["ndcg@10"].mean
        seconds, memory = (" ".join(f"{one[place]:.1f}" for one in there) for place in (0, 1))
        print(
            f"{rows:,} | {wall:.0f} | {here[0] - before:.1f} | {seconds} | {here[1]:.1f} | {memory} | "
            f"{value:.3f} ({random:.3f})",
            flush=True,
        )


SCORE = """
import resource, sys, time
from ltrlib.cli import main
clock = time.perf_counter()
main(["eval", "--data", sys.argv[1] + "/*.txt", "--scores", sys.argv[1] + "/*.scores", "--format", "csv",
      "--workers", sys.argv[2]])
wall = time.perf_counter() - clock
used = [resource.getrusage(one) for one in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(wall, *(one.ru_utime + one.ru_stime for one in used), *(one.ru_maxrss / 1000 for one in used))
"""


def scoring(most: int) -> None:
    """``ltrlib eval --workers`` on files split by query."""
    print(f"ltrlib eval of {most:,} rows of LETOR text in {PARTS} files, NDCG@10")
    print("workers | wall s | CPU s here | CPU s of all workers | MB here | MB of the largest worker | value")
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as name:
        query = 0
        for part in range(PARTS):
            scores = rng.random(most // PARTS)
            labels = rng.integers(0, 5, most // PARTS)
            with Path(name, f"{part}.txt").open("w") as file:
                for place, label in enumerate(labels):
                    query += place % PER_QUERY == 0
                    file.write(f"{label} qid:{query} 1:0.5 2:0.25 3:1 4:0 5:0.125\n")
            np.savetxt(Path(name, f"{part}.scores"), scores, fmt="%.6f")
        for workers in (1, 2):
            done = subprocess.run(
                [sys.executable, "-c", SCORE, name, str(workers)], capture_output=True, text=True, check=True
            )
            *table, numbers = done.stdout.strip().splitlines()
            wall, here, there, memory, most_memory = map(float, numbers.split())
            value = table[-1].split(",")[-1]
            print(f"{workers} | {wall:.1f} | {here:.1f} | {there:.1f} | {memory:.0f} | {most_memory:.0f} | {value}")


def main() -> None:
    """Measure what the arguments name, or both."""
    parts = {"training": training, "scoring": scoring}
    most = next((int(word) for word in sys.argv if word.isdigit()), 3_000_000)
    for name in [word for word in sys.argv if word in parts] or parts:
        parts[name](most)


if __name__ == "__main__":
    main()
