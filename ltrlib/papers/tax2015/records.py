"""The recorded tables of this paper: what the reconstruction of the results behind Table B.6 found."""

from __future__ import annotations

from ltrlib.records.record import Table

__all__ = [
    "CELLS",
    "KNOWN_ORDERS",
    "ORDERS",
    "ORDERS_VARIED",
    "PRESENCE",
    "PUBLISHED_ROWS",
    "ROWS_IN_DOUBT",
    "SAMPLED",
    "SIZES_THAT_FIT",
    "SIZES_TRIED",
    "SOLUTIONS",
]

_HIDDEN = "ltrlib.papers.tax2015.hidden.runs"
_ORDER_COLUMNS = {"sample": "int", "metric": "str", "dataset": "str", "method": "str", "wins": "int"}

PRESENCE = Table("tax2015/presence", {"method": "str", "metric": "str", "dataset": "str"}, maker=f"{_HIDDEN}:PRESENCE")
"""Who has a result where, in one solution."""

PUBLISHED_ROWS = Table(
    "tax2015/published-rows",
    {"method": "str", "metric": "str", "wn": "int", "iwn": "int", "datasets": "int"},
    maker=f"{_HIDDEN}:PRESENCE",
)
"""The whole numbers behind Table B.6 that this solution and all orders reproduce."""

KNOWN_ORDERS = Table(
    "tax2015/known-orders",
    {"metric": "str", "dataset": "str", "better": "str", "worse": "str"},
    maker=f"{_HIDDEN}:PRESENCE",
)
"""Orders that results published elsewhere decide, and that every sample honours."""

ORDERS = Table("tax2015/orders", _ORDER_COLUMNS, maker=f"{_HIDDEN}:ORDERS", form="parquet")
"""Sampled orders, all on the recorded presence."""

ORDERS_VARIED = Table("tax2015/orders-varied", _ORDER_COLUMNS, maker=f"{_HIDDEN}:ORDERS_VARIED", form="parquet")
"""Sampled orders, each sample on a presence of its own."""

SAMPLED = {table.short: table for table in (ORDERS, ORDERS_VARIED)}
"""Both tables of sampled orders by their short names."""

CELLS = Table(
    "tax2015/cells",
    {"method": "str", "metric": "str", "dataset": "str", "status": "str"},
    maker=f"{_HIDDEN}:CELLS",
)
"""Whether a cell has a result in all solutions, in some or in none; ``undecided`` where the search ran out of time."""

SOLUTIONS = Table(
    "tax2015/solutions", {"metric": "str", "presences": "int", "complete": "bool"}, maker=f"{_HIDDEN}:CELLS"
)
"""How many presences a search found, and whether these are all."""

SIZES_TRIED = Table(
    "tax2015/sizes-tried",
    {"metric": "str", "moved": "int", "relabels": "bool", "tried": "int", "fit": "int"},
    maker=f"{_HIDDEN}:SIZES",
)
"""How many other sizes of the data sets were tried, by the number of methods moved, and how many admit a presence.

Sizes that only exchange those of two data sets (``relabels``) are counted separately."""

SIZES_THAT_FIT = Table(
    "tax2015/sizes-that-fit",
    {"metric": "str", "moved": "int", "relabels": "bool", "change": "str", "presences": "int"},
    maker=f"{_HIDDEN}:SIZES",
)
"""The other sizes that do, and how many presences they admit."""

ROWS_IN_DOUBT = Table(
    "tax2015/rows-in-doubt",
    {"method": "str", "wn": "int", "iwn": "int", "datasets": "int", "presences": "int"},
    maker=f"{_HIDDEN}:ROWS_IN_DOUBT",
)
"""How many presences there are if this row of NDCG@10, and no other, is wrong."""
