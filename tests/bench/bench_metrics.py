"""Speed of the metrics: against a plain C loop and against the tools of the field, in one run, on one thread.

The data is synthetic and shaped like MSLR-WEB30K: 31,531 queries, 3.77 million documents, five labels. Every peer
gets its input in its own form before the clock starts. Times are CPU times, so that other work on the machine does not
count.
"""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ltrlib.metrics import evaluate

__all__ = ["main"]

QUERIES, DOCUMENTS = 31_531, 3_771_125

# Keep the k best by insertion, once by score and once by label: what one would write in C without much thought.
PLAIN_C = """
#include <math.h>
#include <stdint.h>
double mean_ndcg(const int32_t *labels, const double *scores, const int64_t *offsets, int64_t queries, int k)
{
    double gain[32], discount[64], sum = 0;
    for (int l = 0; l < 32; l++) gain[l] = (double)((1LL << l) - 1);
    for (int i = 0; i < k; i++) discount[i] = 1 / log2(i + 2.0);
    for (int64_t q = 0; q < queries; q++) {
        double best[64], dcg = 0, ideal_dcg = 0;
        int32_t found[64], ideal[64];
        int n = 0, m = 0, j;
        for (int64_t i = offsets[q]; i < offsets[q + 1]; i++) {
            if (n < k || scores[i] > best[n - 1]) {
                for (j = n < k ? n++ : n - 1; j > 0 && best[j - 1] < scores[i]; j--) {
                    best[j] = best[j - 1];
                    found[j] = found[j - 1];
                }
                best[j] = scores[i];
                found[j] = labels[i];
            }
            if (m < k || labels[i] > ideal[m - 1]) {
                for (j = m < k ? m++ : m - 1; j > 0 && ideal[j - 1] < labels[i]; j--) ideal[j] = ideal[j - 1];
                ideal[j] = labels[i];
            }
        }
        for (j = 0; j < n; j++) {
            dcg += gain[found[j]] * discount[j];
            ideal_dcg += gain[ideal[j]] * discount[j];
        }
        sum += ideal_dcg > 0 ? dcg / ideal_dcg : 0;
    }
    return sum / queries;
}
"""


@dataclass(frozen=True, eq=False)
class Data:
    """One synthetic data set."""

    labels: NDArray[np.int32]
    scores: NDArray[np.float64]
    offsets: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)


def make_data() -> Data:
    rng = np.random.default_rng(30)
    sizes = rng.gamma(2.5, size=QUERIES)
    sizes = np.maximum(1, np.floor(sizes * (DOCUMENTS / sizes.sum()))).astype(np.int64)
    sizes[: DOCUMENTS - sizes.sum()] += 1
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    labels = rng.choice(5, DOCUMENTS, p=[0.515, 0.325, 0.134, 0.018, 0.008]).astype(np.int32)
    return Data(labels, labels + rng.normal(scale=2, size=DOCUMENTS), offsets)


def seconds(work: Callable[[], object], repeats: int) -> float:
    """CPU time of the best of several runs, after one that is not timed (first calls compile)."""
    work()
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


