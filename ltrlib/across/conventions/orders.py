"""Recorded rankings scored under every tool's NDCG@10: what moves, which orders and which verdicts flip."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.across.our_runs.records import mean_values
from ltrlib.claims.cells import Measured, Value
from ltrlib.claims.noise import half_width
from ltrlib.claims.rules import judge
from ltrlib.comparison.winning import winning_numbers
from ltrlib.errors import UsageError
from ltrlib.metrics.ndcg_by_tool import CUTOFF, conventions
from ltrlib.papers.busafekete2012.study.records import queries_of
from ltrlib.papers.koppel2019.table1.records import REFIT
from ltrlib.papers.koppel2019.table1.tables import rows_for
from ltrlib.published.names import name as display_name
from ltrlib.published.printed import Printed
from ltrlib.published.tables import load_table
from ltrlib.records.record import Record

__all__ = [
    "STUDY_DATASETS",
    "flips",
    "headed",
    "named",
    "overview",
    "places",
    "published_values",
    "ranks",
    "recorded_orders",
    "study_orders",
    "table1_orders",
    "usable",
    "values",
    "verdicts",
]

STUDY_DATASETS = ("mq2008", "ohsumed", "clueweb09-ltr")
"""Data sets on which the NDCG study was run."""


def usable(queries: pd.DataFrame) -> list[str]:
    """Conventions that have a value on every data set of a table; a fixed list of gains may lack the higher labels.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": ["a", "b"], **{name: [0.5, 0.5] for name in conventions()}})
    >>> usable(queries.assign(letor3=[0.5, None]))[:2]
    ['mslr', 'yahoo']
    """
    counted = queries.groupby("dataset")[list(conventions())].count()
    return [name for name in conventions() if (counted[name] > 0).all()]


def named(convention: str) -> str:
    """A convention by the tools that share it.

    Examples
    --------
    >>> named("yahoo")
    'Yahoo!, LightGBM'
    """
    return ", ".join(display_name("tool", tool) for tool in conventions()[convention])


def headed(convention: str) -> str:
    """A convention at the head of a narrow column, or below a tick.

    Examples
    --------
    >>> headed("letor3"), headed("sklearn")
    ('LETOR', 'scikit-learn')
    """
    return _HEADS.get(convention) or display_name("tool", convention)


_HEADS = {"letor3": "LETOR", "mslr": "MSLR", "yahoo": "Yahoo!, LightGBM", "xgboost-": "XGBoost −, rax"}
"""Heads that tell more, or less, than the name of the first tool."""


def values(queries: pd.DataFrame) -> pd.DataFrame:
    """Mean NDCG@10: one row per data set and method, one column per convention.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": "d", "method": "A", **{name: [0.25, 0.75] for name in conventions()}})
    >>> values(queries)["yahoo"].tolist()
    [0.5]
    """
    table = mean_values(queries, list(conventions()))
    wide = table.pivot(index=["dataset", "method"], columns="metric", values="value")
    order = pd.MultiIndex.from_frame(queries[["dataset", "method"]].drop_duplicates())
    return wide.reindex(index=order, columns=[name for name in conventions() if name in wide]).reset_index()


def ranks(queries: pd.DataFrame) -> pd.DataFrame:
    """Rank of each method by NWN at NDCG@10 over all data sets, under each usable convention; 1 is best.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": "d", "method": ["A", "B"], **{name: [0.2, 0.4] for name in conventions()}})
    >>> ranks(queries)["ranklib"].to_dict()
    {'B': 1.0, 'A': 2.0}
    """
    found = {}
    for convention in usable(queries):
        table = mean_values(queries, [convention]).assign(metric="NDCG@10")
        winning = winning_numbers(table)
        nwn = winning[winning["metric"] == "all"].set_index("method")["nwn"]
        found[convention] = nwn.rank(ascending=False)
    return pd.DataFrame(found).sort_values(next(iter(found)), kind="stable")


def places(queries: pd.DataFrame) -> pd.DataFrame:
    """Rank of each method on each data set by its mean NDCG@10, under each convention; 1 is best, equal ones share.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": "d", "method": ["A", "B"], **{name: [0.2, 0.4] for name in conventions()}})
    >>> places(queries)["ranklib"].to_dict()
    {('d', 'A'): 2.0, ('d', 'B'): 1.0}
    """
    means = values(queries).set_index(["dataset", "method"])
    return means.groupby(level="dataset", sort=False).rank(ascending=False)


def flips(queries: pd.DataFrame, convention: str, *, base: str = "ranklib") -> pd.DataFrame:
    """Pairs of methods that change places on a data set when another convention scores the same rankings.

    Parameters
    ----------
    queries
        The table of ``own/queries``, or one in its form.
    convention, base
        Scores by the first are set against those by the second.

    Returns
    -------
    pandas.DataFrame
        dataset, better (by ``base``), worse, difference by ``base``, difference by ``convention``, and whether both
        exceed the noise of the paired queries, or of the folds where these are what is paired. Data sets for which one
        of the two has no gains are left out.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": "d", "method": ["A", "A", "B", "B"], "query": list("xyxy"),
    ...                         "ranklib": [0.5, 0.5, 0.4, 0.4], "yahoo": [0.5, 0.5, 0.4, 1.0]})
    >>> flips(queries, "yahoo")[["better", "worse"]].values.tolist()
    [['A', 'B']]
    """
    for name in (convention, base):
        if name not in conventions():
            raise UsageError(f"no convention is called {name!r}", cure=f"choose {', '.join(conventions())}")
    rows = []
    for dataset, group in queries.groupby("dataset", sort=False):
        if group[base].isna().all() or group[convention].isna().all():
            continue
        methods = list(dict.fromkeys(group["method"]))
        first, second = np.triu_indices(len(methods), 1)
        (old, old_noise), (new, new_noise) = (_gaps(group, name, methods, first, second) for name in (base, convention))
        beyond = (np.abs(old) > old_noise) & (np.abs(new) > new_noise)
        for pair in np.flatnonzero(old * new < 0):
            ahead, behind = methods[first[pair]], methods[second[pair]]
            better, worse = (ahead, behind) if old[pair] > 0 else (behind, ahead)
            rows.append((dataset, better, worse, abs(old[pair]), -abs(new[pair]), bool(beyond[pair])))
    return pd.DataFrame(rows, columns=["dataset", "better", "worse", f"by {base}", f"by {convention}", "beyond noise"])


def _gaps(
    group: pd.DataFrame, convention: str, methods: list[str], first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean difference of each pair of methods over the queries that count, and half its 95% interval."""
    columns = [group.loc[group["method"] == method, convention].to_numpy(np.float64) for method in methods]
    table = np.column_stack(columns)
    table = table[~np.isnan(table).any(axis=1)]
    differences = table[:, first] - table[:, second]
    if len(table) < 2:
        return differences.mean(axis=0), np.full(len(first), np.inf)
    errors = differences.std(axis=0, ddof=1) / np.sqrt(len(table))
    return differences.mean(axis=0), half_width(errors, len(table) - 1)


