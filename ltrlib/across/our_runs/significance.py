"""Comparisons that know about noise: tests over data sets, a hierarchical model on folds, agreement with Table B.6."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ltrlib.across.our_runs.records import METRICS, mean_values
from ltrlib.across.our_runs.resampling import Bootstrap
from ltrlib.comparison.hierarchical import Measured, hierarchical_test, measured_on_folds, measured_on_queries
from ltrlib.comparison.kendall import kendall_agreement
from ltrlib.comparison.ranking_tests import (
    Friedman,
    friedman,
    friedman_by_permutation,
    mean_ranks,
    nemenyi,
    nemenyi_distance,
)
from ltrlib.comparison.winning import winning_numbers
from ltrlib.papers.tax2015.counted import AS_PRINTED, counts

__all__ = [
    "TESTED",
    "PairwiseTests",
    "agreement_with_b6",
    "numbers_of_agreement",
    "numbers_of_tests",
    "pairwise_tests",
    "shown_agreement",
    "shown_tests",
]

TESTED = "NDCG@10"
"""The metric of the tests."""

_SURE = 0.95
_FOLD_SHARE = 0.2  # of the queries of five folds are in one test part: the correlation of Nadeau and Bengio


@dataclass(frozen=True, eq=False)
class PairwiseTests:
    """Significance-aware comparisons at one metric, data sets as the units.

    Parameters
    ----------
    overall
        Friedman's test.
    p_permuted, p_weighted
        Its p-value from permutations within the data sets, all counted alike and by their numbers of queries.
    distance
        Nemenyi's critical distance of mean ranks.
    table
        One row per method: nwn, mean_rank, and expected_wins: the sum over the others of the probability to be better
        on a further data set.
    significant
        Pairs that differ by Nemenyi's test.
    decided
        Pairs with a probability above 0.95 that one is better than the other by more than counts as equal.
    """

    overall: Friedman
    p_permuted: float
    p_weighted: float
    distance: float
    table: pd.DataFrame
    significant: tuple[tuple[str, str], ...]
    decided: tuple[tuple[str, str], ...]

    def agreement(self) -> dict[str, float]:
        """Kendall's τ between the order by NWN and the orders by mean rank and by expected wins."""
        nwn = self.table["nwn"]
        return {
            "mean rank": kendall_agreement(nwn, -self.table["mean_rank"]).tau,
            "hierarchical": kendall_agreement(nwn, self.table["expected_wins"]).tau,
        }


def pairwise_tests(queries: pd.DataFrame, *, equal_within: float = 0.01, samples: int = 20_000) -> PairwiseTests:
    """Friedman with Nemenyi, and the hierarchical test on folds, on NDCG@10.

    Parameters
    ----------
    queries
        As for :func:`ltrlib.across.our_runs.resampling.bootstrap`, with a column fold.
    equal_within
        Difference of NDCG that counts as equal in practice, for the decided pairs.
    samples
        Permutations.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": ["d", "d", "e", "e"] * 3, "method": list("AAAABBBBCCCC"), "fold": 1,
    ...                         "query": list("xyxy") * 3, **{metric: [0.5, 0.6, 0.6, 0.5, 0.3, 0.2, 0.2, 0.1, 0.1, 0.1,
    ...                         0.1, 0.12] for metric in METRICS}})
    >>> pairwise_tests(queries, samples=100).table["mean_rank"].tolist()
    [1.0, 2.0, 3.0]
    """
    values = mean_values(queries, [TESTED]).pivot(index="dataset", columns="method", values="value")
    methods = list(dict.fromkeys(queries["method"]))
    sizes = queries[queries["method"] == methods[0]].groupby("dataset").size()
    matrix = values[methods].to_numpy()
    p_values = nemenyi(matrix)
    wide = queries.pivot(index=["dataset", "fold", "query"], columns="method", values=TESTED)
    wins, significant, decided = np.zeros(len(methods)), [], []
    for i, first in enumerate(methods):
        for j, second in enumerate(methods[:i]):
            measured = _measured(wide[first] - wide[second])
            better = hierarchical_test(measured)
            wins[i] += better.first
            wins[j] += better.second
            clear = hierarchical_test(measured, equal_within=equal_within)
            order = (first, second) if matrix[:, i].mean() > matrix[:, j].mean() else (second, first)
            if p_values[i, j] < 1 - _SURE:
                significant.append(order)
            if max(clear.first, clear.second) > _SURE:
                decided.append((first, second) if clear.first > clear.second else (second, first))
    winning = winning_numbers(mean_values(queries, [TESTED]))
    nwn = winning[winning["metric"] == TESTED].set_index("method")["nwn"]
    table = pd.DataFrame(
        {"method": methods, "nwn": nwn.loc[methods].to_numpy(), "mean_rank": mean_ranks(matrix), "expected_wins": wins}
    )
    return PairwiseTests(
        friedman(matrix),
        friedman_by_permutation(matrix, samples=samples),
        friedman_by_permutation(matrix, weights=sizes.reindex(values.index).to_numpy(), samples=samples),
        nemenyi_distance(len(methods), len(matrix)),
        table,
        tuple(significant),
        tuple(decided),
    )


