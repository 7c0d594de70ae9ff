"""Whole numbers behind printed quotients: which wins and comparisons per metric fit a row of a table."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

__all__ = ["Pair", "integer_splits"]

Pair = tuple[int, int]
"""Wins and comparisons, WN and IWN."""


def integer_splits(nwn: Mapping[str, str], *, wn: int, iwn: int) -> list[dict[str, Pair]]:
    """Find every way to split a row's WN and IWN over its metrics such that each quotient prints as it does.

    Parameters
    ----------
    nwn
        The quotient WN / IWN of each metric, as printed: its digits decide what fits. A quotient half way between
        two printed numbers may have been printed as either.
    wn, iwn
        The sums over the metrics.

    Examples
    --------
    >>> integer_splits({"NDCG@3": "0.3333", "MAP": "0.5000"}, wn=3, iwn=7)
    [{'NDCG@3': (1, 3), 'MAP': (2, 4)}]
    """
    metrics = list(nwn)
    fitting = [_pairs_that_print_as(nwn[metric], wn, iwn) for metric in metrics]
    # From the last metric backwards: what wins and comparisons the remaining metrics can add up to.
    reachable: list[set[Pair]] = [{(0, 0)}]
    for pairs in reversed(fitting):
        sums = {(w + a, i + c) for w, i in pairs for a, c in reachable[-1] if w + a <= wn and i + c <= iwn}
        reachable.append(sums)
    reachable.reverse()
    partial: list[tuple[tuple[Pair, ...], int, int]] = [((), wn, iwn)]
    for pairs, rest in zip(fitting, reachable[1:], strict=True):
        partial = [
            ((*chosen, (w, i)), left_wn - w, left_iwn - i)
            for chosen, left_wn, left_iwn in partial
            for w, i in pairs
            if (left_wn - w, left_iwn - i) in rest
        ]
    return [dict(zip(metrics, chosen, strict=True)) for chosen, _, _ in partial]


def _pairs_that_print_as(text: str, most_wins: int, most_comparisons: int) -> list[Pair]:
    value = Fraction(text)
    half_a_digit = Fraction(1, 2 * 10 ** len(text.partition(".")[2]))
    pairs = []
    for comparisons in range(1, most_comparisons + 1):
        lowest = max(0, -int(-(value - half_a_digit) * comparisons // 1))
        highest = min(comparisons, most_wins, int((value + half_a_digit) * comparisons))
        pairs += [(wins, comparisons) for wins in range(lowest, highest + 1)]
    return pairs
