"""Speed of the LETOR reader: against the readers of the field and a plain C loop, in one run on one file.

The file is synthetic and shaped like MSLR-WEB30K: 136 dense features, about 1,090 bytes per row, 300,000 rows; set
``LTRLIB_BENCH_ROWS`` for another number. It is in the system's page cache for everybody. Each reader is timed several
times, in turns of about equal length, and its best time counts. pyarrow and polars know no such format; they are used
as one would by hand, knowing that the file is dense: columns of text, ``index:`` cut off, cast to numbers.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ltrlib.datasets.binary_cache import open_cached
from ltrlib.datasets.letor import read_letor

__all__ = ["main"]

ROWS, FEATURES = 300_000, 136
TURNS = 3
SECONDS_PER_TURN = 2.0
SKLEARN_SHARE = 10

# What one would write in C without much thought: digits by hand, no check of anything, one thread.
PLAIN_C = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static const double power[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
int main(int argc, char **argv)
{
    double start = now(), sum = 0;
    FILE *file = fopen(argv[1], "rb");
    long width = atol(argv[2]), rows = 0, capacity = 1024;
    size_t size = 1 << 22, filled = 0, got;
    char *text = malloc(size);
    float *features = malloc(capacity * width * sizeof(float));
    int *labels = malloc(capacity * sizeof(int));
    long *queries = malloc(capacity * sizeof(long));
    while ((got = fread(text + filled, 1, size - filled, file)) > 0) {
        char *p = text, *end = text + (filled += got);
        while (end > text && end[-1] != '\n') end--;
        while (p < end) {
            if (rows == capacity) {
                capacity = capacity * 3 / 2;
                features = realloc(features, capacity * width * sizeof(float));
                labels = realloc(labels, capacity * sizeof(int));
                queries = realloc(queries, capacity * sizeof(long));
            }
            float *row = features + rows * width;
            memset(row, 0, width * sizeof(float));
            int label = 0;
            while (*p >= '0' && *p <= '9') label = label * 10 + (*p++ - '0');
            labels[rows] = label;
            p += 5;
            long query = 0;
            while (*p >= '0' && *p <= '9') query = query * 10 + (*p++ - '0');
            queries[rows++] = query;
            for (;;) {
                while (*p == ' ') p++;
                if (*p == '\n') break;
                long index = 0, mantissa = 0, decimals = 0, negative;
                while (*p >= '0' && *p <= '9') index = index * 10 + (*p++ - '0');
                if ((negative = *++p == '-')) p++;
                while (*p >= '0' && *p <= '9') mantissa = mantissa * 10 + (*p++ - '0');
                if (*p == '.') for (p++; *p >= '0' && *p <= '9'; decimals++) mantissa = mantissa * 10 + (*p++ - '0');
                double value = mantissa / power[decimals];
                row[index - 1] = negative ? -value : value;
            }
            p++;
        }
        filled = text + filled - end;
        memmove(text, end, filled);
    }
    double seconds = now() - start;
    for (long i = 0; i < rows * width; i++) sum += features[i];
    printf("%.6f %ld %.17g\n", seconds, rows, sum);
    return 0;
}
"""

FIRST_READ = """
import sys, time
import numba
start, processor_start = time.perf_counter(), time.process_time()
from ltrlib.datasets.letor import read_letor
read_letor(sys.argv[1])
print(f"{time.perf_counter() - start:.1f} s, {time.process_time() - processor_start:.1f} s of processor time")
"""