def published_values() -> list[tuple[str, str, str, Printed]]:
    """NDCG@10 of the LETOR baselines that we ran too, by the same folds: where printed, data set, method, the number.

    Examples
    --------
    >>> [row[1:3] for row in published_values()][:2]
    [('ohsumed', 'RankSVM'), ('ohsumed', 'RankBoost')]
    """
    found = []
    for key, number in load_table("liu2011", "evaluation_results").column("value").items():
        source, dataset, method, metric = key.split(" / ")
        if source == "RankBCA" and metric == "NDCG@10" and method in ("RankSVM", "RankBoost", "ListNet"):
            found.append(("LETOR 3.0 baselines", dataset.rpartition(" ")[2].lower(), method, number))
    return found


def verdicts(queries: pd.DataFrame) -> pd.DataFrame:
    """Verdict on each published value when our rankings are scored by each convention, folds as the spread.

    Returns
    -------
    pandas.DataFrame
        One row per published value: source, dataset, method, published, then one column per convention with the
        verdict's word, or an empty one where the convention has no gains for the data set.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": "ohsumed", "method": "RankSVM", "fold": [1, 2],
    ...                         **{name: [0.4, 0.42] for name in conventions()}})
    >>> verdicts(queries)["ranklib"].tolist()
    ['within noise']
    """
    rows = []
    for source, dataset, method, number in published_values():
        ours = queries[(queries["dataset"] == dataset) & (queries["method"] == method)]
        if ours.empty:
            continue
        row = {"source": source, "dataset": dataset, "method": method, "published": str(number)}
        folds = ours.groupby("fold")[list(conventions())].mean()
        for convention in conventions():
            means = folds[convention].dropna().tolist()
            cell = Value(number, Measured.over(means), better="higher") if len(means) > 1 else None
            row[convention] = judge(cell).verdict.word if cell else ""
        rows.append(row)
    return pd.DataFrame(rows)


