"""What else the inputs of the reconstruction would allow: other sizes of the data sets, and other wrong rows.

Two inputs are not in the paper: how many methods were compared on each data set, and which row of NDCG@10 to give up.
By the printed formula of IWN, the sums of all rows exceed what the sizes allow by some data sets and comparisons. That
a single row is to blame is an assumption, which the results refute (`ltrlib.papers.tax2015.hidden.grading`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations_with_replacement

import numpy as np
import pandas as pd

from ltrlib.comparison.reconstruct.counting import presence_space
from ltrlib.comparison.reconstruct.puzzle import PresencePuzzle
from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.hidden.puzzle import RELEASED_ROW, recorded_puzzle
from ltrlib.papers.tax2015.sources import letor_datasets, only_official
from ltrlib.published.tables import load_paper

__all__ = [
    "corrected",
    "count_if_possible",
    "other_sizes",
    "rows_in_doubt",
    "sizes_with_equal_sums",
    "surplus",
    "surplus_of_wins",
    "suspects",
]


def sizes_with_equal_sums(sizes: Mapping[str, int], *, moved: int) -> list[dict[str, int]]:
    """Move methods between data sets such that the number of results and the number of comparisons stay the same.

    Both sums are printed, so no other sizes are possible. Moving one method only works if it exchanges two sizes that
    differ by one: the sum of squares would change otherwise.

    Parameters
    ----------
    sizes
        Number of methods of each data set.
    moved
        How many methods leave some data sets for others.

    Examples
    --------
    >>> sizes_with_equal_sums({"a": 2, "b": 5, "c": 5}, moved=1)
    []
    >>> sizes_with_equal_sums({"a": 2, "b": 3, "c": 6}, moved=1)
    [{'a': 3, 'b': 2, 'c': 6}]
    """
    names, squares = list(sizes), sum(number**2 for number in sizes.values())
    found = []
    for joined in combinations_with_replacement(names, moved):
        for left in combinations_with_replacement(names, moved):
            if set(joined) & set(left):
                continue
            changed = dict(sizes)
            for name in joined:
                changed[name] += 1
            for name in left:
                changed[name] -= 1
            if min(changed.values()) > 0 and sum(number**2 for number in changed.values()) == squares:
                found.append(changed)
    return found


def other_sizes(sizes: Mapping[str, int], *, moved: int) -> list[dict[str, int]]:
    """Sizes with equal sums that take this many moves, each once and without those that fewer moves reach.

    Examples
    --------
    >>> other_sizes({"a": 2, "b": 3, "c": 6}, moved=2)
    []
    """
    seen = {tuple(sizes.values())}
    found: list[dict[str, int]] = []
    for number in range(1, moved + 1):
        reached = {tuple(one.values()): one for one in sizes_with_equal_sums(sizes, moved=number)}
        found = [one for values, one in reached.items() if values not in seen]
        seen |= reached.keys()
    return found


def count_if_possible(puzzle: PresencePuzzle) -> int:
    """Count the presences of a puzzle, at once where some row cannot have its numbers whatever the others have.

    Parameters
    ----------
    puzzle
        As `ltrlib.comparison.reconstruct.counting.presence_space` takes it.

    Examples
    --------
    >>> targets = pd.DataFrame({"method": ["A", "B"], "option": 0, "metric": "MAP", "iwn": 1, "datasets": 1})
    >>> sizes = pd.DataFrame({"metric": "MAP", "dataset": ["d"], "methods": [2]})
    >>> puzzles = [PresencePuzzle(targets.assign(iwn=iwn), sizes) for iwn in (1, 2)]
    >>> [count_if_possible(puzzle) for puzzle in puzzles]
    [1, 0]
    """
    size = dict(zip(puzzle.sizes["dataset"], map(int, puzzle.sizes["methods"]), strict=True))
    needed: dict[str, set[str]] = {}
    for method, dataset in zip(puzzle.facts["method"], puzzle.facts["dataset"], strict=True):
        needed.setdefault(str(method), set()).add(str(dataset))
    sums: dict[frozenset[str], set[tuple[int, int]]] = {}
    for method, metric, *numbers in puzzle.targets[["method", "metric", "iwn", "datasets"]].itertuples(index=False):
        here = frozenset(needed.get(method, ()))
        if here not in sums:
            sums[here] = _sums(size, here)
        if (method, metric) not in puzzle.released and tuple(numbers) not in sums[here]:
            return 0
    return presence_space(puzzle).count


def _sums(size: Mapping[str, int], needed: frozenset[str]) -> set[tuple[int, int]]:
    """Every pair of comparisons and number of data sets that some choice of data sets gives."""
    reached = {(0, 0)}
    for dataset, methods in size.items():
        with_it = {(iwn + methods - 1, datasets + 1) for iwn, datasets in reached}
        reached = with_it if dataset in needed else reached | with_it
    return reached


def surplus(puzzle: PresencePuzzle) -> tuple[int, int]:
    """By how much the rows of a puzzle exceed what the sizes allow: comparisons, and data sets.

    Parameters
    ----------
    puzzle
        The puzzle of one metric, each method with one option.

    Examples
    --------
    >>> targets = pd.DataFrame({"method": ["A", "B"], "option": 0, "metric": "MAP", "iwn": [1, 4], "datasets": [1, 2]})
    >>> sizes = pd.DataFrame({"metric": "MAP", "dataset": ["d"], "methods": [2]})
    >>> surplus(PresencePuzzle(targets, sizes))
    (3, 1)
    """
    sizes = puzzle.sizes["methods"].astype(int)
    comparisons, datasets = (int(puzzle.targets[name].sum()) for name in ("iwn", "datasets"))
    return comparisons - int((sizes * (sizes - 1)).sum()), datasets - int(sizes.sum())


def corrected(puzzle: PresencePuzzle, method: str) -> PresencePuzzle:
    """Take what is too much in all rows together out of one row, and demand every row.

    Parameters
    ----------
    puzzle
        The puzzle of one metric, each method with one option.
    method
        The row that is taken for wrong.

    Examples
    --------
    >>> puzzle = corrected(recorded_puzzle("NDCG@10"), "AdaRank-MAP")
    >>> puzzle.targets.set_index("method").loc[["AdaRank-MAP", "ListNet"], ["iwn", "datasets"]].to_numpy().tolist()
    [[224, 12], [224, 12]]
    """
    targets = puzzle.targets.copy()
    targets.loc[targets["method"] == method, ["iwn", "datasets"]] -= np.array(surplus(puzzle))
    return replace(puzzle, targets=targets, released=frozenset())


def surplus_of_wins() -> int:
    """By how many the printed wins of NDCG@10 exceed the pairs that the sizes of the data sets allow.

    Examples
    --------
    >>> surplus_of_wins()
    6
    """
    rows = records.PUBLISHED_ROWS.read().table
    rows = rows[rows["metric"] == RELEASED_ROW[1]]
    sizes = recorded_puzzle(RELEASED_ROW[1]).sizes["methods"].astype(int)
    return int(rows["wn"].sum()) - int((sizes * (sizes - 1) // 2).sum())


def rows_in_doubt() -> pd.DataFrame:
    """Which single row of NDCG@10 may be the wrong one, by arithmetic alone.

    The wrong row has lost a data set, and with it wins: there are more wins than pairs, so at least as many must go.

    Returns
    -------
    DataFrame
        method, wn, iwn, datasets, presences (as many as there are if this row is wrong), enough_wins.
    """
    table = records.ROWS_IN_DOUBT.read().table
    return table.assign(enough_wins=table["wn"] >= surplus_of_wins())


def suspects() -> pd.DataFrame:
    """Rows of NDCG@10 that can be the one wrong row, by the sums of the table alone, and what else is known of them.

    Examples
    --------
    >>> suspects().set_index("method").loc["ADMM", "remark"]
    'not enough wins'
    """
    found = rows_in_doubt()
    paper = load_paper("tax2015")
    rows = []
    for row in found[found["presences"] > 0].itertuples():
        method, datasets = str(row.method), int(str(row.datasets))
        remark = "" if row.enough_wins else "not enough wins"
        if only_official(paper, method) and datasets > letor_datasets(paper, method):
            remark = "its sources have fewer data sets"
        rows.append((method, datasets, row.wn, row.iwn, f"{row.presences:,}", remark))
    columns = ["method", "data sets", "WN", "IWN", "presences", "remark"]
    return pd.DataFrame(rows, columns=columns)
