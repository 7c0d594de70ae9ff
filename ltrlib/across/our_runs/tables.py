"""What the page on our own runs shows: winning numbers with intervals over queries, tests, and its prose's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.across.our_runs.choices import seed_spread, spread_in_errors
from ltrlib.across.our_runs.records import METRICS, mean_values
from ltrlib.comparison.ranking_tests import (
    Friedman,
    bayesian_signed_rank,
    friedman,
    mean_ranks,
    nemenyi,
    nemenyi_distance,
)
from ltrlib.comparison.winning import leave_one_dataset_out, winning_numbers
from ltrlib.errors import UsageError
from ltrlib.published.tables import load_paper

__all__ = [
    "Bootstrap",
    "PairwiseTests",
    "agreement_with_b6",
    "bootstrap",
    "dataset_table",
    "left_out",
    "numbers_of_fits",
    "numbers_of_standings",
    "numbers_of_tests",
    "pairwise_tests",
    "select",
    "shown_standings",
    "standings",
    "value_table",
]

_B6 = dict(zip(METRICS, ("ndcg3", "ndcg5", "ndcg10", "map"), strict=True))
_TESTED = "NDCG@10"


def select(rows: pd.DataFrame, *, standins: bool) -> pd.DataFrame:
    """Rows of a recorded table on real data sets, or on all.

    Examples
    --------
    >>> table = pd.DataFrame({"dataset": ["mq2008", "standin/mslr"]})
    >>> len(select(table, standins=False)), len(select(table, standins=True))
    (1, 2)
    """
    return rows if standins else rows[~rows["dataset"].str.startswith("standin/")]


def dataset_table(queries: pd.DataFrame) -> pd.DataFrame:
    """Test queries and folds of each data set, and whether it is real."""
    once = queries.drop_duplicates(["dataset", "fold", "query"]).groupby("dataset", sort=False)
    sets = once.agg(queries=("query", "size"), folds=("fold", "nunique")).reset_index()
    generated = sets["dataset"].str.startswith("standin/")
    return sets.assign(kind=np.where(generated, "stand-in: generated, resembles the real set", "real"))


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
        values = np.einsum("sq,mqk->smk", weights, cube, optimize=True)
        # The same queries in another order of summation must not break a tie.
        values = values.round(12)
        wins = (values[:, :, None, :] > values[:, None, :, :]).sum(axis=2)
        nwn[:, place] = wins / (len(methods) - 1)
    return Bootstrap(methods, datasets, nwn)


def _cube(rows: pd.DataFrame, methods: Sequence[str], dataset: str) -> NDArray[np.float64]:
    groups = [rows[rows["method"] == method] for method in methods]
    if any(list(group["query"]) != list(groups[0]["query"]) for group in groups):
        raise UsageError(f"the methods were not run on the same queries of {dataset}", cure="make the record again")
    return np.stack([group[list(METRICS)].to_numpy(np.float64) for group in groups])


def standings(queries: pd.DataFrame, sampled: Bootstrap, *, level: float = 0.95) -> pd.DataFrame:
    """Return one row of Table B.6 per method, with the interval of NWN and how often the method comes first.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": "d", "method": ["A", "A", "B", "B"], "query": list("xyxy"),
    ...                         **{metric: [0.5, 0.6, 0.3, 0.2] for metric in METRICS}})
    >>> standings(queries, bootstrap(queries, samples=9))[["method", "wn", "iwn", "nwn", "first"]].values.tolist()
    [['A', 4, 4, 1.0, 1.0], ['B', 0, 4, 0.0, 0.0]]
    """
    winning = winning_numbers(mean_values(queries))
    parts = winning.pivot(index="method", columns="metric", values="nwn")
    table = winning[winning["metric"] == "all"].set_index("method").loc[list(sampled.methods)]
    low, high = np.quantile(sampled.together, [(1 - level) / 2, (1 + level) / 2], axis=0)
    result = pd.DataFrame(
        {metric: parts[metric].reindex(list(sampled.methods)) for metric in METRICS}
        | {"wn": table["wn"], "iwn": table["iwn"], "nwn": table["nwn"], "low": low, "high": high}
        | {"first": sampled.first()}
    )
    return (
        result.rename_axis("method").reset_index().sort_values("nwn", ascending=False, kind="stable", ignore_index=True)
    )


def shown_standings(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of :func:`standings` as the page shows them: interval and share of first places as text."""
    interval = [f"{low:.3f} to {high:.3f}" for low, high in zip(table["low"], table["high"], strict=True)]
    shown = table.assign(interval=interval, first=[f"{share:.0%}" for share in table["first"]])
    return shown[["method", *METRICS, "wn", "iwn", "nwn", "interval", "first"]]