def write_file(path: Path, rows: int) -> None:
    """Write the synthetic file: a third of the features nearly always 0, a third integers, a third with decimals."""
    rng = np.random.default_rng(0)
    n_bodies = min(rows, 3000)
    columns = []
    for kind, size in zip(rng.permutation(np.arange(FEATURES) % 3), rng.uniform(0, 1, FEATURES), strict=True):
        if kind == 0:
            column = np.where(rng.random(n_bodies) < 0.85, "0", rng.integers(1, 9, n_bodies).astype(str))
        elif kind == 1:
            column = rng.exponential(10 ** (3 * size), n_bodies).astype(int).astype(str)
        else:
            column = np.array([f"{value:.6f}" for value in rng.exponential(10 ** (2 * size - 1), n_bodies)])
        columns.append(column)
    bodies = [" ".join(f"{i}:{text}" for i, text in enumerate(row, 1)) for row in zip(*columns, strict=True)]
    labels = rng.choice(5, rows, p=[0.52, 0.32, 0.13, 0.02, 0.01])
    chosen = rng.integers(0, n_bodies, rows)
    with path.open("w") as file:
        file.writelines(f"{labels[i]} qid:{i // 120} {bodies[chosen[i]]}\n" for i in range(rows))


def compile_c(folder: Path) -> Path | None:
    """Compile the plain loop; None when there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    (folder / "plain.c").write_text(PLAIN_C)
    subprocess.run([compiler, "-O2", "-o", folder / "plain", folder / "plain.c"], check=True)
    return folder / "plain"


def run_c(program: Path | None, path: Path, expected_sum: float) -> float:
    """Seconds that the plain loop takes, after a look at whether it reads the same values."""
    command = [str(program), str(path), str(FEATURES)]
    seconds, _, total = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    if abs(float(total) - expected_sum) > 1e-9 * abs(expected_sum):
        raise AssertionError(f"the C loop reads other values: their sum is {total} instead of {expected_sum}")
    return float(seconds)


def with_sklearn(path: Path) -> object:
    from sklearn.datasets import load_svmlight_file

    return load_svmlight_file(str(path), n_features=FEATURES, query_id=True, dtype=np.float32)


def with_catboost(path: Path) -> object:
    from catboost import Pool

    kinds = ["0\tLabel", "1\tGroupId", *(f"{i + 2}\tNum\tf{i}" for i in range(FEATURES))]
    path.with_suffix(".cd").write_text("\n".join(kinds))
    return Pool(f"libsvm://{path}", column_description=f"libsvm://{path.with_suffix('.cd')}")


def with_xgboost(path: Path) -> object:
    from xgboost import DMatrix

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return DMatrix(f"{path}?format=libsvm")


def with_pyarrow(path: Path) -> object:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv

    names = ["label", "qid", *(f"f{i}" for i in range(1, FEATURES + 1))]
    table = csv.read_csv(
        path,
        read_options=csv.ReadOptions(column_names=names),
        parse_options=csv.ParseOptions(delimiter=" ", quote_char=False),
        convert_options=csv.ConvertOptions(column_types=dict.fromkeys(names[1:], pa.string()) | {"label": pa.int32()}),
    )
    features = np.empty((len(table), FEATURES), np.float32)
    for i in range(1, FEATURES + 1):
        text = pc.utf8_slice_codeunits(table[f"f{i}"], len(f"{i}:"))
        features[:, i - 1] = pc.cast(text, pa.float32())
    return features, table["label"].to_numpy(), table["qid"]


def with_polars(path: Path) -> object:
    import polars as pl

    names = ["label", "qid", *(f"f{i}" for i in range(1, FEATURES + 1))]
    frame = pl.read_csv(
        path, separator=" ", has_header=False, new_columns=names, infer_schema=False, quote_char=None
    ).with_columns(
        pl.col("label").cast(pl.Int32),
        *(pl.col(f"f{i}").str.slice(len(f"{i}:")).cast(pl.Float32) for i in range(1, FEATURES + 1)),
    )
    return frame.select(names[2:]).to_numpy(order="c"), frame["label"].to_numpy(), frame["qid"]


PEERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "CatBoost Pool": ("catboost", with_catboost),
    "pyarrow, by hand": ("pyarrow", with_pyarrow),
    "XGBoost DMatrix": ("xgboost", with_xgboost),
    "polars, by hand": ("polars", with_polars),
}


def timed(work: Callable[[], object]) -> float:
    """Best seconds of one turn: quick readers get as many tries as a slow one needs time."""
    turn_ends = time.perf_counter() + SECONDS_PER_TURN
    best = np.inf
    while (start := time.perf_counter()) < turn_ends:
        result = work()
        best = min(best, time.perf_counter() - start)
        del result
    return best


def first_reads(folder: Path) -> tuple[str, str]:
    """Time of a process's first read, with an empty and with a filled cache of compiled kernels."""
    small = folder / "small.txt"
    small.write_text("0 qid:1 1:1\n" * 20_000)  # enough for the kernel to be compiled
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "numba")}
    command = [sys.executable, "-c", FIRST_READ, str(small)]
    runs = [subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True) for _ in range(2)]
    return runs[0].stdout.strip(), runs[1].stdout.strip()


