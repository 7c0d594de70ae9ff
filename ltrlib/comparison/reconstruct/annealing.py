"""The compiled search behind `ltrlib.comparison.reconstruct.orders`: simulated annealing over weak orders."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["anneal"]

# The search starts where a step that makes the sums worse by one is taken more often than not, and ends where it is
# taken once in fifty times. A violated order weighs as much as three wins.
_FIRST_COLDNESS, _LAST_COLDNESS = 0.5, 4.0
_WEIGHT_OF_ORDERS = 3

Integers = NDArray[np.int64]


@njit(cache=True, nogil=True)
def anneal(
    random: np.random.Generator,
    steps: int,
    order: Integers,
    below: Integers,
    firsts: Integers,
    dataset_of_cell: Integers,
    wanted: Integers,
    facts: Integers,
    first_facts: Integers,
) -> bool:
    """Exchange methods and move ties until every sum fits; tell whether it does in the end.

    Parameters
    ----------
    random, steps
        Source of random numbers and the number of steps to try.
    order
        The method of each cell, from worst to best within each data set; changed.
    below
        The first cell of each cell's tied group, at most one less: its distance from the data set's first cell is
        the number of wins; changed.
    firsts, dataset_of_cell
        First cell of each data set (and the end), data set of each cell.
    wanted
        What the wins of each method must add up to.
    facts, first_facts
        Rows of data set, better and worse method, sorted; first row of each data set (and the end).

    Examples
    --------
    Two methods on one data set; method 0 shall win once.

    >>> order, below, none = np.array([0, 1]), np.array([0, 1]), np.zeros((0, 3), dtype=np.int64)
    >>> one_set, random = np.array([0, 2]), np.random.default_rng(0)
    >>> anneal(random, 100, order, below, one_set, np.array([0, 0]), np.array([1, 0]), none, np.array([0, 0]))
    True
    >>> order
    array([1, 0])
    """
    n_cells = order.size
    cell_of = np.full((firsts.size - 1, wanted.size), -1)
    missing = wanted.copy()
    for cell in range(n_cells):
        cell_of[dataset_of_cell[cell], order[cell]] = cell
        missing[order[cell]] -= below[cell] - firsts[dataset_of_cell[cell]]
    unfit = np.abs(missing).sum()
    for fact in range(facts.shape[0]):
        dataset = facts[fact, 0]
        if below[cell_of[dataset, facts[fact, 1]]] <= below[cell_of[dataset, facts[fact, 2]]]:
            unfit += _WEIGHT_OF_ORDERS
    cooling = (_LAST_COLDNESS / _FIRST_COLDNESS) ** (1.0 / steps)
    cold = _FIRST_COLDNESS
    for _ in range(steps):
        if unfit == 0:
            return True
        cold *= cooling
        one = random.integers(0, n_cells)
        dataset = dataset_of_cell[one]
        kind = random.random()
        if kind < 0.1:
            # Take a tie apart and tie another pair of neighbours that touches no tie.
            other = random.integers(0, n_cells)
            there = dataset_of_cell[other]
            if below[one] == one or other == firsts[there] or abs(one - other) == 1:
                continue
            if below[other] != other or below[other - 1] != other - 1:
                continue
            if other + 1 < firsts[there + 1] and below[other + 1] != other + 1:
                continue
            winner, loser = order[one], order[other]
            change = 0
            if winner != loser:
                change += abs(missing[winner] - 1) - abs(missing[winner])
                change += abs(missing[loser] + 1) - abs(missing[loser])
            for fact in range(first_facts[dataset], first_facts[dataset + 1]):
                if facts[fact, 1] == winner and facts[fact, 2] == order[one - 1]:
                    change -= _WEIGHT_OF_ORDERS
            for fact in range(first_facts[there], first_facts[there + 1]):
                if facts[fact, 1] == loser and facts[fact, 2] == order[other - 1]:
                    change += _WEIGHT_OF_ORDERS
            if change <= 0 or random.random() < np.exp(-cold * change):
                below[one], below[other] = one, other - 1
                missing[winner] -= 1
                missing[loser] += 1
                unfit += change
            continue
        # Exchange two methods of a data set, neighbours or any.
        begin, end = firsts[dataset], firsts[dataset + 1]
        other = begin + random.integers(0, end - begin)
        if kind < 0.55:
            other = one + 1 if kind < 0.325 else one - 1
        if other < begin or other >= end or below[one] == below[other]:
            continue
        first, second = order[one], order[other]
        gain = below[other] - below[one]
        change = abs(missing[first] - gain) - abs(missing[first]) + abs(missing[second] + gain) - abs(missing[second])
        for fact in range(first_facts[dataset], first_facts[dataset + 1]):
            high, low = cell_of[dataset, facts[fact, 1]], cell_of[dataset, facts[fact, 2]]
            if high in (one, other) or low in (one, other):
                change -= _WEIGHT_OF_ORDERS * (below[high] <= below[low])
                high = other if high == one else (one if high == other else high)
                low = other if low == one else (one if low == other else low)
                change += _WEIGHT_OF_ORDERS * (below[high] <= below[low])
        if change <= 0 or random.random() < np.exp(-cold * change):
            order[one], order[other] = second, first
            cell_of[dataset, first], cell_of[dataset, second] = other, one
            missing[first] -= gain
            missing[second] += gain
            unfit += change
    return bool(unfit == 0)
