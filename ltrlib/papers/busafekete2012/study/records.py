"""The recorded tables of the study: one of trainings and one of test queries for each data set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.papers.busafekete2012.study.learners import CUTOFF, CUTOFFS
from ltrlib.records.record import Table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CURVES", "Tables", "other_tools", "queries_of", "runs_of"]

_MAKER = "ltrlib.papers.busafekete2012.study.runs:STUDY"
_SCORED = ("ranklib", "letor4")

CURVES = tuple((name, k) for name in _SCORED for k in CUTOFFS)
"""Conventions whose values are kept at every cut-off; Yahoo!'s follow from RankLib's."""


@dataclass(frozen=True, eq=False)
class Tables:
    """Trainings and test queries, as recorded or as trained anew."""

    runs: pd.DataFrame
    queries: pd.DataFrame


def other_tools() -> list[str]:
    """Every other convention that ltrlib knows, as the tools have it; kept at the last cut-off."""
    return [name for name in conventions() if name not in _SCORED]


def runs_of(dataset: str) -> Table:
    """The table of trainings; ``tied`` is the share of test documents whose score is not unique in its query.

    Examples
    --------
    >>> runs_of("mq2008").name
    'busafekete2012/mq2008-runs'
    """
    columns = {
        "learner": "str",
        "trained_under": "str",
        "fold": "int",
        "seed": "int",
        "parameters": "str",
        "size": "int",
        "vali": "float",
        "tied": "float",
        "seconds": "measured",
    }
    return Table(f"busafekete2012/{dataset.replace('/', '-')}-runs", columns, maker=_MAKER)


def queries_of(dataset: str) -> Table:
    """The table of test queries: NDCG by convention and cut-off.

    ``letor4`` and ``trec`` are the paper's, with exponential gains whatever the labels.
    """
    columns = {
        "fold": "int",
        "query": "str",
        "documents": "int",
        "empty": "bool",
        "learner": "str",
        "trained_under": "str",
        "seed": "int",
        **{f"{name}@{k}": "float" for name, k in CURVES},
        f"trec@{CUTOFF}": "float",
        **{f"{name}@{CUTOFF}": "float" for name in other_tools()},
    }
    return Table(f"busafekete2012/{dataset.replace('/', '-')}-queries", columns, maker=_MAKER, form="parquet")
