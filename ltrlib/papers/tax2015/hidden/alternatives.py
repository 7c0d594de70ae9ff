"""How far the reconstruction of Table B.6 of Tax et al. (2015) hangs on what was put into it.

Two inputs are not in the paper: how many methods were compared on each data set, and which row of NDCG@10 is wrong.
``python -m ltrlib.papers.tax2015.hidden.alternatives`` tries others, in about a minute, and records

- ``sizes-tried``: metric, moved, relabels, tried, fit: how many other sizes of the data sets were tried, with that many
  methods moved from some data sets to others, and how many of them admit a presence. Sizes that only exchange those
  of two data sets (``relabels``) are counted for themselves;
- ``sizes-that-fit``: metric, moved, relabels, change, presences: those that do, and how many presences they admit;
- ``rows-in-doubt``: method, wn, iwn, datasets, presences: how many presences there are if this row of NDCG@10, and no
  other, is wrong. The sizes tell by how much: the sums of all rows exceed what they allow by so many data sets and
  comparisons, and by so many wins at least.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import pandas as pd

from ltrlib.comparison.reconstruct.counting import presence_space
from ltrlib.comparison.reconstruct.presence_model import PresencePuzzle
from ltrlib.papers.tax2015.hidden.puzzle import IMPOSSIBLE_ROW, METRICS
from ltrlib.papers.tax2015.hidden.sampling import options_of, puzzle_of_metric
from ltrlib.progress import progress
from ltrlib.project import project_data
from ltrlib.records.record import write_record

__all__ = ["corrected", "count_if_possible", "sizes_with_equal_sums", "surplus"]

_MODULES = [
    "ltrlib.comparison.reconstruct.counting",
    "ltrlib.comparison.reconstruct.whole_numbers",
    "ltrlib.papers.tax2015.hidden.alternatives",
    "ltrlib.papers.tax2015.hidden.puzzle",
    "ltrlib.papers.tax2015.hidden.sampling",
]


def sizes_with_equal_sums(sizes: Mapping[str, int], *, moved: int) -> list[dict[str, int]]:
    """Move methods between data sets such that the number of results and the number of comparisons stay the same.

    Both sums are printed, so no other sizes are possible. Moving one method never does but for exchanging two sizes
    that differ by one: the sum of squares would change.

    Parameters
    ----------
    sizes
        Number of methods of each data set.
    moved
        How many methods leave some data sets for others; sizes that fewer would reach are not given again.

    Examples
    --------
    >>> sizes_with_equal_sums({"a": 2, "b": 5, "c": 5}, moved=1)
    []
    >>> sizes_with_equal_sums({"a": 2, "b": 3, "c": 6}, moved=1)
    [{'a': 3, 'b': 2, 'c': 6}]
    """
    names, squares = list(sizes), sum(number**2 for number in sizes.values())
    found = []
    for joined in combinations_with_replacement(names, moved):
        for left in combinations_with_replacement(names, moved):
            if set(joined) & set(left):
                continue
            changed = dict(sizes)
            for name in joined:
                changed[name] += 1
            for name in left:
                changed[name] -= 1
            if min(changed.values()) > 0 and sum(number**2 for number in changed.values()) == squares:
                found.append(changed)
    return found


def count_if_possible(puzzle: PresencePuzzle) -> int:
    """Count the presences of a puzzle, at once where some row cannot have its numbers whatever the others have.

    Parameters
    ----------
    puzzle
        As `ltrlib.comparison.reconstruct.counting.presence_space` takes it.

    Examples
    --------
    >>> targets = pd.DataFrame({"method": ["A", "B"], "option": 0, "metric": "MAP", "iwn": 1, "datasets": 1})
    >>> sizes = pd.DataFrame({"metric": "MAP", "dataset": ["d"], "methods": [2]})
    >>> puzzles = [PresencePuzzle(targets.assign(iwn=iwn), sizes) for iwn in (1, 2)]
    >>> [count_if_possible(puzzle) for puzzle in puzzles]
    [1, 0]
    """
    size = dict(zip(puzzle.sizes["dataset"], map(int, puzzle.sizes["methods"]), strict=True))
    needed: dict[str, set[str]] = {}
    for method, dataset in zip(puzzle.facts["method"], puzzle.facts["dataset"], strict=True):
        needed.setdefault(str(method), set()).add(str(dataset))
    sums: dict[frozenset[str], set[tuple[int, int]]] = {}
    for method, metric, *numbers in puzzle.targets[["method", "metric", "iwn", "datasets"]].itertuples(index=False):
        here = frozenset(needed.get(method, ()))
        if here not in sums:
            sums[here] = _sums(size, here)
        if (method, metric) not in puzzle.released and tuple(numbers) not in sums[here]:
            return 0
    return presence_space(puzzle).count


def _sums(size: Mapping[str, int], needed: frozenset[str]) -> set[tuple[int, int]]:
    """Every pair of comparisons and number of data sets that some choice of data sets gives."""
    reached = {(0, 0)}
    for dataset, methods in size.items():
        with_it = {(iwn + methods - 1, datasets + 1) for iwn, datasets in reached}
        reached = with_it if dataset in needed else reached | with_it
    return reached


def surplus(puzzle: PresencePuzzle) -> tuple[int, int]:
    """By how much the rows of a puzzle exceed what the sizes allow: comparisons, and data sets.

    Parameters
    ----------
    puzzle
        The puzzle of one metric, each method with one option.

    Examples
    --------
    >>> targets = pd.DataFrame({"method": ["A", "B"], "option": 0, "metric": "MAP", "iwn": [1, 4], "datasets": [1, 2]})
    >>> sizes = pd.DataFrame({"metric": "MAP", "dataset": ["d"], "methods": [2]})
    >>> surplus(PresencePuzzle(targets, sizes))
    (3, 1)
    """
    sizes = puzzle.sizes["methods"].astype(int)
    comparisons, datasets = (int(puzzle.targets[name].sum()) for name in ("iwn", "datasets"))
    return comparisons - int((sizes * (sizes - 1)).sum()), datasets - int(sizes.sum())


def corrected(puzzle: PresencePuzzle, method: str) -> PresencePuzzle:
    """Take what is too much in all rows together out of one row, and demand every row.

    Parameters
    ----------
    puzzle
        The puzzle of one metric, each method with one option.
    method
        The row that is taken for wrong.

    Examples
    --------
    >>> options = options_of(pd.read_csv(project_data("results", "tax2015", "published-rows.csv")))
    >>> puzzle = corrected(puzzle_of_metric("NDCG@10", options), "AdaRank-MAP")
    >>> puzzle.targets.set_index("method").loc[["AdaRank-MAP", "ListNet"], ["iwn", "datasets"]].to_numpy().tolist()
    [[224, 12], [224, 12]]
    """
    targets = puzzle.targets.copy()
    targets.loc[targets["method"] == method, ["iwn", "datasets"]] -= np.array(surplus(puzzle))
    return replace(puzzle, targets=targets, released=frozenset())


def main(argv: Sequence[str] | None = None) -> int:
    """Try and record."""
    parser = argparse.ArgumentParser(prog="python -m ltrlib.papers.tax2015.hidden.alternatives", description=__doc__)
    parser.add_argument("--moved", type=int, default=2, help="at most so many methods moved (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=project_data("results"), help="where to record")
    args = parser.parse_args(argv)
    published = pd.read_csv(Path(args.folder) / "tax2015" / "published-rows.csv")
    options = options_of(published)
    begin = time.monotonic()

    def record(name: str, table: pd.DataFrame) -> None:
        write_record(
            f"tax2015/{name}",
            table,
            maker=_MODULES,
            wall_time=time.monotonic() - begin,
            parameters={"moved": args.moved},
            command="python -m ltrlib.papers.tax2015.hidden.alternatives",
            folder=args.folder,
        )
        print(f"{time.monotonic() - begin:7.1f} s  {name}: {len(table)} rows", flush=True)

    tried = pd.concat([_try_sizes(metric, options, args.moved) for metric in METRICS.values()], ignore_index=True)
    fits = tried["presences"] > 0
    summary = tried.assign(fit=fits.astype(int)).groupby(["metric", "moved", "relabels"], sort=False)["fit"]
    record("sizes-tried", summary.agg(tried="size", fit="sum").reset_index())
    record("sizes-that-fit", tried[fits].reset_index(drop=True))
    rows = published[published["metric"] == IMPOSSIBLE_ROW[1]].drop(columns="metric").reset_index(drop=True)
    puzzle = puzzle_of_metric(IMPOSSIBLE_ROW[1], options)
    methods = progress(rows["method"].tolist(), what="doubting rows", unit="row")
    record("rows-in-doubt", rows.assign(presences=[count_if_possible(corrected(puzzle, name)) for name in methods]))
    return 0


def _try_sizes(metric: str, options: dict[str, int], most_moved: int) -> pd.DataFrame:
    # Only in the metric of the impossible row do the rows exceed the sizes.
    puzzle = corrected(puzzle_of_metric(metric, options), IMPOSSIBLE_ROW[0])
    datasets = puzzle.sizes["dataset"].tolist()
    sizes = dict(zip(datasets, map(int, puzzle.sizes["methods"]), strict=True))
    seen = {tuple(sizes.values())}
    rows = []
    for moved in range(1, most_moved + 1):
        others = sizes_with_equal_sums(sizes, moved=moved)
        for changed in progress(others, what=f"trying sizes of {metric}", unit="try"):
            numbers = tuple(changed.values())
            if numbers in seen:
                continue
            seen.add(numbers)
            count = count_if_possible(replace(puzzle, sizes=puzzle.sizes.assign(methods=list(numbers))))
            change = ", ".join(f"{d} {sizes[d]} → {n}" for d, n in changed.items() if n != sizes[d])
            rows.append((metric, moved, sorted(numbers) == sorted(sizes.values()), change, count))
    return pd.DataFrame(rows, columns=["metric", "moved", "relabels", "change", "presences"])


if __name__ == "__main__":
    sys.exit(main())
