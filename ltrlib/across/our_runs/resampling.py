"""Winning numbers of resampled test queries, and a simulation of how often intervals from them hold the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.across.our_runs.records import COVERAGE, METRICS
from ltrlib.comparison.intervals import (
    bias_corrected_interval,
    percentile_interval,
    shares_won,
    widening_factor,
)
from ltrlib.errors import UsageError

__all__ = ["Bootstrap", "bootstrap", "coverage_table", "factor_of", "simulated_studies", "true_shares"]

Cube = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Winning numbers of resampled queries.

    Parameters
    ----------
    methods, datasets
        Names, in the order of the arrays.
    nwn
        NWN per sample, data set, method and metric.
    """

    methods: tuple[str, ...]
    datasets: tuple[str, ...]
    nwn: NDArray[np.float64]

    @cached_property
    def together(self) -> NDArray[np.float64]:
        """NWN over all data sets and metrics, per sample and method."""
        return np.asarray(self.nwn.mean(axis=(1, 3)), np.float64)

    def over(self, metrics: Sequence[str]) -> NDArray[np.float64]:
        """NWN over all data sets and some metrics, per sample and method."""
        return np.asarray(self.nwn[..., [METRICS.index(metric) for metric in metrics]].mean(axis=(1, 3)), np.float64)

    def first(self) -> NDArray[np.float64]:
        """Share of the samples in which each method has the highest NWN; equal ones share."""
        best = self.together == self.together.max(axis=1, keepdims=True)
        return np.asarray((best / best.sum(axis=1, keepdims=True)).mean(axis=0), np.float64)


def bootstrap(queries: pd.DataFrame, *, samples: int = 1000, seed: int = 0) -> Bootstrap:
    """Draw the test queries of each data set again and again, and compute everyone's winning numbers.

    A sample draws as many queries as there are, with replacement, the same ones for all methods.

    Parameters
    ----------
    queries
        Columns dataset, method, query and the metrics; complete: every method on every query of its data sets.
    samples, seed
        How often, and from which seed.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": "d", "method": ["A", "A", "B", "B"], "query": list("xyxy"),
    ...                         **{metric: [0.5, 0.6, 0.3, 0.2] for metric in METRICS}})
    >>> bootstrap(queries, samples=3).together
    array([[1., 0.],
           [1., 0.],
           [1., 0.]])
    """
    methods = tuple(dict.fromkeys(queries["method"]))
    datasets = tuple(dict.fromkeys(queries["dataset"]))
    generator = np.random.default_rng(seed)
    nwn = np.empty((samples, len(datasets), len(methods), len(METRICS)))
    for place, dataset in enumerate(datasets):
        cube = _cube(queries[queries["dataset"] == dataset], methods, dataset)
        n = cube.shape[1]
        weights = generator.multinomial(n, np.full(n, 1 / n), size=samples) / n
        nwn[:, place] = _resampled(cube, weights)
    return Bootstrap(methods, datasets, nwn)


def _cube(rows: pd.DataFrame, methods: Sequence[str], dataset: str) -> NDArray[np.float64]:
    groups = [rows[rows["method"] == method] for method in methods]
    if any(list(group["query"]) != list(groups[0]["query"]) for group in groups):
        raise UsageError(f"the methods were not run on the same queries of {dataset}", cure="make the record again")
    return np.stack([group[list(METRICS)].to_numpy(np.float64) for group in groups])


