"""Causes: claims that are one observation, counted once.

A paper's wrong cell may contradict five of its sentences; that is one observation, not five. Claims name their cause;
a claim that names none is its own. A cause has

- the verdict of the worst of its claims that could be compared; `not comparable` only if none could;
- the weight of the heaviest of the claims that bear this verdict, so that a slip of the pen does not become a failed
  conclusion by standing beside one that holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ltrlib.claims.claim import Outcome, Weight
from ltrlib.claims.verdict import Verdict

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Cause", "cause_table", "causes", "in_words"]


_HARDEST_FIRST = ("rerun", "rerun on other data", "counted", "arithmetic", "not public")


@dataclass(frozen=True)
class Cause:
    """One observation and the claims that it decides.

    Parameters
    ----------
    id
        ``<paper>.<cause>``; the claim's own id if it stands alone.
    outcomes
        The checked claims, in the order of the book.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> one = Cause("tax2015.b6.wins", (claim("tax2015.b6.wins").check(),))
    >>> one.paper, one.verdict.word, one.lead.claim.id
    ('tax2015', 'exact', 'tax2015.b6.wins')
    """

    id: str
    outcomes: tuple[Outcome, ...]

    @property
    def paper(self) -> str:
        """Key of the publication that it counts for or against: the one whose words :attr:`lead` judges."""
        return self.lead.claim.judges

    @property
    def verdict(self) -> Verdict:
        """The worst of those that could be compared."""
        found = [one.verdict for one in self.outcomes]
        compared = [verdict for verdict in found if verdict is not Verdict.NOT_COMPARABLE] or found
        return max(compared, key=lambda verdict: verdict.severity)

    @property
    def lead(self) -> Outcome:
        """The claim to show it by: the heaviest of those that bear its verdict, the first of equals."""
        return min((one for one in self.outcomes if one.verdict is self.verdict), key=lambda one: one.claim.weight.rank)

    @property
    def weight(self) -> Weight:
        """The weight of :attr:`lead`."""
        return self.lead.claim.weight

    @property
    def word(self) -> str:
        """The verdict in words."""
        return self.lead.word

    @property
    def is_slip(self) -> bool:
        """Whether it speaks against the paper as a slip of the pen only."""
        return self.weight is Weight.EDITORIAL and self.verdict.speaks_against

    @property
    def checked_by(self) -> str:
        """How :attr:`lead` was checked."""
        return self.lead.checked_by

    @property
    def corrected(self) -> str | None:
        """Where the authors corrected it themselves, if they did."""
        return self.lead.claim.corrected


def causes(outcomes: Iterable[Outcome]) -> list[Cause]:
    """Join outcomes that have one cause, in the order of the book.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> len(causes([claim("tax2015.b6.single-metric").check(), claim("tax2015.b6.wins").check()]))
    2
    """
    joined: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        joined.setdefault(outcome.claim.cause_id, []).append(outcome)
    return [Cause(name, tuple(found)) for name, found in joined.items()]


def in_words(found: Sequence[Cause]) -> str:
    """Count causes in words: what holds, what does not, what cannot be told.

    Slips of the pen, and what fails on data that the paper never used, are counted apart: neither is a conclusion that
    failed.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> in_words(causes([claim("tax2015.b6.wins").check(), claim("koppel2019.section5.sigma-others-map").check()]))
    '1 holds, 1 is a slip of the pen'
    """
    slips = [one for one in found if one.is_slip]
    against = [one for one in found if one.verdict.speaks_against and not one.is_slip]
    elsewhere = [one for one in against if one.lead.claim.other_data]
    unclear = [one for one in found if one.verdict.leaves_open]
    counts = (
        (len(found) - len(slips) - len(against) - len(unclear), "holds", "hold"),
        (len(against) - len(elsewhere), "does not", "do not"),
        (len(elsewhere), "does not carry over to other data", "do not carry over to other data"),
        (len(slips), "is a slip of the pen", "are slips of the pen"),
        (len(unclear), "cannot be told", "cannot be told"),
    )
    return ", ".join(f"{count} {one if count == 1 else more}" for count, one, more in counts if count) or "none"


def cause_table(outcomes: Iterable[Outcome], by: str = "paper") -> pd.DataFrame:
    """Count causes: one row per paper, weight or way of checking, one column per verdict.

    Parameters
    ----------
    outcomes
        Checked claims.
    by
        ``paper``, ``weight`` or ``checked_by``.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> cause_table([claim("tax2015.b6.wins").check()], by="checked_by").loc["arithmetic", "exact"]
    np.int64(1)
    """
    import pandas as pd

    if by not in ("paper", "weight", "checked_by"):
        raise ValueError(f"causes are counted by paper, weight or checked_by, not by {by}")
    found = causes(outcomes)
    rows = [one.weight.value if by == "weight" else str(getattr(one, by)) for one in found]
    pairs = list(zip(rows, (one.verdict.word for one in found), strict=True))
    index = list(dict.fromkeys(rows))
    if by == "checked_by":
        index.sort(key=_HARDEST_FIRST.index)
    return pd.DataFrame({v.word: [pairs.count((row, v.word)) for row in index] for v in Verdict}, index=index)
