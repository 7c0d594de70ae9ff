"""What the page on our own runs shows: values, winning numbers with intervals over queries, and its prose's numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ltrlib.across.our_runs.choices import seed_spread, spread_in_errors
from ltrlib.across.our_runs.records import METRICS, mean_values
from ltrlib.across.our_runs.resampling import Bootstrap
from ltrlib.across.our_runs.significance import TESTED, PairwiseTests
from ltrlib.comparison.intervals import widened_interval
from ltrlib.comparison.winning import leave_one_dataset_out, winning_numbers
from ltrlib.published.names import name

__all__ = [
    "dataset_table",
    "left_out",
    "numbers_of_coverage",
    "numbers_of_fits",
    "numbers_of_standings",
    "select",
    "shown_coverage",
    "shown_standings",
    "standings",
    "summary",
    "value_table",
]


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
    kind = np.where(generated, "generated, resembles the real set", "real")
    return sets.assign(dataset=sets["dataset"].map(_called), kind=kind).rename(columns={"dataset": "data set"})


def _called(key: str) -> str:
    return name("data", key)


def _spelled(method: str) -> str:
    """A method at the beginning of a sentence, with what figures and tables call it."""
    spelled = name("method", method)
    return method if spelled == method else f"{spelled[0].upper()}{spelled[1:]} ({method})"


def standings(queries: pd.DataFrame, sampled: Bootstrap, *, factor: float) -> pd.DataFrame:
    """Return one row of Table B.6 per method, with bias and interval of NWN and how often the method comes first.

    Parameters
    ----------
    queries, sampled
        The values, and winning numbers of resampled ones.
    factor
        How many deviations the interval reaches out; see :func:`ltrlib.across.our_runs.resampling.factor_of`.

    Examples
    --------
    >>> from ltrlib.across.our_runs.resampling import bootstrap
    >>> queries = pd.DataFrame({"dataset": "d", "method": ["A", "A", "B", "B"], "query": list("xyxy"),
    ...                         **{metric: [0.5, 0.6, 0.3, 0.2] for metric in METRICS}})
    >>> table = standings(queries, bootstrap(queries, samples=9), factor=2)
    >>> table[["method", "wn", "iwn", "nwn", "first"]].values.tolist()
    [['A', 4, 4, 1.0, 1.0], ['B', 0, 4, 0.0, 0.0]]
    """
    winning = winning_numbers(mean_values(queries))
    parts = winning.pivot(index="method", columns="metric", values="nwn")
    table = winning[winning["metric"] == "all"].set_index("method").loc[list(sampled.methods)]
    low, high = widened_interval(table["nwn"].to_numpy(), sampled.together, factor=factor)
    result = pd.DataFrame(
        {metric: parts[metric].reindex(list(sampled.methods)) for metric in METRICS}
        | {"wn": table["wn"], "iwn": table["iwn"], "nwn": table["nwn"]}
        | {"bias": sampled.together.mean(axis=0) - table["nwn"], "low": low, "high": high}
        | {"first": sampled.first()}
    )
    return (
        result.rename_axis("method").reset_index().sort_values("nwn", ascending=False, kind="stable", ignore_index=True)
    )


def shown_standings(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of :func:`standings` as the page shows them: interval, bias and share of first places as text."""
    interval = [f"{low:.2f} to {high:.2f}" for low, high in zip(table["low"], table["high"], strict=True)]
    first = [f"{share:.0%}" for share in table["first"]]
    bias = [f"{value:+.3f}" for value in table["bias"]]
    shown = table.assign(interval=interval, bias=bias, first=first)
    return shown[["method", *METRICS, "wn", "iwn", "nwn", "bias", "interval", "first"]]


