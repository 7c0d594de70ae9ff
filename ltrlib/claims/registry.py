"""All claims, found by paper or by id; a paper's module is imported when its claims are asked for."""

from __future__ import annotations

import importlib
from difflib import get_close_matches

from ltrlib.claims.claim import Claim, ClaimList
from ltrlib.errors import ClaimError

__all__ = ["PAPERS", "claim", "claims"]

_MODULES = {
    "tax2015": (
        "audit.claims",
        "pareto.claims_metrics",
        "pareto.claims_together",
        "hidden.claims",
        "pareto.claims_evidence",
        "sensitivity.claims",
        "pareto.claims_definition",
        "paper.claims_conclusions",
    ),
    "busafekete2012": ("metrics.claims_counts", "metrics.claims_tools", "study.claims"),
    "chapelle2011": ("paper.claims_data", "paper.claims_challenge", "baselines.claims", "paper.claims_text"),
    "koppel2019": ("paper.claims_tables", "paper.claims_text", "sensitivity.claims", "table1.claims"),
}

PAPERS = tuple(_MODULES)
"""Papers with claims, in the order of the book."""


def claims(paper: str | None = None) -> list[Claim]:
    """Return the claims of one paper, or of all.

    Examples
    --------
    >>> {claim.paper for claim in claims("koppel2019")}
    {'koppel2019'}
    """
    if paper is not None and paper not in _MODULES:
        raise ClaimError(f"no claims of the paper {paper!r}", cure=f"choose one of {', '.join(PAPERS)}")
    names = PAPERS if paper is None else (paper,)
    return [claim for name in names for module in _MODULES[name] for claim in _of_module(f"{name}.{module}")]


def claim(name: str) -> Claim:
    """Return one claim by id.

    Examples
    --------
    >>> claim("chapelle2011.prizes.total")
    Traceback (most recent call last):
    ...
    ltrlib.errors.ClaimError: no claim is called 'chapelle2011.prizes.total'
      to do: did you mean chapelle2011.prizes.sum?
    """
    paper = name.partition(".")[0]
    known = {one.id: one for one in claims(paper if paper in _MODULES else None)}
    if name in known:
        return known[name]
    close = get_close_matches(name, known, n=3, cutoff=0.75)
    cure = f"did you mean {' or '.join(close)}?" if close else "ltrlib claims lists all"
    raise ClaimError(f"no claim is called {name!r}", cure=cure)


def _of_module(name: str) -> ClaimList:
    module = importlib.import_module(f"ltrlib.papers.{name}")
    declared: ClaimList = module.claims
    return declared
