"""Records of the trainings behind the chapter on Table 1 of Köppel et al. (2019)."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ltrlib.datasets.container import Source
from ltrlib.datasets.loading import load
from ltrlib.datasets.registry import real_set
from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.papers.koppel2019.table1.methods import METHODS
from ltrlib.papers.koppel2019.table1.protocol import BINARY, GRADED, prepared, random_order
from ltrlib.papers.koppel2019.table1.runs import (
    COMMAND,
    DATASET,
    GRID_COLUMNS,
    OTHERS,
    SAMPLE,
    chosen_specs,
    collapse_specs,
    complete_inner_folds,
    emphasis_specs,
    grid_table,
    other_specs,
    typed,
)
from ltrlib.papers.koppel2019.table1.trainings import FOLDS, MODULES, SEEDS, done
from ltrlib.records.record import Record, write_record

__all__ = [
    "COLLAPSE_COLUMNS",
    "EMPHASIS_COLUMNS",
    "OTHER_COLUMNS",
    "RANDOM_COLUMNS",
    "REFIT_COLUMNS",
    "write_all",
]

_BINARY = {"ndcg": "float", "map": "float"}
_BOTH = _BINARY | {"ndcg_all": "float", "map_all": "float"}
REFIT_COLUMNS = {"chosen_by": "str", "method": "str", "parameters": "str", "fold": "int", "seed": "int"}
REFIT_COLUMNS |= _BOTH | {"seconds": "float"}
REFIT_COLUMNS |= {f"{kind}:{tool}": "float" for kind in ("binary", "graded") for tool in conventions()}
"""Schema of ``koppel2019/refit``: the paper's protocol, all queries with graded labels, and the mean NDCG@10 of either
under every tool's convention; empty where the tool has no gain for the labels."""
COLLAPSE_COLUMNS = {"method": "str", "normalised": "bool", "train": "str", "test": "str", "seed": "int"} | _BINARY
COLLAPSE_COLUMNS |= {f"binary:{tool}": "float" for tool in conventions()}
"""Schema of ``koppel2019/collapse``: networks on rows of MSLR-WEB10K, with and without normalised features."""
OTHER_COLUMNS = {"dataset": "str", "method": "str", "fold": "int"} | _BOTH
"""Schema of ``koppel2019/other``: data that are not the paper's."""
EMPHASIS_COLUMNS = {"dataset": "str", "variant": "str", "fold": "int", "query": "str", "ndcg": "float"}
"""Schema of ``koppel2019/emphasis``: NDCG@10 of each test query, the mean over the seeds."""
RANDOM_COLUMNS = {"dataset": "str", "part": "str", "queries": "int", "kept": "int"} | _BOTH
"""Schema of ``koppel2019/random``: what random orders score, and how many queries have two classes."""


def _rows(specs: Sequence[Mapping[str, Any]], folder: Path | None) -> list[dict[str, Any]]:
    """One row per training that is done."""
    return [
        dict(spec) | result
        for spec, result in zip(specs, done(specs, folder=folder), strict=True)
        if result is not None
    ]


def _refit(folder: Path | None) -> pd.DataFrame:
    rows = []
    for method in METHODS:
        chosen = chosen_specs([method], folder=folder)
        results = done([spec for _, spec in chosen], folder=folder)
        rows += [
            {"chosen_by": by, "parameters": json.dumps(spec["point"])} | spec | (result or {"ndcg": math.nan})
            for (by, spec), result in zip(chosen, results, strict=True)
        ]
    table = pd.DataFrame(rows)
    # Only what has all folds and seeds.
    whole = table.groupby(["method", "chosen_by"])["ndcg"].transform(lambda values: values.notna().all())
    return table[whole.astype(bool)]


