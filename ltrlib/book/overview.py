"""Counts of verdicts, and what the verdicts mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from ltrlib.book.scoreboard import paper_name
from ltrlib.claims.causes import cause_table, causes, in_words
from ltrlib.claims.claim import Weight
from ltrlib.claims.show import badge
from ltrlib.claims.verdict import Verdict

if TYPE_CHECKING:
    from ltrlib.claims.claim import Outcome

__all__ = ["counts", "legend", "summary"]

_HEADS = {"checked_by": "checked by", "paper": "paper", "weight": "weight"}


def counts(outcomes: Sequence[Outcome], by: str = "checked_by") -> pd.DataFrame:
    """Count observations (causes) per verdict; numbers lead to the rows of the scoreboard, on the same page.

    Parameters
    ----------
    outcomes
        All checked claims.
    by
        ``paper``, ``weight`` or ``checked_by``.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> counts([claim("chapelle2011.prizes.sum").check()]).iloc[0, 1]
    '<a href="#checked-arithmetic_verdict-exact">1</a>'
    """
    table = cause_table(outcomes, by)
    key = "checked" if by == "checked_by" else by

    def number(count: int, **wanted: str) -> str:
        shown = "_".join(f"{name}-{value.replace(' ', '-')}" for name, value in wanted.items())
        return f'<a href="#{shown}">{count}</a>' if count else "0"

    rows = []
    for name, row in table.iterrows():
        numbers = dict(zip(table.columns, row.tolist(), strict=True))
        shown = paper_name(str(name)) if by == "paper" else str(name)
        cells = [number(numbers[v.word], **{key: str(name), "verdict": v.word}) for v in Verdict]
        rows.append([shown, *cells, number(sum(numbers.values()), **{key: str(name)})])
    sums = [number(int(table[v.word].sum()), verdict=v.word) for v in Verdict]
    rows.append(["**all**", *sums, f"**{int(table.to_numpy().sum())}**"])
    heads = [_HEADS[by], *(f"{badge(verdict)}" for verdict in Verdict), "all"]
    return pd.DataFrame(rows, columns=heads, dtype="str")


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """What came of the claims, in sentences: those of weight, those that were rerun, those checked by arithmetic.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> summary([claim("chapelle2011.prizes.sum").check()])
    ['Arithmetic on the papers alone checks 1: 1 holds.']
    """
    found = causes(outcomes)
    groups = {
        "{} observations are central to their papers": [one for one in found if one.weight is Weight.CENTRAL],
        "We reran {}": [one for one in found if one.checked_by == "rerun"],
        "Arithmetic on the papers alone checks {}": [one for one in found if one.checked_by == "arithmetic"],
    }
    return [f"{words.format(len(some))}: {in_words(some)}." for words, some in groups.items() if some]


def legend() -> pd.DataFrame:
    """Explain the verdicts.

    Examples
    --------
    >>> len(legend())
    7
    """
    return pd.DataFrame({"verdict": [badge(verdict) for verdict in Verdict], "meaning": [v.meaning for v in Verdict]})