def value_table(queries: pd.DataFrame) -> pd.DataFrame:
    """Mean NDCG@10 by the collections' scripts: one row per method, one column per data set.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": ["d", "e"], "method": "A", "query": "x",
    ...                         **{metric: [0.5, 0.25] for metric in METRICS}})
    >>> value_table(queries).values.tolist()
    [['A', 0.5, 0.25]]
    """
    table = mean_values(queries, [_TESTED]).pivot(index="method", columns="dataset", values="value")
    table = table.reindex(index=list(dict.fromkeys(queries["method"])), columns=list(dict.fromkeys(queries["dataset"])))
    return table.rename_axis(None, axis=1).reset_index()


def left_out(queries: pd.DataFrame) -> pd.DataFrame:
    """Lowest and highest NWN of each method when one data set is left out, and which one that is.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": ["d", "d", "e", "e"], "method": list("ABAB"), "query": "x",
    ...                         **{metric: [0.5, 0.3, 0.2, 0.6] for metric in METRICS}})
    >>> left_out(queries).values.tolist()
    [['A', 0.0, 'd', 1.0, 'e'], ['B', 0.0, 'e', 1.0, 'd']]
    """
    table = leave_one_dataset_out(mean_values(queries))
    rows = []
    for method, group in table.groupby("method", sort=False):
        found = sorted(zip(group["nwn"], group["left_out"], strict=True))
        rows.append((method, *found[0], *found[-1]))
    return pd.DataFrame(rows, columns=["method", "lowest", "without", "highest", "without "])


@dataclass(frozen=True, eq=False)
class PairwiseTests:
    """Significance-aware comparisons at one metric, data sets as the units.

    Parameters
    ----------
    overall
        Friedman's test.
    distance
        Nemenyi's critical distance of mean ranks.
    table
        One row per method: nwn, mean_rank, and expected_wins: the sum over the others of the Bayesian probability to
        be better.
    significant
        Pairs that differ by Nemenyi's test.
    decided
        Pairs with a Bayesian probability above 0.95 that one is better.
    """

    overall: Friedman
    distance: float
    table: pd.DataFrame
    significant: tuple[tuple[str, str], ...]
    decided: tuple[tuple[str, str], ...]

    def agreement(self) -> dict[str, float]:
        """Kendall's τ between the order by NWN and the orders by mean rank and by expected wins."""
        from scipy.stats import kendalltau

        nwn = self.table["nwn"]
        return {
            "mean rank": float(kendalltau(nwn, -self.table["mean_rank"]).statistic),
            "Bayesian signed-rank": float(kendalltau(nwn, self.table["expected_wins"]).statistic),
        }


def pairwise_tests(queries: pd.DataFrame, *, equal_within: float = 0.01, samples: int = 20_000) -> PairwiseTests:
    """Friedman with Nemenyi, and the Bayesian signed-rank test, on NDCG@10.

    Parameters
    ----------
    queries
        As for :func:`bootstrap`.
    equal_within
        Difference of NDCG that counts as equal in practice, for the decided pairs.
    samples
        Of the posterior, per pair.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": ["d", "e"] * 3, "method": list("AABBCC"), "query": "x",
    ...                         **{metric: [0.5, 0.6, 0.3, 0.2, 0.1, 0.1] for metric in METRICS}})
    >>> pairwise_tests(queries, samples=100).table["mean_rank"].tolist()
    [1.0, 2.0, 3.0]
    """
    values = mean_values(queries, [_TESTED]).pivot(index="dataset", columns="method", values="value")
    values = values[list(dict.fromkeys(queries["method"]))]
    methods, matrix = list(values.columns), values.to_numpy()
    p_values = nemenyi(matrix)
    wins, significant, decided = np.zeros(len(methods)), [], []
    for i, first in enumerate(methods):
        for j, second in enumerate(methods[:i]):
            better = bayesian_signed_rank(matrix[:, i], matrix[:, j], samples=samples)
            wins[i] += better.first
            wins[j] += better.second
            clear = bayesian_signed_rank(matrix[:, i], matrix[:, j], samples=samples, equal_within=equal_within)
            order = (first, second) if matrix[:, i].mean() > matrix[:, j].mean() else (second, first)
            if p_values[i, j] < 0.05:
                significant.append(order)
            if max(clear.first, clear.second) > 0.95:
                decided.append((first, second) if clear.first > clear.second else (second, first))
    winning = winning_numbers(mean_values(queries, [_TESTED]))
    nwn = winning[winning["metric"] == _TESTED].set_index("method")["nwn"]
    table = pd.DataFrame(
        {"method": methods, "nwn": nwn.loc[methods].to_numpy(), "mean_rank": mean_ranks(matrix), "expected_wins": wins}
    )
    return PairwiseTests(
        friedman(matrix), nemenyi_distance(len(methods), len(matrix)), table, tuple(significant), tuple(decided)
    )


