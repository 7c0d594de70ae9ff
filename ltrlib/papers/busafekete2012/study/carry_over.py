"""Which of the paper's conclusions hold on data sets that it does not look at."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ltrlib.claims.claim import Outcome
from ltrlib.claims.registry import claim
from ltrlib.claims.rules import Judgement, judge
from ltrlib.claims.show import anchor, badge
from ltrlib.errors import RecordError
from ltrlib.papers.busafekete2012.study.claims import CARRIED_OVER
from ltrlib.papers.busafekete2012.study.records import queries_of
from ltrlib.published.tables import load_paper

__all__ = ["asked_of", "carried_over", "claim_cells"]


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
        try:
            table[dataset] = [
                ", ".join(f"{one.verdict.shape}\N{NO-BREAK SPACE}{one.name}".strip() for one in ask)
                for ask in asked_of(dataset)
            ]
        except RecordError:
            table[dataset] = "no record"
    return table


def claim_cells(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """One row per cell of each claim, with an anchor where the claim begins; for claims of many cells.

    Examples
    --------
    >>> claim_cells([claim("busafekete2012.section3.gains").check()])["of"].tolist()
    ['label 0', 'label 1', 'label 2']
    """
    rows = []
    for outcome in outcomes:
        start = f'<span id="{anchor(outcome.claim.id)}"></span>{outcome.claim.statement} ({outcome.claim.place})'
        for one in outcome.judgements:
            rows.append({"claim": start, "of": one.name, "ours": one.ours, "verdict": badge(one.verdict)})
            start = ""
        if not outcome.judgements:
            rows.append({"claim": start, "of": "", "ours": outcome.reason, "verdict": badge(outcome)})
    return pd.DataFrame(rows, columns=["claim", "of", "ours", "verdict"])
