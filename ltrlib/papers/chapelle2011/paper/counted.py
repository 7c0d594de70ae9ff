"""The labels of Set 1 as others counted them, and what that leaves open: one of its three files was not counted."""

from __future__ import annotations

from ltrlib.published.printed import Bounds
from ltrlib.published.tables import Paper

__all__ = ["PARTS", "fitting", "label_range", "table2_total"]

PARTS = ("set1_train", "set1_valid", "set1_test", "set2_train", "set2_valid", "set2_test")
"""Columns of Table 2."""


def table2_total(paper: Paper, quantity: str, sets: str = "set") -> int:
    """Queries or documents of Table 2, over all parts or those of one set.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> table2_total(load_paper("chapelle2011"), "Queries")
    36251
    """
    return int(sum(paper["table2"].number(quantity, part).exact for part in PARTS if part.startswith(sets)))


def label_range(paper: Paper, label: str) -> Bounds:
    """Share of a label in Set 1 from two counted files, for every content that the third file could have.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> share = label_range(load_paper("chapelle2011"), "3")
    >>> f"{share.value:.2%}, {share.low:.1%} to {share.high:.1%}"
    '7.67%, 6.9% to 16.9%'
    """
    counted = int(sum(number.exact for number in paper["catboost_counts"].column(f"label{label}").values()))
    documents = table2_total(paper, "Documents", "set1")
    unseen = int(paper["table2"].number("Documents", "set1_valid").exact)
    seen = documents - unseen
    return Bounds(counted / seen, counted / documents, (counted + unseen) / documents)


def fitting(paper: Paper, column: str) -> list[str]:
    """Labels whose share in a column of Table 3 is possible for the files of Set 1.

    Examples
    --------
    >>> from ltrlib.published.tables import load_paper
    >>> fitting(load_paper("chapelle2011"), "set1")
    []
    """
    found = []
    for label, share in paper["table3"].column(column).items():
        ours = label_range(paper, label)
        if share.overlaps(ours.low, ours.high):
            found.append(label)
    return found
