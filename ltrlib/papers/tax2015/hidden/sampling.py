"""Sample the hidden results behind Table B.6 of Tax et al. (2015) anew, each sample with a presence of its own.

The record ``orders`` varies the orders on one presence. There are many presences, so
``python -m ltrlib.papers.tax2015.hidden.sampling`` draws one for each sample, every presence with the same probability,
and then one set of orders on it. It takes about a second per sample and metric, some seven minutes for 100 samples, and
records ``orders-varied`` with the columns of ``orders``: sample, metric, dataset, method, wins.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from ltrlib.comparison.reconstruct.check import check_orders, check_presence
from ltrlib.comparison.reconstruct.counting import PresenceSpace, presence_space
from ltrlib.comparison.reconstruct.orders import sample_orders
from ltrlib.comparison.reconstruct.presence import Presence, PresencePuzzle
from ltrlib.papers.tax2015.hidden.puzzle import (
    IMPOSSIBLE_ROW,
    METRICS,
    known_orders,
    presence_puzzle,
    row_options,
    win_targets,
)
from ltrlib.project import project_data
from ltrlib.records.record import write_record

__all__ = ["check_varied", "options_of", "puzzle_of_metric"]

_MODULES = [
    "ltrlib.comparison.reconstruct.annealing",
    "ltrlib.comparison.reconstruct.counting",
    "ltrlib.comparison.reconstruct.orders",
    "ltrlib.comparison.reconstruct.whole_numbers",
    "ltrlib.papers.tax2015.hidden.puzzle",
    "ltrlib.papers.tax2015.hidden.sampling",
]


def puzzle_of_metric(metric: str, options: dict[str, int] | None = None) -> PresencePuzzle:
    """Reduce the puzzle of Table B.6 to one metric.

    Parameters
    ----------
    metric
        NDCG@3, NDCG@5, NDCG@10 or MAP.
    options
        The option of each method; all of them are left open if not given.

    Examples
    --------
    >>> puzzle_of_metric("MAP").released, len(puzzle_of_metric("NDCG@10").released)
    (frozenset(), 1)
    """
    puzzle = presence_puzzle()
    targets = puzzle.targets[puzzle.targets["metric"] == metric]
    if options is not None:
        chosen = [options[m] == o for m, o in zip(targets["method"], targets["option"], strict=True)]
        targets = targets[chosen]
    return replace(
        puzzle,
        targets=targets,
        sizes=puzzle.sizes[puzzle.sizes["metric"] == metric],
        facts=puzzle.facts[puzzle.facts["metric"] == metric],
        released=frozenset({IMPOSSIBLE_ROW} if IMPOSSIBLE_ROW[1] == metric else ()),
    )


def options_of(published: pd.DataFrame) -> dict[str, int]:
    """Find the option of each method that a recorded table of whole numbers holds.

    Parameters
    ----------
    published
        Columns method, metric, wn, iwn, datasets.

    Examples
    --------
    >>> rows = row_options()
    >>> options_of(rows[rows["option"] == 0].drop(columns="option"))["ListMLE"]
    0
    """
    columns = ["method", "metric", "wn", "iwn", "datasets"]
    wanted = {
        str(method): set(part.itertuples(index=False, name=None))
        for method, part in published[columns].groupby("method")
    }
    return {
        str(method): int(str(option))
        for (method, option), part in row_options().groupby(["method", "option"])
        if set(part[columns].itertuples(index=False, name=None)) == wanted.get(str(method))
    }


def check_varied(published: Path, orders: pd.DataFrame, *, known: Path) -> list[str]:
    """Have the independent checker look at samples that have a presence of their own, one after the other.

    Parameters
    ----------
    published, known
        Files as the checker takes them.
    orders
        Columns sample, metric, dataset, method, wins.

    Examples
    --------
    >>> folder = project_data("results", "tax2015")
    >>> orders = pd.read_parquet(folder / "orders.parquet", filters=[("sample", "==", 0)])
    >>> check_varied(folder / "published-rows.csv", orders, known=folder / "known-orders.csv")
    []
    """
    problems = []
    with tempfile.TemporaryDirectory() as name:
        presence, sample_file = Path(name, "presence.csv"), Path(name, "orders.csv")
        for _, sample in orders.groupby("sample"):
            sample[["method", "metric", "dataset"]].to_csv(presence, index=False)
            sample.to_csv(sample_file, index=False)
            problems += check_presence(published, presence, except_for=[IMPOSSIBLE_ROW])
            problems += check_orders(published, presence, sample_file, known_orders=known, except_for=[IMPOSSIBLE_ROW])
    return problems


def main(argv: Sequence[str] | None = None) -> int:
    """Draw, record, check; return 1 if the check finds a contradiction."""
    parser = argparse.ArgumentParser(prog="python -m ltrlib.papers.tax2015.hidden.sampling", description=__doc__)
    parser.add_argument("--samples", type=int, default=100, help="samples per metric (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="start of the random numbers (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=project_data("results"), help="where to record")
    args = parser.parse_args(argv)
    begin = time.monotonic()
    published = Path(args.folder) / "tax2015" / "published-rows.csv"
    options = options_of(pd.read_csv(published))
    drawn = []
    for metric in METRICS.values():
        space = presence_space(puzzle_of_metric(metric, options))
        drawn.append(_draw(space, options, args.samples, args.seed).assign(metric=metric))
        print(f"{time.monotonic() - begin:7.1f} s  {metric}: {space.count:,} presences", flush=True)
    orders = pd.concat(drawn)[["sample", "metric", "dataset", "method", "wins"]]
    orders = orders.sort_values("sample", kind="stable", ignore_index=True)
    write_record(
        "tax2015/orders-varied",
        orders,
        maker=_MODULES,
        wall_time=time.monotonic() - begin,
        parameters={"samples": args.samples},
        seeds=[args.seed],
        command="python -m ltrlib.papers.tax2015.hidden.sampling",
        form="parquet",
        folder=args.folder,
    )
    problems = check_varied(published, orders, known=published.with_name("known-orders.csv"))
    print("\n".join(problems) or f"{time.monotonic() - begin:7.1f} s  the check finds no contradiction", flush=True)
    return 1 if problems else 0


def _draw(space: PresenceSpace, options: dict[str, int], samples: int, seed: int) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    orders = known_orders()
    known = orders[orders["metric"] == space.metric]
    drawn = []
    for sample in range(samples):
        cells = space.draw(random)
        targets = win_targets(Presence(cells, options, frozenset(), proved=True), space.metric)
        one = sample_orders(targets, cells, known_orders=known, samples=1, seed=int(random.integers(2**31)))
        drawn.append(one.assign(sample=sample))
    return pd.concat(drawn, ignore_index=True)


if __name__ == "__main__":
    sys.exit(main())
