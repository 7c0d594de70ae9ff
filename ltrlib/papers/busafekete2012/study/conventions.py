"""The NDCG conventions of the study: those that rankers are trained under, and those that score them."""

from __future__ import annotations

from dataclasses import dataclass

from ltrlib.errors import UsageError
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.notation import parse

__all__ = ["CONVENTIONS", "CUTOFF", "CUTOFFS", "HALVES", "PAPER", "Convention", "metric_of"]

CUTOFF = 10
"""The cut-off that rankers are trained for."""

CUTOFFS = tuple(range(1, CUTOFF + 1))
"""The cut-offs that are shown."""


@dataclass(frozen=True)
class Convention:
    """One way to compute NDCG.

    Parameters
    ----------
    name
        As in the column ``trained_under``.
    title
        As the paper calls the tool, or what is peculiar about it.
    notation
        As ltrlib writes it behind the cut-off.

    Examples
    --------
    >>> CONVENTIONS["yahoo"].title
    'YAHOO'
    """

    name: str
    title: str
    notation: str


CONVENTIONS = {
    one.name: one
    for one in (
        Convention("yahoo", "YAHOO", "yahoo"),
        Convention("ranklib", "RANKLIB/TREC", "ranklib"),
        # The script's table of gains ends at label 2; the formula behind it goes on for sets with more labels.
        Convention("letor4", "LETOR", "letor4(gain=exp2)"),
        Convention("short", "RANKLIB, but a short query scores 0", "ranklib(short=zero)"),
        Convention("discount", "RANKLIB, but rank 2 is not discounted", "ranklib(discount=letor)"),
        Convention("trec", "TREC (ties by document id)", "trec_eval(gain=exp2)"),
    )
}
"""The paper's three; the two halves of what is peculiar about LETOR's; and TREC's with its own order of ties."""

PAPER = ("yahoo", "ranklib", "letor4")
"""What the paper trains and evaluates under."""

HALVES = ("short", "discount")
"""What LETOR's convention is made of, one at a time."""


def metric_of(convention: str, k: int = CUTOFF) -> Metric:
    """Return the metric of a convention.

    Examples
    --------
    >>> metric_of("letor4", 5)
    ndcg@5:letor4(gain=exp2)
    """
    if convention not in CONVENTIONS:
        raise UsageError(f"there is no convention {convention!r}", cure=f"choose {', '.join(CONVENTIONS)}")
    return parse(f"ndcg@{k}:{CONVENTIONS[convention].notation}")
