"""Which of the paper's conclusions hold on data sets that it does not look at."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ltrlib.claims.registry import claim
from ltrlib.claims.rules import Judgement, judge
from ltrlib.errors import RecordError
from ltrlib.papers.busafekete2012.study.claims import CARRIED_OVER
from ltrlib.papers.busafekete2012.study.learners import CONVENTIONS, PAPER
from ltrlib.papers.busafekete2012.study.records import queries_of
from ltrlib.published.names import name as called
from ltrlib.published.tables import load_paper

__all__ = ["asked_of", "carried_over"]


def asked_of(dataset: str) -> list[list[Judgement]]:
    """Ask the paper's claims of another data set: one list of judgements per claim."""
    paper, record = load_paper("busafekete2012"), queries_of(dataset).read()
    found = []
    for name in CARRIED_OVER:
        cells = claim(f"busafekete2012.{name}").compare(paper, record)
        found.append([judge(cell) for cell in (cells if isinstance(cells, Sequence) else [cells])])
    return found


def carried_over(datasets: Sequence[str]) -> pd.DataFrame:
    """One row per claim, one column per data set: the sign of each cell, and which one it is."""
    table = pd.DataFrame({"claim": [claim(f"busafekete2012.{name}").statement for name in CARRIED_OVER]})
    for dataset in datasets:
        title = called("data", dataset)
        try:
            table[title] = [
                "; ".join(f"{one.verdict.shape}\N{NO-BREAK SPACE}{_in_capitals(one.name)}".strip() for one in ask)
                for ask in asked_of(dataset)
            ]
        except RecordError:
            table[title] = "no record"
    return table


def _in_capitals(name: str) -> str:
    """The name of a cell with tools as the paper writes them.

    Examples
    --------
    >>> _in_capitals("AdaRank, against letor4")
    'AdaRank, against LETOR'
    """
    for tool in PAPER:
        name = name.replace(tool, CONVENTIONS[tool].title.split("/")[0])
    return name
