"""What the table of test queries says: means with the paper's error bars, and paired tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import t as student

from ltrlib.metrics.significance import holm, paired_t_test, randomisation_test
from ltrlib.studies.ndcg_study.conventions import CUTOFF, CUTOFFS

__all__ = ["EVALUATED", "curves", "paired_differences", "per_query", "short_and_long", "values"]

EVALUATED = ("ranklib", "yahoo", "letor4")
"""Conventions under which results are shown at every cut-off."""

_LEVEL = 0.95


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
    queries: pd.DataFrame, learner: str, trained_under: str, *, tool: str = "ranklib", k: int = CUTOFF
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
    tool: str = "ranklib",
    k: int = CUTOFF,
    randomise: bool = False,
) -> pd.DataFrame:
    """Compare trainings, each a learner and a convention, query by query; with Holm's correction over the pairs.

    Returns
    -------
    DataFrame
        One row per pair: learner and trained_under of both, difference (first minus second), low and high (its 95 %
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
        half = student.ppf((1 + _LEVEL) / 2, len(d) - 1) * d.std(ddof=1) / math.sqrt(len(d))
        rows.append(
            {
                "learner": first[0],
                "trained_under": first[1],
                "against": second[0],
                "against_under": second[1],
                "difference": float(d.mean()),
                "low": float(d.mean() - half),
                "high": float(d.mean() + half),
                "differing": float(np.mean(np.abs(d) > 1e-12)),
                "p_t_test": paired_t_test(a, b),
                **({"p_randomisation": randomisation_test(a, b)} if randomise else {}),
            }
        )
    table = pd.DataFrame(rows)
    for name in [column for column in table.columns if column.startswith("p_")]:
        table[f"{name}_holm"] = holm(table[name])
    return table


def short_and_long(queries: pd.DataFrame, learners: Sequence[str], *, under: str = "ranklib") -> pd.DataFrame:
    """Mean NDCG@10 by RankLib on the queries shorter than the cut-off, and on the others.

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
