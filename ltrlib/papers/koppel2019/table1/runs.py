"""Tables 1 and 2 of Köppel et al. (2019), recorded.

``python -m ltrlib.papers.koppel2019.table1.runs STEP`` does what is not done yet of one step and goes on where it was
stopped; ``record`` writes ``data/results/koppel2019/``. Steps: ``grid`` (cross-validation inside each training part,
then ``refit``), ``refit`` (the chosen points with five seeds on the whole training part), ``emphasis`` (pairs weighted
by the change of NDCG), ``collapse`` (features without normalisation), ``other`` (other data), ``record``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ltrlib.papers.koppel2019.table1.methods import METHODS, VARIANTS
from ltrlib.papers.koppel2019.table1.trainings import FOLDS, INNER, SEEDS, done, run

__all__ = [
    "COMMAND", "GRID_COLUMNS", "chosen_points", "chosen_specs", "collapse_specs", "complete_inner_folds",
    "emphasis_specs", "grid_specs", "grid_table", "other_specs", "typed",
]  # fmt: skip

COMMAND = "python -m ltrlib.papers.koppel2019.table1.runs"
DATASET, SAMPLE = "mq2008", "mslr-web10k-sample"
EMPHASIS_SETS = ("mq2008", "ohsumed", "clueweb09-ltr")

OTHERS = {"standin/mq2007": 1.0, "standin/mslr": 0.03, SAMPLE: 1.0}
"""What the table of data that are not the paper's is made of, and the size of each."""

_PLACE = {"method": "str", "parameters": "str", "fold": "int"}
GRID_COLUMNS = _PLACE | {"inner": "int", "ndcg": "float", "map": "float", "seconds": "float"}
"""Schema of ``koppel2019/grid``: one row per point, fold and inner fold."""


def grid_specs(
    methods: Sequence[str], *, dataset: str = DATASET, inner_folds: Sequence[int] = INNER, units: Sequence[int] = ()
) -> list[dict[str, Any]]:
    """Trainings of the grid; one inner fold after the other and small networks first, so that any part serves.

    Parameters
    ----------
    methods, dataset
        Rows of the table, and the data set.
    inner_folds
        Which of them.
    units
        Only networks with a hidden layer of these sizes.

    Examples
    --------
    >>> len(grid_specs(["DirectRanker"]))
    750
    """
    return [
        {"job": "grid", "dataset": dataset, "method": method, "point": _plain(point), "fold": fold, "inner": inner}
        for method in methods
        for inner in inner_folds
        for point in sorted(METHODS[method].points, key=lambda point: point.get("hidden", (0,)))
        if not units or point.get("hidden", (0,))[0] in units
        for fold in FOLDS
    ]


def _plain(point: Any) -> Any:
    return json.loads(json.dumps(point))


def grid_table(methods: Sequence[str], *, dataset: str = DATASET, folder: Path | None = None) -> pd.DataFrame:
    """Results of the grid: the largest block of points and inner folds that is complete over all folds.

    Examples
    --------
    >>> grid_table([]).empty
    True
    """
    found: list[dict[str, Any]] = []
    for method in methods:
        specs = grid_specs([method], dataset=dataset)
        rows = [
            {"method": method, "parameters": json.dumps(spec["point"]), "fold": spec["fold"], "inner": spec["inner"]}
            | result
            for spec, result in zip(specs, done(specs, folder=folder), strict=True)
            if result is not None
        ]
        found += _largest_block(rows)
    return typed(pd.DataFrame(found, columns=list(GRID_COLUMNS)), GRID_COLUMNS)


