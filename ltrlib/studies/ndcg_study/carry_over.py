"""Which of the paper's conclusions hold on data sets that it does not look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from ltrlib.claims.busafekete2012_study import CARRIED_OVER
from ltrlib.claims.claim import Outcome
from ltrlib.claims.material import RecordedResult
from ltrlib.claims.registry import claim
from ltrlib.studies.ndcg_study.recording import record_name
from ltrlib.studies.ndcg_study.scoring import QUERY_COLUMNS

__all__ = ["asked_of", "carried_over"]


def asked_of(dataset: str) -> list[Outcome]:
    """Ask the paper's claims of another data set; the paper says nothing of it, so they are not comparable.

    Examples
    --------
    >>> {outcome.verdict.word for outcome in asked_of("ohsumed")}
    {'not comparable'}
    """
    material = RecordedResult(record_name(dataset, "queries"), QUERY_COLUMNS)
    proxy = f"the paper does not look at {dataset}"
    return [replace(claim(f"busafekete2012.{name}"), material=material, proxy=proxy).check() for name in CARRIED_OVER]


def carried_over(datasets: Sequence[str]) -> pd.DataFrame:
    """One row per claim, one column per data set: the sign of each cell, and which one it is.

    Examples
    --------
    >>> list(carried_over(["mq2008"]).columns)
    ['claim', 'mq2008']
    """
    by_dataset = {dataset: asked_of(dataset) for dataset in datasets}
    table = pd.DataFrame({"claim": [claim(f"busafekete2012.{name}").statement for name in CARRIED_OVER]})
    for dataset, outcomes in by_dataset.items():
        table[dataset] = [_signs(outcome) for outcome in outcomes]
    return table


def _signs(outcome: Outcome) -> str:
    if outcome.missing is not None:
        return "no record"
    return ", ".join(f"{one.verdict.shape} {one.name}".strip() for one in outcome.judgements)
