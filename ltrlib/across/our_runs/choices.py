"""What the validation parts chose in our own runs, and how much the seed decides."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from ltrlib.across.our_runs.records import mean_values
from ltrlib.published.names import name

__all__ = ["choices", "seed_spread", "shown_spread", "spread_in_errors"]


def choices(fits: pd.DataFrame) -> pd.DataFrame:
    """Values that were chosen, with the number of folds, for each method that had a choice.

    Parameters
    ----------
    fits
        The table of ``own/fits``.

    Examples
    --------
    >>> fits = pd.DataFrame({"method": "A", "seed": [0, 1, 0], "parameters": ["C = 1", "C = 1", "C = 10"]})
    >>> choices(fits).values.tolist()
    [['A', 'C: 1 (1), 10 (1)']]
    """
    rows = []
    once = fits[(fits["seed"] == 0) & fits["parameters"].str.contains("=")]
    for method, group in once.groupby("method", sort=False):
        counted: dict[str, Counter[str]] = {}
        for text in group["parameters"]:
            for part in text.split(", "):
                name, value = part.split(" = ")
                counted.setdefault(name, Counter())[value] += 1
        shown = (
            f"{name}: " + ", ".join(f"{value} ({number})" for value, number in sorted(values.items(), key=_by_size))
            for name, values in counted.items()
        )
        rows.append((str(method), "; ".join(shown)))
    return pd.DataFrame(rows, columns=["method", "chosen (folds)"])


def _by_size(item: tuple[str, int]) -> tuple[float, str]:
    try:
        return float(item[0]), ""
    except ValueError:
        return 0.0, item[0]


def seed_spread(fits: pd.DataFrame) -> pd.DataFrame:
    """Standard deviation over the seeds of the mean NDCG@10 over all test queries of a data set.

    Returns
    -------
    pandas.DataFrame
        One row per method with more than one seed: method, seeds, and one column per data set.

    Examples
    --------
    >>> fits = pd.DataFrame({"dataset": "d", "method": "A", "fold": [1, 2, 1, 2], "seed": [0, 0, 1, 1],
    ...                      "queries": [1, 3, 1, 3], "test": [0.4, 0.4, 0.8, 0.4]})
    >>> seed_spread(fits).round(4).values.tolist()  # means 0.4 and 0.5
    [['A', 2, 0.0707]]
    """
    weighted = fits.assign(total=fits["test"] * fits["queries"])
    sums = weighted.groupby(["method", "dataset", "seed"], sort=False)[["total", "queries"]].sum()
    means = (sums["total"] / sums["queries"]).groupby(["method", "dataset"], sort=False)
    wide = means.std(ddof=1).dropna().unstack("dataset")
    seeds = means.size().groupby("method", sort=False).max()
    wide = wide.reindex(columns=[name for name in dict.fromkeys(fits["dataset"]) if name in wide])
    wide = wide.reindex(index=[name for name in dict.fromkeys(fits["method"]) if name in wide.index])
    wide.insert(0, "seeds", seeds.reindex(wide.index))
    return wide.rename_axis(None, axis=1).reset_index()


def shown_spread(fits: pd.DataFrame) -> pd.DataFrame:
    """`seed_spread` as the page shows it: the number of seeds as text, data sets by their names."""
    return seed_spread(fits).astype({"seeds": "str"}).rename(columns=lambda head: name("data", head))


def spread_in_errors(spread: pd.DataFrame, queries: pd.DataFrame) -> tuple[float, str, str]:
    """Largest spread over seeds in units of the standard error over queries, with its method and data set.

    Examples
    --------
    >>> spread = pd.DataFrame({"method": ["A"], "seeds": [2], "d": [0.05]})
    >>> queries = pd.DataFrame({"dataset": "d", "method": "A", "NDCG@10": [0.2, 0.4]})
    >>> ratio, method, dataset = spread_in_errors(spread, queries)
    >>> round(ratio, 2), method, dataset
    (0.5, 'A', 'd')
    """
    errors = mean_values(queries, ["NDCG@10"]).set_index(["method", "dataset"])["standard_error"]
    ratios = [
        (float(row[dataset]) / float(errors[row["method"], dataset]), str(row["method"]), str(dataset))
        for row in spread.to_dict("records")
        for dataset in spread.columns.drop(["method", "seeds"])
    ]
    return max(ratios)
