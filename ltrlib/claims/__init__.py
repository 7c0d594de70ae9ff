"""Claims of the papers, how we check each, and the verdict that follows.

>>> from ltrlib.claims import claims
>>> outcome = claims("chapelle2011")[0].check()
>>> outcome.verdict.word, outcome.claim.command
('exact', 'ltrlib claims check chapelle2011.prizes.sum')

One claim by its id: :func:`ltrlib.claims.registry.claim`. Verdicts are named in ``rules`` and ``verdict`` only.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ltrlib.claims.cells import Conclusion, Measured, Order, Statement, Value, reach
    from ltrlib.claims.claim import Claim, ClaimList, Outcome
    from ltrlib.claims.evidence import OWN_NUMBERS, CountedData, NotPublic, PrintedNumbers, RecordedResult
    from ltrlib.claims.noise import CONFIDENCE
    from ltrlib.claims.registry import claims, papers
    from ltrlib.claims.rules import judge
    from ltrlib.claims.show import badge, count_table, outcome_table, report

__all__ = [
    "CONFIDENCE",
    "Claim",
    "ClaimList",
    "Conclusion",
    "CountedData",
    "Measured",
    "NotPublic",
    "OWN_NUMBERS",
    "Order",
    "Outcome",
    "PrintedNumbers",
    "RecordedResult",
    "Statement",
    "Value",
    "badge",
    "claims",
    "count_table",
    "judge",
    "outcome_table",
    "papers",
    "reach",
    "report",
]

_HOMES = {
    "cells": (
        "Conclusion",
        "Measured",
        "Order",
        "Statement",
        "Value",
        "reach",
    ),
    "claim": (
        "Claim",
        "ClaimList",
        "Outcome",
    ),
    "evidence": (
        "OWN_NUMBERS",
        "CountedData",
        "NotPublic",
        "PrintedNumbers",
        "RecordedResult",
    ),
    "noise": ("CONFIDENCE",),
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
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
