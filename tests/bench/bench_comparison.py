"""Winning numbers against a plain pandas double loop, and bagplots of a thousand points."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pandas as pd

from ltrlib.comparison.bagplot import bagplot
from ltrlib.comparison.winning import winning_numbers

Value = TypeVar("Value")


def random_results(n_methods: int, n_datasets: int, density: float) -> pd.DataFrame:
    """Results in four metrics with four decimals, so that ties occur."""
    rng = np.random.default_rng(0)
    metrics = np.array(["NDCG@3", "NDCG@5", "NDCG@10", "MAP"], dtype=object)
    n_cells = n_methods * n_datasets * len(metrics)
    cells = np.sort(rng.choice(n_cells, int(density * n_cells), replace=False))
    names = [
        np.array([f"{kind}-{i}" for i in range(n)], dtype=object) for kind, n in (("m", n_methods), ("d", n_datasets))
    ]
    return pd.DataFrame(
        {
            "method": names[0][cells // (n_datasets * len(metrics))],
            "dataset": names[1][cells // len(metrics) % n_datasets],
            "metric": metrics[cells % len(metrics)],
            "value": rng.random(cells.size).round(4),
        }
    )


def pandas_double_loop(results: pd.DataFrame) -> pd.DataFrame:
    """The definition as one would write it in a notebook: a row for each result against each other result."""
    counts: dict[tuple[object, object], list[int]] = {}
    for _, group in results.groupby(["metric", "dataset"]):
        for _, one in group.iterrows():
            count = counts.setdefault((one["method"], one["metric"]), [0, 0])
            for _, other in group.iterrows():
                if one["method"] != other["method"]:
                    count[0] += int(one["value"] > other["value"])
                    count[1] += 1
    return pd.DataFrame([(*key, *count) for key, count in counts.items()], columns=["method", "metric", "wn", "iwn"])


def seconds(function: Callable[[], Value]) -> tuple[float, Value]:
    begin = time.process_time()
    value = function()
    return time.process_time() - begin, value


def main() -> None:
    """Print one line per size; seconds are of processor time, which a busy machine does not stretch."""
    print(f"{'winning numbers':28} {'results':>9} {'seconds':>8} {'peak GB':>8} {'loop s':>8} {'ratio':>8}")
    small = random_results(60, 10, 0.5)
    winning_numbers(small)
    ours, counted = seconds(lambda: winning_numbers(small))
    theirs, looped = seconds(lambda: pandas_double_loop(small))
    key = ["method", "metric"]
    pd.testing.assert_frame_equal(
        counted[counted["metric"] != "all"].drop(columns=["nwn", "datasets"]).sort_values(key, ignore_index=True),
        looped.sort_values(key, ignore_index=True),
    )
    print(f"{'60 x 10 x 4 at 50%':28} {len(small):9,} {ours:8.4f} {'':8} {theirs:8.2f} {theirs / ours:8.0f}")
    for n_methods, n_datasets in ((2_500, 1_000), (5_000, 1_000), (10_000, 1_000)):
        results = random_results(n_methods, n_datasets, 0.1)
        spent, _ = seconds(lambda table=results: winning_numbers(table))  # type: ignore[misc]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(f"{f'{n_methods:,} x {n_datasets:,} x 4 at 10%':28} {len(results):9,} {spent:8.2f} {peak:8.2f}")
    print(f"{'bagplot':28} {'points':>9} {'seconds':>8}")
    rng = np.random.default_rng(0)
    clouds = {
        "normal, all digits": rng.normal(size=(1_000, 2)),
        "normal, four decimals": rng.normal(size=(1_000, 2)).round(4),
        "grid of 32 x 32, many ties": rng.integers(0, 32, (1_000, 2)),
    }
    for name, points in clouds.items():
        spent, _ = seconds(lambda cloud=points: bagplot(cloud))  # type: ignore[misc]
        print(f"{name:28} {len(points):9,} {spent:8.2f}")


if __name__ == "__main__":
    main()
