"""Speed of DirectRanker on data of the size of one MSLR-WEB10K training part, beside a plain loop of the same steps.

The plain loop calls one compiled step after the other, as a script in any framework does; ours runs a hundred steps
per call, with the pairs drawn before. CPU times are printed beside wall times; ratios are of CPU times.

A loop of the same sizes in PyTorch 2.15 on one thread took 10.2 and 13.6 s of CPU where ours took 3.2 s (8.2 s with
compilation), measured once on a busy machine of two cores; PyTorch is not installed for this bench.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from ltrlib.datasets.container import RankingData, Source
from ltrlib.rankers import DirectRanker
from ltrlib.rankers.directranker.pairs import class_pairs, draw_pairs, growing
from ltrlib.rankers.directranker.training import compiled_steps, normal_weights
from ltrlib.rankers.network import start_jax

__all__ = ["main"]

DOCUMENTS, FEATURES, PER_QUERY = 600_000, 136, 100
STEPS, HIDDEN, L2 = 3000, 50, 1e-4


def random_data() -> RankingData:
    """Normal features, a tenth of the documents relevant."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((DOCUMENTS, FEATURES), np.float32) / np.float32(3)
    labels = (rng.random(DOCUMENTS) < 0.1).astype(np.int32)
    offsets = np.arange(0, DOCUMENTS + 1, PER_QUERY)
    return RankingData(x, labels, offsets, np.arange(len(offsets) - 1).astype(str), None, Source("bench"))


def timed(work: Callable[[], Any]) -> tuple[float, float]:
    """CPU and wall seconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - cpu, time.perf_counter() - wall


def step_by_step(data: RankingData) -> None:
    """The same training with one call per step."""
    from jax import numpy as jnp

    rng, sizes = np.random.default_rng(0), (FEATURES, HIDDEN, 1)
    steps, moments = compiled_steps(sizes, cost="squared", output="tanh", dropout=False)
    weights: Any = normal_weights(rng, sizes)
    state = moments(weights)
    labels = jnp.asarray(data.labels.astype(np.float32))
    inputs = {"inputs": jnp.asarray(data.features), "labels": labels, "dropped": jnp.float32(0), "l2": jnp.float32(L2)}
    source = class_pairs(data.labels, data.query_offsets)
    queries, pairs = growing(10, 100, STEPS), growing(3, 10, STEPS)
    rate = np.array([0.01], np.float32)
    for step in range(STEPS):
        batch = draw_pairs(rng, source, queries[step : step + 1], pairs[step : step + 1])
        dice = np.zeros((*batch.rows.shape, 0), np.uint8)
        weights, state, _ = steps(weights, state, (batch.rows, batch.real, rate, dice), inputs)
    np.asarray(weights)


def main() -> None:
    """Print training and prediction times."""
    start_jax()
    data = random_data()
    ranker = DirectRanker(hidden=(HIDDEN,), l2=L2, steps=STEPS, standardise=False)
    print(f"{DOCUMENTS:,} x {FEATURES}, {STEPS} steps, {HIDDEN} hidden units; one thread")
    print(f"{'':34}{'CPU s':>8}{'wall s':>8}{'ratio':>8}")
    with threadpool_limits(1):
        cold, base = timed(lambda: ranker.fit(data)), timed(lambda: ranker.fit(data))
        rows = {"train, first time (compiles)": cold, "train, again": base}
        rows["train, one call per step"] = timed(lambda: step_by_step(data))
        for title, (cpu, wall) in rows.items():
            print(f"{title:34}{cpu:8.2f}{wall:8.2f}{cpu / base[0]:8.1f}", flush=True)
        cpu, wall = timed(lambda: ranker.predict(data.features))
        print(f"{'predict':34}{cpu:8.2f}{wall:8.2f}   {DOCUMENTS / cpu:,.0f} documents per CPU second")
        few = data.features[:1000]
        first, second = np.divmod(np.arange(len(few) ** 2), len(few))
        once = timed(lambda: np.argsort(-ranker.predict(few)))
        all_pairs = timed(lambda: ranker.compare(few[first], few[second]))
        print(f"{'sort 1,000 documents by score':34}{once[0]:8.4f}{once[1]:8.4f}{1.0:8.1f}")
        print(f"{'compare all pairs of them':34}{all_pairs[0]:8.4f}{all_pairs[1]:8.4f}{all_pairs[0] / once[0]:8.1f}")
    print(f"largest memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.1f} GB")


if __name__ == "__main__":
    main()
