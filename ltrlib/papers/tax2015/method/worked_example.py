"""Winning numbers on a small made-up table: the counting, its rules and laws, and both readings of Pareto."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ltrlib.comparison.meta import Form, meta_table, meta_text
from ltrlib.comparison.pareto import add_pareto_ranks
from ltrlib.comparison.reading import read_results
from ltrlib.comparison.results import ALL_METRICS, COLUMNS
from ltrlib.comparison.winning import winning_numbers
from ltrlib.project import project_data

__all__ = [
    "EXAMPLE",
    "counted_cells",
    "example",
    "laws",
    "meta_output",
    "meta_session",
    "readings",
    "rules",
    "values_table",
]

EXAMPLE = project_data("examples", "results.csv")
"""A made-up table of results with a tie and a missing value."""


def example() -> pd.DataFrame:
    """Read the made-up table."""
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
        table[name] = [f"{value:.2f}" for value in total[column]] if name == "NWN" else total[column].to_numpy()
    return table


def rules() -> pd.DataFrame:
    """Try what the definition leaves open, and report what ltrlib does.

    Returns
    -------
    DataFrame
        case, what happens.

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
        "no other method to compare with": [one],
    }
    rows = [(case, _outcome(pd.DataFrame(given, columns=list(COLUMNS)))) for case, given in cases.items()]
    return pd.DataFrame(rows, columns=["case", "what happens"])


def _outcome(results: pd.DataFrame) -> str:
    counted = winning_numbers(results)
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


def meta_output(form: Form = "table") -> str:
    """What ``ltrlib meta`` prints for the made-up table.

    Examples
    --------
    >>> meta_output("csv").splitlines()[1]
    'A,NDCG@10,6,8,0.75,3,1'
    """
    return meta_text(meta_table(EXAMPLE), form)


def meta_session() -> str:
    """The command on the made-up table and its answer, as a block of Markdown.

    Examples
    --------
    >>> meta_session().splitlines()[1]
    '$ ltrlib meta data/examples/results.csv'
    """
    return f"```text\n$ ltrlib meta data/examples/results.csv\n{meta_output()}\n```"