def value_table(queries: pd.DataFrame) -> pd.DataFrame:
    """Mean NDCG@10 by the collections' scripts: methods by their mean rank, one column per data set.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": ["d", "e"], "method": "A", "query": "x",
    ...                         **{metric: [0.5, 0.25] for metric in METRICS}})
    >>> value_table(queries).values.tolist()
    [['A', 0.5, 0.25]]
    """
    table = mean_values(queries, [TESTED]).pivot(index="method", columns="dataset", values="value")
    table = table.reindex(columns=list(dict.fromkeys(queries["dataset"])))
    order = table.rank(ascending=False).mean(axis=1).sort_values(kind="stable").index
    return table.loc[order].rename(columns=_called).rename_axis(None, axis=1).reset_index()


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
        found = sorted(zip(group["nwn"], group["left_out"].map(_called), strict=True))
        rows.append((method, *found[0], *found[-1]))
    return pd.DataFrame(rows, columns=["method", "lowest", "without", "highest", "without "])


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
        "seed-ratio": f"{ratio:.1f}",
        "seed-method": method,
        "seed-dataset": _called(dataset),
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
        "best": _spelled(str(table["method"].iloc[0])),
        "best-first": f"{table['first'].max():.0%}",
        "overlapping": f"{(table['high'].iloc[1:] >= table['low'].iloc[0]).sum()}",
        "direct-rank": f"{table['method'].tolist().index('DirectRanker') + 1}",
        "direct-normal": f"{directranker['parameters'].str.contains('features = normal').sum()}",
        "direct-folds": f"{len(directranker)}",
    }


def _first_seeds(fits: pd.DataFrame, *methods: str) -> pd.DataFrame:
    """Folds of the real data sets: what was chosen, with the first seed, holds for all seeds."""
    return select(fits[fits["method"].isin(methods) & (fits["seed"] == 0)], standins=False)


def shown_coverage(coverage: pd.DataFrame) -> pd.DataFrame:
    """The rows of :func:`ltrlib.across.our_runs.resampling.coverage_table` as the page shows them."""
    return pd.DataFrame(
        {
            "interval": coverage["interval"],
            "holds the truth": [f"{share:.0%}" for share in coverage["covers"]],
            "least often, for": [
                f"{share:.0%}, {method}" for share, method in zip(coverage["lowest"], coverage["of"], strict=True)
            ],
            "mean width": [f"{width:.2f}" for width in coverage["width"]],
        }
    )


def numbers_of_coverage(
    studies: pd.DataFrame, coverage: pd.DataFrame, table: pd.DataFrame, factor: float
) -> dict[str, str]:
    """Numbers of the prose on intervals.

    Parameters
    ----------
    studies, coverage, factor
        The record, and what :mod:`ltrlib.across.our_runs.resampling` finds in it.
    table
        As :func:`standings` returns it.
    """
    covers = coverage.set_index("interval")["covers"]
    return {
        "studies": f"{len(studies.drop_duplicates(['seed', 'study']))}",
        "factor": f"{factor:.1f}",
        "covers-percentile": f"{covers['percentile']:.0%}",
        "covers-widened": f"{covers['widened by simulation']:.0%}",
        "bias-best": f"{-table['bias'].iloc[0]:.3f}",
        "bias-worst": f"{table['bias'].iloc[-1]:.3f}",
    }


def summary(table: pd.DataFrame, coverage: pd.DataFrame, tests: PairwiseTests) -> list[str]:
    """Return the sentences with which the page opens.

    Parameters
    ----------
    table, coverage, tests
        As :func:`standings`, :func:`ltrlib.across.our_runs.resampling.coverage_table` and
        :func:`ltrlib.across.our_runs.significance.pairwise_tests` return them.
    """
    best, share = table.iloc[0], coverage.set_index("interval")["covers"]
    overlapping = int((table["high"].iloc[1:] >= best["low"]).sum())
    pairs = len(table) * (len(table) - 1) // 2
    return [
        f"{_spelled(best['method'])} has the highest NWN, {best['nwn']:.2f} (95% interval {best['low']:.2f} to "
        f"{best['high']:.2f}); the intervals of {overlapping} of the {len(table) - 1} other rankers overlap it.",
        f"A usual 95% bootstrap interval of a winning number holds the truth in only {share['percentile']:.0%} of "
        f"simulated studies, and in {share['bias-corrected (Efron)']:.0%} after correcting its bias. Ours is widened "
        "to make up for it.",
        f"The rankers are not all equal (p = {tests.p_permuted:.3f}), but with five data sets Nemenyi's test tells "
        f"only {len(tests.significant)} of {pairs} pairs apart.",
    ]
