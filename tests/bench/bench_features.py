"""Speed of the normalisation by rank beside scikit-learn's QuantileTransformer, in one run."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from sklearn.preprocessing import QuantileTransformer

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.features import normalise_by_rank
from ltrlib.datasets.loading import load


def processor_seconds(function: Callable[[], object]) -> float:
    """Processor time of one call: the machine may be busy with other things."""
    started = time.process_time()
    function()
    return time.process_time() - started


def exact(data: RankingData) -> None:
    """Scikit-learn with as many quantiles as documents."""
    QuantileTransformer(n_quantiles=data.n_docs, subsample=None).fit_transform(data.features)


def sampled(data: RankingData) -> None:
    """Scikit-learn with its defaults: 1,000 quantiles of a sample."""
    QuantileTransformer().fit_transform(data.features)


def main() -> None:
    """Print a table: processor seconds, and how many times longer scikit-learn takes."""
    print(f"{'documents':>10} {'features':>8} {'ours':>7} {'sklearn, exact':>15} {'sklearn, default':>17}")
    for documents in (2_500, 5_000, 10_000):
        whole = load("standin/mslr", "Fold1/test", scale=documents / 240_000)
        data = whole.select_queries(np.arange(whole.n_queries))
        ours = processor_seconds(lambda data=data: normalise_by_rank([data]))  # type: ignore[misc]
        peers = [processor_seconds(lambda f=f, data=data: f(data)) for f in (exact, sampled)]  # type: ignore[misc]
        shown = [f"{peer:7.2f} ({peer / ours:4.1f}×)" for peer in peers]
        print(f"{data.n_docs:>10,} {data.n_features:>8} {ours:>7.2f} {shown[0]:>15} {shown[1]:>17}")


if __name__ == "__main__":
    main()