def agreement_with_b6(sampled: Bootstrap, *, level: float = 0.95) -> pd.DataFrame:
    """Kendall's τ between our NWN and the printed one, for the methods that Table B.6 has too; a tie counts 0.

    Returns
    -------
    pandas.DataFrame
        One row per metric: metric, methods (how many), tau (its mean over the samples) and its interval.

    Examples
    --------
    >>> sampled = Bootstrap(("ListNet", "RankSVM"), ("d",), np.array([[[[0.6] * 4, [0.5] * 4]]]))
    >>> agreement_with_b6(sampled)["tau"].tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    table = load_paper("tax2015").corrected("b6")
    rows = []
    for metric, column in _B6.items():
        printed = {row: number.value for row, number in table.column(f"{column}_nwn").items()}
        shared = [method for method in sampled.methods if method in printed]
        places = [sampled.methods.index(method) for method in shared]
        theirs = _order(np.array([printed[method] for method in shared]))
        taus = (theirs * _order(sampled.over([metric])[:, places])).sum(axis=(1, 2)) / (len(shared) * (len(shared) - 1))
        low, high = np.quantile(taus, [(1 - level) / 2, (1 + level) / 2])
        rows.append((metric, len(shared), float(taus.mean()), f"{low:.2f} to {high:.2f}"))
    return pd.DataFrame(rows, columns=["metric", "methods", "tau", "interval"])


def _order(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Which of two is higher, for all pairs of the last axis: 1, -1, or 0 for equal ones."""
    return np.asarray(np.sign(values[..., :, None] - values[..., None, :]), np.float64)


def numbers_of_fits(queries: pd.DataFrame, fits: pd.DataFrame) -> dict[str, str]:
    """Numbers of the prose on what was run.

    Parameters
    ----------
    queries, fits
        The recorded tables, with all data sets.
    """
    spread = seed_spread(fits)
    ratio, method, dataset = spread_in_errors(spread, queries)
    neural = _first_seeds(fits, "RankNet", "ListNet")
    return {
        "methods": f"{fits['method'].nunique()}",
        "fits": f"{len(fits)}",
        "neural": f"{len(neural)}",
        "neural-edge": f"{(neural['parameters'] == 'learning_rate = 0.01').sum()}",
        "random": f"{len(spread)}",
        "seed-ratio": f"{ratio:.2f}",
        "seed-method": method,
        "seed-dataset": dataset,
    }


def numbers_of_standings(table: pd.DataFrame, fits: pd.DataFrame) -> dict[str, str]:
    """Numbers of the prose on winning numbers.

    Parameters
    ----------
    table
        As :func:`standings` returns it.
    fits
        The recorded table.
    """
    directranker = _first_seeds(fits, "DirectRanker")
    return {
        "best": str(table["method"].iloc[0]),
        "best-first": f"{table['first'].max():.0%}",
        "overlapping": f"{(table['high'].iloc[1:] >= table['low'].iloc[0]).sum()}",
        "direct-rank": f"{table['method'].tolist().index('DirectRanker') + 1}",
        "direct-normal": f"{directranker['parameters'].str.contains('features = normal').sum()}",
        "direct-folds": f"{len(directranker)}",
    }


def _first_seeds(fits: pd.DataFrame, *methods: str) -> pd.DataFrame:
    """Folds of the real data sets: what was chosen, with the first seed, holds for all seeds."""
    return select(fits[fits["method"].isin(methods) & (fits["seed"] == 0)], standins=False)


def numbers_of_tests(tests: PairwiseTests) -> dict[str, str]:
    """Numbers of the prose on significance."""
    methods, agreement = len(tests.table), tests.agreement()
    return {
        "friedman-p": f"{tests.overall.p_value:.3g}",
        "distance": f"{tests.distance:.2f}",
        "pairs": f"{methods * (methods - 1) // 2}",
        "significant": f"{len(tests.significant)}",
        "decided": f"{len(tests.decided)}",
        "tau-rank": f"{agreement['mean rank']:.2f}",
        "tau-bayes": f"{agreement['Bayesian signed-rank']:.2f}",
    }
