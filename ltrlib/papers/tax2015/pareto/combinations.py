"""The Pareto front over all metrics under every combination of the doubts: each as it stands, left out, or moved."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.papers.tax2015.matrix import CELL, results
from ltrlib.published.tables import load_paper

__all__ = ["MOVED", "OUT", "STANDS", "Combinations", "every_combination"]

STANDS, OUT, MOVED = "as it stands", "left out", "moved"

Case = Mapping[str, str]
"""What is done with the results of each doubt; a doubt that is not named stays as it stands."""

_Spot = tuple[str, str]  # data set and metric
_Rows = Mapping[_Spot, Mapping[str, float]]  # the value of each method there


class _Doubted(NamedTuple):
    """A result that is here only if its doubt is in this state."""

    method: str
    value: float
    doubt: str
    state: str


@dataclass(frozen=True)
class Combinations:
    """Who is on the front under each combination.

    Parameters
    ----------
    states
        What can be done with each doubt, as it stands first.
    methods
        Those that are ever on the front.
    on_front
        One row per combination, in the order of ``itertools.product`` over the states; one column per method.

    Examples
    --------
    >>> found = every_combination()
    >>> len(found.on_front), found.always()
    (7776, ['AdaRank-NDCG', 'FenchelRank', 'ListNet', 'SmoothRank'])
    >>> found.takes_off("LARF")
    [{'torkestani2012a': ('left out', 'moved')}]
    """

    states: Mapping[str, Sequence[str]]
    methods: Sequence[str]
    on_front: NDArray[np.bool_]

    def cases(self) -> Iterator[dict[str, str]]:
        """Name the combinations, in their order, by the doubts that do not stay as they stand."""
        for states in product(*self.states.values()):
            yield {code: state for code, state in zip(self.states, states, strict=True) if state != STANDS}

    def front(self, case: Case) -> list[str]:
        """Tell who is on the front in one case.

        Examples
        --------
        >>> "LARF" in every_combination().front({"torkestani2012a": "moved", "torkestani2012b": "moved"})
        True
        """
        shape = [len(states) for states in self.states.values()]
        place = [list(states).index(case.get(code, STANDS)) for code, states in self.states.items()]
        row = self.on_front[int(np.ravel_multi_index(place, shape))]
        return [method for method, on in zip(self.methods, row, strict=True) if on]

    def always(self) -> list[str]:
        """List the methods that are on the front in every combination."""
        return sorted(method for method in self.methods if not self.off(method))

    def fronts(self) -> int:
        """Count the different fronts."""
        return len(np.unique(self.on_front, axis=0))

    def off(self, method: str) -> int:
        """Count the combinations in which a method is not on the front.

        Examples
        --------
        >>> every_combination().off("AdaRank-MAP")
        3888
        """
        if method not in self.methods:
            return len(self.on_front)
        return int((~self.on_front[:, list(self.methods).index(method)]).sum())

    def takes_off(self, method: str) -> list[dict[str, tuple[str, ...]]]:
        """List the smallest sets of doubts that take a method off the front, with what has to be done with each.

        A set is smallest if no part of it is enough. Sets of the same doubts are told as one where any choice among
        the states will do.
        """
        if method not in self.methods:
            return [{}]
        column = self.on_front[:, list(self.methods).index(method)]
        off = sorted((case for case, on in zip(self.cases(), column, strict=True) if not on), key=len)
        smallest: list[dict[str, str]] = []
        for case in off:
            if not any(one.items() <= case.items() for one in smallest):
                smallest.append(case)
        grouped: dict[tuple[str, ...], list[dict[str, str]]] = {}
        for case in smallest:
            grouped.setdefault(tuple(case), []).append(case)
        found: list[dict[str, tuple[str, ...]]] = []
        for codes, cases in grouped.items():
            ways = {code: tuple(dict.fromkeys(case[code] for case in cases)) for code in codes}
            any_choice = np.prod([len(states) for states in ways.values()]) == len(cases)
            found += [ways] if any_choice else [{code: (state,) for code, state in case.items()} for case in cases]
        return found


@cache
def every_combination() -> Combinations:
    """Count the front of every combination; the rule of IWN is the one by which the study counted.

    A data set and metric is counted once for each way in which the doubts can touch it, and the totals are added up.
    """
    doubts = load_paper("tax2015")["doubts"]
    able = {"move": (STANDS, OUT, MOVED), "leave out": (STANDS, OUT)}
    states = {
        code: able[doubts.text(code, "if_right")] for code in doubts.rows if doubts.text(code, "if_right") in able
    }
    table = results()
    methods = list(dict.fromkeys(table["method"]))
    number = {method: place for place, method in enumerate(methods)}
    shape = [len(one) for one in states.values()]
    won = np.zeros((*shape, len(methods)), dtype=np.int64)
    possible = np.zeros_like(won)
    steady, touched = _by_spot(table, states)
    for spot in dict.fromkeys([*steady, *touched]):
        rows = touched.get(spot, [])
        codes = [code for code in states if any(row.doubt == code for row in rows)]
        for choice in product(*(states[code] for code in codes)):
            present = _present(steady.get(spot, {}), rows, dict(zip(codes, choice, strict=True)))
            where = tuple(
                states[code].index(choice[codes.index(code)]) if code in codes else slice(None) for code in states
            )
            for method, (wins, most) in _counted(present).items():
                won[(*where, number[method])] += wins
                possible[(*where, number[method])] += most
    on_front = _fronts(won.reshape(-1, len(methods)), possible.reshape(-1, len(methods)))
    ever = np.flatnonzero(on_front.any(axis=0))
    return Combinations(states, [methods[column] for column in ever], on_front[:, ever])


def _by_spot(table: pd.DataFrame, states: Mapping[str, Sequence[str]]) -> tuple[_Rows, dict[_Spot, list[_Doubted]]]:
    """Part the results, by data set and metric, into those that always stay and those that a doubt may move or take."""
    doubted = table[table["doubt"].isin(list(states))]
    steady: dict[_Spot, dict[str, float]] = {}
    for method, dataset, metric, value in table.drop(index=doubted.index)[[*CELL, "value"]].itertuples(index=False):
        steady.setdefault((dataset, metric), {})[method] = value
    found = {STANDS: [doubted]}
    for code in (code for code, able in states.items() if MOVED in able):
        elsewhere = results(moved=[code], without_doubts=[one for one in states if one != code])
        # Those that meet a result of their own method that always stays are dropped by this already.
        found.setdefault(MOVED, []).append(elsewhere[elsewhere["doubt"] == code])
    touched: dict[_Spot, list[_Doubted]] = {}
    for state, tables in found.items():
        for method, dataset, metric, value, doubt in pd.concat(tables)[[*CELL, "value", "doubt"]].itertuples(
            index=False
        ):
            touched.setdefault((dataset, metric), []).append(_Doubted(method, value, doubt, state))
    return steady, touched


def _present(steady: Mapping[str, float], rows: Sequence[_Doubted], choice: Case) -> dict[str, float]:
    """Values of one data set and metric in one case."""
    here = [row for row in rows if choice[row.doubt] == row.state]
    present = dict(steady) | {row.method: row.value for row in here if row.state == STANDS}
    moved = [row for row in here if row.state == MOVED and row.method not in present]
    # Where a method has a result already, one that is moved there is left out; so are two that are moved there.
    alone = [row for row in moved if sum(row.method == other.method for other in moved) == 1]
    return present | {row.method: row.value for row in alone}


def _counted(present: Mapping[str, float]) -> dict[str, tuple[int, int]]:
    """Wins of each method, and the most that anybody won."""
    values = sorted(present.values())
    wins = {method: bisect_left(values, value) for method, value in present.items()}
    most = max(wins.values(), default=0)
    return {method: (number, most) for method, number in wins.items()}


def _fronts(won: NDArray[np.int64], possible: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell who is on the front in each row: sorted by comparisons, whoever has a larger share than all before.

    Shares are quotients of small whole numbers, so equal ones are equal as floats too.
    """
    shares = np.where(possible > 0, won / np.maximum(possible, 1), -1.0)
    order = np.lexsort((-shares, -possible), axis=-1)
    rows = np.arange(len(won))
    found = np.zeros(won.shape, dtype=bool)
    highest, last_on = np.full(len(won), -1.0), np.zeros(len(won), dtype=bool)
    last = order[:, 0]
    for here in order.T:
        share, comparisons = shares[rows, here], possible[rows, here]
        same = (share == shares[rows, last]) & (comparisons == possible[rows, last])
        last_on = (comparisons > 0) & ((share > highest) | (same & last_on))
        found[rows, here] = last_on
        highest, last = np.maximum(highest, share), here
    return found