def _measured(differences: pd.Series) -> list[Measured]:
    """Sum up a pair's differences: by folds where a data set has several, by queries where it has one."""
    found = []
    for _, group in differences.groupby(level="dataset", sort=False):
        folds = group.groupby(level="fold").mean()
        one = measured_on_folds(folds, correlation=_FOLD_SHARE) if len(folds) > 1 else measured_on_queries(group)
        # Two methods may rank every query alike; then the data set says that they are equal, and not how surely.
        found.append(one._replace(error=max(one.error, 1e-6)))
    return found


def agreement_with_b6(sampled: Bootstrap, standings: pd.DataFrame) -> pd.DataFrame:
    """Kendall's τ between our NWN and that of Table B.6, counted from its results, for the methods in both.

    Parameters
    ----------
    sampled
        Our resampled winning numbers.
    standings
        Our winning numbers: method and a column per metric.

    Returns
    -------
    pandas.DataFrame
        One row per metric: metric, methods (how many), tau, its interval over the choice of methods, p under
        independence, and the middle 95% over samples of our queries.
    """
    printed = counts(AS_PRINTED)
    ours = standings.set_index("method")
    rows = []
    for metric in METRICS:
        shared = [method for method in sampled.methods if (method, metric) in printed]
        theirs = [float(printed[method, metric].nwn) for method in shared]
        found = kendall_agreement(ours.loc[shared, metric].to_numpy(), theirs)
        places = [sampled.methods.index(method) for method in shared]
        drawn = sampled.over([metric])[:, places]
        taus = [kendall_agreement(sample, theirs, samples=1).tau for sample in drawn]
        low, high = np.nanquantile(taus, [0.025, 0.975])
        over_methods = f"{found.low:.2f} to {found.high:.2f}"
        rows.append((metric, str(found.methods), found.tau, over_methods, found.p_value, f"{low:.2f} to {high:.2f}"))
    names = ["metric", "methods", "tau", "interval over methods", "p", "over samples of queries"]
    return pd.DataFrame(rows, columns=names)


def shown_tests(tests: PairwiseTests) -> pd.DataFrame:
    """The methods of `PairwiseTests` as the page shows them, by falling NWN."""
    rows = tests.table.sort_values("nwn", ascending=False)
    return pd.DataFrame(
        {
            "method": rows["method"],
            "NWN": [f"{value:.3f}" for value in rows["nwn"]],
            "mean rank": [f"{value:.1f}" for value in rows["mean_rank"]],
            "expected wins": [f"{value:.1f}" for value in rows["expected_wins"]],
        }
    )


def shown_agreement(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of :func:`agreement_with_b6` as the page shows them."""
    return table.assign(tau=[f"{tau:.2f}" for tau in table["tau"]], p=[f"{p:.2f}" for p in table["p"]]).rename(
        columns={"tau": "τ"}
    )


def numbers_of_agreement(table: pd.DataFrame) -> dict[str, str]:
    """Numbers of the prose on the agreement with Table B.6."""
    least = table.iloc[int(table["p"].to_numpy().argmin())]
    return {"lowest-p": f"{least['p']:.2f}", "lowest-p-metric": str(least["metric"])}


def _pairs(number: int) -> str:
    return {0: "no pair", 1: "1 pair"}.get(number, f"{number} pairs")


def numbers_of_tests(tests: PairwiseTests) -> dict[str, str]:
    """Numbers of the prose on significance."""
    methods, agreement = len(tests.table), tests.agreement()
    return {
        "friedman-p": f"{tests.overall.p_value:.3f}",
        "friedman-f": f"{tests.overall.f_p_value:.3f}",
        "friedman-permuted": f"{tests.p_permuted:.3f}",
        "friedman-weighted": f"{tests.p_weighted:.3f}",
        "distance": f"{tests.distance:.2f}",
        "method-pairs": f"{methods * (methods - 1) // 2}",
        "significant": f"{len(tests.significant) or 'none'}",
        "decided": _pairs(len(tests.decided)),
        "tau-rank": f"{agreement['mean rank']:.2f}",
        "tau-hierarchical": f"{agreement['hierarchical']:.2f}",
    }
