"""The outcome of checking a claim: the judgement of each cell, and the verdict that follows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ltrlib.claims.evidence import CheckedBy
from ltrlib.claims.rules import Judgement
from ltrlib.claims.verdict import Verdict

if TYPE_CHECKING:
    from ltrlib.claims.claim import Claim

__all__ = ["Outcome"]


@dataclass(frozen=True)
class Outcome:
    """A checked claim.

    The verdict is a consequence of the other fields; there is no way to set it.

    Parameters
    ----------
    claim
        What was checked.
    judgements
        One per cell; none if there was nothing to compare with.
    data
        What it was checked on.
    standin
        Whether that is generated data.
    missing
        Why it could not be checked.
    fingerprint
        Of the code that decided.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> claim("tax2015.b6.iwn-even").check().reason
    'published: the sum is even; found: the sum is 22,865'
    """

    claim: Claim
    judgements: tuple[Judgement, ...]
    data: str
    standin: bool
    missing: str | None
    fingerprint: str

    @property
    def verdict(self) -> Verdict:
        """The verdict of the worst cell; `not comparable` without the paper's data and protocol."""
        if not self.judgements or self.missing is not None or self.standin or self.claim.proxy is not None:
            return Verdict.NOT_COMPARABLE
        return max((one.verdict for one in self.judgements), key=lambda verdict: verdict.severity)

    @property
    def word(self) -> str:
        """The verdict in words; on data that the paper never used, a claim that fails does not carry over."""
        return self.verdict.word if self.claim.other_data is None else self.verdict.word_elsewhere

    @property
    def checked_by(self) -> CheckedBy:
        """As the claim's; a rerun on a stand-in is one on other data."""
        return "rerun on other data" if self.standin and self.claim.checked_by == "rerun" else self.claim.checked_by

    @property
    def flagged_better(self) -> bool:
        """Whether any of our values is better than published by more than the interval."""
        return any(one.flagged_better for one in self.judgements)

    @property
    def reason(self) -> str:
        """Why, in words."""
        if self.missing is not None:
            return self.missing
        seen = self._seen()
        if self.standin:
            return f"a stand-in was used, which only resembles the real data; there, {seen}"
        if self.claim.proxy is not None:
            return f"{self.claim.proxy}; there, {seen}"
        return seen

    def _seen(self) -> str:
        if len(self.judgements) == 1:
            return self.judgements[0].reason
        numbers = Counter(one.verdict.word for one in self.judgements)
        text = ", ".join(f"{number} of {len(self.judgements)} {word}" for word, number in numbers.items())
        worst = max(one.verdict.severity for one in self.judgements)
        bad = [one for one in self.judgements if one.verdict.severity == worst and worst > 0]
        if not bad:
            return text
        more = f"; and {len(bad) - 3} more" if len(bad) > 3 else ""
        return f"{text}; " + "; ".join(f"{one.name}: {one.reason}" for one in bad[:3]) + more

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON.

        Examples
        --------
        >>> from ltrlib.claims.registry import claim
        >>> claim("chapelle2011.prizes.sum").check().as_dict()["command"]
        'ltrlib claims check chapelle2011.prizes.sum'
        """
        return {
            "id": self.claim.id,
            "paper": self.claim.paper,
            "place": self.claim.place,
            "statement": self.claim.statement,
            "weight": self.claim.weight.value,
            "cause": self.claim.cause_id,
            "corrected": self.claim.corrected,
            "words": [str(one) for one in self.claim.words],
            "judges": self.claim.judges,
            "checked_by": self.checked_by,
            "other_data": self.claim.other_data,
            "verdict": self.verdict.word,
            "shown_as": self.word,
            "reason": self.reason,
            "better_than_published": self.flagged_better,
            "data": self.data,
            "standin": self.standin,
            "fingerprint": self.fingerprint,
            "command": self.claim.command,
            "cells": [
                {
                    "name": one.name,
                    "published": one.published,
                    "ours": one.ours,
                    "difference": one.difference,
                    "interval": one.interval,
                    "margin": one.margin,
                    "margin_source": one.margin_source,
                    "address": one.address,
                    "family": None if one.family is None else one.family.name,
                    "verdict": one.verdict.word,
                    "reason": one.reason,
                }
                for one in self.judgements
            ],
        }
