"""The seven verdicts, each with a word, a shape and what it means."""

from __future__ import annotations

from enum import Enum

__all__ = ["Verdict"]


class Verdict(Enum):
    """What a comparison of published and ours comes to; members are ordered from best to worst.

    Verdicts are computed by :mod:`ltrlib.claims.rules` and nowhere else.

    Examples
    --------
    >>> Verdict("within noise").shape, Verdict("within noise").css_class
    ('◐', 'verdict-within-noise')
    """

    EXACT = "exact"
    WITHIN_NOISE = "within noise"
    SAME_CONCLUSION = "same conclusion"
    UNDECIDED = "undecided"
    NOT_COMPARABLE = "not comparable"
    NOT_REPRODUCED = "not reproduced"
    INCONSISTENT = "inconsistent"

    @property
    def word(self) -> str:
        """The verdict in words."""
        return self.value

    @property
    def word_elsewhere(self) -> str:
        """The verdict in words on data that the paper never used: what fails there does not contradict the paper."""
        return "does not carry over" if self is Verdict.NOT_REPRODUCED else self.value

    @property
    def shape(self) -> str:
        """One character that tells the verdict without colour."""
        return _SHAPES[self]

    @property
    def css_class(self) -> str:
        """Class name for the book's style sheet."""
        return f"verdict-{self.value.replace(' ', '-')}"

    @property
    def meaning(self) -> str:
        """One sentence that explains the verdict."""
        return _MEANINGS[self]

    @property
    def severity(self) -> int:
        """Position from best (0) to worst; a claim with several cells has the verdict of its worst cell."""
        return list(Verdict).index(self)

    @property
    def speaks_against(self) -> bool:
        """Whether it contradicts what was published."""
        return self in (Verdict.NOT_REPRODUCED, Verdict.INCONSISTENT)

    @property
    def leaves_open(self) -> bool:
        """Whether nothing is said for or against what was published."""
        return self in (Verdict.UNDECIDED, Verdict.NOT_COMPARABLE)


_SHAPES = {
    Verdict.EXACT: "●",
    Verdict.WITHIN_NOISE: "◐",
    Verdict.SAME_CONCLUSION: "▲",
    Verdict.UNDECIDED: "?",
    Verdict.NOT_COMPARABLE: "◇",
    Verdict.NOT_REPRODUCED: "✕",
    Verdict.INCONSISTENT: "≠",
}

_MEANINGS = {
    Verdict.EXACT: "Ours equals what was published, at the printed digits.",
    Verdict.WITHIN_NOISE: "Ours differs from the published value by no more than seeds, folds or queries explain.",
    Verdict.SAME_CONCLUSION: "The value is off or was not printed, but what the paper concludes from it holds.",
    Verdict.UNDECIDED: "Our data cannot tell: what was found fits the claim, and it fits its opposite.",
    Verdict.NOT_COMPARABLE: "Data or protocol are not those of the paper, so nothing is said for or against it.",
    Verdict.NOT_REPRODUCED: "Ours contradicts what was published: chance or rounding cannot explain it.",
    Verdict.INCONSISTENT: "The publication contradicts itself.",
}
