"""The recorded tables of the oracle and of the first lesson on repeated splits."""

from __future__ import annotations

from ltrlib.records.record import Table

__all__ = ["SPLITS", "members_of_oracle"]

_RUNS = "ltrlib.papers.chapelle2011.oracle.runs"


def members_of_oracle(dataset: str) -> Table:
    """ERR and NDCG@10 of the challenge for each test query and each member of each group.

    The member ``sum`` adds the scores of all members, each brought to mean 0 and variance 1 within the query.

    Examples
    --------
    >>> members_of_oracle("standin/yahoo-set1").name
    'chapelle2011/oracle-standin-yahoo-set1'
    """
    columns = {"group": "str", "member": "str", "fold": "int", "query": "str", "err": "float", "ndcg": "float"}
    name = f"chapelle2011/oracle-{dataset.replace('/', '-')}"
    return Table(name, columns, maker=f"{_RUNS}:ORACLE", form="parquet")


SPLITS = Table(
    "chapelle2011/oracle-lesson",
    {"dataset": "str", "repeat": "int", "query": "str", "functions": "str", "loss": "str"}
    | {"err": "float", "ndcg": "float"},
    maker=f"{_RUNS}:LESSON_SPLITS",
    form="parquet",
)
"""ERR and NDCG@10 of each query, tested once in each repeated split, for the six models of the first lesson."""
