"""Theorems 2 to 4 of Köppel et al. (2019), tried where they can be: each construction of their proofs, on many orders.

No finite trial proves a theorem; one order that a construction does not represent would refute its proof.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

__all__ = ["LEVELS", "construct", "kept_properties", "level_distances", "misrepresented", "weak_orders"]

LEVELS: Mapping[str, Callable[[float, NDArray[np.float64]], NDArray[np.float64]]] = {
    "x + 2y": lambda level, y: level - 2 * y,
    "distance from a corner": lambda level, y: np.sqrt(level**2 - y**2),
    "xy": lambda level, y: level / y,
    "x³ + y": lambda level, y: np.cbrt(level - y),
}
"""Orders on the open unit square by a continuous function: x on the line of a level, given y."""

_RANGE = {"x + 2y": 3.0, "distance from a corner": 2**0.5, "xy": 1.0, "x³ + y": 2.0}


def kept_properties(n: int) -> set[str]:
    """Which properties the order by an enumeration has, on the first points of the plane's whole grid: Theorem 2.

    Examples
    --------
    >>> sorted(kept_properties(10))
    ['antisymmetric', 'reflexive', 'transitive']
    """
    # Cantor's enumeration of pairs of numbers is the injective function that the proof asks for.
    points = list(itertools.islice(((s - y, y) for s in itertools.count() for y in range(s + 1)), n))
    g = np.array([(x + y) * (x + y + 1) // 2 + y for x, y in points])
    above = g[:, None] >= g
    kept = {"reflexive"} if above.diagonal().all() else set()
    # The paper calls antisymmetric what others call total: of two documents one ranks at least as high.
    kept |= {"antisymmetric"} if (above | above.T).all() else set()
    broken = above[:, :, None] & above[None, :, :] & ~above[:, None, :]
    return kept | (set() if broken.any() else {"transitive"})


def weak_orders(n: int) -> Iterator[tuple[int, ...]]:
    """All orders of n items with ties, as the place of each item from below.

    Examples
    --------
    >>> list(weak_orders(2))
    [(0, 0), (0, 1), (1, 0)]
    """
    for places in itertools.product(range(n), repeat=n):
        if set(places) == set(range(max(places) + 1)):
            yield places


def construct(places: tuple[int, ...], step: Fraction, between: Fraction) -> list[Fraction]:
    """Scores of items taken one after the other, by the proof of Theorem 3.

    Parameters
    ----------
    places
        Of each item, from below.
    step
        What is added to the highest, or taken from the lowest score.
    between
        What the sum of the two neighbouring scores is divided by.

    Examples
    --------
    >>> [str(g) for g in construct((1, 3, 1, 2), Fraction(1), Fraction(2))]
    ['0', '1', '0', '1/2']
    """
    g: list[Fraction] = []
    for item, place in enumerate(places):
        known = dict(zip(places[:item], g, strict=True))
        below, above = ([p for p in known if p < place], [p for p in known if p > place])
        if place in known:
            g.append(known[place])
        elif not known:
            g.append(Fraction(0))
        elif not above:
            g.append(max(g) + step)
        elif not below:
            g.append(min(g) - step)
        else:
            g.append((known[max(below)] + known[min(above)]) / between)
    return g


def misrepresented(items: int, step: Fraction, between: Fraction) -> tuple[int, int]:
    """How many orders of up to so many items the construction does not represent, and of how many.

    Examples
    --------
    >>> misrepresented(3, Fraction(1), Fraction(2))
    (0, 17)
    """
    wrong = tried = 0
    for n in range(1, items + 1):
        for places in weak_orders(n):
            g = construct(places, step, between)
            pairs = itertools.product(range(n), repeat=2)
            wrong += any((places[i] >= places[j]) != (g[i] >= g[j]) for i, j in pairs)
            tried += 1
    return wrong, tried


def level_distances(order: str, levels: int, lines: int) -> list[float]:
    """Scores of equal steps of an order on the open unit square by the proof of Theorem 4.

    Each is the distance of its level line to that in the middle, negative below it.

    Parameters
    ----------
    order
        A key of `LEVELS`.
    levels, lines
        How many steps of the order, and how many horizontal lines on which a level line's points are found.

    Examples
    --------
    >>> [round(g, 3) for g in level_distances("x + 2y", 4, 1000)]
    [-0.268, 0.0, 0.268, 0.537]
    """
    from scipy.spatial import KDTree

    y = (np.arange(lines) + 0.5) / lines
    sets = []
    for number in range(1, levels + 1):
        with np.errstate(invalid="ignore"):
            x = LEVELS[order](_RANGE[order] * number / (levels + 1), y)
        inside = (x > 0) & (x < 1)
        sets.append(np.column_stack([x[inside], y[inside]]))
    middle = (levels - 1) // 2
    tree = KDTree(sets[middle])
    distances = [float(tree.query(points)[0].min()) for points in sets]
    return [distance if number >= middle else -distance for number, distance in enumerate(distances)]
