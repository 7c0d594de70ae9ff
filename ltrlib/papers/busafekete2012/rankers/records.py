"""The recorded tables of the rankers: quality beside RankLib's, ListNet's curves, and speed."""

from __future__ import annotations

from ltrlib.records.record import Table

__all__ = ["DEFAULTS", "GROWTH", "LARGE", "LISTNET", "METRIC", "PEERS"]

METRIC = "ndcg@10:ranklib"
"""What is optimised, and what the test part is scored with."""

_RUNS = "ltrlib.papers.busafekete2012.rankers.runs"

DEFAULTS = Table(
    "busafekete2012/ranklib-defaults",
    {
        "dataset": "str",
        "ranker": "str",
        "seed": "int",
        "fold": "int",
        "parameters": "str",
        "metric": "str",
        "value": "float",
        "standard_error": "float",
        "queries": "int",
        "vali": "float",
        "seconds": "measured",
    },
    maker=f"{_RUNS}:RANKLIB_DEFAULTS",
)
"""Rankers with RankLib's settings, and some variants of them, on each fold of MQ2008."""

LISTNET = Table(
    "busafekete2012/listnet-steps",
    {
        "output": "str",
        "rate": "float",
        "fold": "int",
        "seed": "int",
        "epoch": "int",
        "vali": "float",
        "test": "float",
    },
    maker=f"{_RUNS}:LISTNET_STEPS",
)
"""ListNet as RankLib trains it, with larger steps, and with a linear output, epoch by epoch."""

PEERS = Table(
    "busafekete2012/bench-peers",
    {
        "ranker": "str",
        "program": "str",
        "wall_seconds": "measured",
        "cpu_seconds": "measured",
        "ndcg": "float",
        "note": "str",
    },
    maker=f"{_RUNS}:BENCH_PEERS",
)
"""Time of a training of each ranker, and of the programs that train the same."""

GROWTH = Table(
    "busafekete2012/bench-growth",
    {"ranker": "str", "documents": "int", "cpu_seconds": "measured"},
    maker=f"{_RUNS}:BENCH_GROWTH",
)
"""Time of a fixed number of rounds while the number of documents doubles."""

LARGE = Table(
    "busafekete2012/bench-large",
    {
        "ranker": "str",
        "documents": "int",
        "cpu_seconds": "measured",
        "wall_seconds": "measured",
        "data_gb": "measured",
        "peak_gb": "measured",
    },
    maker=f"{_RUNS}:BENCH_LARGE",
)
"""Time and peak memory of every ranker on training parts of the size of MSLR-WEB30K's and on a quarter of them."""
