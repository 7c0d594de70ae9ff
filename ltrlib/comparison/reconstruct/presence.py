"""Which methods have results on which data sets, if only their numbers of data sets and comparisons are published.

For each metric, the number of methods per data set must be known, or supposed. A method's ideal winning number is then
the sum, over its data sets, of the number of other methods there: a puzzle in whole numbers, solved by CP-SAT. Rows
that no solution satisfies together with all others are released, as few as possible, and named.

Many solutions may remain. Among them `solve_presence` looks for a plain one, in which methods report all their
metrics on the same data sets as far as the numbers allow. `forced_cells` tells what all solutions have in common, and
`count_presences` how many there are.
"""

from __future__ import annotations

import time
from dataclasses import replace

import pandas as pd
from ortools.sat.python import cp_model

from ltrlib.comparison.reconstruct.presence_model import PresenceModel
from ltrlib.comparison.reconstruct.puzzle import Presence, PresencePuzzle, possible_targets
from ltrlib.errors import UsageError

__all__ = ["count_presences", "forced_cells", "solve_presence"]

_FOUND = (cp_model.OPTIMAL, cp_model.FEASIBLE)

# Seconds for one solution with new values.
_PATIENCE = 30.0


def solve_presence(puzzle: PresencePuzzle, *, seconds: float = 60, workers: int = 1) -> Presence:
    """Find a solution that releases as few rows as possible and is plain.

    Parameters
    ----------
    puzzle
        What is known.
    seconds
        Time limit; what the first aim leaves of it is spent on the second.
    workers
        Threads to use.

    Examples
    --------
    >>> targets = pd.DataFrame(
    ...     {"method": ["A", "B", "C"], "option": 0, "metric": "MAP", "iwn": [3, 2, 1], "datasets": [2, 1, 1]}
    ... )
    >>> sizes = pd.DataFrame({"metric": "MAP", "dataset": ["d", "e"], "methods": [3, 2]})
    >>> presence = solve_presence(PresencePuzzle(targets, sizes))
    >>> presence.released, presence.proved
    (frozenset({('C', 'MAP')}), True)
    >>> print(presence.cells.to_string(index=False, header=False))
    A MAP d
    A MAP e
    B MAP d
    C MAP d
    C MAP e
    """
    begin = time.monotonic()
    puzzle = replace(puzzle, targets=possible_targets(puzzle))
    # Most puzzles need no release, and are much easier to solve without that freedom.
    model = PresenceModel(puzzle)
    solver, status = _solve(model, None, seconds / 3, workers)
    released: frozenset[tuple[str, str]] = frozenset()
    proved = status in _FOUND
    if not proved:
        model = PresenceModel(puzzle, may_release=True)
        solver, status = _solve(model, sum(model.releases.values()), seconds / 3, workers)
        if status not in _FOUND:
            fits = "no presence fits the sizes and facts"
            what = fits if status == cp_model.INFEASIBLE else "no presence found in time"
            raise UsageError(what, where="puzzle", cure="check sizes and facts, or allow more time")
        released = frozenset(row for row, variable in model.releases.items() if solver.boolean_value(variable))
        proved = status == cp_model.OPTIMAL
    plain = PresenceModel(replace(puzzle, released=puzzle.released | released))
    for old, new in ((model.cells, plain.cells), (model.options, plain.options)):
        for variable, hint in zip(new.values(), old.values(), strict=True):
            plain.cp.add_hint(variable, solver.boolean_value(hint))
    left = max(1.0, seconds - (time.monotonic() - begin))
    plain_solver, plain_status = _solve(plain, sum(plain.used_pairs()), left, workers)
    if plain_status in _FOUND:
        model, solver = plain, plain_solver
    cells = [cell for cell, variable in model.cells.items() if solver.boolean_value(variable)]
    return Presence(
        cells=pd.DataFrame(cells, columns=["method", "metric", "dataset"]),
        options={m: o for (m, o), variable in model.options.items() if solver.boolean_value(variable)},
        released=puzzle.released | released,
        proved=proved,
    )


