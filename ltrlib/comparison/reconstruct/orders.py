"""Orders of the methods on each data set that give every winning number, found by annealing and sampled.

Which methods have results where must be known. On each data set the methods are then put into a weak order. A method
wins against whatever stands strictly below it, so the order alone decides its wins there; over all data sets they
must add up to its winning number. There are usually very many such orders: a single one says nothing about what
really happened, so they come in samples.

How many pairs are tied over all data sets follows from the sums. Ties are placed as single pairs of neighbours (no
three methods tie), anywhere at random.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.comparison.reconstruct.annealing import anneal
from ltrlib.errors import UsageError
from ltrlib.progress import progress

__all__ = ["sample_orders"]

Integers = NDArray[np.int64]


def sample_orders(
    targets: pd.DataFrame,
    presence: pd.DataFrame,
    *,
    known_orders: pd.DataFrame | None = None,
    samples: int,
    seed: int = 0,
    steps: int = 5_000_000,
) -> pd.DataFrame:
    """Draw orders of one metric that give every winning number.

    Parameters
    ----------
    targets
        Columns method, lowest_wn, highest_wn: what each method's wins must add up to. Where the two differ, each
        sample draws one of the numbers that the other methods leave possible.
    presence
        Columns method, dataset: who has a result where.
    known_orders
        Columns dataset, better, worse: pairs whose order is known; pairs that are not both present are an error.
    samples
        How many to draw, each from a random start of its own.
    seed
        Start of the random numbers; the same seed gives the same samples.
    steps
        Length of one annealing; longer ones spread more evenly over the possible orders.

    Returns
    -------
    pandas.DataFrame
        Columns sample, dataset, method, wins.

    Examples
    --------
    >>> targets = pd.DataFrame({"method": ["A", "B"], "lowest_wn": [1, 0], "highest_wn": [1, 0]})
    >>> presence = pd.DataFrame({"method": ["A", "B"], "dataset": "TD2003"})
    >>> print(sample_orders(targets, presence, samples=1, steps=100).to_string(index=False))
     sample dataset method  wins
          0  TD2003      B     0
          0  TD2003      A     1
    """
    puzzle = _Puzzle.of(targets, presence, known_orders)
    random = np.random.default_rng(seed)
    drawn = [puzzle.draw(random, steps) for _ in progress(range(samples), what="sampling orders", unit="sample")]
    cells = puzzle.dataset_of_cell.size
    order = np.concatenate([order for order, _ in drawn]) if drawn else np.zeros(0, dtype=np.int64)
    return pd.DataFrame(
        {
            "sample": np.repeat(np.arange(samples), cells),
            "dataset": np.tile(puzzle.datasets[puzzle.dataset_of_cell], samples),
            "method": puzzle.methods[order],
            "wins": np.concatenate([wins for _, wins in drawn]) if drawn else order,
        }
    )


@dataclass(frozen=True, eq=False)
class _Puzzle:
    """One metric in numbers. A data set's methods are neighbouring cells, from its first to the next one's."""

    methods: NDArray[np.object_]
    datasets: NDArray[np.object_]
    members: Integers
    firsts: Integers
    dataset_of_cell: Integers
    lowest: Integers
    highest: Integers
    facts: Integers
    first_facts: Integers

    @classmethod
    def of(cls, targets: pd.DataFrame, presence: pd.DataFrame, known_orders: pd.DataFrame | None) -> _Puzzle:
        methods, datasets = targets["method"].to_numpy(dtype=object), presence["dataset"].unique()
        number = {name: i for i, name in enumerate(methods)}
        place = {name: i for i, name in enumerate(datasets)}
        pairs = sorted((place[d], number[m]) for m, d in zip(presence["method"], presence["dataset"], strict=True))
        cells = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        facts = []
        if known_orders is not None:
            present = set(pairs)
            for row in known_orders[["dataset", "better", "worse"]].itertuples(index=False):
                dataset, better, worse = (str(name) for name in row)
                fact = place.get(dataset, -1), number.get(better, -1), number.get(worse, -1)
                if not {fact[:2], (fact[0], fact[2])} <= present:
                    raise UsageError(f"{better} or {worse} has no result on {dataset}", where="known_orders")
                facts.append(fact)
        fact_table = np.array(sorted(facts), dtype=np.int64).reshape(-1, 3)
        edges = np.arange(len(datasets) + 1)
        return cls(
            methods=methods,
            datasets=np.asarray(datasets, dtype=object),
            members=cells[:, 1].copy(),
            firsts=np.searchsorted(cells[:, 0], edges),
            dataset_of_cell=cells[:, 0].copy(),
            lowest=targets["lowest_wn"].to_numpy(dtype=np.int64),
            highest=targets["highest_wn"].to_numpy(dtype=np.int64),
            facts=fact_table,
            first_facts=np.searchsorted(fact_table[:, 0], edges),
        )

    def draw(self, random: np.random.Generator, steps: int) -> tuple[Integers, Integers]:
        """Return one exact solution: the cells' methods, from worst to best within each data set, and their wins."""
        for _ in range(100):
            wanted, tied = self._random_targets(random)
            order = self.members.copy()
            for begin, end in zip(self.firsts, self.firsts[1:], strict=False):
                random.shuffle(order[begin:end])
            below = np.arange(order.size)
            below[tied] -= 1
            if anneal(
                random,
                steps,
                order,
                below,
                self.firsts,
                self.dataset_of_cell,
                wanted,
                self.facts,
                self.first_facts,
            ):
                return order, below - self.firsts[self.dataset_of_cell]
        raise UsageError(
            "no orders found that give the winning numbers", where="targets", cure="check them, or raise steps"
        )

    def _random_targets(self, random: np.random.Generator) -> tuple[Integers, Integers]:
        """Choose the winning numbers where they are not fixed, and the cells that tie with the one below."""
        sizes = np.diff(self.firsts)
        pairs = int((sizes * (sizes - 1) // 2).sum())
        if self.lowest.sum() > pairs:
            raise UsageError(
                f"{self.lowest.sum()} wins do not fit into {pairs} comparisons", where="targets", cure="check the sums"
            )
        wanted = random.integers(self.lowest, self.highest + 1)
        while wanted.sum() > pairs:
            wanted = random.integers(self.lowest, self.highest + 1)
        free = np.setdiff1d(np.arange(self.members.size), self.firsts)
        tied: list[int] = []
        for _ in range(pairs - int(wanted.sum())):
            free = free[~np.isin(free, [cell + step for cell in tied[-1:] for step in (-1, 0, 1)])]
            if free.size == 0:
                raise UsageError("more ties than pairs of neighbours", where="targets", cure="check the sums")
            tied.append(int(random.choice(free)))
        return wanted, np.array(tied, dtype=np.int64)
