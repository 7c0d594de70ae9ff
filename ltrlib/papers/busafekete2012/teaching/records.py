"""The recorded tables of the bootstrap over training queries, and of AdaRank's query weights."""

from __future__ import annotations

from ltrlib.records.record import Table

__all__ = ["WEIGHTS", "queries_of", "runs_of"]

_RUNS = "ltrlib.papers.busafekete2012.teaching.runs"
_TAUGHT = {"learner": "str", "taught": "str", "fold": "int"}


def runs_of(dataset: str) -> Table:
    """One row per training: mean NDCG@10 of its test queries by RANKLIB and by LETOR.

    Examples
    --------
    >>> runs_of("standin/mq2008").name
    'busafekete2012/teaching-standin-mq2008-runs'
    """
    columns = _TAUGHT | {"sample": "int", "queries": "int", "ranklib": "float", "letor4": "float", "size": "int"}
    return Table(_named(dataset, "runs"), columns, maker=f"{_RUNS}:BOOTSTRAP")


def queries_of(dataset: str) -> Table:
    """One row per test query: NDCG@10 by RANKLIB, the mean over all samples of the training queries."""
    columns = _TAUGHT | {"query": "str", "documents": "int", "empty": "bool", "ranklib": "float"}
    return Table(_named(dataset, "queries"), columns, maker=f"{_RUNS}:BOOTSTRAP", form="parquet")


def _named(dataset: str, what: str) -> str:
    return f"busafekete2012/teaching-{dataset.replace('/', '-')}-{what}"


WEIGHTS = Table(
    "busafekete2012/teaching-weights",
    {"taught": "str", "fold": "int", "round": "int", "kept": "bool"}
    | {"empty": "float", "short": "float", "rest": "float"},
    maker=f"{_RUNS}:FOLLOWED",
)
"""AdaRank on the training parts of MQ2008: share of the query weights at the start of each round that lies on empty
queries, on short ones that are not empty, and on the rest; round 1 has equal weights. ``kept``: whether the round is
part of the model."""
