"""Claims of the papers, how we check each, and the verdict that follows.

>>> from ltrlib.claims import claims
>>> outcome = claims("chapelle2011")[0].check()
>>> outcome.verdict.word, outcome.claim.command
('exact', 'ltrlib claims check chapelle2011.prizes.sum')

One claim by its id: :func:`ltrlib.claims.registry.claim`. Verdicts are named in ``rules`` and ``verdict`` only. How to
write a claim: ``docs/writing-claims.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ltrlib.extras import lazy_names

if TYPE_CHECKING:
    from ltrlib.claims.causes import Cause, cause_table
    from ltrlib.claims.cells import Conclusion, Difference, Measured, Order, Statement, Value, with_rounding
    from ltrlib.claims.claim import Claim, ClaimList, Weight
    from ltrlib.claims.evidence import OWN_NUMBERS, CountedData, NotPublic, PrintedNumbers, RecordedResult
    from ltrlib.claims.noise import CONFIDENCE, Family, decide
    from ltrlib.claims.outcome import Outcome
    from ltrlib.claims.registry import claims, papers
    from ltrlib.claims.rules import judge
    from ltrlib.claims.show import badge, count_table, outcome_table, report
    from ltrlib.claims.words import Sentence, TableCells

__all__ = [
    "CONFIDENCE",
    "Cause",
    "Claim",
    "ClaimList",
    "Conclusion",
    "CountedData",
    "Difference",
    "Family",
    "Measured",
    "NotPublic",
    "OWN_NUMBERS",
    "Order",
    "Outcome",
    "PrintedNumbers",
    "RecordedResult",
    "Sentence",
    "Statement",
    "TableCells",
    "Value",
    "Weight",
    "badge",
    "cause_table",
    "claims",
    "count_table",
    "decide",
    "judge",
    "outcome_table",
    "papers",
    "with_rounding",
    "report",
]

_HOMES = {
    "causes": (
        "Cause",
        "cause_table",
    ),
    "cells": (
        "Conclusion",
        "Difference",
        "Measured",
        "Order",
        "Statement",
        "Value",
        "with_rounding",
    ),
    "claim": (
        "Claim",
        "ClaimList",
        "Weight",
    ),
    "evidence": (
        "OWN_NUMBERS",
        "CountedData",
        "NotPublic",
        "PrintedNumbers",
        "RecordedResult",
    ),
    "noise": (
        "CONFIDENCE",
        "Family",
        "decide",
    ),
    "outcome": ("Outcome",),
    "registry": (
        "claims",
        "papers",
    ),
    "rules": ("judge",),
    "show": (
        "badge",
        "count_table",
        "outcome_table",
        "report",
    ),
    "words": (
        "Sentence",
        "TableCells",
    ),
}

__getattr__ = lazy_names(__name__, _HOMES)
