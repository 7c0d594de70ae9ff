"""Tables 1 and 2 of Köppel et al. (2019), recorded.

``python -m ltrlib.studies.directranker STEP`` does what is not done yet of one step and goes on where it was stopped;
``record`` writes ``data/results/koppel2019/``. Steps: ``grid`` (cross-validation inside each training part, all
points), ``refit`` (the chosen points, five seeds), ``emphasis`` (pairs weighted by the change of NDCG), ``record``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ltrlib.datasets.loading import load
from ltrlib.records import Record, read_record, write_record
from ltrlib.studies.directranker_protocol import METHODS
from ltrlib.studies.directranker_units import FOLDS, INNER, MODULES, SEEDS, VARIANTS, done, run

__all__ = ["EMPHASIS_COLUMNS", "GRID_COLUMNS", "REFIT_COLUMNS", "chosen_points", "complete_inner_folds"]

COMMAND = "python -m ltrlib.studies.directranker"
DATASET, SAMPLE = "mq2008", "mslr-web10k-sample"
EMPHASIS_SETS, EMPHASIS_SEEDS = ("mq2008", "ohsumed", "clueweb09-ltr"), range(3)

_PLACE = {"method": "str", "parameters": "str", "fold": "int"}
_TIME = {"seconds": "float"}
GRID_COLUMNS = _PLACE | {"inner": "int", "ndcg": "float", "map": "float"} | _TIME
"""Schema of ``koppel2019/grid``: one row per point, fold and inner fold."""
REFIT_COLUMNS = {"chosen_by": "str"} | _PLACE | {"seed": "int"}
REFIT_COLUMNS |= dict.fromkeys(("ndcg", "map", "ndcg_all", "map_all"), "float") | _TIME
"""Schema of ``koppel2019/refit``: the paper's protocol, and all queries with graded labels."""
EMPHASIS_COLUMNS = {"dataset": "str", "variant": "str", "fold": "int", "query": "str", "ndcg": "float"}
"""Schema of ``koppel2019/emphasis``: NDCG@10 of each test query, the mean over the seeds."""


def grid_specs(methods: Sequence[str], *, dataset: str = DATASET) -> list[dict[str, Any]]:
    """All trainings of the grid; one inner fold after the other, so that what is done serves all points alike.

    Examples
    --------
    >>> len(grid_specs(["DirectRanker"]))
    750
    """
    return [
        {"job": "grid", "dataset": dataset, "method": method, "point": _plain(point), "fold": fold, "inner": inner}
        for method in methods
        for inner in INNER
        for point in METHODS[method].points
        for fold in FOLDS
    ]


def _plain(point: Any) -> Any:
    return json.loads(json.dumps(point))


def grid_table(methods: Sequence[str], *, dataset: str = DATASET, folder: Path | None = None) -> pd.DataFrame:
    """Results of the grid, as far as all points and folds of an inner fold are done.

    Examples
    --------
    >>> grid_table([]).empty
    True
    """
    tables = [pd.DataFrame(columns=list(GRID_COLUMNS))]
    for method in methods:
        specs = grid_specs([method], dataset=dataset)
        rows = [
            {"method": method, "parameters": json.dumps(spec["point"]), "fold": spec["fold"], "inner": spec["inner"]}
            | (result or {})
            for spec, result in zip(specs, done(specs, folder=folder), strict=True)
        ]
        table = pd.DataFrame(rows, columns=list(GRID_COLUMNS))
        whole = table.groupby("inner")["ndcg"].transform(lambda values: values.notna().all())
        tables.append(table[whole.astype(bool)])
    found = pd.concat([table for table in tables if len(table)], ignore_index=True) if len(tables) > 1 else tables[0]
    return _typed(found, GRID_COLUMNS)


def _typed(table: pd.DataFrame, columns: dict[str, str]) -> pd.DataFrame:
    kinds = {"int": "int64", "float": "float64", "str": "str"}
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


def refit_specs(methods: Sequence[str], *, dataset: str = DATASET, folder: Path | None = None) -> list[dict[str, Any]]:
    """The trainings of the chosen points, once for each metric that chooses.

    Examples
    --------
    >>> refit_specs([])
    []
    """
    return [spec for _, spec in _chosen(methods, dataset, folder)]


def _chosen(methods: Sequence[str], dataset: str, folder: Path | None) -> Iterator[tuple[str, dict[str, Any]]]:
    grid = grid_table(methods, dataset=dataset, folder=folder)
    for by in ("ndcg", "map") if len(grid) else ():
        for row in chosen_points(grid, by).itertuples():
            for seed in SEEDS if METHODS[str(row.method)].seeded else (0,):
                yield (
                    by,
                    {
                        "job": "refit",
                        "dataset": dataset,
                        "method": row.method,
                        "point": json.loads(str(row.parameters)),
                        "fold": row.fold,
                        "seed": seed,
                    },
                )


def emphasis_specs() -> list[dict[str, Any]]:
    """The trainings of all ways to weight pairs.

    Examples
    --------
    >>> len(emphasis_specs())
    225
    """
    return [
        {"job": "emphasis", "dataset": dataset, "variant": variant, "fold": fold, "seed": seed}
        for dataset in EMPHASIS_SETS
        for variant in VARIANTS
        for fold in FOLDS
        for seed in EMPHASIS_SEEDS
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


def main(argv: Sequence[str] | None = None) -> int:
    """Do a step."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("step", choices=("grid", "refit", "emphasis", "collapse"))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS), help="default: all")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no training later than this")
    args = parser.parse_args(argv)
    specs = {
        "grid": lambda: grid_specs(args.methods),
        "refit": lambda: refit_specs(args.methods),
        "emphasis": emphasis_specs,
        "collapse": collapse_specs,
    }[args.step]()
    left = run(specs, minutes=args.minutes)
    print(f"{len(specs) - left} of {len(specs)} trainings done")
    return 0


if __name__ == "__main__":
    sys.exit(main())
