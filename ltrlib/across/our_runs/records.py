"""What is recorded of our own runs: every test query, means, what was chosen, and what a perfect ranking scores."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.records.record import Table

__all__ = ["CEILINGS", "COVERAGE", "FITS", "METRICS", "QUERIES", "VALUES", "mean_values"]

METRICS = ("NDCG@3", "NDCG@5", "NDCG@10", "MAP")
"""The metrics of Table B.6."""

_TRAININGS = "ltrlib.across.our_runs.runs:TRAININGS"
_PLACE = {"dataset": "str", "method": "str", "fold": "int"}

QUERIES = Table(
    "own/queries",
    _PLACE | {"query": "str"} | dict.fromkeys((*METRICS, *conventions()), "float"),
    maker=_TRAININGS,
    form="parquet",
)
"""Four metrics under the collection's script and NDCG@10 under each convention, each the mean over the seeds."""

VALUES = Table(
    "own/values",
    {"dataset": "str", "standin": "bool", "method": "str", "metric": "str"}
    | {"value": "float", "standard_error": "float", "queries": "int"},
    maker=_TRAININGS,
)
"""Means over the test queries of all folds."""

FITS = Table(
    "own/fits",
    _PLACE
    | {"seed": "int", "family": "str", "parameters": "str", "vali": "float", "test": "float"}
    | {"queries": "int", "seconds": "measured"},
    maker=_TRAININGS,
)
"""A row per seed; ``test`` is the mean NDCG@10 of the test queries by the collection's script.

The seconds of the first seed include the choice of the parameters.
"""

CEILINGS = Table(
    "own/ceilings",
    {"dataset": "str", "script": "str", "metric": "str", "value": "float"},
    maker="ltrlib.across.our_runs.runs:CEILINGS",
)
"""What a perfect ranking of all test queries scores under the collection's script."""


COVERAGE = Table(
    "own/coverage",
    {"seed": "int", "study": "int", "method": "str", "estimate": "float", "resampled": "float", "deviation": "float"}
    | {"low": "float", "high": "float", "corrected_low": "float", "corrected_high": "float"},
    maker="ltrlib.across.our_runs.runs:COVERAGE",
    form="parquet",
)
"""Studies drawn from the recorded queries of the real data sets, with what each would say about NWN."""


def mean_values(queries: pd.DataFrame, columns: Sequence[str] = METRICS) -> pd.DataFrame:
    """Mean over the test queries of all folds, for each data set, method and column.

    Parameters
    ----------
    queries
        The table of `QUERIES`.
    columns
        Metrics of Table B.6, or conventions of NDCG@10. A convention that has no value for a data set has no row.

    Returns
    -------
    pandas.DataFrame
        Columns of `VALUES`, data sets and methods in the order of their first appearance.

    Examples
    --------
    >>> queries = pd.DataFrame({"dataset": "standin/x", "method": "A", "MAP": [0.25, 0.5]})
    >>> mean_values(queries, ["MAP"])[["dataset", "standin", "value", "queries"]].values.tolist()
    [['standin/x', True, 0.375, 2]]
    """
    grouped = queries.groupby(["dataset", "method"], sort=False)[list(columns)]
    tidy = pd.concat(
        {"value": grouped.mean().stack(), "standard_error": grouped.sem().stack(), "queries": grouped.count().stack()},
        axis=1,
    )
    tidy = tidy[tidy["queries"] > 0].rename_axis(["dataset", "method", "metric"]).reset_index()
    standin = tidy["dataset"].str.startswith("standin/").astype(bool)
    return tidy.assign(standin=standin)[list(VALUES.columns)].astype({"queries": "int64"})