def overview(queries: pd.DataFrame, others: Sequence[pd.DataFrame] = (), *, base: str = "ranklib") -> pd.DataFrame:
    """What each convention changes against another one.

    Parameters
    ----------
    queries
        Our own runs: the table of ``own/queries``.
    others
        Other recorded rankings in the same form.
    base
        The other convention.

    Returns
    -------
    pandas.DataFrame
        One row per other convention: tools, mean change of our own runs, pairs that flip there and how many of them
        beyond noise, pairs that flip in the other rankings and how many of them beyond noise, published values on
        which the verdict flips.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": "d", "method": ["A", "B"], "query": "x", "fold": 1,
    ...                         **{name: [0.2, 0.4] for name in conventions()}})
    >>> overview(queries)["pairs that flip"].sum()
    np.int64(0)
    """
    means, judged = values(queries), verdicts(queries)
    rows = []
    for convention in conventions():
        if convention == base or convention not in means:
            continue
        change = (means[convention] - means[base]).mean()
        own = flips(queries, convention, base=base)
        elsewhere = pd.concat([flips(other, convention, base=base) for other in others] or [own[:0]])
        other = sum(row[convention] not in ("", row[base]) for row in judged.to_dict("records"))
        counts = [number for found in (own, elsewhere) for number in (len(found), int(found["beyond noise"].sum()))]
        rows.append((named(convention), f"{change:+.4f}", *counts, other))
    columns = ["tools", "mean change", "pairs that flip", "beyond noise", "pairs elsewhere", "beyond noise there"]
    return pd.DataFrame(rows, columns=[*columns, "verdicts that flip"])


def recorded_orders() -> dict[str, pd.DataFrame]:
    """Other recorded rankings in the form of ``own/queries``: one row per place and method."""
    studies = [study_orders(queries_of(name).read(), name) for name in STUDY_DATASETS]
    return {
        "The learners of Busa-Fekete et al. 2012, trained under RankLib": pd.concat(studies, ignore_index=True),
        "The methods of Köppel et al. 2019, Table 1": table1_orders(REFIT.read()),
    }


def study_orders(record: Record, dataset: str) -> pd.DataFrame:
    """NDCG of each query and learner of the NDCG study, the mean over the seeds; learners trained under RankLib.

    Examples
    --------
    >>> table = pd.DataFrame({"fold": 1, "query": "q", "learner": "L", "trained_under": "ranklib", "seed": [1, 2],
    ...                       **{f"{name}@10": [0.2, 0.4] for name in conventions()}})
    >>> study_orders(Record("x", table, {}), "mq2008")[["dataset", "method", "yahoo"]].round(2).values.tolist()
    [['mq2008', 'L', 0.3]]
    """
    rows = record.table[record.table["trained_under"] == "ranklib"]
    columns = {f"{name}@{CUTOFF}": name for name in conventions()}
    means = rows.groupby(["learner", "fold", "query"], sort=False)[list(columns)].mean().reset_index()
    return means.rename(columns=columns | {"learner": "method"}).assign(dataset=dataset)


def table1_orders(record: Record) -> pd.DataFrame:
    """Mean NDCG of each fold and method of Table 1 on MQ2008, over the seeds, with binary and with graded labels.

    Examples
    --------
    >>> table = pd.DataFrame({"chosen_by": "ndcg", "method": "A", "fold": 1, "seed": [0, 1],
    ...     **{f"{kind}:{name}": [0.2, 0.4] for kind in ("binary", "graded") for name in conventions()}})
    >>> table1_orders(Record("x", table, {}))[["dataset", "yahoo"]].round(2).values.tolist()
    [['MQ2008, binary labels', 0.3], ['MQ2008, graded labels', 0.3]]
    """
    parts = []
    for kind in ("binary", "graded"):
        columns = {f"{kind}:{name}": name for name in conventions()}
        for method in dict.fromkeys(record.table["method"]):
            means = rows_for(record.table, str(method), "ndcg").groupby("fold")[list(columns)].mean().reset_index()
            place = {
                "dataset": f"{display_name('data', 'mq2008')}, {kind} labels",
                "method": method,
                "query": means["fold"].astype("str"),
            }
            parts.append(means.rename(columns=columns).assign(**place))
    return pd.concat(parts, ignore_index=True)
