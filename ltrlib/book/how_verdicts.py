"""The page "How a verdict is made": worked examples of every rule, judged by the rules themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from ltrlib.claims.causes import causes
from ltrlib.claims.cells import Cell, Conclusion, Difference, Measured, Order, Statement, Value, with_rounding
from ltrlib.claims.noise import CONFIDENCE, Family
from ltrlib.claims.rules import Judgement, judge
from ltrlib.claims.show import badge, link
from ltrlib.claims.verdict import Verdict
from ltrlib.published.printed import Printed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ltrlib.claims.claim import Outcome

__all__ = ["MARGIN", "RULES", "decisions", "decisions_figure", "example_table", "real_examples", "summary"]

MARGIN = 0.01
"""The margin of the worked differences."""

_GAP = "half of a printed gap of 0.02"
_OURS = [0.700, 0.740, 0.690, 0.750, 0.720]
_THEIRS = [0.702, 0.741, 0.693, 0.752, 0.722]
_FAMILY = Family("example", "ten learners with ten others", 10)


@dataclass(frozen=True)
class Example:
    """One comparison, in words and as it is handed in.

    Examples
    --------
    >>> Example("a count", Value(Printed.parse("20"), 20)).own
    False
    """

    words: str
    cell: Cell
    own: bool = False

    @property
    def judged(self) -> Judgement:
        """What the rules say."""
        return judge(self.cell, own=self.own)


def _p(text: str) -> Printed:
    return Printed.parse(text)


def _worse(value: float, error: float, claimed: str = "lower", family: Family | None = None) -> Difference:
    return Difference(Measured(value, error, 783), claimed, MARGIN, _GAP, f"it is {claimed}", family=family)  # type: ignore[arg-type]


_POSITIVE = Conclusion("the first is higher", lambda value: value > 0)

RULES: dict[str, tuple[Example, ...]] = {
    "digits": (
        Example("rounds to what is printed", Value(_p("0.44"), 0.4449)),
        Example("rounds to something else", Value(_p("0.44"), 0.4451)),
        Example("off, but the conclusion stands", Value(_p("0.25"), 0.28, conclusion=_POSITIVE)),
        Example(
            "follows from printed numbers, within their rounding",
            Value(_p("0.25"), with_rounding(lambda a, b: a / b, _p("1").bounds, _p("3").bounds)),
            own=True,
        ),
        Example(
            "does not follow from them",
            Value(_p("0.65"), with_rounding(lambda a, b: a / b, _p("1").bounds, _p("3").bounds)),
            own=True,
        ),
    ),
    "spread": (
        Example("other folds: both errors count", Value(_p("0.735(12)"), Measured.over(_OURS))),
        Example("other folds, too far", Value(_p("0.790(12)"), Measured.over(_OURS))),
        Example(
            "the same folds, paired",
            Value(_p("0.722(12)"), Measured.over(_OURS), paired=Measured.paired(_OURS, _THEIRS)),
        ),
        Example(
            "the same folds, paired, all off by the same",
            Value(
                _p("0.742(12)"),
                Measured.over(_OURS),
                paired=Measured.paired(_OURS, [one + 0.02 for one in _THEIRS]),
            ),
        ),
        Example(
            "the same folds, paired, but they scatter",
            Value(_p("0.721(12)"), Measured.over(_OURS), paired=Measured.paired(_OURS, [0.72] * 5)),
        ),
    ),
    "margin": (
        Example("published as lower: the interval is below zero", _worse(-0.02, 0.004)),
        Example("published as lower: it reaches across", _worse(-0.005, 0.01)),
        Example("published as lower: a loss beyond the margin is excluded", _worse(0.001, 0.003)),
        Example("published as equal: it is within the margin", _worse(0.001, 0.003, "equal")),
        Example("published as equal: it reaches across", _worse(-0.005, 0.01, "equal")),
        Example("published as equal: it is beyond the margin", _worse(-0.03, 0.005, "equal")),
        Example("published as lower, one of ten comparisons", _worse(-0.011, 0.005, family=_FAMILY)),
    ),
    "order": (
        Example(
            "the same in every query",
            Order.by_query([["A"], ["B"]], {"A": [0.1, 0.5, 0.9, 0.3], "B": [0.09, 0.48, 0.89, 0.28]}),
        ),
        Example(
            "now one ahead, now the other",
            Order.by_query([["A"], ["B"]], {"A": [0.5, 0.61, 0.7, 0.4], "B": [0.52, 0.6, 0.69, 0.41]}),
        ),
        Example(
            "the other way round in every query",
            Order.by_query([["B"], ["A"]], {"A": [0.1, 0.5, 0.9, 0.3], "B": [0.09, 0.48, 0.89, 0.28]}),
        ),
    ),
    "statement": (
        Example("arithmetic that holds", Statement(22 % 2 == 0, "the sum is 22", "the sum is even"), own=True),
        Example("arithmetic that does not", Statement(23 % 2 == 0, "the sum is 23", "the sum is even"), own=True),
        Example("found in the data too", Statement({"A"} <= {"A", "B"}, "A is among them", "A is among them")),
    ),
}
"""Worked examples by rule: digits, spread, margin, order, statement."""


def example_table(rule: str) -> pd.DataFrame:
    """Worked examples of a rule with their verdicts.

    Examples
    --------
    >>> example_table("statement")["example"].tolist()[0]
    'arithmetic that holds'
    """
    rows = [(one.words, badge(one.judged.verdict), one.judged.reason) for one in RULES[rule]]
    return pd.DataFrame(rows, columns=["example", "verdict", "why"], dtype="str")


def decisions() -> pd.DataFrame:
    """The intervals that the figure draws: estimate, ends, what was claimed, and the verdict.

    Examples
    --------
    >>> decisions()["verdict"].tolist()[:3]
    ['same conclusion', 'undecided', 'not reproduced']
    """
    rows = []
    for one in RULES["margin"]:
        assert isinstance(one.cell, Difference)
        assert one.judged.interval is not None
        low, high = one.judged.interval
        words = one.cell.claimed + (" (of ten)" if one.cell.family else "")
        rows.append((words, one.cell.estimate.value, low, high, one.judged.verdict.word))
    return pd.DataFrame(rows, columns=["published as", "difference", "low", "high", "verdict"])


def decisions_figure() -> tuple[Figure, str]:
    """Draw the worked differences: each interval beside zero and the margin, with its verdict; and say so in words.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, alt = decisions_figure()
    >>> plt.close(figure)
    >>> alt.startswith("Seven intervals")
    True
    """
    import matplotlib.pyplot as plt

    table = decisions()
    figure, axes = plt.subplots(figsize=(4.9, 3.2))
    axes.axvspan(-MARGIN, MARGIN, color="0.9", label="within the margin")
    axes.axvline(0, color="0.4", linewidth=1)
    for place, row in enumerate(table.itertuples(index=False)):
        _, middle, low, high, word = row
        axes.plot([low, high], [-place, -place], color="C0", linewidth=2)
        axes.plot([middle], [-place], "o", color="C0")
        axes.annotate(f"{Verdict(word).shape} {word}", (0.045, -place), va="center", annotation_clip=False)
    axes.set_yticks([-place for place in range(len(table))], [f"“{one}”" for one in table["published as"]])
    axes.set_xlim(-0.045, 0.043)
    axes.set_xlabel("difference, with its 95% interval; grey: within the margin")
    axes.set_ylabel("what was published")
    told = "; ".join(
        f"published as {one[0]}, {one[2]:+.3f} to {one[3]:+.3f}: {one[4]}" for one in table.values.tolist()
    )
    return figure, f"Seven intervals beside a margin of {MARGIN}: {told}."


def real_examples(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """For each verdict one claim of the book that has it, and how many observations have it.

    The claim is the heaviest with a short reason: a central one if there is one.

    Examples
    --------
    >>> from ltrlib.claims.registry import claim
    >>> real_examples([claim("chapelle2011.prizes.sum").check()])["observations"].tolist()
    ['1', '0', '0', '0', '0', '0', '0']
    """
    found = causes(outcomes)
    rows = []
    for verdict in Verdict:
        same = [one for one in found if one.verdict is verdict]
        lead = min((one.lead for one in same), key=lambda one: (one.claim.weight.rank, len(one.reason)), default=None)
        said = "" if lead is None else f'<a href="{link(lead.claim)}">{lead.claim.statement}</a>'
        rows.append((badge(verdict), verdict.meaning, str(len(same)), said))
    return pd.DataFrame(rows, columns=["verdict", "meaning", "observations", "for example"], dtype="str")


def summary(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """The page in three sentences.

    Examples
    --------
    >>> summary([])[0]
    'Nobody types a verdict: rules compute it from the printed digits, the measured spread and a declared margin.'
    """
    found = causes(outcomes)
    accusing = [one for one in outcomes if one.verdict in (Verdict.NOT_REPRODUCED, Verdict.INCONSISTENT)]
    accused = {one.claim.cause_id for one in accusing}
    undecided = sum(one.verdict is Verdict.UNDECIDED for one in found)
    return (
        "Nobody types a verdict: rules compute it from the printed digits, the measured spread and a declared margin.",
        f"A result that is not significant speaks neither for a paper nor against it. The {CONFIDENCE:.0%} interval "
        f"must lie inside the margin or outside it; {undecided} observations where it does neither are undecided.",
        f"Claims that rest on the same numbers are one observation: {len(outcomes)} claims make {len(found)}, and of "
        f"these {len(accused)} contradict the paper.",
    )
