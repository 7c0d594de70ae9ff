"""Every presence of one metric, counted exactly: how many there are, how many have each cell, and random ones.

`ltrlib.comparison.reconstruct.presence` finds solutions; listing them all is out of the question, since there can be
billions. Counting them is not. A method's ideal winning number and number of data sets leave it a few choices of data
sets. Method by method, what matters of the choices so far is only how many places are left on each data set, and that
takes far fewer values than there are combinations. So the number of ways to reach each state is added up from the
first method to the last, and the number of ways to finish from it backwards; both together tell how many solutions
have a result in a given cell, and let one be drawn with every solution equally likely.

The places that are left are kept in one whole number, a few bits per data set with a guard bit on top: comparing two
states on all data sets at once is then a subtraction that may not touch the guard bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd

from ltrlib.comparison.reconstruct.puzzle import PresencePuzzle
from ltrlib.errors import UsageError

__all__ = ["PresenceSpace", "presence_space"]

_MOST_STATES = 3_000_000

Choice = frozenset[str]


@dataclass(frozen=True, eq=False)
class PresenceSpace:
    """All solutions of a puzzle.

    Parameters
    ----------
    metric, datasets
        The puzzle's metric, and its data sets with a result.
    methods
        Groups of methods that have results on the same data sets.
    choices
        For each group, the data sets that it can have.
    free
        The method whose numbers are not demanded, if there is one: it takes the places that the others leave.
    """

    metric: str
    datasets: tuple[str, ...]
    methods: tuple[tuple[str, ...], ...]
    choices: tuple[tuple[Choice, ...], ...]
    free: str | None
    _unit: Mapping[str, int]
    _ways_to: tuple[Mapping[int, int], ...]
    _ways_from: tuple[Mapping[int, int], ...]

    @property
    def count(self) -> int:
        """How many solutions there are."""
        return sum(self._ways_from[0].values())

    def shares(self) -> pd.DataFrame:
        """Tell for each cell in which share of the solutions it has a result.

        Returns
        -------
        pandas.DataFrame
            Columns method, metric, dataset, share: 0 and 1 are exact and mean never and always.

        Examples
        --------
        >>> targets = pd.DataFrame({"method": list("AB"), "option": 0, "metric": "MAP", "iwn": 0, "datasets": 1})
        >>> sizes = pd.DataFrame({"metric": "MAP", "dataset": ["d", "e"], "methods": [1, 1]})
        >>> presence_space(PresencePuzzle(targets, sizes)).shares()["share"].tolist()
        [0.5, 0.5, 0.5, 0.5]
        """
        if not self.count:
            raise UsageError("there is no solution, so no share of them", where="puzzle")
        rows = []
        for i, (group, choices) in enumerate(zip(self.methods, self.choices, strict=True)):
            with_result = dict.fromkeys(self.datasets, 0)
            for choice in choices:
                step = self._step(group, choice)
                ways = sum(w * self._ways_from[i + 1].get(state - step, 0) for state, w in self._ways_to[i].items())
                for dataset in choice:
                    with_result[dataset] += ways
            rows += [(m, self.metric, d, _share(ways, self.count)) for m in group for d, ways in with_result.items()]
        if self.free is not None:
            last = {state: ways for state, ways in self._ways_to[-1].items() if state in self._ways_from[-1]}
            for d in self.datasets:
                ways = sum(number for state, number in last.items() if state & self._unit[d])
                rows.append((self.free, self.metric, d, _share(ways, self.count)))
        return pd.DataFrame(rows, columns=["method", "metric", "dataset", "share"])

    def draw(self, random: np.random.Generator) -> pd.DataFrame:
        """Draw one solution, each with the same probability.

        Returns
        -------
        pandas.DataFrame
            Columns method, metric, dataset.

        Examples
        --------
        >>> targets = pd.DataFrame({"method": list("AB"), "option": 0, "metric": "MAP", "iwn": 0, "datasets": 1})
        >>> sizes = pd.DataFrame({"metric": "MAP", "dataset": ["d", "e"], "methods": [1, 1]})
        >>> drawn = presence_space(PresencePuzzle(targets, sizes)).draw(np.random.default_rng(0))
        >>> sorted(drawn["dataset"])
        ['d', 'e']
        """
        if not self.count:
            raise UsageError("there is no solution to draw", where="puzzle")
        (state,) = self._ways_to[0]
        cells = []
        for i, (group, choices) in enumerate(zip(self.methods, self.choices, strict=True)):
            ways = [self._ways_from[i + 1].get(state - self._step(group, choice), 0) for choice in choices]
            choice = choices[random.choice(len(choices), p=[_share(number, sum(ways)) for number in ways])]
            state -= self._step(group, choice)
            cells += [(method, self.metric, d) for method in group for d in self.datasets if d in choice]
        cells += [(str(self.free), self.metric, d) for d in self.datasets if state & self._unit[d]]
        return pd.DataFrame(cells, columns=["method", "metric", "dataset"])

    def _step(self, group: Sequence[str], choice: Choice) -> int:
        return len(group) * sum(self._unit[dataset] for dataset in choice)


def presence_space(puzzle: PresencePuzzle) -> PresenceSpace:
    """Count every solution of a puzzle of one metric.

    Parameters
    ----------
    puzzle
        What is known. A method with several options may have the numbers of any of them; at most one row may be
        released.

    Examples
    --------
    >>> targets = pd.DataFrame({"method": list("ABCD"), "option": 0, "metric": "MAP", "iwn": 1, "datasets": 1})
    >>> sizes = pd.DataFrame({"metric": "MAP", "dataset": ["d", "e"], "methods": [2, 2]})
    >>> space = presence_space(PresencePuzzle(targets, sizes))
    >>> space.count, space.shares()["share"].unique().tolist()
    (6, [0.5])
    """
    metrics = puzzle.targets["metric"].unique().tolist()
    if len(metrics) != 1 or len(puzzle.released) > 1:
        what = f"{len(metrics)} metrics and {len(puzzle.released)} released rows"
        raise UsageError(what, where="puzzle", cure="count one metric at a time, with at most one released row")
    size = dict(zip(puzzle.sizes["dataset"], map(int, puzzle.sizes["methods"]), strict=True))
    size = {dataset: number for dataset, number in size.items() if number}
    known: dict[tuple[str, bool], set[str]] = {}
    for fact in zip(*(puzzle.facts[name] for name in ("method", "present", "dataset")), strict=True):
        known.setdefault((str(fact[0]), bool(fact[1])), set()).add(str(fact[2]))
    numbers: dict[str, set[tuple[int, int]]] = {}
    for row in zip(*(puzzle.targets[name] for name in ("method", "iwn", "datasets")), strict=True):
        numbers.setdefault(str(row[0]), set()).add((int(row[1]), int(row[2])))
    free = next((method for method, _ in puzzle.released), None)
    groups = _groups({m: n for m, n in numbers.items() if m != free}, puzzle.alike)
    choices = []
    for group in groups:
        here = set[str]().union(*(known.get((method, True), ()) for method in group))
        not_here = set[str]().union(*(known.get((method, False), ()) for method in group))
        choices.append(_choices(numbers[group[0]], size, here, not_here))
    free_bounds = known.get((str(free), True), set()), set(size) - known.get((str(free), False), set())
    order = sorted(range(len(groups)), key=lambda i: len(choices[i]))
    return _count(
        str(metrics[0]), size, [groups[i] for i in order], [choices[i] for i in order], free, free_bounds, len(numbers)
    )


def _groups(numbers: Mapping[str, set[tuple[int, int]]], alike: Iterable[frozenset[str]]) -> list[tuple[str, ...]]:
    """Methods that must have the same data sets: from the same studies, with the same, known, numbers."""
    together: dict[object, list[str]] = {}
    studies = {method: group for group in alike for method in group}
    for method, several in numbers.items():
        key = (studies[method], *several) if method in studies and len(several) == 1 else method
        together.setdefault(key, []).append(method)
    return [tuple(group) for group in together.values()]


def _choices(
    numbers: Iterable[tuple[int, int]], size: Mapping[str, int], here: set[str], not_here: set[str]
) -> list[Choice]:
    open_ones = [dataset for dataset in size if dataset not in here | not_here]
    found = []
    for iwn, datasets in sorted(numbers):
        if datasets < len(here) or not here <= size.keys() - not_here:
            continue
        rest = iwn - sum(size[dataset] - 1 for dataset in here)
        for some in combinations(open_ones, datasets - len(here)):
            if sum(size[dataset] - 1 for dataset in some) == rest:
                found.append(frozenset(here | set(some)))
    return found


def _count(
    metric: str,
    size: Mapping[str, int],
    groups: Sequence[tuple[str, ...]],
    choices: Sequence[Sequence[Choice]],
    free: str | None,
    free_bounds: tuple[set[str], set[str]],
    n_methods: int,
) -> PresenceSpace:
    # Two numbers of places are added before they are compared.
    bits = (max([n_methods, *size.values()]) * 2).bit_length() + 1
    unit = {dataset: 1 << (bits * i) for i, dataset in enumerate(size)}
    guard = sum(unit.values()) << (bits - 1)

    def packed(datasets: Iterable[str], times: int = 1) -> int:
        return times * sum(unit[dataset] for dataset in datasets)

    # What the methods from each one on take at least and at most.
    least, most = [packed(free_bounds[0] if free else ())], [packed(free_bounds[1] if free else ())]
    for group, some in zip(reversed(groups), reversed(choices), strict=True):
        least.append(least[-1] + packed(frozenset.intersection(*some) if some else (), len(group)))
        most.append(most[-1] + packed(frozenset[str]().union(*some), len(group)))
    least.reverse()
    most.reverse()
    ways_to: list[dict[int, int]] = [{sum(number * unit[dataset] for dataset, number in size.items()): 1}]
    steps = [[packed(choice, len(group)) for choice in some] for group, some in zip(groups, choices, strict=True)]
    for i, some_steps in enumerate(steps):
        following: dict[int, int] = {}
        low, high = least[i + 1], most[i + 1] + guard
        for state, ways in ways_to[-1].items():
            guarded = state + guard
            for step in some_steps:
                if (guarded - step - low) & guard == guard and (high - state + step) & guard == guard:
                    following[state - step] = following.get(state - step, 0) + ways
        if len(following) > _MOST_STATES:
            raise UsageError(
                f"more than {_MOST_STATES:,} states", where="puzzle", cure="add facts: too little is known"
            )
        ways_to.append(following)
    # The free method takes what is left, which the bounds let through only where it is one place at most.
    ways_from: list[dict[int, int]] = [dict.fromkeys(ways_to[-1], 1)]
    for reached, some_steps in zip(reversed(ways_to[:-1]), reversed(steps), strict=True):
        after = ways_from[-1]
        finishing = {state: sum(after.get(state - step, 0) for step in some_steps) for state in reached}
        ways_from.append({state: ways for state, ways in finishing.items() if ways})
    return PresenceSpace(
        metric=metric,
        datasets=tuple(size),
        methods=tuple(groups),
        choices=tuple(tuple(some) for some in choices),
        free=free,
        _unit=unit,
        _ways_to=tuple(ways_to),
        _ways_from=tuple(reversed(ways_from)),
    )


def _share(part: int, whole: int) -> float:
    return float(Fraction(part, whole))
