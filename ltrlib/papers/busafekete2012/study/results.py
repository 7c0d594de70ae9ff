"""What the table of test queries says: means with the paper's error bars, and paired tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ltrlib.claims.noise import half_width
from ltrlib.metrics.significance import holm, paired_t_test, randomisation_test
from ltrlib.papers.busafekete2012.study.learners import CUTOFF, CUTOFFS

__all__ = [
    "EVALUATED",
    "JUDGE",
    "curves",
    "paired_differences",
    "per_query",
    "seeds_ahead",
    "short_and_long",
    "values",
]

JUDGE = "ranklib"
"""The tool that judges where none is named: the paper calls its NDCG the official one."""

EVALUATED = ("ranklib", "yahoo", "letor4")
"""Conventions under which results are shown at every cut-off."""

_PAIR = ["learner", "trained_under", "against", "against_under"]


def values(queries: pd.DataFrame, tool: str, k: int = CUTOFF) -> pd.Series:
    """NDCG of each row under a tool; Yahoo!'s, kept at the last cut-off only, follows from RankLib's at the others.

    Examples
    --------
    >>> table = pd.DataFrame({"ranklib@3": [0.5, 0.0], "empty": [False, True]})
    >>> values(table, "yahoo", 3).tolist()
    [0.5, 1.0]
    """
    if tool == "yahoo" and f"yahoo@{k}" not in queries:
        return queries[f"ranklib@{k}"] + queries["empty"]
    return queries[f"{tool}@{k}"]


def curves(
    queries: pd.DataFrame, *, tools: Sequence[str] = EVALUATED, cutoffs: Sequence[int] = CUTOFFS
) -> pd.DataFrame:
    """Mean NDCG of each learner and training, under each tool and at each cut-off.

    Returns
    -------
    DataFrame
        learner, trained_under, tool, k, mean (over folds and seeds of the means over queries), standard_error (over
        the queries of a fold, averaged in quadrature over the folds: √Σ e² / folds, mean over seeds), seed_spread
        (standard deviation over seeds of the mean over folds; NaN for one seed), seeds, folds.

    Examples
    --------
    >>> table = pd.DataFrame({"learner": "L", "trained_under": "ranklib", "seed": 1, "fold": [1, 1, 2, 2],
    ...                       "ranklib@10": [0.2, 0.4, 0.5, 0.9]})
    >>> found = curves(table, tools=["ranklib"], cutoffs=[10])
    >>> found[["mean", "standard_error"]].round(4).values.tolist()  # errors 0.1 and 0.2; √0.05 / 2
    [[0.5, 0.1118]]
    """
    run = ["learner", "trained_under", "seed", "fold"]
    parts = []
    for tool in tools:
        for k in cutoffs:
            grouped = pd.concat([queries[run], values(queries, tool, k).rename("value")], axis=1).groupby(
                run, sort=False
            )["value"]
            parts.append(grouped.agg(["mean", "sem"]).reset_index().assign(tool=tool, k=k))
    cell = ["learner", "trained_under", "tool", "k"]
    by_run = pd.concat(parts)
    by_seed = by_run.groupby([*cell, "seed"], sort=False)["mean"].mean().groupby(cell, sort=False)
    by_fold = by_run.groupby([*cell, "fold"], sort=False)["sem"].mean().pow(2).groupby(cell, sort=False)
    found = {
        "mean": by_seed.mean(),
        "standard_error": by_fold.sum().pow(0.5) / by_fold.size(),
        "seed_spread": by_seed.std(ddof=1),
        "seeds": by_seed.size(),
        "folds": by_fold.size(),
    }
    return pd.DataFrame(found).reset_index()


def per_query(
    queries: pd.DataFrame, learner: str, trained_under: str, *, tool: str = JUDGE, k: int = CUTOFF
) -> pd.Series:
    """NDCG of each query, averaged over the seeds; the index is the query.

    Examples
    --------
    >>> table = pd.DataFrame({"learner": "L", "trained_under": "ranklib", "seed": [1, 2], "query": "q",
    ...                       "ranklib@10": [0.2, 0.4]})
    >>> per_query(table, "L", "ranklib").round(4).to_dict()
    {'q': 0.3}
    """
    chosen = queries[(queries["learner"] == learner) & (queries["trained_under"] == trained_under)]
    return values(chosen, tool, k).groupby(chosen["query"].to_numpy()).mean()


def paired_differences(
    queries: pd.DataFrame,
    pairs: Sequence[tuple[tuple[str, str], tuple[str, str]]],
    *,
    tool: str = JUDGE,
    k: int = CUTOFF,
    randomise: bool = False,
) -> pd.DataFrame:
    """Compare trainings, each a learner and a convention, query by query; with Holm's correction over the pairs.

    Returns
    -------
    DataFrame
        One row per pair: learner and trained_under of both, difference (first minus second), low and high (its 95%
        interval over queries), differing (share of queries with another value), and the two-sided p-values of the
        paired t-test (p_t_test) and, if wanted, of the randomisation test (p_randomisation), plain and corrected
        (with the ending _holm).

    Examples
    --------
    >>> table = pd.DataFrame({"learner": "L", "trained_under": ["a"] * 3 + ["b"] * 3, "seed": 1,
    ...                       "query": list("xyz") * 2, "ranklib@10": [0.5, 0.6, 0.7, 0.4, 0.4, 0.4]})
    >>> found = paired_differences(table, [(("L", "a"), ("L", "b"))], randomise=True)
    >>> found[["difference", "p_randomisation"]].round(4).values.tolist()
    [[0.2, 0.25]]
    """
    training = [queries[name] for name in ("learner", "trained_under", "query")]
    means = values(queries, tool, k).groupby(training).mean()
    rows = []
    for first, second in pairs:
        a, b = means.loc[first].align(means.loc[second])
        d = (a - b).to_numpy()
        half = half_width(float(d.std(ddof=1)) / math.sqrt(len(d)), len(d) - 1)
        differing = float(np.mean(np.abs(d) > 1e-12))
        tests = (paired_t_test(a, b), *((randomisation_test(a, b),) if randomise else ()))
        rows.append(
            (*first, *second, float(d.mean()), float(d.mean() - half), float(d.mean() + half), differing, *tests)
        )
    p_values = ["p_t_test", *(["p_randomisation"] if randomise else [])]
    table = pd.DataFrame(rows, columns=[*_PAIR, "difference", "low", "high", "differing", *p_values])
    for name in p_values:
        table[f"{name}_holm"] = holm(table[name])
    return table


def seeds_ahead(queries: pd.DataFrame, first: str, second: str, *, under: str = "ranklib") -> tuple[int, int]:
    """With how many seeds the mean over folds of one learner is above that of another; and the number of seeds.

    Examples
    --------
    >>> table = pd.DataFrame({"learner": ["A", "A", "B", "B"], "trained_under": "ranklib",
    ...                       "seed": [1, 2, 1, 2], "fold": 1, "ranklib@10": [0.5, 0.4, 0.3, 0.6]})
    >>> seeds_ahead(table, "A", "B")
    (1, 2)
    """
    own = queries[queries["trained_under"] == under]
    means = values(own, JUDGE).groupby([own[name] for name in ("learner", "seed", "fold")]).mean()
    by_seed = means.groupby(["learner", "seed"]).mean()
    ahead = by_seed[first] > by_seed[second]
    return int(ahead.sum()), len(ahead)


def short_and_long(queries: pd.DataFrame, learners: Sequence[str], *, under: str = "ranklib") -> pd.DataFrame:
    """Mean NDCG@10 by the `JUDGE` on the queries shorter than the cut-off, and on the others.

    Queries without relevant documents are left out: every ranking scores 0 there.

    Examples
    --------
    >>> table = pd.DataFrame({"learner": "L", "trained_under": "ranklib", "seed": 1, "query": ["a", "b", "c"],
    ...                       "documents": [8, 20, 8], "empty": [False, False, True], "ranklib@10": [0.5, 0.25, 0.0]})
    >>> short_and_long(table, ["L"]).values.tolist()
    [['L', 0.5, 0.25, 1, 1]]
    """
    useful = queries[~queries["empty"]]
    is_short = useful["documents"] < CUTOFF
    rows = []
    for learner in learners:
        short, rest = (per_query(useful[which], learner, under) for which in (is_short, ~is_short))
        rows.append((learner, float(short.mean()), float(rest.mean()), len(short), len(rest)))
    return pd.DataFrame(rows, columns=["learner", "short", "long", "short_queries", "long_queries"])
