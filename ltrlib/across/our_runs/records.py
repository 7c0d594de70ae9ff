"""The record of our own runs: what it holds, and how to read it. Nothing here loads a ranker."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.records.record import Record, read_record

__all__ = [
    "CEILING_COLUMNS",
    "FIT_COLUMNS",
    "METRICS",
    "QUERY_COLUMNS",
    "VALUE_COLUMNS",
    "mean_values",
    "own_ceilings",
    "own_fits",
    "own_queries",
    "own_values",
]

METRICS = ("NDCG@3", "NDCG@5", "NDCG@10", "MAP")
"""The metrics of Table B.6."""

_PLACE = {"dataset": "str", "method": "str", "fold": "int"}
QUERY_COLUMNS = _PLACE | {"query": "str"} | dict.fromkeys((*METRICS, *conventions()), "float")
"""Schema of ``own/queries``: four metrics under the collection's script, NDCG@10 under each convention.

Values of a method with several seeds are means over them.
"""
VALUE_COLUMNS = {"dataset": "str", "standin": "bool", "method": "str", "metric": "str", "value": "float"}
VALUE_COLUMNS |= {"standard_error": "float", "queries": "int"}
"""Schema of ``own/values``."""
FIT_COLUMNS = _PLACE | {"seed": "int", "family": "str", "parameters": "str", "vali": "float", "test": "float"}
FIT_COLUMNS |= {"queries": "int", "seconds": "float"}
"""Schema of ``own/fits``: a row per seed; ``test`` is the mean NDCG@10 of the test queries by the collection's script.

The seconds of the first seed include the choice of the parameters.
"""
CEILING_COLUMNS = {"dataset": "str", "script": "str", "metric": "str", "value": "float"}
"""Schema of ``own/ceilings``."""


def own_queries() -> Record:
    """Read the record of all queries.

    Examples
    --------
    >>> "ranklib" in own_queries().table.columns
    True
    """
    return read_record("own/queries", QUERY_COLUMNS)


def own_values() -> Record:
    """Read the record of the means.

    Examples
    --------
    >>> sorted(set(own_values().table["metric"]))
    ['MAP', 'NDCG@10', 'NDCG@3', 'NDCG@5']
    """
    return read_record("own/values", VALUE_COLUMNS)


def own_fits() -> Record:
    """Read the record of the fits: family, what was chosen, what each seed gave, how long it took.

    Examples
    --------
    >>> "seconds" in own_fits().table.columns
    True
    """
    return read_record("own/fits", FIT_COLUMNS)


def own_ceilings() -> Record:
    """Read the record of what a perfect ranking scores under each collection's script.

    Examples
    --------
    >>> table = own_ceilings().table.set_index(["dataset", "metric"])["value"]
    >>> round(table["mq2008", "NDCG@10"], 4)
    np.float64(0.3737)
    """
    return read_record("own/ceilings", CEILING_COLUMNS)


def mean_values(queries: pd.DataFrame, columns: Sequence[str] = METRICS) -> pd.DataFrame:
    """Mean over the test queries of all folds, for each data set, method and column.

    Parameters
    ----------
    queries
        The table of ``own/queries``.
    columns
        Metrics of Table B.6, or conventions of NDCG@10. A convention that has no value for a data set has no row.

    Returns
    -------
    pandas.DataFrame
        Columns of `VALUE_COLUMNS`, data sets and methods in the order of their first appearance.

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
    return tidy.assign(standin=standin)[list(VALUE_COLUMNS)].astype({"queries": "int64"})