def _emphasis(folder: Path | None) -> pd.DataFrame:
    parts = []
    for row in _rows(emphasis_specs(), folder):
        place = {name: row[name] for name in ("dataset", "variant", "fold", "seed")}
        parts.append(pd.DataFrame({"query": row["queries"], "ndcg": row["ndcg"]}).assign(**place))
    whole = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=[*EMPHASIS_COLUMNS, "seed"])
    # A data set counts when all ways to train have all folds and seeds.
    wanted = Counter(spec["dataset"] for spec in emphasis_specs())
    there = whole.groupby("dataset")[["variant", "fold", "seed"]].apply(lambda rows: len(rows.drop_duplicates()))
    complete = [name for name, number in there.items() if number == wanted[str(name)]] if len(whole) else []
    whole = whole[whole["dataset"].isin(complete)]
    return whole.groupby(["dataset", "variant", "fold", "query"], sort=False)["ndcg"].mean().reset_index()


def _random() -> pd.DataFrame:
    rows = []
    for dataset, part in [*((DATASET, f"Fold{fold}/test") for fold in FOLDS), (SAMPLE, "train"), (SAMPLE, "test")]:
        kept, whole = (prepared(dataset, part, transform=False, drop=drop) for drop in (True, False))
        counts = {"queries": whole.n_queries, "kept": kept.n_queries}
        found = random_order(kept, BINARY) | random_order(whole, GRADED)
        rows.append({"dataset": dataset, "part": part} | counts | found)
    return pd.DataFrame(rows)


def write_all(*, folder: Path | None = None, to: Path | None = None) -> Iterator[Record]:
    """Write what is complete of each record.

    Parameters
    ----------
    folder
        Where the trainings are kept.
    to
        Where the records go.
    """
    grid = grid_table(list(METHODS), folder=folder)
    inner = {method: int(number) for method, number in complete_inner_folds(grid).items()}
    collapse = pd.DataFrame(_rows(collapse_specs(), folder))
    others = [spec for name, scale in OTHERS.items() for spec in other_specs(name, scale=scale)]
    other = pd.DataFrame(_rows(others, folder))
    tables: dict[str, tuple[pd.DataFrame, dict[str, str], Sequence[str], Mapping[str, Any], Sequence[int]]] = {
        "grid": (grid, GRID_COLUMNS, [DATASET], {"inner folds": json.dumps(inner)}, [0]),
        "refit": (_refit(folder), REFIT_COLUMNS, [DATASET], {"inner folds": json.dumps(inner)}, list(SEEDS)),
        "collapse": (collapse, COLLAPSE_COLUMNS, [SAMPLE], {}, list(SEEDS)),
        "other": (other, OTHER_COLUMNS, list(OTHERS), {"scales": json.dumps(OTHERS)}, [0]),
        "emphasis": (_emphasis(folder), EMPHASIS_COLUMNS, [], {}, list(SEEDS)),
        "random": (_random(), RANDOM_COLUMNS, [DATASET, SAMPLE], {"orders": 200}, [0]),
    }
    for name, (table, columns, datasets, parameters, seeds) in tables.items():
        if len(table):
            spent = sum(row["seconds"] for row in _rows(emphasis_specs(), folder)) if name == "emphasis" else 0.0
            used = datasets or list(dict.fromkeys(table["dataset"]))
            yield write_record(
                f"koppel2019/{name}",
                typed(table, columns),
                maker=[
                    *MODULES,
                    "ltrlib.papers.koppel2019.table1.methods",
                    "ltrlib.papers.koppel2019.table1.trainings",
                ],
                wall_time=float(table["seconds"].sum()) if "seconds" in table else spent,
                data=[_source(dataset) for dataset in used],
                parameters=parameters,
                seeds=seeds,
                command=f"{COMMAND} {'record' if name == 'random' else name}",
                form="parquet" if name == "emphasis" else "csv",
                folder=to,
            )


def _source(dataset: str) -> Source:
    return load(dataset, next(iter(real_set(dataset).parts)), scale=OTHERS.get(dataset, 1.0)).source
