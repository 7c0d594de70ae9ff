"""What is recorded of real rankings under every tool: the parts of each difference, what each number could be."""

from __future__ import annotations

from ltrlib.records.record import Table

__all__ = ["BY_RANK", "CUTOFF", "MATCHES", "NONE", "PARTS", "RANKINGS"]

CUTOFF = 10
"""Where tools are compared."""

RANKINGS = {
    "LambdaMART on MQ2008": "mq2008",
    "one feature on MQ2008": "mq2008",
    "LightGBM on its own example": "lightgbm-example",
}
"""The rankings, and the data set of each."""

NONE = "none"
"""Stands where there is no query, no preprocessing, no further number."""

_MAKER = "ltrlib.across.explaining.runs:RANKED"
_PAIR = {"ranking": "str", "first": "str", "second": "str"}

PARTS = Table(
    "explaining/parts",
    _PAIR
    | {"value_first": "float", "value_second": "float", "cause": "str", "choice_first": "str", "choice_second": "str"}
    | {"part": "float", "lowest": "float", "highest": "float", "touched": "int", "queries": "int", "example": "str"},
    maker=_MAKER,
)
"""One row per cause for every two tools that differ: its part of the difference of the two NDCG@10.

``lowest`` and ``highest``: what switching this choice alone changes, over the states of the others; ``touched``:
queries that it changes; ``example``: the query that it changes most, and the rank at which the two part there.
"""

BY_RANK = Table("explaining/by_rank", _PAIR | {"k": "int", "cause": "str", "part": "float"}, maker=_MAKER)
"""The same parts at each cut-off, for LightGBM against scikit-learn and for LETOR 4.0 against RankLib."""

MATCHES = Table(
    "explaining/matches",
    {"ranking": "str", "tool": "str", "printed": "str", "metric": "str", "preprocessing": "str", "value": "float"}
    | {"group": "int", "by_chance": "float", "tried": "int", "next": "str"},
    maker=_MAKER,
)
"""What ``identify`` makes of each tool's NDCG@10, printed with four digits."""
