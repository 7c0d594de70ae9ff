"""Winning numbers on a small made-up table: the counting, its rules and laws, both readings of Pareto, and the cost."""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ltrlib.comparison.pareto import add_pareto_ranks
from ltrlib.comparison.reading import read_results
from ltrlib.comparison.results import ALL_METRICS, COLUMNS
from ltrlib.comparison.winning import winning_numbers
from ltrlib.errors import DataFormatError
from ltrlib.project import ROOT, project_data
from ltrlib.published.tables import load_table

__all__ = [
    "EXAMPLE",
    "counted_cells",
    "example",
    "growth",
    "laws",
    "letor3_wins",
    "meta_output",
    "readings",
    "rules",
    "values_table",
]

EXAMPLE = project_data("examples", "results.csv")
"""A made-up table of results with a tie and a missing value."""

_LIU_METRICS = {"NDCG@1": "ndcg1", "NDCG@3": "ndcg3", "NDCG@10": "ndcg10", "MAP": "map"}


def example() -> pd.DataFrame:
    """Read the made-up table.

    Examples
    --------
    >>> example()["value"].isna().sum()
    np.int64(1)
    """
    return read_results(EXAMPLE)


def values_table(metric: str) -> pd.DataFrame:
    """The made-up values of one metric, one row per method and one column per data set, a dash where there is none.

    Examples
    --------
    >>> values_table("NDCG@10").iloc[2].tolist()
    ['C', '0.46', '–', '0.60']
    """
    rows = example()
    rows = rows[rows["metric"] == metric]
    wide = rows.pivot(index="method", columns="dataset", values="value").reindex(columns=rows["dataset"].unique())
    shown = wide.map(lambda value: "–" if np.isnan(value) else f"{value:.2f}")
    return shown.rename_axis(columns=None).reset_index()


def counted_cells(metric: str) -> pd.DataFrame:
    """Wins of possible wins for each method and data set of the made-up table, and the sums.

    Each data set is counted for itself, so the sums show how WN and IWN come about.

    Examples
    --------
    >>> print(counted_cells("NDCG@10").head(1).to_string(index=False, header=False))
    A 3 of 3 1 of 2 2 of 3  6  8 0.75  3
    """
    rows = example()
    rows = rows[(rows["metric"] == metric) & rows["value"].notna()]
    total = winning_numbers(rows)
    total = total[total["metric"] == metric].set_index("method")
    table = pd.DataFrame({"method": total.index})
    for dataset, part in rows.groupby("dataset", sort=False):
        alone = winning_numbers(part)
        alone = alone[alone["metric"] == metric].set_index("method")
        texts = {str(method): f"{row['wn']} of {row['iwn']}" for method, row in alone.iterrows()}
        table[str(dataset)] = [texts.get(method, "–") for method in table["method"]]
    for name, column in {"WN": "wn", "IWN": "iwn", "NWN": "nwn", "data sets": "datasets"}.items():
        table[name] = total[column].to_numpy()
    return table


def rules() -> pd.DataFrame:
    """Try what the definition leaves open, and what a table must not hold; report what ltrlib does.

    Returns
    -------
    DataFrame
        case, what happens: a count, or the first line of the error.

    Examples
    --------
    >>> rules()["what happens"].iloc[0]
    'A wins 0 of 1, B wins 0 of 1'
    """
    one = ("A", "news", "MAP", 0.5)
    cases: dict[str, list[tuple[str, str, str, float]]] = {
        "two equal values": [one, ("B", "news", "MAP", 0.5)],
        "they differ in the last digit": [one, ("B", "news", "MAP", 0.50001)],
        "a value is missing (NaN)": [one, ("B", "news", "MAP", float("nan"))],
        "nobody to compare with": [one],
        "the same result twice": [one, one],
        "a metric that is not known": [("A", "news", "RMSE", 0.5)],
        "one metric in two spellings": [one, ("B", "news", "map", 0.5)],
        "a value in percent": [("A", "news", "MAP", 50.0)],
        "an infinite value": [("A", "news", "MAP", float("inf"))],
    }
    rows = [(case, _outcome(pd.DataFrame(given, columns=list(COLUMNS)))) for case, given in cases.items()]
    return pd.DataFrame(rows, columns=["case", "what happens"])


def _outcome(results: pd.DataFrame) -> str:
    try:
        counted = winning_numbers(results)
    except DataFormatError as error:
        return f"error: {str(error).splitlines()[0]}"
    counted = counted[counted["metric"] != ALL_METRICS]
    parts = [f"{row.method} wins {row.wn} of {row.iwn}" for row in counted.itertuples()]
    return ", ".join(parts) + ("; it has no NWN" if counted["nwn"].isna().all() else "")