def forced_cells(
    puzzle: PresencePuzzle, *, known: pd.DataFrame | None = None, seconds: float = 60, workers: int = 1
) -> pd.DataFrame:
    """Tell for each cell whether it has a result in all solutions, in none, or in some.

    Solution after solution is asked for, each with as many values as possible that no earlier one had; when there can
    be no further one, what never changed is forced.

    Parameters
    ----------
    puzzle
        What is known; rows that cannot be satisfied must be among its released ones.
    known
        The cells of a solution that is known already, with the columns method, metric, dataset.
    seconds
        Time limit for the whole.
    workers
        Threads to use.

    Returns
    -------
    pandas.DataFrame
        Columns method, metric, dataset, status: ``always``, ``never``, ``varies``; or ``undecided`` where the time did
        not suffice to prove that a cell never changes.

    Examples
    --------
    >>> targets = pd.DataFrame({"method": ["A", "B"], "option": 0, "metric": "MAP", "iwn": [0, 0], "datasets": [1, 1]})
    >>> sizes = pd.DataFrame({"metric": "MAP", "dataset": ["d", "e"], "methods": [1, 1]})
    >>> forced_cells(PresencePuzzle(targets, sizes))["status"].unique().tolist()
    ['varies']
    """
    end = time.monotonic() + seconds
    model = PresenceModel(puzzle)
    seen: dict[tuple[str, str, str], set[bool]] = {cell: set() for cell in model.cells}
    latest: set[tuple[str, ...]] = set() if known is None else set(known.itertuples(index=False, name=None))
    proved = False
    while time.monotonic() < end and not proved:
        if latest:
            for cell, values in seen.items():
                values.add(cell in latest)
            # A solution with some new value will do; looking for one with the most would take all the time.
            model = PresenceModel(puzzle)
            new = [
                variable.negated() if True in seen[cell] else variable
                for cell, variable in model.cells.items()
                if len(seen[cell]) == 1
            ]
            model.cp.add_bool_or(new)
            for cell, variable in model.cells.items():
                model.cp.add_hint(variable, cell in latest)
        objective = -sum(new) if latest else None
        solver, status = _solve(model, objective, min(_PATIENCE, max(1.0, end - time.monotonic())), workers)
        proved = status == cp_model.INFEASIBLE
        if status not in _FOUND:
            break
        latest = {cell for cell, variable in model.cells.items() if solver.boolean_value(variable)}
    words = {True: "always", False: "never"}
    status_of = [
        "varies" if len(values) == 2 else words[next(iter(values))] if proved and values else "undecided"
        for values in seen.values()
    ]
    return pd.DataFrame(list(seen), columns=["method", "metric", "dataset"]).assign(status=status_of)


def count_presences(puzzle: PresencePuzzle, *, seconds: float = 60) -> tuple[int, bool]:
    """Count the solutions, and tell whether that is all of them or what the time sufficed for.

    Parameters
    ----------
    puzzle
        What is known; rows that cannot be satisfied must be among its released ones.
    seconds
        Time limit.

    Examples
    --------
    >>> targets = pd.DataFrame({"method": ["A", "B"], "option": 0, "metric": "MAP", "iwn": [0, 0], "datasets": [1, 1]})
    >>> sizes = pd.DataFrame({"metric": "MAP", "dataset": ["d", "e"], "methods": [1, 1]})
    >>> count_presences(PresencePuzzle(targets, sizes))
    (2, True)
    """
    counter = _Counter()
    solver = _solver(seconds, workers=1)
    solver.parameters.interleave_search = False
    solver.parameters.enumerate_all_solutions = True
    status = solver.solve(PresenceModel(puzzle).cp, counter)
    return counter.count, status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)


class _Counter(cp_model.CpSolverSolutionCallback):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def on_solution_callback(self) -> None:
        self.count += 1


def _solver(seconds: float, workers: int) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = workers
    # All strategies take turns, also in one thread: far quicker to the best solution than any one of them, and the
    # same puzzle gives the same solution.
    solver.parameters.interleave_search = True
    return solver


def _solve(
    model: PresenceModel, objective: cp_model.LinearExprT | None, seconds: float, workers: int
) -> tuple[cp_model.CpSolver, cp_model.CpSolverStatus]:
    if objective is not None:
        model.cp.minimize(objective)
    solver = _solver(seconds, workers)
    return solver, solver.solve(model.cp)
