"""The tables of the book's first page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from ltrlib.claims.show import badge, count_table
from ltrlib.claims.verdict import Verdict
from ltrlib.published.tables import load_paper

if TYPE_CHECKING:
    from ltrlib.claims.claim import Outcome

__all__ = ["PAGES", "counts", "legend"]

PAGES = {
    "tax2015": "chapters/10-tax2015-paper.md",
    "busafekete2012": "chapters/20-busafekete2012-metrics.md",
    "chapelle2011": "chapters/30-chapelle2011-paper.md",
    "koppel2019": "chapters/40-koppel2019-paper.md",
}
"""The page that a paper's claims stand on."""


def counts(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Count claims per paper and verdict, each paper a link to its page.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> counts([claim("chapelle2011.prizes.sum").check()]).iloc[0, 1]
    '1'
    """
    table = count_table(outcomes)
    names = [f"[{load_paper(key).header.authors} {key[-4:]}]({PAGES[key]})" for key in table.index]
    shown = table.astype(str).rename(columns={verdict.word: f"{verdict.shape} {verdict.word}" for verdict in Verdict})
    shown.insert(0, "paper", names)
    shown["all"] = [str(number) for number in table.sum(axis=1)]
    return shown.reset_index(drop=True)


def legend() -> pd.DataFrame:
    """Explain the verdicts.

    Examples
    --------
    >>> len(legend())
    6
    """
    return pd.DataFrame({"verdict": [badge(verdict) for verdict in Verdict], "meaning": [v.meaning for v in Verdict]})