def _largest_block(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of the results on inner folds 1 to k those of points that are complete; k such that most are left."""
    folds = Counter((row["parameters"], row["inner"]) for row in rows)
    best: list[dict[str, Any]] = []
    for k in INNER:
        whole = {p for p, _ in folds if all(folds[p, inner] == len(FOLDS) for inner in range(1, k + 1))}
        block = [row for row in rows if row["inner"] <= k and row["parameters"] in whole]
        best = max(best, block, key=len)
    return best


def typed(table: pd.DataFrame, columns: dict[str, str]) -> pd.DataFrame:
    """The columns of a record, in order and of the kinds that it declares.

    Examples
    --------
    >>> typed(pd.DataFrame({"b": [1], "a": [2]}), {"a": "float"}).values.tolist()
    [[2.0]]
    """
    kinds = {"int": "int64", "float": "float64", "str": "str", "bool": "bool"}
    return table[list(columns)].astype({name: kinds[kind] for name, kind in columns.items()}).reset_index(drop=True)


def complete_inner_folds(grid: pd.DataFrame) -> pd.Series:
    """Number of inner folds that each method was chosen on.

    Examples
    --------
    >>> complete_inner_folds(pd.DataFrame({"method": ["A", "A"], "inner": [1, 2]})).to_dict()
    {'A': 2}
    """
    return grid.groupby("method", sort=False)["inner"].nunique()


def chosen_points(grid: pd.DataFrame, by: str) -> pd.DataFrame:
    """The point with the best mean over the inner folds, for each method and fold; of equals the first.

    Parameters
    ----------
    grid
        The table of the grid.
    by
        ``"ndcg"``, as in the authors' code for both columns, or ``"map"``, as the paper says for the other.

    Examples
    --------
    >>> grid = pd.DataFrame({"method": "A", "fold": 1, "parameters": ["{}", "{}", "[]", "[]"], "ndcg": [1, 2, 2, 3.0]})
    >>> chosen_points(grid, "ndcg").values.tolist()
    [['A', 1, '[]', 2.5]]
    """
    means = grid.groupby(["method", "fold", "parameters"], sort=False)[by].mean().reset_index()
    best = means.groupby(["method", "fold"], sort=False)[by].idxmax()
    return means.loc[best].reset_index(drop=True)


def chosen_specs(
    methods: Sequence[str], *, dataset: str = DATASET, folder: Path | None = None
) -> list[tuple[str, dict[str, Any]]]:
    """The trainings of the points that the grid chose, with the metric that chose; without a grid, of the first point.

    Examples
    --------
    >>> len(chosen_specs(["AdaRank"], folder=Path("none")))
    5
    """
    grid = grid_table(methods, dataset=dataset, folder=folder)
    without = [name for name in methods if not (grid["method"] == name).any()]
    points = [("nothing", name, _plain(METHODS[name].points[0]), fold) for name in without for fold in FOLDS]
    for by in ("ndcg", "map") if len(grid) else ():
        chosen = chosen_points(grid, by)
        points += [
            (by, str(row.method), json.loads(str(row.parameters)), int(str(row.fold))) for row in chosen.itertuples()
        ]
    return [
        (by, {"job": "refit", "dataset": dataset, "method": name, "point": point, "fold": fold, "seed": seed})
        for by, name, point, fold in points
        for seed in (SEEDS if METHODS[name].seeded else (0,))
    ]


def emphasis_specs() -> list[dict[str, Any]]:
    """The trainings of all ways to weight pairs.

    Examples
    --------
    >>> len(emphasis_specs())
    375
    """
    return [
        {"job": "emphasis", "dataset": dataset, "variant": variant, "fold": fold, "seed": seed}
        for dataset in EMPHASIS_SETS
        for variant in VARIANTS
        for fold in FOLDS
        for seed in SEEDS
    ]


def collapse_specs() -> list[dict[str, Any]]:
    """The trainings on rows of MSLR with and without normalisation, in both directions.

    Examples
    --------
    >>> len(collapse_specs())
    60
    """
    return [
        {"job": "collapse", "dataset": SAMPLE, "method": method, "normalised": alike, "seed": seed}
        | {"train": train, "test": test}
        for method in ("RankNet", "ListNet", "DirectRanker")
        for alike in (False, True)
        for train, test in (("train", "test"), ("test", "train"))
        for seed in SEEDS
    ]


def other_specs(dataset: str, *, folds: Sequence[int] = (1,), scale: float = 1.0) -> list[dict[str, Any]]:
    """The first point of each method on any data set.

    Examples
    --------
    >>> [spec["method"] for spec in other_specs("standin/mq2007")]
    ['DirectRanker', 'RankNet', 'ListNet', 'LambdaMART', 'AdaRank']
    """
    return [
        {"job": "other", "dataset": dataset, "method": method, "fold": fold, "scale": scale}
        for method in METHODS
        for fold in folds
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Do a step."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("step", choices=("grid", "refit", "emphasis", "collapse", "other", "record"))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS), help="default: all")
    parser.add_argument("--inner", nargs="+", type=int, default=INNER, help="inner folds of the grid; default: all")
    parser.add_argument("--units", nargs="+", type=int, default=(), help="hidden units in the grid; default: all")
    parser.add_argument("--datasets", nargs="+", default=EMPHASIS_SETS, help="of the weighted pairs; default: all")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no training later than this")
    args = parser.parse_args(argv)
    if args.step == "record":
        from ltrlib.papers.koppel2019.table1.records import write_all

        for record in write_all():
            print(record.describe())
        return 0
    choices: dict[str, Callable[[], list[dict[str, Any]]]] = {
        "grid": lambda: grid_specs(args.methods, inner_folds=args.inner, units=args.units),
        "refit": lambda: [spec for _, spec in chosen_specs(args.methods)],
        "emphasis": lambda: [spec for spec in emphasis_specs() if spec["dataset"] in args.datasets],
        "collapse": collapse_specs,
        "other": lambda: [spec for name, scale in OTHERS.items() for spec in other_specs(name, scale=scale)],
    }
    specs = choices[args.step]()
    # What the grid chooses is worth little without its result on the test parts: a third of the time is for that.
    left = run(specs, minutes=args.minutes * (2 / 3 if args.step == "grid" else 1))
    print(f"{len(specs) - left} of {len(specs)} trainings done")
    if args.step == "grid":
        run([spec for _, spec in chosen_specs(args.methods)], minutes=args.minutes / 3)
    return 0


if __name__ == "__main__":
    sys.exit(main())
