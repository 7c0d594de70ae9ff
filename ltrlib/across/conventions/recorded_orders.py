"""Recorded rankings in one form, so that the orders of methods can be compared under every tool's NDCG@10."""

from __future__ import annotations

import pandas as pd

from ltrlib.metrics.ndcg_by_tool import CUTOFF, conventions
from ltrlib.papers.busafekete2012.study.scores import QUERY_COLUMNS
from ltrlib.papers.koppel2019.table1.records import REFIT_COLUMNS
from ltrlib.papers.koppel2019.table1.tables import rows_for
from ltrlib.records.record import Record, read_record

__all__ = ["STUDY_DATASETS", "recorded_orders", "study_orders", "table1_orders"]

STUDY_DATASETS = ("mq2008", "ohsumed", "clueweb09-ltr")
"""Data sets on which the NDCG study was run."""


def recorded_orders() -> dict[str, pd.DataFrame]:
    """Read what was recorded besides our own runs, each in the form of ``own/queries``: one row per place and method.

    Examples
    --------
    >>> list(recorded_orders())
    ['The learners of Busa-Fekete et al. 2012, trained under RankLib', 'The methods of Köppel et al. 2019, Table 1']
    """
    studies = [
        study_orders(read_record(f"busafekete2012/{name}-queries", QUERY_COLUMNS), name) for name in STUDY_DATASETS
    ]
    return {
        "The learners of Busa-Fekete et al. 2012, trained under RankLib": pd.concat(studies, ignore_index=True),
        "The methods of Köppel et al. 2019, Table 1": table1_orders(read_record("koppel2019/refit", REFIT_COLUMNS)),
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
    [['mq2008, binary labels', 0.3], ['mq2008, graded labels', 0.3]]
    """
    parts = []
    for kind in ("binary", "graded"):
        columns = {f"{kind}:{name}": name for name in conventions()}
        for method in dict.fromkeys(record.table["method"]):
            means = rows_for(record.table, str(method), "ndcg").groupby("fold")[list(columns)].mean().reset_index()
            place = {"dataset": f"mq2008, {kind} labels", "method": method, "query": means["fold"].astype("str")}
            parts.append(means.rename(columns=columns).assign(**place))
    return pd.concat(parts, ignore_index=True)