def _resampled(cube: Cube, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """NWN per sample, method and metric."""
    values = np.einsum("sq,mqk->smk", weights, cube, optimize=True)
    # The same queries in another order of summation must not break a tie.
    return np.moveaxis(shares_won(np.moveaxis(values.round(12), 1, 2)), 1, 2)


# --- how often intervals are right


def true_shares(queries: pd.DataFrame) -> pd.Series:
    """NWN over all data sets and metrics, by method: the truth of a simulation in which these queries are everything.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": "d", "method": ["A", "A", "B", "B"], "query": list("xyxy"),
    ...                         **{metric: [0.5, 0.6, 0.3, 0.2] for metric in METRICS}})
    >>> true_shares(queries).to_dict()
    {'A': 1.0, 'B': 0.0}
    """
    methods, cubes = _cubes(queries)
    whole = [_resampled(cube, np.full((1, cube.shape[1]), 1 / cube.shape[1]))[0] for cube in cubes]
    return pd.Series(np.mean(whole, axis=(0, 2)), index=methods)


def simulated_studies(queries: pd.DataFrame, *, studies: int, samples: int, seed: int) -> pd.DataFrame:
    """Draw studies from the recorded queries as if these were all there are, and let each compute its intervals.

    Parameters
    ----------
    queries
        As for :func:`bootstrap`.
    studies
        How many; each has as many queries of each data set as the record.
    samples
        Resamples of a study, for its own intervals.
    seed
        Of everything.

    Returns
    -------
    pandas.DataFrame
        One row per study and method: estimate, resampled (mean of the resamples), deviation, and the ends of the
        percentile and the bias-corrected interval.
    """
    methods, cubes = _cubes(queries)
    generator = np.random.default_rng(seed)
    rows = []
    for study in range(studies):
        estimates, drawn = [], []
        for cube in cubes:
            n = cube.shape[1]
            seen = cube[:, generator.integers(0, n, n)]
            weights = generator.multinomial(n, np.full(n, 1 / n), size=samples) / n
            estimates.append(_resampled(seen, np.full((1, n), 1 / n))[0].mean(axis=1))
            drawn.append(_resampled(seen, weights).mean(axis=2))
        estimate, shares = np.mean(estimates, axis=0), np.mean(drawn, axis=0)
        ends = np.column_stack([*percentile_interval(shares), *bias_corrected_interval(estimate, shares)])
        for place, method in enumerate(methods):
            spread = shares[:, place]
            rows.append((study, method, estimate[place], spread.mean(), spread.std(ddof=1), *ends[place]))
    return pd.DataFrame(rows, columns=[name for name in COVERAGE.columns if name != "seed"])


def factor_of(record: pd.DataFrame, truth: pd.Series, *, level: float = 0.95) -> float:
    """Find by how many deviations an interval must reach out so that it is right for every method, the leader too.

    Only studies with even seeds are looked at; the others tell whether it worked.

    Parameters
    ----------
    record
        The table of `COVERAGE`.
    truth
        As :func:`true_shares` returns it.
    level
        How often the truth should be inside.
    """
    some = record[record["seed"] % 2 == 0]
    return max(
        widening_factor(group["estimate"], group["deviation"], truth[method], level=level)
        for method, group in some.groupby("method")
    )


def coverage_table(record: pd.DataFrame, truth: pd.Series) -> pd.DataFrame:
    """Tell how often four kinds of 95% intervals hold the truth in studies with odd seeds, and how wide they are.

    Parameters
    ----------
    record
        The table of `COVERAGE`.
    truth
        As :func:`true_shares` returns it.

    Returns
    -------
    pandas.DataFrame
        interval, covers (over all methods), lowest (of a method), width.
    """
    some = record[record["seed"] % 2 == 1]
    right = truth[some["method"]].to_numpy()
    estimate, low, high = (some[name].to_numpy() for name in ("estimate", "low", "high"))
    half = factor_of(record, truth) * some["deviation"].to_numpy()
    ends = {
        "percentile": (low, high),
        "basic (reflected)": (2 * estimate - high, 2 * estimate - low),
        "bias-corrected (Efron)": (some["corrected_low"].to_numpy(), some["corrected_high"].to_numpy()),
        "widened by simulation": (np.clip(estimate - half, 0, 1), np.clip(estimate + half, 0, 1)),
    }
    rows = []
    for name, (left, end) in ends.items():
        # Winning numbers are sums of fractions: an end that equals the truth but for the last bits holds it.
        inside = pd.Series((left <= right + 1e-9) & (right <= end + 1e-9)).groupby(some["method"].to_numpy()).mean()
        rows.append((name, float(inside.mean()), float(inside.min()), str(inside.idxmin()), float((end - left).mean())))
    return pd.DataFrame(rows, columns=["interval", "covers", "lowest", "of", "width"])


def _cubes(queries: pd.DataFrame) -> tuple[tuple[str, ...], list[Cube]]:
    methods = tuple(dict.fromkeys(queries["method"]))
    names = dict.fromkeys(queries["dataset"])
    return methods, [_cube(queries[queries["dataset"] == name], methods, name) for name in names]
