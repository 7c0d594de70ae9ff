"""The recorded tables behind Tables 1 and 2 of Köppel et al. (2019)."""

from __future__ import annotations

from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.records.record import Table

__all__ = ["COLLAPSE", "EMPHASIS", "GRID", "OTHER", "RANDOM", "REFIT", "TIMES"]

_RUNS = "ltrlib.papers.koppel2019.table1.runs"
_BINARY = {"ndcg": "float", "map": "float"}
_BOTH = _BINARY | {"ndcg_all": "float", "map_all": "float"}

GRID = Table(
    "koppel2019/grid",
    {"method": "str", "parameters": "str", "fold": "int", "inner": "int"} | _BINARY | {"seconds": "measured"},
    maker=f"{_RUNS}:GRID",
)
"""Every point of every method on each inner fold of each training part of MQ2008."""

REFIT = Table(
    "koppel2019/refit",
    {"chosen_by": "str", "method": "str", "parameters": "str", "fold": "int", "seed": "int"}
    | _BOTH
    | {"seconds": "measured"}
    | {f"{kind}:{tool}": "float" for kind in ("binary", "graded") for tool in conventions()},
    maker=f"{_RUNS}:REFIT",
)
"""The chosen points, trained on whole training parts: the paper's protocol, all queries with graded labels, and the
mean NDCG@10 of either under every tool's convention; empty where the tool has no gain for the labels."""

EMPHASIS = Table(
    "koppel2019/emphasis",
    {"dataset": "str", "variant": "str", "fold": "int", "query": "str", "ndcg": "float"},
    maker=f"{_RUNS}:EMPHASIS",
    form="parquet",
)
"""NDCG@10 of each test query for each way to weight pairs, the mean over the seeds."""

COLLAPSE = Table(
    "koppel2019/collapse",
    {"method": "str", "normalised": "bool", "train": "str", "test": "str", "seed": "int"}
    | _BINARY
    | {f"binary:{tool}": "float" for tool in conventions()},
    maker=f"{_RUNS}:COLLAPSE",
)
"""Networks on rows of MSLR-WEB10K, with and without normalised features."""

OTHER = Table("koppel2019/other", {"dataset": "str", "method": "str", "fold": "int"} | _BOTH, maker=f"{_RUNS}:OTHER")
"""Every method at its first point, on data that the paper does not have."""

RANDOM = Table(
    "koppel2019/random",
    {"dataset": "str", "part": "str", "queries": "int", "kept": "int"} | _BOTH,
    maker=f"{_RUNS}:RANDOM",
)
"""What random orders score, and how many queries have two classes."""

TIMES = Table(
    "koppel2019/times",
    {"method": "str", "settings": "str", "work": "str"}
    | {"cpu_seconds": "measured", "wall_seconds": "measured", "peak_gb": "measured"},
    maker=f"{_RUNS}:TIMES",
)
"""How long each method trains on data of the size of one MSLR-WEB10K fold, on one thread; the peak is that of the
process up to then."""
