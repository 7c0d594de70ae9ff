"""What a claim hands in to be judged: a value, a difference, an order or a statement; and our numbers with spread.

Which one? A printed number: :class:`Value`. Anything about our measurements that chance could turn round (better,
equal, worse, not affected): :class:`Difference`, or :class:`Order` for several methods. :class:`Statement` is for what
has no chance in it, such as arithmetic, a set of names or a proof: a test that came out "not significant" is neither
for nor against a paper, and only an interval with a margin can say so (:func:`ltrlib.claims.noise.decide`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ltrlib.claims.noise import Claimed, Family, half_width, pooled_deviation
from ltrlib.errors import ClaimError
from ltrlib.published.printed import Bounds, Number, Printed

__all__ = [
    "Address",
    "Cell",
    "Conclusion",
    "Difference",
    "Measured",
    "Order",
    "Ours",
    "Statement",
    "Value",
    "ordered_pairs",
    "with_rounding",
]


Address: TypeAlias = tuple[str, str, str]
"""Table, row and column of a published number, as in ``data/published/``."""


@dataclass(frozen=True)
class Measured:
    """Our number with its spread over seeds, folds or queries.

    Parameters
    ----------
    value
        The mean.
    standard_error
        Its standard error.
    degrees
        Degrees of freedom of the standard error.

    Examples
    --------
    >>> Measured.over([1.0, 3.0])
    Measured(value=2.0, standard_error=1.0, degrees=1)
    """

    value: float
    standard_error: float
    degrees: int

    @classmethod
    def over(cls, values: Sequence[float]) -> Measured:
        """Mean and standard error of repeated measurements.

        Examples
        --------
        >>> Measured.over([0.5])
        Traceback (most recent call last):
        ...
        ltrlib.errors.ClaimError: a spread needs at least two values
          to do: repeat with other seeds, folds or queries
        """
        if len(values) < 2:
            raise ClaimError("a spread needs at least two values", cure="repeat with other seeds, folds or queries")
        mean = math.fsum(values) / len(values)
        variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
        return cls(mean, math.sqrt(variance / len(values)), len(values) - 1)

    @classmethod
    def paired(cls, first: Sequence[float], second: Sequence[float]) -> Measured:
        """Mean of the differences, first minus second, over the same queries or folds.

        Examples
        --------
        >>> Measured.paired([3.0, 5.0], [2.0, 2.0])
        Measured(value=2.0, standard_error=1.0, degrees=1)
        """
        if len(first) != len(second):
            raise ClaimError(f"{len(first)} and {len(second)} values are no pairs", cure="align queries or folds")
        return cls.over([float(a) - float(b) for a, b in zip(first, second, strict=True)])

    @classmethod
    def pooled(cls, groups: Sequence[Sequence[float]]) -> Measured:
        """Mean of the groups' means; the error is that of the spread within groups only, pooled over them.

        For seeds within folds when both sides are over the same folds: what differs between folds is no noise then.

        Examples
        --------
        >>> pooled = Measured.pooled([[1.0, 3.0], [10.0, 12.0]])
        >>> pooled.value, round(pooled.standard_error, 4), pooled.degrees
        (6.5, 0.7071, 2)
        """
        deviation, degrees = pooled_deviation(groups)
        means = [math.fsum(group) / len(group) for group in groups]
        error = deviation * math.sqrt(math.fsum(1 / len(group) for group in groups)) / len(means)
        return cls(math.fsum(means) / len(means), error, degrees)

    @classmethod
    def one_more(cls, values: Sequence[float], deviation: float, degrees: int) -> Measured:
        """Where one more training would fall: the mean of ours, with the spread of a single one about it.

        For a published number that comes from one training.

        Parameters
        ----------
        values
            Ours, one per training.
        deviation, degrees
            Of single trainings, as :func:`~ltrlib.claims.noise.pooled_deviation` gives them.

        Examples
        --------
        >>> one = Measured.one_more([1.0, 3.0], 1.0, 20)
        >>> one.value, round(one.standard_error, 4), one.degrees
        (2.0, 1.2247, 20)
        """
        return cls(math.fsum(values) / len(values), deviation * math.sqrt(1 + 1 / len(values)), degrees)

    @classmethod
    def one_more_each(cls, groups: Sequence[Sequence[float]]) -> Measured:
        """Where the mean of one more training per group would fall: as :meth:`pooled`, and the other side's own chance.

        For a published mean over the same folds that comes from one training on each.

        Examples
        --------
        >>> each = Measured.one_more_each([[1.0, 3.0], [10.0, 12.0]])
        >>> each.value, round(each.standard_error, 4), each.degrees
        (6.5, 1.2247, 2)
        """
        ours, (deviation, _) = cls.pooled(groups), pooled_deviation(groups)
        return cls(ours.value, math.hypot(ours.standard_error, deviation / math.sqrt(len(groups))), ours.degrees)

    @classmethod
    def kendall(cls, first: Sequence[float], second: Sequence[float]) -> Measured:
        """Kendall's τ of two orders of the same methods; the error is that of the jackknife, leaving out one at a time.

        Examples
        --------
        >>> tau = Measured.kendall([1, 2, 3, 4, 5], [1, 2, 3, 5, 4])
        >>> round(tau.value, 2), round(tau.standard_error, 2), tau.degrees
        (0.8, 0.33, 4)
        """
        import numpy as np
        from scipy.stats import kendalltau

        x, y = np.asarray(first, float), np.asarray(second, float)
        left = [kendalltau(np.delete(x, i), np.delete(y, i)).statistic for i in range(len(x))]
        error = float(np.sqrt((len(left) - 1) * np.var(left)))
        return cls(float(kendalltau(x, y).statistic), error, len(left) - 1)

    def interval(self, other_error: float = 0.0, *, comparisons: int = 1) -> tuple[float, float]:
        """The range in which the true mean lies, as the rules see it.

        Parameters
        ----------
        other_error
            Standard error of what it is compared with, such as one that a paper printed.
        comparisons
            So many intervals hold at once; see :class:`~ltrlib.claims.noise.Family`.

        Examples
        --------
        >>> low, high = Measured.over([0.4, 0.5, 0.6]).interval()
        >>> round(low, 3), round(high, 3)
        (0.252, 0.748)
        """
        half = half_width(math.hypot(self.standard_error, other_error), self.degrees, comparisons)
        return self.value - half, self.value + half


Ours: TypeAlias = Number | Bounds | Measured
"""A number that does not vary, one computed from rounded numbers, or one that was measured repeatedly."""


def with_rounding(function: Callable[..., float], *inputs: Bounds) -> Bounds:
    """Compute a number from printed ones, and the range it can take within their rounding.

    The range is that of the corners, which is right for a function that is monotone in each input.

    Parameters
    ----------
    function
        Takes as many numbers as there are inputs.
    inputs
        ``printed.bounds`` or ``printed.error_bounds``.

    Examples
    --------
    >>> share = with_rounding(lambda a, b: a / b, Printed.parse("1").bounds, Printed.parse("4").bounds)
    >>> share.value, round(share.low, 3), round(share.high, 3)
    (0.25, 0.111, 0.429)
    """
    corners = [function(*corner) for corner in itertools.product(*((b.low, b.high) for b in inputs))]
    return Bounds(function(*(b.value for b in inputs)), min(corners), max(corners))


@dataclass(frozen=True)
class Conclusion:
    """What the paper concludes from a number; it may hold for ours though the value is off.

    Examples
    --------
    >>> Conclusion("the difference is positive", lambda difference: difference > 0).words
    'the difference is positive'
    """

    words: str
    holds: Callable[[float], bool]


@dataclass(frozen=True)
class Value:
    """A printed number and ours.

    Parameters
    ----------
    published
        As printed.
    ours
        A plain number, one with its reach, or one with its spread.
    name
        Which of several cells this is.
    conclusion
        What must hold for ours if the value is off.
    better
        Which direction is better; a value beyond the interval in that direction is flagged, not passed.
    paired
        Ours minus published over the same folds, where the paper's folds are known: then its error alone counts.
    same_folds
        Whether both are over the same folds though the paper's are not known one by one. The paper's printed error is
        then not added, and ours must have the spread over seeds and settings only (:meth:`Measured.one_more_each`;
        :meth:`Measured.pooled` if the paper's trainings have no chance in them).
    margin, margin_source
        For a number with spread: how much the two may differ and still be called equal, and where that comes from (the
        paper's own printed spread or effect). If both are over the same folds, it is the printed standard error unless
        another is given. Without a margin, the published value must lie inside our interval.
    one_more
        Why the published number is asked to be one more of ours: it comes from a single training or start, whose own
        spread is then the yardstick, and ours has that spread about it (:meth:`Measured.one_more`). A number with
        spread has either this or a margin.
    family
        Comparisons that are made at once.
    source
        What ours follows from, such as ``Table 1``, for the reason in words.
    address
        Table, row and column of the published number; known by itself for numbers that come from a table.

    Examples
    --------
    >>> Value(Printed.parse("24"), 24.35).published.agrees(24.35)
    True
    """

    published: Printed
    ours: Ours
    name: str = ""
    conclusion: Conclusion | None = None
    better: Literal["higher", "lower"] | None = None
    paired: Measured | None = None
    same_folds: bool = False
    margin: float | None = None
    margin_source: str = ""
    one_more: str = ""
    family: Family | None = None
    source: str = ""
    address: Address | None = None


@dataclass(frozen=True)
class Difference:
    """A published comparison (better, worse, equal, not affected), and the difference that we measured.

    Parameters
    ----------
    estimate
        First minus second with its error, paired over queries, folds or trainings wherever they are the same
        (:meth:`Measured.paired`). A difference of two numbers without chance has the error 0.
    claimed
        What the paper says of the first: see :func:`ltrlib.claims.noise.decide` for the words and their rule.
    margin
        Half of the effect claimed, or the paper's own printed spread. 0 only for a direction of which the paper gives
        no size: it then fails only if the reverse is shown.
    margin_source
        Where the margin comes from, in words.
    published
        What the paper says, in our words.
    name
        Which of several cells this is.
    family
        Comparisons that are made at once.
    address
        Table, row and column, if it is printed in a table.
    quantity
        What the estimate is, if it is no difference, such as ``rank correlation``; then it is compared with 0.

    Examples
    --------
    >>> Difference(Measured(-0.001, 0.004, 783), "lower", 0.0126, "half of the gap in Figure 1", "it is worse").claimed
    'lower'
    """

    estimate: Measured
    claimed: Claimed
    margin: float
    margin_source: str
    published: str
    name: str = ""
    family: Family | None = None
    address: Address | None = None
    quantity: str = "difference"


@dataclass(frozen=True)
class Statement:
    """A published statement without a number of its own and without chance in it, and whether it holds.

    Parameters
    ----------
    holds
        Whether it does; None if that cannot be told, as :func:`~ltrlib.claims.noise.decide` and
        :func:`~ltrlib.claims.noise.all_of` answer. Never the outcome of a significance test.
    witness
        What was found, in words and numbers.
    published
        What the paper says, in our words.
    name
        Which of several cells this is.
    address
        Table, row and column, if it is printed in a table.
    family
        Comparisons that are made at once, if it joins findings of :func:`~ltrlib.claims.noise.decide`.

    Examples
    --------
    >>> Statement(3 % 2 == 0, "the total is 3", published="the total is even").holds
    False
    """

    holds: bool | None
    witness: str
    published: str
    name: str = ""
    address: Address | None = None
    family: Family | None = None


@dataclass(frozen=True)
class Order:
    """A published order of methods, and our values.

    Parameters
    ----------
    published
        Groups from best to worst; the order inside a group is left open.
    ours
        Value of each method; with spread, a pair may be undecided.
    name
        Which of several cells this is.
    paired
        For each pair across groups, better first, the difference over the same queries or folds. Errors of the methods
        one by one are far too wide where the values are paired; :meth:`Order.by_query` makes both.
    margin, margin_source
        As for :class:`Difference`; 0 if the paper gives no size.
    family
        Comparisons that are made at once.

    Examples
    --------
    >>> order = Order([["CA"], ["RankSVM", "RankBoost"]], {"CA": 0.5, "RankSVM": 0.4, "RankBoost": 0.45})
    >>> len(order.published)
    2
    """

    published: Sequence[Sequence[str]]
    ours: Mapping[str, Measured | Number]
    name: str = ""
    paired: Mapping[tuple[str, str], Measured] | None = None
    margin: float = 0.0
    margin_source: str = ""
    family: Family | None = None

    @classmethod
    def by_query(
        cls,
        published: Sequence[Sequence[str]],
        scores: Mapping[str, Sequence[float]],
        name: str = "",
        *,
        margin: float = 0.0,
        margin_source: str = "",
        family: Family | None = None,
    ) -> Order:
        """An order judged by paired differences.

        Parameters
        ----------
        published
            Groups from best to worst.
        scores
            Of each method, one per query (or fold), in the same order of queries for all.
        name, margin, margin_source, family
            As for the class.

        Examples
        --------
        >>> order = Order.by_query([["A"], ["B"]], {"A": [0.5, 0.9, 0.8], "B": [0.4, 0.7, 0.7]})
        >>> round(order.paired["A", "B"].value, 4)
        0.1333
        """
        for method in (one for group in published for one in group if one not in scores):
            raise ClaimError(f"the published order names {method}, for which there are no scores")
        ours = {method: Measured.over([float(value) for value in values]) for method, values in scores.items()}
        paired = {(a, b): Measured.paired(scores[a], scores[b]) for a, b in ordered_pairs(published)}
        return cls(published, ours, name, paired, margin, margin_source, family)


def ordered_pairs(groups: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Every two methods that a published order puts one above the other, the better first.

    Examples
    --------
    >>> ordered_pairs([["A"], ["B", "C"]])
    [('A', 'B'), ('A', 'C')]
    """
    pairs = itertools.combinations(groups, 2)
    return [(better, worse) for first, second in pairs for better in first for worse in second]


Cell: TypeAlias = Value | Difference | Statement | Order
