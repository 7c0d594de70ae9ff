"""The recorded tables of the networks on the same features, and of DirectRanker's pairs."""

from __future__ import annotations

from ltrlib.records.record import Table

__all__ = ["METHOD_QUERIES", "METHOD_RUNS", "PAIR_QUERIES", "PAIR_RUNS", "SPREADS"]

_RUNS = "ltrlib.papers.koppel2019.features.runs"
_PLACE = {"dataset": "str", "split": "int"}
_VALUES = {"ndcg": "float", "map": "float"}

METHOD_RUNS = Table(
    "koppel2019/features-methods",
    {"method": "str", "form": "str"} | _PLACE | {"seed": "int", "queries": "int"} | _VALUES,
    maker=f"{_RUNS}:METHOD_RUN",
)
"""Each network on each form of the features, one row per seed: means under the paper's protocol."""

METHOD_QUERIES = Table(
    "koppel2019/features-methods-queries",
    {"method": "str", "form": "str"} | _PLACE | {"query": "str"} | _VALUES,
    maker=f"{_RUNS}:METHOD_RUN",
    form="parquet",
)
"""The same for each test query, the mean over the seeds."""

PAIR_RUNS = Table(
    "koppel2019/features-pairs",
    {"pairing": "str"} | _PLACE | {"seed": "int", "queries": "int", "ndcg": "float"},
    maker=f"{_RUNS}:PAIR_RUN",
)
"""DirectRanker on graded labels with each choice of pairs: mean NDCG@10 of all test queries, RankLib's."""

PAIR_QUERIES = Table(
    "koppel2019/features-pairs-queries",
    {"pairing": "str"} | _PLACE | {"query": "str", "ndcg": "float"},
    maker=f"{_RUNS}:PAIR_RUN",
    form="parquet",
)
"""The same for each test query, the mean over the seeds."""

SPREADS = Table(
    "koppel2019/features-spreads",
    {"dataset": "str", "part": "str", "form": "str", "features": "int"}
    | {"sd": "float", "sd_median": "float", "close": "int", "clipped": "float"},
    maker=f"{_RUNS}:SPREAD_RUN",
)
"""What the features of each training file look like in each form: standard deviation over all values, its median over
the features, how many features have one third within a tenth of it, and the share of values at the clipped ends."""
