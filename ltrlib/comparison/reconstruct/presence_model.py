"""The constraint model behind `ltrlib.comparison.reconstruct.presence`."""

from __future__ import annotations

from collections.abc import Mapping

from ortools.sat.python import cp_model

from ltrlib.comparison.reconstruct.puzzle import PresencePuzzle, rows_of
from ltrlib.errors import UsageError

__all__ = ["PresenceModel"]

Cell = tuple[str, str, str]
Numbers = tuple[int, int]


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
    >>> import pandas as pd
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
        for metric, dataset, methods in rows_of(puzzle.sizes, "metric", "dataset", "methods"):
            if methods:
                self._sizes.setdefault(metric, {})[dataset] = methods
        rows: dict[tuple[str, str], dict[int, Numbers]] = {}
        for method, option, metric, iwn, datasets in rows_of(
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
        for method, metric, dataset, present in rows_of(puzzle.facts, "method", "metric", "dataset", "present"):
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