def readings(metric: str) -> pd.DataFrame:
    """Points of the made-up table with their Pareto ranks in both readings.

    Examples
    --------
    >>> readings("NDCG@10").set_index("method").loc["B", ["usual rank", "strict rank"]].tolist()
    [2, 1]
    """
    counted = winning_numbers(example())
    counted = counted[counted["metric"] == metric]
    table = counted[["method", "datasets", "nwn"]].reset_index(drop=True)
    for reading in ("usual", "strict"):
        table[f"{reading} rank"] = add_pareto_ranks(counted, reading=reading)["pareto_rank"].tolist()
    return table


def laws() -> pd.DataFrame:
    """Both laws of the sums on the made-up table, with the pairs and the ties counted directly.

    Returns
    -------
    DataFrame
        metric, sum of IWN, pairs, tied pairs, sum of WN, pairs - ties.

    Examples
    --------
    >>> print(laws().head(1).to_string(index=False, header=False))
    NDCG@10 30 15 1 14 14
    """
    results, counted = example().dropna(), winning_numbers(example())
    rows = []
    for metric, part in results.groupby("metric", sort=False):
        pairs = ties = 0
        for _, values in part.groupby("dataset")["value"]:
            number = values.value_counts()
            pairs += len(values) * (len(values) - 1) // 2
            ties += int((number * (number - 1) // 2).sum())
        sums = counted[counted["metric"] == metric][["iwn", "wn"]].sum()
        rows.append((metric, int(sums["iwn"]), pairs, ties, int(sums["wn"]), pairs - ties))
    columns = ["metric", "sum of IWN", "pairs", "tied pairs", "sum of WN", "pairs − ties"]
    return pd.DataFrame(rows, columns=columns)


def meta_output(*options: str) -> str:
    """What ``ltrlib meta`` prints for the made-up table.

    Examples
    --------
    >>> meta_output("--format", "csv").splitlines()[0]
    'method,metric,wn,iwn,nwn,datasets,pareto_rank'
    """
    from ltrlib.cli import main

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        main(["meta", str(EXAMPLE), *options])
    return printed.getvalue().replace(f"{ROOT}/", "").rstrip()


def letor3_wins() -> pd.DataFrame:
    """Winning numbers of LETOR 3.0 as Liu (2011) prints them, beside the part that its printed results let us count.

    Of the seven data sets, the results of TD2003 are at hand.

    Returns
    -------
    DataFrame
        method, and for each metric a text: our count on TD2003, and the published total over seven data sets.

    Examples
    --------
    >>> letor3_wins().set_index("method").loc["ListNet", "MAP"]
    '6 of 33'
    """
    published = load_table("liu2011", "winning_numbers")
    raw = load_table("liu2011", "evaluation_results").wide().astype({"value": float})
    counted = winning_numbers(raw[raw["source"] == "liu2011 Table 11.1"]).set_index(["method", "metric"])["wn"]
    rows = []
    for method in published.rows:
        row = {"method": method}
        row |= {m: f"{counted[method, m]} of {published.text(method, column)}" for m, column in _LIU_METRICS.items()}
        rows.append(row)
    total = {m: sum(int(published.text(method, c)) for method in published.rows) for m, c in _LIU_METRICS.items()}
    rows.append({"method": "sum"} | {m: f"{counted.xs(m, level='metric').sum()} of {total[m]}" for m in total})
    return pd.DataFrame(rows)


def growth(sizes: Sequence[int], *, seed: int = 0) -> pd.DataFrame:
    """Measure the time to count random results, with a tenth of all methods on each of a hundred data sets.

    Parameters
    ----------
    sizes
        Numbers of results.
    seed
        Start of the random numbers.

    Returns
    -------
    DataFrame
        results, comparisons, seconds (processor time, the best of three).

    Examples
    --------
    >>> growth([1_000])["results"].tolist()
    [1000]
    """
    random = np.random.default_rng(seed)
    rows = []
    for size in sizes:
        n_methods = size // 10
        cells = np.sort(random.choice(n_methods * 100, size, replace=False))
        methods = np.array([f"m{i}" for i in range(n_methods)], dtype=object)
        datasets = np.array([f"d{i}" for i in range(100)], dtype=object)
        results = pd.DataFrame(
            {
                "method": methods[cells // 100],
                "dataset": datasets[cells % 100],
                "metric": "MAP",
                "value": random.random(size).round(4),
            }
        )
        times = []
        for _ in range(3):
            begin = time.process_time()
            counted = winning_numbers(results)
            times.append(time.process_time() - begin)
        comparisons = int(counted.loc[counted["metric"] == ALL_METRICS, "iwn"].sum()) // 2
        rows.append((size, comparisons, min(times)))
    return pd.DataFrame(rows, columns=["results", "comparisons", "seconds"])
