"""The constraint model behind `ltrlib.comparison.reconstruct.presence`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from ortools.sat.python import cp_model

from ltrlib.errors import UsageError

__all__ = ["PresenceModel", "PresencePuzzle", "possible_targets"]

Cell = tuple[str, str, str]
Numbers = tuple[int, int]


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
    for metric, dataset, methods in _rows(puzzle.sizes, "metric", "dataset", "methods"):
        sizes.setdefault(metric, []).append((dataset, methods))
    needed: dict[tuple[str, str], set[str]] = {}
    for method, metric, dataset, present in _rows(puzzle.facts, "method", "metric", "dataset", "present"):
        if present:
            needed.setdefault((method, metric), set()).add(dataset)
    impossible = set()
    for method, option, metric, *numbers in _rows(puzzle.targets, "method", "option", "metric", "iwn", "datasets"):
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


class PresenceModel:
    """A CP-SAT model of a puzzle: one variable per cell, option and row that may be released.

    Parameters
    ----------
    puzzle
        What is known.
    may_release
        Whether further rows may be released.

    Examples
    --------
    >>> targets = pd.DataFrame({"method": ["A"], "option": 0, "metric": "MAP", "iwn": 0, "datasets": 1})
    >>> sizes = pd.DataFrame({"metric": ["MAP"], "dataset": ["d"], "methods": [1]})
    >>> list(PresenceModel(PresencePuzzle(targets, sizes)).cells)
    [('A', 'MAP', 'd')]
    """

    def __init__(self, puzzle: PresencePuzzle, *, may_release: bool = False) -> None:
        self.cp = cp_model.CpModel()
        self.cells: dict[Cell, cp_model.IntVar] = {}
        self.options: dict[tuple[str, int], cp_model.IntVar] = {}
        self.releases: dict[tuple[str, str], cp_model.IntVar] = {}
        self._sizes: dict[str, dict[str, int]] = {}
        for metric, dataset, methods in _rows(puzzle.sizes, "metric", "dataset", "methods"):
            if methods:
                self._sizes.setdefault(metric, {})[dataset] = methods
        rows: dict[tuple[str, str], dict[int, Numbers]] = {}
        for method, option, metric, iwn, datasets in _rows(
            puzzle.targets, "method", "option", "metric", "iwn", "datasets"
        ):
            rows.setdefault((method, metric), {})[option] = iwn, datasets
        self._add_options(rows)
        for row, choices in rows.items():
            self._add_row(row, choices, row in puzzle.released, may_release)
        self._add_columns(rows)
        self._add_facts(puzzle)
        for group in puzzle.alike:
            self._add_likeness(group, rows)

    def used_pairs(self) -> list[cp_model.IntVar]:
        """One variable per method and data set: whether there is a result in any metric."""
        by_pair: dict[tuple[str, str], list[cp_model.IntVar]] = {}
        for (method, _, dataset), variable in self.cells.items():
            by_pair.setdefault((method, dataset), []).append(variable)
        used = []
        for variables in by_pair.values():
            used.append(self.cp.new_bool_var(""))
            self.cp.add_max_equality(used[-1], variables)
        return used

    def _add_options(self, rows: Mapping[tuple[str, str], Mapping[int, Numbers]]) -> None:
        by_method: dict[str, set[int]] = {}
        for (method, _), choices in rows.items():
            by_method.setdefault(method, set()).update(choices)
        for method, options in by_method.items():
            for option in sorted(options):
                self.options[method, option] = self.cp.new_bool_var("")
            self.cp.add_exactly_one(self.options[method, option] for option in options)

    def _add_row(self, row: tuple[str, str], choices: Mapping[int, Numbers], released: bool, may_release: bool) -> None:
        method, metric = row
        cells = {dataset: self.cp.new_bool_var("") for dataset in self._sizes.get(metric, {})}
        self.cells.update({(method, metric, dataset): variable for dataset, variable in cells.items()})
        if released:
            return
        iwn = sum((self._sizes[metric][dataset] - 1) * variable for dataset, variable in cells.items())
        datasets = sum(cells.values())
        wanted_iwn, wanted_datasets = (
            sum(numbers[i] * self.options[method, option] for option, numbers in choices.items()) for i in (0, 1)
        )
        equations = [self.cp.add(iwn == wanted_iwn), self.cp.add(datasets == wanted_datasets)]
        if may_release:
            self.releases[row] = self.cp.new_bool_var("")
            for equation in equations:
                equation.only_enforce_if(self.releases[row].negated())

    def _add_columns(self, rows: Mapping[tuple[str, str], object]) -> None:
        for metric, sizes in self._sizes.items():
            methods = [method for method, of_metric in rows if of_metric == metric]
            for dataset, size in sizes.items():
                self.cp.add(sum(self.cells[method, metric, dataset] for method in methods) == size)

    def _add_facts(self, puzzle: PresencePuzzle) -> None:
        for method, metric, dataset, present in _rows(puzzle.facts, "method", "metric", "dataset", "present"):
            cell = self.cells.get((method, metric, dataset))
            if cell is not None:
                self.cp.add(cell == int(present))
            elif present:
                raise UsageError(
                    f"{method} cannot have a result in {metric} on {dataset}", where="facts", cure="check the sizes"
                )

    def _add_likeness(self, group: frozenset[str], rows: Mapping[tuple[str, str], Mapping[int, Numbers]]) -> None:
        first: dict[tuple[str, Numbers], str] = {}
        for (method, metric), choices in rows.items():
            if method not in group or len(choices) > 1:
                continue
            model = first.setdefault((metric, next(iter(choices.values()))), method)
            if model != method:
                for dataset in self._sizes.get(metric, {}):
                    self.cp.add(self.cells[method, metric, dataset] == self.cells[model, metric, dataset])


def _rows(frame: pd.DataFrame, *columns: str) -> list[tuple[Any, ...]]:
    return list(zip(*(frame[column].tolist() for column in columns), strict=True))