@contextmanager
def plain_c() -> Iterator[Callable[[Data], float]]:
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "ndcg.c"), Path(folder, "ndcg.so")
        source.write_text(PLAIN_C)
        subprocess.run(
            [shutil.which("cc") or "cc", "-O2", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True
        )
        function = ctypes.CDLL(str(library)).mean_ndcg
        function.restype = ctypes.c_double

        def call(data: Data) -> float:
            arrays = [array.ctypes.data_as(ctypes.c_void_p) for array in (data.labels, data.scores, data.offsets)]
            value: float = function(*arrays, ctypes.c_int64(QUERIES), ctypes.c_int(10))
            return value

        yield call


def lightgbm_ndcg(data: Data) -> Callable[[], object]:
    import lightgbm

    quiet = {"verbose": -1, "num_threads": 1}
    dataset = lightgbm.Dataset(
        np.zeros((DOCUMENTS, 1)), label=data.labels, group=data.sizes, init_score=data.scores, params=quiet
    )
    booster = lightgbm.Booster({"objective": "lambdarank", "metric": "ndcg", "eval_at": [10]} | quiet, dataset)
    return booster.eval_train


def xgboost_ndcg(data: Data) -> Callable[[], object]:
    import xgboost

    matrix = xgboost.DMatrix(np.zeros((DOCUMENTS, 1)), label=data.labels, base_margin=data.scores, nthread=1)
    matrix.set_group(data.sizes)
    parameters = {"objective": "rank:ndcg", "eval_metric": "ndcg@10-", "nthread": 1, "base_score": 0.0}
    booster = xgboost.train(parameters, matrix, num_boost_round=0)
    return lambda: booster.eval(matrix)


def trec_dicts(data: Data) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    qrels, run = {}, {}
    labels, scores, offsets = data.labels.tolist(), data.scores.tolist(), data.offsets.tolist()
    names = [f"d{number}" for number in range(int(data.sizes.max()))]
    for query in range(QUERIES):
        start, stop = offsets[query], offsets[query + 1]
        qrels[str(query)] = dict(zip(names, labels[start:stop], strict=False))
        run[str(query)] = dict(zip(names, scores[start:stop], strict=False))
    return qrels, run


def ranx_tools(data: Data, own: float) -> None:
    """Show ranx with its own objects, and with the sorted lists inside them, where only the formula is left to do."""
    warnings.simplefilter("ignore")
    import ranx  # type: ignore[import-untyped]

    qrels, run = (kind(values) for kind, values in zip((ranx.Qrels, ranx.Run), trec_dicts(data), strict=True))
    metric = "ndcg_burges@10"
    taken = seconds(lambda: ranx.evaluate(qrels, run, metric, threads=1, save_results_in_run=False), 2)
    show("ranx ndcg_burges@10, Qrels and Run", taken, own, "target: 25 or more")
    pairs, ranked = qrels.to_typed_list(), run.to_typed_list()
    taken = seconds(lambda: ranx.evaluate(pairs, ranked, metric, threads=1), 3)
    show("ranx ndcg_burges@10, lists already ranked", taken, own, "no ranking is done")


def sklearn_ndcg(data: Data) -> Callable[[], object]:
    from sklearn.metrics import ndcg_score

    gains = np.exp2(data.labels) - 1
    bounds = [
        (start, stop) for start, stop in zip(data.offsets[:-1], data.offsets[1:], strict=True) if stop - start > 1
    ]
    return lambda: [ndcg_score([gains[a:b]], [data.scores[a:b]], k=10) for a, b in bounds]


def show(name: str, taken: float, own: float, target: str = "") -> None:
    print(f"{name:<44}{taken * 1e3:>12,.1f} ms{taken / own:>10.1f} x   {target}", flush=True)


def start_up() -> None:
    """Whole processes: numba alone, then ltrlib with an empty and with a filled cache."""
    alone = "import numba\n@numba.njit('i8(i8)')\ndef f(x): return x\nprint(0)"
    program = (
        "import time; from ltrlib.metrics.engine import evaluate; imported = time.process_time()\n"
        "evaluate({metrics}, [1, 0, 2], [1.0, 2.0, 3.0], [0, 3]); print(time.process_time() - imported)"
    )
    print(f"{'a new process':<44}{'in all':>12}{'CPU':>10}{'after the import':>20}")
    with tempfile.TemporaryDirectory() as folder:
        new_process("numba alone", alone, folder)
    for what, metrics in (("ndcg@10", ["ndcg@10"]), ("ndcg@1..10, map, err", ["ndcg@1..10", "map", "err"])):
        with tempfile.TemporaryDirectory() as folder:
            new_process(f"{what}, empty cache", program.format(metrics=metrics), folder, "target: 3 s in all")
            target = "target: 0.5 s after the import"
            new_process(f"{what}, filled cache", program.format(metrics=metrics), folder, target)


def new_process(name: str, program: str, cache: str, target: str = "") -> None:
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"NUMBA_CACHE_DIR": cache}
    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    print(f"{name:<44}{wall:>10.2f} s{cpu:>8.2f} s{float(ran.stdout):>18.2f} s   {target}", flush=True)


def trec_tools(data: Data, own: float) -> float:
    """Show pytrec_eval and ir-measures; return what pytrec_eval takes for many metrics."""
    import ir_measures
    import pytrec_eval

    qrels, run = trec_dicts(data)
    one = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"})
    show("pytrec_eval ndcg_cut_10", seconds(lambda: one.evaluate(run), 1), own, "target: 25 or more")
    provider = ir_measures.evaluator([ir_measures.nDCG @ 10], qrels)
    show("ir-measures nDCG@10", seconds(lambda: provider.calc_aggregate(run), 1), own)
    many = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.1,2,3,4,5,6,7,8,9,10", "map"})
    return seconds(lambda: many.evaluate(run), 1)


def main() -> None:
    """Print times and ratios; targets stand beside them."""
    print(f"metrics on one thread: {QUERIES:,} queries, {DOCUMENTS:,} documents; ratios to ltrlib\n")
    start_up()
    print()
    data = make_data()
    inputs = (data.labels, data.scores, data.offsets)
    own = seconds(lambda: evaluate("ndcg@10", *inputs)["ndcg@10"].mean, 7)
    show("ltrlib ndcg@10", own, own)
    with plain_c() as c_loop:
        np.testing.assert_allclose(c_loop(data), evaluate("ndcg@10", *inputs)["ndcg@10"].mean, rtol=1e-12)
        show("plain C top-k loop", seconds(lambda: c_loop(data), 7), own, "target: 0.5 or more")
    show("LightGBM ndcg@10", seconds(lightgbm_ndcg(data), 3), own, "target: 3 or more")
    show("XGBoost ndcg@10", seconds(xgboost_ndcg(data), 3), own, "target: 3 or more")
    many = ["ndcg@1..10", "map", "err"]
    many_own = seconds(lambda: [values.mean for values in evaluate(many, *inputs).values()], 5)
    many_theirs = trec_tools(data, own)
    show("scikit-learn ndcg_score, k=10", seconds(sklearn_ndcg(data), 1), own)
    ranx_tools(data, own)
    print()
    show("ltrlib ndcg@1..10, map, err", many_own, many_own)
    show("pytrec_eval ndcg_cut_1..10, map (has no err)", many_theirs, many_own, "target: 5 or more")


if __name__ == "__main__":
    main()
