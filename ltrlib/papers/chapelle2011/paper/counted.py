"""The labels of Set 1 as others counted them, and what that leaves open; features with two values, and Table 4 read."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.letor import read_letor
from ltrlib.errors import LtrlibError
from ltrlib.published.printed import Bounds
from ltrlib.published.tables import Paper

__all__ = ["PARTS", "binary_features", "fitting", "label_range", "reads_as_written", "table2_total"]

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


def binary_features(parts: Sequence[RankingData]) -> int:
    """Features that take two values over all parts.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> features = np.array([[0, 0, 5], [1, 0, 6], [1, 0, 7]], np.float32)
    >>> data = RankingData(features, np.zeros(3, np.int32), np.array([0, 3]), np.array(["a"]), None, Source("example"))
    >>> binary_features([data])
    1
    """
    low = np.min([part.features.min(axis=0) for part in parts], axis=0)
    high = np.max([part.features.max(axis=0) for part in parts], axis=0)
    two = [((part.features == low) | (part.features == high)).all(axis=0) for part in parts]
    return int(np.count_nonzero(np.logical_and.reduce(two) & (low < high)))


def reads_as_written(line: str, labels: Sequence[str]) -> bool:
    """Whether a reader of SVM-light files understands lines of the form of Table 4.

    Parameters
    ----------
    line
        The form, with the names of what stands in it in angle brackets.
    labels
        What a relevance can be.

    Examples
    --------
    >>> reads_as_written("<relevance> qid:<qid> <feature>:<value>", ["0", "4"])
    True
    >>> reads_as_written("<relevance> <qid> <feature>:<value>", ["0", "4"])
    False
    """
    numbers, values = ["2", "5"], ["0.25", "1.0"]
    # "a ... a" is a list of any length; two will do.
    single = re.sub(r"(<feature>\S*<value>) \.\.\. \1", r"\1", line)
    (pair,) = re.findall(r"<feature>\S*<value>", single) or [""]
    pairs = [pair.replace("<feature>", n).replace("<value>", v) for n, v in zip(numbers, values, strict=True)]
    text = single.replace(pair, " ".join(pairs)).replace("<qid>", "7") if pair else single
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "lines.txt")
        path.write_text("".join(text.replace("<relevance>", label) + "\n" for label in labels))
        try:
            data = read_letor(path)
        except LtrlibError:
            return False
    return (
        data.labels.tolist() == [int(label) for label in labels]
        and data.query_ids.tolist() == ["7"]
        and all(row[np.array(numbers, int) - 1].tolist() == [float(v) for v in values] for row in data.features)
    )
