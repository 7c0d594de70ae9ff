"""The puzzle of who has results where, and what a solution is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

__all__ = ["Presence", "PresencePuzzle", "possible_targets", "rows_of"]


@dataclass(frozen=True, eq=False)
class PresencePuzzle:
    """What is known.

    Parameters
    ----------
    targets
        Columns method, option, metric, iwn, datasets. If a method has several options, one of them holds, in all its
        metrics.
    sizes
        Columns metric, dataset, methods: how many methods have a result there.
    facts
        Columns method, metric, dataset, present: cells that are known.
    alike
        Groups of methods that come from the same studies: where two of them have the same numbers in a metric, they
        have results on the same data sets.
    released
        Pairs of method and metric whose numbers are not demanded.
    """

    targets: pd.DataFrame
    sizes: pd.DataFrame
    facts: pd.DataFrame = field(
        default_factory=lambda: pd.DataFrame(columns=["method", "metric", "dataset", "present"])
    )
    alike: Sequence[frozenset[str]] = ()
    released: frozenset[tuple[str, str]] = frozenset()

    def of_metric(self, metric: str, options: Mapping[str, int] | None = None) -> PresencePuzzle:
        """Reduce the puzzle to one metric.

        Parameters
        ----------
        metric
            The metric to keep.
        options
            The option of each method; all of them are left open if not given.

        Examples
        --------
        >>> targets = pd.DataFrame({"method": "A", "option": [0, 1], "metric": "MAP", "iwn": [0, 5], "datasets": 1})
        >>> sizes = pd.DataFrame({"metric": ["MAP"], "dataset": ["d"], "methods": [1]})
        >>> PresencePuzzle(targets, sizes).of_metric("MAP", {"A": 1}).targets["iwn"].tolist()
        [5]
        """
        targets = self.targets[self.targets["metric"] == metric]
        if options is not None:
            chosen = [options[m] == o for m, o in zip(targets["method"], targets["option"], strict=True)]
            targets = targets[chosen]
        return replace(
            self,
            targets=targets,
            sizes=self.sizes[self.sizes["metric"] == metric],
            facts=self.facts[self.facts["metric"] == metric],
            released=frozenset(row for row in self.released if row[1] == metric),
        )


@dataclass(frozen=True, eq=False)
class Presence:
    """A solution.

    Parameters
    ----------
    cells
        Columns method, metric, dataset: the results that exist.
    options
        The option that holds for each method.
    released
        Pairs of method and metric whose numbers had to be given up.
    proved
        Whether it is certain that fewer cannot be given up.
    """

    cells: pd.DataFrame
    options: dict[str, int]
    released: frozenset[tuple[str, str]]
    proved: bool


def possible_targets(puzzle: PresencePuzzle) -> pd.DataFrame:
    """Drop the options that no choice of data sets can give, each row taken for itself.

    A method none of whose options is possible keeps all of them: it must be released.

    Parameters
    ----------
    puzzle
        What is known.

    Examples
    --------
    >>> targets = pd.DataFrame({"method": "A", "option": [0, 1], "metric": "MAP", "iwn": [3, 4], "datasets": 1})
    >>> sizes = pd.DataFrame({"metric": "MAP", "dataset": ["d", "e"], "methods": [3, 4]})
    >>> possible_targets(PresencePuzzle(targets, sizes))["option"].tolist()
    [0]
    """
    sizes: dict[str, list[tuple[str, int]]] = {}
    for metric, dataset, methods in rows_of(puzzle.sizes, "metric", "dataset", "methods"):
        sizes.setdefault(metric, []).append((dataset, methods))
    needed: dict[tuple[str, str], set[str]] = {}
    for method, metric, dataset, present in rows_of(puzzle.facts, "method", "metric", "dataset", "present"):
        if present:
            needed.setdefault((method, metric), set()).add(dataset)
    impossible = set()
    for method, option, metric, *numbers in rows_of(puzzle.targets, "method", "option", "metric", "iwn", "datasets"):
        row = method, metric
        if row not in puzzle.released and not _reaches(numbers, sizes.get(metric, []), needed.get(row, set())):
            impossible.add((method, option))
    names = list(zip(puzzle.targets["method"], puzzle.targets["option"], strict=True))
    possible_methods = {method for method, _ in set(names) - impossible}
    return puzzle.targets[[name not in impossible or name[0] not in possible_methods for name in names]]


def _reaches(numbers: Sequence[int], sizes: Sequence[tuple[str, int]], needed: set[str]) -> bool:
    """Tell whether some data sets, the needed ones among them, have the wanted comparisons and number."""
    iwn, datasets = numbers
    reached = {(0, 0)}
    for dataset, methods in sizes:
        with_it = {(i + methods - 1, d + 1) for i, d in reached if i + methods - 1 <= iwn and d < datasets}
        reached = with_it if dataset in needed else reached | with_it
    return (iwn, datasets) in reached


def rows_of(frame: pd.DataFrame, *columns: str) -> list[tuple[Any, ...]]:
    """Some columns of a table, row by row.

    Examples
    --------
    >>> rows_of(pd.DataFrame({"method": ["A"], "metric": "MAP", "iwn": 3}), "method", "iwn")
    [('A', 3)]
    """
    return list(zip(*(frame[column].tolist() for column in columns), strict=True))