def measure(path: Path, folder: Path) -> dict[str, float]:
    """Best seconds of each reader that is there."""
    best: dict[str, float] = {}

    def take(name: str, seconds: float) -> None:
        best[name] = min(seconds, best.get(name, np.inf))

    data = read_letor(path)
    total = float(data.features.sum(dtype=np.float64))
    n_rows = data.n_docs
    del data
    open_cached(path)
    part, first_row = folder / "part.txt", folder / "row.txt"
    with path.open("rb") as file:
        first_row.write_bytes(file.readline())
        part.write_bytes(b"".join(file.readline() for _ in range(n_rows // SKLEARN_SHARE)))
    program = compile_c(folder)
    if program is None:
        print("skipped: plain C loop (no cc here)")
    with_sklearn(first_row)
    for turn in range(TURNS):
        take("scikit-learn (a tenth of the file, times ten)", SKLEARN_SHARE * timed(lambda: with_sklearn(part)))
        for name, (package, read) in PEERS.items():
            if importlib.util.find_spec(package) is None:
                if turn == 0:
                    print(f"skipped: {name} ({package} is not installed)")
                continue
            if turn == 0:
                read(first_row)
            take(name, timed(lambda read=read: read(path)))  # type: ignore[misc]
        for _ in range(TURNS if program else 0):
            take("plain C loop, one thread", run_c(program, path, total))
        take("ltrlib, one thread", timed(lambda: read_letor(path, threads=1)))
        take("ltrlib", timed(lambda: read_letor(path)))
        take("ltrlib, cached", timed(lambda: open_cached(path)))
    return best


def report(best: dict[str, float]) -> None:
    ours, single, cached = best["ltrlib"], best["ltrlib, one thread"], best["ltrlib, cached"]
    for name, seconds in sorted(best.items(), key=lambda item: -item[1]):
        print(f"{name:<46} {seconds:9.3f} s {seconds / ours:8.2f} x ltrlib")
    sklearn = next(seconds for name, seconds in best.items() if name.startswith("scikit-learn"))
    fastest = min((best[name], name) for name in PEERS if name in best)
    checks = [
        (f"at least 25 times faster than scikit-learn: {sklearn / ours:.0f}", sklearn / ours >= 25),
        (f"not slower than the fastest peer, {fastest[1]}: {fastest[0] / ours:.2f} times faster", fastest[0] >= ours),
        (f"opened from the cache in under 50 ms: {1000 * cached:.1f}", cached < 0.05),
    ]
    if "plain C loop, one thread" in best:
        plain = best["plain C loop, one thread"]
        text = f"within 2.5 times of a plain C loop: {ours / plain:.2f}, on one thread {single / plain:.2f}"
        checks.append((text, max(ours, single) <= 2.5 * plain))
    for text, good in checks:
        print(f"{'OK' if good else 'MISSED':<6} {text}")


def main() -> None:
    """Print seconds and ratios."""
    rows = int(os.environ.get("LTRLIB_BENCH_ROWS", ROWS))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        os.environ["LTRLIB_CACHE"] = str(folder / "cache")
        path = folder / "mslr.txt"
        write_file(path, rows)
        print(f"{rows:,} rows of {FEATURES} features, {path.stat().st_size / 1e6:.0f} MB, {os.cpu_count()} processors")
        report(measure(path, folder))
        compiled, cached = first_reads(folder)
        print(f"first read of a process, after numba's import: {cached}; when kernels must be compiled: {compiled}")


if __name__ == "__main__":
    main()
