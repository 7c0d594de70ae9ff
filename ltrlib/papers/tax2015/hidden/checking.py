"""The reconstruction looked at by a checker that shares no code with what made it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pandas as pd

from ltrlib.comparison.reconstruct.check import check_orders, check_presence
from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.hidden.puzzle import RELEASED_ROW
from ltrlib.project import project_data

__all__ = ["check_records", "contradictions", "contradictions_by_sample"]


def contradictions(
    rows: pd.DataFrame,
    presence: pd.DataFrame,
    orders: pd.DataFrame | None = None,
    *,
    known: pd.DataFrame | None = None,
) -> list[str]:
    """Write a reconstruction into files and have the checker read them; the row that was given up is excused.

    Parameters
    ----------
    rows, presence, orders, known
        With the columns of the records ``published-rows``, ``presence``, ``orders`` and ``known-orders``.

    Examples
    --------
    >>> rows = pd.DataFrame({"method": ["A"], "metric": "MAP", "wn": 0, "iwn": 1, "datasets": 1})
    >>> contradictions(rows, pd.DataFrame({"method": ["A"], "metric": "MAP", "dataset": "d"}))
    ['A, MAP: IWN 0 instead of 1']
    """
    with tempfile.TemporaryDirectory() as folder:

        def file(name: str, table: pd.DataFrame) -> Path:
            path = Path(folder, f"{name}.csv")
            table.to_csv(path, index=False)
            return path

        published, cells = file("rows", rows), file("presence", presence)
        problems = check_presence(published, cells, except_for=[RELEASED_ROW])
        if orders is not None:
            facts = None if known is None else file("known", known)
            problems += check_orders(
                published, cells, file("orders", orders), known_orders=facts, except_for=[RELEASED_ROW]
            )
    return problems


def contradictions_by_sample(rows: pd.DataFrame, orders: pd.DataFrame, *, known: pd.DataFrame) -> list[str]:
    """Check samples that have a presence of their own, one after the other."""
    return [
        problem
        for _, sample in orders.groupby("sample")
        for problem in contradictions(rows, sample[list(records.PRESENCE.columns)], sample, known=known)
    ]


def check_records() -> pd.DataFrame:
    """Run the independent checker on the files of the recorded reconstruction.

    Examples
    --------
    >>> check_records()["contradictions"].tolist()
    ['0', '0', '0', '2']
    """
    rows, presence, known, orders = (
        project_data("results", f"{table.name}.{table.form}")
        for table in (records.PUBLISHED_ROWS, records.PRESENCE, records.KNOWN_ORDERS, records.ORDERS)
    )
    tables = {table.short: table.read().table for table in (records.PUBLISHED_ROWS, records.KNOWN_ORDERS)}
    samples, varied = records.ORDERS.read().table["sample"].nunique(), records.ORDERS_VARIED.read().table
    n_rows, excused = len(tables["published-rows"]), [RELEASED_ROW]
    numbers = {
        f"number of data sets and IWN of {n_rows - 1} rows": check_presence(rows, presence, except_for=excused),
        f"{samples} sampled orders on one presence": check_orders(
            rows, presence, orders, known_orders=known, except_for=excused
        ),
        f"{varied['sample'].nunique()} sampled orders on presences of their own": contradictions_by_sample(
            tables["published-rows"], varied, known=tables["known-orders"]
        ),
        f"number of data sets and IWN of all {n_rows} rows": check_presence(rows, presence),
    }
    table = [(what, str(len(problems)), "; ".join(problems[:2]) or "–") for what, problems in numbers.items()]
    return pd.DataFrame(table, columns=["what is checked", "contradictions", "which"])
